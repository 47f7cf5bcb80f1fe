"""The page of the lessons: which one, its picture, its questions, the way on."""

from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from pages.shared.learn.content import Content, Lesson, content
from pages.shared.learn.facts import Facts, facts, number
from pages.shared.learn.handout import handout
from pages.shared.learn.models import failure, measure
from pages.shared.learn.pictures import PICTURES, bound_setting
from pages.shared.learn.widgets import controls, plane_picture, short, toy_picture
from vstg.plots.lessons import enlarged

FOLDER = Path(__file__).parent
CLASS = "class"
PLOT = {"displayModeBar": False, "responsive": True}


def go_to(slug: str) -> None:
    """Open a lesson; what belongs to another leaves the link, class mode stays."""
    keep = {CLASS: "1"} if in_class() else {}
    st.query_params.from_dict({"lesson": slug, **keep})


def in_class() -> bool:
    """Whether the link asks for class mode."""
    return st.query_params.get(CLASS, "") in ("1", "true")


def named_controls() -> set[str] | None:
    """The controls that the link names, None for all."""
    text = st.query_params.get("only")
    return None if text is None else {part for part in text.split(",") if part}


def set_class(on: bool, slug: str) -> None:
    """Enter or leave class mode."""
    st.query_params.from_dict({"lesson": slug, **({CLASS: "1"} if on else {})})


def learn() -> None:
    """Choose, draw, ask."""
    st.html(FOLDER / "learn.css")
    all_of = content()
    asked = st.query_params.get("lesson")
    lesson = all_of.lesson(asked) or all_of.lessons[0]
    if in_class():
        st.html(FOLDER / "class.css")
    else:
        with st.sidebar:
            picker(all_of, lesson)
    with st.container(key="learn"):
        heading(all_of, lesson)
        if asked and asked != lesson.slug:
            st.warning(all_of.page["unknown"].format(name=asked))
        known = facts(lesson)
        left, right = st.columns([2.7, 1], gap="large")
        with left:
            values = controls(lesson, named_controls() if in_class() else None)
            show(all_of, lesson, values)
        with right:
            explain(all_of, lesson, known)
        way_on(all_of, lesson)
    if not in_class():
        with st.sidebar:
            for_the_teacher(all_of, lesson, values)


def picker(all_of: Content, lesson: Lesson) -> None:
    """The list of lessons."""
    st.html(f'<h2 class="vstg-side">{escape(all_of.page["lessons"])}</h2>')
    for other in all_of.lessons:
        st.button(
            f"{other.number}  {other.title}", key=f"learn_go_{other.slug}",
            on_click=go_to, args=(other.slug,), width="stretch",
            type="primary" if other is lesson else "tertiary",
        )  # fmt: skip


def heading(all_of: Content, lesson: Lesson) -> None:
    """Number, title and the one idea."""
    of = all_of.page["of"].format(number=lesson.number, count=len(all_of.lessons))
    st.html(
        f'<p class="learn-number">{escape(of)}</p><div class="vstg-title">'
        f"<h1>{escape(lesson.title)}</h1><p>{escape(lesson.idea)}</p></div>"
    )


def show(all_of: Content, lesson: Lesson, values: dict[str, Any]) -> None:
    """The picture, or a sentence where it cannot be."""
    try:
        if lesson.slug == "factors":
            toy_picture(lesson)
        elif lesson.slug == "prox":
            left, right = st.columns([1, 1], gap="medium", vertical_alignment="center")
            with left:
                plane_picture(lesson, values)
            with right:
                chart(lesson, values)
        else:
            chart(lesson, values)
            numbers(lesson, values)
    except (ValueError, ArithmeticError) as error:
        st.error(all_of.page["error"].format(error=error))


def chart(lesson: Lesson, values: dict[str, Any]) -> None:
    """The figure of a lesson."""
    figure = PICTURES[lesson.slug](lesson, values)
    if in_class():
        figure = enlarged(figure)
    st.plotly_chart(
        figure, key=f"learn_{lesson.slug}", config=PLOT,
        alt=f"{lesson.title}. {lesson.idea}",
    )  # fmt: skip


def numbers(lesson: Lesson, values: dict[str, Any]) -> None:
    """A line of numbers under the pictures of lessons 8 and 9."""
    words = lesson.words
    if lesson.slug == "theorem":
        bound = measure(bound_setting(values)).bound
        line = words["state"].format(
            alpha1=number(bound.alpha1), beta=number(bound.beta),
            root=number(bound.n_latent**0.5),
        )  # fmt: skip
        st.html(f'<div class="vstg-formula">{escape(line)}</div>')
    elif lesson.slug == "failures":
        case = failure(values["l9_case"], int(values["l9_seed"]))
        rows = {
            "error": case.error,
            "alone": case.alone,
            "certainty": case.certainty_variables,
        }
        items = "".join(
            f"<div><dt>{escape(words[k])}</dt><dd>{number(v)}</dd></div>"
            for k, v in rows.items()
        )
        st.html(f'<dl class="learn-say">{items}</dl>')


def explain(all_of: Content, lesson: Lesson, known: Facts) -> None:
    """A few sentences, then the questions, each with its answer folded away."""
    for paragraph in lesson.text:
        st.markdown(paragraph.replace("{resamples}", str(known.get("resamples", ""))))
    st.html(f'<h2 class="vstg-side">{escape(all_of.page["questions"])}</h2>')
    for place, question in enumerate(lesson.questions):
        with st.expander(question.ask.format(**known), key=f"learn_q{place}"):
            st.markdown(question.answer.format(**known))
    st.page_link(
        "app.py", label=all_of.page["open"], icon=":material/arrow_forward:",
        query_params=lesson.explore,
    )  # fmt: skip


def way_on(all_of: Content, lesson: Lesson) -> None:
    """To the lessons before and after; out of class mode."""
    with st.container(key="learn_way", horizontal=True, gap="small"):
        for step, word in ((-1, "previous"), (1, "next")):
            place = lesson.number - 1 + step
            if 0 <= place < len(all_of.lessons):
                other = all_of.lessons[place]
                st.button(
                    all_of.page[word].format(title=other.title), key=f"learn_{word}",
                    on_click=go_to, args=(other.slug,),
                )  # fmt: skip
        if in_class():
            st.button(
                all_of.page["class_off"], key="class_off", type="tertiary",
                on_click=set_class, args=(False, lesson.slug),
            )  # fmt: skip


def class_link(url: str | None, lesson: Lesson) -> str:
    """The address of the lesson in class mode with all its controls named."""
    parts = urlsplit(url or "")
    query = {"lesson": lesson.slug, CLASS: "1"}
    if lesson.controls:
        query["only"] = ",".join(short(control) for control in lesson.controls)
    return urlunsplit(parts._replace(query=urlencode(query, safe=","), fragment=""))


def for_the_teacher(all_of: Content, lesson: Lesson, values: dict[str, Any]) -> None:
    """Class mode, notes and the handout."""
    page = all_of.page
    st.html(f'<h2 class="vstg-side">{escape(page["teach"])}</h2>')
    st.button(
        page["class_on"], key="class_on", help=page["class_help"], width="stretch",
        on_click=set_class, args=(True, lesson.slug),
    )  # fmt: skip
    st.caption(page["class_link"])
    st.code(class_link(st.context.url, lesson), language=None, wrap_lines=True)
    notes = st.text_area(
        page["notes"], key=f"notes_{lesson.slug}", help=page["notes_help"], height=90,
        persist_state="session",
    )  # fmt: skip
    st.download_button(
        page["handout"], lambda: handout(lesson, values, notes),
        f"vstg-{lesson.slug}.html", "text/html", key="handout", on_click="ignore",
        icon=":material/print:", help=page["handout_help"], width="stretch",
    )  # fmt: skip
