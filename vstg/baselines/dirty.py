"""The dirty model: variables shared by all tasks, and some for single tasks."""

from typing import Any

from vstg.baselines.descent import minimise
from vstg.baselines.interface import (
    BaselineCallback,
    BaselineResult,
    Stopping,
    as_problem,
    start_factors,
)
from vstg.baselines.proximal import NormPoint
from vstg.baselines.ridge import RidgePoint
from vstg.data import Array, MultiTaskData
from vstg.losses import Loss
from vstg.objective import check_strengths
from vstg.penalties import EntriesOrRows
from vstg.problem import Problem


class DirtyPoint(NormPoint):
    """W, which its penalty splits into single entries P and whole rows Q."""

    regulariser: EntriesOrRows

    def factors(self) -> dict[str, Array]:
        """P and Q."""
        return dict(zip("PQ", self.regulariser.split(self.W), strict=True))


class FreePoint(RidgePoint):
    """Least squares, all of it in P."""

    def factors(self) -> dict[str, Array]:
        """P and Q."""
        W = self.coefficients()
        return {"P": W, "Q": 0.0 * W}


def solve_dirty(
    data: MultiTaskData | Problem,
    *,
    gamma1: float,
    gamma2: float,
    loss: str | Loss = "squared",
    fit_intercept: bool = False,
    init: Any = None,
    tol: float = 1e-6,
    max_iter: int = 2000,
    callback: BaselineCallback | None = None,
) -> BaselineResult:
    r"""Fit the dirty model of Jalali et al. (2010): W = P + Q.

    .. math:: \min_{P, Q} \sum_j \tfrac{1}{N_j} L(y_j, X_j (p_j + q_j) + b_j)
              + \gamma_1 \|P\|_1 + \gamma_2 \sum_i \|q^i\|_\infty

    Parameters as in :func:`vstg.baselines.solve_lasso`; ``init`` holds ``P`` and ``Q``.

    Notes
    -----
    Convex. W is unique where the loss is strictly convex; P and Q are its cheapest
    split. Stops when the duality gap is at most ``tol`` times the objective at W = 0
    and no intercept has a slope above ``tol``. ``gamma2 >= T * gamma1`` is the LASSO,
    and ``gamma1 >= gamma2`` leaves whole rows alone. If either strength is zero, its
    part is free, and this is least squares.
    """
    stopping = Stopping(tol, max_iter, callback)
    check_strengths(gamma1=gamma1, gamma2=gamma2)
    problem = as_problem(data, loss, fit_intercept)
    shape = (problem.n_features, problem.n_tasks)
    start = start_factors(init, {"P": shape, "Q": shape})
    W = start["P"] + start["Q"] if start else None
    names = {"gamma1": float(gamma1), "gamma2": float(gamma2)}
    if gamma1 == 0 or gamma2 == 0:
        free = FreePoint(problem, 0.0, W, method="dirty", parameters=names)
        return minimise(problem, free, stopping, init)
    point = DirtyPoint(problem, "dirty", names, EntriesOrRows(**names), W)
    return minimise(problem, point, stopping, init)
