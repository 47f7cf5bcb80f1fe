"""Errors on rows that an estimator has not seen, for prediction intervals."""

import warnings
from typing import Any, TypeVar

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from vstg.data import DataError
from vstg.data.frames import is_foreign_table, to_pandas
from vstg.estimators.columns import TaskTable
from vstg.estimators.multitask import MultiTaskEstimator
from vstg.prediction.intervals import ConformalScores

Estimator = TypeVar("Estimator", bound=MultiTaskEstimator)


def calibrated(
    model: Estimator, X: Any, y: Any, cv: int | None, weights: Any = None
) -> Estimator:
    """Give ``model`` the errors that intervals need, and return it."""
    check_is_fitted(model)
    X, y = (to_pandas(v) if is_foreign_table(v) else v for v in (X, y))
    n_rows = len(np.asarray(y))
    if cv is None:
        errors, rows = errors_of(model, X, y), "calibration rows"
    else:
        errors, rows = held_out(model, X, y, n_rows, cv, weights), f"{cv} folds"
    units = np.ones(len(model.tasks_))
    if model._multioutput:  # the targets may have different units
        found = [float(np.nanstd(np.asarray(c, dtype=float))) for c in np.asarray(y).T]
        units = np.array([spread if spread > 0 else 1.0 for spread in found])
    by_task = [errors[j][~np.isnan(errors[j])] for j in range(len(model.tasks_))]
    model._scores = ConformalScores.of(by_task, units, rows)
    return model


def errors_of(model: Any, X: Any, y: Any) -> list[np.ndarray]:
    """Return how far every row is from its prediction, by task."""
    wrong = np.asarray(y, dtype=float) - model.predict(X)
    if wrong.ndim == 2:
        return list(wrong.T)
    if model.task_column is None:
        return [wrong]
    tasks = np.array(TaskTable.of(X, model.task_column).tasks(), dtype=object)
    return [wrong[tasks == task] for task in model.tasks_]


def held_out(
    model: Any, X: Any, y: Any, n_rows: int, cv: int, weights: Any = None
) -> list[np.ndarray]:
    """Return the errors with every row held out once; lone rows of a task never are."""
    if not 2 <= cv <= n_rows:
        msg = f"cv={cv} must be at least 2 and at most the {n_rows} rows"
        raise DataError(msg)
    parts: list[list[np.ndarray]] = [[] for _ in model.tasks_]
    for numbers in fold_numbers(model, X, n_rows, cv):
        rest = np.setdiff1d(np.arange(n_rows), numbers)
        if not len(numbers):
            continue
        with warnings.catch_warnings():  # the fit of all rows has said it
            warnings.simplefilter("ignore", ConvergenceWarning)
            part = [_safe_indexing(v, rest) for v in (X, y)]
            of_rows = None if weights is None else np.asarray(weights)[rest]
            copy = clone(model).fit(*part, sample_weight=of_rows)
        rows = _safe_indexing(X, numbers), _safe_indexing(y, numbers)
        of_copy = dict(zip(copy.tasks_, errors_of(copy, *rows), strict=True))
        for j, task in enumerate(model.tasks_):
            parts[j].append(of_copy.get(task, np.empty(0)))
    return [np.concatenate(found) for found in parts]


def fold_numbers(model: Any, X: Any, n_rows: int, cv: int) -> list[np.ndarray]:
    """Return the rows of each fold, each task's spread evenly; lone rows are not."""
    groups = [np.arange(n_rows)]
    if model.task_column is not None:
        ids = np.array(TaskTable.of(X, model.task_column).tasks(), dtype=object)
        groups = [np.flatnonzero(ids == task) for task in model.tasks_]
    found: list[list[np.ndarray]] = [[] for _ in range(cv)]
    for place, rows in enumerate(groups):
        if len(rows) < 2:
            continue
        folds = KFold(min(cv, len(rows)), shuffle=True, random_state=place)
        for number, (_, test) in enumerate(folds.split(rows)):
            found[(number + place) % cv].append(rows[test])
    return [np.concatenate(f) if f else np.empty(0, dtype=int) for f in found]
