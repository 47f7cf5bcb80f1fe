"""One filter that all figures and the table of a search go through."""

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pages.tune import words
from vstg.jobs import Run
from vstg.model_selection import SearchResult
from vstg.notation import SYMBOLS, value_text
from vstg.plots.runs.tuning_frames import keep_best, keep_between


def row_of(summary: pd.DataFrame, setting: dict[str, Any]) -> pd.Series | None:
    """The line of a setting, if the table has it."""
    kept = summary
    for name, value in setting.items():
        kept = kept[kept[name].isna() if value is None else kept[name] == value]
    return None if kept.empty else kept.iloc[0]


def setting_at(result: SearchResult, row: pd.Series) -> dict[str, Any]:
    """The setting of a line of the table."""
    counts = {"n_latent", "k"}
    return {
        name: int(row[name]) if name in counts else float(row[name])
        for name in result.parameters
    }


def choices_shown(result: SearchResult, kept: pd.DataFrame) -> dict[str, pd.Series]:
    """The lines of the best and the one-SE choice, as far as they pass the filter."""
    rows = {
        "best": row_of(kept, result.best),
        "one_se": row_of(kept, result.one_se),
    }
    return {name: row for name, row in rows.items() if row is not None}


def range_filter(
    run: Run, summary: pd.DataFrame, parameters: tuple[str, ...]
) -> dict[str, tuple[float, float]]:
    """Sliders over the values that occur, and one over the error.

    Each run has its own: the whole range of one may be a part of another's.
    """
    ranges = {}
    for name in parameters:
        values = sorted(float(value) for value in summary[name].unique())
        if len(values) < 2:
            continue
        ranges[name] = st.select_slider(
            SYMBOLS.get(name, name), values, (values[0], values[-1]),
            format_func=partial(value_text, name),
            key=f"filter_{run.id}_{name}",
        )  # fmt: skip
    low, high = float(summary["error"].min()), float(summary["error"].max())
    if high > low:
        step = (high - low) / 200
        top = st.slider(
            words.ERROR_RANGE, low, high + step, high + step, step,
            key=f"filter_{run.id}_error", format="%.3f",
        )  # fmt: skip
        ranges["error"] = (low, top)
    return ranges


def filtered(run: Run, result: SearchResult) -> pd.DataFrame:
    """The settings that pass; the widgets stand above the figures."""
    summary = result.summary()
    share = st.selectbox(
        words.FILTER_SHARE[0], list(words.SHARES), key="filter_share",
        format_func=words.SHARES.__getitem__, label_visibility="collapsed", width=170,
        help=words.FILTER_SHARE[1],
    )  # fmt: skip
    with st.popover(words.FILTER_RANGES):
        ranges = range_filter(run, summary, result.parameters)
    kept = keep_between(summary, ranges)
    kept = kept if kept.empty else keep_best(kept, share)
    shown, total = f"{len(kept):,}", f"{len(summary):,}"
    text = words.FILTER_ALL if len(kept) == len(summary) else words.FILTER_COUNT
    st.caption(text.format(shown=shown, total=total))
    return kept
