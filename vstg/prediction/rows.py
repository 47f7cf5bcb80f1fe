"""Rows of a user's table: their tasks, and what a typical row looks like."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from vstg.data import Array, DataError, Index, MultiTaskData
from vstg.data.designs import column_means
from vstg.data.frames import to_pandas
from vstg.tables import TableError, Transform
from vstg.tables.dates import typical_date
from vstg.tables.kinds import as_text
from vstg.tables.table import listed

NOT_PREDICTED = "not predicted"  # the column that says why
FALLBACK = "fallback"  # the column that says which rows have the mean of all tasks
MEAN_OF_TASKS = "unknown task: mean of all tasks"
MOST_MEANS = 2**18
SHOWN = 5  # reasons in a sentence


def task_positions(
    rows: pd.DataFrame, column: str, known: Sequence[str], name: str
) -> Index:
    """Return the task of every row as its position among the ``known`` ones.

    Raises
    ------
    TableError
        There is no such column, or a row has another task; ``name`` is the table's.
    """
    if column not in rows.columns:
        msg = f"{name} has no column {column!r} for the task"
        raise TableError(msg)
    ids = as_text(rows[column])
    place = {task: j for j, task in enumerate(known)}
    unknown = [task for task in ids.unique() if task not in place]
    if unknown:
        row = rows.index[int(np.argmax(~ids.isin(list(place)).to_numpy()))]
        msg = (
            f"{name}, row {row}: the model does not know the tasks "
            f"{listed(['(missing)' if u is None else u for u in unknown])}; it knows "
            f"{listed(known)}"
        )
        raise TableError(msg)
    return np.array([place[task] for task in ids], dtype=np.intp)


def known_positions(
    rows: pd.DataFrame, column: str, known: Sequence[str], name: str
) -> Index:
    """Do as :func:`task_positions`, with -1 for unknown tasks."""
    if column not in rows.columns:
        return task_positions(rows, column, known, name)
    place = {task: j for j, task in enumerate(known)}
    return np.array([place.get(t, -1) for t in as_text(rows[column])], dtype=np.intp)


def as_pandas(rows: Any) -> pd.DataFrame:
    """Convert a pandas, polars or Arrow table to pandas."""
    try:
        return to_pandas(rows, "rows")
    except DataError as error:
        raise TableError(str(error)) from error


def row_doubts(
    reader: Transform,
    rows: pd.DataFrame,
    task_column: str | None,
    known: Sequence[str],
    name: str,
) -> pd.Series:
    """Say why each row cannot be predicted; empty where it can."""
    reader.check_columns(rows, name)
    doubts = np.full(len(rows), "", dtype=object)
    if task_column is not None:
        if task_column not in rows.columns:
            msg = f"{name} has no column {task_column!r} for the task"
            raise TableError(msg)
        ids = as_text(rows[task_column])
        unknown = ~ids.isin(list(known)).to_numpy()
        doubts[unknown] = [
            "no task" if task is None or task is pd.NA else f"unknown task {task!r}"
            for task in ids[unknown].astype(object)
        ]
    missing = np.isnan(reader.apply(rows))
    sources = {name: rule.column for rule in reader.rules for name in rule.names}
    for i in np.flatnonzero(missing.any(axis=1) & (doubts == "")).tolist():
        column = sources[reader.keep[int(np.argmax(missing[i]))]]
        value = rows[column].iloc[i]
        given = "" if pd.isna(value) else f": {str(value)[:40]!r} is not a number"
        doubts[i] = f"no value for {column!r}{given}"
    return pd.Series(doubts, index=rows.index)


def left_out(doubts: pd.Series) -> str:
    """Say how many rows are not predicted, and the most frequent reasons."""
    bad = doubts[doubts != ""]
    counts = bad.value_counts()
    reasons = ", ".join(f"{why} ({n})" for why, n in counts.head(SHOWN).items())
    more = f" and {len(counts) - SHOWN} more reasons" if len(counts) > SHOWN else ""
    return f"{len(bad)} of {len(doubts)} rows are not predicted: {reasons}{more}"


def task_means(train: MultiTaskData) -> Array | None:
    """Return the mean of every variable in each task (T, D); None if too many."""
    if train.shared_X or train.n_tasks * train.n_features > MOST_MEANS:
        return None
    return np.array([column_means(X) for X in train.X])


def typical_values(train: MultiTaskData) -> Array:
    """The mean of every variable (D,), every design counted once and equally."""
    designs: Sequence[Any] = train.X[:1] if train.shared_X else train.X
    return np.mean([column_means(X) for X in designs], axis=0)


def typical_row(
    transform: Transform, means: Mapping[str, float]
) -> dict[str, float | str]:
    """Return the training mean of every number, the commonest level of the others."""
    values: dict[str, float | str] = {}
    parts: dict[str, dict[str, float | str]] = {}  # of columns of dates
    needed = set(transform.columns)
    for rule in transform.rules:
        if rule.column not in needed:
            continue
        place = parts.setdefault(rule.column, {}) if rule.part else values
        key = rule.part or rule.column
        if rule.kind == "number":
            place[key] = means.get(rule.title, 0.0) * rule.scale + rule.shift
        else:
            shares = {
                level: means.get(f"{rule.title}={level}", 0.0) for level in rule.levels
            }
            place[key] = max(shares, key=lambda level: shares[level])
    return values | {column: typical_date(found) for column, found in parts.items()}


def short(value: float | str) -> float | str:
    """Format a number with as many digits as a person would write."""
    return value if isinstance(value, str) else float(f"{value:.4g}")
