"""What several figures share: names as plain text, bare axes, titles."""

from collections.abc import Iterable
from typing import Any

import plotly.graph_objects as go

MARGIN = {"l": 8, "r": 8, "t": 30, "b": 8}
LEGEND = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
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
        "legend": LEGEND,
        "xaxis": {"title": {"text": x}, "automargin": True},
        "yaxis": {"title": {"text": y}, "automargin": True},
    }  # fmt: skip
    return go.Figure({"data": traces, "layout": layout})
