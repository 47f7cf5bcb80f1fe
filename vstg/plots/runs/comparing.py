"""Figures that compare methods, runs or resamples."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from vstg.plots.layout import MARGIN, chart, label, labels
from vstg.plots.palette import GREY, ORANGE, TEAL, group_colour


def box_figure(
    errors: pd.DataFrame,
    *,
    value: str = "value",
    y: str = "error",
    log: bool = False,
    height: int = 380,
) -> go.Figure:
    """One box per method, with every repetition as a point."""
    traces = [
        {
            "type": "box", "name": label(method), "y": part[value],
            "boxpoints": "all", "jitter": 0.4, "pointpos": 0,
            "marker": {"color": group_colour(number), "size": 6},
            "line": {"width": 1.5}, "text": [f"#{r + 1}" for r in part["repetition"]],
            "hovertemplate": "%{y:.4g} %{text}",
        }
        for number, (method, part) in enumerate(errors.groupby("method", sort=False))
    ]  # fmt: skip
    figure = chart(traces, "", y, height)
    if log:
        ticks = log_ticks(errors[value].to_numpy(float))
        texts = [f"{tick:g}" for tick in ticks]
        figure.update_yaxes(type="log", tickvals=ticks, ticktext=texts)
    return figure


def log_ticks(values: np.ndarray) -> list[float]:
    """1, 2 and 5 times powers of ten around the values; only powers over a wide range.

    By default plotly labels only the powers, so values within a decade have no label.
    """
    some = values[np.isfinite(values) & (values > 0)]
    if not len(some):
        return [1.0]
    low, high = int(np.floor(np.log10(some.min()))), int(np.ceil(np.log10(some.max())))
    parts = (1, 2, 5) if high - low <= 3 else (1,)
    return [part * 10.0**power for power in range(low, high + 1) for part in parts]


def largest_entry(matrices: Mapping[str, pd.DataFrame]) -> float:
    """The greatest magnitude in any of the matrices, 1 if all are zero."""
    sizes = [float(np.abs(m.to_numpy()).max(initial=0)) for m in matrices.values()]
    return max(sizes, default=0.0) or 1.0


def matrices_figure(
    matrices: Mapping[str, pd.DataFrame],
    *,
    limit: float | None = None,
    scale: bool = True,
    height: int = 360,
    n_columns: int = 4,
) -> go.Figure:
    """Signed matrices on one colour scale up to ``limit``, exact zeros empty."""
    columns = max(1, min(n_columns, len(matrices)))
    rows = -(-max(len(matrices), 1) // columns)
    figure = make_subplots(
        rows, columns, subplot_titles=labels(matrices), shared_yaxes=True,
        horizontal_spacing=0.03, vertical_spacing=0.1 / rows + 0.02,
    )  # fmt: skip
    limit = largest_entry(matrices) if limit is None else limit
    for number, matrix in enumerate(matrices.values()):
        trace = _heat(matrix, ".3f")
        figure.add_trace(trace, number // columns + 1, number % columns + 1)
    _rows_downwards(figure)
    figure.update_xaxes(showticklabels=False)
    figure.update_layout(
        height=height * rows, margin={**MARGIN, "t": 30 if any(matrices) else 4},
        coloraxis={
            "cmin": -limit, "cmax": limit, "autocolorscale": True,
            "showscale": scale, "colorbar": {"thickness": 10, "xpad": 4},
        },
    )  # fmt: skip
    return figure


def _heat(frame: pd.DataFrame, number: str) -> go.Heatmap:
    """A heat map with zeros left empty; ``number`` is the format of a value."""
    z = frame.to_numpy(dtype=np.float32)
    return go.Heatmap(
        z=np.where(z == 0, np.nan, z),
        x=labels(frame.columns),
        y=labels(frame.index),
        coloraxis="coloraxis",
        hovertemplate=f"%{{y}}, %{{x}}: %{{z:{number}}}<extra></extra>",
    )


def _rows_downwards(figure: go.Figure) -> None:
    """Axes of heat maps: rows from top to bottom, as in a table."""
    figure.update_yaxes(autorange="reversed", type="category", showgrid=False)
    figure.update_xaxes(type="category", showgrid=False)


def wins_figure(
    tasks: pd.DataFrame, reference: str, *, measure: str = "error", height: int = 380
) -> go.Figure:
    """Error per task minus that of a reference method, which wins above zero."""
    traces = []
    for number, method in enumerate(tasks.columns):  # colours as those of the boxes
        if method == reference:
            continue
        difference = tasks[method] - tasks[reference]
        traces.append(
            {
                "type": "scatter", "mode": "markers", "name": label(method),
                "x": labels(tasks.index), "y": difference,
                "marker": {"color": group_colour(number), "size": 8},
                "hovertemplate": "%{x}: %{y:+.4f}",
            }
        )  # fmt: skip
    figure = chart(traces, "task", f"{measure} above {reference}'s", height)
    figure.add_hline(0, line_color=GREY, line_width=1.5)
    figure.update_layout(showlegend=True)
    figure.update_xaxes(type="category")
    return figure


def frequency_figure(
    frames: Mapping[str, pd.DataFrame], *, height: int = 420
) -> go.Figure:
    """Heat maps of how often entries were selected, from never (empty) to always."""
    figure = make_subplots(
        1, max(len(frames), 1), subplot_titles=labels(frames), horizontal_spacing=0.08
    )
    for number, frame in enumerate(frames.values()):
        figure.add_trace(_heat(frame, ".0%"), 1, number + 1)
    _rows_downwards(figure)
    bar = {"tickformat": ".0%", "thickness": 12}
    figure.update_layout(
        height=height, margin=MARGIN,
        coloraxis={"cmin": 0, "cmax": 1, "colorbar": bar},
    )  # fmt: skip
    return figure


def sureness_figure(
    variables: pd.DataFrame, threshold: float, *, height: int = 380
) -> go.Figure:
    """Selection frequencies of variables with their intervals, most frequent first.

    ``variables`` has ``variable``, ``frequency``, ``low``, ``high`` and ``selected``.
    """
    shown = variables.head(120)
    trace = {
        "type": "bar", "x": labels(shown["variable"]), "y": shown["frequency"],
        "marker": {"color": [TEAL if kept else GREY for kept in shown["selected"]]},
        "error_y": {
            "type": "data", "symmetric": False, "color": ORANGE,
            "array": shown["high"] - shown["frequency"],
            "arrayminus": shown["frequency"] - shown["low"],
        },
        "hovertemplate": "%{x}: %{y:.0%}",
    }  # fmt: skip
    figure = chart([trace], "", "share of resamples", height)
    figure.add_hline(threshold, line_dash="dash", line_color=ORANGE)
    figure.update_yaxes(tickformat=".0%", range=[0, 1.05])
    figure.update_xaxes(type="category")
    return figure


def wilson_interval(
    shares: Sequence[float], n: int, z: float = 1.96
) -> tuple[np.ndarray, np.ndarray]:
    """Wilson's interval for a share observed in n draws."""
    p = np.asarray(shares, dtype=float)
    centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return np.clip(centre - half, 0.0, 1.0), np.clip(centre + half, 0.0, 1.0)
