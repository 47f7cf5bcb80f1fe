"""Tasks that were not in the fit, added to a fitted estimator."""

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.validation import check_is_fitted, validate_data

from vstg.data import DataError, MultiTaskData
from vstg.data.tables import (
    columns_of_weights,
    read_arrays,
    split_by_task,
    split_weights,
)
from vstg.estimators.columns import TaskTable, align_columns, shown
from vstg.estimators.multitask import PRECISIONS, MultiTaskEstimator
from vstg.losses import known_loss
from vstg.prediction.new_tasks import NewRows, extended
from vstg.prediction.schema import Labels
from vstg.solvers import fit_task

Estimator = TypeVar("Estimator", bound=MultiTaskEstimator)


def transferred(
    model: Estimator, X: Any, y: Any, mu: float | None, sample_weight: Any = None
) -> Estimator:
    """A fitted copy of ``model`` with the tasks of X and y; see BaseVSTG.transfer."""
    check_is_fitted(model)
    if model.task_column is not None:
        rows = read_task_column(model, X, y, sample_weight)
    elif model._multioutput:
        rows = read_outputs(model, X, y, sample_weight)
    else:
        msg = (
            f"this {type(model).__name__} has one task, or one per class, to which "
            "none can be added: fit it with task_column, or on a y of several columns"
        )
        raise DataError(msg)
    known = [name for name in rows.data.task_names if name in model.tasks_]
    if known:
        msg = f"tasks {shown(known)} were in the fit: give rows of new tasks only"
        raise DataError(msg)
    data = rows.data
    fits = [
        fit_task(model.result_, design, target, weights=data.row_weights(j), mu=mu)
        for j, (design, target) in enumerate(zip(data.X, data.y, strict=True))
    ]
    return type(model).from_predictor(extended(model.predictor(), rows, fits))


def read_task_column(
    model: MultiTaskEstimator, X: Any, y: Any, sample_weight: Any = None
) -> NewRows:
    """The rows of a long table, by the tasks that they name."""
    columns = getattr(model, "feature_names_in_", None)
    table = TaskTable.of(
        align_columns(X, columns, model.n_features_in_), model.task_column
    )
    y = column_or_1d(y, warn=True)
    check_consistent_length(table.design, y)
    tasks = table.tasks()
    target, labels = encoded(model, y[:, None], tasks)
    parts = read_arrays(table.design, target, tasks, model.feature_names_)
    weights = split_weights(sample_weight, tasks)
    names = model.feature_names_
    data = MultiTaskData(*split_by_task(*parts), names, weights=weights)
    return NewRows(data, labels, ())


def read_outputs(
    model: MultiTaskEstimator, X: Any, y: Any, sample_weight: Any = None
) -> NewRows:
    """One new task per column of y."""
    X = validate_data(model, X, accept_sparse="csr", dtype=PRECISIONS, reset=False)
    if isinstance(y, pd.Series):
        y = y.to_frame()
    Y = np.asarray(y)
    Y = Y[:, None] if Y.ndim == 1 else Y
    check_consistent_length(X, Y)
    first = len(model.tasks_)
    names = [f"task{first + i}" for i in range(Y.shape[1])]
    if isinstance(y, pd.DataFrame):
        names = [str(name) for name in y.columns]
    targets, labels = zip(*(encoded(model, c[:, None], None) for c in Y.T), strict=True)
    pairs = None if labels[0] is None else np.concatenate(labels)
    weights = columns_of_weights(sample_weight, targets)
    designs = [X] * len(names)
    data = MultiTaskData(designs, targets, names, model.feature_names_, weights=weights)
    return NewRows(data, pairs, ())


def encoded(
    model: MultiTaskEstimator, Y: Any, tasks: Sequence[str] | None
) -> tuple[Any, Labels | None]:
    """The target of the solver, and the labels of each new task (T, 2) if any."""
    from vstg.estimators.classification import encode_outputs, encode_tasks

    loss = known_loss(model._loss)
    if loss is None or not loss.is_classification:
        return Y[:, 0], None
    if tasks is not None:
        return encode_tasks(Y[:, 0], tasks)
    targets, pairs = encode_outputs(Y)
    return targets[:, 0], pairs
