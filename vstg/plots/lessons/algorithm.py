"""Lesson 5: Algorithm 1 and the fast solver as an animation; what rescaling does."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.lessons.algorithm import STOP, Frame, Rescaling, Steps
from vstg.plots.layout import (
    Trace,
    dots,
    fixed_axis,
    legend_above,
    line,
    margins,
    title,
)
from vstg.plots.lessons.player import Words, heat, matrix_axes, played, signed_scale
from vstg.plots.palette import GREY, ORANGE, PURPLE, TEAL

COPIES = ("U", "Z1", "Z2", "Z3")
TOP, LOW = (0.6, 0.93), (0.0, 0.4)
UPPER, LOWER = (0.66, 0.95), (0.0, 0.46)  # of the figure on rescaling
RIGHT: dict[str, Any] = {"xaxis": "x2", "yaxis": "y2"}  # the axes of the residuals


def steps_figure(found: Steps, words: Words, *, height: int = 500) -> go.Figure:
    """Matrices on top, objective and residuals below; every frame moves all of them."""
    fixed = _lines(found, words)
    data = [*fixed, *_moving(found, found.frames[0], words)]
    moving = list(range(len(fixed), len(data)))
    frames = [
        {"data": _moving(found, frame, words), "traces": moving}
        for frame in found.frames
    ]
    labels = [_label(frame, words) for frame in found.frames]
    texts = [_text(found, frame, words) for frame in found.frames]
    return played(
        data, _layout(found, words, height), frames, labels, texts, milliseconds=900
    )


def _text(found: Steps, frame: Frame, words: Words) -> str:
    """What was just done."""
    return words[f"did_{frame.phase}"].format(
        t=frame.iteration,
        inner=frame.inner,
        objective=f"{frame.objective:.3f}",
        primal=f"{frame.primal:.3f}",
        dual=f"{frame.dual:.3f}",
        fast=f"{found.fast_at(frame.outer).objective:.3f}",
        zeros=int((frame.Z2 == 0).sum()),
        entries=frame.Z2.size,
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
    objectives = dots(
        [frame.outer, fast.iteration], [frame.objective, fast.objective],
        colour=[TEAL, ORANGE], size=13, marker={"symbol": ["circle", "diamond"]},
    )  # fmt: skip
    at_last = [frame.primal, frame.dual]
    shown = [max(value, 1e-9) if np.isfinite(value) else None for value in at_last]
    residuals = dots([frame.outer] * 2, shown, colour=[TEAL, PURPLE], size=11, **RIGHT)
    return [objectives, residuals, *maps]


def _lines(found: Steps, words: Words) -> list[Trace]:
    """The objectives of both solvers, the residuals, and where the paper stops."""
    at = [frame.outer for frame in found.frames]
    values = [frame.objective for frame in found.frames]
    paper = line(at, values, words["paper"], colour=TEAL, hover="%{y:.3f}")
    at = [point.iteration for point in found.fast]
    values = [point.objective for point in found.fast]
    fast = line(at, values, words["fast"], colour=ORANGE, dash="dash", hover="%{y:.3f}")
    inner = [frame for frame in found.frames if frame.phase == "U"]
    residuals = [
        line(
            [frame.outer for frame in inner], [getattr(frame, name) for frame in inner],
            words[name], colour=colour, width=1.5, dash=dash, hover="%{y:.3g}", **RIGHT,
        )
        for name, colour, dash in (("primal", TEAL, "solid"), ("dual", PURPLE, "dot"))
    ]  # fmt: skip
    stop = line(
        [0, found.frames[-1].outer], [STOP] * 2, words["stop"].format(tol=STOP),
        colour=GREY, width=1, dash="dash", **RIGHT,
    )  # fmt: skip
    return [paper, fast, *residuals, stop]


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
        "margin": margins(12),
        "hovermode": "x unified",
        "legend": legend_above(0.41),
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


def rescaling_figure(found: Rescaling, words: Words, *, height: int) -> go.Figure:
    """sU, V/s and their product above, penalties and objective over s below."""
    fixed = [*_penalty_curves(found, words), _marks(found, words)]
    moving = [_moving_scale(found, s) for s in found.stops]
    frames = [
        {"data": data, "traces": list(range(len(fixed), len(fixed) + len(data)))}
        for data in moving
    ]
    start = found.stops.index(1.0)
    return played(
        [*fixed, *moving[start]],
        _scale_layout(found, words, height),
        frames,
        [f"s = {s:.2f}" for s in found.stops],
        [_scale_text(found, s, words) for s in found.stops],
        start=start,
    )


def _scale_text(found: Rescaling, s: float, words: Words) -> str:
    """The objective and its parts at one scale."""
    u, v = found.prices(s)
    return words["did_scale"].format(
        s=f"{s:.2f}", objective=f"{found.at(s):.3f}", loss=f"{found.loss:.3f}",
        u=f"{u:.3f}", v=f"{v:.3f}",
    )  # fmt: skip


def _penalty_curves(found: Rescaling, words: Words) -> list[Trace]:
    kinds = (
        ("total", found.total, TEAL, "solid", 3.5),
        ("price_of_u", found.price_of_u, ORANGE, "dash", 2),
        ("price_of_v", found.price_of_v, PURPLE, "dot", 2),
    )
    return [
        line(
            found.scales, values, words[name],
            colour=colour, dash=dash, width=width, hover="%{y:.3f}",
        )
        for name, values, colour, dash, width in kinds
    ]  # fmt: skip


def _marks(found: Rescaling, words: Words) -> Trace:
    """Where one is, and where rescaling goes."""
    sides = ["top left", "top right"]
    return dots(
        [1.0, found.best],
        [found.at(1.0), found.at(found.best)],
        colour=[GREY, TEAL],
        size=10,
        mode="markers+text",
        text=[words["before"], words["after"]],
        textposition=sides[::-1] if found.best < 1.0 else sides,
    )


def _moving_scale(found: Rescaling, s: float) -> list[Trace]:
    edges = {"line": {"width": 3, "color": [TEAL, ORANGE, PURPLE]}}
    values = [found.at(s), *found.prices(s)]
    ring = dots([s] * 3, values, colour="rgba(0,0,0,0)", size=15, marker=edges)
    U, V = s * found.U, found.V / s
    return [
        ring,
        heat(U, "sU", "2"),
        heat(V, "V/s", "3", "coloraxis2"),
        heat(found.U @ found.V, "W", "4", "coloraxis3"),  # the scale cancels
    ]


def _scale_layout(found: Rescaling, words: Words, height: int) -> dict[str, Any]:
    U, V = found.U, found.V
    largest = [float(np.abs(A).max()) for A in (1.5 * U, 1.5 * V, U @ V)]
    layout: dict[str, Any] = {
        "height": height,
        "margin": margins(12),
        "hovermode": "x unified",
        "legend": legend_above(0.475),
        "xaxis": {
            "type": "log", "anchor": "y", "fixedrange": True,
            "tickvals": [0.4, 0.6, 0.8, 1.0, 1.5, 2.0, 2.5],
            "title": {"text": words["scale"], "standoff": 4},
        },
        "yaxis": fixed_axis(
            words["value"], domain=list(LOWER), anchor="x", rangemode="tozero",
            automargin=True,
        ),
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
