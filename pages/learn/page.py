"""The Learn page: choose a lesson, show its picture and its questions."""

import re
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from pages.learn.models import failure, measure
from pages.learn.pictures import PICTURES, bound_setting
from pages.learn.teacher import CLASS, for_the_teacher, in_class, named_controls
from pages.learn.widgets import controls, explain, plane_picture, predicted
from pages.shared.lessons.content import STYLE, Content, Lesson, content
from pages.shared.lessons.toy import toy_picture
from pages.shared.ui.markdown import plain
from vstg.notation import decimal_text as number
from vstg.plots.lessons import enlarged

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
        st.error(all_of.page["error"].format(error=plain(error)))


def chart(lesson: Lesson, values: dict[str, Any]) -> None:
    """The figure of a lesson."""
    figure = PICTURES[lesson.slug](lesson, values)
    if in_class():
        figure = enlarged(figure)
    st.plotly_chart(
        figure, key=f"learn_{lesson.slug}", config=PLOT,
        alt=shows_now(content().page, lesson, values, figure),
    )  # fmt: skip


def shows_now(
    page: dict[str, str], lesson: Lesson, values: dict[str, Any], figure: Any
) -> str:
    """What the picture shows, for those who do not see it: settings and caption."""
    said = lesson.settings(values, page["setting"], page["comma"])
    caption = re.sub(r"<[^>]*>", " ", figure.layout.title.text or "")
    return page["picture_now"].format(
        title=lesson.title, idea=lesson.idea, caption=caption,
        settings=page["picture_at"].format(settings=said) + "." if said else "",
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
        seed = int(values["l9_seed"])
        rows, healthy = (
            {"error": c.error, "alone": c.alone, "certainty": c.certainty_variables}
            for c in (failure(values["l9_case"], seed), failure("healthy", seed))
        )
        items = "".join(
            f"<div><dt>{escape(words[key])}</dt><dd>{escape(said)}</dd></div>"
            for key, said in compared(rows, healthy, words).items()
        )
        st.html(f'<dl class="learn-say">{items}</dl>')


def compared(
    rows: dict[str, float], healthy: dict[str, float], words: dict[str, str]
) -> dict[str, str]:
    """Numbers, each with that of the healthy case unless this is it."""
    if rows == healthy:
        return {key: number(value) for key, value in rows.items()}
    return {
        key: words["compared"].format(value=number(value), healthy=number(healthy[key]))
        for key, value in rows.items()
    }


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
