"""What figures share: traces, axes, legends and titles, names as plain text."""

from collections.abc import Iterable
from typing import Any

import plotly.graph_objects as go

Trace = dict[str, Any]
MARGIN = {"l": 8, "r": 8, "t": 30, "b": 8}
BARE = {
    "showgrid": False,
    "zeroline": False,
    "ticks": "",
    "fixedrange": True,
    "title": {"text": ""},
}


def title(
    text: str, x: float, y: float, size: int = 13, *, anchor: str = "bottom"
) -> dict[str, Any]:
    """A title that begins at a position given in shares of the figure."""
    return {
        "text": text,
        "x": x,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": anchor,
        "showarrow": False,
        "align": "left",
        "font": {"size": size},
    }


def legend_above(y: float = 1.02) -> dict[str, Any]:
    """A horizontal legend that begins at the left, above the height ``y``."""
    return {"orientation": "h", "y": y, "yanchor": "bottom", "x": 0}


def margins(top: int, bottom: int = 8) -> dict[str, int]:
    """Narrow margins at both sides."""
    return {"l": 8, "r": 8, "t": top, "b": bottom, "pad": 0}


def fixed_axis(text: str, **more: Any) -> dict[str, Any]:
    """An axis with a title, which the pointer cannot stretch."""
    return {"title": {"text": text}, "fixedrange": True, **more}


def line(
    x: Any, y: Any, name: str = "", *, colour: Any, width: float = 2.0,
    dash: str = "solid", hover: str = "", **more: Any,
) -> Trace:  # fmt: skip
    """A curve; without a name it is not in the legend, without ``hover`` no tooltip."""
    style = {"color": colour, "width": width, "dash": dash}
    return _scatter(x, y, name, "lines", hover) | {"line": style, **more}


def dots(
    x: Any, y: Any, name: str = "", *, colour: Any, size: Any, hover: str = "",
    marker: dict[str, Any] | None = None, **more: Any,
) -> Trace:  # fmt: skip
    """Points, with names and tooltips as in :func:`line`."""
    style = {"color": colour, "size": size, **(marker or {})}
    return _scatter(x, y, name, "markers", hover) | {"marker": style, **more}


def _scatter(x: Any, y: Any, name: str, mode: str, hover: str) -> Trace:
    tooltip = {"hovertemplate": hover} if hover else {"hoverinfo": "skip"}
    legend = {"name": name} if name else {"showlegend": False}
    return {"type": "scatter", "x": x, "y": y, "mode": mode, **legend, **tooltip}


def label(name: object) -> str:
    """A name as plain text: plotly would take ``<b>`` and the like for markup."""
    return str(name).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def labels(names: Iterable[object]) -> list[str]:
    """Names as a figure shows them."""
    return [label(name) for name in names]


def chart(traces: list[Any], x: str, y: str, height: int) -> go.Figure:
    """A plain chart with named axes, legend on top if any."""
    layout = {
        "height": height, "margin": MARGIN, "showlegend": False,
        "legend": legend_above(),
        "xaxis": {"title": {"text": x}, "automargin": True},
        "yaxis": {"title": {"text": y}, "automargin": True},
    }  # fmt: skip
    return go.Figure({"data": traces, "layout": layout})
