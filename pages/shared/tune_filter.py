"""One filter that all figures and the table of a search go through."""

import pandas as pd
import streamlit as st

from pages.shared import phrases
from vstg.model_selection import SearchResult
from vstg.plots.tuning import SYMBOLS, value_text
from vstg.plots.tuning_frames import keep_best, keep_between


def range_filter(
    summary: pd.DataFrame, parameters: tuple[str, ...]
) -> dict[str, tuple[float, float]]:
    """Sliders over the values that occur, and one over the error."""
    ranges = {}
    for name in parameters:
        values = sorted(float(value) for value in summary[name].unique())
        if len(values) < 2:
            continue
        ranges[name] = st.select_slider(
            SYMBOLS.get(name, name), values, (values[0], values[-1]),
            format_func=lambda value, name=name: value_text(name, value),
            key=f"filter_{name}",
        )  # fmt: skip
    low, high = float(summary["error"].min()), float(summary["error"].max())
    if high > low:
        step = (high - low) / 200
        top = st.slider(
            phrases.ERROR_RANGE, low, high + step, high + step, step,
            key="filter_error", format="%.3f",
        )  # fmt: skip
        ranges["error"] = (low, top)
    return ranges


def filtered(result: SearchResult) -> pd.DataFrame:
    """The settings that pass; the widgets stand above the figures."""
    summary = result.summary()
    share = st.selectbox(
        phrases.FILTER_SHARE[0], list(phrases.SHARES), key="filter_share",
        format_func=phrases.SHARES.get, label_visibility="collapsed", width=170,
        help=phrases.FILTER_SHARE[1],
    )  # fmt: skip
    with st.popover(phrases.FILTER_RANGES):
        ranges = range_filter(summary, result.parameters)
    kept = keep_between(summary, ranges)
    kept = kept if kept.empty else keep_best(kept, share)
    shown, total = f"{len(kept):,}", f"{len(summary):,}"
    st.caption(phrases.FILTER_COUNT.format(shown=shown, total=total))
    return kept
