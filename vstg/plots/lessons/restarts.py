"""Lesson 6: ends of many starts, one of them looked at."""

from itertools import count
from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.lessons.restarts import Landscape
from vstg.notation import decimal_text
from vstg.plots.layout import Trace, dots, fixed_axis, legend_above, margins, title
from vstg.plots.lessons.player import Words, heat, matrix_axes, played, signed_scale
from vstg.plots.palette import BLUE, GREY, ORANGE, TEAL

KINDS = {
    "paper": (ORANGE, "star", 13),
    "turned": (BLUE, "circle", 11),
    "random": (TEAL, "diamond", 9),
}
COLUMNS = 24  # of the lower panel, each as wide as a mark


def landscape_figure(found: Landscape, words: Words, *, height: int = 470) -> go.Figure:
    """Objective against error; the frames go from the lowest end to the highest.

    Most starts end at one of a few places, where their marks would cover each other:
    the lower panel stacks them, one mark per start.
    """
    data = [_ends(found, kind, words, low) for low in (0, 1) for kind in KINDS]
    truth = [heat(found.V, "V*", "2"), heat(found.U @ found.V, "W*", "4", "coloraxis2")]
    fixed = [*data, *truth]
    moving = list(range(len(fixed), len(fixed) + 4))
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
        [_text(found, place, words) for place in range(len(found.ends))],
    )


def _text(found: Landscape, place: int, words: Words) -> str:
    end = found.ends[place]
    return words["said"].format(
        place=place + 1, count=len(found.ends), kind=words[end.kind],
        objective=decimal_text(end.objective), error=decimal_text(end.error),
        agreement=decimal_text(end.agreement),
    )  # fmt: skip


def span(found: Landscape) -> tuple[float, float]:
    """Limits of the objectives, at least 2% apart: rounding is no difference."""
    low, high = found.ends[0].objective, found.ends[-1].objective
    room = max(0.12 * (high - low), 0.01 * abs(high))
    return low - room, high + room


def stacked(found: Landscape) -> list[int]:
    """The height of each end in the lower panel, from 1: the lowest that is free."""
    low, high = span(found)
    width = (high - low) / COLUMNS
    heights: list[int] = []
    for end in found.ends:
        before = zip(found.ends, heights, strict=False)
        near = {h for e, h in before if end.objective - e.objective < width}
        heights.append(next(h for h in count(1) if h not in near))
    return heights


def _ends(found: Landscape, kind: str, words: Words, low: int) -> Trace:
    colour, symbol, size = KINDS[kind]
    heights = stacked(found)
    places = [i for i, end in enumerate(found.ends) if end.kind == kind]
    ends = [found.ends[i] for i in places]
    if low:
        room = 165 / max(heights)  # pixels per mark
        return dots(
            [end.objective for end in ends], [heights[i] for i in places],
            colour=colour, size=min(size, room), marker={"symbol": symbol},
            text=[f"{end.error:.2f}" for end in ends], xaxis="x6", yaxis="y6",
            hover=words["hover_start"] + "<extra></extra>",
        )  # fmt: skip
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
    ring: dict[str, Any] = {"colour": clear, "size": 24, "marker": edge}
    height = stacked(found)[place]
    return [
        dots([end.objective], [end.error], **ring),
        dots([end.objective], [height], xaxis="x6", yaxis="y6", **ring),
        heat(end.V, "V", "3"),
        heat(end.U @ end.V, "W", "5", "coloraxis2"),
    ]


def _layout(found: Landscape, words: Words, height: int) -> dict[str, Any]:
    largest = float(max(np.abs(end.V).max() for end in found.ends))
    layout: dict[str, Any] = {
        "height": height,
        "margin": margins(36),
        "hovermode": "closest",
        "legend": legend_above(1.01),
        "coloraxis": signed_scale(max(largest, float(np.abs(found.V).max()))),
        "coloraxis2": signed_scale(float(np.abs(found.U @ found.V).max())),
        "xaxis": {
            "domain": [0, 0.5], "anchor": "y", "fixedrange": True,
            "range": span(found), "showticklabels": False,
        },
        "yaxis": fixed_axis(
            words["y"], domain=[0.54, 1], anchor="x", automargin=True,
            rangemode="tozero",
        ),
        "xaxis6": {
            "domain": [0, 0.5], "anchor": "y6", "fixedrange": True,
            "range": span(found), "title": {"text": words["x"], "standoff": 2},
        },
        "yaxis6": fixed_axis(
            words["starts"], domain=[0, 0.48], anchor="x6", automargin=True,
            range=[0, max(stacked(found)) + 1],
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
