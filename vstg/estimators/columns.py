"""Find the task column of a table, and match the columns of the fit later."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd

from vstg.data import Array, DataError, read_task_ids
from vstg.data.frames import is_foreign_table, to_pandas
from vstg.data.values import as_design, check_finite_design, check_names

SHOWN = 20  # names listed in a message


@dataclass(frozen=True, eq=False)
class TaskTable:
    """Rows of several tasks, split into columns but not yet checked.

    Attributes
    ----------
    design : DataFrame
        The variables: every column but the task.
    ids : Series
        The task of each row.
    columns : tuple of str, or None
        Names of all columns, the task among them; None for an array.
    task : str
        How to call the task column in a message.
    """

    design: pd.DataFrame
    ids: pd.Series
    columns: tuple[str, ...] | None
    task: str

    @classmethod
    def of(cls, X: Any, task_column: Hashable) -> "TaskTable":
        """Take the task column out of a table or an array.

        ``task_column`` is a label of the table or else a position, which may count
        from the end.
        """
        table, named = _as_table(X)
        columns = None
        if named:
            columns = check_names(
                list(table.columns), table.shape[1], kind="column", default=""
            )
        position = _position(table, named, task_column)
        if table.shape[1] < 2:
            msg = (
                f"X has only the task column {task_column!r}: "
                "give at least one variable beside it"
            )
            raise DataError(msg)
        ids = table.iloc[:, position]
        rest = [i for i in range(table.shape[1]) if i != position]
        name = repr(columns[position]) if columns else str(position)
        return cls(table.iloc[:, rest], ids, columns, f"column {name}")

    @property
    def n_columns(self) -> int:
        """Number of columns, the task among them."""
        return self.design.shape[1] + 1

    @property
    def feature_names(self) -> list[str]:
        """Names of the variables; x0, x1, ... for an array."""
        if self.columns is None:
            return [f"x{i}" for i in range(self.design.shape[1])]
        return [str(label) for label in self.design.columns]

    def rows(self, kept: np.ndarray) -> "TaskTable":
        """Some of the rows, by position."""
        some = self.design.iloc[kept], self.ids.iloc[kept]
        return replace(self, design=some[0], ids=some[1])

    def tasks(self) -> tuple[str, ...]:
        """The name of each row's task, checked."""
        return read_task_ids(self.ids, name=self.task)

    def values(self, feature_names: Sequence[str]) -> Array:
        """The variables as finite numbers, checked."""
        X = as_design(self.design, where="")
        rows = list(self.design.index)
        check_finite_design(X, feature_names, where="", rows=rows)
        return X


def align_columns(X: Any, columns: Sequence[str] | None, n_columns: int) -> Any:
    """Return X with the columns of the fit, in their order.

    Columns are matched by name where both tables have names, else by position.
    """
    table, named = _as_table(X)
    if columns is None or not named:
        if table.shape[1] != n_columns:
            msg = (
                f"X has {table.shape[1]} columns and the model was fitted on "
                f"{n_columns}, the task among them"
            )
            raise DataError(msg)
        # Labels of a model without names mean nothing: let them be positions.
        return table.set_axis(range(n_columns), axis=1) if columns is None else X
    names = check_names(list(table.columns), table.shape[1], kind="column", default="")
    missing = [name for name in columns if name not in names]
    extra = [name for name in names if name not in columns]
    if missing or extra:
        troubles = [f"lacks the columns {shown(missing)}"] if missing else []
        troubles += [f"has the unknown columns {shown(extra)}"] if extra else []
        msg = (
            f"the table {' and '.join(troubles)}; "
            f"the model was fitted on {shown(columns)}"
        )
        raise DataError(msg)
    return table.iloc[:, [names.index(name) for name in columns]]


def task_positions(tasks: Sequence[str], known: Sequence[str]) -> np.ndarray:
    """Return the position of each row's task among the ``known`` ones."""
    place = {name: j for j, name in enumerate(known)}
    unknown = [name for name in dict.fromkeys(tasks) if name not in place]
    if unknown:
        what = "task" if len(unknown) == 1 else "tasks"
        names = repr(unknown[0]) if len(unknown) == 1 else shown(unknown)
        verb = "was" if len(unknown) == 1 else "were"
        msg = (
            f"{what} {names} {verb} not seen at fit; known tasks are {shown(known)}. "
            "In a cross-validation, cv=vstg.TaskKFold(5, task_column=...) keeps every "
            "task in every training part"
        )
        raise DataError(msg)
    return np.array([place[name] for name in tasks], dtype=np.intp)


def shown(names: Sequence[Any]) -> str:
    """List names for a message, the first ones if there are many."""
    text = ", ".join(repr(name) for name in names[:SHOWN])
    more = f", … and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"[{text}{more}]"


def _as_table(X: Any) -> tuple[pd.DataFrame, bool]:
    """Return X as a table, and whether its columns have names."""
    if isinstance(X, pd.DataFrame) or is_foreign_table(X):
        return to_pandas(X, "X"), True
    if hasattr(X, "toarray"):
        msg = (
            "X is a sparse matrix, which has no place for a task column: pass "
            "X.toarray() with it, or fit MultiTaskData.from_arrays(X, y, tasks) with "
            "solve_vstg"
        )
        raise DataError(msg)
    # Nested lists may mix text and numbers, which plain conversion turns into text.
    array = np.asarray(X, dtype=None if hasattr(X, "dtype") else object)
    if array.ndim != 2:
        msg = f"X has shape {array.shape}: give rows by columns, one of them the task"
        raise DataError(msg)
    return pd.DataFrame(array), False


def find_task(labels: Sequence[Any], task_column: Hashable) -> int | None:
    """Return the position of the task column, given its name or position.

    A ``ColumnTransformer`` puts the name of a step before that of a column, as in
    ``remainder__task``: that is found as well, if only one column ends so.
    """
    labels = list(labels)
    if task_column in labels:
        return labels.index(task_column)
    if isinstance(task_column, str):
        ending = f"__{task_column}"
        found = [i for i, name in enumerate(labels) if str(name).endswith(ending)]
        return found[0] if len(found) == 1 else None
    n_columns = len(labels)
    if isinstance(task_column, Integral) and -n_columns <= task_column < n_columns:
        return int(task_column) % n_columns
    return None


def _position(table: pd.DataFrame, named: bool, task_column: Hashable) -> int:
    labels = list(table.columns)
    found = find_task(labels, task_column)
    if found is not None:
        return found
    if named or isinstance(task_column, Integral):
        there = shown(labels) if named else f"{len(labels)} columns"
        msg = f"task_column={task_column!r} is not in X, which has {there}"
    else:
        msg = (
            f"task_column={task_column!r} is a name and X an array without names, as "
            "BaggingRegressor and some others pass it on: give a table, or the "
            "position of the task column"
        )
    raise DataError(msg)
