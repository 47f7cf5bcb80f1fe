"""Links: the state of a page written into its address, checked and read back.

What a page shows outlives a visit to another page, so a link to another run has to be
told from the link that the page wrote itself: a new link overrides the page, and what
the visitor changes afterwards overrides the link.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.shared.state import keys
from pages.shared.state.parameters import (
    DATA_KEYS,
    PARAMS,
    RENAMED,
    STORY,
    YOURS,
)


@dataclass(frozen=True)
class BadValue:
    """A value in a link that its control cannot take, and the value used instead."""

    key: str
    value: str
    used: str


def renamed(query: Mapping[str, str]) -> dict[str, str]:
    """The values of a link that have a new name, with that name."""
    return {
        key: RENAMED[key][text]
        for key, text in query.items()
        if text in RENAMED.get(key, {})
    }


def check_link(query: dict[str, str]) -> list[BadValue]:
    """The values of a link that their controls cannot take."""
    bad = []
    for key, text in query.items():
        param = PARAMS.get(key)
        if param is None:
            continue
        try:
            param.allowed.read(text)
        except (ValueError, OverflowError):
            bad.append(BadValue(key, text, param.write(param.default)))
    return bad


def to_query(values: dict[str, Any]) -> dict[str, str]:
    """The link's parameters for a state: only what differs from the defaults."""
    return {
        key: PARAMS[key].write(value)
        for key, value in values.items()
        if key in PARAMS and value is not None and value != PARAMS[key].default
    }


def explore_query() -> dict[str, str]:
    """The controls of the Explore page as its last visit left them."""
    last: dict[str, str] = st.session_state.get(keys.EXPLORE_STATE, opening_query())
    return dict(last)


def opening_query() -> dict[str, str]:
    """The controls of the Explore page before anybody has moved one."""
    return to_query(STORY)


def has_no_parameters() -> bool:
    """Whether the address is bare, as of somebody who has no link."""
    return not any(key in st.query_params for key in (*PARAMS, keys.TAB))


def yours_query() -> dict[str, str]:
    """The Explore page with the visitor's own data and otherwise as it was."""
    return {**explore_query(), keys.DATA: YOURS}


def data_query() -> dict[str, str]:
    """The data that are chosen, for the address of another page."""
    # Before a page has drawn its controls for the first time, its address has them.
    given = {key: st.query_params[key] for key in DATA_KEYS if key in st.query_params}
    state = {key: st.session_state[key] for key in DATA_KEYS if key in st.session_state}
    if not given and not state:  # a page without these controls
        last = explore_query()
        return {key: value for key, value in last.items() if key in DATA_KEYS}
    return {key: given[key] for key in given if key not in state} | to_query(state)


def note_in_address(parameter: str, value: str) -> None:
    """Write what is shown into the address, once that has the data.

    On the first run of a page Streamlit knows the values of the data's controls and
    not yet their place in the address: to write anything then resets them.
    """
    chosen = to_query({key: st.session_state.get(key) for key in DATA_KEYS})
    if all(key in st.query_params for key in chosen):
        st.query_params[parameter] = value


def is_new(parameter: str, key: str) -> bool:
    """Whether the link has a value that this page has neither written nor followed."""
    asked = st.query_params.get(parameter)
    return asked is not None and asked != st.session_state.get(keys.link(key))


def write(parameter: str, key: str, text: str) -> None:
    """Put what is shown into the link."""
    st.session_state[keys.link(key)] = text
    if st.query_params.get(parameter) != text:
        note_in_address(parameter, text)


def drop(parameter: str, key: str) -> None:
    """Take out of the link what is not shown; if it comes again it is new."""
    st.session_state.pop(keys.link(key), None)
    if parameter in st.query_params:
        del st.query_params[parameter]


def numbers(parameter: str) -> list[int]:
    """The runs that the link names."""
    parts = st.query_params.get(parameter, "").split("-")
    return [one for part in parts if (one := number_in(part)) is not None]


def number_in(text: str | None) -> int | None:
    """The number of a run that a link has; None for anything else."""
    if text is None or not text.isascii() or not text.isdecimal() or len(text) > 15:
        return None
    return int(text)
