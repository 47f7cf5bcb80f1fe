"""Lesson 5: what (sU, V/s) does to the objective, scale by scale."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.lessons.steps import Rescaling
from vstg.plots.layout import title
from vstg.plots.lessons.player import (
    Trace,
    Words,
    heat,
    matrix_axes,
    played,
    signed_scale,
)
from vstg.plots.palette import GREY, ORANGE, PURPLE, TEAL

UPPER, LOWER = (0.66, 0.95), (0.0, 0.46)


def rescaling_figure(found: Rescaling, words: Words, *, height: int) -> go.Figure:
    """sU, V/s and their product above, penalties and objective over s below."""
    fixed = [*_curves(found, words), _marks(found, words)]
    moving = [_moving(found, s) for s in found.stops]
    frames = [
        {
            "data": data,
            "traces": list(range(len(fixed), len(fixed) + len(data))),
            "layout": {"title": {"text": f"<b>{caption(found, s, words)}</b>"}},
        }
        for s, data in zip(found.stops, moving, strict=True)
    ]
    start = found.stops.index(1.0)
    return played(
        [*fixed, *moving[start]],
        _layout(found, words, height),
        frames,
        [f"{s:.2f}" for s in found.stops],
        words,
        start=start,
    )


def caption(found: Rescaling, s: float, words: Words) -> str:
    """The objective and its parts at one scale."""
    u, v = found.prices(s)
    return words["did_scale"].format(
        s=f"{s:.2f}", objective=f"{found.at(s):.3f}", loss=f"{found.loss:.3f}",
        u=f"{u:.3f}", v=f"{v:.3f}",
    )  # fmt: skip


def _curves(found: Rescaling, words: Words) -> list[Trace]:
    kinds = (
        ("total", found.total, TEAL, "solid", 3.5),
        ("price_of_u", found.price_of_u, ORANGE, "dash", 2),
        ("price_of_v", found.price_of_v, PURPLE, "dot", 2),
    )
    return [
        {
            "type": "scatter",
            "name": words[name],
            "x": found.scales,
            "y": values,
            "mode": "lines",
            "line": {"color": colour, "dash": dash, "width": width},
            "hovertemplate": "%{y:.3f}",
        }
        for name, values, colour, dash, width in kinds
    ]


def _marks(found: Rescaling, words: Words) -> Trace:
    """Where one is, and where rescaling goes."""
    right = found.best < 1.0
    return {
        "type": "scatter",
        "x": [1.0, found.best],
        "y": [found.at(1.0), found.at(found.best)],
        "mode": "markers+text",
        "text": [words["before"], words["after"]],
        "textposition": ["top right", "top left"]
        if right
        else ["top left", "top right"],
        "marker": {"size": 10, "color": [GREY, TEAL]},
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _moving(found: Rescaling, s: float) -> list[Trace]:
    ring = {
        "type": "scatter",
        "x": [s] * 3,
        "y": [found.at(s), *found.prices(s)],
        "mode": "markers",
        "marker": {
            "size": 15,
            "color": "rgba(0,0,0,0)",
            "line": {"width": 3, "color": [TEAL, ORANGE, PURPLE]},
        },
        "showlegend": False,
        "hoverinfo": "skip",
    }
    U, V = s * found.U, found.V / s
    return [
        ring,
        heat(U, "sU", "2"),
        heat(V, "V/s", "3", "coloraxis2"),
        heat(found.U @ found.V, "W", "4", "coloraxis3"),  # the scale cancels
    ]


def _layout(found: Rescaling, words: Words, height: int) -> dict[str, Any]:
    U, V = found.U, found.V
    largest = [float(np.abs(A).max()) for A in (1.5 * U, 1.5 * V, U @ V)]
    layout: dict[str, Any] = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 66, "b": 150, "pad": 0},
        "title": {
            "text": f"<b>{caption(found, 1.0, words)}</b>", "font": {"size": 15},
            "x": 0,
        },
        "hovermode": "x unified",
        "legend": {"orientation": "h", "y": 0.475, "yanchor": "bottom", "x": 0},
        "xaxis": {
            "type": "log", "anchor": "y", "fixedrange": True,
            "tickvals": [0.4, 0.6, 0.8, 1.0, 1.5, 2.0, 2.5],
            "title": {"text": words["scale"], "standoff": 4},
        },
        "yaxis": {
            "domain": list(LOWER), "anchor": "x", "rangemode": "tozero",
            "fixedrange": True, "automargin": True, "title": {"text": words["value"]},
        },
    }  # fmt: skip
    notes = []
    spans = ((0.0, 0.16), (0.26, 0.6), (0.7, 1.0))
    parts = zip("234", spans, (U, V, U @ V), ("is_sU", "is_Vs", "is_UV"), strict=True)
    for axis, span, matrix, name in parts:
        low = UPPER[0] if name != "is_Vs" else 0.84
        layout |= matrix_axes(axis, span, (low, UPPER[1]), matrix.shape)
        notes.append(title(words[name], span[0], UPPER[1] + 0.005, 12))
    for number, limit in enumerate(largest, start=1):
        layout[f"coloraxis{number if number > 1 else ''}"] = signed_scale(limit)
    return layout | {"annotations": notes}
