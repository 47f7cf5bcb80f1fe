"""Open a repetition in Explore: the same data with the chosen setting."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.reproduce import words
from pages.reproduce.run import FOLDER_KEY, sets_here
from pages.reproduce.table import Cell
from pages.shared.data import own
from pages.shared.data.sources import YOURS
from pages.shared.runs.manager import sentence
from pages.shared.runs.opening import LEAVE_KEY
from pages.shared.state.mapping import explore_values as controls_of
from pages.shared.state.parameters import SYN
from vstg.datasets import FetchError
from vstg.datasets.registry import DATASETS
from vstg.notation import setting_text
from vstg.reproduction import BENCHMARKS
from vstg.reproduction.protocol import COLUMNS
from vstg.reproduction.results import Results

REPETITION_KEY = "reproduce_repetition"


def explore_values(
    data: str, repetition: int, setting: Mapping[str, Any]
) -> dict[str, Any]:
    """The controls of Explore for a repetition of a synthetic set."""
    usual = {"size": "25 × 20", "n": 50, "noise": 1.0, "solver": "fast", "starts": 1}
    source = {"data": BENCHMARKS[data].label, "seed": repetition}
    return {**usual, **controls_of(source, setting)}


def open_row(results: Results, cell: Cell, repetitions: list[int]) -> None:
    """Choose a repetition and open it, or say why that is not possible."""
    data, _, column = cell
    if COLUMNS[column].method != "vstg":
        st.caption(words.OPEN_NOT_VSTG)
        return
    st.caption(words.ROWS_NOTE)
    if st.session_state.get(REPETITION_KEY) not in repetitions:
        st.session_state.pop(REPETITION_KEY, None)  # left by results with more
    with st.container(
        horizontal=True, vertical_alignment="bottom", key="reproduce_open_row"
    ):
        repetition = st.selectbox(
            words.REPETITION, repetitions, key=REPETITION_KEY, width=140
        )
        setting = results.setting(data, column, repetition)
        text = {"repetition": repetition, "setting": setting_text(setting)}
        if BENCHMARKS[data].label in SYN:
            open_button(explore_values(data, repetition, setting))
            st.caption(words.OPEN_WORDS.format(**text))
        elif data in sets_here(results.exhibit.name, folder()):
            if st.button(words.OPEN, key="reproduce_open", type="primary"):
                open_real(data, repetition, setting)
            st.caption(words.OPEN_REAL.format(**text))
        else:
            label = BENCHMARKS[data].label
            st.caption(words.OPEN_REAL_NOT_HERE.format(data=label, **text))


def folder() -> str:
    """The folder with the real data that the visitor entered."""
    return st.session_state.get(FOLDER_KEY, "")


def open_button(values: dict[str, Any]) -> None:
    """A button that opens Explore with these values."""
    if st.button(words.OPEN, key="reproduce_open", type="primary", width="content"):
        st.session_state[LEAVE_KEY] = values
        st.rerun()


def open_real(data: str, repetition: int, setting: Mapping[str, Any]) -> None:
    """Load a real data set with the repetition's split, and open Explore."""
    known, arguments = DATASETS[data], {"random_state": repetition}
    where = {"data_dir": folder()} if folder() else {}
    try:
        real = known.loader(**arguments, **where)
    except (FetchError, ValueError) as error:
        st.session_state["workshop_error"] = sentence(error)
        st.rerun()
    shown = ", ".join(f"{k}={v!r}" for k, v in (arguments | where).items())
    record = own.own_of_real(real, f"{known.loader.__name__}({shown})")
    loaded = replace(record.loaded, fit_intercept=BENCHMARKS[data].fit_intercept)
    own.put(replace(record, loaded=loaded))
    values = controls_of({"data": YOURS}, setting)
    st.session_state[LEAVE_KEY] = {**values, "solver": "fast", "starts": 1}
    st.rerun()
