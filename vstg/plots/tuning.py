"""Figures of a search: errors over the grid, and what they depend on."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from vstg.plots.palette import BLUE, FAINT, FOCUS, GREY, ORANGE, TEAL

SYMBOLS = {
    "n_latent": "K", "k": "k", "gamma1": "γ₁", "gamma2": "γ₂", "mu": "μ",
}  # fmt: skip
STRENGTHS = ("gamma1", "gamma2", "mu")
MARGIN = {"l": 8, "r": 8, "t": 30, "b": 8}
MARKS = {"best": ("star", "best"), "one_se": ("circle-open", "one standard error")}

Setting = Mapping[str, Any]


def power(value: float) -> str:
    """``2⁻⁵`` for a power of two, digits for anything else."""
    exponent = np.log2(value)
    if not float(exponent).is_integer():
        return f"{value:.3g}"
    digits = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"2{digits}"


def value_text(name: str, value: float) -> str:
    """A value of a parameter as people write it."""
    return power(value) if name in STRENGTHS else f"{value:g}"


def setting_text(setting: Setting) -> str:
    """``K = 5, k = 1, γ₁ = 2⁻², γ₂ = 2⁻⁴``."""
    return ", ".join(
        f"{symbol} = {value_text(name, setting[name])}"
        for name, symbol in SYMBOLS.items()
        if setting.get(name) is not None
    )


def error_maps(
    grids: Mapping[str, pd.DataFrame],
    marks: Mapping[str, Mapping[str, tuple[float, float]]],
    *,
    height: int = 400,
    n_columns: int = 3,
) -> go.Figure:
    """Errors over two parameters, one map a title, on one colour scale.

    ``marks`` gives for a title the (column, row) of "best" and "one_se". Over every
    cell lies a square that is not seen, since a heat map itself cannot be clicked.
    """
    columns = min(n_columns, max(len(grids), 1))
    rows = -(-max(len(grids), 1) // columns)
    figure = make_subplots(
        rows, columns, subplot_titles=list(grids) if any(grids) else None,
        horizontal_spacing=0.03, vertical_spacing=0.16 / rows + 0.02,
    )  # fmt: skip
    low, high = colour_range(list(grids.values()))
    for number, (title, grid) in enumerate(grids.items()):
        place = {"row": number // columns + 1, "col": number % columns + 1}
        for trace in map_traces(title, grid, marks.get(title, {})):
            figure.add_trace(trace, **place)
        figure.update_xaxes(title_text=_axis(grid.columns.name), **place)
        first = place["col"] == 1  # what stands beside another map would lie on it
        name = _axis(grid.index.name) if first else None
        figure.update_yaxes(title_text=name, showticklabels=first, **place)
    figure.update_xaxes(type="category", automargin=True)
    figure.update_yaxes(type="category", automargin=True)
    figure.update_layout(
        height=height * rows if rows > 1 else height,
        margin=MARGIN, showlegend=False, dragmode=False, hoverdistance=-1,
        coloraxis={
            "cmin": low, "cmax": high, "reversescale": True,
            "colorbar": {"title": {"text": "error"}, "thickness": 12},
        },
    )  # fmt: skip
    return figure


def _axis(name: Any) -> str:
    return SYMBOLS.get(str(name), str(name))


def colour_range(grids: Sequence[pd.DataFrame]) -> tuple[float, float]:
    """From the least error up to a middling one: good settings are told apart."""
    values = np.concatenate([grid.to_numpy(dtype=float).ravel() for grid in grids])
    values = values[np.isfinite(values)]
    if len(values) == 0:
        return 0.0, 1.0
    low, high = float(values.min()), float(np.quantile(values, 0.4))
    return low, high if high > low else low + 1e-9


def map_traces(
    title: str, grid: pd.DataFrame, marks: Mapping[str, tuple[float, float]]
) -> list[Any]:
    """A heat map, the squares that take clicks, and the marks."""
    columns, rows = [float(v) for v in grid.columns], [float(v) for v in grid.index]
    xs = [value_text(str(grid.columns.name), value) for value in columns]
    ys = [value_text(str(grid.index.name), value) for value in rows]
    z = grid.to_numpy(dtype=np.float32)
    i, j = np.nonzero(np.isfinite(z))
    cells = [[title, columns[b], rows[a]] for a, b in zip(i, j, strict=True)]
    traces: list[Any] = [
        go.Heatmap(
            z=z, x=xs, y=ys, coloraxis="coloraxis", hoverinfo="skip", xgap=1, ygap=1
        ),
        go.Scatter(
            x=[xs[b] for b in j], y=[ys[a] for a in i],
            mode="markers", customdata=cells, text=[f"{v:.4f}" for v in z[i, j]],
            marker={"symbol": "square", "size": 18, "opacity": 0},
            hovertemplate="%{x}, %{y}: %{text}<extra></extra>",
        ),
    ]  # fmt: skip
    for mark, (x, y) in marks.items():
        symbol, words = MARKS[mark]
        traces.append(
            go.Scatter(
                x=[value_text(str(grid.columns.name), x)],
                y=[value_text(str(grid.index.name), y)],
                mode="markers", name=words, hovertemplate=f"{words}<extra></extra>",
                marker={
                    "symbol": symbol, "size": 15, "color": FOCUS,
                    "line": {"width": 2, "color": FOCUS},
                },
            )
        )  # fmt: skip
    return traces


def best_curve(curve: pd.DataFrame, *, height: int = 220) -> go.Figure:
    """Least mean error against the number of judged cells, thinned to its steps."""
    curve = curve.dropna()
    steps = curve[curve["error"].diff().fillna(1.0) != 0]
    shown = pd.concat([steps, curve.tail(1)])
    trace = {
        "type": "scatter", "mode": "lines", "line": {"shape": "hv", "color": TEAL},
        "x": shown["cells"], "y": shown["error"], "hovertemplate": "%{y:.4f}",
    }  # fmt: skip
    return chart([trace], "judged fits", "best so far", height)


def error_curves(tables: Mapping[str, pd.DataFrame], *, height: int = 330) -> go.Figure:
    """Best error for each value of each parameter, with one standard error."""
    figure = make_subplots(1, max(len(tables), 1), shared_yaxes=True)
    for number, (name, table) in enumerate(tables.items()):
        trace = go.Scatter(
            x=[value_text(name, float(v)) for v in table[name]], y=table["error"],
            error_y={"type": "data", "array": table["se"].fillna(0), "color": GREY},
            mode="lines+markers", line={"color": TEAL},
            hovertemplate="%{x}: %{y:.4f}<extra></extra>",
        )  # fmt: skip
        figure.add_trace(trace, 1, number + 1)
        figure.update_xaxes(
            title_text=SYMBOLS.get(name, name), type="category", col=number + 1
        )
    figure.update_yaxes(title_text="error ± SE", col=1)
    figure.update_layout(height=height, margin=MARGIN, showlegend=False)
    return figure


def parallel_figure(
    summary: pd.DataFrame, parameters: Sequence[str], *, height: int = 420
) -> go.Figure:
    """Every setting as a line through its parameters, sparsity and error."""
    dimensions = []
    for name in parameters:
        values = summary[name].to_numpy(dtype=float)
        ticks = np.unique(values)
        scaled = np.log2(values) if name in STRENGTHS else values
        at = np.log2(ticks) if name in STRENGTHS else ticks
        dimensions.append(
            {
                "label": SYMBOLS.get(name, name), "values": scaled, "tickvals": at,
                "ticktext": [value_text(name, float(tick)) for tick in ticks],
            }
        )  # fmt: skip
    dimensions.append({"label": "variables", "values": summary["n_variables"]})
    dimensions.append({"label": "error", "values": summary["error"]})
    low, high = colour_range([summary[["error"]]])
    trace = {
        "type": "parcoords", "dimensions": dimensions,
        "line": {
            "color": summary["error"], "cmin": low, "cmax": high,
            "colorscale": [[0, TEAL], [0.5, "#c9b26b"], [1, ORANGE]],
        },
        "unselected": {"line": {"color": FAINT, "opacity": 0.2}},
    }  # fmt: skip
    layout = {"height": height, "margin": {"l": 50, "r": 40, "t": 50, "b": 20}}
    return go.Figure({"data": [trace], "layout": layout})


def shares_figure(table: pd.DataFrame, *, height: int = 260) -> go.Figure:
    """How much of the error each parameter explains alone."""
    shown = table.iloc[::-1]
    trace = {
        "type": "bar", "orientation": "h", "marker": {"color": TEAL},
        "y": [SYMBOLS.get(name, name) for name in shown["parameter"]],
        "x": shown["share"], "hovertemplate": "%{x:.0%}",
    }  # fmt: skip
    figure = chart([trace], "share of the variance of the error", "", height)
    figure.update_xaxes(tickformat=".0%", rangemode="tozero")
    figure.update_yaxes(type="category")
    return figure


def pareto_figure(
    summary: pd.DataFrame,
    front: pd.DataFrame,
    marks: Mapping[str, pd.Series],
    sparsity: str = "n_variables",
    *,
    height: int = 380,
) -> go.Figure:
    """Error against sparsity; the line joins settings that none beats in both."""
    points = {
        "type": "scatter", "mode": "markers", "name": "settings",
        "x": summary[sparsity], "y": summary["error"], "customdata": summary.index,
        "marker": {"color": GREY, "size": 6, "opacity": 0.5},
        "hovertemplate": "%{x:.1f}: %{y:.4f}<extra></extra>",
    }  # fmt: skip
    line = {
        "type": "scatter", "mode": "lines+markers", "name": "Pareto front",
        "x": front[sparsity], "y": front["error"], "customdata": front.index,
        "line": {"shape": "hv", "color": BLUE}, "marker": {"size": 9},
        "hovertemplate": "%{x:.1f}: %{y:.4f}<extra></extra>",
    }  # fmt: skip
    traces: list[dict[str, Any]] = [points, line]
    for mark, row in marks.items():
        symbol, words = MARKS[mark]
        marker = {"symbol": symbol, "size": 16, "color": FOCUS, "line": {"width": 2}}
        traces.append(
            {
                "type": "scatter", "mode": "markers", "name": words,
                "x": [row[sparsity]], "y": [row["error"]], "marker": marker,
            }
        )  # fmt: skip
    labels = {"n_variables": "variables kept", "n_nonzero": "non-zero entries of W"}
    figure = chart(traces, labels[sparsity], "error", height)
    figure.update_layout(showlegend=True)
    return figure


def chart(traces: list[dict[str, Any]], x: str, y: str, height: int) -> go.Figure:
    """A plain chart with named axes, legend on top if any."""
    layout = {
        "height": height, "margin": MARGIN, "showlegend": False,
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "xaxis": {"title": {"text": x}, "automargin": True},
        "yaxis": {"title": {"text": y}, "automargin": True},
    }  # fmt: skip
    return go.Figure({"data": traces, "layout": layout})
