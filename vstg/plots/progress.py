"""Figures of a run: the objective, its terms, the residuals, the restarts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from vstg.data import Array
from vstg.objective import TERMS
from vstg.plots.palette import BLUE, FAINT, GREY, ORANGE, PURPLE, TEAL

TERM_COLOURS = dict(zip(TERMS, (GREY, TEAL, ORANGE, PURPLE), strict=True))
TERM_LABELS = {
    "loss": "data loss Σ L/N",
    "l1": "γ₁‖U‖₁",
    "l1_inf": "γ₂‖U‖₁,∞",
    "k_support": "μ Σ(‖v‖ₖ)²",
}
MAX_POINTS = 400  # a curve of more iterations is thinned out evenly


def history_frame(history: Mapping[str, Array]) -> pd.DataFrame:
    """The terms and their sum by iteration, from one, thinned out to what is drawn."""
    n_iter = len(history["objective"])
    at = np.unique(np.linspace(0, max(n_iter - 1, 0), MAX_POINTS).astype(int))[:n_iter]
    columns = {name: np.asarray(history[name])[at] for name in (*TERMS, "objective")}
    return pd.DataFrame(columns, index=pd.Index(at + 1, name="iteration"))


def convergence_figure(history: pd.DataFrame, *, height: int = 340) -> go.Figure:
    """The four terms stacked; their upper edge is the objective of eq. (6)."""
    iterations = history.index.to_numpy()
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "name": TERM_LABELS[term],
            "x": iterations,
            "y": history[term].to_numpy(dtype=np.float32),
            "stackgroup": "terms",
            "mode": "lines",
            "line": {"width": 0.5, "color": TERM_COLOURS[term]},
            "hovertemplate": "%{y:.5g}",
        }
        for term in TERMS
    ]
    traces.append(
        {
            "type": "scatter",
            "name": "objective F(U, V)",
            "x": iterations,
            "y": history["objective"].to_numpy(dtype=np.float32),
            "mode": "lines",
            "line": {"width": 2.5, "color": BLUE},
            "hovertemplate": "%{y:.6g}",
        }
    )
    return curves(traces, "iteration", "value", height)


def gap_figure(history: pd.DataFrame, *, height: int = 340) -> go.Figure:
    """How far the objective was above its last value, on a logarithmic axis."""
    values = history["objective"].to_numpy()
    gap = values - values[-1]
    # The last point has no gap and a logarithm no zero.
    shown = np.where(gap > 0, gap / max(abs(values[-1]), 1e-300), np.nan)
    trace = {
        "type": "scatter",
        "name": "relative gap to the end",
        "x": history.index.to_numpy(),
        "y": shown.astype(np.float32),
        "mode": "lines",
        "line": {"width": 2, "color": BLUE},
        "hovertemplate": "%{y:.2g}",
    }
    return curves([trace], "iteration", "(F − F end)/F end", height, log=True)


def residual_figure(
    inner_history: Mapping[str, Array], *, height: int = 340
) -> go.Figure:
    """Primal and dual residual of every inner iteration of Algorithm 1."""
    n_steps = len(inner_history["primal_residual"])
    at = np.unique(np.linspace(0, max(n_steps - 1, 0), 4 * MAX_POINTS).astype(int))
    traces = []
    for name, colour in (("primal", TEAL), ("dual", ORANGE)):
        values = np.asarray(inner_history[f"{name}_residual"], dtype=np.float64)[at]
        traces.append(
            {
                "type": "scatter",
                "name": f"{name} residual",
                "x": at + 1,
                "y": np.where(values > 0, values, np.nan).astype(np.float32),
                "mode": "lines",
                "line": {"width": 1.5, "color": colour},
                "hovertemplate": "%{y:.2g}",
            }
        )
    return curves(traces, "inner iteration", "residual", height, log=True)


def restart_figure(objectives: Sequence[float], *, height: int = 340) -> go.Figure:
    """The objective that each start ended at; the best is the one shown."""
    values = np.asarray(objectives, dtype=np.float64)
    best = int(values.argmin())
    colours = [TEAL if number == best else FAINT for number in range(len(values))]
    trace = {
        "type": "scatter",
        "name": "end of each start",
        "x": np.arange(1, len(values) + 1),
        "y": values,
        "mode": "markers",
        "marker": {"size": 11, "color": colours, "line": {"width": 1, "color": TEAL}},
        "hovertemplate": "start %{x}<br>%{y:.6g}<extra></extra>",
    }
    return curves([trace], "start", "objective at the end", height)


def curves(
    traces: list[dict[str, Any]], x: str, y: str, height: int, *, log: bool = False
) -> go.Figure:
    """A plain chart of lines with the legend on top."""
    layout: dict[str, Any] = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 36, "b": 8},
        "hovermode": "x unified",
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "xaxis": {"title": {"text": x}, "automargin": True},
        "yaxis": {"title": {"text": y}, "automargin": True},
    }
    if log:
        layout["yaxis"] |= {"type": "log", "exponentformat": "power"}
    return go.Figure({"data": traces, "layout": layout})
