"""A lesson on paper: one HTML file with picture, text, questions, answers, notes."""

from collections.abc import Mapping
from html import escape
from typing import Any

from pages.shared.learn.content import Lesson, content
from pages.shared.learn.facts import facts
from pages.shared.learn.pictures import PICTURES, field
from pages.shared.learn.widgets import toy_state
from vstg.lessons.toy import read_toy
from vstg.plots.lessons import toy_html
from vstg.plots.report import Section, report_html

PRINT = """
<style>
@media print { body { margin: 0; font-size: 12px; } h2 { break-after: avoid; }
  figure, table { break-inside: avoid; } .updatemenu-container, .slider-container { display: none; } }
.toy { display: grid; grid-template-columns: max-content max-content; gap: 1rem 2rem; }
.toy table { display: table; border-collapse: separate; border-spacing: 2px; }
.toy button { width: 2.6rem; height: 1.7rem; border: 1px solid #888; background: #fff; }
.toy button.pos { background: #a3d3cd; } .toy button.neg { background: #dfc27d; }
.lines { border: 1px solid #c9d6d4; min-height: 6rem; padding: 0.6rem; white-space: pre-wrap; }
</style>
"""  # noqa: E501


def handout(lesson: Lesson, values: Mapping[str, Any], notes: str) -> bytes:
    """The file; answers come last, so that they can be folded away or cut off."""
    words = content().page
    known = facts(lesson)
    text = (
        " ".join(lesson.text)
        .replace("**", "")
        .replace("{resamples}", str(known.get("resamples", "")))
    )
    questions = "".join(
        f"<li>{escape(q.ask.format(**known))}</li>" for q in lesson.questions
    )
    answers = "".join(
        f"<li>{escape(q.answer.format(**known))}</li>" for q in lesson.questions
    )
    sections = [Section(lesson.idea, text, figures=figures(lesson, values))]
    page = report_html(f"{lesson.number} · {lesson.title}", sections)
    body = (
        f"{table(lesson)}<h2>{escape(words['questions'])}</h2><ol>{questions}</ol>"
        f"<h2>{escape(words['your_notes'])}</h2>"
        f'<div class="lines">{escape(notes)}</div>'
        f"<h2>{escape(words['answers'])}</h2><ol>{answers}</ol>"
        f'<p class="note">{escape(words["paper"])}</p>'
    )
    # From the right: plotly's script inside the head may mention the same tags.
    before, tag, after = page.rpartition("</body>")
    return f"{before}{PRINT}{body}{tag}{after}".encode()


def figures(lesson: Lesson, values: Mapping[str, Any]) -> dict[str, Any]:
    """The pictures of a lesson as they stand."""
    if lesson.slug not in PICTURES:
        return {}
    found = {"": PICTURES[lesson.slug](lesson, values)}
    if lesson.slug == "prox":
        found[lesson.words["moved"]] = field(lesson, values)
    return found


def table(lesson: Lesson) -> str:
    """The tables of lesson 2."""
    if lesson.slug != "factors":
        return ""
    return toy_html(read_toy(*toy_state()), (2, 0), lesson.words)
