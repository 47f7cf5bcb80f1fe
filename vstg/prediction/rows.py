"""Rows of a user's table: their tasks, and what a typical one looks like."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from vstg.data import Array, Index, MultiTaskData
from vstg.data.designs import column_means
from vstg.tables import TableError, Transform
from vstg.tables.kinds import as_text
from vstg.tables.table import listed


def task_positions(
    rows: pd.DataFrame, column: str, known: Sequence[str], name: str
) -> Index:
    """The task of every row as its position among the ``known`` ones.

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


def typical_values(train: MultiTaskData) -> Array:
    """The mean of every variable (D,), every design counted once and equally."""
    designs: Sequence[Any] = train.X[:1] if train.shared_X else train.X
    return np.mean([column_means(X) for X in designs], axis=0)


def typical_row(
    transform: Transform, means: Mapping[str, float]
) -> dict[str, float | str]:
    """A value of every column: the mean of the training rows, the commonest level."""
    values: dict[str, float | str] = {}
    needed = set(transform.columns)
    for rule in transform.rules:
        if rule.column not in needed:
            continue
        if rule.kind == "number":
            values[rule.column] = means[rule.column] * rule.scale + rule.shift
        else:
            shares = {
                level: means.get(f"{rule.column}={level}", 0.0) for level in rule.levels
            }
            values[rule.column] = max(shares, key=lambda level: shares[level])
    return values


def short(value: float | str) -> float | str:
    """A number with the digits that a person would write."""
    return value if isinstance(value, str) else float(f"{value:.4g}")
