"""The controls of a lesson, and the two pictures that respond to the pointer."""

from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from pages.learn.content import Control, Lesson, Question
from pages.learn.pictures import operator
from pages.shared.state import keys
from vstg.lessons import prox, toy
from vstg.plots.lessons import field_payload, toy_html
from vstg.plots.lessons.toy import formula

FOLDER = Path(__file__).with_name("parts")


def component(name: str) -> Any:
    """A part of the page with its own script and style."""
    return st.components.v2.component(
        f"vstg_learn_{name}",
        html=f'<div class="learn-{name}"></div>',
        css=(FOLDER / f"{name}.css").read_text("utf-8"),
        js=(FOLDER / f"{name}.js").read_text("utf-8"),
        isolate_styles=False,
    )


draw_toy = component("toy")
draw_plane = component("plane")


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


def toy_state() -> tuple[str, str]:
    """The factors in the link, or Figure 1."""
    u = st.query_params.get("U", toy.FIGURE_1_U)
    v = st.query_params.get("V", toy.FIGURE_1_V)
    return (u, v) if toy.valid(u, v) else (toy.FIGURE_1_U, toy.FIGURE_1_V)


def toy_values() -> dict[str, Any]:
    """The factors as settings."""
    u, v = toy_state()
    return {"U": u, "V": v}


def click(cell: object) -> None:
    """Change an entry of U or V, or show the sum behind an entry of W."""
    match str(cell).split(","):
        case ["U", i, r] if i.isdigit() and r.isdigit():
            place = int(i) * toy.N_BASES + int(r)
            put_toy(toy.turn(toy_state()[0], place), toy_state()[1])
        case ["V", r, j] if r.isdigit() and j.isdigit():
            place = int(r) * toy.N_TASKS + int(j)
            put_toy(toy_state()[0], toy.turn(toy_state()[1], place))
        case ["W", i, j] if i.isdigit() and j.isdigit():
            st.session_state[keys.LEARN_TOY_FOCUS] = (int(i), int(j))


def put_toy(u: str, v: str) -> None:
    """Keep the factors in the link, unless they are those of Figure 1."""
    for key, text, usual in (("U", u, toy.FIGURE_1_U), ("V", v, toy.FIGURE_1_V)):
        if text == usual:
            st.query_params.pop(key, None)
        else:
            st.query_params[key] = text


def toy_picture(lesson: Lesson) -> None:
    """Lesson 2: three tables to click, and what follows from them."""
    words = lesson.words
    found = toy.read_toy(*toy_state())
    focus = st.session_state.get(keys.LEARN_TOY_FOCUS, (2, 0))
    draw_toy(
        data={"html": toy_html(found, focus, words)},
        key=keys.LEARN_TOY,
        on_cell_change=lambda: click(st.session_state[keys.LEARN_TOY].get("cell")),
    )
    kept = ", ".join(f"x{i + 1}" for i in found.kept) or words["none"]
    groups = " · ".join(
        "{" + ", ".join(str(j + 1) for j in g.tasks) + "}"
        + (f" {words['nobasis']}" if g.empty else "")
        for g in found.groups
    )  # fmt: skip
    shared = ", ".join(f"b{r + 1}" for r in found.shared(0, 2)) or words["none"]
    rows = {"kept": kept, "groups": groups, "overlap": shared}
    items = "".join(
        f"<div><dt>{escape(words[k])}</dt><dd>{escape(v)}</dd></div>"
        for k, v in rows.items()
    )
    line = f'<div class="vstg-formula">{escape(formula(found, focus))}</div>'
    st.html(f'{line}<dl class="learn-say">{items}</dl>')
    st.button(
        words["reset"], key="learn_toy_reset", on_click=put_toy,
        args=(toy.FIGURE_1_U, toy.FIGURE_1_V),
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
