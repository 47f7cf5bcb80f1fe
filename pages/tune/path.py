"""Scrub along a regularisation path."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.shared.fits import live
from pages.shared.runs.grids import fit_seconds
from pages.shared.ui.display import QUIET
from pages.tune import words
from pages.tune.filter import choices_shown, setting_at
from vstg.inspection import order_tasks, task_groups
from vstg.jobs import Run, SearchRequest, Store
from vstg.model_selection import Path, SearchResult, regularisation_path
from vstg.notation import (
    SYMBOLS,
    number_text,
    rough_duration,
    setting_text,
    value_text,
)
from vstg.plots.matrices.excerpt import fitting_shape, top
from vstg.plots.runs.paths import PathStep, path_figure

MAX_CELLS = 10_000  # of W, and of U and V together, in each of 14 steps
LIVE_SECONDS = 2.0
MAX_LISTED = 200


def path_of(store: Store, run: Run, parameter: str, setting: dict[str, Any]) -> Path:
    """The path, fitted once, with the loss and the intercept of the search."""
    asked: SearchRequest = run.request
    how = {"loss": asked.loss, "fit_intercept": asked.fit_intercept}
    others = {name: value for name, value in setting.items() if name != parameter}
    options = {**others, **how}
    key = ("path", run.data, parameter, tuple(sorted(options.items())))
    memory = live.own_memory() if run.owner else live.memory()
    found = memory.get(key)
    if found is None:
        found = regularisation_path(store.data(run.data), parameter, **options)
        memory.put(key, found)
    return found


def part_of(path: Path, value: float) -> tuple[np.ndarray, np.ndarray]:
    """The variables and tasks to show, tasks in the order of one position.

    Of many those with the largest entries of U and of V anywhere along the path.
    """
    first = path.at(value)
    order = order_tasks(first.V * np.any(first.U != 0, axis=0)[:, None], 0.0)
    shape = (len(first.U), first.V.shape[1])
    longest = MAX_CELLS // (2 * first.U.shape[1])  # of U and V
    n_rows, n_columns = fitting_shape(*shape, MAX_CELLS)
    n_rows, n_columns = min(n_rows, longest), min(n_columns, longest)
    U_sizes = np.max([np.abs(r.U).max(axis=1) for r in path.results], axis=0)
    V_sizes = np.max([np.abs(r.V).max(axis=0) for r in path.results], axis=0)
    kept = np.zeros(shape[1], dtype=bool)
    kept[top(V_sizes, n_columns)] = True
    return top(U_sizes, n_rows), order[kept[order]]


def steps_of(path: Path, rows: np.ndarray, order: np.ndarray) -> list[PathStep]:
    """What the figure shows at each position."""
    steps = []
    for value, result in zip(path.values, path.results, strict=True):
        groups = [g for g in task_groups(result.V, U=result.U) if not g.empty]
        numbers = np.full(result.V.shape[1], -1.0)
        for number, group in enumerate(groups):
            numbers[list(group.tasks)] = number
        text = words.PATH_WORDS.format(
            symbol=SYMBOLS[path.parameter],
            value=value_text(path.parameter, value),
            variables=int(result.U.any(axis=1).sum()),
            bases=int((result.U.any(axis=0) & result.V.any(axis=1)).sum()),
            groups=len(groups),
        )
        steps.append(
            PathStep(
                value_text(path.parameter, value),
                text,
                result.U[rows],
                result.V[:, order],
                result.U[rows] @ result.V[:, order],
                numbers[order],
            )
        )
    return steps


def choose_setting(
    result: SearchResult, kept: pd.DataFrame, key: str
) -> dict[str, Any]:
    """One of the settings that pass the filter: best, one-SE, or any by hand."""
    options = {words.BEST_SHOWN: setting_at(result, kept.iloc[0])}
    if "one_se" in choices_shown(result, kept):
        options[words.ONE_SE] = result.one_se
    names = [*options, words.ANY_SHOWN]
    chosen = st.segmented_control(
        words.PATH_START, names, default=words.BEST_SHOWN, key=key, required=True
    )
    if chosen in options:
        st.caption(setting_text(options[chosen]))
        return options[chosen]
    shown = [setting_at(result, row) for _, row in kept.head(MAX_LISTED).iterrows()]
    errors: list[float] = kept["error"].tolist()
    place = st.selectbox(
        words.ANY_SHOWN, range(len(shown)), key=f"{key}_any", width=360,
        format_func=lambda i: f"{setting_text(shown[i])}: {number_text(errors[i])}",
        label_visibility="collapsed",
    )  # fmt: skip
    return shown[place]


def path_view(store: Store, run: Run, result: SearchResult, kept: pd.DataFrame) -> None:
    """Choose what moves; the rest happens in the browser."""
    st.caption(words.PATH_NOTE)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        setting = choose_setting(result, kept, "path_setting")
        parameter = st.segmented_control(
            words.PATH_PARAMETER, ["gamma1", "gamma2"], default="gamma2",
            format_func=SYMBOLS.__getitem__, key="path_parameter", required=True,
        )  # fmt: skip
    data = store.data(run.data)
    shape = (data.n_features, data.n_tasks)
    seconds = 14 * 5 * fit_seconds(shape, "vstg", setting["n_latent"])
    ask = words.PATH_RUN.format(time=rough_duration(seconds))
    if seconds > LIVE_SECONDS and not st.button(ask, key="path_run"):
        return
    path = path_of(store, run, parameter, setting)
    rows, order = part_of(path, setting[parameter])
    steps = steps_of(path, rows, order)
    start = path.results.index(path.at(setting[parameter]))
    figure = path_figure(
        steps,
        [data.feature_names[i] for i in rows],
        [data.task_names[j] for j in order],
        start=start,
    )
    st.plotly_chart(figure, key="path", config=QUIET, alt=words.PATH_ALT)
    if (len(rows), len(order)) != shape:
        text = words.PATH_PART.format(
            rows=len(rows), all_rows=shape[0], columns=len(order), all_columns=shape[1]
        )
        st.caption(text)
