"""Lesson 6: ends of many starts, one of them looked at."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.lessons.restarts import Landscape
from vstg.plots.layout import Trace, dots, fixed_axis, legend_above, margins, title
from vstg.plots.lessons.player import Words, heat, matrix_axes, played, signed_scale
from vstg.plots.palette import BLUE, GREY, ORANGE, TEAL

KINDS = {
    "paper": (ORANGE, "star", 13),
    "turned": (BLUE, "circle-open", 17),
    "random": (TEAL, "diamond", 8),
}


def landscape_figure(found: Landscape, words: Words, *, height: int = 590) -> go.Figure:
    """Objective against error; the frames go from the lowest end to the highest."""
    data = [_ends(found, kind, words) for kind in reversed(KINDS)]
    truth = [heat(found.V, "V*", "2"), heat(found.U @ found.V, "W*", "4", "coloraxis2")]
    fixed = [*data, *truth]
    moving = list(range(len(fixed), len(fixed) + 3))
    frames = [
        {"data": _moving(found, place), "traces": moving}
        for place in range(len(found.ends))
    ]
    labels = [f"{place + 1} / {len(found.ends)}" for place in range(len(found.ends))]
    return played(
        [*fixed, *_moving(found, 0)],
        _layout(found, words, height),
        frames,
        labels,
        words,
    )


def _ends(found: Landscape, kind: str, words: Words) -> Trace:
    colour, symbol, size = KINDS[kind]
    ends = found.of_kind(kind)
    return dots(
        [end.objective for end in ends], [end.error for end in ends], words[kind],
        colour=colour, size=size, marker={"symbol": symbol},
        text=[f"{end.agreement:.2f}" for end in ends],
        hover=words["hover"] + "<extra></extra>",
    )  # fmt: skip


def _moving(found: Landscape, place: int) -> list[Trace]:
    end = found.ends[place]
    edge = {"line": {"width": 3, "color": GREY}}
    clear = "rgba(0,0,0,0)"
    return [
        dots([end.objective], [end.error], colour=clear, size=30, marker=edge),
        heat(end.V, "V", "3"),
        heat(end.U @ end.V, "W", "5", "coloraxis2"),
    ]


def _layout(found: Landscape, words: Words, height: int) -> dict[str, Any]:
    largest = float(max(np.abs(end.V).max() for end in found.ends))
    layout: dict[str, Any] = {
        "height": height,
        "margin": margins(36, 150),
        "hovermode": "closest",
        "legend": legend_above(1.01),
        "coloraxis": signed_scale(max(largest, float(np.abs(found.V).max()))),
        "coloraxis2": signed_scale(float(np.abs(found.U @ found.V).max())),
        "xaxis": {
            "domain": [0, 0.5], "anchor": "y", "fixedrange": True,
            "title": {"text": words["x"], "standoff": 2},
        },
        "yaxis": fixed_axis(
            words["y"], domain=[0, 1], anchor="x", automargin=True, rangemode="tozero"
        ),
    }  # fmt: skip
    left, right = (0.56, 0.77), (0.79, 1.0)
    V, W = found.V.shape, (len(found.U), found.V.shape[1])
    layout |= matrix_axes("2", right, (0.76, 0.95), V)
    layout |= matrix_axes("3", left, (0.76, 0.95), V)
    layout |= matrix_axes("4", right, (0.0, 0.66), W)
    layout |= matrix_axes("5", left, (0.0, 0.66), W)
    notes = [
        title(words["V"], left[0], 0.955), title(words["V_true"], right[0], 0.955),
        title(words["W"], left[0], 0.665), title(words["W_true"], right[0], 0.665),
    ]  # fmt: skip
    return layout | {"annotations": notes}
