"""Two reference methods: ridge for each task, and one ridge model for all tasks."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from vstg.baselines.descent import PointState, largest, minimise, ratio
from vstg.baselines.interface import (
    BaselineCallback,
    BaselineResult,
    Stopping,
    as_problem,
    start_factors,
)
from vstg.data import Array, MultiTaskData
from vstg.losses import Loss
from vstg.objective import check_strengths
from vstg.problem import Problem

CANCELLED = 1e-6  # share of the tasks' gradients below which their mean counts as zero
RANK_TOL = 1e-13  # share of the largest eigenvalue below which one counts as zero


class RidgePoint:
    r""":math:`\gamma_1 \|W\|_F^2`: a model has a closed form, by eigenvectors of G."""

    def __init__(
        self,
        problem: Problem,
        gamma1: float,
        W: Array | None,
        *,
        method: str = "ridge",
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        self.method = method
        self.gamma1 = gamma1
        self.parameters = {"gamma1": gamma1} if parameters is None else parameters
        self.inverse = RidgeInverse(problem.model.G, gamma1)
        self.is_monotone = True
        self.Wt = np.zeros((problem.n_tasks, problem.n_features))
        if W is not None:
            self.Wt[:] = W.T
        self.moving = (self.Wt,)

    def coefficients(self) -> Array:
        """W."""
        return self.Wt.T.copy()

    def penalty(self) -> float:
        """γ1‖W‖²."""
        return self.gamma1 * float((self.Wt * self.Wt).sum())

    def descend(self, G: Array, c: Array, *, exact: bool) -> None:
        """(G_j + 2γ1 I) w_j = c_j."""
        self.inverse = self.inverse.of(G)
        self.Wt[:] = self.inverse(c)

    def residual(self, state: PointState, null: PointState) -> float:
        """Largest entry of the gradient, relative to that at zero."""
        gradient = state.slope + 2.0 * self.gamma1 * state.W
        return ratio(largest(gradient), largest(null.slope))

    def factors(self) -> dict[str, Array]:
        """W itself."""
        return {"W": self.coefficients()}


class RidgeInverse:
    """c ↦ (G + 2γI)⁻¹c for a stack of matrices; the pseudo-inverse where singular."""

    def __init__(self, G: Array, gamma: float) -> None:
        self.G, self.gamma = G, gamma
        values, self.Q = np.linalg.eigh(G)
        values = values + 2.0 * gamma
        keep = values > RANK_TOL * values[:, -1:]
        self.gain = np.divide(1.0, values, out=np.zeros_like(values), where=keep)

    def of(self, G: Array) -> "RidgeInverse":
        """The inverse for other matrices; itself for the same ones."""
        return self if G is self.G else RidgeInverse(G, self.gamma)

    def __call__(self, c: Array) -> Array:
        """Solve for every row of c."""
        turned = np.matmul(self.Q.transpose(0, 2, 1), c[:, :, None])[:, :, 0]
        return np.matmul(self.Q, (self.gain * turned)[:, :, None])[:, :, 0]


class PooledPoint:
    r""":math:`T \gamma_1 \|w\|_2^2` on the coefficients w that all tasks share."""

    method = "pooled"
    is_monotone = True

    def __init__(self, problem: Problem, gamma1: float, w: Array | None) -> None:
        self.n_tasks = problem.n_tasks
        self.gamma1 = gamma1
        self.parameters = {"gamma1": gamma1}
        self.w = np.zeros(problem.n_features) if w is None else w
        self.moving = (self.w,)

    def coefficients(self) -> Array:
        """W, all columns equal."""
        return np.repeat(self.w[:, None], self.n_tasks, axis=1)

    def penalty(self) -> float:
        """γ1‖W‖² = Tγ1‖w‖²."""
        return self.n_tasks * self.gamma1 * float(self.w @ self.w)

    def descend(self, G: Array, c: Array, *, exact: bool) -> None:
        """(mean of G_j + 2γ1 I) w = mean of c_j."""
        inverse = RidgeInverse(G.mean(axis=0, keepdims=True), self.gamma1)
        self.w[:] = inverse(c.mean(axis=0, keepdims=True))[0]

    def residual(self, state: PointState, null: PointState) -> float:
        """Largest entry of the gradient in w, relative to that at zero."""
        gradient = state.slope.mean(axis=1) + 2.0 * self.gamma1 * self.w
        # In one-vs-rest data the tasks' gradients at zero cancel, but for rounding.
        scale = max(largest(null.slope.mean(axis=1)), CANCELLED * largest(null.slope))
        return ratio(largest(gradient), scale)

    def factors(self) -> dict[str, Array]:
        """The shared coefficients."""
        return {"w": self.w.copy()}


def solve_ridge(
    data: MultiTaskData | Problem,
    *,
    gamma1: float,
    loss: str | Loss = "squared",
    fit_intercept: bool = False,
    init: Any = None,
    tol: float = 1e-6,
    max_iter: int = 2000,
    callback: BaselineCallback | None = None,
) -> BaselineResult:
    r"""Fit a ridge model to each task.

    .. math:: \min_W \sum_j \tfrac{1}{N_j} L(y_j, X_j w_j + b_j) + \gamma_1 \|W\|_F^2

    This is eq. (7) of the paper, without ½ in the penalty: scikit-learn's ``alpha`` is
    2 N_j γ1. Parameters as in :func:`vstg.baselines.solve_lasso`.

    Notes
    -----
    Has a closed form for the squared loss. Otherwise it stops when no entry of the
    gradient exceeds ``tol`` times the largest at W = 0 and no intercept has a slope
    above ``tol``.
    """
    stopping = Stopping(tol, max_iter, callback)
    check_strengths(gamma1=gamma1)
    problem = as_problem(data, loss, fit_intercept)
    start = start_factors(init, {"W": (problem.n_features, problem.n_tasks)})
    W = start.get("W")
    return minimise(problem, RidgePoint(problem, float(gamma1), W), stopping, init)


def solve_pooled(
    data: MultiTaskData | Problem,
    *,
    gamma1: float,
    loss: str | Loss = "squared",
    fit_intercept: bool = False,
    init: Any = None,
    tol: float = 1e-6,
    max_iter: int = 2000,
    callback: BaselineCallback | None = None,
) -> BaselineResult:
    r"""Fit one ridge model to all tasks: ridge under w_1 = … = w_T = w.

    .. math:: \min_w \sum_j \tfrac{1}{N_j} L(y_j, X_j w + b_j) + T \gamma_1 \|w\|_2^2

    Every task has the same weight, whatever its N_j, as in all objectives here, so the
    stacked rows have the weight 1/N_j. Each task keeps its own intercept. The factor T
    makes this the ridge objective restricted to equal columns, at the same γ1.
    Parameters and stopping rule as in :func:`vstg.baselines.solve_ridge`.
    """
    stopping = Stopping(tol, max_iter, callback)
    check_strengths(gamma1=gamma1)
    problem = as_problem(data, loss, fit_intercept)
    start = start_factors(init, {"w": (problem.n_features,)})
    w = start.get("w")
    return minimise(problem, PooledPoint(problem, float(gamma1), w), stopping, init)
