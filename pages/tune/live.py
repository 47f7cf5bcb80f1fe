"""A search that is waiting, running or ended early: its progress and results so far."""

from typing import Any

import pandas as pd
import streamlit as st

from pages.shared.runs.progress import POLL_SECONDS, watched
from pages.shared.ui.display import QUIET
from pages.tune import words
from pages.tune.maps import fixed_names, pick_combination, show_maps
from pages.tune.run_frames import arrival_of, result_of
from vstg.jobs import Run, SearchRequest
from vstg.model_selection import SearchResult
from vstg.notation import measure_text, number_text, setting_text
from vstg.plots.runs.tuning import best_curve
from vstg.plots.runs.tuning_frames import best_so_far


@st.fragment(run_every=POLL_SECONDS)
def watch_search(wanted: int) -> None:
    """Update the figures while the search runs; run the page again at its end."""
    store, run = watched(wanted)
    result = result_of(store, run)
    if result.frame.empty:
        st.skeleton(height=380)
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        fixed = watched_combination(result, arrival_of(store, run))
        show_maps(run, result, {"": fixed}, key="live_map", height=430)
    with right:
        best_until_now(result, arrival_of(store, run), n_folds(run))


def watched_combination(result: SearchResult, arrival: pd.DataFrame) -> dict[str, Any]:
    """K and k of the map: those that are being evaluated, or picked by hand."""
    names = fixed_names(result.parameters)
    if not names:
        return {}
    with st.container(horizontal=True, vertical_alignment="center", key="live_choice"):
        if not st.toggle(words.FOLLOW[0], True, key="follow", help=words.FOLLOW[1]):
            return pick_combination(result, "live")
        fixed = newest(names, arrival)
        st.markdown(f"**{setting_text(fixed)}**")
        return fixed


def newest(names: list[str], arrival: pd.DataFrame) -> dict[str, Any]:
    """The values in the row that came last."""
    return {name: arrival[name].iloc[-1].item() for name in names}


def best_until_now(result: SearchResult, arrival: pd.DataFrame, n_judged: int) -> None:
    """The best setting in words, and how it came about."""
    st.markdown(f"**{words.LIVE_CURVE}**")
    measure = measure_text(result.measure)
    curve = best_so_far(arrival, result.parameters, result.measure, n_judged)
    if curve["error"].notna().any():
        least = number_text(result.best_error)
        st.caption(f"{measure} {least}: {setting_text(result.best)}")
    st.plotly_chart(
        best_curve(curve, measure, height=300), key="live_curve", config=QUIET,
        alt=words.CURVE_ALT,
    )  # fmt: skip


def n_folds(run: Run) -> int:
    """In how many folds a setting must have been evaluated to be compared."""
    request: SearchRequest = run.request
    if request.validation is not None:
        return 1
    return 2 if request.halving else request.folds * request.repeats
