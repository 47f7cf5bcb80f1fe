"""Algorithm 1 of the paper, as printed.

Choices the paper leaves open (see docs/method.md): the copies Z_h start at U and the
multipliers at zero, and both are carried from one outer iteration to the next; eq. (16)
is read with Λ^t on its right side, and the gradient after eq. (13) with its 1/N_j.
"""

from dataclasses import dataclass
from time import perf_counter

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize, newton

from vstg.data import Array
from vstg.objective import Settings
from vstg.penalties import L1, L1Inf, SquaredKSupport
from vstg.problem import Problem
from vstg.solvers.fista import fista
from vstg.solvers.initial import Start
from vstg.solvers.result import Callback, Progress, SolverRun, as_history
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
    residuals: list[tuple[float, float, float]]  # primal, dual, clock; by iteration
    converged: bool

    @property
    def n_iter(self) -> int:
        """ADMM iterations done."""
        return len(self.residuals)


class QuadraticZ1:
    """Z1 of eq. (13) for the squared loss: one Cholesky factor for all iterations."""

    def __init__(self, model: Quadratic, V: Array, rho: float) -> None:
        D, K = model.c.shape[1], len(V)
        # Σ_j v_j v_jᵀ ⊗ G_j in the layout of U.ravel(): index (i, r), then (e, s).
        A = np.einsum("rj,sj,jie->ires", V, V, model.each, optimize=True)
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
        self, problem: Problem, V: Array, b: Array, rho: float, residual_tol: float
    ) -> None:
        self.problem, self.V, self.b, self.rho = problem, V, b, rho
        # Well below what the residuals are compared with, but no smaller.
        self.options = {"maxiter": 500, "ftol": 1e-15, "gtol": 1e-3 * residual_tol}

    def __call__(self, target: Array, start: Array) -> Array:
        """argmin of the loss + (ρ/2)‖Z1 − target‖²."""

        def function(z: Array) -> tuple[float, Array]:
            Z = z.reshape(target.shape)
            value, slope, _ = self.problem.evaluate(Z @ self.V, self.b)
            value += 0.5 * self.rho * float(((Z - target) ** 2).sum())
            return value, (slope @ self.V.T + self.rho * (Z - target)).ravel()

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
    residuals: list[tuple[float, float, float]] = []
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
        residuals.append((float(primal), float(dual), perf_counter()))
        converged = bool(max(primal, dual) <= residual_tol)
    # Z2 rather than U: only the l1 copy carries exact zeros.
    copies = Copies(Z1, Z2, Z3, Lam1, Lam2, Lam3)
    return UpdateUResult(Z2, copies, residuals, converged)


def update_V(
    problem: Problem, settings: Settings, U: Array, V: Array, b: Array
) -> Array:
    """Steps 11–13: solve eq. (19) for all tasks at once, by FISTA."""

    if problem.loss.is_quadratic or problem.data is None:
        A = np.einsum("ir,jie,es->jrs", U, problem.model.each, U, optimize=True)
        right = (problem.model.c @ U).T

        def gradient(at: Array) -> Array:
            return np.einsum("jrs,sj->rj", A, at) - right

    else:
        # The model is centred, the gradient is not: bound the plain curvature.
        data, h = problem.data, problem.loss.curvature
        XU = [X @ U for X in data.X]
        heavy = [
            F if data.row_weights(j) is None else data.weights[j][:, None] * F
            for j, F in enumerate(XU)
        ]
        pairs = zip(XU, heavy, data.divisors, strict=True)
        A = np.stack([h * F.T @ G / n for F, G, n in pairs])

        def gradient(at: Array) -> Array:
            return U.T @ problem.evaluate(U @ at, b)[1]

    lipschitz = np.linalg.eigvalsh(A)[:, -1].clip(min=0.0)
    # Zero curvature means X_jU = 0, where the penalty alone wants v_j = 0.
    start = np.where(lipschitz > 0, V, 0.0)
    return fista(
        gradient, SquaredKSupport(settings.mu, settings.k).prox, start, lipschitz
    ).x


def update_intercept(problem: Problem, W: Array, b: Array) -> Array:
    """Not in the paper: the best b_j for given W."""
    if problem.loss.is_quadratic:
        return problem.model.intercept(W)

    def slope(at: Array) -> Array:
        return problem.evaluate(W, at)[2]

    return np.atleast_1d(newton(slope, b, tol=1e-10, maxiter=100))


def run_admm(
    problem: Problem,
    settings: Settings,
    start: Start,
    *,
    tol: float,
    max_iter: int,
    warm: bool = False,
    callback: Callback | None = None,
    number: int = 0,
    rho: float = RHO,
    residual_tol: float = RESIDUAL_TOL,
) -> SolverRun:
    """Algorithm 1: repeat U-step and V-step until the objective changes by ``tol``.

    Notes
    -----
    ``warm`` makes no difference here; the solvers share their arguments.
    Stops when |F − F_before| ≤ tol·F. For the squared loss the intercept is eliminated
    by centring, so that the model has all that is needed.
    """
    record = Record(settings, callback, number)
    U, V = start
    b = problem.start_intercept()
    copies = Copies.at(U)
    while len(record.terms) < max_iter:
        solve_Z1 = (
            QuadraticZ1(problem.model, V, rho)
            if problem.loss.is_quadratic
            else SmoothZ1(problem, V, b, rho, residual_tol)
        )
        step = update_U(
            U, copies, solve_Z1, settings, rho=rho, residual_tol=residual_tol
        )
        U, copies = step.U, step.copies
        V = update_V(problem, settings, U, V, b)
        if problem.fit_intercept:
            b = update_intercept(problem, U @ V, b)
        record.add(problem.evaluate(U @ V, b)[0], U, V, step)
        if record.asks_to_stop(U, V):
            return record.run(U, V, b, "callback")
        if record.change() <= tol:
            return record.run(U, V, b, "tolerance")
    return record.run(U, V, b, "max_iter")


class Record:
    """The history of one run of Algorithm 1."""

    def __init__(
        self, settings: Settings, callback: Callback | None, number: int
    ) -> None:
        self.settings, self.callback, self.number = settings, callback, number
        self.began = perf_counter()
        self.terms: list[list[float]] = []
        self.seconds: list[float] = []
        self.inner: list[tuple[float, ...]] = []

    def add(self, loss: float, U: Array, V: Array, step: UpdateUResult) -> None:
        """Record the terms of eq. (6) and the residuals of the U-step."""
        s = self.settings
        penalties = (L1(s.gamma1).value(U), L1Inf(s.gamma2).value(U))
        k_support = SquaredKSupport(s.mu, s.k).value(V)
        self.terms.append([loss, *penalties, k_support])
        self.seconds.append(perf_counter() - self.began)
        self.inner += [
            (len(self.terms), number, primal, dual, ended - self.began)
            for number, (primal, dual, ended) in enumerate(step.residuals, 1)
        ]

    def change(self) -> float:
        """Relative change of the objective in the last iteration."""
        if len(self.terms) < 2:
            return np.inf
        before, now = sum(self.terms[-2]), sum(self.terms[-1])
        return abs(before - now) / max(abs(now), np.finfo(float).tiny)

    def asks_to_stop(self, U: Array, V: Array) -> bool:
        """Call the callback; whether it asks to stop."""
        if self.callback is None:
            return False
        value = sum(self.terms[-1])
        return bool(self.callback(Progress(len(self.terms), value, self.number, U, V)))

    def run(self, U: Array, V: Array, b: Array, reason: str) -> SolverRun:
        """The run as a result."""
        columns = ("outer", "inner", "primal_residual", "dual_residual", "seconds")
        inner = dict(zip(columns, np.array(self.inner).T, strict=True))
        history = as_history(np.array(self.terms), np.array(self.seconds))
        return SolverRun(U, V, b, history, reason, inner)
