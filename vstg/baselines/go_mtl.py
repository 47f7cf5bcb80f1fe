"""GO-MTL: tasks share bases in overlapping groups; no variables are selected."""

from typing import Any

import numpy as np

from vstg.baselines.descent import PointState, l1_violation, largest, minimise, ratio
from vstg.baselines.interface import (
    BaselineCallback,
    BaselineResult,
    Stopping,
    as_problem,
    check_bound_factors,
    start_coefficients,
    start_factors,
)
from vstg.data import Array, MultiTaskData
from vstg.kernels import descend_go_mtl
from vstg.losses import Loss
from vstg.objective import check_n_latent, check_strengths
from vstg.penalties import L1
from vstg.problem import Problem
from vstg.solvers.initial import factorise

EXACT_STEPS = 4  # alternations between two looks at the residual
MODEL_STEPS = 2  # the same on a model soon replaced


class GOMTLPoint:
    r""":math:`\gamma_1 \|S\|_1 + \gamma_2 \|L\|_F^2` with W = L S."""

    method = "go_mtl"
    is_monotone = True

    def __init__(self, gamma1: float, gamma2: float, L: Array, S: Array) -> None:
        self.gamma1, self.gamma2 = gamma1, gamma2
        self.parameters = {
            "n_latent": L.shape[1],
            "gamma1": gamma1,
            "gamma2": gamma2,
        }
        self.L = L
        self.St = np.ascontiguousarray(S.T)
        self.moving = (self.L, self.St)

    def coefficients(self) -> Array:
        """L S."""
        return self.L @ self.St.T

    def penalty(self) -> float:
        """γ1‖S‖_1 + γ2‖L‖²."""
        return L1(self.gamma1).value(self.St) + self.gamma2 * float((self.L**2).sum())

    def descend(self, G: Array, c: Array, *, exact: bool) -> None:
        """Alternate between S and L."""
        steps = EXACT_STEPS if exact else MODEL_STEPS
        descend_go_mtl(G, c, self.L, self.St, self.gamma1, self.gamma2, steps)

    def residual(self, state: PointState, null: PointState) -> float:
        """The larger subgradient residual of L and S, relative to that at zero."""
        L, S = self.L, self.St.T
        slope_L = state.slope @ S.T + 2.0 * self.gamma2 * L
        return max(
            ratio(
                l1_violation(L.T @ state.slope, S, self.gamma1),
                largest(L.T @ null.slope),
            ),
            ratio(largest(slope_L), largest(null.slope @ S.T)),
        )

    def factors(self) -> dict[str, Array]:
        """L and S."""
        return {"L": self.L.copy(), "S": self.St.T.copy()}


def balanced(L: Array, S: Array, gamma1: float, gamma2: float) -> tuple[Array, Array]:
    """Every basis at its best scale s: it minimises γ1 s‖S_r‖_1 + γ2‖L_r‖²/s².

    Otherwise a large γ1 with a small γ2 would empty S before L could grow.
    """
    a = gamma1 * np.abs(S).sum(axis=1)
    b = gamma2 * (L * L).sum(axis=0)
    used = (a > 0.0) & (b > 0.0)
    scale = np.ones_like(a)
    scale[used] = np.cbrt(2.0 * b[used] / a[used])
    return L / scale, S * scale[:, None]


def solve_go_mtl(
    data: MultiTaskData | Problem,
    *,
    n_latent: int,
    gamma1: float,
    gamma2: float,
    loss: str | Loss = "squared",
    fit_intercept: bool = False,
    init: Any = None,
    tol: float = 1e-4,
    max_iter: int = 1000,
    callback: BaselineCallback | None = None,
) -> BaselineResult:
    r"""Fit grouping and overlap in multi-task learning, W = L S with K bases.

    .. math:: \min_{L, S} \sum_j \tfrac{1}{N_j} L(y_j, X_j L s_j)
              + \gamma_1 \|S\|_1 + \gamma_2 \|L\|_F^2

    Parameters as in :func:`vstg.baselines.solve_lasso`; ``init`` holds ``L``, ``S``.

    Notes
    -----
    Starts from the singular vectors of a ridge solution, as VSTG does in eqs. (7)–(8).
    Alternates LASSO steps in S and ridge steps in the rows of L; between them the bases
    take their best shears and scales, which do not change W. The solution then depends
    only on γ1²γ2. The problem is not convex, and a basis that is zero stays zero:
    follow a path from weak penalties to strong ones. Stopping rule as in
    :func:`vstg.baselines.solve_mmtfl`. ``gamma1=gamma2=0`` is regression of rank K.
    """
    stopping = Stopping(tol, max_iter, callback)
    check_strengths(gamma1=gamma1, gamma2=gamma2)
    check_bound_factors(gamma1, gamma2, "S", "L")
    check_n_latent(n_latent)
    K = int(n_latent)
    problem = as_problem(data, loss, fit_intercept)
    D, T = problem.n_features, problem.n_tasks
    start = start_factors(init, {"L": (D, K), "S": (K, T)})
    if start and (start["L"] @ start["S"]).any():
        L, S = start["L"], start["S"]
    else:  # from zero the method would never move
        L, S = factorise(start_coefficients(problem, gamma1, gamma2), K)
    point = GOMTLPoint(float(gamma1), float(gamma2), *balanced(L, S, gamma1, gamma2))
    return minimise(problem, point, stopping, init)
