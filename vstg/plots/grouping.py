"""Pictures of the task groups: which task belongs to which, and what groups share.

They are HTML tables rather than plotly figures: a few coloured squares need no chart
library, appear at once, take the colour of the text around them and can be read by a
screen reader. The page's style sheet gives them their look; colours are in the cells.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

import numpy as np
import pandas as pd

from vstg.inspection import TaskGroup, group_overlaps
from vstg.plots.palette import (
    TEAL,
    group_colour,
    group_letter,
    group_style,
    ink_on,
)

MAX_NAMED = 32  # columns; with more they are too narrow for names
LONGEST = 14  # characters of a name above a column
LETTER_COLUMNS = 3  # narrow columns that one letter needs
MAX_WIDE = 12  # columns of a square with wide cells


def membership_frame(
    groups: Sequence[TaskGroup], task_names: Sequence[str], bases: Sequence[str]
) -> pd.DataFrame:
    """One row per basis, one column per task in the order of the groups.

    An entry is the number of the task's group if it uses the basis, otherwise NaN. A
    row with several numbers is a basis that groups share.
    """
    order = [j for group in groups for j in group.tasks]
    columns = [
        [number if r in group.bases else np.nan for r in range(len(bases))]
        for number, group in enumerate(groups)
        for _ in group.tasks
    ]
    values = np.array(columns, dtype=float).reshape(len(order), len(bases)).T
    names = [str(task_names[j]) for j in order]
    return pd.DataFrame(values, index=list(bases), columns=names)


def largest_groups(groups: Sequence[TaskGroup], count: int) -> dict[int, TaskGroup]:
    """The groups with the most tasks by number, in their original order."""
    sizes = np.array([len(group.tasks) for group in groups])
    kept = np.sort(np.argsort(-sizes, kind="stable")[:count])
    return {int(number): groups[number] for number in kept}


def group_membership_frame(
    groups: Mapping[int, TaskGroup], bases: Sequence[str]
) -> pd.DataFrame:
    """Like :func:`membership_frame`, with one column per group and its task count.

    Columns of tasks without a basis are empty.
    """
    values = np.full((len(bases), len(groups)), np.nan)
    names = []
    for column, (number, group) in enumerate(groups.items()):
        values[list(group.bases), column] = number
        letter = "∅" if group.empty else group_letter(number)
        names.append(f"{letter} · {len(group.tasks)}")
    return pd.DataFrame(values, index=list(bases), columns=names)


def overlap_frame(
    groups: Sequence[TaskGroup] | Mapping[int, TaskGroup],
) -> pd.DataFrame:
    """The number of bases that each pair of groups shares, by the groups' letters."""
    numbers = groups if isinstance(groups, Mapping) else range(len(groups))
    groups = list(groups.values()) if isinstance(groups, Mapping) else groups
    letters = [group_letter(number) for number in numbers]
    return pd.DataFrame(group_overlaps(groups), index=letters, columns=letters)


@dataclass(frozen=True)
class Cell:
    """A coloured cell with its text and its tooltip."""

    colour: str
    text: str
    hint: str
    ink: str = "inherit"

    def html(self) -> str:
        """A table cell."""
        return (
            f'<td style="background:{self.colour};color:{self.ink}" '
            f'title="{escape(self.hint)}">'
            f"{escape(self.text)}</td>"
        )


EMPTY = "<td></td>"


def membership_html(membership: pd.DataFrame, caption: str) -> str:
    """Bases down, tasks across, every cell in the colour of the task's group."""
    rows = []
    for basis, numbers in membership.iterrows():
        cells = [
            EMPTY if np.isnan(number) else _member(str(task), str(basis), int(number))
            for task, number in numbers.items()
        ]
        rows.append(f"<tr><th>{escape(str(basis))}</th>{''.join(cells)}</tr>")
    names = list(membership.columns)
    if len(names) <= MAX_NAMED:
        heads = "".join(_head(str(name)) for name in names)
        return _table("vstg-members", f"<tr><th></th>{heads}</tr>", rows, caption)
    heads = _sparse_names(names) + _letters(membership)
    return _table("vstg-members vstg-small", heads, rows, caption)


def _head(name: str, span: int = 1) -> str:
    """The head of a column, or of some; a long name is cut, and whole in the hint."""
    wide = f' colspan="{span}"' if span > 1 else ""
    shown = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    return f'<th{wide} title="{escape(name)}">{escape(shown)}</th>'


def _sparse_names(names: Sequence[str]) -> str:
    """A head over every few columns, with the name of the first of them."""
    step = -(-len(names) // MAX_NAMED)
    heads = [
        _head(names[first], len(names[first : first + step]))
        for first in range(0, len(names), step)
    ]
    return f"<tr><th></th>{''.join(heads)}</tr>"


def _letters(membership: pd.DataFrame) -> str:
    """The letter of each group above its columns, where the cells have no room for it.

    Nothing where groups have hardly more than a column: a letter has no room there.
    """
    numbers = membership.max().fillna(-1).astype(int)  # a column has one group
    runs = [(number, len(list(run))) for number, run in groupby(numbers)]
    if len(runs) > len(numbers) / LETTER_COLUMNS:
        return ""
    cells = [
        f'<td colspan="{width}" style="{group_style(number)}">'
        f"{group_letter(number)}</td>"
        if number >= 0
        else f'<td colspan="{width}"></td>'
        for number, width in runs
    ]
    return f"<tr><td></td>{''.join(cells)}</tr>"


def _member(task: str, basis: str, group: int) -> str:
    letter = group_letter(group)
    colour, hint = group_colour(group), f"{task} · {basis} · {letter}"
    return Cell(colour, letter, hint, ink_on(colour)).html()


def overlap_html(overlaps: pd.DataFrame, caption: str) -> str:
    """A square of counts; empty where two groups are disjoint."""
    counts = overlaps.to_numpy()
    top = max(int(counts.max(initial=0)), 1)
    rows = []
    for r, first in enumerate(overlaps.index):
        cells = []
        for c, second in enumerate(overlaps.columns):
            count = int(counts[r, c])
            strength = round(20 + 60 * count / top)
            colour = f"color-mix(in srgb, {TEAL} {strength}%, transparent)"
            hint = f"{first} · {second}: {count}"
            cells.append(Cell(colour, str(count), hint).html() if count else EMPTY)
        rows.append(f"<tr><th>{first}</th>{''.join(cells)}</tr>")
    kind = "vstg-overlaps" + ("" if len(overlaps) <= MAX_WIDE else " vstg-dense")
    heads = "".join(f"<th>{letter}</th>" for letter in overlaps.columns)
    table = _table(kind, f"<tr><th></th>{heads}</tr>", rows, caption)
    return f'<div class="vstg-scroll">{table}</div>'


def _table(kind: str, heads: str, rows: Sequence[str], caption: str) -> str:
    return (
        f'<table class="{kind}"><caption>{escape(caption)}</caption>'
        f"<thead>{heads}</thead><tbody>{''.join(rows)}</tbody></table>"
    )
