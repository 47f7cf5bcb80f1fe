"""The iterations of the fast solver for a loss that is not quadratic.

At the margins of the point the loss is replaced by a parabola per observation with the
same slope, and the objective with that model is lowered by the compiled iterations. Its
curvature is first that of the loss itself, as in Newton's method: few models are then
needed, but the parabola is not an upper bound. If the objective falls by much less than
the model says, the step is undone and repeated with more curvature, at the most with
that of an upper bound, for which descent is certain.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from vstg.data import Array
from vstg.kernels import (
    MEMORY,
    extrapolate,
    possible_gains,
    sweep_matrices,
    sweep_rows_of_U,
)
from vstg.losses import second_derivative, upper_curvature
from vstg.penalties import L1, L1Inf, SquaredKSupport
from vstg.solvers.descent import Descent
from vstg.statistics import LocalModel, RowModel, local_model

MODEL_STEPS = MEMORY  # iterations on one model, repeated while ...
WORTHWHILE = 0.1  # ... they gain this part of all that was gained on it, at most ...
MOST_STEPS = 40
LEAST = 1e-3  # of the curvature of an upper bound: no observation counts for less
FLOOR = 1e-10  # curvature of an observation if the loss has no upper bound
STEEPER = 8.0  # times the curvature after a step that had to be undone
ATTEMPTS = 12
ENOUGH = 0.1  # of what the model promises, for a step to be kept
MOST = 2**24  # numbers in models with a curvature per observation
CHECKS = 6  # models on which U alone is moved to see what it could gain ...
SWEEPS = 16  # ... with so many passes each
NEWTON_STEPS = 20  # towards the best intercepts


@dataclass(frozen=True, eq=False)
class State:
    """What is known at one point."""

    W: Array
    terms: Array
    slope: Array
    slope_b: Array
    margins: list[Array]
    slopes: list[Array]  # by observation

    @property
    def objective(self) -> float:
        """Eq. (6)."""
        return float(self.terms.sum())


class Step(NamedTuple):
    """What a descent on a model has led to."""

    predicted: float  # fall of the model
    residual: float  # of its first iteration, which sees the true gradients


class SmoothDescent(Descent):
    """Descent on a sequence of quadratic models of a smooth loss."""

    state: State | None = None
    steeper = 1.0  # times the curvature of the loss

    @property
    def intercept(self) -> Array:
        """b, moved along with U and V."""
        return self.b

    @property
    def model_tol(self) -> float:
        """Zero: the iterations on a model are limited by their number."""
        return 0.0

    def advance(self, n_iter: int) -> None:
        """Alternate: model at the point, iterations on it, extrapolate."""
        if self.state is None:
            self.state = self.evaluate(self.U, self.Vt, self.b)
        for _ in range(n_iter):
            before = self.state
            residual = self.step(before)
            self.drop_dead_bases()
            self.state = self.evaluate(self.U, self.Vt, self.b)
            done = residual <= self.tol and self.is_optimal(before)
            self.remember()
            self.record(self.state.terms[None, :])
            if done:
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
        margins = self.problem.margins(W, b)
        loss, slopes = self.problem.slopes(margins)
        with np.errstate(invalid="ignore"):  # a trial may go where counts overflow
            slope = np.column_stack(self.problem.backwards(slopes))
        slope_b = np.array([s.sum() for s in slopes])
        gamma1, gamma2, mu, k = self.penalties
        rows, entries = L1Inf(gamma2).value(U), L1(gamma1).value(U)
        groups = SquaredKSupport(mu, k).value(Vt.T)
        terms = np.array([loss, entries, rows, groups])
        return State(W, terms, slope, slope_b, margins, slopes)

    def model_at(self, state: State) -> tuple[LocalModel, bool]:
        """The model at a point, and whether it is an upper bound."""
        problem = self.problem
        if self.is_too_large:
            return self.rough_model(state), True
        data = problem.rows_of_data
        curvatures, is_upper = [], True
        for j, (y, m) in enumerate(zip(data.y, state.margins, strict=True)):
            most = upper_curvature(problem.loss, y, m)
            least = np.where(np.isfinite(most), LEAST * most, FLOOR)
            h = self.steeper * np.maximum(second_derivative(problem.loss, y, m), least)
            is_upper &= bool((h >= most).all())
            curvatures.append(data.weighed(j, np.minimum(h, most)) / data.divisors[j])
        model = local_model(
            data, state.W, state.slopes, curvatures,
            fit_intercept=problem.fit_intercept,
            rows=isinstance(problem.model, RowModel),
        )  # fmt: skip
        return model, is_upper

    @property
    def is_too_large(self) -> bool:
        """Whether models with a curvature per observation would not fit in memory."""
        T, D = self.problem.n_tasks, self.problem.n_features
        rows = isinstance(self.problem.model, RowModel)
        each = sum(map(len, self.problem.rows_of_data.y)) if rows else T * D
        return each * D > MOST and bool(np.isfinite(self.problem.loss.curvature))

    def rough_model(self, state: State) -> LocalModel:
        """The upper bound with one curvature, whose matrices tasks may share."""
        problem, model = self.problem, self.problem.model
        slope = state.slope - model.x_mean.T * state.slope_b
        touching = model.touching(state.W, slope, state.slopes)
        if isinstance(touching, RowModel):
            pairs = zip(touching.responses(state.slopes), touching.weight, strict=True)
            base = sum(0.5 * float(r @ r) * h for r, h in pairs)
        else:
            bent = touching.times(state.W)
            base = float((state.W * (0.5 * bent - touching.c.T)).sum())
        mass = problem.loss.curvature * problem.rows_of_data.task_factors
        return LocalModel(touching, base, mass)

    def step(self, state: State) -> float:
        """Descend on a model at the point; returns the residual at its start."""
        start = self.U.copy(), self.Vt.copy(), self.b
        for _ in range(ATTEMPTS):
            local, is_upper = self.model_at(state)
            step = self.follow(local, state)
            found = self.value()
            # Rounding may hide the last gains.
            slack = 1e-13 * abs(state.objective)
            if found <= state.objective - ENOUGH * step.predicted + slack:
                self.steeper = max(1.0, self.steeper / STEEPER)
                return step.residual
            self.U[:], self.Vt[:], self.b = start
            if is_upper:
                return step.residual  # all that was promised is rounding
            self.steeper *= STEEPER
        return np.inf

    def follow(self, local: LocalModel, state: State) -> Step:
        """Move the point by iterations on a model."""
        history = np.empty((MODEL_STEPS, 6))
        past = np.empty((MEMORY + 1, self.U.size + self.Vt.size))
        began = local.base + float(state.terms[1:].sum())
        before, residual = began, 0.0
        for n in range(MOST_STEPS // MODEL_STEPS):
            done, _, finished = self.iterate(local.model, MODEL_STEPS, past, 0, history)
            if n == 0:
                residual = float(history[0, 4:].max())
            now = float(history[done - 1, :4].sum())
            if finished or before - now <= WORTHWHILE * (began - now):
                break
            before = now
        gained = began - now
        if self.problem.fit_intercept:
            change = self.U @ self.Vt.T - state.W
            self.b = local.intercept(self.b, state.slope_b, change)
            gained += local.gain_of_intercept(state.slope_b)
            residual = max(residual, float(np.abs(state.slope_b).max()))
        return Step(max(gained, 0.0), residual)

    def value(self) -> float:
        """Eq. (6) at the point, infinite where the loss overflows."""
        terms = self.evaluate(self.U, self.Vt, self.b).terms
        total = float(terms.sum())
        return total if np.isfinite(total) else np.inf

    def is_optimal(self, before: State) -> bool:
        """Whether neither (U, b) nor V could gain more than ``tol`` of the objective.

        As :func:`vstg.kernels.descent.is_optimal`, with U moved on local models.
        """
        assert self.state is not None
        limit = self.tol * self.state.objective
        gain_U, gain_V = self.possible_gains(self.state)
        if max(gain_U, gain_V) <= limit:
            return True
        if gain_V > limit:
            return False
        start, began = (self.U.copy(), self.b, self.state), self.state.objective
        for _ in range(CHECKS):
            if not self.move_U(self.state):
                break
            self.state = self.evaluate(self.U, self.Vt, self.b)
            gained = began - self.state.objective
            if gained + self.possible_gains(self.state)[0] <= limit:
                self.U[:], self.b, self.state = start
                return True
            if gained > limit:
                break
        return (
            before.objective - began <= 1e-15 * began and self.state.objective >= began
        )

    def possible_gains(self, state: State) -> tuple[float, float]:
        """Bounds on what (U, b) and V could gain, by the gradients at a point."""
        scratch = np.empty(self.U.shape[::-1])
        gain_U, gain_V = possible_gains(
            np.ascontiguousarray(state.slope.T), self.U, self.Vt, *self.penalties,
            state.terms, scratch, np.empty((3, self.U.shape[1])),
        )  # fmt: skip
        if self.problem.fit_intercept:
            local, _ = self.model_at(state)
            gain_U += 2.0 * local.gain_of_intercept(state.slope_b)
        return gain_U, gain_V

    def move_U(self, state: State) -> bool:
        """Passes over U alone on a model at the point, then the best b.

        False if the objective would not fall: U stays where it was.
        """
        start = self.U.copy(), self.b
        for _ in range(ATTEMPTS):
            local, _ = self.model_at(state)
            model, gammas = local.model, self.penalties[:2]
            sweep = sweep_rows_of_U if isinstance(model, RowModel) else sweep_matrices
            sweep(*model.arrays, self.U, self.Vt, *gammas, SWEEPS)
            if self.problem.fit_intercept:
                change = self.U @ self.Vt.T - state.W
                self.b = local.intercept(self.b, state.slope_b, change)
                self.b = self.best_intercept()
            if self.value() <= state.objective:
                return True
            self.U[:], self.b = start
            self.steeper *= STEEPER
        return False

    def best_intercept(self) -> Array:
        """b for the given U and V, by Newton's method from the current one."""
        problem, b = self.problem, self.b.copy()
        loss, data = problem.loss, problem.rows_of_data
        plain = problem.margins(self.U @ self.Vt.T, np.zeros(len(b)))
        for _ in range(NEWTON_STEPS):
            moved = 0.0
            for j, (y, m) in enumerate(zip(data.y, plain, strict=True)):
                at = m + b[j]
                slope = data.weighed(j, loss.derivative(y, at)).sum()
                bend = data.weighed(j, second_derivative(loss, y, at)).sum()
                if bend > 0:
                    b[j] -= slope / bend
                    moved = max(moved, slope**2 / bend)
            if moved <= 1e-24:
                break
        return b

    def extrapolate(self, past: Array) -> None:
        """Combine the remembered points; keep the result if the objective falls."""
        trial = np.empty(past.shape[1])
        if not extrapolate(past, trial):
            return
        cut_U, cut_V = self.U.size, self.U.size + self.Vt.size
        U = trial[:cut_U].reshape(self.U.shape)
        Vt = trial[cut_U:cut_V].reshape(self.Vt.shape)
        found = self.evaluate(U, Vt, trial[cut_V:])
        if self.state is None or found.objective < self.state.objective:
            self.U[:], self.Vt[:], self.b = U, Vt, trial[cut_V:]
            self.state = found
