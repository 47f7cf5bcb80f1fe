"""The picture of W = U V on a sheet for a paper, in colours or in the paper's greys."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt
import pandas as pd

from vstg.plots.matrices.factors import FactorFrames, View, common_limit
from vstg.plots.matrices.scheme import SchemeData
from vstg.plots.palette import (
    DIVERGING,
    PATTERN,
    SEQUENTIAL,
    group_colour,
    group_letter,
    ink_on,
)
from vstg.plots.svg.sheet import Rectangle, Sheet, Words

CELL, GAP, STRIP, TITLE = 12.0, 9.0, 14.0, 20.0
LETTER = 5.4  # width of a letter of a name
GREYS, FRAME = ("#dddddd", "#000000"), "#7f8a93"


def scheme_sheet(data: SchemeData, *, paper: bool = False) -> Sheet:
    """The estimate, and the truth next to it if it is shown.

    ``paper`` draws magnitudes in grey, as the figures of the paper do.
    """
    view: View = "magnitude" if paper and data.view == "signed" else data.view
    factors = [one for one in (data.estimate, data.truth) if one is not None]
    variables, tasks = data.estimate.U.index, data.estimate.V.columns
    left = GAP + LETTER * max(map(len, map(str, variables)), default=0)
    foot = GAP + LETTER * max(map(len, map(str, tasks)), default=0)
    n_bases = data.estimate.U.shape[1]
    block = CELL * (n_bases + len(tasks)) + 2 * GAP
    top = TITLE + STRIP + GAP + CELL * n_bases + GAP
    sheet = Sheet(
        left + len(factors) * (block + GAP), top + CELL * len(variables) + foot
    )
    limits = {
        name: common_limit(*(getattr(one, name) for one in factors)) for name in "UVW"
    }
    for i, name in enumerate(variables):
        at = top + CELL * (i + 0.75)
        sheet.marks.append(Words(left - 4, at, str(name), 9, "end"))
    for number, one in enumerate(factors):
        x = left + number * (block + GAP)
        star = "*" if number else ""
        _block(sheet, one, (x, top), limits, view, star, GREYS if paper else None)
    _groups(sheet, data, left + CELL * n_bases + GAP, paper=paper)
    return sheet


def _block(
    sheet: Sheet, factors: FactorFrames, at: tuple[float, float],
    limits: dict[str, float], view: View, star: str, greys: Sequence[str] | None,
) -> None:  # fmt: skip
    """U, V and W of one factorisation with their names."""
    (x, y), n_bases = at, factors.U.shape[1]
    right, above = x + CELL * n_bases + GAP, y - GAP - CELL * n_bases
    places = {"U": (x, y), "V": (right, above), "W": (right, y)}
    for name, (left, top) in places.items():
        frame: pd.DataFrame = getattr(factors, name)
        colours = cell_colours(frame.to_numpy(), limits[name], view, greys)
        sheet.marks += [
            Rectangle(left + CELL * j, top + CELL * i, CELL, CELL, colours[i][j])
            for i, j in zip(*np.nonzero(frame.to_numpy()), strict=True)
        ]
        n_rows, n_columns = frame.shape
        outline = Rectangle(left, top, CELL * n_columns, CELL * n_rows, edge=FRAME)
        sheet.marks.append(outline)
    bottom = y + CELL * len(factors.U) + 4
    for start, names in ((x, factors.U.columns), (right, factors.V.columns)):
        sheet.marks += [
            Words(start + CELL * (j + 0.75), bottom, str(name), 9, "end", turned=True)
            for j, name in enumerate(names)
        ]
    sheet.marks += [
        Words(right, TITLE - 7, f"W{star} = U{star} V{star}", 12),
        Words(right - 4, above + 10, f"V{star}", 11, "end"),
        Words(x, y - 4, f"U{star}", 11),
    ]


def cell_colours(
    values: npt.NDArray[np.float64],
    limit: float,
    view: View,
    greys: Sequence[str] | None = None,
) -> list[list[str]]:
    """The colour of every cell; each sign has its half of the scale, as on screen."""
    shares = np.clip(values / limit, -1, 1)
    half = len(DIVERGING) // 2

    def one(share: float) -> str:
        if view == "pattern":
            return PATTERN
        if greys is not None:
            return mixed(greys, abs(share))
        if view == "magnitude":
            return mixed(SEQUENTIAL, abs(share))
        if share < 0:
            return mixed(DIVERGING[:half], 1 + share)
        return mixed(DIVERGING[-half:], share)

    return [[one(float(share)) for share in row] for row in shares]


def mixed(colours: Sequence[str], share: float) -> str:
    """The colour at a share of the way along a scale."""
    table = [[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in colours]
    at = share * (len(table) - 1)
    parts = [
        np.interp(at, range(len(table)), column) for column in zip(*table, strict=True)
    ]
    return "#" + "".join(f"{round(part):02x}" for part in parts)


def _groups(sheet: Sheet, data: SchemeData, left: float, *, paper: bool) -> None:
    """Neighbours of one group share a strip and a letter."""
    start = 0
    for number, run in groupby(data.group_of_task):
        x, width = left + CELL * start, CELL * len(list(run))
        start += round(width / CELL)
        if number < 0:
            continue
        colour = "#ffffff" if paper else group_colour(number)
        ink = "#000000" if paper else ink_on(colour)
        middle = x + width / 2
        sheet.marks += [
            Rectangle(x, TITLE, width, STRIP, colour, FRAME if paper else ""),
            Words(middle, TITLE + 11, group_letter(number), 10, "middle", colour=ink),
        ]
