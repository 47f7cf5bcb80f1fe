"""Add and remove a visitor's own data, with everything computed from them.

All of it is in the session: nobody else sees it, and it is gone when the visitor is.
"""

import streamlit as st

from pages.shared.data.catalogue import OwnData
from pages.shared.fits import background, live
from pages.shared.runs import visits
from pages.shared.state import keys


def put(data: OwnData) -> None:
    """Make these the visitor's data, and forget what was fitted on others."""
    background.slot().clear()
    live.own_memory.clear()
    st.session_state[keys.OWN_DATA] = data


def forget() -> None:
    """Remove the visitor's data and everything computed from them, private runs too."""
    visits.forget_mine()
    background.slot().clear()
    live.own_memory.clear()
    for key in (keys.OWN_DATA, keys.LAST_MODEL, keys.EXPLORE_STATE):
        st.session_state.pop(key, None)
