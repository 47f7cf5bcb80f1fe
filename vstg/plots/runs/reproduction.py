"""The paper's exhibits as figures: our repetitions with its bands, and its Figure 2."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from vstg.plots.layout import MARGIN, chart
from vstg.plots.matrices.factors import common_limit
from vstg.plots.palette import GREY, ORANGE, TEAL

INK, PAPER, FRAME = "#16262b", "#ffffff", "#5b6770"
GREYS = ((0.0, "#ffffff"), (1.0, "#000000"))  # white is zero, as in the paper
HALF = 0.38  # of the width of a band, in columns


def repetitions_figure(
    values: pd.DataFrame, paper: pd.DataFrame, chosen: str, y: str, *, height: int = 360
) -> go.Figure:
    """One box per column with every repetition, and the paper's mean ± sd behind it.

    ``values`` has ``column``, ``repetition`` and ``value``; ``paper`` has ``column``,
    ``mean`` and ``sd``, in the order of the table. The chosen column stands out.
    """
    labels = list(paper["column"])
    traces = [
        _box(label, values[values["column"] == label], chosen=label == chosen)
        for label in labels
    ]
    figure = chart([_legend_entry(), *traces], "", y, height)
    figure.update_layout(shapes=_bands(paper), showlegend=True)
    figure.update_xaxes(
        type="category", categoryorder="array", categoryarray=labels,
        range=[-0.5, len(labels) - 0.5],
    )  # fmt: skip
    figure.update_yaxes(range=_span(values, paper))
    return figure


def _box(label: str, part: pd.DataFrame, *, chosen: bool) -> dict[str, Any]:
    return {
        "type": "box", "name": label, "x": [label] * len(part), "y": part["value"],
        "boxpoints": "all", "jitter": 0.5, "pointpos": 0, "showlegend": False,
        "fillcolor": "rgba(0,0,0,0)", "line": {"width": 2 if chosen else 1.2},
        "marker": {"color": TEAL if chosen else GREY, "size": 8 if chosen else 6},
        "text": [f"repetition {r}" for r in part["repetition"]],
        "customdata": part["repetition"], "hovertemplate": "%{y:.4f}, %{text}",
    }  # fmt: skip


def _legend_entry() -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "markers", "x": [None], "y": [None],
        "name": "paper: mean ± sd",
        "marker": {"symbol": "square", "size": 14, "color": ORANGE, "opacity": 0.4},
    }  # fmt: skip


def _bands(paper: pd.DataFrame) -> list[dict[str, Any]]:
    """A rectangle for mean ± sd and a line for the mean."""
    shapes: list[dict[str, Any]] = []
    rows = zip(paper["mean"], paper["sd"], strict=True)
    for place, (mean, sd) in enumerate(rows):
        if np.isnan(mean):
            continue  # not in the paper
        ends = {"xref": "x", "yref": "y", "x0": place - HALF, "x1": place + HALF}
        shapes.append(
            {
                **ends, "type": "rect", "y0": mean - sd, "y1": mean + sd,
                "layer": "below", "fillcolor": ORANGE, "opacity": 0.28,
                "line": {"width": 0},
            }
        )  # fmt: skip
        line = {"color": ORANGE, "width": 1.5, "dash": "dot"}
        shapes.append({**ends, "type": "line", "y0": mean, "y1": mean, "line": line})
    return shapes


def _span(values: pd.DataFrame, paper: pd.DataFrame) -> list[float]:
    """The range of points and bands: plotly ignores shapes when it sets an axis."""
    ends = np.concatenate(
        [values["value"], paper["mean"] - paper["sd"], paper["mean"] + paper["sd"]]
    )
    low, high = float(np.nanmin(ends)), float(np.nanmax(ends))
    room = 0.05 * (high - low or 1.0)
    return [low - room, high + room]


def coefficients_figure(
    above: Mapping[str, pd.DataFrame],
    below: Mapping[str, pd.DataFrame],
    *,
    height: int = 620,
) -> go.Figure:
    """Magnitudes of pairs of matrices by title, on one scale from white to black.

    It is drawn on white even in the dark theme, since zero is white, as in print.
    """
    n = max(len(above), 1)
    titles = [*above, *below]
    figure = make_subplots(
        2, n, subplot_titles=titles, horizontal_spacing=0.035, vertical_spacing=0.11
    )
    matrices = [*above.values(), *below.values()]
    for number, frame in enumerate(matrices):
        trace = go.Heatmap(
            z=np.abs(frame.to_numpy(dtype=np.float32)), x=list(frame.columns),
            y=list(frame.index), coloraxis="coloraxis", name=titles[number],
            hovertemplate="%{y}, %{x}: %{z:.3f}",
        )  # fmt: skip
        figure.add_trace(trace, number // n + 1, number % n + 1)
    _paper_look(figure, common_limit(*matrices), height)
    return figure


def _paper_look(figure: go.Figure, limit: float, height: int) -> None:
    box = {
        "type": "category", "showgrid": False, "showticklabels": False, "ticks": "",
        "showline": True, "mirror": True, "linecolor": FRAME, "linewidth": 1,
    }  # fmt: skip
    figure.update_xaxes(**box)
    figure.update_yaxes(**box, autorange="reversed")
    figure.update_layout(
        height=height, margin=MARGIN | {"t": 34, "l": 14, "r": 14, "b": 14},
        paper_bgcolor=PAPER, plot_bgcolor=PAPER, font={"color": INK},
        coloraxis={
            "cmin": 0, "cmax": limit, "colorscale": [list(stop) for stop in GREYS],
            "colorbar": {"thickness": 12, "title": {"text": "|w|"}},
        },
    )  # fmt: skip
    figure.update_annotations(font={"size": 13, "color": INK})


def pattern_figure(
    matrices: Mapping[str, pd.DataFrame], *, height: int = 380
) -> go.Figure:
    """Matrices side by side, grey where they are not zero: the paper's Figure 1."""
    widths = [frame.shape[1] for frame in matrices.values()]
    figure = make_subplots(
        1, len(matrices), subplot_titles=list(matrices), column_widths=widths,
        horizontal_spacing=0.09,
    )  # fmt: skip
    for number, frame in enumerate(matrices.values()):
        trace = go.Heatmap(
            z=(frame.to_numpy() != 0).astype(np.float32), x=list(frame.columns),
            y=list(frame.index), text=_signed(frame), texttemplate="%{text}",
            coloraxis="coloraxis", xgap=2, ygap=2, name=list(matrices)[number],
            hovertemplate="%{y}, %{x}: %{text}",
        )  # fmt: skip
        figure.add_trace(trace, 1, number + 1)
    _paper_look(figure, 1.0, height)
    figure.update_xaxes(showticklabels=True, mirror=False, showline=False)
    figure.update_yaxes(showticklabels=True, mirror=False, showline=False)
    scale = [[0.0, "#f4f6f6"], [1.0, "#9aa5ac"]]
    figure.update_coloraxes(colorscale=scale, showscale=False)
    return figure


def _signed(frame: pd.DataFrame) -> Sequence[Sequence[str]]:
    return [[f"{value:g}" for value in row] for row in frame.to_numpy()]
