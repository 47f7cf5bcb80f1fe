"""Errors over two parameters as a map that can be clicked."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from vstg.notation import SYMBOLS, value_text
from vstg.plots.tuning import MARGIN, mark_trace

MAX_TICKS = 7  # of an axis of cells


def error_map(
    grid: pd.DataFrame,
    marks: Mapping[str, tuple[float, float]],
    limits: tuple[float, float],
    *,
    title: str = "",
    measure: str = "error",
    height: int = 400,
) -> go.Figure:
    """Errors over two parameters, on a colour scale from the first limit to the second.

    ``marks`` gives the (column, row) of "best" and "one_se". Over every cell lies a
    square that is not seen, since a heat map itself cannot be clicked.
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
    """An axis of cells that ends with them, and names as many as are legible."""
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
