"""Lesson 1: error curves over N, and the coefficients at one N."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.lessons.sharing import METHODS, Sharing
from vstg.notation import decimal_text
from vstg.plots.layout import (
    Trace,
    dots,
    fixed_axis,
    legend_above,
    line,
    margins,
    title,
)
from vstg.plots.lessons.player import (
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


def sharing_figure(found: Sharing, words: Words, *, height: int = 470) -> go.Figure:
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
    texts = [_text(found, place, words) for place in range(len(found.sizes))]
    return played(data, _layout(found, words, height), frames, labels, texts)


def _text(found: Sharing, place: int, words: Words) -> str:
    errors = {name: decimal_text(found.errors[name][place]) for name in METHODS}
    return words["said"].format(
        N=found.sizes[place], noise=f"{found.noise:g}", **errors
    )


def _curves(found: Sharing, words: Words) -> list[Trace]:
    lines = [
        line(
            list(found.sizes), found.errors[name], words[name],
            colour=COLOURS[name], dash=DASHES[name], hover="%{y:.2f}",
            width=3.5 if name == "vstg" else 2, mode="lines+markers",
        )
        for name in METHODS
    ]  # fmt: skip
    floor = line(
        [found.sizes[0], found.sizes[-1]], [found.noise] * 2, words["noise"],
        colour=GREY, width=1, dash="dot", hover="%{y:.2f}",
    )  # fmt: skip
    return [*lines, floor]


def _marker(found: Sharing, place: int) -> Trace:
    values = [found.errors[name][place] for name in METHODS]
    return dots(
        [found.sizes[place]] * len(values), values,
        colour=[COLOURS[name] for name in METHODS], size=12,
        marker={"line": {"width": 2, "color": GREY}},
        mode="markers+lines", line={"color": GREY, "width": 1},
    )  # fmt: skip


def _maps(found: Sharing, place: int, words: Words) -> list[Trace]:
    maps = [heat(found.truth, words["truth"], "2")]
    for number, name in enumerate(METHODS, start=3):
        maps.append(heat(found.W[name][place], words[name], str(number)))
    return maps


def _layout(found: Sharing, words: Words, height: int) -> dict[str, Any]:
    layout: dict[str, Any] = {
        "height": height,
        "margin": margins(30),
        "hovermode": "x unified",
        "legend": legend_above(1.01),
        "coloraxis": signed_scale(float(np.abs(found.truth).max())),
        "xaxis": {
            "domain": [0, 1], "anchor": "y", "type": "log", "fixedrange": True,
            "tickvals": list(found.sizes),
            "title": {"text": words["x"], "standoff": 2},
        },
        "yaxis": fixed_axis(
            words["y"], domain=[0.52, 1], rangemode="tozero", automargin=True
        ),
    }  # fmt: skip
    notes = []
    for number, share in enumerate(columns(5), start=2):
        layout |= matrix_axes(str(number), share, (0.0, 0.3), found.truth.shape)
        name = "truth" if number == 2 else METHODS[number - 3]
        notes.append(title(words[f"map_{name}"], share[0], 0.305, 12))
    return layout | {"annotations": notes}
