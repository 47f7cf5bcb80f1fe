"""Figures of a search: errors over the grid, and what they depend on."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from vstg.notation import STRENGTHS, SYMBOLS, setting_text, value_text
from vstg.plots.layout import MARGIN, chart
from vstg.plots.palette import BLUE, FAINT, FOCUS, GREY, TEAL

POINT = "%{text}<br>%{x:.1f} kept, %{y:.4f}<extra></extra>"
MARKS = {  # the ring is large enough to surround the star
    "best": ("star", "best", 14),
    "one_se": ("circle-open", "one standard error", 20),
    "found": ("diamond-open", "found settings", 26),
}
MAX_TICKS = 7  # on an axis of cells


def colour_range(grids: Sequence[pd.DataFrame]) -> tuple[float, float]:
    """From the lowest error to a medium one, so that good settings look different."""
    values = np.concatenate([grid.to_numpy(dtype=float).ravel() for grid in grids])
    values = values[np.isfinite(values)]
    if len(values) == 0:
        return 0.0, 1.0
    low, high = float(values.min()), float(np.quantile(values, 0.4))
    return low, high if high > low else low + 1e-9


def best_curve(
    curve: pd.DataFrame, measure: str = "error", *, height: int = 220
) -> go.Figure:
    """Lowest mean error against the number of evaluated cells, reduced to its steps."""
    curve = curve.dropna()
    steps = curve[curve["error"].diff().fillna(1.0) != 0]
    shown = pd.concat([steps, curve.tail(1)])
    trace = {
        "type": "scatter", "mode": "lines", "line": {"shape": "hv", "color": TEAL},
        "x": shown["cells"], "y": shown["error"],
        "hovertemplate": "%{y:.4f} after %{x:,} fits<extra></extra>",
    }  # fmt: skip
    return chart([trace], "fits evaluated", f"lowest {measure}", height)


def error_curve(
    name: str,
    table: pd.DataFrame,
    marks: Mapping[str, pd.Series] | None = None,
    *,
    measure: str = "error",
    limits: tuple[float, float] | None = None,
    height: int = 330,
) -> go.Figure:
    """Best error for each value of a parameter, with one standard error.

    ``marks`` gives the rows of "best", "one_se" and "found", which are drawn at their
    errors.
    """
    curve = {
        "type": "scatter", "mode": "lines+markers", "line": {"color": TEAL},
        "x": [value_text(name, float(v)) for v in table[name]], "y": table["error"],
        "error_y": {"type": "data", "array": table["se"].fillna(0), "color": GREY},
        "hovertemplate": "%{x}: %{y:.4f}<extra></extra>",
    }  # fmt: skip
    signs = [
        mark_trace(mark, value_text(name, float(row[name])), row["error"])
        for mark, row in (marks or {}).items()
    ]
    x = SYMBOLS.get(name, name)
    figure = chart([curve, *signs], x, f"{measure} ± SE", height)
    figure.update_xaxes(type="category", tickangle=0)
    figure.update_yaxes(range=limits)
    return figure


def error_range(tables: Sequence[pd.DataFrame]) -> tuple[float, float]:
    """The range of an axis that makes curves side by side comparable."""
    rows = pd.concat(tables)
    low = float((rows["error"] - rows["se"].fillna(0)).min())
    high = float((rows["error"] + rows["se"].fillna(0)).max())
    margin = 0.06 * (high - low) or 0.01
    return low - margin, high + margin


def mark_trace(mark: str, x: Any, y: Any, place: Any = None) -> go.Scatter:
    """The marker of the best, the one-SE or the found choice.

    It covers what can be clicked, so it carries the ``place`` below it.
    """
    symbol, words, size = MARKS[mark]
    return go.Scatter(
        x=[x], y=[y], mode="markers", name=words, legendgroup=mark,
        customdata=None if place is None else [place],
        hovertemplate=f"{words}<extra></extra>", cliponaxis=False,
        marker={
            "symbol": symbol, "size": size, "color": FOCUS,
            "line": {"width": 2, "color": FOCUS},
        },
    )  # fmt: skip


def parallel_figure(
    summary: pd.DataFrame,
    parameters: Sequence[str],
    *,
    measure: str = "error",
    height: int = 440,
) -> go.Figure:
    """Every setting as a line through its parameters, sparsity and error.

    Plotly draws lines with larger colour values on top, so colours are negative errors:
    the best settings are not hidden by the others.
    """
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
    dimensions.append({"label": measure, "values": summary["error"]})
    low, high = colour_range([summary[["error"]]])
    trace = {
        "type": "parcoords", "dimensions": dimensions,
        "line": {
            "color": -summary["error"], "cmin": -high, "cmax": -low,
            "colorscale": [[0, GREY], [0.5, "#c9b26b"], [1, TEAL]],
        },
        "labelfont": {"size": 14}, "tickfont": {"size": 11},
        "unselected": {"line": {"color": FAINT, "opacity": 0.2}},
    }  # fmt: skip
    layout = {"height": height, "margin": {"l": 50, "r": 40, "t": 50, "b": 20}}
    return go.Figure({"data": [trace], "layout": layout})


def shares_figure(table: pd.DataFrame, *, height: int = 260) -> go.Figure:
    """How much of the error each parameter explains on its own."""
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
    measure: str = "error",
    height: int = 380,
) -> go.Figure:
    """Error against sparsity; the line joins settings that no other beats in both."""
    points = {
        "type": "scatter", "mode": "markers", "name": "settings",
        "x": summary[sparsity], "y": summary["error"], "customdata": summary.index,
        "marker": {"color": GREY, "size": 6, "opacity": 0.5},
        "text": settings_texts(summary), "hovertemplate": POINT,
    }  # fmt: skip
    line = {
        "type": "scatter", "mode": "lines+markers", "name": "Pareto front",
        "x": front[sparsity], "y": front["error"], "customdata": front.index,
        "line": {"shape": "hv", "color": BLUE}, "marker": {"size": 9},
        "text": settings_texts(front), "hovertemplate": POINT,
    }  # fmt: skip
    traces: list[Any] = [points, line]
    traces += [
        mark_trace(mark, row[sparsity], row["error"], row.name)
        for mark, row in marks.items()
    ]
    labels = {"n_variables": "variables kept", "n_nonzero": "non-zero entries of W"}
    figure = chart(traces, labels[sparsity], measure, height)
    figure.update_layout(showlegend=True)
    return figure


def settings_texts(summary: pd.DataFrame) -> list[str]:
    """The setting of each row."""
    names = [name for name in SYMBOLS if name in summary]
    rows = summary[names].itertuples(index=False, name=None)
    return [setting_text(dict(zip(names, row, strict=True))) for row in rows]


def error_map(
    grid: pd.DataFrame,
    marks: Mapping[str, tuple[float, float]],
    limits: tuple[float, float],
    *,
    title: str = "",
    measure: str = "error",
    height: int = 400,
) -> go.Figure:
    """Errors over two parameters, on a colour scale between the two limits.

    ``marks`` gives the (column, row) of each choice. Every cell is covered by
    an invisible square, since a heat map itself cannot be clicked.
    """
    low, high = limits
    figure = go.Figure(map_traces(title, grid, marks))
    figure.update_layout(
        height=height, margin={**MARGIN, "t": 34 if title else 14},
        title={"text": title, "font": {"size": 14}, "x": 0.5, "xanchor": "center"},
        showlegend=False, dragmode=False, hoverdistance=-1,
        xaxis=_values_axis(grid.columns), yaxis=_values_axis(grid.index),
        coloraxis={
            "cmin": low, "cmax": high, "reversescale": True,
            "colorbar": {
                "title": {"text": measure, "font": {"size": 11}}, "thickness": 8,
                "xpad": 4, "nticks": 5, "tickfont": {"size": 10}, "ticks": "",
            },
        },
    )  # fmt: skip
    return figure


def _values_axis(values: pd.Index) -> dict[str, Any]:
    """An axis that ends with its cells and labels as many as are legible."""
    texts = [value_text(str(values.name), float(value)) for value in values]
    every = -(-len(texts) // MAX_TICKS)
    return {
        "type": "category", "range": [-0.5, len(texts) - 0.5], "tickangle": 0,
        "tickvals": texts[::every], "showgrid": False, "automargin": True,
        "title": {"text": SYMBOLS.get(str(values.name), str(values.name)),
                  "standoff": 6},
    }  # fmt: skip


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
        names = (
            value_text(str(grid.columns.name), x),
            value_text(str(grid.index.name), y),
        )
        traces.append(mark_trace(mark, *names, [title, x, y]))
    return traces
