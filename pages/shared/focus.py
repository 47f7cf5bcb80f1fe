"""One cell of W: which one is meant, and the sum that makes it."""

from html import escape

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared import texts
from pages.shared.findings import Findings
from pages.shared.headline import number
from vstg.inspection import decomposition_frame

MAX_TERMS = 13


def focus_cell(
    found: Findings, variable: str | None, task: str | None
) -> tuple[str, str]:
    """The cell to explain: the chosen one, or the largest in its row or column."""
    size = found.estimate.W.abs()
    rows = [variable] if variable in size.index else list(size.index)
    columns = [task] if task in size.columns else list(size.columns)
    part = size.loc[rows, columns].to_numpy()
    i, j = np.unravel_index(int(part.argmax()), part.shape)
    return str(rows[i]), str(columns[j])


def formula_html(found: Findings, cell: tuple[str, str]) -> str:
    """w = u·v + … with numbers; terms that are zero are counted, not written."""
    variable, task = cell
    W = found.estimate.W
    i, j = W.index.get_loc(variable), W.columns.get_loc(task)
    U, V = found.estimate.U.to_numpy(), found.estimate.V.to_numpy()
    frame = decomposition_frame(U, V, i, j)
    terms = frame[frame["term"] != 0]
    value = float(W.iloc[i, j])
    name = f"<b>w</b><sub>{escape(variable)}, {escape(task)}</sub>"
    if terms.empty:
        body = f"0 &ensp;<small>{texts.FORMULA_ZERO}</small>"
    else:
        parts = [
            f'<span class="term"><i>u<sub>{r + 1}</sub></i> {number(row.u)} × '
            f"<i>v<sub>{r + 1}</sub></i> {number(row.v)}</span>"
            for r, row in zip(terms.index, terms.itertuples(), strict=True)
        ]
        body = f"{' + '.join(parts)} = <b>{number(value)}</b>"
        hidden = int(found.present.sum()) - len(terms)
        if hidden > 0:
            note = texts.FORMULA_HIDDEN.format(count=hidden)
            body += f" &ensp;<small>{note}</small>"
    if found.truth is not None:
        true = texts.FORMULA_TRUE.format(value=number(float(found.truth.W.iloc[i, j])))
        body += f" &ensp;<small>({true})</small>"
    opening = '<div class="vstg-formula" role="math" aria-live="polite">'
    return f"{opening}{name} = {body}</div>"


def choose_cell(found: Findings) -> DeltaGenerator:
    """Two lists that do what a click does; returns the place beside them."""
    names = {"var": found.estimate.W.index, "task": found.estimate.W.columns}
    for key, known in names.items():
        if st.session_state.get(key) not in (None, *known):
            st.session_state[key] = None  # other data were chosen since
    with st.container(key="formula"):
        *places, beside = st.columns([1, 1, 6.5], vertical_alignment="center")
    for place, (key, known) in zip(places, names.items(), strict=True):
        label, help_text = texts.CONTROLS[key]
        with place:
            st.selectbox(
                label, list(known), None, key=key, help=help_text,
                placeholder=label, label_visibility="collapsed", bind="query-params",
            )  # fmt: skip
    return beside
