"""The text of a lesson, its questions, and the link to Explore."""

from html import escape
from typing import Any

import streamlit as st

from pages.learn.facts import Facts, facts
from pages.learn.widgets import put, same_picture, short, wanted
from pages.shared.lessons.content import Content, Lesson, Question


def explain(
    all_of: Content, lesson: Lesson, values: dict[str, Any], only: set[str] | None
) -> None:
    """A few sentences, then the questions, each with a hidden answer."""
    known = facts(lesson)
    for paragraph in lesson.text:
        st.markdown(filled(paragraph, known))
    st.html(f'<h2 class="vstg-side">{escape(all_of.page["questions"])}</h2>')
    for place, question in enumerate(lesson.questions):
        with st.expander(question.ask.format(**known), key=f"learn_q{place}"):
            st.markdown(question.answer.format(**known))
            if not same_picture(lesson, wanted(lesson, question), values):
                offer_picture(all_of, lesson, place, only)
    st.page_link(
        "app.py", label=all_of.page["open"], icon=":material/arrow_forward:",
        query_params=lesson.explore,
    )  # fmt: skip
    st.caption(lesson.there)


def filled(text: str, known: Facts) -> str:
    """A paragraph with its computed number filled in."""
    return text.replace("{resamples}", str(known.get("resamples", "")))


def answer_at(all_of: Content, lesson: Lesson, question: Question) -> str:
    """The settings for which an answer was computed, as text."""
    page = all_of.page
    said = lesson.settings(wanted(lesson, question), page["setting"], page["comma"])
    said = question.at or said or lesson.words["figure"]
    return page["answer_at"].format(settings=said)


def offer_picture(
    all_of: Content, lesson: Lesson, place: int, only: set[str] | None
) -> None:
    """The picture shows other settings: say where the answer holds, and go there."""
    question = lesson.questions[place]
    st.caption(answer_at(all_of, lesson, question))
    hidden = only is not None and any(short(c) not in only for c in lesson.controls)
    if not hidden:
        st.button(
            all_of.page["show_it"], key=f"learn_show{place}", on_click=put,
            args=(lesson, wanted(lesson, question)), type="tertiary",
            icon=":material/visibility:",
        )  # fmt: skip
