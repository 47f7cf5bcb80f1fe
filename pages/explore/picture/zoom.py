"""The controls of the part that is shown of a fit too large for the picture."""

from typing import Any

import streamlit as st

from pages.explore import words
from pages.explore.picture import window
from pages.explore.results.findings import Findings
from pages.shared import words as common
from pages.shared.state import keys
from pages.shared.state.choices import ViewChoice, choices
from pages.shared.ui import controls
from vstg.plots import group_letter


def from_start(key: str) -> None:
    """Other variables or tasks are looked at from their first page on."""
    st.session_state[key] = 1


def page_number(key: str, n_pages: int) -> None:
    """Which page; nothing where there is one only."""
    if n_pages < 2:
        return
    label, help_text = common.CONTROLS[key]
    if st.session_state.get(key, 1) > n_pages:
        st.session_state[key] = n_pages
    st.number_input(
        f"{label} (of {n_pages:,})", 1, n_pages, key=key, help=help_text, width=175,
        bind="query-params",
    )  # fmt: skip


def find_variables() -> None:
    """A part of a name."""
    label, help_text = common.CONTROLS[keys.FIND]
    st.text_input(
        label, key=keys.FIND, help=help_text, width=160, max_chars=80,
        bind="query-params", on_change=from_start, args=(keys.VARIABLE_PAGE,),
    )  # fmt: skip


def choose_group(found: Findings) -> None:
    """All groups, or the tasks of one."""
    label, help_text = common.CONTROLS[keys.GROUP]
    groups = enumerate(found.proper_groups)
    letters = [group_letter(n) for n, group in groups if len(group.tasks) > 1]
    if st.session_state.get(keys.GROUP) not in (None, "", *letters):
        st.session_state[keys.GROUP] = ""  # other data, or another fit
    # A link has what the list shows, so that is the letter alone.
    st.selectbox(
        label, ["", *letters], key=keys.GROUP, help=help_text, width=170,
        format_func=lambda letter: letter or words.ALL_GROUPS, bind="query-params",
        on_change=from_start, args=(keys.TASK_PAGE,),
    )  # fmt: skip


def current_view() -> ViewChoice:
    """The view as the widgets drawn so far have it."""
    return choices(controls.values()).view


def zoom_controls(found: Findings, **options: Any) -> None:
    """Rows, names, groups and pages; nothing for a fit that is shown whole."""
    view = current_view()
    if not window.is_large(found, view):
        return
    with st.container(
        key="zoom", horizontal=True, gap="small", vertical_alignment="bottom", **options
    ):
        controls.select(keys.TOP, width=90)
        find_variables()
        choose_group(found)
        seen = window.see(found, current_view())
        assert seen is not None
        for key, n_pages in zip(
            (keys.VARIABLE_PAGE, keys.TASK_PAGE), seen.n_pages, strict=True
        ):
            page_number(key, n_pages)
