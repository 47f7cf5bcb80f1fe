"""The page Tune: choose on the left, watch in the middle, look closer below."""

import streamlit as st

from pages.shared import controls, fitting, keeping, phrases, tune_request, workshop
from pages.shared.choices import basis_limit, data_choice
from pages.shared.sources import DataChoice
from pages.shared.tune_live import ended, live
from pages.shared.tune_request import TuneChoice
from pages.shared.tune_views import views
from vstg.jobs import Run, SearchRequest, Store
from vstg.jobs.runs import ACTIVE
from vstg.model_selection.methods import get_method


def begin(choice: TuneChoice, data: DataChoice) -> None:
    """Action of the start button."""
    store = workshop.manager().store
    number = workshop.act(tune_request.submit, store, choice, data, fitting.load(data))
    if number is not None:
        st.session_state["tune_run"] = number


def start_row(store: Store, choice: TuneChoice, data: DataChoice) -> None:
    """The size of the search beside the button that starts it."""
    possible = not store.read_only
    try:
        if not choice.methods:
            raise ValueError(phrases.NO_METHOD)
        words = tune_request.size_words(choice, data)
    except ValueError as error:
        possible = False
        words = f":orange[{workshop.sentence(error)}]"
    with st.container(horizontal=True, vertical_alignment="center", key="start_row"):
        st.button(
            phrases.START, key="tune_start", type="primary", on_click=begin,
            args=(choice, data), disabled=not possible, width="content",
        )  # fmt: skip
        st.markdown(words)
        keeping.keep_toggle(data)


def run_label(run: Run) -> str:
    """A run in the list."""
    assert isinstance(run.request, SearchRequest)
    name = run.name or get_method(run.request.method).label
    return f"{run.id} · {name}"


def shown_run(store: Store) -> Run | None:
    """The run to look at: the chosen one, one of the link, or the newest."""
    runs = {run.id: run for run in keeping.visible_runs(store, "search")}
    if not runs:
        return None
    asked = st.query_params.get("run", "")
    if "tune_run" not in st.session_state and asked.isdigit() and int(asked) in runs:
        st.session_state["tune_run"] = int(asked)
    if st.session_state.get("tune_run") not in runs:
        st.session_state["tune_run"] = next(iter(runs))
    number = st.selectbox(
        phrases.CHOOSE_RUN, list(runs), key="tune_run",
        format_func=lambda n: run_label(runs[n]), label_visibility="collapsed",
        persist_state="session",
    )  # fmt: skip
    st.query_params["run"] = str(number)
    return runs[number]


def tune() -> None:
    """Guard, inputs, call, show."""
    with st.sidebar:
        controls.data_controls()
        data = data_choice(controls.values())
        choice = tune_request.search_controls(basis_limit(data))
    with st.container(key="tune"):
        workshop.title(phrases.TUNE, phrases.TUNE_TAGLINE)
        store = workshop.open_store()
        workshop.say_errors()
        start_row(store, choice, data)
        run = shown_run(store)
        if run is None:
            st.info(phrases.NO_RUNS)
            return
        if run.status in ACTIVE:
            live(run.id)
            return
        ended(run)
        if run.done:
            views(store, run)
