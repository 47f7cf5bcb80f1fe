"""Lesson 4: a field of inputs and outputs, and curves of one entry."""

import base64
from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.data import Array
from vstg.lessons.prox import REACH, STEP, ticks
from vstg.notation import decimal_text
from vstg.plots.layout import dots, fixed_axis, line, margins
from vstg.plots.lessons.player import Words, told
from vstg.plots.palette import BLUE, GREY, ORANGE, PURPLE, TEAL

COLOURS = {"l1": BLUE, "l1_inf": ORANGE, "both": TEAL, "ksp": PURPLE}
SAID_AT = 2.0  # the input at which the text reads the curves
DASHES = {"l1": "dash", "l1_inf": "dot", "both": "solid", "ksp": "dashdot"}


def field_payload(values: Array) -> dict[str, Any]:
    """prox on the lattice, for the picture that moves with the pointer."""
    packed = np.ascontiguousarray(values, dtype=np.float32).tobytes()
    return {
        "values": base64.b64encode(packed).decode("ascii"),
        "count": len(values),
        "reach": REACH,
        "step": STEP,
    }


def field_figure(values: Array, at: Array, words: Words, *, height: int) -> go.Figure:
    """The same picture standing still: arrows from some inputs to their prox."""
    points = ticks()
    some = range(0, len(points), 6)
    x: list[float | None] = []
    y: list[float | None] = []
    for i in some:
        for j in some:
            x += [points[i], float(values[i, j, 0]), None]
            y += [points[j], float(values[i, j, 1]), None]
    i, j = (int(np.abs(points - value).argmin()) for value in at)
    chosen = [at, values[i, j]]
    moved = dots(
        [p[0] for p in chosen], [p[1] for p in chosen], words["moved"],
        colour=[GREY, TEAL], size=[9, 14], mode="lines+markers", showlegend=False,
        line={"color": TEAL, "width": 3}, hoverinfo=None,
    )  # fmt: skip
    ends = {"range": [-REACH, REACH], "constrain": "domain"}
    layout = {
        "height": height,
        "margin": margins(30),
        "xaxis": {"title": {"text": "a₁"}, **ends},
        "yaxis": {"title": {"text": "a₂"}, **ends, "scaleanchor": "x"},
    }
    figure = go.Figure(
        {"data": [line(x, y, colour=GREY, width=1), moved], "layout": layout}
    )
    named = {
        f"{n}{i + 1}": decimal_text(float(p[i]))
        for n, p in zip("ap", chosen, strict=True)
        for i in (0, 1)
    }
    return told(figure, words["readout"].format(**named))


def curve_figure(
    curves: dict[str, Array], chosen: str, second: float, words: Words, *, height: int
) -> go.Figure:
    """Output against input of the first entry; the chosen operator stands out."""
    at = ticks()
    traces = [line(at, at, words["identity"], colour=GREY, width=1)]
    for name, values in curves.items():
        on = name == chosen
        curve = line(
            at, values, words[name],
            colour=COLOURS[name], dash=DASHES[name], width=4 if on else 1.8,
            opacity=1.0 if on else 0.75, hover="%{y:.2f}",
        )  # fmt: skip
        traces.append(curve)
    layout = {
        "height": height,
        "margin": margins(12),
        "hovermode": "x unified",
        "legend": {"orientation": "h", "y": -0.2, "yanchor": "top", "x": 0},
        "xaxis": fixed_axis(words["input"]),
        "yaxis": fixed_axis(words["output"], automargin=True),
    }
    figure = go.Figure({"data": traces, "layout": layout})
    two = int(np.abs(at - SAID_AT).argmin())
    moved = {name: decimal_text(float(values[two])) for name, values in curves.items()}
    text = words["said"].format(second=f"{second:g}", first=f"{SAID_AT:g}", **moved)
    return told(figure, text)
