"""Charts of one fit: how it converged, its variables and the errors of its tasks."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from vstg.data import Array
from vstg.objective import TERMS
from vstg.plots.layout import Trace, dots, labels, legend_above, line
from vstg.plots.matrices.scheme import STATUS_COLOURS
from vstg.plots.palette import BLUE, FAINT, GREY, ORANGE, PURPLE, TEAL

TERM_COLOURS = dict(zip(TERMS, (GREY, TEAL, ORANGE, PURPLE), strict=True))
TERM_LABELS = {
    "loss": "data loss Σ L/N",
    "l1": "γ₁‖U‖₁",
    "l1_inf": "γ₂‖U‖₁,∞",
    "k_support": "μ Σ(‖v‖ₖ)²",
}
MAX_POINTS = 400  # a curve of more iterations is thinned out evenly
MAX_BARS = 200


def history_frame(history: Mapping[str, Array]) -> pd.DataFrame:
    """The terms and their sum per iteration, thinned out to what is drawn."""
    n_iter = len(history["objective"])
    at = np.unique(np.linspace(0, max(n_iter - 1, 0), MAX_POINTS).astype(int))[:n_iter]
    columns = {name: np.asarray(history[name])[at] for name in (*TERMS, "objective")}
    return pd.DataFrame(columns, index=pd.Index(at + 1, name="iteration"))


def convergence_figure(history: pd.DataFrame, *, height: int = 340) -> go.Figure:
    """The four terms stacked; their upper edge is the objective of eq. (6)."""
    iterations = history.index.to_numpy()
    single = history.astype(np.float32)
    terms = [
        line(
            iterations, single[term].to_numpy(), TERM_LABELS[term],
            colour=TERM_COLOURS[term], width=0.5, hover="%{y:.5g}", stackgroup="terms",
        )
        for term in TERMS
    ]  # fmt: skip
    objective = line(
        iterations, single["objective"].to_numpy(), "objective F(U, V)",
        colour=BLUE, width=2.5, hover="%{y:.6g}",
    )  # fmt: skip
    return curves([*terms, objective], "iteration", "value", height)


def gap_figure(history: pd.DataFrame, *, height: int = 340) -> go.Figure:
    """How far the objective lies above its final value, on a logarithmic axis."""
    values = history["objective"].to_numpy()
    gap = values - values[-1]
    # The last point has no gap, and zero has no logarithm.
    shown = np.where(gap > 0, gap / max(abs(values[-1]), 1e-300), np.nan)
    trace = line(
        history.index.to_numpy(), shown.astype(np.float32),
        "relative gap to the final objective", colour=BLUE, hover="%{y:.2g}",
    )  # fmt: skip
    return curves([trace], "iteration", "(F − F final)/F final", height, log=True)


def residual_figure(
    inner_history: Mapping[str, Array], *, height: int = 340
) -> go.Figure:
    """Primal and dual residual of every inner iteration of Algorithm 1."""
    n_steps = len(inner_history["primal_residual"])
    at = np.unique(np.linspace(0, max(n_steps - 1, 0), 4 * MAX_POINTS).astype(int))
    traces = []
    for name, colour in (("primal", TEAL), ("dual", ORANGE)):
        values = np.asarray(inner_history[f"{name}_residual"], dtype=np.float64)[at]
        positive = np.where(values > 0, values, np.nan).astype(np.float32)
        curve = line(
            at + 1, positive, f"{name} residual",
            colour=colour, width=1.5, hover="%{y:.2g}",
        )  # fmt: skip
        traces.append(curve)
    return curves(traces, "inner iteration", "residual", height, log=True)


def restart_figure(objectives: Sequence[float], *, height: int = 340) -> go.Figure:
    """The final objective of each start; the best one is the result shown."""
    values = np.asarray(objectives, dtype=np.float64)
    best = int(values.argmin())
    colours = [TEAL if number == best else FAINT for number in range(len(values))]
    trace = dots(
        np.arange(1, len(values) + 1), values, "result of each start",
        colour=colours, size=11, marker={"line": {"width": 1, "color": TEAL}},
        hover="start %{x}<br>%{y:.6g}<extra></extra>",
    )  # fmt: skip
    return curves([trace], "start", "final objective", height)


def curves(
    traces: list[Trace], x: str, y: str, height: int, *, log: bool = False
) -> go.Figure:
    """A plain chart of lines with the legend on top."""
    layout: dict[str, Any] = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 36, "b": 8},
        "hovermode": "x unified",
        "legend": legend_above(),
        "xaxis": {"title": {"text": x}, "automargin": True},
        "yaxis": {"title": {"text": y}, "automargin": True},
    }
    if log:
        layout["yaxis"] |= {"type": "log", "exponentformat": "power"}
    return go.Figure({"data": traces, "layout": layout})


def importance_figure(variables: pd.DataFrame, *, height: int = 340) -> go.Figure:
    """Row maximum and row sum of U for every variable.

    ``variables`` has one row per variable with the columns ``max``, ``l1`` and
    ``status``; the first 200 are drawn, in their order.
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
    sums = dots(
        names, shown["l1"].to_numpy(dtype=np.float32), "row sum Σ |u|",
        colour=GREY, size=12, marker={"symbol": "line-ew-open"}, hover="%{y:.4g}",
    )  # fmt: skip
    return bar_chart([bars, sums], "size in U", height)


def task_error_figure(
    tasks: pd.DataFrame, measure: str = "RMSE", *, height: int = 340
) -> go.Figure:
    """Training and test error of every task, and the noise floor if it is known.

    ``tasks`` has the columns ``train`` and ``test``, and optionally ``floor``.
    """
    shown = tasks.head(MAX_BARS)
    names = labels(shown.index)
    traces: list[Trace] = []
    for column, colour in (("train", GREY), ("test", TEAL)):
        traces.append(
            {
                "type": "bar",
                "name": f"{column} {measure}",
                "x": names,
                "y": shown[column].to_numpy(dtype=np.float32),
                "marker": {"color": colour},
                "hovertemplate": "%{y:.4g}",
            }
        )
    if "floor" in shown:
        floor = line(
            names, shown["floor"].to_numpy(dtype=np.float32), "noise floor",
            colour=ORANGE, width=1.5, dash="dash", hover="%{y:.4g}",
        )  # fmt: skip
        traces.append(floor)
    return bar_chart(traces, measure, height)


def bar_chart(traces: list[Trace], y: str, height: int) -> go.Figure:
    """Grouped bars over names, legend on top."""
    layout = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 36, "b": 8},
        "hovermode": "x unified",
        "barmode": "group",
        "bargap": 0.3,
        "legend": legend_above(),
        "xaxis": {"type": "category", "automargin": True, "title": {"text": ""}},
        "yaxis": {"title": {"text": y}, "rangemode": "tozero", "automargin": True},
    }
    return go.Figure({"data": traces, "layout": layout})
