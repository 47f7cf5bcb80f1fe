"""The page History: every run, and what can be done with it."""

from collections.abc import Sequence

import streamlit as st

from pages.history.words import numbers_html, run_html
from pages.shared import phrases
from pages.shared.runs import visits
from pages.shared.runs.manager import act, open_store, run_manager, say_errors
from pages.shared.runs.opening import open_in_explore
from pages.shared.runs.progress import POLL_SECONDS, cancel, resume
from pages.shared.ui.display import title
from pages.shared.ui.markdown import plain
from vstg.jobs import Run, Store
from vstg.jobs.queue.manager import LOST
from vstg.jobs.store.run import RESUMABLE
from vstg.jobs.store.run_files import export_runs, import_runs

PAGE_SIZE = 15
PAGES = {"search": "pages/3_Tune.py", "stability": "pages/3_Tune.py",
         "comparison": "pages/4_Compare.py",
         "reproduction": "pages/7_Reproduce.py"}  # fmt: skip


def open_run(run: Run) -> None:
    """Go to the page that shows a run."""
    if run.kind == "fit":
        open_in_explore(run, run.request.setting)
    st.switch_page(PAGES[run.kind], query_params={"run": str(run.id)})


def save_words(number: int) -> None:
    """Action of the form: name and note."""
    act(
        run_manager().store.change,
        number,
        name=st.session_state[f"name_{number}"],
        note=st.session_state[f"note_{number}"],
    )


def delete(numbers: Sequence[int]) -> None:
    """Action of the delete buttons; can be undone."""
    act(run_manager().store.delete, numbers)
    st.session_state["deleted"] = list(numbers)
    for one in numbers:
        st.session_state.pop(f"pick_{one}", None)


def undo() -> None:
    """Bring back what was deleted last."""
    numbers = st.session_state.pop("deleted", [])
    act(run_manager().store.restore, numbers)


def still_words(store: Store, run: Run) -> None:
    """What a run is and how it stands."""
    st.html(run_html(store, run))


@st.fragment(run_every=POLL_SECONDS)
def moving_words(store: Store, run: Run) -> None:
    """The same while it changes."""
    still_words(store, store.run(run.id))


def row(store: Store, run: Run) -> None:
    """One run."""
    with st.container(border=True, key=f"run_{run.id}"):
        pick, left, right, buttons = st.columns(
            [0.3, 5, 4, 2.4], vertical_alignment="center"
        )
        pick.checkbox(f"{run.id}", key=f"pick_{run.id}", label_visibility="collapsed")
        with left:
            (moving_words if run.active else still_words)(store, run)
        right.html(numbers_html(run))
        with buttons.container(horizontal=True):
            shown = run.kind == "fit" or run.kind in PAGES
            if st.button(phrases.OPEN, key=f"open_{run.id}", disabled=not shown):
                open_run(run)
            with st.popover(phrases.MORE, key=f"more_{run.id}"):
                more(store, run)


def stop_or_go_on(store: Store, run: Run) -> None:
    """The button that fits the state of a run."""
    if run.active:
        st.button(
            phrases.CANCEL, key=f"cancel_{run.id}", on_click=cancel, args=(run.id,),
            disabled=store.read_only or run.cancel,
        )  # fmt: skip
    elif run.status in RESUMABLE:
        st.button(
            phrases.RESUME, key=f"resume_{run.id}", on_click=resume, args=(run.id,),
            disabled=store.read_only, help=phrases.RESUME_HELP,
        )  # fmt: skip


def more(store: Store, run: Run) -> None:
    """Stop or go on, rename, annotate, delete."""
    stop_or_go_on(store, run)
    with st.form(f"words_{run.id}", border=False):
        st.text_input(phrases.RENAME, run.name, key=f"name_{run.id}", max_chars=120)
        st.text_area(phrases.NOTE, run.note, key=f"note_{run.id}", max_chars=2000)
        st.form_submit_button(
            phrases.SAVE, on_click=save_words, args=(run.id,), disabled=store.read_only
        )
    if run.owner:
        st.button(
            phrases.KEEP_RUN, key=f"keep_{run.id}", on_click=visits.keep,
            args=(run.id,), help=phrases.KEEP[1],
        )  # fmt: skip
    st.button(
        phrases.DELETE, key=f"delete_{run.id}", on_click=delete, args=([run.id],),
        disabled=store.read_only,
    )  # fmt: skip


def undo_bar(store: Store) -> None:
    """What was just deleted, and the way back."""
    numbers = st.session_state.get("deleted")
    if not numbers:
        return
    names = "; ".join(plain(store.run(one).name or one) for one in numbers)
    with st.container(horizontal=True, vertical_alignment="center", key="undo_bar"):
        st.info(phrases.DELETED.format(count=len(numbers), names=names))
        st.button(phrases.UNDO, key="undo", on_click=undo, width="content")


def selected(runs: Sequence[Run]) -> list[int]:
    """The runs whose box is ticked."""
    return [run.id for run in runs if st.session_state.get(f"pick_{run.id}")]


def toolbar(store: Store, picked: list[int]) -> None:
    """What can be done with several runs at once."""
    count = len(picked)
    with st.container(horizontal=True, key="history_tools"):
        if st.button(
            phrases.COMPARE_SELECTED.format(count=count), key="compare_picked",
            disabled=count < 2,
        ):  # fmt: skip
            query = {"runs": "-".join(map(str, picked))}
            st.switch_page(PAGES["comparison"], query_params=query)
        st.download_button(
            phrases.EXPORT_SELECTED.format(count=count),
            lambda: export_runs(store, picked), "runs.vstg", "application/gzip",
            key="export", on_click="ignore", disabled=not picked,
        )  # fmt: skip
        st.button(
            phrases.DELETE_SELECTED.format(count=count), key="delete_picked",
            on_click=delete, args=(picked,), disabled=not picked or store.read_only,
        )  # fmt: skip
        with st.popover(phrases.IMPORT, disabled=store.read_only):
            importer(store)


def importer(store: Store) -> None:
    """Read a file of runs, once."""
    file = st.file_uploader(
        phrases.IMPORT, type=["vstg"], key="import", label_visibility="collapsed"
    )
    if file is None or st.session_state.get("imported") == file.file_id:
        return
    st.session_state["imported"] = file.file_id
    numbers = act(import_runs, store, file.getvalue())
    if numbers is not None:
        st.toast(phrases.IMPORTED.format(count=len(numbers)))
    st.rerun()


@st.fragment(run_every=3.0)
def refresh(shown: tuple[tuple[int, str], ...]) -> None:
    """Draw the page anew when a run has changed."""
    store = run_manager().store
    store.mark_lost(LOST)
    runs = visits.visible_runs(store)
    if tuple((run.id, run.status) for run in runs) != shown:
        st.rerun()


def history() -> None:
    """Guard, inputs, call, show."""
    with st.container(key="history"):
        title(phrases.HISTORY, phrases.HISTORY_TAGLINE)
        store = open_store()
        say_errors()
        undo_bar(store)
        runs = visits.visible_runs(store)
        kind = st.sidebar.pills(
            phrases.FILTER_KIND, [phrases.ALL_KINDS, *phrases.KIND],
            default=phrases.ALL_KINDS, key="history_kind", required=True,
            format_func=lambda kind: phrases.KIND.get(kind, kind),
        )  # fmt: skip
        shown = [run for run in runs if kind in (phrases.ALL_KINDS, run.kind)]
        toolbar(store, selected(runs))
        if not shown:
            st.info(phrases.EMPTY_HISTORY)
        n_pages = max(1, -(-len(shown) // PAGE_SIZE))
        page = 1
        if n_pages > 1:
            page = st.pagination(n_pages, key="history_page")
        for run in shown[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]:
            row(store, run)
        refresh(tuple((run.id, run.status) for run in runs))
