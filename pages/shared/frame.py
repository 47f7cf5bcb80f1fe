"""What every page begins with: configuration, look, navigation."""

from pathlib import Path

import numpy as np
import streamlit as st

from pages.shared import keeping, own, texts, workshop
from pages.shared.address import one_step_back
from vstg.plots import matrix_png

ROOT = Path(__file__).parents[2]
STYLE = Path(__file__).with_name("style.css")
WITH_DATA = ("Tune", "Compare")  # pages with the controls of the data


def frame(title: str) -> None:
    """Set the page up; the first call of every page."""
    st.set_page_config(
        page_title=f"{title} · {texts.TITLE}",
        page_icon=icon(),
        layout="wide",
        initial_sidebar_state="auto",
    )
    st.html(STYLE)
    one_step_back()
    keeping.stay()
    navigation()
    workshop.leave_if_asked()


def icon() -> bytes:
    """Blocks on a diagonal: a picture, so that no icon is fetched from afar."""
    return matrix_png(np.kron(np.eye(2) + 0.2, np.ones((16, 16))))


def other_pages() -> list[Path]:
    """The pages beside the landing page, in the order of their numbers."""
    return sorted((ROOT / "pages").glob("[0-9]*_*.py"))


def navigation() -> None:
    """Links to all pages, where there is more than one."""
    pages = other_pages()
    if not pages:
        return
    with st.sidebar.container(key="nav", horizontal=True, gap="small"):
        st.page_link("app.py", label=texts.EXPLORE, query_params=own.explore_query())
        for page in pages:
            name = page.stem.partition("_")[2].replace("_", " ")
            # Streamlit forgets a choice that came by the address unless it goes on so.
            query = workshop.data_query() if name in WITH_DATA else None
            st.page_link(
                page.relative_to(ROOT).as_posix(), label=name, query_params=query
            )
