"""The criterion that structures are compared by: misfit plus price of complexity."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Any, Self

import numpy as np
from scipy.linalg import solve_triangular

from vstg.data import Array, MultiTaskData
from vstg.data.designs import column_means, second_moments, times, transposed_times
from vstg.losses import (
    Loss,
    is_likelihood,
    second_derivative,
    upper_curvature,
    weighted_sum,
)
from vstg.problem import Problem

ROUNDING = 1e-16  # of the largest sum of squares that a variable has in any task


@dataclass(frozen=True, eq=False)
class Evidence:
    r"""A quadratic function of W: how badly it fits the rows.

    .. math:: \text{base} + \sum_j w_j^T A_j w_j - 2 b_j^T w_j

    For the squared loss it is the residual sum of squares, over intercepts already
    minimised, and its logarithm counts: the noise is unknown. For other losses it is
    twice the loss (for labels and counts the deviance), to second order around a given
    fit (least squares approximation, Wang and Leng 2007); of Huber's loss the logarithm
    counts, too (Machado 1993).
    """

    A: Array  # (T, D, D)
    b: Array  # (T, D)
    base: float
    n: Array  # (T,) rows
    noise_known: bool
    task_weights: tuple[float, ...] = ()

    @classmethod
    def of_squares(cls, data: MultiTaskData, *, fit_intercept: bool) -> Self:
        """The residual sum of squares."""
        sums = []
        for X, y, s in zip(data.X, data.y, counts(data), strict=True):
            mean = column_means(X, s) if fit_intercept else np.zeros(data.n_features)
            around = y - (np.average(y, weights=s) if fit_intercept else 0.0)
            pull = around if s is None else s * around
            right = transposed_times(X, pull) - mean * float(pull.sum())
            sums.append((second_moments(X, mean, s), right, float(pull @ around)))
        A, b, squares = zip(*sums, strict=True)
        moments, n = cleaned(A, b), n_counted(data)
        return cls(*moments, sum(squares), n, False, data.task_weights)

    @classmethod
    def around(
        cls, data: MultiTaskData, W: Array, intercept: Array, loss: Loss
    ) -> Self:
        """Twice a loss around the fit (W, intercept), over intercepts."""
        A, b, base = [], [], 0.0
        for j, (X, y, s) in enumerate(zip(data.X, data.y, counts(data), strict=True)):
            margin = times(X, W[:, j]) + intercept[j]
            bend = second_derivative(loss, y, margin)
            flat = upper_curvature(loss, y, margin)  # where the loss is a line
            weight = np.maximum(np.where(bend > 0, bend, flat), 1e-6)
            response = margin - loss.derivative(y, margin) / weight
            weight = weight if s is None else s * weight
            centre = float(weight @ response) / float(weight.sum())
            mean = transposed_times(X, weight) / float(weight.sum())
            A.append(second_moments(X, mean, weight))
            pull = weight * (response - centre)
            b.append(transposed_times(X, pull) - mean * float(pull.sum()))
            base += 2.0 * weighted_sum(loss, y, margin, s)
            base -= float(weight @ (response - margin) ** 2)
            base += float(weight @ (response - centre) ** 2)
        known, n = is_likelihood(loss), n_counted(data)
        return cls(*cleaned(A, b), base, n, known, data.task_weights)

    def as_problem(self) -> Problem:
        """The least squares problem with this function for its loss.

        A_j = L Lᵀ makes it ‖L⁻¹b_j − Lᵀw‖², of D rows; the weights of the tasks in
        eq. (6) stay 1/N_j.
        """
        X, y = [], []
        for A, b, n in zip(self.A, self.b, self.n, strict=True):
            speck = 1e-9 * np.trace(A) + 1e-300
            L = np.linalg.cholesky(A + speck * np.eye(len(A)))
            share = np.sqrt(len(A) / n)
            X.append(share * L.T)
            y.append(share * solve_triangular(L, b, lower=True))
        data = MultiTaskData(X, y, task_weights=self.task_weights)
        return Problem.of(data, "squared", fit_intercept=False, allow_constant=True)

    @property
    def n_tasks(self) -> int:
        """T."""
        return len(self.n)

    @property
    def n_features(self) -> int:
        """D."""
        return self.A.shape[1]

    def variance(self, fit: float) -> float:
        """The variance of the noise: 1 for a deviance."""
        if self.noise_known:
            return 1.0
        return max((self.base + fit) / self.n.sum(), 1e-12 * self.base / self.n.sum())

    def deviance(self, fit: float) -> float:
        """−2 log likelihood at the best variance, up to a constant."""
        return self.deviance_of(self.base + fit)

    def deviance_of(self, total: float) -> float:
        """The same of a value of the whole function."""
        if self.noise_known:
            return total
        if self.base == 0:
            return 0.0
        return float(self.n.sum()) * log(self.variance(total - self.base))


def counts(data: MultiTaskData) -> list[Array | None]:
    """How many rows each row counts for, by task; None where all count as one.

    Its weight times that of its task, relative to the mean over all rows: the evidence
    has as many rows in all as were observed, whatever the scale of the weights.
    """
    if not data.has_weights:
        return [None] * data.n_tasks
    ones = [data.weighed(j, np.ones(len(y))) for j, y in enumerate(data.y)]
    heavy = [a * s for a, s in zip(data.task_factors, ones, strict=True)]
    mean = float(np.concatenate(heavy).mean())
    return [s / mean for s in heavy]


def n_counted(data: MultiTaskData) -> Array:
    """The number of rows of each task, as they count."""
    pairs = zip(counts(data), data.y, strict=True)
    return np.array([float(len(y) if s is None else s.sum()) for s, y in pairs])


def cleaned(A: Sequence[Array], b: Sequence[Array]) -> tuple[Array, Array]:
    """Stack the sums, exactly zero for variables that never change in a task.

    What centring leaves of such a variable is rounding, and least squares would divide
    one such number by another.
    """
    moments, pulls = np.stack(A), np.stack(b)
    spread = np.diagonal(moments, axis1=1, axis2=2)
    still = spread <= ROUNDING * spread.max(axis=0)
    moments[still] = 0.0
    moments.transpose(0, 2, 1)[still] = 0.0
    pulls[still] = 0.0
    return moments, pulls


@dataclass(frozen=True, eq=False)
class ComplexityPrices:
    """The prices of variables, entries of U and V, and groups of tasks.

    The deviance plus these prices is an information criterion for structures:

    - a variable: 2 log D, as it is one of D (the extended BIC of Chen and Chen, 2008),
    - an entry of U: log n + log D,
    - an entry of v_j: log N_j + log 2, since only the rows of task j tell its value,
    - a group: 2 (K log 2 + log T), which of 2^K patterns it has, and its tasks.

    So a variable has to be clearly there, and a task that differs from all others has
    to pay for it. All prices are multiplied by a weight.
    """

    variable: float
    entry: float
    task: Array  # (T,)
    group: tuple[float, float]  # of a group, and for each basis it may use

    @classmethod
    def of(cls, evidence: Evidence, weight: float, n_features: int) -> Self:
        """The prices for these rows, with D variables in all."""
        n = evidence.n
        return cls(
            weight * 2.0 * log(n_features),
            weight * (log(n.sum()) + log(n_features)),
            weight * np.log(2.0 * n),
            (weight * 2.0 * log(evidence.n_tasks), weight * 2.0 * log(2.0)),
        )

    def group_price(self, n_latent: int) -> float:
        """For each pattern in use."""
        return self.group[0] + n_latent * self.group[1]

    def __call__(self, free_U: Any, free_V: Any) -> float:
        """The price of a support."""
        n_latent = len(free_V)
        if n_latent == 0:
            return 0.0
        patterns = {pattern.tobytes() for pattern in np.ascontiguousarray(free_V.T)}
        # The length of u_r beside v^r is free, so each basis has a parameter less.
        values = (free_V * self.task).sum() - n_latent * self.task.mean()
        entries = self.entry * free_U.sum() + self.variable * free_U.any(axis=1).sum()
        return float(entries + values) + len(patterns) * self.group_price(n_latent)
