"""Pictures that say what they show, and figures with several places to play.

The buttons and the slider are not plotly's, which no key reaches: the page and the
offline files draw their own. A figure carries what they need in ``layout.meta``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from vstg.plots.layout import BARE, Trace
from vstg.plots.matrices.factors import shown_values

Words = Mapping[str, str]


@dataclass(frozen=True)
class Told:
    """What a figure shows at each of its places, as text; a still one has one."""

    texts: tuple[str, ...]
    labels: tuple[str, ...] = ()
    place: int = 0
    milliseconds: int = 0

    @property
    def text(self) -> str:
        """What the figure shows as it opens."""
        return self.texts[self.place]


def told(figure: go.Figure, text: str) -> go.Figure:
    """A still figure with a text that says what it shows."""
    figure.layout.meta = {"texts": [text], "place": 0}
    return figure


def told_by(figure: go.Figure) -> Told:
    """What a figure of :func:`told` or :func:`played` says."""
    meta = figure.layout.meta
    return Told(
        tuple(meta["texts"]), tuple(meta.get("labels", ())), int(meta["place"]),
        int(meta.get("milliseconds", 0)),
    )  # fmt: skip


def played(
    data: list[Trace],
    layout: dict[str, Any],
    frames: Sequence[dict[str, Any]],
    labels: Sequence[str],
    texts: Sequence[str],
    *,
    start: int = 0,
    milliseconds: int = 700,
) -> go.Figure:
    """A figure with ``frames`` (each "data", "traces", perhaps "layout") to play."""
    named = [
        {
            **frame,
            "name": str(i),
            "layout": {**frame.get("layout", {}), "meta": {"place": i}},
        }
        for i, frame in enumerate(frames)
    ]
    meta = {
        "labels": list(labels), "texts": list(texts), "place": start,
        "milliseconds": milliseconds,
    }  # fmt: skip
    return go.Figure(
        {"data": data, "layout": {**layout, "meta": meta}, "frames": named}
    )


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
    return figure


def columns(count: int, gap: float = 0.025) -> list[tuple[float, float]]:
    """Equal shares of the width."""
    width = (1.0 - gap * (count - 1)) / count
    return [(i * (width + gap), i * (width + gap) + width) for i in range(count)]
