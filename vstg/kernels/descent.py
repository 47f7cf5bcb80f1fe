"""The compiled outer loop: sweep U, solve V, rescale, extrapolate."""

import numpy as np

from vstg.kernels.blocks import (
    model_gradient,
    model_terms,
    penalty_terms,
    project,
    rescale,
    sweep_U,
    times_U,
)
from vstg.kernels.certificate import possible_gain_U, possible_gains
from vstg.kernels.compiler import kernel
from vstg.kernels.curvature import per_task
from vstg.kernels.shared import sum_products, sweep_shared
from vstg.kernels.shear import shear_bases
from vstg.kernels.tasks import TASK_STEPS, pass_V

MEMORY = 5  # steps combined in one extrapolation
WORTHWHILE = 1e-4  # relative gain of a round of shears below which the next ...
PAUSE = 6  # ... rounds are left out
CHECKS = 8  # of the bound on what U could gain, after ...
SWEEPS = 4  # ... so many passes over its rows each
NOTHING = 1e-15  # of the objective: what rounding makes of no gain
IDLE = 4  # iterations without any gain after which no more is to be had


@kernel
def solve_small(M, x):
    """Solve M x = 1 by elimination with pivoting; False when M is singular."""
    n = x.size
    x[:] = 1.0
    for p in range(n):
        best = p
        for q in range(p + 1, n):
            if abs(M[q, p]) > abs(M[best, p]):
                best = q
        if abs(M[best, p]) == 0.0:
            return False
        if best != p:
            for s in range(n):
                M[p, s], M[best, s] = M[best, s], M[p, s]
            x[p], x[best] = x[best], x[p]
        for q in range(p + 1, n):
            f = M[q, p] / M[p, p]
            for s in range(p, n):
                M[q, s] -= f * M[p, s]
            x[q] -= f * x[p]
    for p in range(n - 1, -1, -1):
        for s in range(p + 1, n):
            x[p] -= M[p, s] * x[s]
        x[p] /= M[p, p]
    return True


@kernel
def extrapolate(past, out):
    """Anderson's combination of the last iterates, whose steps nearly cancel.

    Exact zeros and ties |u_ir| = |u_is| shared by all iterates survive, as the
    combination is linear. False when the steps do not determine it.
    """
    n_steps = past.shape[0] - 1
    M = np.empty((n_steps, n_steps))
    trace = 0.0
    for a in range(n_steps):
        for b in range(a + 1):
            total = 0.0
            for q in range(past.shape[1]):
                total += (past[a + 1, q] - past[a, q]) * (past[b + 1, q] - past[b, q])
            M[a, b] = total
            M[b, a] = total
        trace += M[a, a]
    for a in range(n_steps):
        M[a, a] += 1e-12 * trace
    weights = np.empty(n_steps)
    if not solve_small(M, weights):
        return False
    total = weights.sum()
    if not np.isfinite(total) or total == 0.0:
        return False
    out[:] = 0.0
    for a in range(n_steps):
        for q in range(past.shape[1]):
            out[q] += weights[a] / total * past[a + 1, q]
    return True


@kernel
def remember(past, slot, U, Vt):
    """Write (U, V) into one row of the memory."""
    n = U.size
    past[slot, :n] = U.reshape(-1)
    past[slot, n:] = Vt.reshape(-1)


@kernel
def note(row, terms, residual_U, scale_U, residual_V, scale_V, tol):
    """Write an iteration into the history; returns whether both blocks are done."""
    row[:4] = terms
    row[4] = residual_U / scale_U if scale_U > 0.0 else 0.0
    row[5] = residual_V / scale_V if scale_V > 0.0 else 0.0
    return row[4] <= tol and row[5] <= tol


@kernel
def count_idle(idle, before, terms):
    """Iterations in a row that gained nothing."""
    now = terms.sum()
    return idle + 1 if before - now <= NOTHING * abs(now) else 0


@kernel
def descend(
    G, c, constant, U, Vt, gamma1, gamma2, mu, k, tol, max_iter,
    past, filled, pause, history,
):  # fmt: skip
    """Minimise eq. (6) for the quadratic model from (U, V), in place.

    Parameters
    ----------
    past, filled : memory of iterates for the extrapolation, kept between calls.
    pause : rounds of shears to leave out before the next.
    history : (max_iter, 6) array, filled with the four terms and the two residuals
        (relative to the gradients at zero) of each iteration.

    Returns
    -------
    (iterations done, rows of ``past`` in use, ``pause``, converged)
    """
    n_tasks, n_features = c.shape
    K = U.shape[1]
    R = np.empty((n_tasks, n_features))
    GUt, Bt = np.empty((K, n_features)), np.empty((K, n_features))
    vectors = np.empty((7, K))
    matrices = np.empty((3, K, K))
    terms = np.empty(4)
    model_gradient(G, c, U, Vt, R)
    model_terms(c, constant, U, Vt, R, gamma1, gamma2, mu, k, terms)
    rescale(U, Vt, terms)
    if filled == 0:
        remember(past, 0, U, Vt)
        filled = 1
    idle = 0
    for it in range(max_iter):
        before = terms.sum()
        scale_U = project(c, Vt, Bt)
        residual_U = sweep_block(
            G, Vt, U, R, gamma1, gamma2, 1, GUt, Bt, vectors, matrices
        )
        residual_V, scale_V = pass_V(
            G, c, U, Vt, R, mu, k, TASK_STEPS, GUt, vectors, matrices
        )
        model_terms(c, constant, U, Vt, R, gamma1, gamma2, mu, k, terms)
        rescale(U, Vt, terms)
        idle = count_idle(idle, before, terms)
        if note(history[it], terms, residual_U, scale_U, residual_V, scale_V, tol):
            optimal = idle >= IDLE or is_optimal(
                G, c, constant, U, Vt, R, gamma1, gamma2, mu, k, tol, terms,
                GUt, Bt, vectors, matrices,
            )  # fmt: skip
            if optimal:
                return it + 1, filled, pause, True
            history[it, :4] = terms
        remember(past, filled, U, Vt)
        filled += 1
        if filled == past.shape[0]:
            leap(G, c, constant, U, Vt, R, gamma1, gamma2, mu, k, past, terms)
            pause = shear_or_pause(U, Vt, gamma1, gamma2, mu, k, terms, pause)
            history[it, :4] = terms
            remember(past, 0, U, Vt)
            filled = 1
    return max_iter, filled, pause, False


@kernel
def sweep_block(G, Vt, U, R, gamma1, gamma2, sweeps, GUt, Bt, vectors, matrices):
    """Some passes over the rows of U; returns the residual of the last.

    With one matrix for all tasks R is left to the pass over V; Bt is Σ_j v_j c_jᵀ.
    """
    residual = 0.0
    if per_task(G):
        for _ in range(sweeps):
            residual = sweep_U(G, Vt, U, R, gamma1, gamma2, vectors, matrices)
        return residual
    sum_products(Vt, matrices[2])
    times_U(G[0], U, GUt)
    for _ in range(sweeps):
        residual = sweep_shared(
            G[0], GUt, Bt, matrices[2], U, gamma1, gamma2, vectors, matrices
        )
    return residual


@kernel
def sweep_matrices(G, c, constant, U, Vt, gamma1, gamma2, sweeps):
    """Passes over the rows of U alone."""
    K, n_features = U.shape[1], U.shape[0]
    R = np.empty(c.shape)
    GUt, Bt = np.empty((K, n_features)), np.empty((K, n_features))
    vectors, matrices = np.empty((7, K)), np.empty((3, K, K))
    model_gradient(G, c, U, Vt, R)
    project(c, Vt, Bt)
    sweep_block(G, Vt, U, R, gamma1, gamma2, sweeps, GUt, Bt, vectors, matrices)


@kernel
def is_optimal(
    G, c, constant, U, Vt, R, gamma1, gamma2, mu, k, tol, terms,
    GUt, Bt, vectors, matrices,
):  # fmt: skip
    """Whether neither block alone could lower the objective by more than ``tol`` of it.

    For U the bound at the point may be far from sharp. Then U is moved towards its
    optimum for the given V: from there the bound is sharper, and what U has gained on
    the way is known. If the answer is no, U stays where it has come to.
    """
    limit = tol * terms.sum()
    gain_U, gain_V = possible_gains(R, U, Vt, gamma1, gamma2, mu, k, terms, Bt, vectors)
    if gain_U <= limit and gain_V <= limit:
        return True
    if gain_V > limit:
        return False
    began = terms.sum()
    start_U, start_R, start_terms = U.copy(), R.copy(), terms.copy()
    for _ in range(CHECKS):
        project(c, Vt, Bt)
        sweep_block(G, Vt, U, R, gamma1, gamma2, SWEEPS, GUt, Bt, vectors, matrices)
        if per_task(G) == 0:
            model_gradient(G, c, U, Vt, R)
        now = model_terms(c, constant, U, Vt, R, gamma1, gamma2, mu, k, terms)
        project(R, Vt, Bt)
        gain_U = possible_gain_U(Bt, U, gamma1, gamma2, now - terms[3], vectors)
        if began - now + gain_U <= limit:
            U[:], R[:], terms[:] = start_U, start_R, start_terms
            return True
        if began - now > limit:
            return False
    return False


@kernel
def leap(G, c, constant, U, Vt, R, gamma1, gamma2, mu, k, past, terms):
    """Go to the extrapolated point if the objective is lower there."""
    trial = np.empty(past.shape[1])
    if not extrapolate(past, trial):
        return
    n = U.size
    trial_U, trial_Vt = trial[:n].reshape(U.shape), trial[n:].reshape(Vt.shape)
    trial_R, trial_terms = np.empty_like(R), np.empty(4)
    model_gradient(G, c, trial_U, trial_Vt, trial_R)
    value = model_terms(
        c, constant, trial_U, trial_Vt, trial_R, gamma1, gamma2, mu, k, trial_terms
    )
    if value < terms.sum():
        U[:] = trial_U
        Vt[:] = trial_Vt
        R[:] = trial_R
        terms[:] = trial_terms


@kernel
def shear_or_pause(U, Vt, gamma1, gamma2, mu, k, terms, pause):
    """Shear the bases, unless that recently gained little; returns the new ``pause``.

    A shear keeps W and with it the loss and its gradient.
    """
    if pause > 0:
        return pause - 1
    before = terms.sum()
    gain = shear_bases(U, Vt, gamma1, gamma2, mu, k)
    penalty_terms(U, Vt, gamma1, gamma2, mu, k, terms)
    return PAUSE if gain < WORTHWHILE * before else 0
