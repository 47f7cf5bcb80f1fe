"""Convex penalties on W by accelerated proximal gradient steps."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from vstg.baselines.descent import PointState, relative_gap
from vstg.data import Array
from vstg.penalties import Penalty
from vstg.problem import Problem
from vstg.statistics import matrices_times

STEPS = (50, 10)  # on a model that stays, and on one soon replaced


class Norm(Penalty, Protocol):
    """A penalty that is a norm, its strength included."""

    def dual_norm(self, S: Array) -> float:
        """max ⟨S, A⟩ over all A with g(A) ≤ 1."""


class ProximalPoint:
    """W, and a penalty on it that has a prox."""

    is_monotone = True

    def __init__(
        self,
        problem: Problem,
        method: str,
        parameters: Mapping[str, float],
        regulariser: Penalty,
        W: Array | None,
    ) -> None:
        self.method, self.parameters, self.regulariser = method, parameters, regulariser
        self.exact = problem.loss.is_quadratic
        shape = problem.n_features, problem.n_tasks
        self.W = np.zeros(shape) if W is None else W
        self.moving = (self.W,)
        self.known: tuple[Array, float] | None = None

    def coefficients(self) -> Array:
        """W."""
        return self.W.copy()

    def penalty(self) -> float:
        """The penalty at W."""
        return self.regulariser.value(self.W)

    def descend(self, G: Array, c: Array, *, exact: bool) -> None:
        """FISTA, which begins again whenever its momentum points uphill."""
        if self.known is None or self.known[0] is not G:
            self.known = G, 1.0 / max(float(np.linalg.eigvalsh(G).max()), 1e-300)
        step, prox, linear = self.known[1], self.regulariser.prox, c.T
        first = W = ahead = self.W.copy()
        t = 1.0
        for number in range(STEPS[0] if exact else STEPS[1]):
            slope = matrices_times(G, ahead) - linear
            new = prox(ahead - step * slope, step)
            if number == 0:
                first = new
            if np.vdot(ahead - new, new - W) > 0.0:
                t = 1.0
            later = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * t * t))
            ahead = new + ((t - 1.0) / later) * (new - W)
            W, t = new, later
        # One plain step never raises the model; a few accelerated ones may.
        values = [self.value(G, linear, one) for one in (first, W)]
        self.W[:] = W if values[1] <= values[0] else first

    def value(self, G: Array, linear: Array, W: Array) -> float:
        """The model and the penalty."""
        smooth = 0.5 * matrices_times(G, W) - linear
        return float(np.vdot(W, smooth)) + self.regulariser.value(W)

    def residual(self, state: PointState, null: PointState) -> float:
        """Duality gap at the slopes of the loss, relative to the objective at zero."""
        R = -state.slope
        gap = state.penalty + self.regulariser.conjugate(R) - float(np.vdot(R, state.W))
        # Rounding may leave it below zero, which says no more than the same above.
        return abs(gap) / null.loss if null.loss > 0.0 else 0.0

    def factors(self) -> dict[str, Array]:
        """W itself."""
        return {"W": self.coefficients()}


class NormPoint(ProximalPoint):
    """The same for a norm, where slopes outside the dual ball are shrunk into it."""

    regulariser: Norm

    def residual(self, state: PointState, null: PointState) -> float:
        """Relative duality gap."""
        dual_norm = self.regulariser.dual_norm(state.slope)
        return relative_gap(state, null, dual_norm, exact=self.exact)
