"""The History page: every run, and what can be done with it."""

from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from pages.history import words
from pages.shared import words as common
from pages.shared.runs import visits
from pages.shared.runs.manager import (
    act,
    open_store,
    run_manager,
    say_errors,
    sentence,
    when,
)
from pages.shared.runs.opening import open_discovery, open_in_explore
from pages.shared.runs.progress import POLL_SECONDS, cancel, progress_words, resume
from pages.shared.state import keys
from pages.shared.ui.display import title
from pages.shared.ui.markdown import plain
from vstg.bounded import clean_text
from vstg.jobs import KINDS, Run, Store, StoreError, export_runs, get_kind, import_runs
from vstg.jobs.queue.manager import LOST
from vstg.jobs.store.run import RESUMABLE
from vstg.notation import counted, duration

PAGE_SIZE = 15
PAGES = {"search": "pages/3_Tune.py", "stability": "pages/3_Tune.py",
         "comparison": "pages/4_Compare.py",
         "reproduction": "pages/7_Reproduce.py"}  # fmt: skip


def run_html(store: Store, run: Run) -> str:
    """Name, what was asked, and how it stands."""
    kind = get_kind(run.kind)
    state = common.RUN_STATUS[run.status]
    if run.active:
        state = f"{state}: {progress_words(store, run)}"
    note = f"<br><span>{escape(run.note)}</span>" if run.note else ""
    trouble = f" · {escape(run.message)}" if run.message else ""
    trouble += f" · {words.PRIVATE}" if run.owner else ""
    return (
        f'<div class="vstg-run"><b>{escape(run.name) or run.id}</b> '
        f"<span>{kind.label}</span><br>"
        f"<span>{escape(kind.describe(run.request))}</span><br>"
        f'<span class="{run.status}">{escape(state)}{trouble}</span>{note}</div>'
    )


def numbers_html(run: Run) -> str:
    """Best result, duration and date."""
    best, about = get_kind(run.kind).headline(run)
    return (
        f'<div class="vstg-run"><b>{escape(best)}</b> '
        f"<span>{escape(about)}</span><br>"
        f"<span>{duration(run.seconds)} · {when(run)} · "
        f"{escape(run.data_name)}</span></div>"
    )


def fault_of(store: Store, run: Run) -> str | None:
    """Why a run cannot be shown, if so: one run must not break the page for all."""
    try:
        run_html(store, run), numbers_html(run)
    except (ArithmeticError, LookupError, OSError, TypeError, ValueError) as error:
        return str(error) or type(error).__name__
    return run.fault


def open_run(run: Run) -> None:
    """Go to the page that shows a run."""
    if run.kind == "fit":
        open_in_explore(run, run.request.setting)
    if run.kind == "discovery":
        open_discovery(run_manager().store, run)
    st.switch_page(PAGES[run.kind], query_params={"run": str(run.id)})


def save_texts(number: int) -> None:
    """Action of the form: name and note."""
    act(
        run_manager().store.change,
        number,
        name=st.session_state[keys.run_name(number)],
        note=st.session_state[keys.run_note(number)],
    )


def delete(numbers: Sequence[int]) -> None:
    """Action of the delete buttons; can be undone."""
    act(run_manager().store.delete, numbers)
    st.session_state[keys.HISTORY_DELETED] = list(numbers)
    for one in numbers:
        st.session_state.pop(keys.picked(one), None)


def undo() -> None:
    """Bring back what was deleted last."""
    numbers = st.session_state.pop(keys.HISTORY_DELETED, [])
    act(run_manager().store.restore, numbers)


def still_text(store: Store, run: Run) -> None:
    """Describe a run and its state."""
    st.html(run_html(store, run))


@st.fragment(run_every=POLL_SECONDS)
def live_text(store: Store, run: Run) -> None:
    """Describe a run while its state changes."""
    try:
        still_text(store, store.run(run.id))
    except (StoreError, ValueError):  # gone or damaged: the page says which
        st.rerun()


def faulty_row(store: Store, run: Run, reason: str) -> None:
    """A run that cannot be shown: why, and the way to get rid of it."""
    with st.container(border=True, key=f"run_{run.id}"):
        left, right = st.columns([9.3, 2.4], vertical_alignment="center")
        text = words.FAULTY.format(number=run.id, reason=clean_text(reason, 300))
        left.warning(sentence(text))
        delete_button(store, run, right)


def row(store: Store, run: Run) -> None:
    """One run."""
    with st.container(border=True, key=f"run_{run.id}"):
        pick, left, right, buttons = st.columns(
            [0.3, 5, 4, 2.4], vertical_alignment="center"
        )
        pick.checkbox(
            f"{run.id}", key=keys.picked(run.id), label_visibility="collapsed"
        )
        with left:
            (live_text if run.active else still_text)(store, run)
        right.html(numbers_html(run))
        with buttons.container(horizontal=True):
            found = run.kind == "discovery" and run.best is not None
            shown = run.kind == "fit" or found or run.kind in PAGES
            if st.button(words.OPEN, key=f"open_{run.id}", disabled=not shown):
                open_run(run)
            with st.popover(words.MORE, key=f"more_{run.id}"):
                more(store, run)


def cancel_or_resume(store: Store, run: Run) -> None:
    """The button that fits the state of a run."""
    if run.active:
        st.button(
            common.CANCEL_RUN, key=f"cancel_{run.id}", on_click=cancel, args=(run.id,),
            disabled=store.read_only or run.cancel,
        )  # fmt: skip
    elif run.status in RESUMABLE:
        st.button(
            common.RESUME_RUN, key=f"resume_{run.id}", on_click=resume, args=(run.id,),
            disabled=store.read_only, help=common.RESUME_HELP,
        )  # fmt: skip


def more(store: Store, run: Run) -> None:
    """Cancel or resume, rename, annotate, delete."""
    cancel_or_resume(store, run)
    with st.form(f"words_{run.id}", border=False):
        st.text_input(words.NAME, run.name, key=keys.run_name(run.id), max_chars=120)
        st.text_area(words.NOTE, run.note, key=keys.run_note(run.id), max_chars=2000)
        st.form_submit_button(
            words.SAVE, on_click=save_texts, args=(run.id,), disabled=store.read_only
        )
    if run.owner:
        st.button(
            words.KEEP_RUN, key=f"keep_{run.id}", on_click=visits.keep,
            args=(run.id,), help=common.KEEP[1],
        )  # fmt: skip
    delete_button(store, run, st)


def delete_button(store: Store, run: Run, place: Any) -> None:
    """Delete one run; can be undone."""
    place.button(
        words.DELETE, key=f"delete_{run.id}", on_click=delete, args=([run.id],),
        disabled=store.read_only,
    )  # fmt: skip


def undo_bar(store: Store) -> None:
    """Show what was just deleted, with a button to undo it."""
    numbers = st.session_state.get(keys.HISTORY_DELETED)
    if not numbers:
        return
    there = [run for run in store.runs(deleted=True) if run.id in numbers]
    names = "; ".join(plain(run.name or run.id) for run in there)
    with st.container(horizontal=True, vertical_alignment="center", key="undo_bar"):
        st.info(words.DELETED.format(count=len(numbers), names=names))
        st.button(words.UNDO, key="undo", on_click=undo, width="content")


def selected(runs: Sequence[Run]) -> list[int]:
    """The runs whose box is ticked."""
    return [run.id for run in runs if st.session_state.get(keys.picked(run.id))]


def toolbar(store: Store, picked: list[int]) -> None:
    """What can be done with several runs at once."""
    count = len(picked)
    with st.container(horizontal=True, key="history_tools"):
        if st.button(
            words.COMPARE_SELECTED.format(count=count), key="compare_picked",
            disabled=count < 2,
        ):  # fmt: skip
            query = {"runs": "-".join(map(str, picked))}
            st.switch_page(PAGES["comparison"], query_params=query)
        st.download_button(
            words.EXPORT_SELECTED.format(count=count),
            lambda: export_runs(store, picked), "runs.vstg", "application/gzip",
            key="export", on_click="ignore", disabled=not picked,
        )  # fmt: skip
        st.button(
            words.DELETE_SELECTED.format(count=count), key="delete_picked",
            on_click=delete, args=(picked,), disabled=not picked or store.read_only,
        )  # fmt: skip
        with st.popover(words.IMPORT, disabled=store.read_only):
            importer(store)


def importer(store: Store) -> None:
    """Import a run file, once."""
    file = st.file_uploader(
        words.IMPORT, type=["vstg"], key="import", label_visibility="collapsed"
    )
    if file is None or st.session_state.get(keys.HISTORY_IMPORTED) == file.file_id:
        return
    st.session_state[keys.HISTORY_IMPORTED] = file.file_id
    numbers = act(import_runs, store, file.getvalue())
    if numbers is not None:
        st.toast(words.IMPORTED.format(runs=counted(len(numbers), "run")))
    st.rerun()


@st.fragment(run_every=3.0)
def refresh(shown: tuple[tuple[int, str], ...]) -> None:
    """Draw the page again when a run has changed."""
    store = run_manager().store
    try:
        store.mark_lost(LOST)
        runs = visits.visible_runs(store, faulty=True)
    except StoreError:  # the page says what is wrong
        st.rerun()
    if tuple((run.id, run.status) for run in runs) != shown:
        st.rerun()


def history() -> None:
    """Guard, inputs, call, show."""
    with st.container(key="history"):
        title(common.HISTORY, words.TAGLINE)
        store = open_store()
        say_errors()
        undo_bar(store)
        runs = visits.visible_runs(store, faulty=True)
        kind = st.sidebar.pills(
            words.KIND, [words.ALL_KINDS, *KINDS],
            default=words.ALL_KINDS, key="history_kind", required=True,
            format_func=lambda kind: KINDS[kind].label if kind in KINDS else kind,
        )  # fmt: skip
        shown = [run for run in runs if kind in (words.ALL_KINDS, run.kind)]
        toolbar(store, selected(runs))
        if not shown:
            st.info(words.EMPTY)
        n_pages = max(1, -(-len(shown) // PAGE_SIZE))
        page = 1
        if n_pages > 1:
            page = st.pagination(n_pages, key="history_page")
        for run in shown[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]:
            reason = fault_of(store, run)
            if reason is None:
                row(store, run)
            else:
                faulty_row(store, run, reason)
        refresh(tuple((run.id, run.status) for run in runs))
