r"""The fast solver on wide data: a small set of variables, and a proof for the rest.

Only the variables of a working set are given to the block descent of
:mod:`vstg.solvers.fast`. When it has converged there, one pass over the data gives the
gradient :math:`g_i = \sum_j (\nabla L_j)_i v_j` of every row of U that was left out.
Such a row stays zero exactly if

.. math:: \sum_r \max(|g_{ir}| - \gamma_1, 0) \le \gamma_2,

the unit ball dual to both penalties. The rows that violate this most join the
set, rows that became zero leave it, and the descent continues from where it is. At the
end no row is further from its optimum than ``tol`` allows: the stopping rule of the
fast solver, over all variables.
"""

from dataclasses import replace
from time import perf_counter

import numpy as np

from vstg.data import Array
from vstg.data.designs import Index, transposed_times
from vstg.kernels import prox_rows
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers.fast import run_fast
from vstg.solvers.initial import (
    Start,
    factorise,
    initial_coefficients,
    simple_structure,
)
from vstg.solvers.result import Callback, Progress, SolverRun
from vstg.statistics import ZeroGradient

FIRST_ROWS = 64  # variables to begin with, and to add at least
WIDER = 4  # times as many, if the first ones led to zero
ROUGH = 1e-2  # tolerance while the set of variables still changes
MAX_ROUNDS = 50


def first_rows(problem: Problem, n_latent: int, n_rows: int) -> Index:
    """Variables to begin with: those most correlated with the main task directions.

    One half by their weight on the top K singular directions of the gradient at zero,
    the other half evenly from each of these directions, turned to simple structure, so
    that no group of tasks begins without its variables.
    """
    if n_rows >= problem.n_features:
        return np.arange(problem.n_features)
    gradient = problem.null[1]
    directions = top_directions(gradient, problem.n_tasks, n_latent)
    weights, _ = simple_structure(gradient.times(directions), directions.T)
    score = np.einsum("ir,ir->i", weights, weights)
    chosen = set(largest(score, n_rows // 2).tolist())
    order = np.argsort(-np.abs(weights), axis=0, kind="stable")
    for i in order.ravel():
        if len(chosen) >= n_rows:
            break
        chosen.add(int(i))
    return np.array(sorted(chosen), dtype=np.intp)


def top_directions(
    gradient: ZeroGradient, n_tasks: int, n_latent: int, n_turns: int = 4
) -> Array:
    """Leading directions of the tasks (T, K) in the gradient, by subspace iteration."""
    rng = np.random.default_rng(0)
    width = min(n_latent + 5, n_tasks)
    Q = np.linalg.qr(rng.normal(size=(n_tasks, width)))[0]
    for _ in range(n_turns):
        Q = np.linalg.qr(gradient.transposed_times(gradient.times(Q)))[0]
    small = gradient.times(Q)
    _, turn = np.linalg.eigh(small.T @ small)
    return (Q @ turn)[:, ::-1][:, :n_latent]


def largest(score: Array, n: int) -> Index:
    """Positions of the n largest values."""
    if n >= len(score):
        return np.arange(len(score))
    return np.argpartition(-score, n)[:n]


class WorkingSet:
    """The point, the variables in use and what has been recorded."""

    def __init__(
        self,
        problem: Problem,
        settings: Settings,
        start: Start,
        callback: Callback | None,
    ) -> None:
        self.problem = problem
        self.settings = settings
        self.U, self.V = start
        self.callback = callback
        self.intercept: Array | None = None
        self.rows: Index = np.flatnonzero(self.U.any(axis=1))
        self.runs: list[SolverRun] = []
        self.passes = 0
        self.began = perf_counter()

    def descend(
        self, tol: float, max_iter: int, *, warm: bool, number: int
    ) -> SolverRun:
        """Solve on the variables in use and move the point."""
        part = self.problem.restrict(self.rows)
        before = perf_counter() - self.began
        run = run_fast(
            part, self.settings, (self.U[self.rows], self.V),
            tol=tol, max_iter=max_iter, warm=warm,
            callback=None if self.callback is None else self.show, number=number,
            intercept=self.intercept,
        )  # fmt: skip
        history = dict(run.history, seconds=run.history["seconds"] + before)
        run = replace(run, history=history)
        self.runs.append(run)
        self.U, self.V, self.intercept = self.embed(run.U), run.V, run.intercept
        return run

    def embed(self, U: Array) -> Array:
        """Rows of the set among all rows."""
        whole = np.zeros((self.problem.n_features, U.shape[1]))
        whole[self.rows] = U
        return whole

    @property
    def n_iter(self) -> int:
        """Iterations of all descents so far."""
        return sum(len(run.history["objective"]) for run in self.runs)

    def show(self, seen: Progress) -> bool | None:
        """Pass on a look at the restricted descent as one at the whole."""
        assert self.callback is not None
        iteration = seen.iteration + self.n_iter
        return self.callback(replace(seen, iteration=iteration, U=self.embed(seen.U)))

    def excess(self) -> Array:
        """How far each row of U outside the set is from optimal, in units of ``tol``.

        That is its gradient mapping ‖prox(−g)‖, relative to the largest gradient of a
        row at U = 0; rows in the set count as zero.
        """
        run = self.runs[-1]
        part = self.problem.restrict(self.rows)
        _, slopes = part.slopes(part.margins(run.U @ run.V, run.intercept))
        g = gradient_U(self.problem, slopes, self.V)
        scale = np.linalg.norm(self.problem.null[1].times(self.V.T), axis=1).max()
        self.passes += 1
        moves = prox_rows(-g, self.settings.gamma1, self.settings.gamma2)
        lengths = np.linalg.norm(moves, axis=1)
        lengths[self.rows] = 0.0
        return lengths / scale if scale > 0 else np.zeros_like(lengths)

    def start_wider(self, n_rows: int, tol: float, max_iter: int) -> SolverRun:
        """Start again, cold, from more variables: the first start ended at zero."""
        self.runs.clear()
        self.rows, W = wide_start(self.problem, self.settings, n_rows)
        part, self.V = factorise(W, self.settings.n_latent)
        self.U = self.embed(part)
        return self.descend(tol, max_iter, warm=False, number=0)

    def finish(self, last: SolverRun, *, certified: bool) -> SolverRun:
        """All descents as one run."""
        histories = [run.history for run in self.runs]
        history = {
            name: np.concatenate([part[name] for part in histories])
            for name in last.history
        }
        D = self.problem.n_features
        reason = last.stop_reason
        if reason == "tolerance" and not certified:
            reason = "max_iter"
        form = (
            f"working set of {len(self.rows):,} of {D:,} variables, "
            f"{'certified' if certified else 'checked'} in {self.passes} passes"
        )
        return replace(last, U=self.U, history=history, stop_reason=reason, form=form)

    def renew(self, excess: Array, tol: float) -> None:
        """Rows that are zero leave the set; the worst outside join it."""
        support = np.flatnonzero(self.U.any(axis=1))
        n_new = max(FIRST_ROWS, len(support))
        joining = largest(excess, n_new)
        joining = joining[excess[joining] > tol]
        self.rows = np.union1d(support, joining)


def gradient_U(problem: Problem, slopes: list[Array], V: Array) -> Array:
    """Σ_j X_jᵀs_j v_jᵀ (D, K): one pass over the data."""
    data = problem.rows_of_data
    if data.shared_X:
        return transposed_times(data.X[0], np.column_stack(slopes) @ V.T)
    g = np.zeros((len(V), problem.n_features))
    for X, s, v in zip(data.X, slopes, V.T, strict=True):
        if v.any():
            g += v[:, None] * transposed_times(X, s)
    return np.ascontiguousarray(g.T)


def run_working_set(
    problem: Problem,
    settings: Settings,
    start: Start,
    *,
    tol: float,
    max_iter: int,
    warm: bool = False,
    callback: Callback | None = None,
    number: int = 0,
) -> SolverRun:
    """Descend on working sets until all rows of U are optimal to ``tol``."""
    state = WorkingSet(problem, settings, start, callback)
    inner = max(tol, ROUGH)
    for _ in range(MAX_ROUNDS):
        left = max_iter - state.n_iter
        run = state.descend(inner, left, warm=warm, number=number)
        all_in_use = len(state.rows) == problem.n_features
        if not (run.U.any() or warm or number or all_in_use):
            # Perhaps because there were too few variables to be worth their penalty.
            run = state.start_wider(WIDER * len(state.rows), inner, left)
        warm = True
        if run.stop_reason == "callback" or state.n_iter >= max_iter:
            return state.finish(run, certified=False)
        if not run.U.any():
            return state.finish(run, certified=True)  # no gradient leads away from zero
        excess = state.excess()
        worst = float(excess.max(initial=0.0))
        if worst <= tol and inner <= tol:
            return state.finish(run, certified=True)
        inner = min(inner, max(tol, 0.1 * worst))
        state.renew(excess, tol)
    return state.finish(run, certified=False)


def wide_start(
    problem: Problem, settings: Settings, n_rows: int
) -> tuple[Index, Array]:
    """Variables to begin with, and W^init of eqs. (7)–(8) on them."""
    rows = first_rows(problem, settings.n_latent, n_rows)
    return rows, initial_coefficients(problem.restrict(rows), settings)
