"""Facts about the columns of a table on which the guess is based."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from vstg.tables.guessing.names import is_time
from vstg.tables.kinds import is_plain, texts
from vstg.tables.roles import Recipe
from vstg.tables.table import Table

Codes = npt.NDArray[np.int64]


class Columns:
    """Facts about the columns, found for all columns at once where possible."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.frame = table.frame
        self.n_rows = len(table.frame)
        self.names = list(table.frame.columns)
        self.fractions = _with_fractions(table.frame)
        self.flags = _zero_one(table)
        self.times = [n for n in self.names if self._is_time(n)]
        self._codes: dict[str, Codes] = {}

    def _is_time(self, name: str) -> bool:
        return is_time(name) or self.table.kinds[name].kind == "date"

    def n_levels(self, name: str) -> int:
        return self.table.kinds[name].n_levels

    def is_text(self, name: str) -> bool:
        return self.table.kinds[name].kind in ("category", "text")

    def codes(self, name: str) -> Codes:
        """Return the values of a column as numbers from 0, -1 where missing."""
        if name not in self._codes:
            column = self.frame[name]
            values = column.to_numpy()
            if not is_plain(column.dtype):
                values = np.array([*texts(column), None], dtype=object)[:-1]
            self._codes[name] = pd.factorize(values)[0].astype(np.int64)
        return self._codes[name]

    def pairs(self, first: Codes, second: Codes) -> Codes:
        """Return codes of pairs of values."""
        return pd.factorize(first * (second.max(initial=0) + 2) + second)[0]


def _with_fractions(frame: pd.DataFrame) -> set[str]:
    """Find the columns with fractions, all at once: there may be thousands."""
    kinds = zip(frame.columns, frame.dtypes, strict=True)
    names = [name for name, kind in kinds if is_plain(kind) and kind.kind == "f"]
    values = frame[names].to_numpy()
    with np.errstate(invalid="ignore"):
        broken = ((values != np.round(values)) & ~np.isnan(values)).any(axis=0)
    return {name for name, one in zip(names, broken, strict=True) if one}


def _zero_one(table: Table) -> set[str]:
    """Find the columns of 0 and 1, and of true and false."""
    kinds = zip(table.frame.columns, table.frame.dtypes, strict=True)
    two = [n for n, kind in kinds if is_plain(kind) and table.kinds[n].n_levels == 2]
    values = table.frame[two].to_numpy(dtype=np.float64)
    plain = ((values == 0) | (values == 1) | np.isnan(values)).all(axis=0)
    return {name for name, one in zip(two, plain, strict=True) if one}


def has_rows(columns: Columns, name: str) -> bool:
    """Whether most rows are in levels with at least four rows, as the recipe needs."""
    codes = columns.codes(name)
    counts = np.bincount(codes[codes >= 0])
    enough = counts[counts >= Recipe().min_rows]
    return len(enough) >= 2 and enough.sum() >= 0.5 * columns.n_rows


def same_levels(columns: Columns, first: str, second: str) -> bool:
    """Whether two columns group the rows alike, as a state and its abbreviation."""
    if columns.n_levels(first) != columns.n_levels(second):
        return False
    both = columns.pairs(columns.codes(first), columns.codes(second))
    return int(both.max(initial=0)) + 1 == columns.n_levels(first)


def same_within(columns: Columns, task: str, name: str) -> bool:
    """Whether a column has one value per task."""
    tasks = columns.codes(task)
    both = columns.pairs(tasks, columns.codes(name))
    return bool(both.max(initial=0) <= tasks.max(initial=0))


def counts_rows(columns: Columns, name: str) -> bool:
    """Whether a column counts the rows, whatever their order is now."""
    column = columns.frame[name]
    if not is_plain(column.dtype):
        return columns.is_text(name)
    values = np.sort(column.to_numpy(dtype=np.float64))
    steps = np.diff(values)
    return bool(len(steps)) and bool((steps >= 1).all())
