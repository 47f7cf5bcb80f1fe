"""The iterations of the fast solver, on the loss or on its quadratic upper models."""

from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from vstg.data import Array
from vstg.kernels import MEMORY, descend, descend_rows, extrapolate
from vstg.objective import Settings
from vstg.penalties import L1, L1Inf, SquaredKSupport
from vstg.problem import Problem
from vstg.solvers.initial import Start
from vstg.solvers.many_tasks import MANY, descend_many
from vstg.solvers.result import Callback, Progress, SolverRun, as_history
from vstg.solvers.spans import Model
from vstg.statistics import RowModel

CHUNK = 4 * MEMORY  # iterations between two calls of the callback
MODEL_STEPS = MEMORY  # iterations on one upper model of a loss that is not quadratic


def descend_on(
    model: Model, U: Array, Vt: Array, *rest: Any
) -> tuple[int, int, int, bool]:
    """Run :func:`vstg.kernels.descend` on either form, on threads for many tasks."""
    if len(Vt) >= MANY:
        return descend_many(model, U, Vt, *rest)
    if isinstance(model, RowModel):
        return descend_rows(*model.arrays, U, Vt, *rest)
    return descend(*model.arrays, U, Vt, *rest)


class Descent:
    """The current point (U, V, b) and its history; subclasses define the steps."""

    def __init__(
        self,
        problem: Problem,
        settings: Settings,
        start: Start,
        *,
        tol: float,
        began: float,
        callback: Callback | None = None,
        number: int = 0,
        pause: int = 0,
        intercept: Array | None = None,
    ) -> None:
        self.problem = problem
        self.settings = settings
        self.U = np.array(start[0], dtype=float, order="C")
        self.Vt = np.array(start[1].T, dtype=float, order="C")
        self.alive = np.arange(settings.n_latent)  # the bases that U and Vt hold
        self.tol = tol
        self.began = began
        self.callback = callback
        self.number = number
        self.terms: list[Array] = []
        self.seconds: list[float] = []
        self.reason = "max_iter"
        self.past: Array | None = None  # iterates to extrapolate from
        self.filled = 0
        self.pause = pause  # rounds of shears to leave out
        self.b = problem.start_intercept() if intercept is None else intercept
        self.drop_dead_bases()

    def advance(self, n_iter: int) -> None:
        """Do at most ``n_iter`` more iterations; ``reason`` says why they stopped."""
        raise NotImplementedError

    def iterate(
        self, model: Model, n_iter: int, past: Array, filled: int, history: Array
    ) -> tuple[int, int, bool]:
        """Move the point by compiled iterations on a quadratic model.

        Returns how many were done, the rows of ``past`` in use, and whether they
        ended because the model's optimum was reached.
        """
        done, filled, self.pause, converged = descend_on(
            model, self.U, self.Vt, *self.penalties, self.tol, n_iter,
            past, filled, self.pause, history,
        )  # fmt: skip
        return done, filled, converged

    @property
    def intercept(self) -> Array:
        """b at the point."""
        raise NotImplementedError

    def drop_dead_bases(self) -> None:
        """Remove the bases that are zero in U or in V.

        If one factor of a basis is zero, so is the gradient of the other: such a basis
        never returns, and without it every loop is shorter.
        """
        living = np.asarray(self.U.any(axis=0) & self.Vt.any(axis=0))
        living[0] |= not living.any()  # keep at least one column
        if not living.all():
            self.U = np.ascontiguousarray(self.U[:, living])
            self.Vt = np.ascontiguousarray(self.Vt[:, living])
            self.alive = self.alive[living]
            self.past, self.filled = None, 0

    def factors(self) -> Start:
        """U and V with all bases, the dead ones zero."""
        K = self.settings.n_latent
        U = np.zeros((len(self.U), K))
        V = np.zeros((K, len(self.Vt)))
        U[:, self.alive], V[self.alive] = self.U, self.Vt.T
        return U, V

    @property
    def objective(self) -> float:
        """Eq. (6) after the last iteration."""
        return float(self.terms[-1].sum())

    @property
    def penalties(self) -> tuple[float, float, float, int]:
        """γ1, γ2, μ, k in the order of the kernels.

        A vector with no more than k entries has the l2 norm for its k-support norm.
        """
        s = self.settings
        return s.gamma1, s.gamma2, s.mu, min(s.k, len(self.alive))

    def record(self, terms: Array) -> None:
        """Append iterations; the time of a chunk is divided evenly among them."""
        before = self.seconds[-1] if self.seconds else 0.0
        now = perf_counter() - self.began
        self.terms.extend(terms.copy())
        self.seconds.extend(np.linspace(before, now, len(terms) + 1)[1:])

    def asks_to_stop(self) -> bool:
        """Call the callback; whether it asks to stop."""
        if self.callback is None:
            return False
        seen = Progress(len(self.terms), self.objective, self.number, *self.factors())
        return bool(self.callback(seen))

    def finish(self) -> SolverRun:
        """The run as a result, or zero where that is better.

        (0, 0) is a local minimum whatever the data, so a descent may end above it.
        """
        b = self.problem.start_intercept()
        loss = self.problem.null[0]
        if loss < self.objective:
            self.U[:], self.Vt[:] = 0.0, 0.0
            self.record(np.array([[loss, 0.0, 0.0, 0.0]]))
        else:
            b = self.intercept
        return self.as_run(b)

    def as_run(self, b: Array) -> SolverRun:
        """The point with intercepts ``b``, and its record."""
        history = as_history(np.array(self.terms), np.array(self.seconds))
        return SolverRun(*self.factors(), b, history, self.reason)


class QuadraticDescent(Descent):
    """Descent on the loss itself, in compiled chunks."""

    @property
    def intercept(self) -> Array:
        """b eliminated by centring."""
        return self.problem.model.intercept(self.U @ self.Vt.T)

    def advance(self, n_iter: int) -> None:
        """See :meth:`Descent.advance`."""
        model = self.problem.model
        history = np.empty((CHUNK, 6))
        while n_iter > 0:
            if self.past is None:
                self.past = np.empty((MEMORY + 1, self.U.size + self.Vt.size))
            steps = min(CHUNK, n_iter)
            done, self.filled, converged = self.iterate(
                model, steps, self.past, self.filled, history
            )
            n_iter -= done
            self.record(history[:done, :4])
            if converged:
                self.reason = "tolerance"
                return
            if self.asks_to_stop():
                self.reason = "callback"
                return
            self.drop_dead_bases()


@dataclass(frozen=True, eq=False)
class State:
    """What is known at one point of a majorised descent."""

    W: Array
    terms: Array
    slope: Array
    slope_b: Array
    slopes: list[Array]  # by observation


class MajorisedDescent(Descent):
    """Descent on a sequence of quadratic upper models of a smooth loss."""

    state: State | None = None

    @property
    def intercept(self) -> Array:
        """b, moved along with U and V."""
        return self.b

    def advance(self, n_iter: int) -> None:
        """Alternate: model at the point, a few iterations on it, extrapolate."""
        if self.state is None:
            self.state = self.evaluate(self.U, self.Vt, self.b)
        for _ in range(n_iter):
            converged = self.step(self.state)
            self.drop_dead_bases()
            self.state = self.evaluate(self.U, self.Vt, self.b)
            self.remember()
            self.record(self.state.terms[None, :])
            if converged:
                self.reason = "tolerance"
                return
            if self.asks_to_stop():
                self.reason = "callback"
                return

    def remember(self) -> None:
        """Keep the point; every few points, extrapolate from them."""
        point = np.concatenate([self.U.ravel(), self.Vt.ravel(), self.b])
        if self.past is None:
            self.past = np.empty((MEMORY + 1, point.size))
        self.past[self.filled] = point
        self.filled += 1
        if self.filled == len(self.past):
            self.extrapolate(self.past)
            self.filled = 0

    def evaluate(self, U: Array, Vt: Array, b: Array) -> State:
        """Terms of eq. (6) and gradients of the loss at a point."""
        W = U @ Vt.T
        loss, slopes = self.problem.slopes(self.problem.margins(W, b))
        slope = np.column_stack(self.problem.backwards(slopes))
        slope_b = np.array([s.sum() for s in slopes])
        gamma1, gamma2, mu, k = self.penalties
        rows, entries = L1Inf(gamma2).value(U), L1(gamma1).value(U)
        groups = SquaredKSupport(mu, k).value(Vt.T)
        terms = np.array([loss, entries, rows, groups])
        return State(W, terms, slope, slope_b, slopes)

    def step(self, state: State) -> bool:
        """Descend on the upper model at the point; True if that was its optimum."""
        model = self.problem.model
        slope = state.slope - model.x_mean.T * state.slope_b
        touching = model.touching(state.W, slope, state.slopes)
        history = np.empty((MODEL_STEPS, 6))
        inner_past = np.empty((MEMORY + 1, self.U.size + self.Vt.size))
        self.iterate(touching, MODEL_STEPS, inner_past, 0, history)
        # The first step on a fresh model sees the true gradients.
        residuals = history[0, 4:]
        if self.problem.fit_intercept:
            change = self.U @ self.Vt.T - state.W
            self.b = self.b - state.slope_b / self.problem.loss.curvature
            self.b -= (model.x_mean.T * change).sum(axis=0)
            residuals = np.append(residuals, state.slope_b)
        return bool(np.abs(residuals).max() <= self.tol)

    def extrapolate(self, past: Array) -> None:
        """Combine the remembered points; keep the result if the objective falls."""
        trial = np.empty(past.shape[1])
        if not extrapolate(past, trial):
            return
        cut_U, cut_V = self.U.size, self.U.size + self.Vt.size
        U = trial[:cut_U].reshape(self.U.shape)
        Vt = trial[cut_U:cut_V].reshape(self.Vt.shape)
        found = self.evaluate(U, Vt, trial[cut_V:])
        if self.state is None or found.terms.sum() < self.state.terms.sum():
            self.U[:], self.Vt[:], self.b = U, Vt, trial[cut_V:]
            self.state = found
