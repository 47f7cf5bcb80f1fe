"""The descent for thousands of tasks: work that separates by task runs on threads.

The iterations are those of :func:`vstg.kernels.descend`; only their outer loop is in
Python, where it costs little compared with thousands of tasks. The tasks are cut into a
fixed number of spans, and sums over tasks are added span by span in one order, so that
the result does not depend on the number of threads.

The threads are Python's, on kernels that release its lock, not numba's: without a
further library those must not be entered from several threads at once, as a dashboard
does.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from threadpoolctl import threadpool_info

from vstg.data import Array
from vstg.kernels.blocks import penalty_terms, project, rescale, visit_row
from vstg.kernels.certificate import possible_gain_U, possible_gains
from vstg.kernels.descent import (
    CHECKS,
    IDLE,
    SWEEPS,
    count_idle,
    extrapolate,
    note,
    remember,
    shear_or_pause,
)
from vstg.solvers.spans import Model, Span, spans_of

MANY = 2048  # tasks from which threads pay off
N_SPANS = 8


def allowed_threads() -> int:
    """As many as BLAS may use: one within a search, which has its own threads."""
    pools = [p["num_threads"] for p in threadpool_info() if p["user_api"] == "blas"]
    return max(1, min([N_SPANS, *pools])) if pools else 1


class Team:
    """Runs a function on all spans, on several threads including this one."""

    def __init__(self, executor: ThreadPoolExecutor | None, n_threads: int) -> None:
        self.executor = executor
        numbers = np.array_split(np.arange(N_SPANS), n_threads)
        self.shares = [part.tolist() for part in numbers]

    def each(self, work: Callable[..., Any], *rest: Any) -> list[Any]:
        """``work(number of the span, *rest)`` for every span, in their order."""

        def share(numbers: list[int]) -> list[Any]:
            return [work(number, *rest) for number in numbers]

        if self.executor is None:
            return share(list(range(N_SPANS)))
        mine, *others = self.shares
        waiting = [self.executor.submit(share, numbers) for numbers in others]
        parts = [share(mine), *(future.result() for future in waiting)]
        return [answer for part in parts for answer in part]


class Point:
    """(U, V) with its residuals, cut into spans."""

    def __init__(self, model: Model, U: Array, Vt: Array, team: Team) -> None:
        self.model, self.team = model, team
        self.whole = spans_of(model)
        self.U, self.Vt, self.residuals = U, Vt, self.whole.new_residuals()
        ends = np.linspace(0, len(Vt), N_SPANS + 1).astype(int).tolist()
        self.cuts = [slice(low, high) for low, high in pairwise(ends)]
        self.spans: Sequence[Span] = [
            self.whole.span(low, high, Vt, self.residuals)
            for low, high in pairwise(ends)
        ]
        D, K = U.shape
        self.parts = np.empty((N_SPANS, K + 1, K))  # of a gradient and a curvature
        self.Bts = np.empty((N_SPANS, K, D))
        self.vectors, self.matrices = np.empty((7, K)), np.empty((3, K, K))

    def refresh(self) -> None:
        """Compute the residuals from scratch."""
        self.team.each(lambda n: self.spans[n].refresh(self.U))

    def terms(self, penalties: tuple, terms: Array) -> float:
        """The four terms of eq. (6)."""
        losses = self.team.each(lambda n: self.spans[n].loss(self.U))
        terms[0] = self.whole.left_out + sum(losses)
        penalty_terms(self.U, self.Vt, *penalties, terms)
        return float(terms.sum())

    def gradients(self) -> Array:
        """The gradient (T, D) of the loss with respect to every w_j."""
        return np.concatenate(self.team.each(lambda n: self.spans[n].gradients()))

    def project(self) -> Array:
        """As :func:`vstg.kernels.blocks.project`."""
        self.team.each(self._project)
        return self.Bts.sum(axis=0)

    def _project(self, n: int) -> None:
        project(self.model.c[self.cuts[n]], self.Vt[self.cuts[n]], self.Bts[n])

    def sweep_U(self, Bt: Array, gamma1: float, gamma2: float) -> float:
        """As :func:`vstg.kernels.blocks.sweep_U`."""
        if self.model.is_shared:
            return self.whole.sweep_shared(
                self.U, self.Vt, self.residuals, Bt, gamma1, gamma2,
                self.vectors, self.matrices,
            )  # fmt: skip
        worst = 0.0
        for i in range(len(self.U)):
            self.team.each(self._sum, i)
            total = self.parts.sum(axis=0)
            moved = visit_row(
                self.U, i, total[0], total[1:], gamma1, gamma2,
                self.vectors, self.matrices,
            )  # fmt: skip
            if moved >= 0.0:
                worst = max(worst, moved)
                self.team.each(self._move, i)
        return worst

    def _sum(self, n: int, i: int) -> None:
        self.spans[n].sums(i, self.parts[n, 0], self.parts[n, 1:])

    def _move(self, n: int, i: int) -> None:
        self.spans[n].move(i, self.vectors[4])

    def pass_V(self, mu: float, k: int) -> tuple[float, float]:
        """As :func:`vstg.kernels.tasks.pass_V`."""
        found = self.team.each(lambda n: self.spans[n].solve(self.U, mu, k))
        residuals, scales = zip(*found, strict=True)
        return max(residuals), max(scales)


def descend_many(
    model: Model, U: Array, Vt: Array, *rest: Any
) -> tuple[int, int, int, bool]:
    """:func:`vstg.kernels.descend` with its arguments after the model."""
    n_threads = allowed_threads()
    if n_threads == 1:
        return _descend(model, U, Vt, Team(None, 1), *rest)
    with ThreadPoolExecutor(n_threads - 1) as executor:
        return _descend(model, U, Vt, Team(executor, n_threads), *rest)


def _descend(
    model: Model, U: Array, Vt: Array, team: Team,
    gamma1: float, gamma2: float, mu: float, k: int, tol: float, max_iter: int,
    past: Array, filled: int, pause: int, history: Array,
) -> tuple[int, int, int, bool]:  # fmt: skip
    penalties = gamma1, gamma2, mu, k
    point, terms = Point(model, U, Vt, team), np.empty(4)
    point.refresh()
    point.terms(penalties, terms)
    rescale(U, Vt, terms)
    if filled == 0:
        remember(past, 0, U, Vt)
        filled = 1
    idle = 0
    for it in range(max_iter):
        before = float(terms.sum())
        Bt = point.project()
        scale_U = float(np.sqrt((Bt * Bt).sum(axis=0).max()))
        residual_U = point.sweep_U(Bt, gamma1, gamma2)
        residual_V, scale_V = point.pass_V(mu, k)
        point.terms(penalties, terms)
        rescale(U, Vt, terms)
        idle = count_idle(idle, before, terms)
        if note(history[it], terms, residual_U, scale_U, residual_V, scale_V, tol):
            if idle >= IDLE or is_optimal(point, penalties, tol, terms):
                return it + 1, filled, pause, True
            history[it, :4] = terms
        remember(past, filled, U, Vt)
        filled += 1
        if filled == len(past):
            leap(point, penalties, past, terms)
            pause = shear_or_pause(U, Vt, *penalties, terms, pause)
            history[it, :4] = terms
            remember(past, 0, U, Vt)
            filled = 1
    return max_iter, filled, pause, False


def is_optimal(point: Point, penalties: tuple, tol: float, terms: Array) -> bool:
    """As :func:`vstg.kernels.descent.is_optimal`."""
    limit, began = tol * terms.sum(), float(terms.sum())
    U, Vt, scratch = point.U, point.Vt, np.empty_like(point.Bts[0])
    gain_U, gain_V = possible_gains(
        point.gradients(), U, Vt, *penalties, terms, scratch, point.vectors
    )
    if gain_U <= limit and gain_V <= limit:
        return True
    if gain_V > limit:
        return False
    start = U.copy(), point.residuals.copy(), terms.copy()
    for _ in range(CHECKS):
        for _ in range(SWEEPS):
            point.sweep_U(point.project(), *penalties[:2])
            if point.model.is_shared:  # else the sweep has kept the residuals
                point.refresh()
        now = point.terms(penalties, terms)
        project(point.gradients(), Vt, scratch)
        value = now - float(terms[3])
        gain_U = possible_gain_U(scratch, U, *penalties[:2], value, point.vectors)
        if began - now + gain_U <= limit:
            U[:], point.residuals[:], terms[:] = start
            return True
        if began - now > limit:
            return False
    return False


def leap(point: Point, penalties: tuple, past: Array, terms: Array) -> None:
    """Go to the extrapolated point if the objective is lower there."""
    trial = np.empty(past.shape[1])
    if not extrapolate(past, trial):
        return
    n = point.U.size
    U, Vt = trial[:n].reshape(point.U.shape), trial[n:].reshape(point.Vt.shape)
    there, its_terms = Point(point.model, U, Vt, point.team), np.empty(4)
    there.refresh()
    if there.terms(penalties, its_terms) < terms.sum():
        point.U[:], point.Vt[:], terms[:] = U, Vt, its_terms
        point.residuals[:] = there.residuals
