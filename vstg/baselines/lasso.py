"""LASSO: each task by itself, with sparse coefficients."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from vstg.baselines.descent import PointState, largest, minimise, relative_gap
from vstg.baselines.interface import (
    BaselineCallback,
    BaselineResult,
    Stopping,
    as_problem,
    start_factors,
)
from vstg.baselines.ridge import RidgePoint
from vstg.data import Array, MultiTaskData
from vstg.kernels import descend_lasso
from vstg.losses import Loss
from vstg.objective import check_strengths
from vstg.penalties import L1
from vstg.problem import Problem

EXACT = (500, 1e-8)  # coordinate sweeps and their precision on the final model
ROUGH = (20, 1e-2)  # the same on a model that is soon replaced


class LassoPoint:
    r""":math:`\gamma_1 \|W\|_1` with coordinate descent on G and c."""

    def __init__(
        self,
        problem: Problem,
        gamma1: float,
        W: Array | None,
        *,
        method: str = "lasso",
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        self.method = method
        self.is_monotone = True
        self.gamma1 = gamma1
        self.parameters = {"gamma1": gamma1} if parameters is None else parameters
        self.exact = problem.loss.is_quadratic
        self.threshold = np.full(problem.n_features, gamma1)
        self.Wt = np.zeros((problem.n_tasks, problem.n_features))
        if W is not None:
            self.Wt[:] = W.T
        self.moving = (self.Wt,)

    def coefficients(self) -> Array:
        """W."""
        return self.Wt.T.copy()

    def penalty(self) -> float:
        """γ1‖W‖_1."""
        return L1(self.gamma1).value(self.Wt)

    def descend(self, G: Array, c: Array, *, exact: bool) -> None:
        """Coordinate descent on every task."""
        descend_lasso(G, c, self.Wt, self.threshold, *(EXACT if exact else ROUGH))

    def residual(self, state: PointState, null: PointState) -> float:
        """Relative duality gap."""
        dual_norm = largest(state.slope) / self.gamma1
        return relative_gap(state, null, dual_norm, exact=self.exact)

    def factors(self) -> dict[str, Array]:
        """W itself."""
        return {"W": self.coefficients()}


def solve_lasso(
    data: MultiTaskData | Problem,
    *,
    gamma1: float,
    loss: str | Loss = "squared",
    fit_intercept: bool = False,
    init: Any = None,
    tol: float = 1e-6,
    max_iter: int = 1000,
    callback: BaselineCallback | None = None,
) -> BaselineResult:
    r"""Fit a LASSO to each task.

    .. math:: \min_W \sum_j \tfrac{1}{N_j} L(y_j, X_j w_j + b_j) + \gamma_1 \|W\|_1

    Parameters
    ----------
    data : MultiTaskData, or a Problem, which keeps its own loss and intercept
    gamma1 : strength; for the squared loss it is scikit-learn's ``alpha``
    loss : "squared" (½‖y − m‖²) or "logistic" (labels -1 and +1)
    fit_intercept : give every task an unpenalised intercept
    init : an earlier result to start from, or a mapping with its array ``W``
    tol, max_iter : see Notes
    callback : called with a :class:`BaselineProgress`; returns true to stop

    Notes
    -----
    Stops when the duality gap is at most ``tol`` times the objective at W = 0 and no
    intercept has a slope above ``tol``. ``gamma1=0`` is minimum-norm least squares.
    """
    stopping = Stopping(tol, max_iter, callback)
    check_strengths(gamma1=gamma1)
    problem = as_problem(data, loss, fit_intercept)
    start = start_factors(init, {"W": (problem.n_features, problem.n_tasks)})
    W = start.get("W")
    if gamma1 == 0:
        free = RidgePoint(problem, 0.0, W, method="lasso")
        return minimise(problem, free, stopping, init)
    return minimise(problem, LassoPoint(problem, float(gamma1), W), stopping, init)
