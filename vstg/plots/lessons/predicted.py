"""Lessons 10 to 13, which ask before they show."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.lessons.arrival import METHODS, Arrival
from vstg.lessons.forms import WrittenForm
from vstg.lessons.resampling import Resampling
from vstg.lessons.two_jobs import KINDS, TwoJobs
from vstg.notation import decimal_text, power
from vstg.plots.layout import Trace, fixed_axis, legend_above, line, margins, title
from vstg.plots.lessons.player import (
    Words,
    heat,
    matrix_axes,
    played,
    signed_scale,
    told,
)
from vstg.plots.palette import BLUE, GREY, ORANGE, TEAL


def forms_figure(found: WrittenForm, words: Words, *, height: int = 470) -> go.Figure:
    """U, V and their product side by side."""
    layout: dict[str, Any] = {"height": height, "margin": margins(30)}
    spans = ((0.0, 0.2), (0.26, 0.6), (0.66, 1.0))
    notes, data = [], []
    for number, (name, matrix, span) in enumerate(
        zip("UVW", (found.U, found.V, found.W), spans, strict=True), start=1
    ):
        low = 0.7 if name == "V" else 0.0
        axis = "" if number == 1 else str(number)
        layout |= matrix_axes(axis, span, (low, 0.94), matrix.shape)
        layout[f"coloraxis{axis}"] = signed_scale(float(np.abs(matrix).max()))
        notes.append(title(words[name], span[0], 0.945))
        data.append(heat(matrix, name, axis, f"coloraxis{axis}"))
    figure = go.Figure({"data": data, "layout": layout | {"annotations": notes}})
    counts = {n: int(np.count_nonzero(getattr(found, n))) for n in "UVW"}
    return told(figure, words["said"].format(form=words["form"], **counts))


def two_jobs_figure(found: TwoJobs, words: Words, *, height: int = 540) -> go.Figure:
    """Test error above, wrong entries of W below, both along γ1."""
    data = []
    for kind, colour, dash in zip(
        KINDS, (ORANGE, TEAL), ("dash", "solid"), strict=True
    ):
        for values, axis in ((found.errors, ""), (found.wrong, "2")):
            data.append(
                line(
                    found.strengths, values[kind], words[kind],
                    colour=colour, dash=dash, width=3, mode="lines+markers",
                    hover="%{y:.3g}", xaxis=f"x{axis}", yaxis=f"y{axis}",
                    showlegend=not axis,
                )
            )  # fmt: skip
    shared = {
        "type": "log", "tickvals": list(found.strengths),
        "ticktext": [power(strength) for strength in found.strengths],
    }  # fmt: skip
    layout = {
        "height": height,
        "margin": margins(40, 40),
        "legend": legend_above(1.01),
        "hovermode": "x unified",
        "xaxis": fixed_axis("", **shared, anchor="y", showticklabels=False),
        "yaxis": fixed_axis(words["error"], domain=[0.54, 1], automargin=True),
        "xaxis2": fixed_axis(words["x"], **shared, anchor="y2"),
        "yaxis2": fixed_axis(
            words["wrong"], domain=[0, 0.48], anchor="x2", rangemode="tozero",
            automargin=True,
        ),
    }  # fmt: skip
    return told(go.Figure({"data": data, "layout": layout}), _jobs_text(found, words))


def _jobs_text(found: TwoJobs, words: Words) -> str:
    """Where each kind predicts best, and where it chooses best."""
    parts = []
    for kind in KINDS:
        best, right = found.best(kind), int(found.wrong[kind].argmin())
        parts.append(
            words["said"].format(
                kind=words[kind], error=decimal_text(found.errors[kind][best]),
                at_error=power(found.strengths[best]),
                wrong=int(found.wrong[kind][right]),
                at_wrong=power(found.strengths[right]),
            )
        )  # fmt: skip
    return " ".join(parts)


def resampling_figure(
    found: Resampling, words: Words, *, height: int = 400
) -> go.Figure:  # fmt: skip
    """Bars of how often each variable was selected; a frame per half."""
    count = len(found.selected)
    frames = [
        {"data": _bars(found, n, words), "traces": [0, 1]} for n in _counts(count)
    ]
    layout = {
        "height": height,
        "margin": margins(36),
        "legend": legend_above(1.01),
        "barmode": "overlay",
        "xaxis": fixed_axis(words["variable"], tickvals=[1, *range(5, 26, 5)]),
        "yaxis": fixed_axis(
            words["share"], range=[0, 1.03], tickformat=".0%", automargin=True
        ),
    }
    labels = [words["halves"].format(count=n, of=count) for n in _counts(count)]
    texts = [_halves_text(found, n, words) for n in _counts(count)]
    return played(_bars(found, 1, words), layout, frames, labels, texts)


def _halves_text(found: Resampling, count: int, words: Words) -> str:
    share = found.share(count)
    always, never = int((share == 1.0).sum()), int((share == 0.0).sum())
    halves = words["halves"].format(count=count, of=len(found.selected))
    sometimes = len(share) - always - never
    return words["said"].format(
        halves=halves, always=always, sometimes=sometimes, never=never
    )


def _counts(count: int) -> range:
    return range(1, count + 1)


def _bars(found: Resampling, count: int, words: Words) -> list[Trace]:
    share, bars = found.share(count), []
    for truly, colour, name in ((1, TEAL, "relevant"), (0, ORANGE, "idle")):
        at = np.flatnonzero(found.relevant == truly)
        bars.append(
            {
                "type": "bar", "name": words[name], "x": (at + 1).tolist(),
                "y": share[at], "width": 0.75,
                "marker": {"color": colour,
                           "pattern": {"shape": "" if truly else "/"}},
                "hovertemplate": "x%{x}: %{y:.0%}<extra></extra>",
            }
        )  # fmt: skip
    return bars


def arrival_figure(found: Arrival, words: Words, *, height: int = 470) -> go.Figure:
    """Test error of the new task against its number of rows."""
    styles = zip(METHODS, (TEAL, BLUE, ORANGE), ("solid", "dot", "dash"), strict=True)
    data = [
        line(
            list(found.rows), found.errors[name], words[name],
            colour=colour, dash=dash, width=3, mode="lines+markers", hover="%{y:.2f}",
        )
        for name, colour, dash in styles
    ]  # fmt: skip
    ends = [found.rows[0], found.rows[-1]]
    data.append(
        line(ends, [found.noise] * 2, words["noise"], colour=GREY, width=1, dash="dot")
    )
    layout = {
        "height": height,
        "margin": margins(40),
        "legend": legend_above(1.01),
        "hovermode": "x unified",
        "xaxis": fixed_axis(words["x"], type="log", tickvals=list(found.rows)),
        "yaxis": fixed_axis(words["y"], rangemode="tozero", automargin=True),
    }
    return told(
        go.Figure({"data": data, "layout": layout}), _arrival_text(found, words)
    )


def _arrival_text(found: Arrival, words: Words) -> str:
    return " ".join(
        words["said"].format(
            rows=found.rows[place],
            **{name: decimal_text(found.errors[name][place]) for name in METHODS},
        )
        for place in (0, 1, len(found.rows) - 1)
    )
