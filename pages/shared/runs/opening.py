"""Open the setting of a run in Explore."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.shared import phrases
from pages.shared.data import own
from pages.shared.data.sources import YOURS
from pages.shared.state.mapping import DATA_KEYS, explore_values
from pages.shared.state.parameters import to_query
from pages.shared.ui.markdown import plain
from vstg.jobs import Run

LEAVE_KEY = "leave_for"


def open_in_explore(run: Run, setting: Mapping[str, Any]) -> None:
    """Leave this page for Explore, if it can have the data of the run."""
    record = own.get()
    if run.source_values.get("data") == YOURS and (
        record is None or record.loaded.train.fingerprint != run.data
    ):
        st.session_state["workshop_error"] = phrases.NOT_HERE.format(
            name=plain(run.data_name)
        )
    else:
        st.session_state[LEAVE_KEY] = explore_values(run.source_values, setting)
    st.rerun()


def leave_if_asked() -> None:
    """The first thing on a page: go on to Explore, if that was asked for.

    A page cannot write a parameter that one of its widgets is bound to, nor the state
    of a widget that is drawn. Before it is drawn it can write the latter, and Explore
    takes it over.
    """
    values = st.session_state.pop(LEAVE_KEY, None)
    if values is None:
        return
    for key, value in values.items():
        st.session_state[key] = value
    query = to_query(values)
    free = {key: query[key] for key in query if key not in DATA_KEYS.values()}
    st.switch_page("app.py", query_params=free)
