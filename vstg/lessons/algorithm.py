"""Lesson 5: Algorithm 1 step by step, and the fast solver for comparison.

The ADMM steps are :func:`vstg.solvers.admm.update_U` stopped after each iteration; the
FISTA steps are its own iterates, found by stopping it earlier and earlier.
"""

from dataclasses import dataclass

import numpy as np

from vstg.data import Array
from vstg.datasets import make_syn
from vstg.losses import SquaredLoss
from vstg.objective import Objective, Settings
from vstg.penalties import SquaredKSupport
from vstg.problem import Problem
from vstg.solvers.admm import RESIDUAL_TOL, Copies, QuadraticZ1, update_U
from vstg.solvers.fista import fista
from vstg.solvers.initial import factorise, initial_coefficients
from vstg.solvers.solve import solve_problem

DETAILED = 3  # outer iterations whose inner steps are all looked at
SHOWN_INNER = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89)
SHOWN_FISTA = (1, 2, 4, 8)
MAX_OUTER = 25
TOL = 1e-5
STOP = RESIDUAL_TOL  # of both residuals of ADMM, as in section 4.3 of the paper


@dataclass(frozen=True, eq=False)
class Frame:
    """One moment: what was just done, the matrices, the objective of eq. (6).

    ``phase`` is "start", "U" or "V"; ``inner`` counts ADMM or FISTA iterations of the
    half-step; ``outer`` grows from 0 by halves: a U-step ends at t − ½, a V-step at t.
    The residuals are those of the last ADMM iteration.
    """

    phase: str
    iteration: int
    inner: int
    outer: float
    U: Array
    Z1: Array
    Z2: Array
    Z3: Array
    V: Array
    objective: float
    primal: float
    dual: float


@dataclass(frozen=True, eq=False)
class FastPoint:
    """The fast solver after some iterations."""

    iteration: int
    U: Array
    V: Array
    objective: float


@dataclass(frozen=True, eq=False)
class Steps:
    """Both runs on one problem."""

    frames: tuple[Frame, ...]
    fast: tuple[FastPoint, ...]
    settings: Settings
    W_true: Array

    @property
    def last_U_step(self) -> Frame:
        """The end of the last U-step: the copies nearly agree there."""
        return next(frame for frame in reversed(self.frames) if frame.phase == "U")

    def fast_at(self, outer: float) -> FastPoint:
        """The fast solver after as many iterations as Algorithm 1 has finished."""
        done = [point for point in self.fast if point.iteration <= outer]
        return done[-1] if done else self.fast[0]


def small_problem(seed: int) -> tuple[Objective, Problem, Settings, Array]:
    """Syn2 with 10 variables, 8 tasks and 3 bases."""
    syn = make_syn(
        2, n_train=20, n_test=1, n_features=10, n_tasks=8, n_latent=3, random_state=seed
    )
    settings = Settings.checked(n_latent=3, k=2, gamma1=0.25, gamma2=0.25)
    objective = Objective(syn.train, SquaredLoss(), settings)
    problem = Problem.of(syn.train, "squared", fit_intercept=False)
    return objective, problem, settings, syn.W


def algorithm_steps(seed: int = 0) -> Steps:
    """Run both solvers on the small problem and keep what is to be seen."""
    objective, problem, settings, W_true = small_problem(seed)
    start = factorise(initial_coefficients(problem, settings), settings.n_latent)
    frames = paper_frames(objective, problem, settings, start)
    n_outer = int(frames[-1].outer)
    fast = fast_points(objective, problem, settings, start, n_outer)
    return Steps(tuple(frames), tuple(fast), settings, W_true)


def paper_frames(
    objective: Objective, problem: Problem, settings: Settings, start: tuple
) -> list[Frame]:
    """Algorithm 1 until its objective changes by less than ``TOL``."""
    U, V = start
    copies = Copies.at(U)
    value = objective.value(U, V)
    frames = [Frame("start", 0, 0, 0.0, U, U, U, U, V, value, np.nan, np.nan)]
    for t in range(1, MAX_OUTER + 1):
        half = U_frames(objective, problem, settings, copies, V, t)
        copies = half[-1][1]
        frames += _picked([frame for frame, _ in half], SHOWN_INNER, t)
        U = copies.Z2
        step = V_frames(objective, problem, settings, frames[-1], t)
        frames += _picked(step, SHOWN_FISTA, t)
        V, before, value = step[-1].V, value, step[-1].objective
        if abs(before - value) <= TOL * value:
            break
    return frames


def _picked(frames: list[Frame], shown: tuple[int, ...], t: int) -> list[Frame]:
    """Some of the inner steps early on, only the last one later."""
    last = frames[-1]
    if t > DETAILED:
        return [last]
    return [f for f in frames if f.inner in shown and f is not last] + [last]


def U_frames(
    objective: Objective,
    problem: Problem,
    settings: Settings,
    copies: Copies,
    V: Array,
    t: int,
) -> list[tuple[Frame, Copies]]:
    """Every ADMM iteration of one U-step, with the state to go on from."""
    solve_Z1 = QuadraticZ1(problem.model, V, rho=2.0)
    found: list[tuple[Frame, Copies]] = []
    converged = False
    while not converged and len(found) < 1000:
        c = copies
        U = (c.Z1 - c.Lam1 + c.Z2 - c.Lam2 + c.Z3 - c.Lam3) / 3  # eq. (11)
        step = update_U(U, copies, solve_Z1, settings, max_iter=1)
        copies, converged = step.copies, step.converged
        primal, dual, _ = step.residuals[0]
        value = objective.value(copies.Z2, V)
        inner = len(found) + 1
        frame = Frame(
            "U", t, inner, t - 1.0, U, copies.Z1, copies.Z2, copies.Z3, V, value,
            primal, dual,
        )  # fmt: skip
        found.append((frame, copies))
    return [(_at(f, t - 1 + 0.5 * f.inner / len(found)), c) for f, c in found]


def V_frames(
    objective: Objective, problem: Problem, settings: Settings, at: Frame, t: int
) -> list[Frame]:
    """FISTA iterates of one V-step; the last is where it stops."""
    U, V = at.Z2, at.V
    A = np.einsum("ir,jie,es->jrs", U, problem.model.each, U, optimize=True)
    right = (problem.model.c @ U).T
    top = np.linalg.eigvalsh(A)[:, -1].clip(min=0.0)
    start = np.where(top > 0, V, 0.0)
    prox = SquaredKSupport(settings.mu, settings.k).prox

    def run(max_iter: int) -> tuple[Array, int]:
        found = fista(
            lambda v: np.einsum("jrs,sj->rj", A, v) - right,
            prox, start, top, max_iter=max_iter,
        )  # fmt: skip
        return found.x, found.n_iter

    end, n_iter = run(1000)
    stops = [n for n in SHOWN_FISTA if n < n_iter] if t <= DETAILED else []
    points = [(n, run(n)[0]) for n in stops] + [(n_iter, end)]
    return [
        Frame(
            "V", t, n, t - 0.5 + 0.5 * n / n_iter, at.U, at.Z1, at.Z2, at.Z3, point,
            objective.value(U, point), at.primal, at.dual,
        )
        for n, point in points
    ]  # fmt: skip


def _at(frame: Frame, outer: float) -> Frame:
    return Frame(**{**frame.__dict__, "outer": outer})


def fast_points(
    objective: Objective,
    problem: Problem,
    settings: Settings,
    start: tuple,
    n_outer: int,
) -> list[FastPoint]:
    """The fast solver stopped after 1, 2, … iterations; number 0 is the start."""
    points = [FastPoint(0, start[0], start[1], objective.value(*start))]
    for n in range(1, n_outer + 1):
        fit = solve_problem(problem, settings, max_iter=n)
        points.append(FastPoint(n, fit.U, fit.V, objective.value(fit.U, fit.V)))
    return points


@dataclass(frozen=True, eq=False)
class Rescaling:
    """F(sU, V/s) over s: W and the loss stay, the penalties do not."""

    scales: Array
    price_of_u: Array
    price_of_v: Array
    loss: float
    best: float
    U: Array
    V: Array

    @property
    def stops(self) -> list[float]:
        """Scales to look at, s = 1 and the best among them."""
        some = [float(s) for s in self.scales[::4]]
        near = [s for s in some if min(abs(s - 1.0), abs(s - self.best)) > 0.02]
        return sorted({*near, 1.0, self.best})

    @property
    def total(self) -> Array:
        """The objective."""
        return self.loss + self.price_of_u + self.price_of_v

    def at(self, scale: float) -> float:
        """The objective of (sU, V/s)."""
        return self.loss + sum(self.prices(scale))

    def prices(self, scale: float) -> tuple[float, float]:
        """The penalties of sU and of V/s."""
        a, b = self.price_of_u[0] / self.scales[0], self.price_of_v * self.scales**2
        return float(a * scale), float(b[0] / scale**2)


def rescaling(frame: Frame, seed: int = 0) -> Rescaling:
    """The curve at one moment of Algorithm 1; the minimum is (2b/a)^(1/3)."""
    objective, *_ = small_problem(seed)
    terms = objective.terms(frame.Z2, frame.V)
    a, b = terms["l1"] + terms["l1_inf"], terms["k_support"]
    best = float((2 * b / a) ** (1 / 3)) if a > 0 else 1.0
    scales = np.geomspace(min(0.4, best / 2), max(2.5, best * 2), 61)
    return Rescaling(
        scales, a * scales, b / scales**2, terms["loss"], best, frame.Z2, frame.V
    )
