"""Errors of rows held out in folds, for the prediction intervals of a fit on all."""

from collections.abc import Callable
from typing import Any

import numpy as np

from vstg.data import Array, MultiTaskData
from vstg.data.designs import margins
from vstg.losses import response
from vstg.model_selection.folds import TaskKFold
from vstg.prediction.intervals import ConformalScores

FOLDS = 5


def cross_scores(
    data: MultiTaskData,
    fit: Callable[[MultiTaskData], Any],
    cv: int | TaskKFold = FOLDS,
) -> ConformalScores:
    """Hold out every row once, and keep how far its prediction is from its target.

    Parameters
    ----------
    data : MultiTaskData
        The training rows.
    fit : callable
        Fits some of them, and returns something with ``W``, ``intercept`` and
        ``loss``.
    cv : number of folds, or the folds
    """
    folds = cv if isinstance(cv, TaskKFold) else TaskKFold(cv, random_state=0)
    errors: list[list[Array]] = [[] for _ in range(data.n_tasks)]
    for fold in folds.folds(data):
        model = fit(data.take(fold.train))
        for j, rows in enumerate(fold.test):
            if len(rows):
                one = (model.W[:, [j]], model.intercept[[j]])
                predicted = response(model.loss, margins([data.X[j][rows]], *one)[0])
                errors[j].append(data.task_units[j] * (data.y[j][rows] - predicted))
    found = [np.concatenate(e) if e else np.empty(0) for e in errors]
    return ConformalScores.of(found, data.task_units, f"{folds.n_splits} folds")
