"""Scale variables and targets by their own spread, and undo it."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from scipy.sparse import diags_array, issparse

from vstg.data import Array, MultiTaskData, target_spreads
from vstg.data.designs import column_means, second_moments, target_means
from vstg.solvers import VSTGResult


@dataclass(frozen=True, eq=False)
class Scaling:
    """What variables (D,) and the targets of the tasks (T,) are divided by."""

    x: Array
    y: Array

    @classmethod
    def none(cls, data: MultiTaskData) -> Self:
        """Everything stays as it is."""
        return cls(np.ones(data.n_features), np.ones(data.n_tasks))

    @classmethod
    def of(cls, data: MultiTaskData, *, centred: bool, targets: bool) -> Self:
        """The spread within the tasks, around their means if ``centred``.

        Targets stay as they are unless ``targets``.

        Tasks with designs of their own measure one target, so that one spread holds for
        all. On a shared design each task is a target of its own, with its own units.
        """
        designs = data.X[:1] if data.shared_rows else data.X
        n_rows = float(data.weight_sums[: len(designs)].sum())
        squares, sizes = np.zeros((2, data.n_features))
        for j, X in enumerate(designs):
            weight = data.row_weights(j)
            origin = column_means(X, weight) if centred else np.zeros(data.n_features)
            squares += np.diag(second_moments(X, origin, weight))
            sizes += np.abs(origin)
        x = np.sqrt(squares / n_rows)
        # Rounding leaves a constant some 1e-17 of its own size; others do not count.
        x[x <= 1e-12 * sizes / len(designs)] = 1.0
        if not targets:
            return cls(x, np.ones(data.n_tasks))
        return cls(x, target_spreads(data, centred=centred))

    def apply(self, data: MultiTaskData) -> MultiTaskData:
        """Return the data in these units; tasks that share a design still do."""
        if (self.x == 1).all() and (self.y == 1).all():
            return data
        scaled = {id(X): divided(X, self.x) for X in data.X}
        targets = [y / s for y, s in zip(data.y, self.y, strict=True)]
        X = [scaled[id(X)] for X in data.X]
        names = data.task_names, data.feature_names
        return MultiTaskData(
            X, targets, *names, data.units, data.groups, data.weights, data.task_weights
        )

    def undo(self, result: VSTGResult) -> VSTGResult:
        """Return a fit of scaled data in the units of the data."""
        return replace(
            result,
            U=result.U / self.x[:, None],
            V=result.V * self.y,
            intercept=result.intercept * self.y,
        )


def divided(X: Any, scale: Array) -> Any:
    """X with every column divided by its scale, read-only."""
    if issparse(X):
        return (X @ diags_array(1.0 / scale)).tocsr()
    return np.asarray(X, dtype=float) / scale


def needs_intercept(data: MultiTaskData) -> bool:
    """Whether the mean of a target or of a variable differs from zero.

    Over the tasks the squared t-statistics of a mean that is zero sum to about T, with
    standard deviation √(2T): five of these are asked for, as there are many variables.
    """
    limit = data.n_tasks + 5.0 * np.sqrt(2.0 * data.n_tasks)
    total = np.zeros(data.n_features + 1)
    y_means = target_means(data)
    for j, (X, y) in enumerate(zip(data.X, data.y, strict=True)):
        weight = data.row_weights(j)
        mean = np.append(column_means(X, weight), y_means[j])
        squares = np.diag(second_moments(X, mean[:-1], weight)) / data.weight_sums[j]
        spread = np.append(squares, np.average((y - y_means[j]) ** 2, weights=weight))
        speck = 1e-12 * mean**2 + 1e-300  # each in its own units
        total += len(y) * mean**2 / (spread + speck)
    return bool((total > limit).any())
