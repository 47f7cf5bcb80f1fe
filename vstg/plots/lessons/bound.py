"""Lesson 8: the bound's three terms, stacked, and the error that was made."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.lessons.bound import TERMS, BoundCurve
from vstg.plots.lessons.player import Trace, Words
from vstg.plots.palette import BLUE, GREY, ORANGE, PURPLE, TEAL

COLOURS = dict(zip(TERMS, (TEAL, BLUE, PURPLE), strict=True))


def bound_figure(found: BoundCurve, words: Words, *, height: int = 480) -> go.Figure:
    """Terms as areas over one quantity; shaded where the theorem does not apply."""
    traces: list[Trace] = [
        {
            "type": "scatter",
            "name": words[name],
            "x": found.at,
            "y": found.terms[name],
            "stackgroup": "bound",
            "mode": "lines",
            "line": {"width": 1, "color": COLOURS[name]},
            "hovertemplate": "%{y:.3g}",
        }
        for name in TERMS
    ]
    traces.append(
        {
            "type": "scatter",
            "name": words["excess"],
            "x": found.at,
            "y": found.excess,
            "mode": "lines+markers",
            "line": {"color": ORANGE, "width": 3},
            "hovertemplate": "%{y:.3g}",
        }
    )
    top = float(max(found.total.max(), found.excess.max(), 1.0)) * 1.05
    layout: dict[str, Any] = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 60, "b": 8, "pad": 0},
        "hovermode": "x unified",
        "legend": {"orientation": "h", "y": 1.01, "yanchor": "bottom", "x": 0},
        "xaxis": {
            "type": "log" if found.axis in ("alpha1", "beta") else "linear",
            "title": {"text": words[found.axis]}, "fixedrange": True,
        },
        "yaxis": {
            "range": [0, top], "title": {"text": words["y"]}, "fixedrange": True,
            "automargin": True,
        },
        "shapes": [*_outside(found), *_lines(found)],
        "annotations": _notes(found, words),
    }  # fmt: skip
    return go.Figure({"data": traces, "layout": layout})


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
    plain = {"showarrow": False, "font": {"size": 12}}
    notes: list[dict[str, Any]] = [
        {
            **plain, "text": words["one"], "x": 1, "xref": "paper", "xanchor": "right",
            "y": 1, "yanchor": "bottom",
        }
    ]  # fmt: skip
    if not found.applies.all():
        notes.append(
            {
                **plain, "text": words["fails"], "x": 1, "xref": "paper",
                "xanchor": "right", "y": 1, "yref": "paper", "yanchor": "top",
            }
        )  # fmt: skip
    return notes
