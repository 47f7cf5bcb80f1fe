"""A lesson as one file that works from disk: its pictures, a player and its answers."""

import json
from html import escape
from typing import Any

from pages.learn.facts import facts
from pages.learn.papers import Values, answered, bold, heading, page
from pages.learn.pictures import PICTURES, field
from pages.learn.widgets import FOLDER, filled
from pages.shared.lessons.content import Lesson, content
from pages.shared.lessons.toy import FOLDER as TOY
from vstg.lessons.toy import N_TASKS, read_toy
from vstg.plots.lessons import told_by, toy_html
from vstg.plots.lessons.toy import NONE
from vstg.plots.palette import group_letter, group_style
from vstg.plots.svg.pictures import WIDTH, at_frame, figure_svg

# The range is the browser's own, so that every key works; the text says where it is.
SCRIPT = """
const range = document.querySelector("input[type=range]");
const frames = [...document.querySelectorAll("[data-label]")];
const said = document.querySelector("output");
function show() {
  frames.forEach((frame, place) => { frame.hidden = place !== +range.value; });
  const { label, text } = frames[range.value].dataset;
  said.textContent = text;
  range.setAttribute("aria-valuetext", label);
}
document.querySelectorAll("[data-step]").forEach((button) => {
  button.onclick = () => { range.value = +range.value + +button.dataset.step; show(); };
});
range.oninput = show;
show();
"""
STYLE = """
body { max-width: 46rem; }
.player { display: flex; gap: 0.6rem; align-items: center; flex-wrap: wrap; }
.player input { flex: 1 1 6rem; min-width: 0; }
.player button { font: inherit; padding: 0.3rem 0.8rem; }
.player output { flex-basis: 100%; font-weight: 600; } details { margin: 0.5rem 0; }
summary { cursor: pointer; }
.dashboard { --st-text-color: #16262b; --st-primary-color: #0f6b6b; }
.dashboard .toy-note { visibility: visible; }
.dashboard th, .dashboard td { border: 0; }
.dashboard .toy button { color: inherit; }
@media screen and (prefers-color-scheme: dark) {
  .dashboard { --st-text-color: #dbe6e6; --st-primary-color: #5baca3; }
  /* Hues stay, light and dark change places. */
  figure svg { filter: invert(0.92) hue-rotate(180deg); }
}
"""
NARROW = 520  # a picture that can still be read on a phone


def offline(lesson: Lesson, values: Values) -> bytes:
    """Text, player and questions; nothing in it asks a server."""
    words, known = content().page, facts(lesson)
    text = "".join(f"<p>{bold(filled(part, known))}</p>" for part in lesson.paper)
    ask = "".join(
        f"<details><summary>{escape(q.ask.format(**known))}</summary>"
        f"<p>{answered(lesson, q, known)}</p></details>"
        for q in lesson.questions
    )
    body = f"<h2>{escape(words['questions'])}</h2>{ask}"
    shown = _player(lesson, values) if lesson.slug in PICTURES else _toy(lesson, values)
    whole = f"<style>{STYLE}</style><h2>{escape(lesson.idea)}</h2>{shown}{text}{body}"
    if lesson.predict:  # the reader opens the lesson after a prediction
        ask = escape(lesson.predict.ask.format(**known))
        options = escape(words["comma"].join(lesson.predict.options))
        whole = (
            f"<details><summary><b>{ask}</b> ({options}) {escape(words['open_it'])}"
            f"</summary>{whole}</details>"
        )
    return page(heading(lesson), whole)


def states(lesson: Lesson, values: Values) -> dict[str, Any]:
    """The places of the player, or the lesson at each value of its first control."""
    figure = PICTURES[lesson.slug](lesson, values)
    if figure.frames:
        labels = told_by(figure).labels
        return {label: at_frame(figure, i) for i, label in enumerate(labels)}
    first, setting = lesson.controls[0], content().page["setting"]
    return {
        setting.format(name=first.label, value=first.name(option)): PICTURES[
            lesson.slug
        ](lesson, {**values, first.key: option})
        for option in first.options
    }


def _player(lesson: Lesson, values: Values) -> str:
    words, found = content().page, states(lesson, values)
    plane = ""
    if lesson.slug == "prox":  # its text is about the plane
        plane = f"<figure>{_drawn(field(lesson, values))}</figure>"
    frames = "".join(
        f'<figure data-label="{escape(label)}" '
        f'data-text="{escape(_text(label, figure))}">{_drawn(figure)}</figure>'
        for label, figure in found.items()
    )
    name = escape(words["places"])
    return (
        f'{frames}<div class="player"><output aria-live="polite"></output>'
        f'<button type="button" data-step="-1">{escape(lesson.words["back"])}</button>'
        f'<input type="range" min="0" max="{len(found) - 1}" value="0" '
        f'aria-label="{name}">'
        f'<button type="button" data-step="1">{escape(lesson.words["step"])}</button>'
        f"</div>{plane}<script>{SCRIPT}</script>"
    )


def _text(label: str, figure: Any) -> str:
    """What is said at a place; a setting is named first, as the text does not."""
    told = told_by(figure)
    return told.text if label in told.labels else f"{label}. {told.text}"


def _drawn(figure: Any) -> str:
    return figure_svg(figure, told_by(figure).text, width=_width(figure))


def _width(figure: Any) -> int:
    """Narrow, unless its axes have one scale and so cannot be squeezed."""
    return WIDTH if figure.layout.yaxis.scaleanchor else NARROW


def _toy(lesson: Lesson, values: Values) -> str:
    """Lesson 2: the tables to click, worked out in the file itself."""
    style = (TOY / "toy.css").read_text("utf-8")
    script = (FOLDER / "small_toy.js").read_text("utf-8")
    told = {
        "words": lesson.words,
        "letters": [group_letter(g) for g in range(N_TASKS)],
        "styles": [group_style(g) for g in range(N_TASKS)],
        "none": NONE,
    }
    tables = toy_html(read_toy(values["U"], values["V"]), (2, 0), lesson.words)
    return (
        f'<style>{style}{STYLE}</style><div class="dashboard">{tables}</div>'
        f'<div class="player"><output aria-live="polite"></output></div>'
        f"<script>const TOY = {json.dumps(told)};\n{script}</script>"
    )
