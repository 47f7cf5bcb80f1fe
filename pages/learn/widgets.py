"""The controls, text and questions of a lesson, and the picture to drag a point in."""

from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from pages.learn.facts import Facts, facts
from pages.learn.pictures import operator
from pages.shared.lessons.content import Content, Control, Lesson, Question
from pages.shared.lessons.toy import put_toy, toy_values
from pages.shared.ui.component import component
from vstg.lessons import prox, toy
from vstg.plots.lessons import Told, field_payload

FOLDER = Path(__file__).with_name("parts")


draw_plane = component(FOLDER, "plane")
draw_player = component(FOLDER, "player")


def controls(lesson: Lesson, only: set[str] | None) -> dict[str, Any]:
    """Draw the controls in one row; those not named keep the values of the link."""
    if not lesson.controls:
        return toy_values() if lesson.slug == "factors" else {}
    shown = [c for c in lesson.controls if only is None or short(c) in only]
    values = {c.key: c.default if c in shown else linked(c) for c in lesson.controls}
    if not shown:
        return values
    with st.container(key="learn_controls", horizontal=True, gap="medium"):
        for control in shown:
            if control.matters(values):
                values[control.key] = widget(control)
    return values


def predicted(all_of: Content, lesson: Lesson) -> bool:
    """Ask for a prediction; True once there is one, or if the lesson asks for none."""
    if lesson.predict is None:
        return True
    page, known = all_of.page, facts(lesson)
    ask, right = lesson.predict.ask.format(**known), lesson.predict.right
    st.markdown(f"**{ask}**")
    guess = st.segmented_control(
        ask, lesson.predict.options, key=f"guess_{lesson.slug}", bind="query-params",
        label_visibility="collapsed",
    )  # fmt: skip
    if guess is None:
        st.caption(page["predict_first"])
        return False
    verdict = page["predict_right" if guess == right else "predict_wrong"]
    st.markdown(verdict.format(guess=guess, right=right))
    return True


def short(control: Control) -> str:
    """The name of a control in links for the class, without the lesson's prefix."""
    return control.key.partition("_")[2]


def linked(control: Control) -> Any:
    """The value that the link has for a control that is not drawn, or its default."""
    text = st.query_params.get(control.key)
    if text is None:
        return control.default
    if control.kind == "choice":
        named = {control.name(option): option for option in control.options}
        return named.get(text, control.default)
    try:
        value = type(control.default)(text)
    except (ValueError, OverflowError):
        return control.default
    return value if control.low <= value <= control.high else control.default


def wanted(lesson: Lesson, question: Question) -> dict[str, Any]:
    """The settings at which the picture shows the answer."""
    opening = lesson.defaults
    if lesson.slug == "factors":
        opening = {"U": toy.FIGURE_1_U, "V": toy.FIGURE_1_V}
    return opening | question.see


def same_picture(lesson: Lesson, one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two settings agree in all controls that have an effect in the first."""
    idle = {c.key for c in lesson.controls if not c.matters(one)}
    return all(one[key] == other[key] for key in one if key not in idle)


def put(lesson: Lesson, values: dict[str, Any]) -> None:
    """Set the controls."""
    if lesson.slug == "factors":
        put_toy(values["U"], values["V"])
    for control in lesson.controls:
        if control.matters(values):
            st.session_state[control.key] = values[control.key]


def widget(control: Control) -> Any:
    """A slider or a row of buttons, bound to the link."""
    if control.kind == "slider":
        kind = type(control.default)
        return st.slider(
            control.label, kind(control.low), kind(control.high), control.default,
            kind(control.step), key=control.key, bind="query-params", width=160,
        )  # fmt: skip
    return st.segmented_control(
        control.label, control.options, default=control.default, required=True,
        format_func=control.name, key=control.key, bind="query-params",
    )  # fmt: skip


def plane_picture(lesson: Lesson, values: dict[str, Any]) -> None:
    """Lesson 4: a point to drag; its prox comes from a lattice of computed ones."""
    lattice = prox.lattice(operator(values))
    draw_plane(
        data={
            **field_payload(lattice),
            "zero": np.packbits((lattice == 0).any(axis=-1)).tolist(),
            "words": {k: lesson.words[k] for k in ("drag", "readout")},
        },
        key="learn_plane",
    )


def picture_key(lesson: Lesson) -> str:
    """Where the figure of a lesson is on the page."""
    return f"learn_{lesson.slug}"


def player(all_of: Content, lesson: Lesson, told: Told) -> None:
    """Below a picture: buttons and a slider if it has several places, and its text."""
    words = {name: lesson.words[name] for name in ("back", "play", "pause", "step")}
    words |= {"player": all_of.page["player"], "slider": all_of.page["places"]}
    draw_player(
        data={
            "chart": picture_key(lesson), "texts": list(told.texts),
            "labels": list(told.labels), "milliseconds": told.milliseconds,
            "words": words,
        },
        key="learn_player",
    )  # fmt: skip


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
