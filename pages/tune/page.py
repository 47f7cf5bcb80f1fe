"""The Tune page: choose on the left, watch in the middle, look closer below."""

import streamlit as st

from pages.shared import words as common
from pages.shared.data.catalogue import DataChoice
from pages.shared.fits import live
from pages.shared.runs import visits
from pages.shared.runs.manager import act, open_store, run_manager, say_errors, sentence
from pages.shared.runs.opening import choose_run
from pages.shared.runs.progress import ended
from pages.shared.state import keys
from pages.shared.state.choices import basis_limit, data_choice
from pages.shared.ui import controls
from pages.shared.ui.display import title
from pages.tune import request as tune_request
from pages.tune import words
from pages.tune.live import watch_search
from pages.tune.request import TuneChoice
from pages.tune.stability import show_stability
from pages.tune.views import views
from vstg.jobs import Run, Store
from vstg.jobs.store.run import ACTIVE
from vstg.notation import setting_text


def begin(choice: TuneChoice, data: DataChoice) -> None:
    """Action of the start button."""
    store = run_manager().store
    number = act(tune_request.submit, store, choice, data, live.load(data))
    if number is None:
        return
    st.session_state[keys.TUNE_RUN] = number
    if len(choice.methods) > 1:
        st.toast(words.STARTED.format(count=len(choice.methods)))


def start_row(store: Store, choice: TuneChoice, data: DataChoice) -> None:
    """Show the size of the search, and the button that starts it."""
    possible = not store.read_only
    try:
        if not choice.methods:
            raise ValueError(common.NO_METHOD)
        text = tune_request.size_words(choice, data)
        tune_request.check_size(choice, data)
    except ValueError as error:
        possible = False
        text = f":orange[{sentence(error)}]"
    with st.container(horizontal=True, vertical_alignment="center", key="start_row"):
        st.button(
            words.START, key="tune_start", type="primary", on_click=begin,
            args=(choice, data), disabled=not possible, width="content",
        )  # fmt: skip
        st.markdown(text)
        visits.keep_toggle(data)


def shown_run(store: Store) -> Run | None:
    """The run to look at: the chosen one, one of the link, or the newest."""
    found = visits.visible_runs(store)
    runs = {run.id: run for run in found if run.kind in ("search", "stability")}
    if not runs:
        return None
    # What was searched comes first; a stability run belongs to a search.
    newest = max(runs.values(), key=lambda run: (run.kind == "search", run.id))
    return choose_run(keys.TUNE_RUN, runs, newest.id)


def stability_run(store: Store, run: Run) -> None:
    """A stability run by itself, as History opens it."""
    st.caption(f"{words.STABILITY_OF} {setting_text(run.request.setting)}")
    show_stability(store, run)


def tune() -> None:
    """Guard, inputs, call, show."""
    with st.sidebar:
        controls.data_controls()
        data = data_choice(controls.values())
        choice = tune_request.search_controls(basis_limit(data))
    with st.container(key="tune"):
        title(common.TUNE, words.TUNE_TAGLINE)
        store = open_store()
        say_errors()
        start_row(store, choice, data)
        run = shown_run(store)
        if run is None:
            st.info(words.NO_RUNS)
            return
        if run.kind == "stability":
            stability_run(store, run)
            return
        if run.status in ACTIVE:
            watch_search(run.id)
            return
        ended(run)
        if run.done:
            views(store, run)
