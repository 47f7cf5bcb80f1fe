"""Figures of the groups of tasks: who belongs where, and what groups share."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from vstg.inspection import TaskGroup, group_overlaps
from vstg.plots.palette import FAINT, group_colour, group_letter


def membership_frame(
    groups: Sequence[TaskGroup], task_names: Sequence[str], bases: Sequence[str]
) -> pd.DataFrame:
    """Tasks × bases in order of the groups: the number of the group, or NaN.

    A column with several colours is a basis that groups share.
    """
    rows, names = [], []
    for number, group in enumerate(groups):
        for j in group.tasks:
            row = np.full(len(bases), np.nan)
            row[list(group.bases)] = number
            rows.append(row)
            names.append(task_names[j])
    return pd.DataFrame(
        np.array(rows).reshape(len(rows), len(bases)), index=names, columns=list(bases)
    )


def membership_figure(membership: pd.DataFrame, *, height: int = 380) -> go.Figure:
    """Bases down, tasks across, every cell in the colour of the task's group."""
    numbers = membership.to_numpy(dtype=np.float32).T
    known = numbers[~np.isnan(numbers)]
    top = max(int(known.max(initial=0)), 1)
    scale: list[list[Any]] = []
    for g in range(top + 1):
        scale += [
            [g / (top + 1), group_colour(g)],
            [(g + 1) / (top + 1), group_colour(g)],
        ]
    letters = [
        ["" if np.isnan(g) else f"group {group_letter(int(g))}" for g in row]
        for row in numbers
    ]
    trace = {
        "type": "heatmap",
        "z": numbers,
        "x": list(membership.index),
        "y": list(membership.columns),
        "zmin": -0.5,
        "zmax": top + 0.5,
        "colorscale": scale,
        "showscale": False,
        "xgap": 2 if len(membership) <= 60 else 0,
        "ygap": 2,
        "text": letters,
        "hoverongaps": False,
        "hovertemplate": "%{x} uses %{y}<br>%{text}<extra></extra>",
    }
    return go.Figure({"data": [trace], "layout": matrix_layout(membership.T, height)})


def overlap_frame(groups: Sequence[TaskGroup]) -> pd.DataFrame:
    """The number of bases that every two groups share, by the groups' letters."""
    letters = [group_letter(number) for number in range(len(groups))]
    return pd.DataFrame(group_overlaps(groups), index=letters, columns=letters)


def overlap_figure(overlaps: pd.DataFrame, *, height: int = 380) -> go.Figure:
    """A square of counts; empty where two groups are disjoint."""
    counts = overlaps.to_numpy()
    trace = {
        "type": "heatmap",
        "z": np.where(counts > 0, counts, np.nan).astype(np.float32),
        "x": list(overlaps.columns),
        "y": list(overlaps.index),
        "zmin": 0,
        "zmax": max(int(counts.max(initial=0)), 1),
        "autocolorscale": True,
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
        "hoverongaps": False,
        "hovertemplate": "groups %{y} and %{x}<br>%{z} bases in common<extra></extra>",
    }
    if len(overlaps) <= 20:
        trace["text"] = np.where(counts > 0, counts.astype(str), "").tolist()
        trace["texttemplate"] = "%{text}"
    return go.Figure({"data": [trace], "layout": matrix_layout(overlaps, height)})


def matrix_layout(frame: pd.DataFrame, height: int) -> dict[str, Any]:
    """A plain matrix: rows downwards, names as categories, no grid."""
    axis = {"showgrid": False, "zeroline": False, "type": "category", "ticks": ""}
    axis |= {"fixedrange": True, "title": {"text": ""}}
    n_rows, n_columns = frame.shape
    return {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "dragmode": False,
        "xaxis": {**axis, "range": [-0.5, n_columns - 0.5], "automargin": True},
        "yaxis": {**axis, "range": [n_rows - 0.5, -0.5], "automargin": True},
        "shapes": [_frame_of(n_rows, n_columns)],
    }


def _frame_of(n_rows: int, n_columns: int) -> dict[str, Any]:
    """A faint frame, so that an empty matrix is still seen to be one."""
    return {
        "type": "rect",
        "xref": "x",
        "yref": "y",
        "x0": -0.5,
        "x1": n_columns - 0.5,
        "y0": -0.5,
        "y1": n_rows - 0.5,
        "line": {"color": FAINT, "width": 1},
    }
