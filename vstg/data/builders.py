"""Ways to build data of several tasks: from long tables, stacked rows, outputs."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd
from scipy.sparse import issparse

from vstg.data.tables import (
    columns_of_weights,
    one_vs_rest_targets,
    read_arrays,
    read_frame,
    split_by_holes,
    split_by_task,
    split_weights,
)
from vstg.data.values import DataError, as_design


class Builders:
    """The class methods of :class:`vstg.data.MultiTaskData` that build it."""

    if TYPE_CHECKING:

        def __init__(self, *parts: Any, **options: Any) -> None:
            """As in MultiTaskData."""

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        *,
        task: Hashable,
        target: Hashable,
        features: Sequence[Hashable] | None = None,
        weight: Hashable | None = None,
        task_weights: Sequence[float] | Mapping[str, float] = (),
    ) -> Self:
        """Build from a long table, one row per observation.

        Tasks keep the order in which they first appear, and rows their order.
        ``features`` are all other columns by default; each must be numeric. ``weight``
        is the column that says how much a row counts.
        """
        X, y, tasks, names, weights = read_frame(
            frame, task=task, target=target, features=features, weight=weight
        )
        return cls(
            *split_by_task(X, y, tasks), names,
            weights=split_weights(weights, tasks), task_weights=task_weights,
        )  # fmt: skip

    @classmethod
    def from_arrays(
        cls,
        X: Any,
        y: Any,
        tasks: Any,
        *,
        feature_names: Sequence[Any] | None = None,
        weights: Any = None,
        task_weights: Sequence[float] | Mapping[str, float] = (),
    ) -> Self:
        """Build from stacked rows with the task of each row in ``tasks``.

        ``weights`` has one number per row.
        """
        if feature_names is None and isinstance(X, pd.DataFrame):
            feature_names = list(X.columns)
        design, target, labels = read_arrays(X, y, tasks, feature_names)
        return cls(
            *split_by_task(design, target, labels), feature_names,
            weights=split_weights(weights, labels), task_weights=task_weights,
        )  # fmt: skip

    @classmethod
    def from_multioutput(
        cls,
        X: Any,
        Y: Any,
        *,
        task_names: Sequence[Any] | None = None,
        feature_names: Sequence[Any] | None = None,
        weights: Any = None,
        task_weights: Sequence[float] | Mapping[str, float] = (),
    ) -> Self:
        """Build one task per column of Y (n, T) on the shared design X (n, D).

        Where Y is NaN the target is missing: each task has the rows with a target of
        its own, and the rows of Y are the groups that folds do not divide. ``weights``
        has one number per row, or one per entry of Y.
        """
        if task_names is None and isinstance(Y, pd.DataFrame):
            task_names = list(Y.columns)
        if issparse(Y):
            msg = "Y is a sparse matrix: pass Y.toarray()"
            raise DataError(msg)
        targets = as_design(Y, where="Y: ").T
        of_rows = columns_of_weights(weights, targets)
        if np.isnan(targets).any():
            if feature_names is None and isinstance(X, pd.DataFrame):
                feature_names = list(X.columns)
            designs, values, rows = split_by_holes(X, targets)
            kept = [one[r] for one, r in zip(of_rows, rows, strict=False)]
            return cls(
                designs, values, task_names, feature_names, (), rows, kept, task_weights
            )
        return cls(
            [X] * len(targets), list(targets), task_names, feature_names,
            weights=of_rows, task_weights=task_weights,
        )  # fmt: skip

    @classmethod
    def one_vs_rest(
        cls,
        X: Any,
        labels: Any,
        *,
        classes: Sequence[Any] | None = None,
        feature_names: Sequence[Any] | None = None,
        weights: Any = None,
        task_weights: Sequence[float] | Mapping[str, float] = (),
    ) -> Self:
        """Build one task per class on the shared design X: +1 for the class, -1 else.

        ``classes`` fixes the tasks and their order (sorted labels by default), so
        that test data have the tasks of the training data. ``weights`` has one number
        per row.
        """
        targets, names = one_vs_rest_targets(labels, classes)
        return cls(
            [X] * len(names), targets, names, feature_names,
            weights=columns_of_weights(weights, targets), task_weights=task_weights,
        )  # fmt: skip
