"""Lesson 7: a path with a slider, and its cross-validation error."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.lessons.choosing import Choosing
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

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def choosing_figure(found: Choosing, words: Words, *, height: int = 590) -> go.Figure:
    """Error curves on the left; the current W and the true W on the right."""
    fixed = [*_curves(found, words), _choices(found, words)]
    fixed.append(heat(found.truth.W, "W*", "3"))
    moving = [len(fixed), len(fixed) + 1]
    frames = [
        {
            "data": _moving(found, place),
            "traces": moving,
            "layout": {"title": {"text": f"<b>{_caption(found, place, words)}</b>"}},
        }
        for place in range(len(found.values))
    ]
    return played(
        [*fixed, *_moving(found, found.best)],
        _layout(found, words, height),
        frames,
        [_name(found, value) for value in found.values],
        words,
        start=found.best,
    )


def _name(found: Choosing, value: float) -> str:
    if found.parameter in ("gamma1", "gamma2"):
        exponent = round(np.log2(value))
        return "2" + str(exponent).translate(RAISED)
    return f"{value:g}"


def _caption(found: Choosing, place: int, words: Words) -> str:
    return words["caption"].format(
        parameter=words[found.parameter],
        value=_name(found, found.values[place]),
        cv=f"{found.cv_error[place]:.2f}",
        variables=int(found.n_variables[place]),
        ree=f"{found.truth_error[place]:.2f}",
    )


def _positions(found: Choosing) -> list[int]:
    return list(range(len(found.values)))


def _curves(found: Choosing, words: Words) -> list[Trace]:
    at = _positions(found)
    cv = {
        "type": "scatter",
        "name": words["cv"],
        "x": at,
        "y": found.cv_error,
        "error_y": {"type": "data", "array": found.cv_se, "thickness": 1, "width": 3},
        "mode": "lines+markers",
        "line": {"color": TEAL, "width": 2.5},
        "hovertemplate": "%{y:.3f}",
    }
    train = {
        "type": "scatter",
        "name": words["train"],
        "x": at,
        "y": found.train_error,
        "mode": "lines",
        "line": {"color": GREY, "width": 2, "dash": "dash"},
        "hovertemplate": "%{y:.3f}",
    }
    limit = found.cv_error[found.best] + found.cv_se[found.best]
    bar = {
        "type": "scatter",
        "name": words["limit"],
        "x": [at[0], at[-1]],
        "y": [limit, limit],
        "mode": "lines",
        "line": {"color": PURPLE, "width": 1, "dash": "dot"},
        "hovertemplate": "%{y:.3f}",
    }
    return [cv, train, bar]


def _choices(found: Choosing, words: Words) -> Trace:
    places = [found.best, found.one_se]
    return {
        "type": "scatter",
        "x": places,
        "y": found.cv_error[places],
        "text": [words["best"], words["one_se"]]
        if found.best != found.one_se
        else [words["both"], ""],
        "textposition": ["top left", "top right"],
        "mode": "markers+text",
        "marker": {
            "size": 14,
            "symbol": ["circle", "diamond"],
            "color": [TEAL, PURPLE],
        },
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _moving(found: Choosing, place: int) -> list[Trace]:
    line = {
        "type": "scatter",
        "x": [place, place],
        "y": [0, float(found.cv_error.max()) * 1.08],
        "mode": "lines",
        "line": {"color": ORANGE, "width": 2},
        "showlegend": False,
        "hoverinfo": "skip",
    }
    return [line, heat(found.fits[place].W, "W", "2")]


def _layout(found: Choosing, words: Words, height: int) -> dict[str, Any]:
    W = found.truth.W
    layout: dict[str, Any] = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 66, "b": 200, "pad": 0},
        "title": {
            "text": f"<b>{_caption(found, found.best, words)}</b>",
            "font": {"size": 15}, "x": 0,
        },
        "hovermode": "x unified",
        # Under everything else, where it may take as many lines as it needs.
        "legend": {"orientation": "h", "y": 0, "yref": "container", "x": 0,
                   "yanchor": "bottom"},
        "coloraxis": signed_scale(float(np.abs(W).max())),
        "xaxis": {
            "domain": [0, 0.52], "anchor": "y", "fixedrange": True,
            "tickvals": _positions(found),
            "ticktext": [_name(found, value) for value in found.values],
            "title": {"text": words[found.parameter], "standoff": 4},
        },
        "yaxis": {
            "domain": [0, 1], "anchor": "x", "rangemode": "tozero", "fixedrange": True,
            "title": {"text": words["y"]}, "automargin": True,
        },
    }  # fmt: skip
    layout |= matrix_axes("2", (0.58, 0.78), (0.0, 0.95), W.shape)
    layout |= matrix_axes("3", (0.8, 1.0), (0.0, 0.95), W.shape)
    notes = [title(words["W"], 0.58, 0.955), title(words["W_true"], 0.8, 0.955)]
    return layout | {"annotations": notes}
