"""The first minute: what a newcomer reads before the picture, and the way on."""

from html import escape

import streamlit as st

from pages.explore import words
from pages.shared.data.catalogue import DataChoice, OwnData, SharedTable
from pages.shared.glossary import TERMS
from pages.shared.ui import controls


def term_html(name: str, text: str) -> str:
    """A symbol that explains itself to a pointer, a finger and a keyboard."""
    said = escape(TERMS[name])
    return (
        f'<abbr class="vstg-term" tabindex="0" data-tip="{said}" '
        f'aria-label="{escape(text)}: {said}">{escape(text)}</abbr>'
    )


def steps_html() -> str:
    """From the data to W, to U and V, to groups and variables."""
    terms = {
        key: term_html(name, text) for key, (name, text) in words.STORY_TERMS.items()
    }
    items = "".join(
        f"<li><b>{escape(title)}</b> {text.format(**terms)}</li>"
        for title, text in words.STORY_STEPS
    )
    return f'<ol class="vstg-story">{items}</ol>'


def begin_with(data: DataChoice) -> None:
    """The story with a way to the paper's data, or examples with a way back."""
    if isinstance(data, SharedTable):
        with st.container(key="story"):
            st.html(steps_html())
            controls.preset_button("fig2", words.TO_THE_PAPER)
    elif not isinstance(data, OwnData):
        controls.preset_row()
