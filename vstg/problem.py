"""A fitting problem: the loss of all tasks as a function of W and the intercepts."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from vstg.data import Array, MultiTaskData, check_targets
from vstg.losses import Loss, SquaredLoss, get_loss
from vstg.statistics import Moments, Quadratic


@dataclass(frozen=True, eq=False)
class Problem:
    r"""The smooth part of every method.

    .. math:: \sum_j \tfrac{1}{N_j} L(y_j, X_j w_j + b_j)

    Built once, used by any number of fits. For a quadratic loss ``model`` says
    everything (the intercept minimised out) and ``data`` is not looked at again, so a
    fold can be made by subtracting statistics. For another loss ``model`` has the
    curvature of its quadratic upper bound: G is h·XᵀX/N, centred with an intercept.
    """

    loss: Loss
    model: Quadratic
    fit_intercept: bool
    data: MultiTaskData | None = None

    @classmethod
    def of(
        cls,
        data: MultiTaskData,
        loss: str | Loss,
        *,
        fit_intercept: bool,
        allow_constant: bool = False,
    ) -> Self:
        """Check the targets and sum the statistics: one pass over the data.

        ``allow_constant`` is that of :func:`vstg.data.check_targets`.
        """
        chosen = get_loss(loss)
        check_targets(
            data,
            classification=chosen.is_classification,
            allow_constant=allow_constant,
        )
        model = Moments.of(data, fit_intercept=fit_intercept).quadratic()
        model = replace(model, G=chosen.curvature * model.G)
        return cls(chosen, model, fit_intercept, data)

    @classmethod
    def of_moments(cls, moments: Moments) -> Self:
        """The squared loss on what ``moments`` were summed over."""
        return cls(SquaredLoss(), moments.quadratic(), moments.fit_intercept)

    @property
    def n_tasks(self) -> int:
        """T."""
        return len(self.model.c)

    @property
    def n_features(self) -> int:
        """D."""
        return self.model.c.shape[1]

    def start_intercept(self) -> Array:
        """b at W = 0."""
        if self.loss.is_quadratic:
            return self.model.y_mean.copy()
        if self.data is None or not self.fit_intercept:
            return np.zeros(self.n_tasks)
        return np.array([self.loss.best_constant(y) for y in self.data.y])

    def evaluate(self, W: Array, b: Array) -> tuple[float, Array, Array]:
        """The loss and its gradients with respect to W (D, T) and b (T,).

        A quadratic loss is taken at the best intercept, whatever ``b`` is.
        """
        if self.loss.is_quadratic or self.data is None:
            GW = np.einsum("jde,ej->dj", self.model.G, W, optimize=True)
            c = self.model.c.T
            value = self.model.constant + float((W * (0.5 * GW - c)).sum())
            return value, GW - c, np.zeros(self.n_tasks)
        value, slopes = 0.0, []
        for y, margin in zip(self.data.y, self.margins(W, b), strict=True):
            value += self.loss.value(y, margin) / len(y)
            slopes.append(self.loss.derivative(y, margin) / len(y))
        if self.data.shared_X:
            gradient = self.data.X[0].T @ np.column_stack(slopes)
        else:
            pairs = zip(self.data.X, slopes, strict=True)
            gradient = np.column_stack([X.T @ s for X, s in pairs])
        return value, gradient, np.array([s.sum() for s in slopes])

    def margins(self, W: Array, b: Array) -> list[Array]:
        """X_j w_j + b_j for every task of ``data``."""
        assert self.data is not None, "margins need the data"
        if self.data.shared_X:
            return list((self.data.X[0] @ W + b).T)
        return [X @ W[:, j] + b[j] for j, X in enumerate(self.data.X)]
