"""What panels with a matrix in them share: axes without lines, a title above."""

from typing import Any

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
    """Words that begin at a place, given in shares of the figure."""
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
