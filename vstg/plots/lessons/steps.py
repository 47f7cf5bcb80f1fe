"""Lesson 5: Algorithm 1 as an animation, with the fast solver for comparison."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.lessons.steps import STOP, Frame, Steps
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

COPIES = ("U", "Z1", "Z2", "Z3")
TOP, LOW = (0.6, 0.93), (0.0, 0.4)


def steps_figure(found: Steps, words: Words, *, height: int = 620) -> go.Figure:
    """Matrices on top, objective and residuals below; every frame moves all of them."""
    fixed = [*_lines(found, words), *_residuals(found, words), _stop(found, words)]
    data = [*fixed, *_moving(found, found.frames[0], words)]
    moving = list(range(len(fixed), len(data)))
    frames = [
        {
            "data": _moving(found, frame, words),
            "traces": moving,
            "layout": {"title": {"text": f"<b>{caption(frame, words)}</b>"}},
        }
        for frame in found.frames
    ]
    labels = [_label(frame, words) for frame in found.frames]
    return played(
        data, _layout(found, words, height), frames, labels, words, milliseconds=900
    )


def caption(frame: Frame, words: Words) -> str:
    """What was just done, in one line."""
    return words[f"did_{frame.phase}"].format(
        t=frame.iteration,
        inner=frame.inner,
        objective=f"{frame.objective:.3f}",
        primal=f"{frame.primal:.3f}",
        dual=f"{frame.dual:.3f}",
    )


def _label(frame: Frame, words: Words) -> str:
    if frame.phase == "start":
        return words["start"]
    return f"{frame.iteration} · {frame.phase} {frame.inner}"


def _moving(found: Steps, frame: Frame, words: Words) -> list[Trace]:
    fast = found.fast_at(frame.outer)
    maps = [
        heat(getattr(frame, name), name, str(number))
        for number, name in enumerate(COPIES, start=3)
    ]
    maps += [
        heat(frame.V, "V", "7", "coloraxis2"),
        heat(frame.Z2 @ frame.V, "W", "8", "coloraxis3"),
        heat(fast.U @ fast.V, words["fast"], "9", "coloraxis3"),
    ]
    dots = {
        "type": "scatter",
        "x": [frame.outer, fast.iteration],
        "y": [frame.objective, fast.objective],
        "mode": "markers",
        "marker": {
            "size": 13,
            "color": [TEAL, ORANGE],
            "symbol": ["circle", "diamond"],
        },
        "showlegend": False,
        "hoverinfo": "skip",
    }
    shown = max(frame.primal, 1e-9) if np.isfinite(frame.primal) else None
    dual = max(frame.dual, 1e-9) if np.isfinite(frame.dual) else None
    residuals = {
        "type": "scatter",
        "x": [frame.outer, frame.outer],
        "y": [shown, dual],
        "xaxis": "x2",
        "yaxis": "y2",
        "mode": "markers",
        "marker": {"size": 11, "color": [TEAL, PURPLE]},
        "showlegend": False,
        "hoverinfo": "skip",
    }
    return [dots, residuals, *maps]


def _lines(found: Steps, words: Words) -> list[Trace]:
    paper = [(f.outer, f.objective) for f in found.frames]
    fast = [(p.iteration, p.objective) for p in found.fast]
    kinds = ((paper, "paper", TEAL, "solid"), (fast, "fast", ORANGE, "dash"))
    return [
        {
            "type": "scatter",
            "name": words[name],
            "x": [x for x, _ in points],
            "y": [y for _, y in points],
            "mode": "lines",
            "line": {"color": colour, "width": 2, "dash": dash},
            "hovertemplate": "%{y:.3f}",
        }
        for points, name, colour, dash in kinds
    ]


def _residuals(found: Steps, words: Words) -> list[Trace]:
    frames = [f for f in found.frames if f.phase == "U"]
    return [
        {
            "type": "scatter",
            "name": words[name],
            "x": [f.outer for f in frames],
            "y": [getattr(f, name) for f in frames],
            "xaxis": "x2",
            "yaxis": "y2",
            "mode": "lines",
            "line": {"color": colour, "width": 1.5, "dash": dash},
            "hovertemplate": "%{y:.3g}",
        }
        for name, colour, dash in (("primal", TEAL, "solid"), ("dual", PURPLE, "dot"))
    ]


def _stop(found: Steps, words: Words) -> Trace:
    """Where the paper lets ADMM stop."""
    return {
        "type": "scatter",
        "name": words["stop"].format(tol=STOP),
        "x": [0, found.frames[-1].outer],
        "y": [STOP, STOP],
        "xaxis": "x2",
        "yaxis": "y2",
        "mode": "lines",
        "line": {"color": GREY, "width": 1, "dash": "dash"},
        "hoverinfo": "skip",
    }


def _layout(found: Steps, words: Words, height: int) -> dict[str, Any]:
    frames = found.frames
    sizes = {
        name: max(float(np.abs(getattr(f, name)).max()) for f in frames)
        for name in ("U", "V")
    }
    D, K = frames[0].U.shape
    T = frames[0].V.shape[1]
    layout: dict[str, Any] = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 66, "b": 150, "pad": 0},
        "title": {"text": caption(frames[0], words), "font": {"size": 15}, "x": 0},
        "hovermode": "x unified",
        "legend": {"orientation": "h", "y": 0.41, "yanchor": "bottom", "x": 0},
        "coloraxis": signed_scale(sizes["U"]),
        "coloraxis2": signed_scale(sizes["V"]),
        "coloraxis3": signed_scale(float(np.abs(found.W_true).max())),
        "xaxis": _axis(words["outer"], [0, 0.57], "y"),
        "yaxis": _axis(words["objective"], list(LOW), "x"),
        "xaxis2": _axis(words["outer"], [0.71, 1], "y2"),
        "yaxis2": {
            **_axis(words["residual"], list(LOW), "x2"),
            "type": "log", "exponentformat": "power", "dtick": 1,
        },
    }  # fmt: skip
    notes = []
    starts = (0.0, 0.085, 0.17, 0.255, 0.365, 0.6, 0.82)
    widths = (0.07, 0.07, 0.07, 0.07, 0.2, 0.18, 0.18)
    shapes = [(D, K)] * 4 + [(K, T), (D, T), (D, T)]
    names = [*COPIES, "V", "W", "fast_W"]
    for number, (x, width, shape, name) in enumerate(
        zip(starts, widths, shapes, names, strict=True), start=3
    ):
        y = TOP if name != "V" else (0.8, 0.93)
        layout |= matrix_axes(str(number), (x, x + width), y, shape)
        notes.append(title(words[f"is_{name}"], x, 0.935, 12))
    return layout | {"annotations": notes}


def _axis(text: str, domain: list[float], anchor: str) -> dict[str, Any]:
    return {
        "domain": domain,
        "anchor": anchor,
        "title": {"text": text, "standoff": 4},
        "automargin": True,
        "fixedrange": True,
    }
