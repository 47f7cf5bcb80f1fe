"""Keep groups of rows, or periods of time, on one side of a split; weigh rows."""

import numpy as np
import pandas as pd

from vstg.data import Array, Index
from vstg.tables.dates import date_order, part_numbers
from vstg.tables.kinds import as_text, column_kind, numbers, texts
from vstg.tables.limits import TableError
from vstg.tables.roles import Recipe
from vstg.tables.table import Table

STRETCHES = 20  # of time, of about as many rows each


def row_groups(table: Table, recipe: Recipe) -> Index | None:
    """Return the group of every row, or None if rows are independent.

    A row without a value in the column is a group of its own. With ``recipe.order``
    groups are numbered by time, and a row without a time has -1.
    """
    if recipe.order is not None:
        return ranks(row_times(table, recipe.order))
    if recipe.together is None:
        return None
    codes, known = pd.factorize(as_text(table.frame[recipe.together]))
    lone = codes < 0
    codes = codes.astype(np.intp)
    codes[lone] = len(known) + np.arange(int(lone.sum()))
    return codes


def row_times(table: Table, name: str) -> Array:
    """Return the days or numbers by which rows are ordered, nan where missing."""
    column = table.frame[name]
    kind = column_kind(column).kind
    if kind == "number":
        return numbers(column)
    if kind != "date":
        msg = f"{table.name}, column {name!r} has neither dates nor numbers to order by"
        raise TableError(msg)
    values = texts(column)
    return part_numbers(values, date_order(values), "days")


def row_weights(table: Table, recipe: Recipe) -> Array | None:
    """How much every row counts, 0 where the column has no number; None without one."""
    if recipe.weight is None:
        return None
    column = table.frame[recipe.weight]
    where = f"{table.name}, weight column {recipe.weight!r}"
    if column_kind(column).kind != "number":
        msg = f"{where} holds no numbers: choose another column"
        raise TableError(msg)
    found = numbers(column)
    bad = np.isinf(found) | (found < 0)
    if bad.any():
        row = int(np.argmax(bad))
        msg = f"{where} has {found[row]:g} in row {row + 1}: a weight is 0 or more"
        raise TableError(msg)
    return np.nan_to_num(found)


def ranks(times: Array) -> Index:
    """Return the rank of each time among the distinct ones; -1 for nan."""
    found = np.full(len(times), -1, dtype=np.intp)
    there = ~np.isnan(times)
    found[there] = np.unique(times[there], return_inverse=True)[1]
    return found


def held_out_rows(groups: Index, rows: Index, recipe: Recipe) -> np.ndarray:
    """Choose the rows for testing: whole groups, or the latest."""
    if recipe.order is not None:
        cut = np.quantile(groups[rows], 1.0 - recipe.test_size, method="higher")
        return groups >= max(cut, 1)
    rng = np.random.default_rng(recipe.seed)
    known, counts = np.unique(groups[rows], return_counts=True)
    order = rng.permutation(len(known))
    before = np.cumsum(counts[order]) - counts[order]
    return np.isin(groups, known[order[before < recipe.test_size * counts.sum()]])


def stretches(ranked: Index) -> Index:
    """Divide ranks of time into periods with about as many rows each."""
    known, counts = np.unique(ranked, return_counts=True)
    middle = np.cumsum(counts) - counts / 2
    of_time = np.floor(STRETCHES * middle / counts.sum()).astype(np.intp)
    return of_time[np.searchsorted(known, ranked)]
