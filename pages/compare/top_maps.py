"""Matrices beside each other; of large ones the part with the largest entries."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from pages.compare import words
from pages.shared.ui.display import QUIET
from pages.shared.ui.markdown import plain
from vstg.data import Array
from vstg.notation import number_text
from vstg.plots.matrices.excerpt import RowsOf, TopMatrices, top_matrices
from vstg.plots.runs.comparing import largest_entry, matrices_figure

N_COLUMNS = 4


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
        rest=number_text(found.rest),
    )


def show_top(
    matrices: Mapping[str, RowsOf],
    features: Sequence[str],
    tasks: Sequence[str],
    *,
    key: str,
    alt: str,
) -> None:
    """The matrices, and a sentence where they are a part."""
    found = top_matrices(matrices, features, tasks)
    show_matrices(found.frames, key=key, alt=alt)
    if not found.whole:
        st.caption(in_words(found))


def show_matrices(frames: Mapping[str, pd.DataFrame], *, key: str, alt: str) -> None:
    """A figure each, so that they stand below one another where there is no room."""
    limit = largest_entry(frames)
    n_columns = min(N_COLUMNS, len(frames))
    last = len(frames) - 1
    with st.container(key=key):
        for number, (name, frame) in enumerate(frames.items()):
            column = number % n_columns
            if column == 0:  # the last of a row has the scale
                places = st.columns([6] * (n_columns - 1) + [7])
            scale = column == n_columns - 1 or number == last
            figure = matrices_figure({"": frame}, limit=limit, scale=scale, height=330)
            with places[column]:
                st.caption(plain(name))
                st.plotly_chart(
                    figure, key=f"{key}_{number}", config=QUIET, alt=f"{alt}: {name}"
                )
