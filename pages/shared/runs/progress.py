"""The progress of a run that is waiting, running or ended early, with its buttons."""

import streamlit as st

from pages.shared import words
from pages.shared.runs.manager import act, run_manager, sentence
from vstg.jobs import Run, Store, StoreError, get_kind
from vstg.jobs.queue.manager import LOST
from vstg.jobs.store.run import QUEUED, RESUMABLE
from vstg.notation import duration

POLL_SECONDS = 1.0


def progress_words(store: Store, run: Run) -> str:
    """How far it is, in words."""
    if run.status == QUEUED:
        before = [r for r in store.runs(active=True) if r.id < run.id]
        return (
            words.RUN_QUEUED.format(count=len(before)) if before else words.RUN_STARTING
        )
    if not run.total:
        return words.RUN_STARTING
    numbers = {
        "done": f"{run.done:,}",
        "total": f"{run.total:,}",
        "unit": unit(run),
        "seconds": duration(run.seconds),
    }
    if run.seconds_left is None:
        return words.PROGRESS_NEW.format(**numbers)
    return words.PROGRESS.format(**numbers, left=duration(run.seconds_left))


def unit(run: Run) -> str:
    """Return the unit in which a run is counted."""
    return get_kind(run.kind).unit


def cancel(run: int) -> None:
    """Action of the cancel button."""
    act(run_manager().cancel, run)


def resume(run: int) -> None:
    """Action of the resume button."""
    act(run_manager().resume, run)


def progress(store: Store, run: Run) -> None:
    """Bar, words and the cancel button."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(run.share, progress_words(store, run))
        st.button(
            words.CANCEL_RUN, key=f"cancel_{run.id}", on_click=cancel, args=(run.id,),
            disabled=run.cancel, width="content",
        )  # fmt: skip


def is_over(store: Store, run: Run) -> bool:
    """Whether there is nothing to wait for; a run whose process is gone is marked."""
    return not run.active or (run.is_lost and bool(store.mark_lost(LOST)))


def watched(wanted: int) -> tuple[Store, Run]:
    """A run and its progress; the page is drawn again when it has ended."""
    store = run_manager().store
    try:
        run = store.run(wanted)
        over = is_over(store, run)
    except StoreError:  # the page says what is wrong
        st.rerun()
    if over:
        st.rerun()
    progress(store, run)
    return store, run


def ended(run: Run) -> None:
    """How a run that is not complete ended, and the button that goes on."""
    if run.status not in RESUMABLE:
        return
    message = run_manager().trouble.get(run.id) or run.message
    endings = words.ENDED if run.total else words.ENDED_EARLY
    text = endings[run.status].format(
        done=f"{run.done:,}",
        total=f"{run.total:,}",
        unit=unit(run),
        message=sentence(message),
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        (st.error if run.status == "failed" else st.info)(text)
        st.button(
            words.RESUME_RUN, key=f"resume_{run.id}", type="primary", width="content",
            on_click=resume, args=(run.id,), help=words.RESUME_HELP,
        )  # fmt: skip
