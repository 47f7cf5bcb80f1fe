"""The fast solver: block descent on sufficient statistics, compiled.

One outer iteration is a sweep over the rows of U (proximal steps with the exact prox of
both penalties), a pass over the tasks (accelerated proximal steps on v_j), the
closed-form rescaling of U against V, and every few iterations an extrapolation and
shears of the bases, each kept only if the objective falls. So it never rises.

A loss that is not quadratic is replaced at the current margins by its quadratic upper
model (see :mod:`vstg.losses`), which touches it there: descent of the model is descent
of the objective.
"""

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from vstg.data import Array
from vstg.kernels import MEMORY, descend, extrapolate, shear_bases
from vstg.objective import Settings
from vstg.penalties import L1, L1Inf, SquaredKSupport
from vstg.problem import Problem
from vstg.solvers.initial import Start
from vstg.solvers.result import Callback, Progress, Run, as_history
from vstg.statistics import Quadratic

CHUNK = 4 * MEMORY  # iterations between two looks at the clock and the callback
MODEL_STEPS = (
    MEMORY  # iterations on one quadratic model of a loss that is not quadratic
)
START_SHEARS = 3


def run_fast(
    problem: Problem,
    settings: Settings,
    start: Start,
    *,
    tol: float,
    max_iter: int,
    callback: Callback | None = None,
    number: int = 0,
) -> Run:
    """Descend from ``start`` until both blocks' residuals are at most ``tol``."""
    descent = Descent(settings, start, tol, callback, number)
    if problem.loss.is_quadratic:
        reason = descent.run(problem.model, max_iter)
        b = problem.model.intercept(descent.U @ descent.V)
    else:
        majorised = Majorised(problem, descent)
        reason = majorised.run(max_iter)
        b = majorised.b
    history = as_history(np.array(descent.terms), np.array(descent.seconds))
    return Run(descent.U, descent.V, b, history, reason)


class Descent:
    """The moving point of one run, its clock and its record."""

    def __init__(
        self,
        settings: Settings,
        start: Start,
        tol: float,
        callback: Callback | None,
        number: int,
    ) -> None:
        self.settings = settings
        self.U = np.array(start[0], dtype=float, order="C")
        self.Vt = np.array(start[1].T, dtype=float, order="C")
        self.tol = tol
        self.callback = callback
        self.number = number
        self.began = perf_counter()
        self.terms: list[Array] = []
        self.seconds: list[float] = []
        for _ in range(START_SHEARS):
            shear_bases(self.U, self.Vt, *self.penalties)

    @property
    def V(self) -> Array:
        """V in the orientation of the paper."""
        return np.ascontiguousarray(self.Vt.T)

    @property
    def penalties(self) -> tuple[float, float, float, int]:
        """γ1, γ2, μ, k in the order of the kernels."""
        s = self.settings
        return s.gamma1, s.gamma2, s.mu, s.k

    def run(self, model: Quadratic, max_iter: int) -> str:
        """Descend on an exact model; returns why it stopped."""
        past = np.empty((MEMORY + 1, self.U.size + self.Vt.size))
        history = np.empty((CHUNK, 6))
        filled, done = 0, 0
        while done < max_iter:
            steps = min(CHUNK, max_iter - done)
            n_iter, filled, converged = descend(
                model.G, model.c, model.constant, self.U, self.Vt, *self.penalties,
                self.tol, steps, past, filled, history,
            )  # fmt: skip
            done += n_iter
            self.record(history[:n_iter, :4])
            if converged:
                return "tolerance"
            if self.asks_to_stop():
                return "callback"
        return "max_iter"

    def record(self, terms: Array) -> None:
        """Append iterations; those of one chunk share its time evenly."""
        before = self.seconds[-1] if self.seconds else 0.0
        now = perf_counter() - self.began
        self.terms.extend(terms.copy())
        self.seconds.extend(np.linspace(before, now, len(terms) + 1)[1:])

    def asks_to_stop(self) -> bool:
        """Show the point to the callback."""
        if self.callback is None:
            return False
        objective = float(self.terms[-1].sum())
        seen = Progress(len(self.terms), objective, self.number, self.U.copy(), self.V)
        return bool(self.callback(seen))


class Majorised:
    """Descent on a sequence of quadratic upper models of a smooth loss."""

    def __init__(self, problem: Problem, descent: Descent) -> None:
        self.problem = problem
        self.descent = descent
        self.b = problem.start_intercept()
        size = descent.U.size + descent.Vt.size
        self.inner_past = np.empty((MEMORY + 1, size))
        self.past = np.empty((MEMORY + 1, size + self.b.size))

    def run(self, max_iter: int) -> str:
        """Alternate: model at the point, a few iterations on it, extrapolate."""
        point = self.descent
        filled = 0
        state = self.evaluate(point.U, point.Vt, self.b)
        for _ in range(max_iter):
            converged = self.step(state)
            state = self.evaluate(point.U, point.Vt, self.b)
            self.past[filled] = np.concatenate(
                [point.U.ravel(), point.Vt.ravel(), self.b]
            )
            filled += 1
            if filled == len(self.past):
                state = self.extrapolate(state)
                filled = 0
            point.record(state.terms[None, :])
            if converged:
                return "tolerance"
            if point.asks_to_stop():
                return "callback"
        return "max_iter"

    def evaluate(self, U: Array, Vt: Array, b: Array) -> "State":
        """Terms of eq. (6) and gradients of the loss at a point."""
        W = U @ Vt.T
        loss, slope, slope_b = self.problem.evaluate(W, b)
        gamma1, gamma2, mu, k = self.descent.penalties
        terms = np.array(
            [
                loss,
                L1(gamma1).value(U),
                L1Inf(gamma2).value(U),
                SquaredKSupport(mu, k).value(Vt.T),
            ]
        )
        return State(W, terms, slope, slope_b)

    def step(self, state: "State") -> bool:
        """Descend on the upper model at the point; True when it was at its optimum."""
        point, model = self.descent, self.problem.model
        slope = state.slope - model.x_mean.T * state.slope_b
        c = np.einsum("jde,ej->jd", model.G, state.W, optimize=True) - slope.T
        history = np.empty((MODEL_STEPS, 6))
        descend(
            model.G, np.ascontiguousarray(c), 0.0, point.U, point.Vt, *point.penalties,
            point.tol, MODEL_STEPS, self.inner_past, 0, history,
        )  # fmt: skip
        # The first step on a fresh model sees the true gradients.
        residuals = history[0, 4:]
        if self.problem.fit_intercept:
            change = point.U @ point.Vt.T - state.W
            self.b = self.b - state.slope_b / self.problem.loss.curvature
            self.b -= (model.x_mean.T * change).sum(axis=0)
            residuals = np.append(residuals, state.slope_b)
        return bool(np.abs(residuals).max() <= point.tol)

    def extrapolate(self, state: "State") -> "State":
        """Combine the remembered points; keep the result if the objective falls."""
        trial = np.empty(self.past.shape[1])
        if not extrapolate(self.past, trial):
            return state
        point = self.descent
        cut_U, cut_V = point.U.size, point.U.size + point.Vt.size
        U = trial[:cut_U].reshape(point.U.shape)
        Vt = trial[cut_U:cut_V].reshape(point.Vt.shape)
        b = trial[cut_V:]
        found = self.evaluate(U, Vt, b)
        if found.terms.sum() >= state.terms.sum():
            return state
        point.U[:], point.Vt[:], self.b = U, Vt, b
        return found


@dataclass(frozen=True, eq=False)
class State:
    """What is known at one point of a majorised descent."""

    W: Array
    terms: Array
    slope: Array
    slope_b: Array
