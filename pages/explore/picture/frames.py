"""What the picture shows at every position of one slider, sent ahead to the browser.

With these frames the picture follows a slider, or a finger on its curve, without asking
the server. They are made once somebody turns to a slider, where fits are quick.
"""

from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from pages.explore.panel import panel_html
from pages.explore.picture import window
from pages.explore.picture.focus import focus_cell, formula_html
from pages.explore.picture.stage import FIELDS, picture_data, slider_of
from pages.explore.results.findings import find
from pages.explore.results.headline import headline_html
from pages.shared.data.catalogue import SharedTable
from pages.shared.fits import certainty, cost, curves, live
from pages.shared.state import exact, keys
from pages.shared.state.choices import Choices
from vstg.model_selection.curves import at_value

give_frames = st.components.v2.component(
    "vstg_frames",
    html="<span></span>",
    js=(Path(__file__).with_name("scheme") / "frames.js").read_text("utf-8"),
    isolate_styles=False,
)


def remember_requested_slider() -> None:
    """Callback of the browser: which slider somebody turns to."""
    wish = st.session_state[keys.EXPLORE_FRAMES].get("want")
    if wish in FIELDS:
        st.session_state[keys.EXPLORE_REQUESTED] = wish
        st.session_state[keys.EXPLORE_REQUEST_PENDING] = True


def are_possible(chosen: Choices) -> bool:
    """Whether some fifteen fits and their pictures are quickly made."""
    quick = cost.estimate_seconds(chosen) <= curves.QUICK_FIT
    return curves.are_allowed() and quick


def name_of(chosen: Choices, field: str) -> Hashable:
    """What the frames belong to: all but the position of their own slider."""
    known = certainty.known(chosen) is None
    return curves.key(chosen, field), chosen.effort, chosen.view, known


def one_frame(chosen: Choices, field: str, value: float) -> dict[str, Any] | None:
    """The picture and the numbers around it; None where it does not fit whole."""
    tied = curves.is_tied(chosen)
    settings = at_value(chosen.settings, field, value, tied=tied)
    there = replace(chosen, settings=settings)
    result, data = live.fit(there), live.load(chosen.data)
    found = find(result, data, chosen.view.zero, paper=chosen.view.paper)
    found = replace(found, sure=certainty.known(there))
    if window.is_large(found, chosen.view):
        return None
    cell = focus_cell(found, chosen.view.variable, chosen.view.task)
    brief = isinstance(chosen.data, SharedTable)
    return {
        "picture": picture_data(found, chosen.view, cell, settings),
        "parts": {
            ".vstg-head": {"html": headline_html(result, data, found, brief=brief)},
            ".vstg-panel": {"html": panel_html(found)},
            ".vstg-formula": {"html": formula_html(found, cell)},
        },
    }


def make(chosen: Choices, field: str) -> dict[str, Any]:
    """The frames of a slider, or none."""
    values = curves.values_of(chosen, field)
    if field == "k":
        values = tuple(v for v in values if v <= chosen.settings.n_latent)
    try:
        frames = [one_frame(chosen, field, value) for value in values]
    except (live.TooLongError, ValueError, ArithmeticError):
        return {}
    if any(frame is None for frame in frames):
        return {}
    places = [round(slider_of(field).place(value), 6) for value in values]
    key = exact.CONTROLS[field].key
    return {"key": key, "positions": places, "frames": frames}


def frames(chosen: Choices) -> dict[str, Any]:
    """Those that were asked for last, while they are true."""
    wish = st.session_state.get(keys.EXPLORE_REQUESTED)
    wished = st.session_state.pop(keys.EXPLORE_REQUEST_PENDING, False)
    if wish is None or not are_possible(chosen):
        return {}
    name = name_of(chosen, FIELDS[wish])
    made = st.session_state.get(keys.EXPLORE_FRAMES_MADE)
    if made is None or made[0] != name:
        if not wished:
            return {}
        made = (name, make(chosen, FIELDS[wish]) or {"possible": False})
        st.session_state[keys.EXPLORE_FRAMES_MADE] = made
    return made[1]


@st.fragment
def send_ahead(chosen: Choices) -> None:
    """Out of sight; a wish of the browser runs nothing but this."""
    with st.container(key="frames_ahead"):
        give_frames(
            data={"possible": are_possible(chosen), **frames(chosen)},
            key=keys.EXPLORE_FRAMES,
            on_want_change=remember_requested_slider,
        )
