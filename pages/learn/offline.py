"""A lesson as one file that works from disk: its pictures, a player and its answers."""

from html import escape
from typing import Any

from pages.learn.facts import facts
from pages.learn.papers import Values, answered, bold, heading, page, picture
from pages.learn.pictures import PICTURES
from pages.learn.widgets import filled
from pages.shared.lessons.content import Lesson, content
from vstg.plots.static import at_frame, figure_svg

# The range is the browser's own, so that every key works; the text says where it is.
SCRIPT = """
const range = document.querySelector("input[type=range]");
const frames = [...document.querySelectorAll("[data-say]")];
const said = document.querySelector("output");
function show() {
  frames.forEach((frame, place) => { frame.hidden = place !== +range.value; });
  said.textContent = frames[range.value].dataset.say;
  range.setAttribute("aria-valuetext", said.textContent);
}
document.querySelectorAll("[data-step]").forEach((button) => {
  button.onclick = () => { range.value = +range.value + +button.dataset.step; show(); };
});
range.oninput = show;
show();
"""
STYLE = """
.player { display: flex; gap: 0.6rem; align-items: center; flex-wrap: wrap; }
.player input { flex: 1 1 12rem; }
.player button { font: inherit; padding: 0.3rem 0.8rem; }
.player output { flex-basis: 100%; font-weight: 600; } details { margin: 0.5rem 0; }
"""


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
    shown = _player(lesson, values) if lesson.slug in PICTURES else ""
    if not shown:
        shown = picture(lesson, values)
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
        labels = [step.label for step in figure.layout.sliders[0].steps]
        return {label: at_frame(figure, i) for i, label in enumerate(labels)}
    first, setting = lesson.controls[0], content().page["setting"]
    return {
        setting.format(name=first.label, value=first.name(option)): PICTURES[
            lesson.slug
        ](lesson, {**values, first.key: option})
        for option in first.options
    }


def _player(lesson: Lesson, values: Values) -> str:
    words = content().page
    found = states(lesson, values)
    if len(found) < 2:
        return ""
    frames = "".join(
        f'<figure data-say="{escape(label)}">'
        f"{figure_svg(figure, f'{lesson.title}: {label}')}</figure>"
        for label, figure in found.items()
    )
    name = escape(words["offline_slider"])
    return (
        f'{frames}<div class="player"><output aria-live="polite"></output>'
        f'<button type="button" data-step="-1">{escape(lesson.words["back"])}</button>'
        f'<input type="range" min="0" max="{len(found) - 1}" value="0" '
        f'aria-label="{name}">'
        f'<button type="button" data-step="1">{escape(lesson.words["step"])}</button>'
        f"</div><script>{SCRIPT}</script>"
    )
