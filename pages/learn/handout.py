"""A lesson to print: one HTML file with picture, text, questions, notes, answers."""

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from pages.learn.facts import Facts, facts
from pages.learn.pictures import PICTURES, field
from pages.learn.questions import answer_at, filled
from pages.shared.lessons.content import Lesson, Question, content
from vstg.lessons.toy import read_toy
from vstg.plots.lessons import toy_html
from vstg.plots.report import Section, report_html

STYLE = Path(__file__).with_name("handout.css")


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
