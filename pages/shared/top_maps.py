"""Matrices beside each other; of large ones the part with the largest entries."""

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.shared import large_texts as words
from pages.shared.details import QUIET
from pages.shared.headline import number
from vstg.data import Array
from vstg.plots.comparing import matrices_figure
from vstg.plots.summary import RowsOf, TopMatrices, top_matrices


def product(U: Array, V: Array) -> RowsOf:
    """Rows of W = U V, multiplied when asked for."""
    return lambda rows: U[rows] @ V


def difference(first: RowsOf, second: RowsOf) -> RowsOf:
    """Rows of one matrix less those of another."""
    return lambda rows: first(rows) - second(rows)


def in_words(found: TopMatrices) -> str:
    """What was left out."""
    return words.TOP.format(
        rows=found.shown[0],
        all_rows=found.shape[0],
        columns=found.shown[1],
        all_columns=found.shape[1],
        rest=number(found.rest),
    )


def show_top(
    matrices: Mapping[str, RowsOf],
    features: Sequence[str],
    tasks: Sequence[str],
    *,
    key: str,
    alt: str,
) -> None:
    """One figure, and a sentence where it is a part."""
    found = top_matrices(matrices, features, tasks)
    figure = matrices_figure(found.frames)
    st.plotly_chart(figure, key=key, config=QUIET, alt=alt)
    if not found.whole:
        st.caption(in_words(found))
