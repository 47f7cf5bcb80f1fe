"""The Reproduce page: the paper's two tables and two figures."""

from pathlib import Path

import pandas as pd
import streamlit as st

from pages.reproduce import words
from pages.reproduce.cell import (
    current,
    download_name,
    made_by,
    press,
    say_about,
    show_cell,
)
from pages.reproduce.figures import figure_1, figure_2
from pages.reproduce.findings import findings
from pages.reproduce.run import commands, run_button, state
from pages.reproduce.source import DEFAULT, Shown, arrive, choose
from pages.reproduce.table import draw, scale_html, table_html
from pages.shared.runs.manager import open_store, say_errors
from pages.shared.state import keys
from pages.shared.ui.display import title
from pages.shared.ui.downloads import download
from vstg.jobs import Store
from vstg.reproduction.results import Results

STYLE = Path(__file__).with_name("page.css")


def table_part(store: Store, exhibit: str) -> None:
    """The results, what they say, the table, one cell in detail, and how to run it."""
    shown = choose(store, exhibit)
    if shown is None:
        st.info(words.NO_RESULTS[exhibit])
    else:
        state(shown)
    if shown is None or shown.run is None or not shown.run.active:
        run_button(store, exhibit)
    measured = None if shown is None else shown.measured
    if shown is not None:
        show_results(shown)
    commands(exhibit, [] if measured is None else made_by(measured.results))


def show_results(shown: Shown) -> None:
    """Show the results that there are so far."""
    measured = shown.measured
    if measured is None:
        if shown.run is not None and shown.run.active:
            st.info(words.NOTHING_YET)
        return
    results, table = measured.results, measured.table
    st.markdown(findings(results.exhibit.columns, table, measured.tests))
    if not results.about.get("complete", True):
        st.caption(words.UNFINISHED)
    show_table(results, table)
    show_cell(measured)
    take_away(results, table)


def show_table(results: Results, table: pd.DataFrame) -> None:
    """The table with its colours explained."""
    exhibit, key = results.exhibit.name, f"{results.exhibit.name}_cells"
    html = table_html(table, results.exhibit, current(exhibit, table))
    draw(
        data={"html": html},
        key=key,
        on_cell_change=lambda: press(exhibit, key),
    )
    st.html(scale_html())
    st.caption(words.TABLE_NOTE)


def take_away(results: Results, table: pd.DataFrame) -> None:
    """Say what the table is based on, and offer downloads."""
    say_about(results)
    names = download_name(results)
    with st.container(horizontal=True):
        download(table, names["table"], "reproduce_csv", words.DOWNLOAD_TABLE)
        download(
            results.outcomes, names["repetitions"], "reproduce_outcomes_csv",
            words.DOWNLOAD_REPETITIONS,
        )  # fmt: skip


def reproduce() -> None:
    """Guard, inputs, call, show."""
    with st.container(key="reproduce"):
        title(words.REPRODUCE, words.TAGLINE)
        st.html(STYLE)
        store = open_store()
        say_errors()
        arrive(store)
        exhibit = st.segmented_control(
            words.EXHIBIT, list(words.EXHIBITS), default=DEFAULT, required=True,
            key=keys.REPRODUCE_EXHIBIT, format_func=words.EXHIBITS.__getitem__,
            bind="query-params", label_visibility="collapsed",
        )  # fmt: skip
        if exhibit == "fig1":
            figure_1()
        elif exhibit == "fig2":
            figure_2(choose(store, "table1"))
        else:
            table_part(store, exhibit)
