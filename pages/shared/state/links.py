"""Which runs a link asks for: a new link decides, after it the visitor does.

What a page shows outlives a visit to another page, so that a link to another run must
be told from the link that the page wrote itself.
"""

from collections.abc import Collection, Mapping

import streamlit as st

from pages.shared import phrases
from pages.shared.runs.manager import run_label
from pages.shared.state.mapping import note_in_address
from vstg.jobs import Run


def is_new(parameter: str, key: str) -> bool:
    """Whether the link has a value that this page has neither written nor followed."""
    asked = st.query_params.get(parameter)
    return asked is not None and asked != st.session_state.get(f"{key}_link")


def write(parameter: str, key: str, text: str) -> None:
    """Put what is shown into the link."""
    st.session_state[f"{key}_link"] = text
    if st.query_params.get(parameter) != text:
        note_in_address(parameter, text)


def drop(parameter: str, key: str) -> None:
    """Take out of the link what is not shown; if it comes again it is new."""
    st.session_state.pop(f"{key}_link", None)
    if parameter in st.query_params:
        del st.query_params[parameter]


def numbers(parameter: str) -> list[int]:
    """The runs that the link names."""
    parts = st.query_params.get(parameter, "").split("-")
    return [one for part in parts if (one := number_in(part)) is not None]


def follow(key: str, known: Collection[int], default: int) -> None:
    """Before the list of runs is drawn: the one that it shows."""
    asked = numbers("run")
    if is_new("run", key) and asked and asked[0] in known:
        st.session_state[key] = asked[0]
    if st.session_state.get(key) not in known:
        st.session_state[key] = default


def choose_run(key: str, runs: Mapping[int, Run], default: int) -> Run:
    """The list of runs: the one of a new link, the chosen one, or the default."""
    follow(key, runs, default)
    number = st.selectbox(
        phrases.CHOOSE_RUN, list(runs), key=key,
        format_func=lambda n: run_label(runs[n]), label_visibility="collapsed",
        persist_state="session",
    )  # fmt: skip
    write("run", key, str(number))
    return runs[number]


def number_in(text: str | None) -> int | None:
    """The number of a run that a link has; None for anything else."""
    if text is None or not text.isascii() or not text.isdecimal() or len(text) > 15:
        return None
    return int(text)
