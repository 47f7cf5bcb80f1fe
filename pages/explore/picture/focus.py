"""One cell of W: which one is meant, and the sum that makes it."""

from html import escape
from typing import cast

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.explore import words
from pages.explore.picture.window import Seen
from pages.explore.results.findings import Findings
from pages.shared import words as common
from pages.shared.state import keys
from vstg.inspection import decomposition_frame
from vstg.notation import number_text
from vstg.plots.matrices.excerpt import BLOCK_CELLS

MAX_OPTIONS = 2_000  # names in a list


def focus_cell(
    found: Findings, variable: str | None, task: str | None
) -> tuple[str, str]:
    """The cell to explain: the chosen one, or the largest in its row or column."""
    U, V = found.estimate.U, found.estimate.V
    columns = np.arange(V.shape[1])
    if task in V.columns:
        columns = np.array([V.columns.get_loc(task)])
    rows = np.arange(len(U))
    if variable in U.index:
        rows = np.array([U.index.get_loc(variable)])
    elif len(rows) * len(columns) > BLOCK_CELLS:
        # Small rows of U make small rows of W.
        rows = found.variable_order[: BLOCK_CELLS // len(columns)]
    part = np.abs(U.to_numpy()[rows] @ V.to_numpy()[:, columns])
    i, j = np.unravel_index(int(part.argmax()), part.shape)
    return str(U.index[rows[i]]), str(V.columns[columns[j]])


def position(found: Findings, cell: tuple[str, str]) -> tuple[int, int]:
    """Row and column of a cell in the data."""
    rows, columns = found.estimate.U.index, found.estimate.V.columns
    places = rows.get_loc(cell[0]), columns.get_loc(cell[1])
    return cast(tuple[int, int], places)  # names differ, so that each has one place


def formula_html(found: Findings, cell: tuple[str, str]) -> str:
    """w = u·v + … with numbers; terms that are zero are counted, not written."""
    variable, task = cell
    i, j = position(found, cell)
    U, V = found.estimate.U.to_numpy(), found.estimate.V.to_numpy()
    frame = decomposition_frame(U, V, i, j)
    terms = frame[frame["term"] != 0]
    value = float(U[i] @ V[:, j])
    name = f"<b>w</b><sub>{escape(variable)}, {escape(task)}</sub>"
    if terms.empty:
        body = f"0 &ensp;<small>{words.FORMULA_ZERO}</small>"
    else:
        parts = [
            f'<span class="term"><i>u<sub>{r + 1}</sub></i> {number_text(u)} × '
            f"<i>v<sub>{r + 1}</sub></i> {number_text(v)}</span>"
            for r, u, v in zip(terms.index, terms["u"], terms["v"], strict=True)
        ]
        body = f"{' + '.join(parts)} = <b>{number_text(value)}</b>"
        says = words.FORMULA_SAYS[value > 0]
        meant = escape(says.format(variable=variable, task=task))
        body += f" &ensp;<small>{meant}</small>" if value else ""
        hidden = int(found.present.sum()) - len(terms)
        if hidden > 0:
            note = words.FORMULA_HIDDEN[hidden == 1].format(count=hidden)
            body += f" &ensp;<small>{note}</small>"
    if found.truth is not None:
        true_U, true_V = found.truth.U.to_numpy(), found.truth.V.to_numpy()
        exact = number_text(float(true_U[i] @ true_V[:, j]))
        true = words.FORMULA_TRUE.format(value=exact)
        body += f" &ensp;<small>({true})</small>"
    opening = '<div class="vstg-formula" role="math" aria-live="polite">'
    return f"{opening}{name} = {body}</div>"


def options(known: pd.Index, shown: list[str], wanted: str | None) -> list[str]:
    """All names, or of very many those that the picture shows and the one wanted."""
    if len(known) <= MAX_OPTIONS:
        return list(known)
    extra = [wanted] if wanted is not None and wanted in known else []
    return list(dict.fromkeys([*extra, *shown]))


def choose_cell(found: Findings, seen: Seen | None = None) -> DeltaGenerator:
    """Two lists that do what a click does; returns the place beside them."""
    cell = focus_cell(
        found, st.session_state.get(keys.VARIABLE), st.session_state.get(keys.TASK)
    )
    names = {
        keys.VARIABLE: found.estimate.U.index,
        keys.TASK: found.estimate.V.columns,
    }
    shown: dict[str, list[str]] = {keys.VARIABLE: [], keys.TASK: []}
    if seen is not None:
        shown[keys.VARIABLE] = list(names[keys.VARIABLE][seen.variables])
        alone = [c.tasks for c in seen.columns if len(c.tasks) == 1]
        shown[keys.TASK] = [str(names[keys.TASK][tasks[0]]) for tasks in alone]
    for key, known in names.items():
        value = st.session_state.get(key)
        if value is not None and value not in known:
            st.session_state[key] = None  # other data were chosen since
    with st.container(key="formula"):
        *places, beside = st.columns([1, 1, 6.5], vertical_alignment="center")
    for place, (key, known), framed in zip(places, names.items(), cell, strict=True):
        label, help_text = common.CONTROLS[key]
        wanted = st.session_state.get(key) or st.query_params.get(key)
        listed = options(known, shown[key], wanted)
        with place:
            st.selectbox(
                label, listed, None, key=key, help=help_text,
                placeholder=framed, label_visibility="collapsed", bind="query-params",
            )  # fmt: skip
    return beside
