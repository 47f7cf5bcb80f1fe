"""A regularisation path with a slider: watch U, V, W and the groups form or vanish."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from vstg.data import Array
from vstg.plots.layout import labels
from vstg.plots.palette import GROUPS, PRESSED, SLID, as_scale


@dataclass(frozen=True, eq=False)
class PathStep:
    """One position of the slider; ``groups`` has a number per task, -1 for none."""

    label: str
    words: str
    U: Array
    V: Array
    W: Array
    groups: Array


def path_figure(
    steps: Sequence[PathStep],
    features: Sequence[str],
    tasks: Sequence[str],
    *,
    start: int = 0,
    height: int = 560,
) -> go.Figure:
    """Heat maps with a slider and a play button that work without the server."""
    n_bases = steps[0].U.shape[1]
    bases = [str(r + 1) for r in range(n_bases)]
    figure = make_subplots(
        3, 2, shared_xaxes="columns", shared_yaxes="rows",
        column_widths=[0.25, 0.75], row_heights=[0.07, 0.24, 0.69],
        specs=[[None, {}], [None, {}], [{}, {}]],
        horizontal_spacing=0.06, vertical_spacing=0.07,
        subplot_titles=("groups of tasks", "V", "U", "W"),
    )  # fmt: skip
    shown = traces(steps[start], steps)
    features, tasks = labels(features), labels(tasks)
    axes = [(1, 2, [""], tasks), (2, 2, bases, tasks), (3, 1, features, bases)]
    axes.append((3, 2, features, tasks))
    for trace, (row, column, ys, xs) in zip(shown, axes, strict=True):
        figure.add_trace(go.Heatmap(**trace, x=list(xs), y=list(ys)), row, column)
    figure.update_yaxes(autorange="reversed", type="category", automargin=True)
    figure.update_xaxes(
        type="category", automargin=True, showticklabels=False, ticks=""
    )
    figure.frames = [
        go.Frame(
            name=step.label,
            data=[go.Heatmap(z=trace["z"]) for trace in traces(step, steps)],
            traces=[0, 1, 2, 3],
            layout={"title": {"text": step.words}},
        )
        for step in steps
    ]
    figure.update_layout(
        height=height, margin={"l": 8, "r": 8, "t": 56, "b": 8},
        title={"text": steps[start].words, "font": {"size": 14}},
        sliders=[slider(steps, start)], updatemenus=[play_button()],
    )  # fmt: skip
    return figure


def traces(step: PathStep, steps: Sequence[PathStep]) -> list[dict[str, Any]]:
    """Groups, V, U, W; exact zeros are left empty, colours fixed along the path."""
    limits = {
        name: max(float(np.abs(getattr(s, name)).max()) for s in steps) or 1.0
        for name in ("V", "U", "W")
    }
    groups = step.groups.astype(np.float32)[None, :]
    strip = {
        "z": np.where(groups < 0, np.nan, groups % len(GROUPS)),
        "zmin": 0, "zmax": len(GROUPS) - 1, "colorscale": as_scale(GROUPS),
        "showscale": False, "xgap": 1, "hoverinfo": "skip",
    }  # fmt: skip
    found = [strip]
    for name, limit in limits.items():
        z = getattr(step, name).astype(np.float32)
        found.append(
            {
                "z": np.where(z == 0, np.nan, z), "zmin": -limit, "zmax": limit,
                "coloraxis": None, "colorscale": SIGNED, "showscale": False,
                "hovertemplate": "%{y}, %{x}: %{z:.3f}<extra>" + name + "</extra>",
            }
        )  # fmt: skip
    return found


# Legible on white and on nearly black: the middle, never exactly zero, is not white.
SIGNED = as_scale(("#a8620f", "#d19a4a", "#b9b29c", "#5fb0a6", "#0f7a70"))


def slider(steps: Sequence[PathStep], start: int) -> dict[str, Any]:
    """A position for each step."""
    motion = {"mode": "immediate", "frame": {"duration": 0}, "transition": {}}
    return {
        "active": start,
        **SLID,
        "pad": {"t": 8, "l": 90},
        "steps": [
            {"label": s.label, "method": "animate", "args": [[s.label], motion]}
            for s in steps
        ],
    }


def play_button() -> dict[str, Any]:
    """Buttons that play all steps or pause."""
    play = {"frame": {"duration": 500, "redraw": True}, "fromcurrent": True}
    hold = {"mode": "immediate", "frame": {"duration": 0, "redraw": False}}
    return {
        "type": "buttons",
        "direction": "right",
        **PRESSED,
        "x": 0, "xanchor": "left", "y": 0, "yanchor": "top",
        "pad": {"t": 14},
        "buttons": [
            {"label": "▶", "method": "animate", "args": [None, play]},
            {"label": "❚❚", "method": "animate", "args": [[None], hold]},
        ],
    }  # fmt: skip
