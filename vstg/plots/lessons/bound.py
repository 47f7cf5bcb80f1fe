"""Lesson 8: the bound's three terms, stacked, and the error that was made."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.lessons.bound import TERMS, BoundCurve
from vstg.plots.layout import fixed_axis, legend_above, line, margins
from vstg.plots.lessons.player import Words
from vstg.plots.palette import BLUE, GREY, ORANGE, PURPLE, TEAL

COLOURS = dict(zip(TERMS, (TEAL, BLUE, PURPLE), strict=True))


def bound_figure(found: BoundCurve, words: Words, *, height: int = 500) -> go.Figure:
    """The bound's terms as areas; below, on a scale of its own, what really happened.

    Grey is where the theorem does not apply.
    """
    hover = "%{y:.3g}"
    traces = [
        line(
            found.at, found.terms[name], words[name],
            colour=COLOURS[name], width=1, hover=hover, stackgroup="bound",
        )
        for name in TERMS
    ]  # fmt: skip
    excess = line(
        found.at, found.excess, words["excess"],
        colour=ORANGE, width=3, hover=hover, mode="lines+markers",
        xaxis="x2", yaxis="y2",
    )  # fmt: skip
    scale = "log" if found.axis in ("alpha1", "beta") else "linear"
    upper = {"type": scale, "anchor": "y", "matches": "x2", "showticklabels": False}
    layout: dict[str, Any] = {
        "height": height,
        "margin": margins(60),
        "hovermode": "x unified",
        "legend": legend_above(1.01),
        "xaxis": fixed_axis("", **upper),
        "yaxis": fixed_axis(
            words["y"], domain=[0.46, 1], rangemode="tozero", automargin=True
        ),
        "xaxis2": fixed_axis(words[found.axis], type=scale, anchor="y2"),
        "yaxis2": fixed_axis(
            words["y_excess"], domain=[0, 0.38], rangemode="tozero", automargin=True
        ),
        "shapes": [*_outside(found), _here(found)],
        "annotations": _notes(found, words),
    }
    return go.Figure({"data": [*traces, excess], "layout": layout})


def _outside(found: BoundCurve) -> list[dict[str, Any]]:
    """Grey over the stretch where α1² > K."""
    fails = np.flatnonzero(~found.applies)
    if not len(fails):
        return []
    runs = np.split(fails, np.flatnonzero(np.diff(fails) > 1) + 1)
    return [
        {
            "type": "rect", "xref": "x", "yref": "paper", "y0": 0, "y1": 1,
            "x0": found.at[run[0]], "x1": found.at[run[-1]], "line": {"width": 0},
            "fillcolor": "rgba(127,138,147,0.16)", "layer": "below",
        }
        for run in runs
    ]  # fmt: skip


def _here(found: BoundCurve) -> dict[str, Any]:
    """The present model."""
    return {
        "type": "line", "x0": found.here, "x1": found.here, "y0": 0, "y1": 1,
        "yref": "paper", "line": {"color": GREY, "width": 2},
    }  # fmt: skip


def _notes(found: BoundCurve, words: Words) -> list[dict[str, Any]]:
    if found.applies.all():
        return []
    return [
        {
            "showarrow": False, "font": {"size": 12}, "text": words["fails"],
            "x": 1, "xref": "paper", "xanchor": "right",
            "y": 1, "yref": "paper", "yanchor": "top",
        }
    ]  # fmt: skip
