"""Clustered multi-task learning: tasks near the centre of one of K clusters."""

from typing import Any

from vstg.baselines.descent import minimise
from vstg.baselines.interface import (
    BaselineCallback,
    BaselineResult,
    Stopping,
    as_problem,
    start_factors,
)
from vstg.baselines.proximal import ProximalPoint
from vstg.baselines.ridge import RidgePoint
from vstg.data import MultiTaskData
from vstg.losses import Loss
from vstg.objective import check_n_latent, check_strengths
from vstg.penalties import Clusters
from vstg.problem import Problem


def solve_clustered(
    data: MultiTaskData | Problem,
    *,
    n_latent: int,
    gamma1: float,
    gamma2: float,
    loss: str | Loss = "squared",
    fit_intercept: bool = False,
    init: Any = None,
    tol: float = 1e-6,
    max_iter: int = 2000,
    callback: BaselineCallback | None = None,
) -> BaselineResult:
    r"""Fit tasks in clusters, by the convex relaxation of Zhou et al. (2011).

    .. math:: \min_{W, M} \sum_j \tfrac{1}{N_j} L(y_j, X_j w_j + b_j)
              + \gamma_1 \eta (1 + \eta) \,\mathrm{tr}\, W (\eta I + M)^{-1} W^T,
              \quad 0 \preceq M \preceq I, \; \mathrm{tr}\, M = K

    with η = γ2/γ1. Before the relaxation, γ1 weighs the spread of the tasks around
    the centres of K = ``n_latent`` clusters, and γ2 the size of W.

    Parameters as in :func:`vstg.baselines.solve_lasso`; ``n_latent`` is the number of
    clusters.

    Notes
    -----
    Convex. The best M has the eigenvectors of WᵀW, which leaves a function of the
    singular values of W (:class:`vstg.penalties.Clusters`). Stops when the duality gap
    is at most ``tol`` times the objective at W = 0 and no intercept has a slope above
    ``tol``. With as many clusters as tasks, or ``gamma1=0``, it is ridge of the
    strength γ2; ``gamma2=0`` is least squares.
    """
    stopping = Stopping(tol, max_iter, callback)
    check_n_latent(n_latent)
    check_strengths(gamma1=gamma1, gamma2=gamma2)
    problem = as_problem(data, loss, fit_intercept)
    start = start_factors(init, {"W": (problem.n_features, problem.n_tasks)})
    W, names = start.get("W"), {"gamma1": float(gamma1), "gamma2": float(gamma2)}
    parameters = {"n_latent": int(n_latent), **names}
    if gamma1 == 0 or gamma2 == 0:
        plain = RidgePoint(
            problem, names["gamma2"], W, method="clustered", parameters=parameters
        )
        return minimise(problem, plain, stopping, init)
    regulariser = Clusters(**names, k=int(n_latent))
    point = ProximalPoint(problem, "clustered", parameters, regulariser, W)
    return minimise(problem, point, stopping, init)
