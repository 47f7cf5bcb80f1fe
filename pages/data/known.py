"""Choose one of the paper's data sets, or scikit-learn's digits."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.shared import data_texts as words
from pages.shared.app.access import is_local
from pages.shared.data import own
from vstg.datasets import (
    FetchError,
    RealDataset,
    fetch_computer,
    fetch_mnist,
    fetch_parkinsons,
    fetch_school,
    fetch_usps,
    load_digits_tasks,
)
from vstg.datasets.cache import Places
from vstg.datasets.known import KNOWN

FETCHERS: dict[str, tuple[Callable[..., RealDataset], bool]] = {
    "Digits (scikit-learn, no download)": (load_digits_tasks, False),
    "School: 139 schools": (fetch_school, True),
    "Parkinson: 42 patients": (fetch_parkinsons, True),
    "Computer survey: 190 persons": (fetch_computer, True),
    "MNIST: 10 digits": (fetch_mnist, True),
    "USPS: 10 digits": (fetch_usps, True),
}


def known_data() -> None:
    """Choose, load, use."""
    left, right = st.columns([3, 1])
    with left:
        name = st.selectbox(words.KNOWN, FETCHERS, key="known")
    with right:
        seed = st.number_input(
            words.REPETITION, 0, 9999, 0, 1, key="known_seed",
            help=words.REPETITION_HELP,
        )  # fmt: skip
    fetch, has_files = FETCHERS[name]
    say_size(fetch)
    options: dict[str, Any] = {"random_state": int(seed)}
    where: dict[str, Any] = {}
    if has_files and is_local():
        folder = st.text_input(words.FOLDER, key="known_folder")
        where = {"data_dir": folder} if folder else {}
    if st.button(words.LOAD, key="known_load", type="primary"):
        load(fetch, has_files, options, where)


def say_size(fetch: Callable[..., RealDataset]) -> None:
    """How large a set is, and whether it has to be downloaded first."""
    known = next((one for one in KNOWN.values() if one.fetch is fetch), None)
    if known is None:
        return
    tasks, variables, train, _, test = known.sizes
    sizes = words.KNOWN_SIZES.format(
        tasks=tasks, variables=variables, train=train, test=test
    )
    try:
        here = bool(known.where(Places.of()))
    except FetchError:  # the variable names no folder; loading will say so
        here = False
    st.caption(f"{sizes} {words.KNOWN_HERE if here else words.KNOWN_AWAY}")


def load(
    fetch: Callable[..., RealDataset],
    has_files: bool,
    options: dict[str, Any],
    where: dict[str, Any],
) -> None:
    """Fetch the data, with progress, and go on to Explore."""
    bar = st.progress(0.0)

    def progress(name: str, done: int, total: int | None) -> None:
        known = total or max(done, 1)
        text = words.LOADING.format(name=name, done=done // 1000, total=known // 1000)
        bar.progress(min(done / known, 1.0), text)

    more = {**where, "progress": progress} if has_files else {}
    try:
        real = fetch(**options, **more)
    except (FetchError, ValueError) as error:
        bar.empty()
        with st.container(key="refusal", border=True):
            st.text(str(error))
        return
    arguments = {**options, **where}
    shown = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
    own.put(own.own_of_real(real, f"{fetch.__name__}({shown})"))
    st.switch_page("app.py", query_params=own.yours_query())
