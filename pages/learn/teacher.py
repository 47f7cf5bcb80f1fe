"""Tools for teachers: class mode, notes that are kept, and a handout to print."""

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from pages.learn.facts import Facts, facts
from pages.learn.pictures import PICTURES, field
from pages.learn.widgets import FOLDER, answer_at, filled, short
from pages.shared.lessons.content import Content, Lesson, Question, content
from pages.shared.ui.component import component
from vstg.lessons.toy import read_toy
from vstg.plots.lessons import toy_html
from vstg.plots.report import Section, report_html

STYLE = Path(__file__).with_name("handout.css")

CLASS = "class"
draw_notes = component(FOLDER, "notes")


def handout(lesson: Lesson, values: Mapping[str, Any], notes: str) -> bytes:
    """The file: space to write after each question, answers on a separate page."""
    words = content().page
    known = facts(lesson)
    text = " ".join(filled(part, known) for part in lesson.text).replace("**", "")
    sections = [Section(lesson.idea, text, figures=figures(lesson, values))]
    page = report_html(f"{lesson.number} · {lesson.title}", sections)
    body = (
        f"{table(lesson, values)}{state(lesson, values)}"
        f"<h2>{escape(words['questions'])}</h2>"
        f'<ol class="ask">{_items(lesson, known, asked)}</ol>'
        f"{_notes(words, notes)}"
        f'<section class="answers"><h2>{escape(words["answers"])}</h2>'
        f"<ol>{_items(lesson, known, answered)}</ol>"
        f'<p class="note">{escape(words["paper"])}</p></section>'
    )
    style = f"<style>{STYLE.read_text('utf-8')}</style>"
    # From the right: plotly's script inside the head may mention the same tags.
    before, tag, after = page.rpartition("</body>")
    return f"{before}{style}{body}{tag}{after}".encode()


def _items(lesson: Lesson, known: Facts, write: Any) -> str:
    return "".join(f"<li>{write(lesson, q, known)}</li>" for q in lesson.questions)


def asked(lesson: Lesson, question: Question, known: Facts) -> str:
    """A question and lines to answer it."""
    return f'{escape(question.ask.format(**known))}<div class="room"></div>'


def answered(lesson: Lesson, question: Question, known: Facts) -> str:
    """The answer and the settings for which it was computed."""
    at = answer_at(content(), lesson, question)
    return f"{escape(question.answer.format(**known))} <small>{escape(at)}</small>"


def _notes(words: Mapping[str, str], notes: str) -> str:
    if not notes.strip():
        return ""
    head = escape(words["your_notes"])
    return f'<h2>{head}</h2><div class="lines">{escape(notes)}</div>'


def state(lesson: Lesson, values: Mapping[str, Any]) -> str:
    """The settings of the picture, so that it can be found again."""
    words = content().page
    said = lesson.settings(dict(values), words["setting"], words["comma"])
    line = words["picture_at"].format(settings=said)
    return f'<p class="note">{escape(line)}</p>' if said else ""


def figures(lesson: Lesson, values: Mapping[str, Any]) -> dict[str, Any]:
    """The pictures of a lesson in their current state, with space for labels."""
    if lesson.slug not in PICTURES:
        return {}
    found = {"": PICTURES[lesson.slug](lesson, values)}
    if lesson.slug == "prox":
        found[lesson.words["moved"]] = field(lesson, values)
    for figure in found.values():
        figure.update_xaxes(automargin=True)
        figure.update_yaxes(automargin=True)
        figure.update_layout(margin={"r": 24, "l": 24})
    return found


def table(lesson: Lesson, values: Mapping[str, Any]) -> str:
    """The tables of lesson 2."""
    if lesson.slug != "factors":
        return ""
    return toy_html(read_toy(values["U"], values["V"]), (2, 0), lesson.words)


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
