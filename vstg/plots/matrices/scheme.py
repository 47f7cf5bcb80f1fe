"""The picture of W = U V, laid out as one multiplies matrices on paper.

V is above W and U to its left, so that entry (i, j) of W is where its row of U and its
column of V meet. The task groups run along the top, the importance of the variables
down the left side. The truth, if known, is shown next to it in the same arrangement
and the same colours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from vstg.plots.layout import labels
from vstg.plots.matrices.factors import (
    FactorFrames,
    View,
    colour_range,
    common_limit,
    shown_values,
)
from vstg.plots.matrices.scheme_layout import panels
from vstg.plots.palette import (
    FAINT,
    FOCUS,
    MISSED,
    PATTERN,
    RIGHT,
    WRONG,
    as_scale,
    group_colour,
    group_letter,
    ink_on,
)

MAX_LETTERS = 60  # with more tasks, the letters of groups could not be read


@dataclass(frozen=True, eq=False)
class SchemeData:
    """Everything that the picture shows, in the order in which it is shown.

    ``group_of_task`` has one number per task (-1 for none), ``importance`` and
    ``status`` one entry per variable. A status is "right", "wrong", "missed" or
    "dropped"; if the truth is unknown, "selected" or "dropped". Where columns combine
    several tasks, ``sizes`` says how many. Where it is known how often variables and
    groups are found on parts of the rows, ``sure_variables`` and ``sure_groups`` have
    these shares, one per variable and per group.
    """

    estimate: FactorFrames
    truth: FactorFrames | None
    group_of_task: Sequence[int]
    importance: Sequence[float]
    status: Sequence[str]
    view: View = "signed"
    focus: tuple[str, str] | None = None
    sizes: Sequence[int] | None = None
    sure_variables: Sequence[float] | None = None
    sure_groups: Sequence[float] | None = None

    @property
    def focus_position(self) -> tuple[int, int] | None:
        """Row and column of the chosen cell, None when there is no such cell."""
        rows, columns = list(self.estimate.U.index), list(self.estimate.V.columns)
        if self.focus is None or self.focus[0] not in rows:
            return None
        if self.focus[1] not in columns:
            return None
        return rows.index(self.focus[0]), columns.index(self.focus[1])


STATUS_COLOURS = {
    "right": RIGHT,
    "selected": RIGHT,
    "wrong": WRONG,
    "missed": MISSED,
    "dropped": FAINT,
}


def scheme_figure(data: SchemeData, *, height: int = 540) -> go.Figure:
    """Draw the estimate, and the truth next to it if it is known."""
    n_variables, n_tasks = data.estimate.W.shape
    n_bases = data.estimate.U.shape[1]
    place = panels(n_variables, n_tasks, n_bases, with_truth=data.truth is not None)
    traces = [*_matrix_traces(data), _group_trace(data), _bar_trace(data)]
    layout = {
        **place.axes,
        **_colour_axes(data),
        "height": height,
        "margin": {"l": 4, "r": 4, "t": 34, "b": 4},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "bargap": 0.25,
        "annotations": [*place.titles, *_letters(data)],
        "shapes": [*_group_lines(data), *_focus_shapes(data)],
        "uirevision": "scheme",
    }
    return go.Figure({"data": traces, "layout": layout})


def _matrix_traces(data: SchemeData) -> list[dict[str, Any]]:
    pairs = [("", "", data.estimate)]
    if data.truth is not None:
        pairs.append(("4", " true", data.truth))
    traces = []
    for axis, suffix, factors in pairs:
        shift = 0 if not axis else 3
        for number, name in enumerate("UVW", start=1 + shift):
            frame = getattr(factors, name)
            traces.append(
                _heat_map(frame, name + suffix, f"{number}", f"coloraxis{name}", data)
            )
    return traces


def _heat_map(
    frame: pd.DataFrame, name: str, axis: str, colours: str, data: SchemeData
) -> dict[str, Any]:
    suffix = "" if axis == "1" else axis
    number = {"U": "", "V": "2", "W": "3"}[colours[-1]]
    return {
        "type": "heatmap",
        "name": name,
        "z": shown_values(frame, data.view),
        "x": labels(frame.columns),
        "y": labels(frame.index),
        "xaxis": f"x{suffix}",
        "yaxis": f"y{suffix}",
        "coloraxis": f"coloraxis{number}",
        "xgap": 1 if frame.shape[1] <= 60 else 0,
        "ygap": 1 if frame.shape[0] <= 60 else 0,
        "hoverongaps": False,
        "hovertemplate": f"%{{y}} · %{{x}}<br>{name} = %{{z:.4g}}<extra></extra>",
    }


def _colour_axes(data: SchemeData) -> dict[str, Any]:
    """One colour scale per matrix, the same for estimate and truth."""
    axes: dict[str, Any] = {}
    for suffix, name in zip(("", "2", "3"), "UVW", strict=True):
        true = None if data.truth is None else getattr(data.truth, name)
        limit = common_limit(getattr(data.estimate, name), true)
        low, high = colour_range(limit, data.view)
        axis: dict[str, Any] = {"cmin": low, "cmax": high, "showscale": False}
        if data.view == "pattern":
            axis["colorscale"] = as_scale((PATTERN, PATTERN))
        else:
            axis["autocolorscale"] = True
        axes[f"coloraxis{suffix}"] = axis
    return axes


def _group_trace(data: SchemeData) -> dict[str, Any]:
    """A strip above V with one cell per task in the colour of its group."""
    numbers = np.asarray(data.group_of_task)
    top = max(int(numbers.max(initial=0)), 1)
    colours = [group_colour(g) for g in range(top + 1)]
    words = [group_letter(g) if g >= 0 else "no group" for g in numbers]
    return {
        "type": "heatmap",
        "name": "groups",
        "z": np.where(numbers >= 0, numbers, np.nan)[None, :].astype(np.float32),
        "x": labels(data.estimate.W.columns),
        "y": ["group"],
        "xaxis": "x7",
        "yaxis": "y7",
        "zmin": 0,
        "zmax": top,
        "colorscale": as_scale(colours),
        "showscale": False,
        "xgap": 1,
        "text": [words],
        "hovertemplate": "%{x}<br>group %{text}<extra></extra>",
    }


def _bar_trace(data: SchemeData) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": "importance",
        "orientation": "h",
        "x": np.asarray(data.importance, dtype=np.float32),
        "y": labels(data.estimate.W.index),
        "xaxis": "x8",
        "yaxis": "y8",
        "marker": {"color": [STATUS_COLOURS[status] for status in data.status]},
        "text": list(data.status),
        "textposition": "none",
        "hovertemplate": "%{y}: %{text}<br>max |u| = %{x:.4g}<extra></extra>",
    }


def _letters(data: SchemeData) -> list[dict[str, Any]]:
    """The group's letter in the middle of each run of its tasks."""
    if len(data.group_of_task) > MAX_LETTERS:
        return []
    return [
        {
            "x": (start + stop - 1) / 2,
            "y": 0,
            "xref": "x7",
            "yref": "y7",
            "text": f"<b>{group_letter(group)}</b>",
            "showarrow": False,
            "font": {"size": 11, "color": ink_on(group_colour(group))},
        }
        for start, stop, group in _runs(data.group_of_task)
        if group >= 0
    ]


def _group_lines(data: SchemeData) -> list[dict[str, Any]]:
    """Thin lines through V and W where one group ends and another begins."""
    edges = [stop - 0.5 for _, stop, _ in _runs(data.group_of_task)][:-1]
    if len(edges) > MAX_LETTERS // 2:
        return []
    bottoms = {"3": len(data.estimate.W), "2": len(data.estimate.V)}
    return [
        {
            "type": "line",
            "xref": f"x{axis}",
            "yref": f"y{axis}",
            "x0": edge,
            "x1": edge,
            "y0": -0.5,
            "y1": bottom - 0.5,
            "line": {"color": FAINT, "width": 1},
        }
        for edge in edges
        for axis, bottom in bottoms.items()
    ]


def _runs(groups: Sequence[int]) -> list[tuple[int, int, int]]:
    """Stretches of equal numbers as (start, stop, number)."""
    runs: list[tuple[int, int, int]] = []
    for j, group in enumerate(groups):
        if runs and runs[-1][2] == group:
            runs[-1] = (runs[-1][0], j + 1, group)
        else:
            runs.append((j, j + 1, group))
    return runs


def _focus_shapes(data: SchemeData) -> list[dict[str, Any]]:
    """Frames around the chosen cell of W, its row of U and its column of V."""
    position = data.focus_position
    if position is None:
        return []
    i, j = position
    n_bases = len(data.estimate.V)
    boxes = [
        ("", -0.5, n_bases - 0.5, i - 0.5, i + 0.5),
        ("2", j - 0.5, j + 0.5, -0.5, n_bases - 0.5),
        ("3", j - 0.5, j + 0.5, i - 0.5, i + 0.5),
    ]
    if data.truth is not None:
        boxes.append(("6", j - 0.5, j + 0.5, i - 0.5, i + 0.5))
    return [
        {
            "type": "rect",
            "xref": f"x{axis}",
            "yref": f"y{axis}",
            "x0": x0,
            "x1": x1,
            "y0": y0,
            "y1": y1,
            "line": {"color": FOCUS, "width": 2},
        }
        for axis, x0, x1, y0, y1 in boxes
    ]
