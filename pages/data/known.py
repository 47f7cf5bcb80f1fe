"""Choose one of the paper's data sets, or scikit-learn's digits."""

from typing import Any

import streamlit as st

from pages.data import words
from pages.shared.app.access import is_local
from pages.shared.data import own
from pages.shared.data.catalogue import own_of_dataset
from pages.shared.state import links
from vstg.datasets import DATASETS, DatasetEntry, FetchError
from vstg.datasets.cache import Places

REAL = {  # what needs no download comes first
    entry.name: entry
    for origin in ("scikit-learn", "paper")
    for entry in DATASETS.values()
    if entry.origin == origin
}


def known_data() -> None:
    """Choose, load, use."""
    left, right = st.columns([3, 1])
    with left:
        name = st.selectbox(
            words.KNOWN, REAL, key="known",
            format_func=lambda name: f"{REAL[name].title}: {REAL[name].about}",
        )  # fmt: skip
    with right:
        seed = st.number_input(
            words.REPETITION, 0, 9999, 0, 1, key="known_seed",
            help=words.REPETITION_HELP,
        )  # fmt: skip
    chosen = REAL[name]
    say_size(chosen)
    options: dict[str, Any] = {"random_state": int(seed)}
    where: dict[str, Any] = {}
    if chosen.needs_files and is_local():
        folder = st.text_input(words.FOLDER, key="known_folder")
        where = {"data_dir": folder} if folder else {}
    if st.button(words.LOAD, key="known_load", type="primary"):
        load(chosen, options, where)


def say_size(known: DatasetEntry) -> None:
    """How large a set is, and whether it has to be downloaded first."""
    tasks, variables, train, _, test = known.sizes
    sizes = words.KNOWN_SIZES.format(
        tasks=tasks, variables=variables, train=train, test=test
    )
    if not known.needs_files:
        st.caption(sizes)
        return
    try:
        here = bool(known.where(Places.of()))
    except FetchError:  # the variable names no folder; loading will say so
        here = False
    st.caption(f"{sizes} {words.KNOWN_HERE if here else words.KNOWN_AWAY}")


def load(chosen: DatasetEntry, options: dict[str, Any], where: dict[str, Any]) -> None:
    """Fetch the data, with progress, and go on to Explore."""
    bar = st.progress(0.0)

    def progress(name: str, done: int, total: int | None) -> None:
        known = total or max(done, 1)
        text = words.LOADING.format(name=name, done=done // 1000, total=known // 1000)
        bar.progress(min(done / known, 1.0), text)

    more = {**where, "progress": progress} if chosen.needs_files else {}
    try:
        real = chosen.loader(**options, **more)
    except (FetchError, ValueError) as error:
        bar.empty()
        with st.container(key="refusal", border=True):
            st.text(str(error))
        return
    arguments = {**options, **where}
    shown = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
    own.put(own_of_dataset(real, f"{chosen.loader.__name__}({shown})"))
    st.switch_page("app.py", query_params=links.yours_query())
