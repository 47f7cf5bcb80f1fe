"""Lesson 4: a field of inputs and outputs, and curves of one entry."""

import base64
from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.data import Array
from vstg.lessons.prox import REACH, STEP, ticks
from vstg.plots.lessons.player import Words
from vstg.plots.palette import BLUE, GREY, ORANGE, PURPLE, TEAL

COLOURS = {"l1": BLUE, "l1_inf": ORANGE, "both": TEAL, "ksp": PURPLE}
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
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter", "x": x, "y": y, "mode": "lines",
            "line": {"color": GREY, "width": 1}, "showlegend": False,
            "hoverinfo": "skip",
        },
        {
            "type": "scatter", "x": [p[0] for p in chosen], "y": [p[1] for p in chosen],
            "mode": "lines+markers", "name": words["moved"], "showlegend": False,
            "line": {"color": TEAL, "width": 3},
            "marker": {"size": [9, 14], "color": [GREY, TEAL]},
        },
    ]  # fmt: skip
    layout = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 30, "b": 8, "pad": 0},
        "xaxis": {
            "title": {"text": "a₁"}, "range": [-REACH, REACH], "constrain": "domain",
        },
        "yaxis": {
            "title": {"text": "a₂"}, "range": [-REACH, REACH], "scaleanchor": "x",
            "constrain": "domain",
        },
    }  # fmt: skip
    return go.Figure({"data": traces, "layout": layout})


def curve_figure(
    curves: dict[str, Array], chosen: str, words: Words, *, height: int
) -> go.Figure:
    """Output against input of the first entry; the chosen operator stands out."""
    at = ticks()
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter", "name": words["identity"], "x": at, "y": at,
            "mode": "lines", "line": {"color": GREY, "width": 1}, "hoverinfo": "skip",
        }
    ]  # fmt: skip
    for name, values in curves.items():
        on = name == chosen
        traces.append(
            {
                "type": "scatter",
                "name": words[name],
                "x": at,
                "y": values,
                "mode": "lines",
                "line": {
                    "color": COLOURS[name],
                    "dash": DASHES[name],
                    "width": 4 if on else 1.8,
                },
                "opacity": 1.0 if on else 0.75,
                "hovertemplate": "%{y:.2f}",
            }
        )
    layout = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 12, "b": 8, "pad": 0},
        "hovermode": "x unified",
        "legend": {"orientation": "h", "y": -0.2, "yanchor": "top", "x": 0},
        "xaxis": {"title": {"text": words["input"]}, "fixedrange": True},
        "yaxis": {
            "title": {"text": words["output"]}, "fixedrange": True, "automargin": True,
        },
    }  # fmt: skip
    return go.Figure({"data": traces, "layout": layout})
