"""MMTFL (p=1, k=2): a shared factor selects variables for all tasks at once."""

from typing import Any

import numpy as np

from vstg.baselines.descent import (
    MovingPoint,
    PointState,
    l1_violation,
    largest,
    minimise,
    ratio,
)
from vstg.baselines.interface import (
    BaselineCallback,
    BaselineResult,
    Stopping,
    as_problem,
    check_bound_factors,
    start_coefficients,
    start_factors,
)
from vstg.baselines.ridge import RidgePoint
from vstg.data import Array, MultiTaskData
from vstg.kernels import descend_mmtfl
from vstg.losses import Loss
from vstg.objective import check_strengths
from vstg.penalties import L1
from vstg.problem import Problem

EXACT_STEPS = 4  # alternations between two checks of the residual
MODEL_STEPS = 2  # the same on a model that is soon replaced


class MMTFLPoint:
    r""":math:`\gamma_1 \|B\|_1 + \gamma_2 \|c\|_2^2` with W = diag(c) B, c ≥ 0."""

    method = "mmtfl"
    is_monotone = True

    def __init__(self, gamma1: float, gamma2: float, c: Array, B: Array) -> None:
        self.gamma1, self.gamma2 = gamma1, gamma2
        self.parameters = {"gamma1": gamma1, "gamma2": gamma2}
        self.scale = c
        self.Bt = np.ascontiguousarray(B.T)
        self.moving = (self.scale, self.Bt)

    def coefficients(self) -> Array:
        """diag(c) B."""
        return self.scale[:, None] * self.Bt.T

    def penalty(self) -> float:
        """γ1‖B‖_1 + γ2‖c‖²; infinite for a negative c."""
        if self.scale.min() < 0.0:
            return np.inf
        return L1(self.gamma1).value(self.Bt) + self.gamma2 * float(
            self.scale @ self.scale
        )

    def descend(self, G: Array, c: Array, *, exact: bool) -> None:
        """Alternate between B and c."""
        steps = EXACT_STEPS if exact else MODEL_STEPS
        descend_mmtfl(G, c, self.Bt, self.scale, self.gamma1, self.gamma2, steps)

    def residual(self, state: PointState, null: PointState) -> float:
        """The larger subgradient residual of c and B, relative to that at zero."""
        scale, B = self.scale, self.Bt.T
        slope_B = scale[:, None] * state.slope
        slope_c = (B * state.slope).sum(axis=1) + 2.0 * self.gamma2 * scale
        off_c = np.where(scale > 0.0, np.abs(slope_c), np.maximum(-slope_c, 0.0))
        null_B = scale[:, None] * null.slope
        null_c = (B * null.slope).sum(axis=1)
        return max(
            ratio(l1_violation(slope_B, B, self.gamma1), largest(null_B)),
            ratio(largest(off_c), largest(null_c)),
        )

    def factors(self) -> dict[str, Array]:
        """c and B."""
        return {"c": self.scale.copy(), "B": self.Bt.T.copy()}


def solve_mmtfl(
    data: MultiTaskData | Problem,
    *,
    gamma1: float,
    gamma2: float,
    loss: str | Loss = "squared",
    fit_intercept: bool = False,
    init: Any = None,
    tol: float = 1e-4,
    max_iter: int = 1000,
    callback: BaselineCallback | None = None,
) -> BaselineResult:
    r"""Fit multiplicative multi-task feature learning, W = diag(c) B.

    .. math:: \min_{c \ge 0, B} \sum_j \tfrac{1}{N_j} L(y_j, X_j\,\mathrm{diag}(c) b_j)
              + \gamma_1 \sum_j \|b_j\|_1 + \gamma_2 \|c\|_2^2

    Parameters as in :func:`vstg.baselines.solve_lasso`; ``init`` holds ``c`` and ``B``.

    Notes
    -----
    Alternates LASSO steps in B and non-negative ridge steps in c; between them each row
    takes its best split, c_i³ = γ1‖w^i‖_1 / (2γ2), which does not change W. The penalty
    is then 3(γ1²γ2/4)^{1/3} Σ_i ‖w^i‖_1^{2/3}: not convex, and a row that is zero stays
    zero, so follow a path from weak penalties to strong ones. Stops when the
    subgradient residuals of B and c are at most ``tol`` times those at zero and no
    intercept has a slope above ``tol``. ``gamma1=gamma2=0`` is least squares.
    """
    stopping = Stopping(tol, max_iter, callback)
    check_strengths(gamma1=gamma1, gamma2=gamma2)
    check_bound_factors(gamma1, gamma2, "B", "c")
    problem = as_problem(data, loss, fit_intercept)
    D, T = problem.n_features, problem.n_tasks
    start = start_factors(init, {"c": (D,), "B": (D, T)})
    point = choose_point(problem, float(gamma1), float(gamma2), start)
    return minimise(problem, point, stopping, init)


def choose_point(
    problem: Problem, gamma1: float, gamma2: float, start: dict[str, Array]
) -> MovingPoint:
    """The given start, unless it is zero, from where the method would never move."""
    if start and start["c"].min() < 0.0:
        msg = "init has a negative value in c; all values must be at least 0"
        raise ValueError(msg)
    if gamma1 == 0:
        names = {"gamma1": 0.0, "gamma2": 0.0}
        return RidgePoint(problem, 0.0, None, method="mmtfl", parameters=names)
    if not start or not (start["c"] @ np.abs(start["B"])).any():
        start = split_rows(start_coefficients(problem, gamma1, gamma2), gamma1, gamma2)
    return MMTFLPoint(gamma1, gamma2, start["c"], start["B"])


def split_rows(W: Array, gamma1: float, gamma2: float) -> dict[str, Array]:
    """The cheapest c and B with diag(c) B = W."""
    c = np.cbrt(gamma1 * np.abs(W).sum(axis=1) / (2.0 * gamma2))
    B = np.divide(W, c[:, None], out=np.zeros_like(W), where=c[:, None] > 0.0)
    return {"c": c, "B": B}
