"""Lesson 9: what was found, what is true, and how sure it is."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.lessons.failures import Case
from vstg.notation import decimal_text
from vstg.plots.layout import Trace, fixed_axis, legend_above, margins, title
from vstg.plots.lessons.player import Words, heat, matrix_axes, signed_scale, told
from vstg.plots.palette import GREY, ORANGE, TEAL

WIDTH = 0.75
STROKE = 0.025  # thickness of the marks for the healthy case


def failure_figure(
    case: Case, healthy: Case, words: Words, *, height: int = 560
) -> go.Figure:
    """W and W*, how often tasks share a basis, how often variables are selected."""
    sharing = heat(case.stability.sharing, words["sharing"], "3", "coloraxis2")
    maps = [heat(case.fit.W, "W", ""), heat(case.W_true, "W*", "2"), sharing]
    limit = float(np.abs(case.W_true).max())
    D, T = case.W_true.shape
    layout: dict[str, Any] = {
        "height": height,
        "margin": margins(30),
        "coloraxis": signed_scale(limit),
        "coloraxis2": {
            "cmin": 0, "cmax": 1, "showscale": False, "autocolorscale": True,
        },
        "barmode": "overlay",
        "legend": legend_above(0.36),
        "hovermode": "closest",
        "xaxis4": fixed_axis(
            words["variables"], domain=[0, 1], anchor="y4",
            tickvals=list(range(1, D + 1)),
        ),
        "yaxis4": fixed_axis(
            words["frequency"], domain=[0, 0.34], anchor="x4", range=[0, 1.03],
            tickformat=".0%", automargin=True,
        ),
    }  # fmt: skip
    upper = (0.5, 0.95)
    layout |= matrix_axes("", (0.0, 0.31), upper, (D, T))
    layout |= matrix_axes("2", (0.345, 0.655), upper, (D, T))
    layout |= matrix_axes("3", (0.69, 1.0), upper, (T, T))
    notes = [
        title(words["W"], 0.0, 0.955), title(words["W_true"], 0.345, 0.955),
        title(words["sharing"], 0.69, 0.955),
    ]  # fmt: skip
    data = [*maps, *_bars(case, healthy, words)]
    figure = go.Figure({"data": data, "layout": layout | {"annotations": notes}})
    return told(figure, _text(case, healthy, words))


def _text(case: Case, healthy: Case, words: Words) -> str:
    numbers = {
        "error": case.error, "alone": case.alone, "certainty": case.certainty_variables,
        "healthy": healthy.error, "healthy_alone": healthy.alone,
        "healthy_certainty": healthy.certainty_variables,
    }  # fmt: skip
    text = words["said" if case.name == "healthy" else "said_beside"]
    return text.format(**{name: decimal_text(value) for name, value in numbers.items()})


def _bars(case: Case, healthy: Case, words: Words) -> list[Trace]:
    at = list(range(1, len(case.kept) + 1))
    relevant = (case.W_true != 0).any(axis=1).tolist()
    bars: list[Trace] = []
    for truly, colour, name in ((True, TEAL, "relevant"), (False, ORANGE, "idle")):
        chosen = [i for i, mark in enumerate(relevant) if mark == truly]
        pattern = {"shape": "" if truly else "/"}
        bars.append(
            {
                "type": "bar", "name": words[name], "xaxis": "x4", "yaxis": "y4",
                "x": [at[i] for i in chosen], "y": case.kept[chosen], "width": WIDTH,
                "marker": {"color": colour, "pattern": pattern},
                "hovertemplate": "x%{x}: %{y:.0%}<extra></extra>",
            }
        )  # fmt: skip
    if case.name != "healthy":
        bars.append(
            {
                "type": "bar", "name": words["healthy"], "xaxis": "x4", "yaxis": "y4",
                "x": at, "y": [STROKE] * len(at), "base": healthy.kept - STROKE / 2,
                "width": WIDTH, "marker": {"color": GREY},
                "customdata": healthy.kept,
                "hovertemplate": "x%{x}: %{customdata:.0%}<extra></extra>",
            }
        )  # fmt: skip
    return bars
