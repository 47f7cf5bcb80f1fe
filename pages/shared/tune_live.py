"""A run that waits, works or has ended early: how far it is and what it has."""

from typing import Any

import pandas as pd
import streamlit as st

from pages.shared import phrases, workshop
from pages.shared.details import QUIET
from pages.shared.headline import number
from pages.shared.maps import fixed_names, pick_combination, show_maps
from pages.shared.run_frames import arrival_of, result_of
from pages.shared.workshop import duration
from vstg.jobs import Run, SearchRequest, Store
from vstg.jobs.manager import LOST
from vstg.jobs.runs import QUEUED, RESUMABLE
from vstg.model_selection import SearchResult
from vstg.plots.tuning import best_curve, measure_text, setting_text
from vstg.plots.tuning_frames import best_so_far

POLL_SECONDS = 1.0


def progress_words(store: Store, run: Run) -> str:
    """How far it is, in words."""
    if run.status == QUEUED:
        before = [r for r in store.runs(active=True) if r.id < run.id]
        return phrases.QUEUED.format(count=len(before)) if before else phrases.STARTING
    if not run.total:
        return phrases.STARTING
    numbers = {
        "done": f"{run.done:,}",
        "total": f"{run.total:,}",
        "unit": unit(run),
        "seconds": duration(run.seconds),
    }
    if run.seconds_left is None:
        return phrases.PROGRESS_NEW.format(**numbers)
    return phrases.PROGRESS.format(**numbers, left=duration(run.seconds_left))


def unit(run: Run) -> str:
    """What a run is counted in."""
    return phrases.UNITS.get(run.kind, "fits")


def cancel(run: int) -> None:
    """Action of the cancel button."""
    workshop.act(workshop.manager().cancel, run)


def resume(run: int) -> None:
    """Action of the resume button."""
    workshop.act(workshop.manager().resume, run)


def progress(store: Store, run: Run) -> None:
    """Bar, words and the cancel button."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(run.share, progress_words(store, run))
        st.button(
            phrases.CANCEL, key=f"cancel_{run.id}", on_click=cancel, args=(run.id,),
            disabled=run.cancel, width="content",
        )  # fmt: skip


def is_over(store: Store, run: Run) -> bool:
    """Whether there is nothing to wait for; a run whose process is gone is marked."""
    return not run.active or (run.is_lost and bool(store.mark_lost(LOST)))


def watched(wanted: int) -> tuple[Store, Run]:
    """A run and its progress; the page starts anew when it has ended."""
    store = workshop.manager().store
    run = store.run(wanted)
    if is_over(store, run):
        st.rerun()
    progress(store, run)
    return store, run


@st.fragment(run_every=POLL_SECONDS)
def live(wanted: int) -> None:
    """Look again and again; the page starts anew when the run has ended."""
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
    """K and k of the map: those that are being judged, or picked by hand."""
    names = fixed_names(result.parameters)
    if not names:
        return {}
    with st.container(horizontal=True, vertical_alignment="center", key="live_choice"):
        if not st.toggle(phrases.FOLLOW[0], True, key="follow", help=phrases.FOLLOW[1]):
            return pick_combination(result, "live")
        fixed = newest(names, arrival)
        st.markdown(f"**{setting_text(fixed)}**")
        return fixed


def newest(names: list[str], arrival: pd.DataFrame) -> dict[str, Any]:
    """The values in the row that came last."""
    return {name: int(arrival[name].iloc[-1]) for name in names}


def best_until_now(result: SearchResult, arrival: pd.DataFrame, n_judged: int) -> None:
    """The best setting in words, and how it came about."""
    st.markdown(f"**{phrases.LIVE_CURVE}**")
    measure = measure_text(result.measure)
    curve = best_so_far(arrival, result.parameters, result.measure, n_judged)
    if curve["error"].notna().any():
        least = number(result.best_error)
        st.caption(f"{measure} {least}: {setting_text(result.best)}")
    st.plotly_chart(
        best_curve(curve, measure, height=300), key="live_curve", config=QUIET,
        alt=phrases.CURVE_ALT,
    )  # fmt: skip


def n_folds(run: Run) -> int:
    """How often a setting must have been judged to be compared."""
    request = run.request
    assert isinstance(request, SearchRequest)
    if request.validation is not None:
        return 1
    return 2 if request.halving else request.folds * request.repeats


def ended(run: Run) -> None:
    """How a run that is not complete ended, and the button that goes on."""
    if run.status not in RESUMABLE:
        return
    message = workshop.manager().trouble.get(run.id) or run.message
    endings = phrases.ENDED if run.total else phrases.ENDED_EARLY
    words = endings[run.status].format(
        done=f"{run.done:,}",
        total=f"{run.total:,}",
        unit=unit(run),
        message=workshop.sentence(message),
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        (st.error if run.status == "failed" else st.info)(words)
        st.button(
            phrases.RESUME, key=f"resume_{run.id}", type="primary", width="content",
            on_click=resume, args=(run.id,), help=phrases.RESUME_HELP,
        )  # fmt: skip
