"""The compiled descent on a given support: entries outside it stay zero.

Penalised blocks are moved by the proximal steps of the other kernels with the entries
outside the support taken out of gradient and curvature. Without penalties see
``least_squares``; on observations rows of U and v_j are then solved for in turn.

``free_U`` (D, K) and ``free_Vt`` (T, K) are true on the support.
"""

import numpy as np

from vstg.kernels.blocks import (
    model_gradient,
    model_gradient_of_task,
    model_terms,
    move_row,
    project,
    rescale,
    row_curvature,
    row_gradient,
    visit_row,
)
from vstg.kernels.compiler import kernel
from vstg.kernels.curvature import per_task
from vstg.kernels.descent import leap, note, remember
from vstg.kernels.least_squares import (
    best_v,
    descend_least_squares,
    exact_step,
    reduce_free,
    times_used,
)
from vstg.kernels.rows import (
    dot,
    leap_rows,
    move_residuals,
    residuals,
    residuals_of_task,
    row_sums,
    row_terms,
    times_Z,
)
from vstg.kernels.tasks import TASK_STEPS, length, solve_task


@kernel
def keep_free(free, g, H):
    """Take the entries that are not free out of a gradient and its curvature."""
    for r in range(g.size):
        if not free[r]:
            g[r] = 0.0
            H[r, :] = 0.0
            H[:, r] = 0.0


@kernel
def move_U_row(U, i, g, H, gamma1, gamma2, vectors, matrices):
    """Move row i of U, leaving its change in ``vectors[4]``; returns its residual."""
    if gamma1 + gamma2 > 0.0:
        return visit_row(U, i, g, H, gamma1, gamma2, vectors, matrices)
    change = vectors[4]
    residual = length(g)
    change[:] = g
    exact_step(H, change)
    for r in range(change.size):
        U[i, r] += change[r]
    return residual


@kernel
def sweep_free(G, Vt, U, R, free_U, gamma1, gamma2, vectors, matrices):
    """One pass over the rows of U; returns the largest residual of a row."""
    g, H = vectors[0], matrices[0]
    residual = 0.0
    for i in range(U.shape[0]):
        row_gradient(R, Vt, i, g)
        row_curvature(G, Vt, i, H)
        keep_free(free_U[i], g, H)
        moved = visit_row(U, i, g, H, gamma1, gamma2, vectors, matrices)
        if moved >= 0.0:
            residual = max(residual, moved)
            move_row(G, Vt, i, vectors[4], R)
    return residual


@kernel
def move_v(A, b, v, mu, k, vectors, matrices):
    """Move one v_j, on whose free bases A and b are; returns its residual."""
    if mu > 0.0:
        return solve_task(A, b, v, mu, k, TASK_STEPS, vectors, matrices)
    return best_v(A, b, v, vectors[1], matrices[1])


@kernel
def pass_free(G, c, U, Vt, R, free_Vt, mu, k, GUt, vectors, matrices):
    """Move every v_j and with it R[j], as ``pass_V``."""
    A, b = matrices[2], vectors[0]
    own = per_task(G)
    every = np.ones(U.shape[1], np.bool_)
    residual = 0.0
    scale = 0.0
    for j in range(Vt.shape[0]):
        if own or j == 0:
            times_used(G[j], U, free_Vt[j] if own else every, GUt)
        reduce_free(GUt, c[j], U, free_Vt[j], A, b)
        scale = max(scale, length(b))
        moved = solve_task(A, b, Vt[j], mu, k, TASK_STEPS, vectors, matrices)
        residual = max(residual, moved)
        model_gradient_of_task(GUt, Vt[j], c[j], R[j])
    return residual, scale


@kernel
def descend_free(
    G, c, constant, U, Vt, free_U, free_Vt, gamma1, gamma2, mu, k, tol, max_iter,
    past, filled, history,
):  # fmt: skip
    """Minimise the model and the penalties over the support from (U, V), in place.

    Arguments and returns are those of ``descend``, without shears: they would leave
    the support.
    """
    if gamma1 + gamma2 + mu == 0.0:
        done, converged = descend_least_squares(
            G, c, constant, U, Vt, free_U, free_Vt, tol, max_iter, history
        )
        return done, 0, converged
    n_tasks, D = c.shape
    K = U.shape[1]
    R = np.empty((n_tasks, D))
    GUt, Bt = np.empty((K, D)), np.empty((K, D))
    vectors, matrices = np.empty((7, K)), np.empty((3, K, K))
    terms = np.empty(4)
    model_gradient(G, c, U, Vt, R)
    if filled == 0:
        remember(past, 0, U, Vt)
        filled = 1
    for it in range(max_iter):
        scale_U = project(c, Vt, Bt)
        residual_U = sweep_free(G, Vt, U, R, free_U, gamma1, gamma2, vectors, matrices)
        residual_V, scale_V = pass_free(
            G, c, U, Vt, R, free_Vt, mu, k, GUt, vectors, matrices
        )
        model_terms(c, constant, U, Vt, R, gamma1, gamma2, mu, k, terms)
        rescale(U, Vt, terms)
        if note(history[it], terms, residual_U, scale_U, residual_V, scale_V, tol):
            return it + 1, filled, True
        remember(past, filled, U, Vt)
        filled += 1
        if filled == past.shape[0]:
            leap(G, c, constant, U, Vt, R, gamma1, gamma2, mu, k, past, terms)
            history[it, :4] = terms
            remember(past, 0, U, Vt)
            filled = 1
    return max_iter, filled, False


@kernel
def sweep_free_rows(
    Z, first, ends, weight, squares, Vt, U, E, free_U, gamma1, gamma2, vectors, matrices
):
    """``sweep_free`` on observations."""
    g, H = vectors[0], matrices[0]
    residual = 0.0
    for i in range(U.shape[0]):
        row_sums(Z, first, ends, weight, squares, Vt, E, i, g, H)
        keep_free(free_U[i], g, H)
        moved = move_U_row(U, i, g, H, gamma1, gamma2, vectors, matrices)
        if moved >= 0.0:
            residual = max(residual, moved)
            move_residuals(Z, first, ends, Vt, i, vectors[4], E)
    return residual


@kernel
def pass_free_rows(
    Z, first, ends, weight, y, U, Vt, E, free_Vt, mu, k, P, vectors, matrices
):
    """``pass_free`` on observations."""
    K = Vt.shape[1]
    A, b = matrices[2], vectors[0]
    residual = 0.0
    scale = 0.0
    for j in range(Vt.shape[0]):
        own = slice(ends[j], ends[j + 1])
        Pj = P[:, : ends[j + 1] - ends[j]]
        if j == 0 or first[j] != first[j - 1]:
            times_Z(Z, first[j], U, Pj)
        for r in range(K):
            b[r] = weight[j] * dot(Pj[r], y[own])
            for s in range(r + 1):
                A[r, s] = weight[j] * dot(Pj[r], Pj[s])
                A[s, r] = A[r, s]
        keep_free(free_Vt[j], b, A)
        scale = max(scale, length(b))
        moved = move_v(A, b, Vt[j], mu, k, vectors, matrices)
        residual = max(residual, moved)
        residuals_of_task(Pj, Vt[j], y[own], E[own])
    return residual, scale


@kernel
def descend_free_rows(
    Z, first, ends, weight, squares, y, c, U, Vt, free_U, free_Vt,
    gamma1, gamma2, mu, k, tol, max_iter, past, filled, history,
):  # fmt: skip
    """``descend_free`` on observations."""
    K = U.shape[1]
    longest = 0
    for j in range(Vt.shape[0]):
        longest = max(longest, ends[j + 1] - ends[j])
    P, E = np.empty((K, longest)), np.empty(y.size)
    Bt = np.empty((K, U.shape[0]))
    vectors, matrices = np.empty((7, K)), np.empty((3, K, K))
    terms = np.empty(4)
    residuals(Z, first, ends, y, U, Vt, E)
    if mu == 0.0:
        pass_free_rows(
            Z, first, ends, weight, y, U, Vt, E, free_Vt, mu, k, P, vectors, matrices
        )
    if filled == 0:
        remember(past, 0, U, Vt)
        filled = 1
    for it in range(max_iter):
        scale_U = project(c, Vt, Bt)
        residual_U = sweep_free_rows(
            Z, first, ends, weight, squares, Vt, U, E, free_U, gamma1, gamma2,
            vectors, matrices,
        )  # fmt: skip
        residual_V, scale_V = pass_free_rows(
            Z, first, ends, weight, y, U, Vt, E, free_Vt, mu, k, P, vectors, matrices
        )
        row_terms(ends, weight, E, U, Vt, gamma1, gamma2, mu, k, terms)
        rescale(U, Vt, terms)
        if note(history[it], terms, residual_U, scale_U, residual_V, scale_V, tol):
            return it + 1, filled, True
        remember(past, filled, U, Vt)
        filled += 1
        if filled == past.shape[0]:
            leap_rows(
                Z, first, ends, weight, y, U, Vt, E, gamma1, gamma2, mu, k, past, terms
            )
            history[it, :4] = terms
            remember(past, 0, U, Vt)
            filled = 1
    return max_iter, filled, False
