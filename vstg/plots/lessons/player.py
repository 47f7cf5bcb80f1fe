"""Figures that play in the browser: back, play, pause, step and a slider.

A button of plotly goes to a fixed frame. Every frame therefore brings along the
buttons of its own place, whose "back" and "step" name its neighbours.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from vstg.plots.layout import BARE, Trace
from vstg.plots.matrices.factors import shown_values
from vstg.plots.palette import GREY, PRESSED, SLID

Words = Mapping[str, str]
STILL = {
    "mode": "immediate",
    "frame": {"duration": 0, "redraw": True},
    "transition": {"duration": 0},
}


def played(
    data: list[Trace],
    layout: dict[str, Any],
    frames: Sequence[dict[str, Any]],
    labels: Sequence[str],
    words: Words,
    *,
    start: int = 0,
    milliseconds: int = 700,
) -> go.Figure:
    """A figure with ``frames`` (each "data", "traces", perhaps "layout") to play."""
    count = len(frames)
    named = [
        {
            **frame,
            "name": str(i),
            "layout": {
                **frame.get("layout", {}),
                "updatemenus": [_buttons(i, count, words, milliseconds)],
            },
        }
        for i, frame in enumerate(frames)
    ]
    full = {
        **layout,
        "updatemenus": [_buttons(start, count, words, milliseconds)],
        "sliders": [_slider(labels, words, start)],
    }
    return go.Figure({"data": data, "layout": full, "frames": named})


def _buttons(place: int, count: int, words: Words, milliseconds: int) -> dict[str, Any]:
    run = {
        "mode": "immediate",
        "fromcurrent": True,
        "frame": {"duration": milliseconds, "redraw": True},
        "transition": {"duration": 0},
    }
    steps: list[tuple[str, list[Any]]] = [
        (words["back"], [[str(max(place - 1, 0))], STILL]),
        (words["play"], [None, run]),
        (words["pause"], [[None], STILL]),
        (words["step"], [[str(min(place + 1, count - 1))], STILL]),
    ]
    return {
        "type": "buttons",
        "direction": "left",
        **PRESSED,
        "x": 0,
        "y": 0,
        "xanchor": "left",
        "yanchor": "top",
        "pad": {"t": 56},
        "font": {"size": 13},
        "buttons": [
            {"label": label, "method": "animate", "args": args} for label, args in steps
        ],
    }


def _slider(labels: Sequence[str], words: Words, start: int) -> dict[str, Any]:
    many = len(labels) > 16
    return {
        "active": start,
        "x": 0,
        "len": 0.95,  # the last label is centred on its end
        "y": 0,
        "yanchor": "top",
        "pad": {"t": 84, "b": 4},
        "ticklen": 0 if many else 4,
        "minorticklen": 0,
        **SLID,
        "font": {"size": 1 if many else 11, "color": "rgba(0,0,0,0)" if many else GREY},
        "currentvalue": {
            "prefix": words["now"] + " ",
            "xanchor": "right",
            "font": {"size": 13, "color": GREY},
        },
        "steps": [
            {"label": label, "method": "animate", "args": [[str(i)], STILL]}
            for i, label in enumerate(labels)
        ],
    }


def heat(matrix: Any, name: str, axis: str, colours: str = "coloraxis") -> Trace:
    """A heat map without names on its axes; exact zeros keep the page's colour."""
    return {
        "type": "heatmap",
        "name": name,
        "z": shown_values(matrix, "signed"),
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "coloraxis": colours,
        "xgap": 1,
        "ygap": 1,
        "hoverongaps": False,
        "hovertemplate": f"{name} %{{y}}, %{{x}}: %{{z:.3g}}<extra></extra>",
    }


def matrix_axes(
    axis: str, x: tuple[float, float], y: tuple[float, float], shape: tuple[int, int]
) -> dict[str, Any]:
    """Axes of one heat map inside a thin frame, rows downwards."""
    common = {
        **BARE,
        "showticklabels": False,
        "showline": True,
        "mirror": True,
        "linecolor": "rgba(127,138,147,0.45)",
    }
    return {
        f"xaxis{axis}": {
            **common, "domain": list(x), "anchor": f"y{axis}",
            "range": [-0.5, shape[1] - 0.5],
        },
        f"yaxis{axis}": {
            **common, "domain": list(y), "anchor": f"x{axis}",
            "range": [shape[0] - 0.5, -0.5],
        },
    }  # fmt: skip


def signed_scale(limit: float) -> dict[str, Any]:
    """A colour axis centred at zero whose colours the theme decides."""
    bound = limit if limit > 0 else 1.0
    return {"cmin": -bound, "cmax": bound, "showscale": False, "autocolorscale": True}


def enlarged(figure: go.Figure, factor: float = 1.3) -> go.Figure:
    """The same with larger type, to be read from the last row."""
    larger = {"size": 12 * factor}
    figure.update_layout(font=larger, legend={"font": larger})
    axis = {"tickfont": larger, "title": {"font": larger}}
    figure.update_xaxes(axis)
    figure.update_yaxes(axis)
    for note in figure.layout.annotations:
        note.font.size = factor * (note.font.size or 12)
    if figure.layout.title.text:
        figure.layout.title.font.size = 15 * factor
    for layout in (figure.layout, *(frame.layout for frame in figure.frames)):
        layout.updatemenus = [_larger(menu, factor) for menu in layout.updatemenus]
    figure.layout.sliders = [_larger(bar, factor) for bar in figure.layout.sliders]
    return figure


def _larger(part: Any, factor: float) -> dict[str, Any]:
    """Buttons or a slider with larger words; a size of 1 hides them and stays."""
    grown: dict[str, Any] = part.to_plotly_json()
    for holder in (grown, grown.get("currentvalue", {})):
        if holder.get("font", {}).get("size", 1) > 1:
            holder["font"] = {**holder["font"], "size": factor * holder["font"]["size"]}
    return grown


def columns(count: int, gap: float = 0.025) -> list[tuple[float, float]]:
    """Equal shares of the width."""
    width = (1.0 - gap * (count - 1)) / count
    return [(i * (width + gap), i * (width + gap) + width) for i in range(count)]
