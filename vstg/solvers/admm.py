"""Algorithm 1 of the paper, as printed.

Choices the paper leaves open (see docs/method.md): the copies Z_h start at U and the
multipliers at zero, and both are carried from one outer iteration to the next; eq. (16) is
read with Λ^t on its right side, and the gradient after eq. (13) with its 1/N_j.
"""

from dataclasses import dataclass
from time import perf_counter

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize, newton

from vstg.data import Array, MultiTaskData
from vstg.losses import Loss
from vstg.objective import Objective, Settings
from vstg.penalties import L1, L1Inf
from vstg.solvers.fista import fista
from vstg.solvers.initial import Start
from vstg.solvers.result import Callback, Progress, Run, as_history
from vstg.statistics import Quadratic

RHO = 2.0  # the paper's ρ
RESIDUAL_TOL = 0.01  # the paper's bound for ‖r‖_F and ‖s‖_F
INNER_MAX_ITER = 1000


@dataclass(frozen=True, eq=False)
class Copies:
    """Auxiliary variables Z_h and scaled multipliers Λ_h of one U-step."""

    Z1: Array
    Z2: Array
    Z3: Array
    Lam1: Array
    Lam2: Array
    Lam3: Array

    @classmethod
    def at(cls, U: Array) -> "Copies":
        """Every copy at U, every multiplier at zero."""
        zero = np.zeros_like(U)
        return cls(U, U, U, zero, zero, zero)


@dataclass(frozen=True, eq=False)
class UpdateUResult:
    """What the U-step found and how well it converged."""

    U: Array
    copies: Copies
    residuals: list[tuple[float, float]]  # (primal, dual) of every iteration
    converged: bool

    @property
    def n_iter(self) -> int:
        """ADMM iterations done."""
        return len(self.residuals)


class QuadraticZ1:
    """Z1 of eq. (13) for the squared loss: one Cholesky factor serves every iteration."""

    def __init__(self, model: Quadratic, V: Array, rho: float) -> None:
        T, D = model.c.shape
        K = len(V)
        # Σ_j v_j v_jᵀ ⊗ G_j in the layout of U.ravel(): index (i, r), then (e, s).
        A = np.einsum("rj,sj,jie->ires", V, V, model.G, optimize=True)
        A = A.reshape(D * K, D * K)
        A[np.diag_indices_from(A)] += rho
        self.factor = cho_factor(A)
        self.right = model.c.T @ V.T  # Σ_j (1/N_j) X_jᵀy_j v_jᵀ
        self.rho = rho

    def __call__(self, target: Array, start: Array) -> Array:
        """argmin of the loss + (ρ/2)‖Z1 − target‖²."""
        right = self.right + self.rho * target
        return cho_solve(self.factor, right.ravel()).reshape(target.shape)


class SmoothZ1:
    """Z1 of eq. (13) for any other loss, by L-BFGS."""

    def __init__(
        self, objective: Objective, V: Array, b: Array, rho: float, residual_tol: float
    ) -> None:
        self.objective, self.V, self.b, self.rho = objective, V, b, rho
        # Well below what the residuals are compared with, and no further.
        self.options = {"maxiter": 500, "ftol": 1e-15, "gtol": 1e-3 * residual_tol}

    def __call__(self, target: Array, start: Array) -> Array:
        """argmin of the loss + (ρ/2)‖Z1 − target‖²."""

        def function(z: Array) -> tuple[float, Array]:
            Z = z.reshape(target.shape)
            slope = self.objective.gradient_W(Z, self.V, self.b)[0] @ self.V.T
            value = self.objective.data_loss(Z, self.V, self.b)
            value += 0.5 * self.rho * float(((Z - target) ** 2).sum())
            return value, (slope + self.rho * (Z - target)).ravel()

        found = minimize(
            function, start.ravel(), jac=True, method="L-BFGS-B", options=self.options
        )
        return found.x.reshape(target.shape)


def update_U(
    U: Array,
    copies: Copies,
    solve_Z1: QuadraticZ1 | SmoothZ1,
    settings: Settings,
    *,
    rho: float = RHO,
    residual_tol: float = RESIDUAL_TOL,
    max_iter: int = INNER_MAX_ITER,
) -> UpdateUResult:
    """Steps 5–10: minimise eq. (9) over U by ADMM with three copies of U."""
    l1, l1_inf = L1(settings.gamma1), L1Inf(settings.gamma2)
    Z1, Z2, Z3 = copies.Z1, copies.Z2, copies.Z3
    Lam1, Lam2, Lam3 = copies.Lam1, copies.Lam2, copies.Lam3
    residuals: list[tuple[float, float]] = []
    converged = False
    while len(residuals) < max_iter and not converged:
        before = Z1 + Z2 + Z3
        U = (Z1 - Lam1 + Z2 - Lam2 + Z3 - Lam3) / 3  # eq. (11)
        Z1 = solve_Z1(U + Lam1, Z1)  # eq. (13)
        Z2 = l1.prox(U + Lam2, 1 / rho)  # eq. (14)
        Z3 = l1_inf.prox(U + Lam3, 1 / rho)  # eq. (15)
        Lam1 = Lam1 + U - Z1  # eq. (16)
        Lam2 = Lam2 + U - Z2
        Lam3 = Lam3 + U - Z3
        primal = np.linalg.norm([U - Z1, U - Z2, U - Z3])  # eq. (17)
        dual = rho * np.linalg.norm(Z1 + Z2 + Z3 - before)  # eq. (18)
        residuals.append((float(primal), float(dual)))
        converged = max(primal, dual) <= residual_tol
    # Z2 rather than U: only the l1 copy carries exact zeros.
    copies = Copies(Z1, Z2, Z3, Lam1, Lam2, Lam3)
    return UpdateUResult(Z2, copies, residuals, bool(converged))


def update_V(
    objective: Objective, model: Quadratic, U: Array, V: Array, b: Array
) -> Array:
    """Steps 11–13: solve eq. (19) for all tasks at once, by FISTA."""
    loss = objective.loss
    A = np.einsum("ir,jie,es->jrs", U, model.G, U, optimize=True)
    if loss.is_quadratic:
        right = (model.c @ U).T

        def gradient(at: Array) -> Array:
            return np.einsum("jrs,sj->rj", A, at) - right

    else:

        def gradient(at: Array) -> Array:
            return U.T @ objective.gradient_W(U, at, b)[0]

        # The model is centred, the gradient is not: bound the plain curvature.
        XU = [X @ U for X in objective.data.X]
        A = np.stack([loss.curvature * F.T @ F / len(F) for F in XU])
    # Zero curvature means X_jU = 0, where the penalty alone wants v_j = 0.
    lipschitz = np.linalg.eigvalsh(A)[:, -1].clip(min=0.0)
    start = np.where(lipschitz > 0, V, 0.0)
    return fista(gradient, objective.penalty_V.prox, start, lipschitz).x


def update_intercept(objective: Objective, U: Array, V: Array, b: Array) -> Array:
    """Not in the paper: the best b_j for given U and V, by Newton's method."""
    loss, data = objective.loss, objective.data
    margins = objective.margins(U, V)

    def slope(b: Array) -> Array:
        return np.array(
            [
                loss.derivative(y, m + bj).mean()
                for y, m, bj in zip(data.y, margins, b, strict=True)
            ]
        )

    return np.atleast_1d(newton(slope, b, tol=1e-10, maxiter=100))


def run_admm(
    data: MultiTaskData,
    loss: Loss,
    settings: Settings,
    start: Start,
    model: Quadratic,
    *,
    fit_intercept: bool,
    tol: float,
    max_iter: int,
    callback: Callback | None = None,
    number: int = 0,
    rho: float = RHO,
    residual_tol: float = RESIDUAL_TOL,
) -> Run:
    """Algorithm 1: repeat U-step and V-step until the objective changes by ``tol``.

    Notes
    -----
    Stops when |F − F_before| ≤ tol·F. For the squared loss the intercept is eliminated
    by centring, so that ``model`` holds all that is needed.
    """
    began = perf_counter()
    objective = Objective(data, loss, settings)
    U, V = start
    b = np.zeros(data.n_tasks)
    if fit_intercept:
        b = np.array([loss.best_constant(y) for y in data.y])
    copies = Copies.at(U)
    terms, seconds, inner = [], [], []
    reason = "max_iter"
    while len(terms) < max_iter:
        solve_Z1 = (
            QuadraticZ1(model, V, rho)
            if loss.is_quadratic
            else SmoothZ1(objective, V, b, rho, residual_tol)
        )
        step = update_U(
            U, copies, solve_Z1, settings, rho=rho, residual_tol=residual_tol
        )
        U, copies = step.U, step.copies
        V = update_V(objective, model, U, V, b)
        if loss.is_quadratic:
            b = model.intercept(U @ V)
        elif fit_intercept:
            b = update_intercept(objective, U, V, b)
        terms.append(list(objective.terms(U, V, b).values()))
        seconds.append(perf_counter() - began)
        inner += [
            (len(terms), n + 1, *residual, seconds[-1])
            for n, residual in enumerate(step.residuals)
        ]
        value = sum(terms[-1])
        if callback is not None and callback(Progress(len(terms), value, number, U, V)):
            reason = "callback"
            break
        if len(terms) > 1 and abs(sum(terms[-2]) - value) <= tol * abs(value):
            reason = "tolerance"
            break
    columns = ("outer", "inner", "primal_residual", "dual_residual", "seconds")
    inner_history = dict(zip(columns, np.array(inner).T, strict=True))
    history = as_history(np.array(terms), np.array(seconds))
    return Run(U, V, b, history, reason, inner_history)
