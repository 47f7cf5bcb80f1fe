"""Lesson 8: the bound's three terms, stacked, and the error that was made."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.lessons.bound import TERMS, BoundCurve
from vstg.plots.layout import fixed_axis, legend_above, line, margins
from vstg.plots.lessons.player import Words
from vstg.plots.palette import BLUE, GREY, ORANGE, PURPLE, TEAL

COLOURS = dict(zip(TERMS, (TEAL, BLUE, PURPLE), strict=True))


def bound_figure(found: BoundCurve, words: Words, *, height: int = 480) -> go.Figure:
    """Terms as areas over one quantity; shaded where the theorem does not apply."""
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
    )  # fmt: skip
    top = float(max(found.total.max(), found.excess.max(), 1.0)) * 1.05
    scale = "log" if found.axis in ("alpha1", "beta") else "linear"
    layout: dict[str, Any] = {
        "height": height,
        "margin": margins(60),
        "hovermode": "x unified",
        "legend": legend_above(1.01),
        "xaxis": fixed_axis(words[found.axis], type=scale),
        "yaxis": fixed_axis(words["y"], range=[0, top], automargin=True),
        "shapes": [*_outside(found), *_lines(found)],
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


def _lines(found: BoundCurve) -> list[dict[str, Any]]:
    """The present model, and the height above which the bound says nothing."""
    here = {
        "type": "line", "x0": found.here, "x1": found.here, "y0": 0, "y1": 1,
        "yref": "paper", "line": {"color": GREY, "width": 2},
    }  # fmt: skip
    one = {
        "type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 1, "y1": 1,
        "line": {"color": GREY, "width": 1, "dash": "dot"},
    }  # fmt: skip
    return [here, one]


def _notes(found: BoundCurve, words: Words) -> list[dict[str, Any]]:
    right = {
        "showarrow": False, "font": {"size": 12}, "x": 1, "xref": "paper",
        "xanchor": "right", "y": 1,
    }  # fmt: skip
    notes = [{**right, "text": words["one"], "yanchor": "bottom"}]
    if not found.applies.all():
        notes.append(
            {**right, "text": words["fails"], "yref": "paper", "yanchor": "top"}
        )
    return notes
