"""Bring and drop own data, together with everything that was made of them.

All of it is in the session: nobody else sees it, and it is gone when the visitor is.
"""

import streamlit as st

from pages.shared.data.catalogue import OwnData
from pages.shared.fits import background, live
from pages.shared.runs import visits
from pages.shared.state import keys


def put(data: OwnData) -> None:
    """Make these the visitor's data; what was fitted on others is forgotten."""
    background.slot().clear()
    live.own_memory.clear()
    st.session_state[keys.OWN_DATA] = data


def forget() -> None:
    """Drop the visitor's data and everything made of them, private runs too."""
    visits.forget_mine()
    background.slot().clear()
    live.own_memory.clear()
    for key in (keys.OWN_DATA, keys.LAST_MODEL, keys.EXPLORE_STATE):
        st.session_state.pop(key, None)
