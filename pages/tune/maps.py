"""Maps of errors over two strengths; a click opens that setting in Explore."""

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pages.shared.runs.grids import is_vstg
from pages.shared.runs.opening import open_in_explore
from pages.shared.ui.display import QUIET
from pages.tune import words
from pages.tune.filter import choices_shown
from pages.tune.found import FoundChoice
from vstg.jobs import Run
from vstg.model_selection import SearchResult
from vstg.notation import measure_text, value_text
from vstg.plots.runs.tuning import colour_range, error_curve, error_map
from vstg.plots.runs.tuning_frames import error_by, error_grid

AXES = ("gamma2", "gamma1")  # rows, columns
N_COLUMNS = 3


def map_axes(parameters: tuple[str, ...]) -> tuple[str, str]:
    """Which parameters span the map; a method may have one only."""
    strengths = [name for name in AXES if name in parameters]
    if len(strengths) == 2:
        return strengths[0], strengths[1]
    others = [name for name in parameters if name not in strengths]
    return (others or strengths)[0], strengths[0]


def fixed_names(parameters: tuple[str, ...]) -> list[str]:
    """The parameters that a map holds fixed."""
    return [name for name in parameters if name not in map_axes(parameters)]


def pick_combination(
    result: SearchResult,
    key: str,
    names: list[str] | None = None,
    summary: pd.DataFrame | None = None,
) -> dict[str, Any]:
    """Show lists for the fixed parameters, set to the best setting shown."""
    names = fixed_names(result.parameters) if names is None else names
    table = result.frame if summary is None else summary
    best = result.best if summary is None else summary.iloc[0]
    fixed = {}
    with st.container(horizontal=True, key=f"{key}_pick"):
        for name in names:
            options = sorted(set(table[name]))
            place = options.index(best[name]) if best[name] in options else 0
            fixed[name] = st.selectbox(
                words.TABLE_COLUMNS[name], options, place, key=f"{key}_{name}",
                format_func=partial(value_text, name), width=110,
            )  # fmt: skip
    return fixed


def marks_of(
    result: SearchResult,
    fixed: dict[str, Any],
    table: pd.DataFrame,
    found: FoundChoice | None = None,
) -> dict[str, tuple[float, float]]:
    """Where the choices stand on a map, if they do.

    The found one stands on the map of its K, whatever else the map holds fixed: it was
    not evaluated on this grid.
    """
    rows, columns = map_axes(result.parameters)
    marks = {
        name: (row[columns], row[rows])
        for name, row in choices_shown(result, table).items()
        if all(row[fixed_name] == value for fixed_name, value in fixed.items())
    }
    if found is not None and found.setting["n_latent"] == fixed.get("n_latent"):
        marks["found"] = (found.mark[columns], found.mark[rows])
    return marks


def values_of(run: Run, result: SearchResult, name: str) -> list[float]:
    """All values of a parameter that a search was asked to try."""
    asked = run.request.grid.get(name)
    return sorted(set(result.frame[name] if asked is None else asked))


def grids_of(
    run: Run,
    result: SearchResult,
    combinations: dict[str, dict[str, Any]],
    table: pd.DataFrame,
) -> dict[str, pd.DataFrame]:
    """Errors of each map.

    What is not evaluated yet, or hidden by a filter, has its place and leaves it empty.
    """
    rows, columns = map_axes(result.parameters)
    index, across = (
        pd.Index(values_of(run, result, name), name=name) for name in (rows, columns)
    )
    return {
        title: error_grid(table, fixed, rows, columns).reindex(
            index=index, columns=across
        )
        for title, fixed in combinations.items()
    }


def show_maps(
    run: Run,
    result: SearchResult,
    combinations: dict[str, dict[str, Any]],
    *,
    key: str,
    summary: pd.DataFrame | None = None,
    found: FoundChoice | None = None,
    height: int = 330,
) -> None:
    """Maps by title; a click leaves for Explore."""
    table = result.summary() if summary is None else summary
    rows, columns = map_axes(result.parameters)
    if rows == columns:  # one parameter alone spans no map
        curve = error_curve(
            rows, error_by(table, rows), choices_shown(result, table),
            measure=measure_text(result.measure), height=height,
        )  # fmt: skip
        st.plotly_chart(curve, key=key, config=QUIET, alt=words.VALUES_ALT)
        return
    grids = grids_of(run, result, combinations, table)
    limits = colour_range(list(grids.values()))
    with st.container(key=key):
        # A figure each, so that they stand below one another where there is no room.
        for number, title in enumerate(grids):
            if number % N_COLUMNS == 0:
                places = st.columns(min(N_COLUMNS, len(grids)))
            figure = error_map(
                grids[title], marks_of(result, combinations[title], table, found),
                limits, title=title, height=height,
                measure=measure_text(result.measure),
            )  # fmt: skip
            event = places[number % N_COLUMNS].plotly_chart(
                figure, key=f"{key}_{title}", config=QUIET, alt=words.MAP_ALT,
                on_select="rerun", selection_mode="points",
            )  # fmt: skip
            cell = clicked_cell(event)
            if cell is not None and is_vstg(result.method):
                strengths = {columns: cell[1], rows: cell[2]}
                open_in_explore(run, {**combinations[title], **strengths})


def clicked_cell(event: Any) -> tuple[str, float, float] | None:
    """(map, column, row) of a click; None if there was none."""
    for point in event.selection.points if event else ():
        match point.get("customdata"):
            case [str(title), x, y]:
                return title, float(x), float(y)
            case {"0": str(title), "1": x, "2": y}:
                return title, float(x), float(y)
    return None
