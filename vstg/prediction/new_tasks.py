"""Add tasks that were not in the fit to a model, each from a few rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from vstg.data import Array, DataError, MultiTaskData, target_spreads
from vstg.data.designs import column_means
from vstg.data.tables import group_rows
from vstg.prediction.rows import as_pandas, left_out, row_doubts
from vstg.solvers import TaskFit, VSTGResult, fit_task
from vstg.tables import TableError
from vstg.tables.kinds import as_text, numbers
from vstg.tables.table import listed

if TYPE_CHECKING:
    from vstg.prediction.predictor import Predictor


@dataclass(frozen=True, eq=False)
class NewRows:
    """Rows of tasks that a model does not know, in the units of its fit.

    Attributes
    ----------
    data : MultiTaskData
        All variables of the model; those that its bases do not use are zero.
    labels : (T, 2) array or None
        What -1 and +1 stand for in each task.
    notes : what was left out and why, in words
    """

    data: MultiTaskData
    labels: np.ndarray | None
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Transfer:
    """A model with new tasks, and how they were fitted.

    Attributes
    ----------
    predictor : Predictor
        The model with one more task per new one; the known ones are as before.
    rows : NewRows
        What the new tasks were fitted on.
    fits : tuple of TaskFit
    """

    predictor: "Predictor"
    rows: NewRows
    fits: tuple[TaskFit, ...]


def transfer(
    predictor: "Predictor",
    rows: Any,
    target: str,
    *,
    task_column: str | None,
    task: str | None = None,
    mu: float | None = None,
    name: str = "the table",
) -> Transfer:
    """Add the tasks of ``rows`` that the model does not know; see Predictor.transfer.

    Raises
    ------
    TableError
        The model has no bases, a column is missing, or no row has a new task.
    """
    result = predictor.result
    if not isinstance(result, VSTGResult):
        msg = (
            f"a model of {predictor.method!r} has no bases that a new task could use: "
            "fit VSTG-MTL"
        )
        raise TableError(msg)
    found = read_new_rows(
        predictor, as_pandas(rows), target, task_column=task_column, task=task,
        name=name,
    )  # fmt: skip
    data = found.data
    try:
        fits = tuple(
            fit_task(result, X, y, mu=mu) for X, y in zip(data.X, data.y, strict=True)
        )
    except DataError as error:
        raise TableError(str(error)) from error
    return Transfer(extended(predictor, found, fits), found, fits)


def read_new_rows(
    predictor: "Predictor",
    frame: pd.DataFrame,
    target: str,
    *,
    task_column: str | None,
    task: str | None,
    name: str,
) -> NewRows:
    """The rows of new tasks as the bases need them."""
    if target not in frame.columns:
        msg = f"{name} has no column {target!r} with the targets"
        raise TableError(msg)
    ids = row_tasks(frame, task_column, target if task is None else task)
    notes: list[str] = []
    known = ids.isin(predictor.task_names).to_numpy()
    if known.any():
        notes.append(f"{int(known.sum())} rows of known tasks are unused")
    missing = (ids.isna() | frame[target].isna()).to_numpy() & ~known
    if missing.any():
        notes.append(f"{int(missing.sum())} rows without a task or a target are unused")
    frame, ids = frame[~(known | missing)], ids[~(known | missing)]
    if frame.empty:
        msg = (
            f"{name} has no row of a new task with a target: the model knows "
            f"{listed(predictor.task_names)}"
        )
        raise TableError(msg)
    reader = predictor.basis_reader
    doubts = row_doubts(reader, frame, None, (), name)
    good = (doubts == "").to_numpy()
    if not good.all():
        notes.append(left_out(doubts).replace("predicted", "used"))
    if not good.any():
        msg = f"{name}: {notes[-1]}"
        raise TableError(msg)
    frame, ids = frame[good], ids[good]
    values, more = reader.new_rows(frame, name)
    place = {variable: i for i, variable in enumerate(predictor.feature_names)}
    X = np.zeros((len(frame), len(place)))
    X[:, [place[variable] for variable in reader.keep]] = values
    names, groups = group_rows(ids.tolist())
    y, labels = read_targets(predictor, frame[target], names, groups, name)
    data = MultiTaskData(
        [X[g] for g in groups], [y[g] for g in groups], names, predictor.feature_names
    )
    if predictor.units:
        data = data.scaled(new_units(predictor, data))
    return NewRows(data, labels, (*notes, *more))


def row_tasks(frame: pd.DataFrame, task_column: str | None, task: str) -> pd.Series:
    """The task of every row: from its column, or ``task`` where there is none."""
    if task_column is not None and task_column in frame.columns:
        return as_text(frame[task_column]).astype(object)
    return pd.Series(task, index=frame.index, dtype=object)


def read_targets(
    predictor: "Predictor",
    column: pd.Series,
    names: Sequence[str],
    groups: Sequence[Any],
    name: str,
) -> tuple[Array, np.ndarray | None]:
    """Targets in the user's units, or -1 and +1 with the labels of each task."""
    if not predictor.is_classification:
        values = numbers(column)
        if np.isnan(values).any():
            bad = int(np.argmax(np.isnan(values)))
            msg = (
                f"{name}, row {column.index[bad]} has {str(column.iloc[bad])[:40]!r} "
                f"for {column.name!r}: give a number"
            )
            raise TableError(msg)
        return values, None
    labels = predictor.labels
    if labels is not None and labels.ndim == 1:
        msg = "this model has one task per class: a new class needs a new fit"
        raise TableError(msg)
    given = as_text(column).to_numpy(dtype=object)
    pairs = set(predictor.label_pairs)
    y, chosen = np.empty(len(given)), []
    for task, rows in zip(names, groups, strict=True):
        seen = sorted(set(given[rows]))
        fitting = [pair for pair in sorted(pairs) if set(seen) <= set(pair)]
        if len(fitting) != 1 or len(seen) < 2:
            msg = (
                f"{name}, new task {task!r} has the labels {listed(seen)}: give "
                f"rows of both {listed(sorted(pairs)[0])}"
            )
            raise TableError(msg)
        y[rows] = np.where(given[rows] == fitting[0][1], 1.0, -1.0)
        place = predictor.label_pairs.index(fitting[0])
        chosen.append(fitting[0] if labels is None else labels[place])
    return y, np.array(chosen)


def new_units(predictor: "Predictor", data: MultiTaskData) -> list[float]:
    """The unit that the known tasks share, or the spread of each new target."""
    if len(set(predictor.units)) == 1:
        return [predictor.units[0]] * data.n_tasks
    return target_spreads(data, each=True).tolist()


def extended(
    predictor: "Predictor", rows: NewRows, fits: Sequence[TaskFit]
) -> "Predictor":
    """The model with more tasks; its objective and history stay those of the fit."""
    result, data = predictor.result, rows.data
    assert isinstance(result, VSTGResult)
    longer = replace(
        result,
        V=np.column_stack([result.V, *(fit.v for fit in fits)]),
        intercept=np.append(result.intercept, [fit.intercept for fit in fits]),
    )
    means, labels = predictor.task_means, predictor.labels
    if means is not None:
        means = np.vstack([means, *(column_means(X)[None] for X in data.X)])
    if labels is not None and rows.labels is not None:
        labels = np.concatenate([labels, rows.labels.astype(labels.dtype)])
    counts = dict(zip(data.task_names, data.n_samples.tolist(), strict=True))
    return replace(
        predictor,
        result=longer,
        task_names=(*predictor.task_names, *data.task_names),
        units=(*predictor.units, *data.units),
        task_means=means,
        labels=labels,
        added={**predictor.added, **counts},
        scores=predictor.scores
        and predictor.scores.with_tasks(data.task_units.tolist()),
    )
