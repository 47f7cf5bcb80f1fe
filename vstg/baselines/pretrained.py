"""The pretrained LASSO: one LASSO for all tasks, and what each task adds to it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from vstg.baselines.descent import PointState, largest, minimise, ratio, relative_gap
from vstg.baselines.interface import (
    BaselineCallback,
    BaselineResult,
    Stopping,
    as_problem,
    start_factors,
)
from vstg.baselines.lasso import EXACT, ROUGH
from vstg.baselines.ridge import PooledPoint
from vstg.data import Array, MultiTaskData
from vstg.kernels import descend_lasso
from vstg.losses import Loss
from vstg.objective import check_share, check_strengths
from vstg.problem import Problem
from vstg.statistics import matrices_times

FIRST_TOL = (1e-12, 1e-6)  # of the first stage, whose support the second asks for


class PooledLassoPoint(PooledPoint):
    r""":math:`T \gamma_2 \|w\|_1` on the coefficients w that all tasks share."""

    def __init__(self, problem: Problem, gamma2: float, w: Array | None) -> None:
        super().__init__(problem, gamma2, w)
        self.exact = problem.loss.is_quadratic

    def penalty(self) -> float:
        """Tγ2‖w‖_1."""
        return self.n_tasks * self.gamma1 * float(np.abs(self.w).sum())

    def descend(self, G: Array, c: Array, *, exact: bool) -> None:
        """Coordinate descent on the mean of the tasks."""
        mean_G, mean_c = G.mean(axis=0, keepdims=True), c.mean(axis=0, keepdims=True)
        threshold = np.full(self.w.size, self.gamma1)
        steps = EXACT if exact else ROUGH
        descend_lasso(mean_G, mean_c, self.w[None], threshold, *steps)

    def residual(self, state: PointState, null: PointState) -> float:
        """Relative duality gap."""
        dual_norm = largest(state.slope.sum(axis=1)) / (self.n_tasks * self.gamma1)
        return relative_gap(state, null, dual_norm, exact=self.exact)


class OwnPoint:
    r"""B in W = (1 − α)w + B: :math:`\gamma_1 \sum_i p_i \|b^i\|_1`, with w given."""

    method = "pretrained"
    is_monotone = True

    def __init__(
        self,
        problem: Problem,
        w: Array,
        B: Array | None,
        parameters: Mapping[str, float],
    ) -> None:
        self.w, self.parameters = w, parameters
        alpha, gamma1 = parameters["alpha"], parameters["gamma1"]
        self.given = (1.0 - alpha) * w
        self.strengths = np.full(w.size, gamma1)
        if alpha < 1.0:
            self.strengths[w == 0.0] = gamma1 / alpha if alpha > 0.0 else np.inf
        self.exact = problem.loss.is_quadratic
        self.Bt = np.zeros((problem.n_tasks, problem.n_features))
        if B is not None:
            self.Bt[:] = np.where(np.isfinite(self.strengths)[:, None], B, 0.0).T
        self.moving = (self.Bt,)

    def coefficients(self) -> Array:
        """W."""
        return self.given[:, None] + self.Bt.T

    def penalty(self) -> float:
        """γ1 Σ_i p_i‖b^i‖_1; what is held at zero costs nothing."""
        sums = np.abs(self.Bt).sum(axis=0)
        return float(self.strengths[sums > 0] @ sums[sums > 0])

    def descend(self, G: Array, c: Array, *, exact: bool) -> None:
        """Coordinate descent on every task, from what w leaves."""
        shared = np.repeat(self.given[:, None], len(c), axis=1)
        left = np.ascontiguousarray(c - matrices_times(G, shared).T)
        descend_lasso(G, left, self.Bt, self.strengths, *(EXACT if exact else ROUGH))

    def residual(self, state: PointState, null: PointState) -> float:
        """Relative duality gap in B; without a penalty, the largest slope."""
        slopes = np.abs(state.slope).max(axis=1)
        free = self.strengths == 0.0
        if free.any():
            return ratio(largest(slopes[free]), largest(null.slope))
        dual_norm = largest(slopes / self.strengths)
        own = replace(state, W=self.Bt.T)
        return relative_gap(own, null, dual_norm, exact=self.exact)

    def factors(self) -> dict[str, Array]:
        """The shared coefficients and the tasks' own."""
        return {"w": self.w.copy(), "B": self.Bt.T.copy()}


def solve_pretrained(
    data: MultiTaskData | Problem,
    *,
    alpha: float,
    gamma1: float,
    gamma2: float,
    loss: str | Loss = "squared",
    fit_intercept: bool = False,
    init: Any = None,
    tol: float = 1e-6,
    max_iter: int = 1000,
    callback: BaselineCallback | None = None,
) -> BaselineResult:
    r"""Fit one LASSO to all tasks and, from there, one to each (Craig et al. 2023).

    First w, the coefficients that all tasks share; then B, what each task adds:

    .. math:: \min_w \sum_j \tfrac{1}{N_j} L(y_j, X_j w + b_j) + T \gamma_2 \|w\|_1

    .. math:: \min_B \sum_j \tfrac{1}{N_j} L(y_j, X_j w_j + b_j)
              + \gamma_1 \sum_i p_i \|b^i\|_1, \quad w_j = (1 - \alpha) w + b_j

    where :math:`p_i` is 1 if variable i is used in w and 1/α otherwise.

    Parameters as in :func:`vstg.baselines.solve_lasso`; ``alpha`` in [0, 1] says how
    far a task may go its own way. ``init`` holds ``w`` and ``B``.

    Notes
    -----
    Two convex problems, each solved until its duality gap is at most ``tol`` times the
    objective at W = 0 and no intercept has a slope above ``tol``. Objective, history
    and ``callback`` are those of the second. ``alpha=1`` is a LASSO for each task;
    with ``alpha=0`` tasks use the variables of w alone. A strength of zero is least
    squares.
    """
    stopping = Stopping(tol, max_iter, callback)
    check_share(alpha=alpha)
    check_strengths(gamma1=gamma1, gamma2=gamma2)
    problem = as_problem(data, loss, fit_intercept)
    D, T = problem.n_features, problem.n_tasks
    start = start_factors(init, {"w": (D,), "B": (D, T)})
    first = Stopping(float(np.clip(tol, *FIRST_TOL)), max_iter)
    kind = PooledLassoPoint if gamma2 > 0 else PooledPoint
    shared = minimise(problem, kind(problem, float(gamma2), start.get("w")), first)
    names = {"alpha": float(alpha), "gamma1": float(gamma1), "gamma2": float(gamma2)}
    point = OwnPoint(problem, shared.factors["w"], start.get("B"), names)
    own = minimise(problem, point, stopping, init)
    return replace(
        own,
        converged=own.converged and shared.converged,
        seconds=own.seconds + shared.seconds,
    )
