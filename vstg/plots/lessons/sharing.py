"""Lesson 1: error curves over N, and the coefficients at one N."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.lessons.sharing import METHODS, Sharing
from vstg.plots.layout import title
from vstg.plots.lessons.player import (
    Trace,
    Words,
    columns,
    heat,
    matrix_axes,
    played,
    signed_scale,
)
from vstg.plots.palette import BLUE, GREY, ORANGE, PURPLE, TEAL

COLOURS = dict(zip(METHODS, (BLUE, ORANGE, PURPLE, TEAL), strict=True))
DASHES = dict(zip(METHODS, ("dot", "dash", "dashdot", "solid"), strict=True))


def sharing_figure(found: Sharing, words: Words, *, height: int = 590) -> go.Figure:
    """Curves on top, W of every method below; the frames walk along N."""
    data = [*_curves(found, words), _marker(found, 0)]
    first = len(data) - 1
    data += _maps(found, 0, words)
    frames = [
        {
            "data": [_marker(found, place), *_maps(found, place, words)[1:]],
            "traces": [first, *range(first + 2, len(data))],
        }
        for place in range(len(found.sizes))
    ]
    labels = [f"N = {size}" for size in found.sizes]
    return played(data, _layout(found, words, height), frames, labels, words, start=0)


def _curves(found: Sharing, words: Words) -> list[Trace]:
    lines: list[Trace] = [
        {
            "type": "scatter",
            "name": words[name],
            "x": list(found.sizes),
            "y": found.errors[name],
            "mode": "lines+markers",
            "line": {
                "color": COLOURS[name],
                "dash": DASHES[name],
                "width": 3.5 if name == "vstg" else 2,
            },
            "hovertemplate": "%{y:.2f}",
        }
        for name in METHODS
    ]
    floor = {
        "type": "scatter",
        "name": words["noise"],
        "x": [found.sizes[0], found.sizes[-1]],
        "y": [found.noise, found.noise],
        "mode": "lines",
        "line": {"color": GREY, "width": 1, "dash": "dot"},
        "hovertemplate": "%{y:.2f}",
    }
    return [*lines, floor]


def _marker(found: Sharing, place: int) -> Trace:
    values = [found.errors[name][place] for name in METHODS]
    return {
        "type": "scatter",
        "x": [found.sizes[place]] * len(values),
        "y": values,
        "mode": "markers+lines",
        "line": {"color": GREY, "width": 1},
        "marker": {
            "size": 12,
            "color": [COLOURS[name] for name in METHODS],
            "line": {"width": 2, "color": GREY},
        },
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _maps(found: Sharing, place: int, words: Words) -> list[Trace]:
    maps = [heat(found.truth, words["truth"], "2")]
    for number, name in enumerate(METHODS, start=3):
        maps.append(heat(found.W[name][place], words[name], str(number)))
    return maps


def _layout(found: Sharing, words: Words, height: int) -> dict[str, Any]:
    layout: dict[str, Any] = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 30, "b": 150, "pad": 0},
        "hovermode": "x unified",
        "legend": {"orientation": "h", "y": 1.01, "yanchor": "bottom", "x": 0},
        "coloraxis": signed_scale(float(np.abs(found.truth).max())),
        "xaxis": {
            "domain": [0, 1],
            "anchor": "y",
            "type": "log",
            "tickvals": list(found.sizes),
            "title": {"text": words["x"], "standoff": 2},
            "fixedrange": True,
        },
        "yaxis": {
            "domain": [0.52, 1],
            "rangemode": "tozero",
            "title": {"text": words["y"]},
            "automargin": True,
            "fixedrange": True,
        },
    }
    notes = []
    for number, share in enumerate(columns(5), start=2):
        layout |= matrix_axes(str(number), share, (0.0, 0.3), found.truth.shape)
        name = "truth" if number == 2 else METHODS[number - 3]
        notes.append(title(words[f"map_{name}"], share[0], 0.305, 12))
    return layout | {"annotations": notes}
