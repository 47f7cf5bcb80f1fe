"""The iterations of the fast solver, for a quadratic loss; see also ``smooth``."""

from time import perf_counter
from typing import Any

import numpy as np

from vstg.data import Array
from vstg.kernels import MEMORY, descend, descend_rows
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers.initial import Start
from vstg.solvers.many_tasks import MANY, descend_many
from vstg.solvers.result import Callback, Progress, SolverRun, as_history
from vstg.solvers.spans import Model
from vstg.statistics import RowModel

CHUNK = 4 * MEMORY  # iterations between two calls of the callback


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
            model, self.U, self.Vt, *self.penalties, self.model_tol, n_iter,
            past, filled, self.pause, history,
        )  # fmt: skip
        return done, filled, converged

    @property
    def model_tol(self) -> float:
        """The tolerance on a model: that on the loss, if they are the same."""
        return self.tol

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
