"""One button that finds the settings: runs in the background, then moves the controls.

The run is one of the store, so that it survives this page and is in History.
"""

import streamlit as st

from pages.explore import words
from pages.shared.fits import discoveries, live
from pages.shared.runs import visits
from pages.shared.runs.manager import act, run_manager, sentence
from pages.shared.runs.progress import POLL_SECONDS, is_over, watched
from pages.shared.state import keys
from pages.shared.state.choices import Choices, data_choice
from pages.shared.ui import controls
from pages.shared.ui.markdown import plain
from vstg.jobs import DiscoveryRequest, StoreError, default_threads, get_kind
from vstg.jobs.kinds.discovery import FoundModel
from vstg.jobs.store.run import CANCELLED, DONE


def begin(chosen: Choices) -> None:
    """Action of the button."""
    data = live.load(chosen.data)
    request = DiscoveryRequest(
        loss=data.loss, fit_intercept=data.fit_intercept, n_jobs=default_threads()
    )

    def submit() -> int:
        return run_manager().submit(
            request,
            data.train,
            name=f"{get_kind('discovery').label}, {chosen.data.name}",
            **visits.about(chosen.data),
        )

    number = act(submit)
    if number is None:
        st.session_state[keys.EXPLORE_FIND_NOTE] = st.session_state.pop(keys.ERROR)
    else:
        st.session_state[keys.EXPLORE_FIND] = number
        st.session_state[keys.EXPLORE_FIND_NOTE] = ""


def take_over() -> None:
    """Before the controls are drawn: move them to what a finished run has found."""
    number = st.session_state.get(keys.EXPLORE_FIND)
    if number is None:
        return
    store = run_manager().store
    try:
        run = store.run(number)
        if not is_over(store, run):
            return
        del st.session_state[keys.EXPLORE_FIND]
        values = controls.values()
        same = live.load(data_choice(values)).train.fingerprint == run.data
        note = ""
        if run.status == DONE and same:
            moved = discoveries.adopt(store, run, values)
            for key, value in moved.items():
                st.session_state[key] = value
        elif run.status == DONE:
            note = words.FOUND_ELSEWHERE
        elif run.status != CANCELLED:
            note = words.FIND_FAILED.format(reason=sentence(run.message))
    except (StoreError, ValueError) as error:
        st.session_state.pop(keys.EXPLORE_FIND, None)
        note = sentence(error)
    st.session_state[keys.EXPLORE_FIND_NOTE] = note


@st.fragment(run_every=POLL_SECONDS)
def watch(number: int) -> None:
    """How far it is; the page is drawn again at the end."""
    watched(number)


def find_button(chosen: Choices) -> None:
    """The button, or the progress of what it has begun."""
    number = st.session_state.get(keys.EXPLORE_FIND)
    if number is not None:
        watch(number)
        return
    st.button(
        words.FIND, key="find_settings", on_click=begin, args=(chosen,),
        help=words.FIND_HELP, icon=":material/search:", width="stretch",
    )  # fmt: skip
    note = st.session_state.get(keys.EXPLORE_FIND_NOTE)
    if note:
        st.caption(note)


def badge(found: FoundModel | None) -> None:
    """Mark what was found, and say it in a few sentences."""
    if found is None:
        return
    with st.container(key="found", horizontal=True, vertical_alignment="center"):
        st.badge(words.FOUND, icon=":material/check:", color="green", width="content")
        with st.popover(words.FOUND_SUMMARY, type="tertiary", width="content"):
            for line in found.summary.splitlines():
                st.markdown(plain(line))
            if not found.repeatable:
                st.caption(words.NOT_REPEATABLE)
            lost = discoveries.lost(found)
            if lost:
                st.caption(words.FOUND_EXACTLY.format(settings="; ".join(lost)))
