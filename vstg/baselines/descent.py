"""The outer loop of all baselines: quadratic model, steps on it, extrapolation.

A method brings a :class:`MovingPoint`, which knows how to descend on a quadratic model
Σ_j ½w_jᵀG_j w_j − c_jᵀw_j. The squared loss is such a model. Any other loss is replaced
at the current margins by its quadratic upper model (see :mod:`vstg.losses`), which
touches it there: descent on the model is descent on the objective. Where that is slow,
a model with the curvature at the point is tried, and kept if the objective falls. For a
loss without an upper model it is made steeper until the objective falls.
Duality gaps and subgradient residuals say how far a point is from optimal.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from vstg.baselines.curvature import Curvature, local_curvature, upper_curvature
from vstg.baselines.interface import (
    BaselineProgress,
    BaselineResult,
    Stopping,
    start_intercept,
)
from vstg.data import Array
from vstg.kernels import MEMORY, extrapolate
from vstg.problem import Problem
from vstg.statistics import matrices_times

PATIENCE = 5  # steps on upper models before a closer one is tried
PAUSE = 2  # such steps after a closer one failed
LEAST = (1e-4, 0.5)  # range of the caution in closer models, see local_curvature
STEEPER, STEEPEST = 4.0, 1e12  # factor between attempts without an upper model


@dataclass(frozen=True, eq=False)
class PointState:
    """Loss, gradients in W and b, and penalty at one point."""

    W: Array
    b: Array
    loss: float
    penalty: float
    gradient: Array
    slope_b: Array
    x_mean: Array

    @property
    def slope(self) -> Array:
        """The gradient in W when b follows it, so that the mean margin stays."""
        return self.slope_along(self.x_mean)

    def slope_along(self, x_mean: Array) -> Array:
        """The gradient in W when b_j falls by x̄_jᵀw_j."""
        return self.gradient - x_mean.T * self.slope_b

    @property
    def objective(self) -> float:
        """Loss and penalty."""
        return self.loss + self.penalty


class MovingPoint(Protocol):
    """The variables that a method optimises; their arrays change in place."""

    @property
    def method(self) -> str:
        """Name in the registry."""

    @property
    def parameters(self) -> Mapping[str, float]:
        """Strengths and sizes."""

    @property
    def moving(self) -> tuple[Array, ...]:
        """All its arrays, which an extrapolation overwrites."""

    @property
    def is_monotone(self) -> bool:
        """Whether steps on a model never raise the objective of that model."""

    def coefficients(self) -> Array:
        """W (D, T)."""

    def penalty(self) -> float:
        """The penalty at the point; infinite where it is not feasible."""

    def descend(self, G: Array, c: Array, *, exact: bool) -> None:
        """Some steps on a model: many on an ``exact`` one, few on one soon replaced."""

    def residual(self, state: PointState, null: PointState) -> float:
        """Distance from optimality, relative to ``null``, the state at W = 0."""

    def factors(self) -> dict[str, Array]:
        """Copies of the method's own variables."""


class BaselineDescent:
    """One run: the point, the intercepts, the clock and the record."""

    def __init__(self, problem: Problem, point: MovingPoint, b: Array) -> None:
        self.problem = problem
        self.point = point
        self.b = b
        self.began = perf_counter()
        self.rows: list[tuple[float, ...]] = []
        self.past = np.empty((MEMORY + 1, self.packed().size))
        self.filled = 0
        self.upper = upper_curvature(problem)
        self.wait, self.least, self.steeper = PATIENCE, LEAST[0], 1.0
        zero = np.zeros((problem.n_features, problem.n_tasks))
        self.null = self.state_at(zero, problem.start_intercept(), 0.0)

    def state_at(self, W: Array, b: Array, penalty: float) -> PointState:
        """Loss and gradients at a point."""
        loss, gradient, slope_b = self.problem.evaluate(W, b)
        x_mean = self.problem.model.x_mean
        return PointState(W, b, loss, penalty, gradient, slope_b, x_mean)

    def look(self) -> PointState:
        """The state at the current point."""
        point = self.point
        return self.state_at(point.coefficients(), self.b, point.penalty())

    def step(self, state: PointState) -> PointState:
        """One step from ``state``: on the loss itself if quadratic, else on a model."""
        if self.problem.loss.is_quadratic:
            model = self.problem.model
            self.point.descend(model.G, model.c, exact=True)
            return self.extrapolated(self.look())
        if self.upper is None:
            return self.unbounded_step(state)
        self.wait -= 1
        if self.wait < 0:
            found = self.closer_step(state)
            if found is not None:
                return found
        self.model_step(state, self.upper, exact=False)
        return self.extrapolated(self.look())

    def model_step(
        self, state: PointState, curvature: Curvature, *, exact: bool
    ) -> None:
        """Descend on the model that touches the loss at ``state``."""
        GW = matrices_times(curvature.G, state.W).T
        c = np.ascontiguousarray(GW - state.slope_along(curvature.x_mean).T)
        self.point.descend(curvature.G, c, exact=exact)
        if self.problem.fit_intercept:
            change = self.point.coefficients() - state.W
            drift = (curvature.x_mean.T * change).sum(axis=0)
            self.b = self.b - state.slope_b / curvature.h - drift

    def closer_step(self, state: PointState) -> PointState | None:
        """A step with the curvature at the point; undone if the objective rises."""
        before = self.packed()
        curvature = local_curvature(self.problem, state.W, self.b, self.least)
        self.model_step(state, curvature, exact=True)
        found = self.look()
        if found.objective < state.objective:
            self.least, self.filled = max(self.least / 10.0, LEAST[0]), 0
            return found
        self.jump(before)
        self.least, self.wait = min(self.least * 10.0, LEAST[1]), PAUSE
        return None

    def unbounded_step(self, state: PointState) -> PointState:
        """A step with the curvature at the point, raised until the objective falls."""
        before = self.packed()
        local = local_curvature(self.problem, state.W, self.b, self.least)
        while self.steeper < STEEPEST:
            G, h = self.steeper * local.G, self.steeper * local.h
            self.model_step(state, Curvature(G, local.x_mean, h), exact=True)
            with np.errstate(invalid="ignore"):
                found = self.look()
            if found.objective <= state.objective:
                self.steeper = max(1.0, self.steeper / STEEPER)
                return found
            self.jump(before)
            self.steeper *= STEEPER
        self.steeper = 1.0
        return state

    def packed(self) -> Array:
        """The moving arrays and the intercepts as one vector."""
        return np.concatenate([*(a.ravel() for a in self.point.moving), self.b])

    def extrapolated(self, state: PointState) -> PointState:
        """Every few steps, combine them; keep the result if the objective falls."""
        if not self.point.is_monotone:
            return state
        here = self.packed()
        self.past[self.filled] = here
        self.filled = (self.filled + 1) % len(self.past)
        trial = np.empty_like(here)
        if self.filled or not extrapolate(self.past, trial):
            return state
        self.jump(trial)
        found = self.look() if self.point.penalty() < np.inf else None
        if found is not None and found.objective < state.objective:
            return found
        self.jump(here)
        return state

    def jump(self, vector: Array) -> None:
        """Write a packed point into the moving arrays and the intercepts."""
        at = 0
        for array in self.point.moving:
            array[...] = vector[at : at + array.size].reshape(array.shape)
            at += array.size
        self.b = vector[at:].copy()

    def run(self, stopping: Stopping) -> tuple[PointState, dict[str, Array], str]:
        """Step until the residual is at most ``tol``; returns the best state seen."""
        state = best = self.look()
        factors, reason = self.point.factors(), "max_iter"
        for n_done in range(1, stopping.max_iter + 1):
            state = self.step(state)
            if state.objective <= best.objective:
                best, factors = state, self.point.factors()
            residual = self.residual(state)
            self.record(best, residual)
            if residual <= stopping.tol:
                reason = "tolerance"
                break
            if stopping.callback is not None:
                seen = BaselineProgress(n_done, state.objective, state.W, state.b)
                if stopping.callback(seen):
                    reason = "callback"
                    break
        if self.point.is_monotone and self.null.objective < best.objective:
            # A factored W may end in a poor local minimum that is worse than W = 0.
            best = self.null
            factors = {name: np.zeros_like(array) for name, array in factors.items()}
            self.record(best, 0.0)
        return best, factors, reason

    def residual(self, state: PointState) -> float:
        """The method's residual, and the slope in b."""
        return max(
            self.point.residual(state, self.null),
            float(np.abs(state.slope_b).max()) if self.problem.fit_intercept else 0.0,
        )

    def record(self, best: PointState, residual: float) -> None:
        """One row of the history."""
        now = perf_counter() - self.began
        self.rows.append((best.objective, best.loss, best.penalty, residual, now))


def minimise(
    problem: Problem, point: MovingPoint, stopping: Stopping, init: Any = None
) -> BaselineResult:
    """Run a method from its point to a result."""
    descent = BaselineDescent(problem, point, start_intercept(init, problem))
    best, factors, reason = descent.run(stopping)
    names = ("objective", "loss", "penalty", "residual", "seconds")
    history = dict(zip(names, np.array(descent.rows).T, strict=True))
    exact = problem.loss.is_quadratic
    return BaselineResult(
        method=point.method,
        W=best.W,
        intercept=problem.model.intercept(best.W) if exact else best.b,
        factors=factors,
        parameters=point.parameters,
        loss=problem.loss.name,
        objective=best.objective,
        history=history,
        n_iter=len(descent.rows),
        converged=reason == "tolerance",
        stop_reason=reason,
        seconds=perf_counter() - descent.began,
    )


def relative_gap(
    state: PointState, null: PointState, dual_norm: float, *, exact: bool
) -> float:
    r"""Duality gap of loss + Ω for a norm Ω, relative to the objective at W = 0.

    With :math:`R = -\nabla f(W)` and :math:`s = \min(1, 1/\Omega^\circ(R))` the slopes
    of the loss, shrunk by s, are feasible in the dual, and the gap there is at most

    .. math:: \Omega(W) - \langle R, W \rangle
              + (1 - s) (f(W) + \langle R, W \rangle - s q),

    with q = f(W) for the squared loss (``exact``: then this is the gap itself) and
    q = 0 for any other loss that is never negative. ``dual_norm`` may be a bound above.
    """
    aligned = -float((state.slope * state.W).sum())
    s = 1.0 / max(1.0, dual_norm)
    q = state.loss if exact else 0.0
    gap = state.penalty - aligned + (1.0 - s) * (state.loss + aligned - s * q)
    return gap / null.loss if null.loss > 0.0 else 0.0


def l1_violation(slope: Array, A: Array, gamma: float) -> float:
    """Largest distance of −slope from γ∂‖·‖_1(A)."""
    on = np.abs(slope + gamma * np.sign(A))
    off = np.maximum(np.abs(slope) - gamma, 0.0)
    return float(np.where(A != 0.0, on, off).max(initial=0.0))


def ratio(length: float, scale: float) -> float:
    """length / scale, or zero if the scale is zero: then the block has no data."""
    return length / scale if scale > 0.0 else 0.0


def largest(A: Array) -> float:
    """max |a|, zero for an empty array."""
    return float(np.abs(A).max(initial=0.0))
