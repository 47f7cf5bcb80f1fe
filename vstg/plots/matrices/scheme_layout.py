"""Where the panels of the factor scheme are: axes, shares of the figure, titles."""

from dataclasses import dataclass
from typing import Any

from vstg.plots.layout import BARE, title

MAX_NAMED = 60  # names on an axis; plotly leaves out some of more


@dataclass(frozen=True)
class Panels:
    """The axes by their plotly names, and the titles."""

    axes: dict[str, Any]
    titles: list[dict[str, Any]]


@dataclass(frozen=True)
class Shares:
    """Edges of the panels as shares of the width and the height."""

    bars: tuple[float, float]
    U: tuple[float, float]
    W: tuple[float, float]
    U_true: tuple[float, float]
    W_true: tuple[float, float]
    main: tuple[float, float]
    V: tuple[float, float]
    strip: tuple[float, float]


def shares(n_variables: int, n_tasks: int, n_bases: int, *, with_truth: bool) -> Shares:
    """Divide the figure by the numbers of rows and columns, within legible bounds."""
    names, bars, gap, between = 0.055, 0.055, 0.012, 0.035
    copies = 2 if with_truth else 1
    free = 1.0 - names - bars - gap - copies * gap - (copies - 1) * between
    part = min(max(n_bases / (n_bases + n_tasks), 0.14), 0.42)
    U, W = part * free / copies, (1 - part) * free / copies
    left = names + bars + gap
    right = left + U + gap + W + between
    bottom = 0.085 if n_tasks <= MAX_NAMED else 0.06
    strip, space = 0.038, 0.014
    height = 1.0 - bottom - strip - 2 * space
    V = height * min(max(n_bases / (n_bases + n_variables), 0.13), 0.36)
    top = bottom + height - V
    return Shares(
        bars=(names, names + bars),
        U=(left, left + U),
        W=(left + U + gap, left + U + gap + W),
        U_true=(right, right + U) if with_truth else (0.0, 0.0),
        W_true=(right + U + gap, 1.0) if with_truth else (0.0, 0.0),
        main=(bottom, top),
        V=(top + space, top + space + V),
        strip=(1.0 - strip, 1.0),
    )


def panels(n_variables: int, n_tasks: int, n_bases: int, *, with_truth: bool) -> Panels:
    """Axes 1, 2, 3 are U, V, W; 4, 5, 6 the truth's; 7 the groups; 8 the importance."""
    at = shares(n_variables, n_tasks, n_bases, with_truth=with_truth)
    rows, bases, tasks = n_variables, n_bases, n_tasks
    axes = {
        **_pair("", at.U, at.main, bases, rows, x_names=True),
        **_pair("2", at.W, at.V, tasks, bases, y_names=True),
        **_pair("3", at.W, at.main, tasks, rows, x_names=True),
        **_pair("7", at.W, at.strip, tasks, 1),
        **_pair("8", at.bars, at.main, None, rows, y_names=True),
    }
    axes["xaxis8"]["autorange"] = "reversed"
    titles = [
        title("<b>V</b> bases × tasks", 0.0, at.V[1], anchor="top"),
        title("<b>U</b> variables × bases", 0.0, at.main[1]),
        title("<b>W = U·V</b> estimated", at.W[0], 1.0),
    ]
    if with_truth:
        axes |= {
            **_pair("4", at.U_true, at.main, bases, rows, x_names=True),
            **_pair("5", at.W_true, at.V, tasks, bases, y_names=True),
            **_pair("6", at.W_true, at.main, tasks, rows, x_names=True),
        }
        titles += [
            title("<b>V*</b>", at.U_true[0], at.V[1], anchor="top"),
            title("<b>U*</b>", at.U_true[0], at.main[1]),
            title("<b>W* = U*·V*</b> true", at.W_true[0], 1.0),
        ]
    return Panels(axes, titles)


def _pair(
    suffix: str,
    x: tuple[float, float],
    y: tuple[float, float],
    n_columns: int | None,
    n_rows: int,
    *,
    x_names: bool = False,
    y_names: bool = False,
) -> dict[str, Any]:
    """The two axes of one panel; rows run downwards as in a matrix."""
    common = {**BARE, "showline": False, "tickfont": {"size": 10}}
    xaxis: dict[str, Any] = {
        **common,
        "domain": x,
        "anchor": f"y{suffix}",
        "showticklabels": x_names,
        "tickangle": -90,
    }
    if n_columns is not None:
        xaxis |= {"type": "category", "range": [-0.5, n_columns - 0.5]}
    yaxis = {
        **common,
        "domain": y,
        "anchor": f"x{suffix}",
        "showticklabels": y_names,
        "type": "category",
        "range": [n_rows - 0.5, -0.5],
    }
    return {f"xaxis{suffix}": xaxis, f"yaxis{suffix}": yaxis}
