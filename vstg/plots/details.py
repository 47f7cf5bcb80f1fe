"""Figures with one bar a variable or a task."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from vstg.plots.labels import labels
from vstg.plots.palette import GREY, ORANGE, TEAL
from vstg.plots.scheme import STATUS_COLOURS

MAX_BARS = 200


def importance_figure(variables: pd.DataFrame, *, height: int = 340) -> go.Figure:
    """Row maximum and row sum of U for every variable.

    ``variables`` has a row a variable with the columns ``max``, ``l1`` and ``status``,
    in the order to be drawn; the first 200 are.
    """
    shown = variables.head(MAX_BARS)
    names = labels(shown.index)
    bars = {
        "type": "bar",
        "name": "row maximum max |u|",
        "x": names,
        "y": shown["max"].to_numpy(dtype=np.float32),
        "marker": {"color": [STATUS_COLOURS[s] for s in shown["status"]]},
        "text": list(shown["status"]),
        "textposition": "none",
        "hovertemplate": "%{y:.4g} (%{text})",
    }
    sums = {
        "type": "scatter",
        "name": "row sum Σ |u|",
        "x": names,
        "y": shown["l1"].to_numpy(dtype=np.float32),
        "mode": "markers",
        "marker": {"symbol": "line-ew-open", "size": 12, "color": GREY},
        "hovertemplate": "%{y:.4g}",
    }
    return bar_chart([bars, sums], "size in U", height)


def task_error_figure(tasks: pd.DataFrame, *, height: int = 340) -> go.Figure:
    """Training and test error of every task, beside the noise floor if it is known.

    ``tasks`` has the columns ``train`` and ``test``, and optionally ``floor``.
    """
    shown = tasks.head(MAX_BARS)
    names = labels(shown.index)
    traces: list[dict[str, Any]] = []
    for column, colour in (("train", GREY), ("test", TEAL)):
        traces.append(
            {
                "type": "bar",
                "name": f"{column} RMSE",
                "x": names,
                "y": shown[column].to_numpy(dtype=np.float32),
                "marker": {"color": colour},
                "hovertemplate": "%{y:.4g}",
            }
        )
    if "floor" in shown:
        traces.append(
            {
                "type": "scatter",
                "name": "noise floor",
                "x": names,
                "y": shown["floor"].to_numpy(dtype=np.float32),
                "mode": "lines",
                "line": {"color": ORANGE, "dash": "dash", "width": 1.5},
                "hovertemplate": "%{y:.4g}",
            }
        )
    return bar_chart(traces, "RMSE", height)


def bar_chart(traces: list[dict[str, Any]], y: str, height: int) -> go.Figure:
    """Grouped bars over names, legend on top."""
    layout = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 36, "b": 8},
        "hovermode": "x unified",
        "barmode": "group",
        "bargap": 0.3,
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "xaxis": {"type": "category", "automargin": True, "title": {"text": ""}},
        "yaxis": {"title": {"text": y}, "rangemode": "tozero", "automargin": True},
    }
    return go.Figure({"data": traces, "layout": layout})
