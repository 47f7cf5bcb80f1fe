"""One cell of a table: its repetitions, its tests, and the link to Explore."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from pages.reproduce import words
from pages.reproduce.opening import open_row
from pages.reproduce.source import MeasuredTable, note_in_link
from pages.reproduce.table import Cell, read_cell
from pages.shared.state import keys
from pages.shared.ui.display import QUIET
from vstg.notation import STRENGTHS, duration, value_text
from vstg.plots.runs.reproduction import repetitions_figure
from vstg.reproduction import BENCHMARKS
from vstg.reproduction.claims import ALPHA
from vstg.reproduction.protocol import COLUMNS
from vstg.reproduction.report import MEASURE_LABELS, long_frame
from vstg.reproduction.results import SETTING_NAMES, Results


def list_keys(exhibit: str) -> tuple[str, str, str]:
    """Keys of the three lists that name a cell."""
    return f"{exhibit}_set", f"{exhibit}_measure", f"{exhibit}_method"


def press(exhibit: str, component: str) -> None:
    """Action of the table: set the lists to the cell that was clicked."""
    put(exhibit, read_cell(st.session_state[component].get("cell")))


def put(exhibit: str, cell: Cell | None) -> None:
    """Set the lists to a cell."""
    for key, value in zip(list_keys(exhibit), cell or (), strict=False):
        st.session_state[key] = value


def current(exhibit: str, table: pd.DataFrame) -> Cell:
    """The cell that the lists name; at first the link's, or the first of VSTG."""
    names = list_keys(exhibit)
    if names[0] not in st.session_state:
        put(exhibit, read_cell(st.query_params.get("cell", "")))
    has = {(r["data"], r["measure"], r["column"]) for r in table.to_dict("records")}
    chosen = tuple(str(st.session_state.get(name, "")) for name in names)
    data, measure, column = chosen
    by_itself = st.session_state.pop(keys.usual_cell(exhibit), None) == chosen
    if chosen in has and not by_itself:
        return data, measure, column
    others = [c for c in has if c[0] == data and c[2] == column]
    if others and not by_itself:
        cell = min(others)
    else:
        # Chosen again in every run: while a table fills in, VSTG comes last.
        cell = first_cell(table)
        st.session_state[keys.usual_cell(exhibit)] = cell
    put(exhibit, cell)
    return cell


def first_cell(table: pd.DataFrame) -> Cell:
    """The first cell of VSTG, or the first of any method."""
    first = table[table["column"].str.startswith("vstg")]
    row: Any = (first if len(first) else table).iloc[0]
    return row["data"], row["measure"], row["column"]


def pick(exhibit: str, table: pd.DataFrame) -> Cell:
    """Three lists that choose a cell, as a click on the table does."""
    current(exhibit, table)
    sets, measure_key, methods = list_keys(exhibit)
    with st.container(horizontal=True, key="reproduce_pick"):
        data = st.selectbox(
            words.PICK_DATA, list(dict.fromkeys(table["data"])), key=sets, width=200,
            format_func=lambda n: BENCHMARKS[n].label, persist_state="session",
        )  # fmt: skip
        column = st.selectbox(
            words.PICK_METHOD, list(dict.fromkeys(table["column"])), key=methods,
            width=200, format_func=lambda n: COLUMNS[n].label, persist_state="session",
        )  # fmt: skip
        measures = list(BENCHMARKS[data].measures)
        if st.session_state.get(measure_key) not in measures:
            st.session_state[measure_key] = measures[0]
        measure = st.selectbox(
            words.PICK_MEASURE, measures, key=measure_key, width=120,
            format_func=MEASURE_LABELS.__getitem__, persist_state="session",
        )  # fmt: skip
    note_in_link("cell", "|".join((data, measure, column)))
    return data, measure, column


def show_cell(measured: MeasuredTable) -> None:
    """Everything about one cell."""
    results, table = measured.results, measured.table
    with st.container(key="reproduce_cell"):
        cell = pick(results.exhibit.name, table)
    method, data = COLUMNS[cell[2]].label, BENCHMARKS[cell[0]].label
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown(f"**{words.CELL.format(method=method, data=data)}**")
        boxes(results, table, cell)
    with right:
        tests(measured.tests, cell)
    rows = repetitions(results, cell)
    if rows is not None:
        open_row(results, cell, [int(r) for r in rows["repetition"]])


def boxes(results: Results, table: pd.DataFrame, cell: Cell) -> None:
    """Every method on the data set, the chosen one marked, with the paper's bands."""
    data, measure, column = cell
    long = long_frame(results.outcomes, results.exhibit)
    long = long[(long["data"] == data) & (long["measure"] == measure)]
    rows = table[(table["data"] == data) & (table["measure"] == measure)]
    labels = {name: two_lines(COLUMNS[name].label) for name in COLUMNS}
    paper = pd.DataFrame(
        {
            "column": rows["column"].map(labels),
            "mean": rows["paper_mean"],
            "sd": rows["paper_sd"],
        }
    )
    figure = repetitions_figure(
        long.assign(column=long["column"].map(labels)), paper, labels[column],
        MEASURE_LABELS[measure],
    )  # fmt: skip
    alt = words.BOXES_ALT.format(
        measure=MEASURE_LABELS[measure], data=BENCHMARKS[data].label
    )
    st.plotly_chart(figure, key="reproduce_boxes", config=QUIET, alt=alt)


def two_lines(label: str) -> str:
    """A label of the axis; in one line, neighbours would touch."""
    return label.replace(" k=", "<br>k=").replace(", refitted", "<br>refitted")


def tests(found: pd.DataFrame, cell: Cell) -> None:
    """The chosen method against every other one."""
    rows = test_rows(found, cell)
    if rows.empty:
        return
    _, measure, column = cell
    method, label = COLUMNS[column].label, MEASURE_LABELS[measure]
    st.markdown(f"**{words.TESTS.format(method=method, measure=label)}**")
    shown = rows.drop(columns="n").rename(columns=words.TEST_COLUMNS)
    number = st.column_config.NumberColumn
    config = {
        words.TEST_COLUMNS["difference"]: number(format="%+.4f", width=85),
        words.TEST_COLUMNS["p_value"]: number(format="%.2g", width=65),
        words.TEST_COLUMNS["verdict"]: st.column_config.TextColumn(width=85),
    }
    st.dataframe(shown, hide_index=True, column_config=config, key="reproduce_tests")
    st.caption(words.TESTS_NOTE.format(method=method))
    n = int(rows["n"].min())
    if n > 0 and 2.0 ** (1 - n) > ALPHA:
        st.caption(words.TESTS_FEW.format(n=n, p=2.0 ** (1 - n)))


def test_rows(tests: pd.DataFrame, cell: Cell) -> pd.DataFrame:
    """One row per other method; a difference below zero: the chosen one is better."""
    data, measure, column = cell
    found = []
    for row in tests.to_dict("records"):
        if (row["data"], row["measure"]) != (data, measure):
            continue
        if column not in (row["first"], row["second"]):
            continue
        sign = 1 if row["first"] == column else -1
        other = row["second"] if sign == 1 else row["first"]
        difference = sign * row["mean_difference"]
        sure = not math.isnan(row["p_value"]) and row["p_value"] < ALPHA
        verdict = 0 if not sure else (-1 if difference < 0 else 1)
        found.append(
            {
                "other": COLUMNS[other].label,
                "difference": difference,
                "p_value": row["p_value"],
                "verdict": words.VERDICTS[verdict],
                "n": row["n"],
            }
        )
    return pd.DataFrame(found)


def repetitions(results: Results, cell: Cell) -> pd.DataFrame | None:
    """One row per repetition: the settings that were chosen and their errors."""
    data, measure, column = cell
    outcomes = results.outcomes
    part = outcomes[(outcomes["data"] == data) & (outcomes["column"] == column)]
    if part.empty:
        return None
    part = part.sort_values("repetition")
    shown = repetition_table(part, BENCHMARKS[data].measures[measure])
    label = MEASURE_LABELS[measure]
    names = {key: text.format(measure=label) for key, text in words.COLUMNS.items()}
    config = {
        names["error"]: st.column_config.NumberColumn(format="%.4f"),
        names["choice_error"]: st.column_config.NumberColumn(format="%.4f"),
        names["seconds"]: st.column_config.NumberColumn(format="%.1f"),
    }
    st.dataframe(
        shown.rename(columns=names), hide_index=True, column_config=config,
        key=keys.REPRODUCE_REPETITIONS, selection_mode="single-cell",
        on_select=lambda: press_row(list(part["repetition"])),
    )  # fmt: skip
    return part


def press_row(repetitions: list[int]) -> None:
    """Action of the table: set the list below to the row that was clicked."""
    cells = st.session_state[keys.REPRODUCE_REPETITIONS].selection.cells
    if cells:
        st.session_state[keys.REPRODUCE_REPETITION] = int(repetitions[cells[0][0]])


def repetition_table(part: pd.DataFrame, error: str) -> pd.DataFrame:
    """The columns that this method has, in the order in which they are shown."""
    shown: dict[str, Any] = {"repetition": part["repetition"]}
    for name in SETTING_NAMES:
        if name not in part or part[name].isna().all():
            continue
        if name in ("alpha", "cut", "relax"):
            shown[name] = part[name]
        elif name in STRENGTHS:
            shown[name] = [value_text(name, float(v)) for v in part[name]]
        else:
            shown[name] = part[name].astype("Int64")
    shown["error"] = part[error]
    for name in ("choice_error", "n_variables", "seconds"):
        if name in part:
            shown[name] = part[name]
    return pd.DataFrame(shown)


def download_name(results: Results) -> Mapping[str, str]:
    """File names of the two tables."""
    return {k: f"{results.exhibit.name}-{k}" for k in ("table", "repetitions")}


def made_by(results: Results) -> list[str]:
    """The commands that the results came from."""
    about = results.about
    parts = [part.get("command") for part in about.get("parts", [about])]
    return [part for part in parts if part]


def say_about(results: Results) -> None:
    """The effort behind the results."""
    about = results.about
    st.caption(
        words.ABOUT.format(
            title=results.exhibit.title,
            label=about.get("effort_label", ""),
            repetitions=about.get("repetitions", "?"),
            fits=f"{about.get('n_fits', 0):,}",
            time=duration(float(about.get("seconds", 0.0))),
        )
    )
