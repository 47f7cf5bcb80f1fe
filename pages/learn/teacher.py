"""Tools for teachers: class mode, notes that are kept, a handout."""

from html import escape
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from pages.learn.handout import handout
from pages.learn.widgets import FOLDER, short
from pages.shared.lessons.content import Content, Lesson, content
from pages.shared.ui.component import component

CLASS = "class"

draw_notes = component(FOLDER, "notes")


def in_class() -> bool:
    """Whether the link asks for class mode."""
    return st.query_params.get(CLASS, "") in ("1", "true")


def named_controls() -> set[str] | None:
    """The controls that the link names, None for all."""
    text = st.query_params.get("only")
    return None if text is None else {part for part in text.split(",") if part}


def class_link(
    url: str | None, lesson: Lesson, values: dict[str, Any], keep: list[str]
) -> str:
    """The address of the lesson in class mode, with its state and these controls."""
    parts = urlsplit(url or "")
    query = {"lesson": lesson.slug, CLASS: "1"}
    if lesson.controls:
        query["only"] = ",".join(keep)
    usual = lesson.defaults
    for control in lesson.controls:
        value = values[control.key]
        if value != usual[control.key]:
            query[control.key] = control.name(value)
    if not lesson.controls:
        query |= {key: st.query_params[key] for key in "UV" if key in st.query_params}
    return urlunsplit(parts._replace(query=urlencode(query, safe=","), fragment=""))


def for_the_teacher(all_of: Content, lesson: Lesson, values: dict[str, Any]) -> None:
    """Class mode, notes and the handout."""
    page = all_of.page
    st.html(f'<h2 class="vstg-side">{escape(page["teach"])}</h2>')
    link = class_link(st.context.url, lesson, values, kept_controls(all_of, lesson))
    st.link_button(
        page["class_on"], link, help=page["class_help"], width="stretch",
        icon=":material/co_present:",
    )  # fmt: skip
    with st.expander(page["class_link"], key="class_link"):
        st.code(link, language=None, wrap_lines=True)
    notes_and_handout(lesson, values)


@st.fragment
def notes_and_handout(lesson: Lesson, values: dict[str, Any]) -> None:
    """A fragment, so that writing notes redraws nothing else."""
    all_of = content()
    page = all_of.page
    notes = notes_of(all_of, lesson)
    st.download_button(
        page["handout"], lambda: handout(lesson, values, notes),
        f"vstg-{lesson.slug}.html", "text/html", key="handout", on_click="ignore",
        icon=":material/print:", help=page["handout_help"], width="stretch",
    )  # fmt: skip


def kept_controls(all_of: Content, lesson: Lesson) -> list[str]:
    """The controls that the class will see, by their short names."""
    if not lesson.controls:
        return []
    names = {short(control): control.label for control in lesson.controls}
    return st.pills(
        all_of.page["class_keep"], list(names), selection_mode="multi",
        default=list(names), format_func=names.__getitem__,
        key=f"class_keep_{lesson.slug}", help=all_of.page["class_keep_help"],
    )  # fmt: skip


def notes_of(all_of: Content, lesson: Lesson) -> str:
    """A text field that the browser stores; the handout gets a copy."""
    found = draw_notes(
        data={
            "lesson": lesson.slug,
            "lessons": [other.slug for other in all_of.lessons],
            "words": all_of.notes,
        },
        key="learn_notes",
        on_notes_change=lambda: None,
    )
    notes = found.get("notes") or {}
    return str(notes.get(lesson.slug, "")) if isinstance(notes, dict) else ""
