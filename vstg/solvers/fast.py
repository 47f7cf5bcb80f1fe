"""The fast solver: block descent on sufficient statistics, compiled.

One outer iteration is a sweep over the rows of U (proximal steps with the exact prox of
both penalties), a pass over the tasks (accelerated proximal steps on v_j), the closed-form
rescaling of U against V, and every few iterations an extrapolation and shears of the
bases, each kept only if the objective falls. So the objective never rises.

A loss that is not quadratic is replaced at the current margins by its quadratic upper
model (see :mod:`vstg.losses`), which touches it there: descent of the model is descent
of the objective.
"""

from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from vstg.data import Array, MultiTaskData
from vstg.kernels import MEMORY, descend, shear_bases
from vstg.losses import Loss
from vstg.objective import Objective, Settings
from vstg.solvers.initial import Start
from vstg.solvers.result import Callback, Progress, Run, as_history
from vstg.statistics import Moments, Quadratic

CHUNK = 4 * MEMORY  # iterations between two looks at the clock and the callback
MODEL_STEPS = (
    MEMORY  # iterations on one quadratic model of a loss that is not quadratic
)
START_SHEARS = 3


def quadratic_model(
    data: MultiTaskData, loss: Loss, *, fit_intercept: bool
) -> Quadratic:
    """The loss itself if it is quadratic, else its model at zero; one pass of the data."""
    exact = Moments.of(data, fit_intercept=fit_intercept).quadratic()
    return replace(exact, G=loss.curvature * exact.G)


def run_fast(
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
) -> Run:
    """Descend from ``start`` until both blocks' residuals are at most ``tol``."""
    descent = Descent(settings, start, tol, callback, number)
    if loss.is_quadratic:
        reason = descent.run(model, max_iter)
        b = model.intercept(descent.U @ descent.V)
    else:
        majorised = Majorised(data, loss, model, descent, fit_intercept)
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


@dataclass
class Majorised:
    """Descent on a sequence of quadratic upper models of a smooth loss."""

    data: MultiTaskData
    loss: Loss
    model: Quadratic
    descent: Descent
    fit_intercept: bool

    def __post_init__(self) -> None:
        constants = [self.loss.best_constant(y) for y in self.data.y]
        self.b = np.array(constants) if self.fit_intercept else np.zeros(len(constants))
        self.objective = Objective(self.data, self.loss, self.descent.settings)
        # Row 0 of the memory is filled before the first step of each round.
        size = self.descent.U.size + self.descent.Vt.size + self.b.size
        self.past = np.empty((MEMORY + 1, size))

    def run(self, max_iter: int) -> str:
        """Alternate: model at the point, a few iterations on it, extrapolate."""
        filled = 0
        for _ in range(max_iter):
            converged = self.step()
            self.past[filled] = self.pack()
            filled += 1
            if filled == len(self.past):
                self.extrapolate()
                self.past[0] = self.pack()
                filled = 1
            terms = self.terms()
            self.descent.record(terms[None, :])
            if converged:
                return "tolerance"
            if self.descent.asks_to_stop():
                return "callback"
        return "max_iter"

    def step(self) -> bool:
        """Minimise the upper model at the current margins; True when at its optimum."""
        point = self.descent
        W = point.U @ point.Vt.T
        slope, slope_b = self.objective.gradient_W(point.U, point.Vt.T, self.b)
        h, model = self.loss.curvature, self.model
        c = np.einsum("jde,ej->jd", model.G, W) - (slope - model.x_mean.T * slope_b).T
        past = np.empty((MEMORY + 1, point.U.size + point.Vt.size))
        history = np.empty((MODEL_STEPS, 6))
        n_iter, _, _ = descend(
            model.G, np.ascontiguousarray(c), 0.0, point.U, point.Vt, *point.penalties,
            point.tol, MODEL_STEPS, past, 0, history,
        )  # fmt: skip
        if self.fit_intercept:
            change = point.U @ point.Vt.T - W
            self.b = self.b - slope_b / h - (model.x_mean.T * change).sum(axis=0)
        # The first step on a fresh model sees the true gradients.
        slopes = np.append(history[0, 4:], slope_b if self.fit_intercept else 0.0)
        return bool(np.abs(slopes).max() <= point.tol)

    def terms(self) -> Array:
        """The four terms of eq. (6) at the point."""
        point = self.descent
        return np.array(list(self.objective.terms(point.U, point.V, self.b).values()))

    def pack(self) -> Array:
        """The point as one vector."""
        return np.concatenate([self.descent.U.ravel(), self.descent.Vt.ravel(), self.b])

    def extrapolate(self) -> None:
        """Combine the remembered points; keep the result if the objective falls."""
        steps = np.diff(self.past, axis=0)
        M = steps @ steps.T
        M[np.diag_indices_from(M)] += 1e-12 * np.trace(M) + 1e-300
        weights = np.linalg.solve(M, np.ones(len(M)))
        if not np.isfinite(weights).all() or weights.sum() == 0.0:
            return
        trial = weights / weights.sum() @ self.past[1:]
        point = self.descent
        cut_U, cut_V = point.U.size, point.U.size + point.Vt.size
        U = trial[:cut_U].reshape(point.U.shape)
        Vt = trial[cut_U:cut_V].reshape(point.Vt.shape)
        b = trial[cut_V:]
        if self.objective.value(U, Vt.T, b) < self.terms().sum():
            point.U[:], point.Vt[:], self.b = U, Vt, b
