"""Figures as small SVG pictures, for paper: what plotly shows, without its script.

Only what the figures of this project use is drawn: curves, marks, bars, heat maps,
level sets and surfaces, with linear or logarithmic axes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.data import Array
from vstg.plots.svg import marks
from vstg.plots.svg.marks import text

WIDTH, INK, FAINT = 760, "#16262b", "#dfe7e6"
LEFT, RIGHT, LETTER = 62, 14, 6.4  # pixels
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Axis:
    """One axis: from values to pixels."""

    low: float
    high: float
    start: float
    end: float
    log: bool
    raw: dict[str, Any]

    def __call__(self, values: Any) -> Array:
        """Positions in pixels; NaN where there is none."""
        numbers = marks.numbers(values)
        if self.log:
            with np.errstate(divide="ignore", invalid="ignore"):
                numbers = np.log10(numbers)
        share = (numbers - self.low) / (self.high - self.low)
        return np.asarray(self.start + share * (self.end - self.start))

    def ticks(self) -> list[tuple[float, str]]:
        """Values with their labels, at most about seven."""
        if self.raw.get("showticklabels") is False:
            return []
        low, high = sorted((self.low, self.high))
        if "tickvals" in self.raw:
            values = [float(v) for v in self.raw["tickvals"]]
            labels = self.raw.get("ticktext") or [f"{v:g}" for v in values]
            return list(zip(values, labels, strict=True))
        if self.log:
            powers = range(int(np.ceil(low)), int(np.floor(high)) + 1)
            return [(10.0**p, f"{10.0**p:g}") for p in powers]
        rough = (high - low) / 5
        unit = 10.0 ** np.floor(np.log10(rough))
        step = unit * min((1, 2, 5, 10), key=lambda m: abs(m * unit - rough))
        count = range(int(np.ceil(low / step)), int(np.floor(high / step + 1e-9)) + 1)
        share = str(self.raw.get("tickformat", "")).endswith("%")
        text = "{:.0%}" if share else "{:.6g}"
        return [(i * step, text.format(i * step).replace("-", "−")) for i in count]


def at_frame(figure: go.Figure, place: int) -> go.Figure:
    """The figure as its player shows it at one place."""
    # Without the frames: copying them for every place took most of the time.
    shown, frame = go.Figure(figure.data, figure.layout), figure.frames[place]
    for number, trace in zip(frame.traces, frame.data, strict=True):
        shown.data[number].update(trace)
    shown.layout.update(frame.layout)
    shown.layout.meta = {**figure.layout.meta, "place": place}
    return shown


def figure_svg(figure: go.Figure, alt: str, *, width: int = WIDTH) -> str:
    """The figure as it opens, as one <svg> with ``alt`` as its description."""
    layout = figure.layout.to_plotly_json()
    traces = [trace.to_plotly_json() for trace in figure.data]
    margin = layout.get("margin", {})
    top = max(float(margin.get("t", 30)), 24)
    tall = float(layout.get("height", 450))
    inner = tall - top - float(margin.get("b", 8))
    box = (LEFT, top, width - RIGHT, top + inner)
    legend, lines = _legend(traces, width, box[3] + 58)
    axes = _axes(traces, layout, box)
    parts = [_frame(axes[x], axes[y]) for x, y in _pairs(traces)]
    parts += [_shape(shape, axes, box) for shape in layout.get("shapes", ())]
    bottom: dict[tuple[str, str], Array] = {}
    for trace in traces:
        if trace["type"] == "mesh3d":
            parts.append(marks.surface(trace, layout, box))
            continue
        pair = _pair(trace)
        parts.append(marks.draw(trace, axes[pair[0]], axes[pair[1]], layout, bottom))
    parts += [_note(note, axes, box) for note in layout.get("annotations", ())]
    height = box[3] + 50 + 20 * lines
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" font-size="12" '
        f'viewBox="0 0 {width} {height:.0f}" fill="{INK}" '
        'font-family="system-ui, sans-serif">'
        f"<title>{escape(alt)}</title>{''.join(parts)}{legend}</svg>"
    )


def _pair(trace: dict[str, Any]) -> tuple[str, str]:
    return trace.get("xaxis") or "x", trace.get("yaxis") or "y"


def _pairs(traces: Iterable[dict[str, Any]]) -> list[tuple[str, str]]:
    return list(dict.fromkeys(_pair(t) for t in traces if t["type"] != "mesh3d"))


def _axes(
    traces: Sequence[dict[str, Any]], layout: dict[str, Any], box: Box
) -> dict[str, Axis]:
    found = {}
    for x, y in _pairs(traces):
        own = [t for t in traces if _pair(t) == (x, y)]
        for name, (start, end) in ((x, box[0::2]), (y, box[3:0:-2])):
            raw = layout.get(f"{name[0]}axis{name[1:]}", {})
            low, high = raw.get("domain", (0, 1))
            ends = (start + low * (end - start), start + high * (end - start))
            log = raw.get("type") == "log"
            found[name] = Axis(*_range(own, raw, name[0], log), *ends, log, raw)
        if "scaleanchor" in found[y].raw:
            found[x] = _square(found[x], found[y])
    return found


def _square(x: Axis, y: Axis) -> Axis:
    """The same number of pixels per unit as ``y``."""
    wide = (x.high - x.low) * abs(y.end - y.start) / (y.high - y.low)
    middle = (x.start + x.end) / 2
    return Axis(x.low, x.high, middle - wide / 2, middle + wide / 2, x.log, x.raw)


def _range(
    traces: Sequence[dict[str, Any]], raw: dict[str, Any], name: str, log: bool
) -> tuple[float, float]:
    if "range" in raw:
        return float(raw["range"][0]), float(raw["range"][1])
    values: list[Array] = [np.zeros(0)]
    for trace in traces:
        values.append(marks.numbers(trace[name]))
    stack = [t[name] for t in traces if t.get("stackgroup")]
    if stack and name == "y":
        values.append(np.sum([np.ravel(v) for v in stack], axis=0))
    every = np.concatenate(values)
    every = every[np.isfinite(every)]
    every = np.log10(every[every > 0]) if log else every
    low, high = (every.min(), every.max()) if len(every) else (0.0, 1.0)
    room = 0.05 * ((high - low) or 1.0)
    to_zero = raw.get("rangemode") == "tozero" and not log
    return (0.0 if to_zero else float(low - room)), float(high + room)


def _frame(x: Axis, y: Axis) -> str:
    """Grid, ticks and names of one pair of axes, or a thin frame of a heat map."""
    left, right = sorted((x.start, x.end))
    top, bottom = sorted((y.start, y.end))
    if x.raw.get("showline"):
        return (
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" '
            f'height="{bottom - top:.1f}" fill="none" stroke="#aab5b4"/>'
        )
    parts = []
    for value, label in y.ticks():
        at = float(y(value)[0])
        parts.append(marks.path(f"M{left:.1f} {at:.1f}H{right:.1f}", FAINT, 1))
        parts.append(text(left - 5, at + 4, label, size=11, anchor="end"))
    for value, label in x.ticks():
        at = float(x(value)[0])
        parts.append(marks.path(f"M{at:.1f} {bottom:.1f}v4", "#aab5b4", 1))
        parts.append(text(at, bottom + 16, label, size=11, anchor="middle"))
    parts.append(marks.path(f"M{left:.1f} {bottom:.1f}H{right:.1f}", "#aab5b4", 1))
    name = x.raw.get("title", {}).get("text", "")
    parts.append(text((left + right) / 2, bottom + 33, name, anchor="middle"))
    name, middle = y.raw.get("title", {}).get("text", ""), (top + bottom) / 2
    parts.append(text(left - 44, middle, name, anchor="middle", turn=True))
    return "".join(parts)


def _at(value: Any, ref: str, axes: dict[str, Axis], box: Box) -> float:
    """A position of a shape or a note: in data, or as a share."""
    ends = box[0::2] if ref[0] == "x" else box[3:0:-2]
    name, _, share = ref.partition(" ")
    if share and name in axes:
        ends = (axes[name].start, axes[name].end)
    elif name in axes:
        return float(axes[name](value)[0])
    return float(ends[0] + value * (ends[1] - ends[0]))


def _ref(part: dict[str, Any], side: str) -> str:
    ref = str(part.get(f"{side}ref", side))
    return f"{side}paper" if ref == "paper" else ref


def _shape(shape: dict[str, Any], axes: dict[str, Axis], box: Box) -> str:
    x0, x1 = (_at(shape[k], _ref(shape, "x"), axes, box) for k in ("x0", "x1"))
    y0, y1 = (_at(shape[k], _ref(shape, "y"), axes, box) for k in ("y0", "y1"))
    pen = shape.get("line", {})
    if shape["type"] == "line":
        way = f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}"
        return marks.path(way, pen.get("color"), pen.get("width", 1), pen.get("dash"))
    return (
        f'<rect x="{min(x0, x1):.1f}" y="{min(y0, y1):.1f}" width="{abs(x1 - x0):.1f}" '
        f'height="{abs(y1 - y0):.1f}" fill="{shape.get("fillcolor", "none")}"/>'
    )


def _note(note: dict[str, Any], axes: dict[str, Axis], box: Box) -> str:
    x = _at(note["x"], _ref(note, "x"), axes, box)
    y = _at(note["y"], _ref(note, "y"), axes, box)
    size = float(note.get("font", {}).get("size", 12))
    drop = {"top": size, "middle": 0.35 * size}.get(note.get("yanchor", ""), -3.0)
    anchor = {"right": "end", "center": "middle"}.get(note.get("xanchor", ""), "start")
    return text(x, y + drop, note.get("text", ""), size=size, anchor=anchor)


def _legend(
    traces: Sequence[dict[str, Any]], width: int, y: float
) -> tuple[str, int]:  # fmt: skip
    """Keys and names from left to right, in as many lines as they need."""
    parts, x, lines = [], float(LEFT), 0
    for trace in traces:
        name = trace.get("name")
        hidden = trace.get("showlegend") is False or trace["type"] in marks.NO_LEGEND
        if not name or hidden:
            continue
        wide = 34 + LETTER * len(name)
        if not lines or x + wide > width:
            x, lines = float(LEFT), lines + 1
        at = y + 20 * (lines - 1)
        parts.append(marks.key(trace, x, at - 4) + text(x + 28, at, name))
        x += wide + 12
    return "".join(parts), lines
