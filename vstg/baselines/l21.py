"""L2,1: the tasks choose their variables together."""

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
from vstg.data import MultiTaskData
from vstg.losses import Loss
from vstg.objective import check_strengths
from vstg.penalties import RowNorms
from vstg.problem import Problem


def solve_l21(
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
    r"""Fit the multi-task group LASSO: a variable serves all tasks or none.

    .. math:: \min_W \sum_j \tfrac{1}{N_j} L(y_j, X_j w_j + b_j)
              + \gamma_1 \sum_i \|w^i\|_2

    Parameters as in :func:`vstg.baselines.solve_lasso`; with the squared loss and one
    design for all tasks, γ1 is the ``alpha`` of scikit-learn's MultiTaskLasso.

    Notes
    -----
    Convex. Stops when the duality gap is at most ``tol`` times the objective at W = 0
    and no intercept has a slope above ``tol``. With one task it is the LASSO.
    """
    stopping = Stopping(tol, max_iter, callback)
    check_strengths(gamma1=gamma1)
    problem = as_problem(data, loss, fit_intercept)
    start = start_factors(init, {"W": (problem.n_features, problem.n_tasks)})
    W, names = start.get("W"), {"gamma1": float(gamma1)}
    if gamma1 == 0:
        free = RidgePoint(problem, 0.0, W, method="l21")
        return minimise(problem, free, stopping, init)
    point = NormPoint(problem, "l21", names, RowNorms(float(gamma1)), W)
    return minimise(problem, point, stopping, init)
