"""The clickable example W = U V of lesson 2, which Reproduce shows as Figure 1."""

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from pages.shared.state import keys
from pages.shared.ui.component import component
from vstg.lessons import toy
from vstg.plots.lessons import toy_html
from vstg.plots.lessons.toy import formula

FOLDER = Path(__file__).parent
draw_toy = component(FOLDER, "toy")


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


def toy_picture(words: Mapping[str, str]) -> None:
    """Three tables to click, and what follows from them."""
    found = toy.read_toy(*toy_state())
    focus = st.session_state.get(keys.LEARN_TOY_FOCUS, (2, 0))
    kept = ", ".join(f"x{i + 1}" for i in found.kept) or words["none"]
    groups = " · ".join(
        "{" + ", ".join(str(j + 1) for j in g.tasks) + "}"
        + (f" {words['nobasis']}" if g.empty else "")
        for g in found.groups
    )  # fmt: skip
    shared = ", ".join(f"b{r + 1}" for r in found.shared(0, 2)) or words["none"]
    rows = {"kept": kept, "groups": groups, "overlap": shared}
    said = [formula(found, focus), *(f"{words[k]}: {v}" for k, v in rows.items())]
    draw_toy(
        data={"html": toy_html(found, focus, words), "said": ". ".join(said)},
        key=keys.LEARN_TOY,
        on_cell_change=lambda: click(st.session_state[keys.LEARN_TOY].get("cell")),
    )
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
