"""The Learn page: choose a lesson, show its picture and its questions."""

from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from pages.learn.pictures import PICTURES
from pages.learn.teacher import CLASS, for_the_teacher, in_class, named_controls
from pages.learn.widgets import (
    controls,
    explain,
    picture_key,
    plane_picture,
    player,
    predicted,
)
from pages.shared.lessons.content import STYLE, Content, Lesson, content
from pages.shared.lessons.toy import toy_picture
from pages.shared.ui.markdown import plain
from vstg.plots.lessons import enlarged, told_by

FOLDER = Path(__file__).parent
PLOT = {"displayModeBar": False, "responsive": True}


def go_to(slug: str) -> None:
    """Open a lesson; the link keeps class mode and nothing of the lesson before."""
    keep = {CLASS: "1"} if in_class() else {}
    st.query_params.from_dict({"lesson": slug, **keep})


def leave_class(slug: str) -> None:
    """Return to the full page."""
    st.query_params.from_dict({"lesson": slug})


def learn() -> None:
    """Choose a lesson, draw its picture, ask its questions."""
    st.html(STYLE)
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
            st.warning(all_of.page["unknown"].format(name=plain(asked[:80])))
        only = named_controls() if in_class() else None
        values = lesson.defaults
        if predicted(all_of, lesson):
            values = controls(lesson, only)
            left, right = st.columns([2.7, 1], gap="large")
            with left:
                show(all_of, lesson, values)
            with right:
                explain(all_of, lesson, values, only)
        way_on(all_of, lesson)
    if not in_class():
        with st.sidebar:
            for_the_teacher(all_of, lesson, values)


def picker(all_of: Content, lesson: Lesson) -> None:
    """The list of lessons."""
    st.html(f'<h2 class="vstg-side">{escape(all_of.page["lessons"])}</h2>')
    with st.container(key="learn_list", gap=None):
        for other in all_of.lessons:
            st.button(
                f"{other.number}  {other.title}", key=f"learn_go_{other.slug}",
                on_click=go_to, args=(other.slug,), width="stretch",
                type="primary" if other is lesson else "tertiary",
            )  # fmt: skip


def heading(all_of: Content, lesson: Lesson) -> None:
    """Number, title and idea of the lesson."""
    of = all_of.page["of"].format(number=lesson.number, count=len(all_of.lessons))
    st.html(
        f'<p class="learn-number">{escape(of)}</p><div class="vstg-title">'
        f"<h1>{escape(lesson.title)}</h1><p>{escape(lesson.idea)}</p></div>"
    )


def show(all_of: Content, lesson: Lesson, values: dict[str, Any]) -> None:
    """The picture, or an explanation if it cannot be computed."""
    try:
        if lesson.slug == "factors":
            toy_picture(lesson.words)
            return
        figure = PICTURES[lesson.slug](lesson, values)
        if in_class():
            figure = enlarged(figure)
        if lesson.slug == "prox":
            left, right = st.columns([1, 1], gap="medium", vertical_alignment="center")
            with left:
                plane_picture(lesson, values)
            with right:
                chart(lesson, figure)
        else:
            chart(lesson, figure)
        player(all_of, lesson, told_by(figure))
    except (ValueError, ArithmeticError) as error:
        st.error(all_of.page["error"].format(error=plain(error)))


def chart(lesson: Lesson, figure: Any) -> None:
    """The figure of a lesson."""
    st.plotly_chart(
        figure, key=picture_key(lesson), config=PLOT, alt=told_by(figure).text
    )


def way_on(all_of: Content, lesson: Lesson) -> None:
    """Buttons for the previous and the next lesson, and to leave class mode."""
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
                on_click=leave_class, args=(lesson.slug,),
            )  # fmt: skip
