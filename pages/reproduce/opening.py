"""Open a repetition in Explore: the same data with the chosen setting."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.reproduce import words
from pages.reproduce.run import sets_here
from pages.reproduce.table import Cell
from pages.shared.data import own
from pages.shared.data.catalogue import own_of_dataset
from pages.shared.runs.manager import sentence
from pages.shared.runs.opening import explore_values as controls_of
from pages.shared.runs.opening import leave_for
from pages.shared.state import keys
from pages.shared.state.parameters import SYN, YOURS
from vstg.datasets import FetchError
from vstg.datasets.registry import DATASETS
from vstg.notation import setting_text
from vstg.reproduction import BENCHMARKS
from vstg.reproduction.protocol import COLUMNS
from vstg.reproduction.results import Results


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
    if st.session_state.get(keys.REPRODUCE_REPETITION) not in repetitions:
        st.session_state.pop(
            keys.REPRODUCE_REPETITION, None
        )  # left by results with more
    with st.container(
        horizontal=True, vertical_alignment="bottom", key="reproduce_open_row"
    ):
        repetition = st.selectbox(
            words.REPETITION, repetitions, key=keys.REPRODUCE_REPETITION, width=140
        )
        setting = results.setting(data, column, repetition)
        text = {"repetition": repetition, "setting": setting_text(setting)}
        if BENCHMARKS[data].label in SYN:
            open_button(explore_values(data, repetition, setting), setting)
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
    return st.session_state.get(keys.REPRODUCE_FOLDER, "")


def open_button(values: dict[str, Any], setting: Mapping[str, Any]) -> None:
    """A button that opens Explore with these values."""
    if st.button(words.OPEN, key="reproduce_open", type="primary", width="content"):
        leave_for(values, setting)


def open_real(data: str, repetition: int, setting: Mapping[str, Any]) -> None:
    """Load a real data set with the repetition's split, and open Explore."""
    known, arguments = DATASETS[data], {"random_state": repetition}
    where = {"data_dir": folder()} if folder() else {}
    try:
        real = known.loader(**arguments, **where)
    except (FetchError, ValueError) as error:
        st.session_state[keys.ERROR] = sentence(error)
        st.rerun()
    shown = ", ".join(f"{k}={v!r}" for k, v in (arguments | where).items())
    record = own_of_dataset(real, f"{known.loader.__name__}({shown})")
    dataset = replace(record.dataset, fit_intercept=BENCHMARKS[data].fit_intercept)
    own.put(replace(record, dataset=dataset))
    values = controls_of({"data": YOURS}, setting)
    leave_for({**values, keys.SOLVER: "fast", keys.STARTS: 1}, setting)
