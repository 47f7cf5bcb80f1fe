"""Lesson 7: a path with a slider, and its cross-validation error."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.lessons.choosing import Choosing
from vstg.notation import value_text
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


def choosing_figure(found: Choosing, words: Words, *, height: int = 470) -> go.Figure:
    """Error curves on the left; the current W and the true W on the right."""
    fixed = [*_curves(found, words), _choices(found, words)]
    fixed.append(heat(found.truth.W, "W*", "3"))
    moving = [len(fixed), len(fixed) + 1]
    frames = [
        {"data": _moving(found, place), "traces": moving}
        for place in range(len(found.values))
    ]
    return played(
        [*fixed, *_moving(found, found.best)],
        _layout(found, words, height),
        frames,
        [_label(found, value, words) for value in found.values],
        [_text(found, place, words) for place in range(len(found.values))],
        start=found.best,
    )


def _ticks(found: Choosing) -> list[str]:
    """The values; of many only every third, which a phone has room for."""
    every = 3 if len(found.values) > 8 else 1
    return [
        value_text(found.parameter, value) if place % every == 0 else ""
        for place, value in enumerate(found.values)
    ]


def _label(found: Choosing, value: float, words: Words) -> str:
    return f"{words[found.parameter]} = {value_text(found.parameter, value)}"


def _text(found: Choosing, place: int, words: Words) -> str:
    return words["said"].format(
        at=_label(found, found.values[place], words),
        cv=f"{found.cv_error[place]:.2f}",
        train=f"{found.train_error[place]:.2f}",
        variables=int(found.n_variables[place]),
        ree=f"{found.truth_error[place]:.2f}",
    )


def _curves(found: Choosing, words: Words) -> list[Trace]:
    at, hover = list(range(len(found.values))), "%{y:.3f}"
    cv = line(
        at, found.cv_error, words["cv"],
        colour=TEAL, width=2.5, hover=hover, mode="lines+markers",
        error_y={"type": "data", "array": found.cv_se, "thickness": 1, "width": 3},
    )  # fmt: skip
    train = line(
        at, found.train_error, words["train"], colour=GREY, dash="dash", hover=hover
    )
    limit = found.cv_error[found.best] + found.cv_se[found.best]
    bar = line(
        [at[0], at[-1]], [limit, limit], words["limit"],
        colour=PURPLE, width=1, dash="dot", hover=hover,
    )  # fmt: skip
    return [cv, train, bar]


def _choices(found: Choosing, words: Words) -> Trace:
    places, apart = [found.best, found.one_se], found.best != found.one_se
    return dots(
        places,
        found.cv_error[places],
        colour=[TEAL, PURPLE],
        size=14,
        marker={"symbol": ["circle", "diamond"]},
        mode="markers+text",
        text=[words["best"], words["one_se"]] if apart else [words["both"], ""],
        textposition=["top left", "top right"],
    )


def _moving(found: Choosing, place: int) -> list[Trace]:
    top = float(found.cv_error.max()) * 1.08
    mark = line([place, place], [0, top], colour=ORANGE)
    return [mark, heat(found.fits[place].W, "W", "2")]


def _layout(found: Choosing, words: Words, height: int) -> dict[str, Any]:
    W = found.truth.W
    layout: dict[str, Any] = {
        "height": height,
        "margin": margins(36),
        "hovermode": "x unified",
        "legend": legend_above(1.01),
        "coloraxis": signed_scale(float(np.abs(W).max())),
        "xaxis": {
            "domain": [0, 0.52], "anchor": "y", "fixedrange": True,
            "tickvals": list(range(len(found.values))),
            "ticktext": _ticks(found),
            "title": {"text": words[found.parameter], "standoff": 4},
        },
        "yaxis": fixed_axis(
            words["y"], domain=[0, 1], anchor="x", rangemode="tozero", automargin=True
        ),
    }  # fmt: skip
    layout |= matrix_axes("2", (0.58, 0.78), (0.0, 0.95), W.shape)
    layout |= matrix_axes("3", (0.8, 1.0), (0.0, 0.95), W.shape)
    notes = [title(words["W"], 0.58, 0.955), title(words["W_true"], 0.8, 0.955)]
    return layout | {"annotations": notes}
