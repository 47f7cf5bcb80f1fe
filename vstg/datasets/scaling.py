"""The paper's scaling of variables, and the record of a data set after it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from vstg.data import Array, Dataset, MultiTaskData
from vstg.data.values import seal


def scale_by_training_maximum(
    train: MultiTaskData, *others: MultiTaskData
) -> tuple[Array, list[MultiTaskData]]:
    """Divide every variable by its largest absolute value in the training rows.

    This is the paper's scaling into [-1, 1]. It changes continuous variables only: a
    0/1 or -1/+1 variable is divided by 1, and so is one that is zero in all training
    rows. Returns the divisors and all data, training data first.
    """
    designs = {id(X): X for X in train.X}
    largest = np.max([np.abs(X).max(axis=0) for X in designs.values()], axis=0)
    scale = seal(divisors(largest))
    return scale, [_divided(data, scale) for data in (train, *others)]


def divisors(largest: Array) -> Array:
    """What to divide variables by, given their largest values: nothing by zero."""
    return np.where(largest > 0, largest, 1.0)


def _divided(data: MultiTaskData, scale: Array) -> MultiTaskData:
    designs = {id(X): seal(X / scale) for X in data.X}
    return MultiTaskData(
        [designs[id(X)] for X in data.X],
        data.y,
        data.task_names,
        data.feature_names,
        groups=data.groups,
    )


def finish(
    parts: Sequence[MultiTaskData | None], *, scale: bool, **record: Any
) -> Dataset:
    """The data set of (training, validation or None, test), scaled if asked."""
    given = [part for part in parts if part is not None]
    applied = seal(np.ones(given[0].n_features))
    if scale:
        applied, given = scale_by_training_maximum(*given)
    options = {**record.pop("options", {}), "scale": scale}
    return Dataset(
        train=given[0],
        validation=given[1] if len(given) > 2 else None,
        test=given[-1],
        fit_intercept=True,
        scale=applied,
        options=options,
        **record,
    )


def with_bias(X: Array) -> Array:
    """X with a last column of ones."""
    return np.column_stack([X, np.ones(len(X))])
