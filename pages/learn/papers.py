"""What a teacher prints: handout, exercises and solutions of a lesson, and a plan."""

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from pages.learn.facts import Facts, facts
from pages.learn.pictures import PICTURES, field
from pages.learn.widgets import answer_at, filled
from pages.shared.lessons.content import ClassPlan, Lesson, Question, content
from vstg.lessons.toy import read_toy
from vstg.plots.lessons import told_by, toy_html
from vstg.plots.report import STYLE as REPORT
from vstg.plots.svg.pictures import at_frame, figure_svg

STYLE = Path(__file__).with_name("handout.css")
Values = Mapping[str, Any]


def page(title: str, body: str) -> bytes:
    """One file without scripts; nothing in it is loaded from elsewhere."""
    style = REPORT + STYLE.read_text("utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f"<body><h1>{escape(title)}</h1>{body}</body></html>"
    ).encode()


def handout(lesson: Lesson, values: Values) -> bytes:
    """For reading: text and picture, and space for the reader's own notes."""
    words, known = content().page, facts(lesson)
    text = "".join(f"<p>{bold(filled(part, known))}</p>" for part in lesson.paper)
    body = (
        f"<h2>{escape(lesson.idea)}</h2>{text}{picture(lesson, values, explained=True)}"
        f'<div class="keep"><h2>{escape(words["room"])}</h2><div class="room"></div>'
        f'<p class="note">{escape(words["paper"])}</p></div>'
    )
    return page(heading(lesson), body)


def exercises(lesson: Lesson, values: Values) -> bytes:
    """For students: picture and questions, space to write, no answers."""
    words = content().page
    body = (
        f"<h2>{escape(lesson.idea)}</h2>{picture(lesson, values, explained=False)}"
        f"<h2>{escape(words['questions'])}</h2>"
        f'<ol class="ask">{_items(lesson, asked)}</ol>'
    )
    return page(f"{heading(lesson)}: {words['exercises']}", body)


def solutions(lesson: Lesson) -> bytes:
    """The questions, their answers, and the settings for which these hold."""
    words = content().page
    body = f'<ol class="answers">{_items(lesson, answered)}</ol>'
    return page(f"{heading(lesson)}: {words['solutions']}", body)


def plan_page(
    plan: ClassPlan, links: Mapping[str, str], notes: Mapping[str, str]
) -> bytes:
    """For the teacher: when, what, what to say, and the notes of the browser."""
    words, start, parts = content().page, 0, []
    for lesson, minutes in plan.steps:
        head = words["plan_head"].format(
            start=start, end=start + minutes, title=lesson.title
        )
        start += minutes
        say = "".join(f"<li>{escape(line)}</li>" for line in lesson.say)
        link = escape(links[lesson.slug])
        own = notes.get(lesson.slug, "").strip()
        lines = f'<div class="lines">{escape(own)}</div>' if own else ""
        parts.append(
            f'<div class="keep"><h2>{escape(head)}</h2><p>{escape(lesson.idea)}<br>'
            f'<a href="{link}">{link}</a></p><ul>{say}</ul>{lines}</div>'
        )
    return page(words["plan_title"].format(minutes=plan.minutes), "".join(parts))


def heading(lesson: Lesson) -> str:
    """Number and title."""
    return f"{lesson.number} · {lesson.title}"


def bold(text: str) -> str:
    """Text of a lesson as HTML."""
    parts = escape(text).split("**")
    return "".join(f"<b>{p}</b>" if i % 2 else p for i, p in enumerate(parts))


def picture(lesson: Lesson, values: Values, *, explained: bool) -> str:
    """The picture with these settings; of one that plays, its first and last place."""
    if lesson.slug == "factors":
        words = lesson.words | {"hint": ""}
        toy = toy_html(read_toy(values["U"], values["V"]), (2, 0), words)
        return toy.replace("<button type", "<button disabled type")
    figure = PICTURES[lesson.slug](lesson, values)
    shown, told = [figure], told_by(figure)
    if figure.frames:
        ends = dict.fromkeys((told.place, len(told.texts) - 1))
        shown = [at_frame(figure, place) for place in ends]
    if lesson.slug == "prox":
        shown.append(field(lesson, values))
    return "".join(_drawn(f, explained) for f in shown) + state(lesson, values)


def _drawn(figure: Any, explained: bool) -> str:
    """A figure with its text below it, or only with the name of its place."""
    told = told_by(figure)
    label = told.labels[told.place] if told.labels else ""
    caption = escape(told.text if explained else label)
    return (
        f"<figure>{figure_svg(figure, told.text)}"
        f"<figcaption>{caption}</figcaption></figure>"
    )


def state(lesson: Lesson, values: Values) -> str:
    """The settings of the picture, so that it can be found again."""
    words = content().page
    said = lesson.settings(dict(values), words["setting"], words["comma"])
    line = words["picture_at"].format(settings=said)
    return f'<p class="note">{escape(line)}</p>' if said else ""


def _items(lesson: Lesson, write: Any) -> str:
    known = facts(lesson)
    return "".join(f"<li>{write(lesson, q, known)}</li>" for q in lesson.questions)


def asked(lesson: Lesson, question: Question, known: Facts) -> str:
    """A question and lines to answer it."""
    return f'{escape(question.ask.format(**known))}<div class="room"></div>'


def answered(lesson: Lesson, question: Question, known: Facts) -> str:
    """The question, the answer and the settings for which it was computed."""
    at = answer_at(content(), lesson, question)
    return (
        f"<b>{escape(question.ask.format(**known))}</b><br>"
        f"{escape(question.answer.format(**known))} <small>{escape(at)}</small>"
    )
