"""Long tables: one row per observation, with columns for the task and the target."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from vstg.data.values import (
    Array,
    DataError,
    Index,
    as_design,
    as_target,
    check_finite_design,
    check_finite_target,
    check_names,
    numeric_column,
    numeric_frame,
    seal,
)


def read_task_ids(ids: Any, *, name: str = "tasks") -> tuple[str, ...]:
    """Return the name of each row's task.

    Whole numbers lose their decimal point (``3.0`` is task ``'3'``), so the same
    task has the same name whether its column was read as integers or as floats.

    Parameters
    ----------
    ids : sequence
        One task id per row: text, whole numbers, categories or dates.
    name : str
        What to call the ids in a refusal.

    Raises
    ------
    DataError
        An id is missing, or is a float that is not a whole number. The latter is
        what a scaler leaves when it is run over the whole table.
    """
    column = ids if isinstance(ids, pd.Series) else pd.Series(np.asarray(ids))
    if column.dtype == object:
        column = column.infer_objects()
    missing = column.isna().to_numpy()
    if missing.any():
        row = column.index[int(np.argmax(missing))]
        msg = f"{name}, row {row} has no task: drop the row or name its task"
        raise DataError(msg)
    codes, values = pd.factorize(column)
    labels = [_task_label(value, name) for value in values.tolist()]
    if len(set(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        msg = f"{name} has several ids that read {twice!r}: write them one way"
        raise DataError(msg)
    return tuple(labels[code] for code in codes)


def _task_label(value: object, name: str) -> str:
    if isinstance(value, float):
        if not value.is_integer():
            msg = (
                f"{name} holds {value!r}: task ids must be whole numbers or names; "
                "was a scaler run over the task column?"
            )
            raise DataError(msg)
        return str(int(value))
    return str(value)


def group_rows(tasks: Sequence[str]) -> tuple[tuple[str, ...], list[Index]]:
    """Return the tasks in order of appearance and the rows of each, in order."""
    codes, names = pd.factorize(np.asarray(tasks, dtype=object))
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(names)))
    return tuple(names), np.split(order, ends[:-1]) if len(names) else []


def split_by_task(
    X: Any, y: Array, tasks: Sequence[str]
) -> tuple[list[Any], list[Array], tuple[str, ...]]:
    """Return the design and the target of each task, and the tasks' names."""
    names, rows = group_rows(tasks)
    return [seal(X[index]) for index in rows], [seal(y[index]) for index in rows], names


def split_by_holes(
    X: Any, targets: Array
) -> tuple[list[Any], list[Array], list[Index]]:
    """Return design, target and rows of each task where its target is not NaN.

    Targets that are missing in the same rows share their design.
    """
    design, n_rows = as_design(X, where=""), targets.shape[1]
    if design.shape[0] != n_rows:
        msg = (
            f"X has {design.shape[0]} rows and Y has {n_rows}: give one target per row"
        )
        raise DataError(msg)
    rows = [np.flatnonzero(~np.isnan(y)) for y in targets]
    parts = {index.tobytes(): seal(design[index]) for index in rows}
    values = [y[index] for y, index in zip(targets, rows, strict=True)]
    return [parts[index.tobytes()] for index in rows], values, rows


def _check_lengths(X: Any, y: Array, tasks: Sequence[str]) -> None:
    if not X.shape[0] == len(y) == len(tasks):
        msg = (
            f"X has {X.shape[0]} rows, y has {len(y)} and tasks has {len(tasks)}: "
            "give one of each per row"
        )
        raise DataError(msg)


def read_arrays(
    X: Any, y: Any, tasks: Any, feature_names: Sequence[Any] | None
) -> tuple[Array, Array, tuple[str, ...]]:
    """Return design, target and each row's task of stacked rows, checked."""
    labels = read_task_ids(tasks)
    design, target = as_design(X, where=""), as_target(y, where="")
    _check_lengths(design, target, labels)
    names = check_names(feature_names, design.shape[1], kind="feature", default="x")
    where = [f"task {label!r}, " for label in labels]
    check_finite_design(design, names, where=where)
    check_finite_target(target, where=where)
    return design, target, labels


def read_frame(
    frame: pd.DataFrame,
    *,
    task: Hashable,
    target: Hashable,
    features: Sequence[Hashable] | None,
    weight: Hashable | None = None,
) -> tuple[Array, Array, tuple[str, ...], tuple[str, ...], Array | None]:
    """Return design, target, each row's task, feature names and weights of a table.

    The values are checked here, where the rows still have the labels by which
    the user can find them.
    """
    check_names(list(frame.columns), frame.shape[1], kind="column", default="")
    if task == target:
        msg = f"column {task!r} cannot be both the task and the target"
        raise DataError(msg)
    if weight is not None and weight in (task, target):
        msg = f"column {weight!r} cannot be the weight and the task or the target"
        raise DataError(msg)
    others = [task, target] if weight is None else [task, target, weight]
    if features is None:
        features = [name for name in frame.columns if name not in others]
    wanted = [*others, *features]
    unknown = [name for name in wanted if name not in frame.columns]
    if unknown:
        msg = (
            f"columns {unknown} are not in the table; "
            f"its columns are {list(frame.columns)}"
        )
        raise DataError(msg)
    leaking = [name for name in features if name in others]
    if leaking:
        roles = "the task or the target" if weight is None else "no variables"
        msg = f"features {leaking} are {roles}: leave them out"
        raise DataError(msg)
    names = check_names(features, len(features), kind="feature", default="x")
    tasks = read_task_ids(frame[task], name=f"column {str(task)!r}")
    X = numeric_frame(frame[list(features)], where="")
    y = numeric_column(frame[target], where=f"target column {str(target)!r}")
    where = [f"task {label!r}, " for label in tasks]
    rows = list(frame.index)
    check_finite_design(X, names, where=where, rows=rows)
    check_finite_target(y, where=where, name=f"target column {target!r}", rows=rows)
    if weight is None:
        return X, y, tasks, names, None
    weights = numeric_column(frame[weight], where=f"weight column {str(weight)!r}")
    return X, y, tasks, names, weights


def split_weights(weights: Any, tasks: Sequence[str]) -> list[Array]:
    """The weights of the rows of each task, from one number per stacked row."""
    if weights is None:
        return []
    values = as_target(weights, where="weights: ")
    if len(values) != len(tasks):
        msg = f"there are {len(values)} weights for {len(tasks)} rows: give one per row"
        raise DataError(msg)
    return [values[index] for index in group_rows(tasks)[1]]


def columns_of_weights(weights: Any, targets: Sequence[Array]) -> list[Array]:
    """The weights of each of T targets, from one number per row or (n, T) of them."""
    if weights is None:
        return []
    values = np.asarray(weights, dtype=float)
    n_tasks, n_rows = len(targets), len(targets[0])
    if values.shape not in ((n_rows,), (n_rows, n_tasks)):
        msg = (
            f"weights has shape {values.shape}: give one number for each of the "
            f"{n_rows} rows, or {n_rows} × {n_tasks} of them"
        )
        raise DataError(msg)
    return [values] * n_tasks if values.ndim == 1 else list(values.T)


def one_vs_rest_targets(
    labels: Any, classes: Sequence[Any] | None
) -> tuple[list[Array], tuple[str, ...]]:
    """Return one target of -1 and +1 per class, and the names of the classes."""
    given = np.asarray(labels)
    known = np.unique(given) if classes is None else np.asarray(classes)
    names = read_task_ids(known, name="labels")
    unknown = np.setdiff1d(given, known).tolist()
    if unknown:
        msg = f"labels {unknown} are not among the classes {known.tolist()}"
        raise DataError(msg)
    return [np.where(given == label, 1.0, -1.0) for label in known], names


def stack_frame(
    X: Sequence[Array],
    y: Sequence[Array],
    task_names: Sequence[str],
    feature_names: Sequence[str],
    *,
    task: str,
    target: str,
) -> pd.DataFrame:
    """Return one long table, tasks one after another."""
    taken = [name for name in (task, target) if name in feature_names]
    if taken or task == target:
        msg = (
            f"the table cannot have task={task!r} and target={target!r} beside the "
            f"features {list(feature_names)}: choose other names for the columns"
        )
        raise DataError(msg)
    frame = pd.DataFrame(np.concatenate(X), columns=list(feature_names))
    labels = np.repeat(np.asarray(task_names, dtype=object), [len(v) for v in y])
    frame.insert(0, task, labels)
    frame.insert(1, target, np.concatenate(y))
    return frame
