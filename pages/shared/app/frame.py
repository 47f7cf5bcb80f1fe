"""The frame of every page: configuration, look, navigation."""

from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared import words
from pages.shared.app import login
from pages.shared.app.address import one_step_back
from pages.shared.runs import visits
from pages.shared.runs.opening import leave_if_asked
from pages.shared.state import keys, links
from pages.shared.state.links import renamed
from pages.shared.state.parameters import DATA_KEYS
from vstg.plots import matrix_png

ROOT = Path(__file__).parents[3]
STYLE = Path(__file__).with_name("style.css")
WITH_DATA = (words.EXPLORE, "Tune", "Compare")  # pages with controls of the data


def frame(title: str) -> None:
    """Set up the page; every page calls this first."""
    st.set_page_config(
        page_title=f"{title} · {words.TITLE}",
        page_icon=icon(),
        layout="wide",
        initial_sidebar_state="auto",
    )
    st.html(STYLE)
    login.guard()
    one_step_back()
    visits.stay()
    read_address(title)
    navigation()
    login.account()
    leave_if_asked()


def read_address(title: str) -> None:
    """On another page with controls of the data, read these from its address.

    Streamlit hides from a page those parameters that the page before had bound, so
    that neither a link nor a step back could say which data Tune or Explore shows.
    Writing them may end the run for another one, which finds them still due.

    Values of an old link get the names that are shown today, and a visit that begins
    with a bare address gets the settings that Explore opens with.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    before = st.session_state.get(keys.PAGE)
    if before not in (None, title):
        asked = dict(parse_qsl(context.query_string)) if title in WITH_DATA else {}
        st.session_state[keys.DUE] = {
            key: asked[key] for key in DATA_KEYS if key in asked
        }
    st.session_state[keys.PAGE] = title
    due = st.session_state.get(keys.DUE, {})
    old = renamed(st.query_params.to_dict())
    if before is None and title == words.EXPLORE and links.has_no_parameters():
        old = links.opening_query()
    if old or any(key not in st.query_params for key in due):
        due = {**due, **old}
        st.query_params.update(due)
        with context.session_state.query_params() as parameters:
            parameters.set_initial_query_params_from_current()
    st.session_state[keys.DUE] = {}


def icon() -> bytes:
    """Blocks on a diagonal: a picture, so that no icon is fetched from afar."""
    return matrix_png(np.kron(np.eye(2) + 0.2, np.ones((16, 16))))


def other_pages() -> list[Path]:
    """Return the pages besides the first, in the order of their numbers."""
    return sorted((ROOT / "pages").glob("[0-9]*_*.py"))


def navigation() -> None:
    """Show links to all pages, if there is more than one."""
    pages = other_pages()
    if not pages:
        return
    with st.sidebar.container(key="nav", horizontal=True, gap="small"):
        st.page_link("app.py", label=words.EXPLORE, query_params=links.explore_query())
        for page in pages:
            name = page.stem.partition("_")[2].replace("_", " ")
            # Streamlit forgets a choice that came by the address unless it goes on so.
            query = links.data_query() if name in WITH_DATA else None
            st.page_link(
                page.relative_to(ROOT).as_posix(), label=name, query_params=query
            )
