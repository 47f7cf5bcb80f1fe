"""L1+trace: a convex penalty for sparse coefficients of low rank."""

from typing import Any

import numpy as np

from vstg.baselines.descent import MovingPoint, PointState, minimise, relative_gap
from vstg.baselines.interface import (
    BaselineCallback,
    BaselineResult,
    Stopping,
    as_problem,
    start_factors,
)
from vstg.baselines.lasso import LassoPoint
from vstg.baselines.ridge import RidgePoint
from vstg.data import Array, MultiTaskData
from vstg.kernels import descend_l1_trace
from vstg.losses import Loss
from vstg.objective import check_strengths
from vstg.penalties import L1, TraceNorm
from vstg.problem import Problem

EXACT_STEPS = 20  # iterations of the splitting between two checks of the gap
MODEL_STEPS = 3  # the same on a model that is soon replaced


class L1TracePoint:
    r""":math:`\gamma_1 \|W\|_1 + \gamma_2 \|Z\|_*` with W = Z, multipliers A and Y.

    The result is W, which has exact zeros, or Z when there is no l1 term.
    """

    method = "l1_trace"
    is_monotone = False

    def __init__(
        self,
        problem: Problem,
        gamma1: float,
        gamma2: float,
        start: dict[str, Array],
    ) -> None:
        shape = (problem.n_tasks, problem.n_features)
        self.gamma1, self.gamma2 = gamma1, gamma2
        self.parameters = {"gamma1": gamma1, "gamma2": gamma2}
        self.exact = problem.loss.is_quadratic
        self.Wt, self.A, self.Y = (np.zeros(shape) for _ in range(3))
        # The mean curvature of a coefficient: only a first guess, balanced later.
        self.rho = float(np.einsum("jdd->", problem.model.each)) / self.Wt.size or 1.0
        if start:
            self.Wt[:] = start["W"].T
            self.A[:] = start.get("A", self.A.T).T
            self.Y[:] = start.get("Y", self.Y.T).T
            self.rho = float(start.get("rho", self.rho))
        self.Z = self.Wt.copy()
        self.moving = (self.Wt, self.A, self.Z, self.Y)
        self.known: tuple[Array, Any] | None = None

    def coefficients(self) -> Array:
        """W (or Z)."""
        return (self.Wt if self.gamma1 > 0.0 else self.Z).T.copy()

    def penalty(self) -> float:
        """γ1‖W‖_1 + γ2‖W‖_*."""
        W = self.coefficients()
        return L1(self.gamma1).value(W) + TraceNorm(self.gamma2).value(W)

    def descend(self, G: Array, c: Array, *, exact: bool) -> None:
        """Some iterations of the splitting."""
        if self.known is None or self.known[0] is not G:
            self.known = G, np.linalg.eigh(G)
        values, Q = self.known[1]
        self.rho = descend_l1_trace(
            values, Q, c, *self.moving, self.rho, self.gamma1, self.gamma2,
            EXACT_STEPS if exact else MODEL_STEPS,
        )  # fmt: skip

    def residual(self, state: PointState, null: PointState) -> float:
        """Relative duality gap, −slope split with the help of Y.

        The dual norm is the least t such that −slope = A + B with |a| ≤ tγ1 and
        ‖B‖_2 ≤ tγ2; any split gives an upper bound. The better of two splits is used:
        what exceeds A + Y goes to B, which is costly when γ2 is small, or to A, which
        is costly when γ1 is small.
        """
        R, Y = -state.slope, self.Y.T
        A = np.clip(R - Y, -self.gamma1, self.gamma1)
        dual_norm = float(np.linalg.norm(R - A, 2)) / self.gamma2
        if self.gamma1 > 0.0:
            own = float(np.abs(R - Y).max()) / self.gamma1
            other = float(np.linalg.norm(Y, 2)) / self.gamma2
            dual_norm = min(dual_norm, max(own, other))
        return relative_gap(state, null, dual_norm, exact=self.exact)

    def factors(self) -> dict[str, Array]:
        """W, the multipliers and their step."""
        return {
            "W": self.coefficients(),
            "A": self.A.T.copy(),
            "Y": self.Y.T.copy(),
            "rho": np.array(self.rho),
        }


def choose_point(
    problem: Problem, gamma1: float, gamma2: float, start: dict[str, Array]
) -> MovingPoint:
    """The splitting, unless only one penalty is active."""
    names = {"gamma1": gamma1, "gamma2": gamma2}
    W = start.get("W")
    if gamma2 > 0:
        return L1TracePoint(problem, gamma1, gamma2, start)
    if gamma1 > 0:
        return LassoPoint(problem, gamma1, W, method="l1_trace", parameters=names)
    return RidgePoint(problem, 0.0, W, method="l1_trace", parameters=names)


def solve_l1_trace(
    data: MultiTaskData | Problem,
    *,
    gamma1: float,
    gamma2: float,
    loss: str | Loss = "squared",
    fit_intercept: bool = False,
    init: Any = None,
    tol: float = 1e-5,
    max_iter: int = 2000,
    callback: BaselineCallback | None = None,
) -> BaselineResult:
    r"""Fit coefficients that are both sparse and of low rank.

    .. math:: \min_W \sum_j \tfrac{1}{N_j} L(y_j, X_j w_j + b_j)
              + \gamma_1 \|W\|_1 + \gamma_2 \|W\|_*

    Parameters as in :func:`vstg.baselines.solve_lasso`; ``init`` may also hold ``A``,
    ``Y`` and ``rho``, the state of the splitting.

    Notes
    -----
    Convex. Stops when the duality gap is at most ``tol`` times the objective at W = 0
    and no intercept has a slope above ``tol``. The objective may rise between steps of
    the splitting; ``history`` and the result hold the best point so far. Zeros of W are
    exact; its rank is low only up to the tolerance, unless ``gamma1=0``.
    ``gamma2=0`` is the LASSO.
    """
    stopping = Stopping(tol, max_iter, callback)
    check_strengths(gamma1=gamma1, gamma2=gamma2)
    problem = as_problem(data, loss, fit_intercept)
    shape = (problem.n_features, problem.n_tasks)
    start = start_factors(init, {"W": shape}, {"A": shape, "Y": shape, "rho": ()})
    point = choose_point(problem, float(gamma1), float(gamma2), start)
    return minimise(problem, point, stopping, init)
