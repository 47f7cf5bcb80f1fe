"""The descent on observations, for more variables than rows: no Gram matrix.

``Z`` has one row per variable and one column per observation of all tasks; those of
task j begin at column ``first[j]``, the same one for tasks with a shared design. The
model is Σ_j ½ weight_j ‖y_j − Z_jᵀ w_j‖²; ``E`` are its residuals y_j − Z_jᵀ w_j, task
after task from ``ends[j]`` on, kept up to date as R is in the other kernels.
"""

import numpy as np

from vstg.kernels.blocks import penalty_terms, project, rescale, visit_row
from vstg.kernels.certificate import possible_gain_U, possible_gains
from vstg.kernels.compiler import kernel
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
from vstg.kernels.shared import sum_products, sum_residuals, sweep_shared_rows
from vstg.kernels.tasks import TASK_STEPS, length, solve_task


@kernel
def dot(a, b):
    """Sum of products."""
    total = 0.0
    for n in range(a.size):
        total += a[n] * b[n]
    return total


@kernel
def one_design(first):
    """Whether the tasks share their observations."""
    return first.size > 1 and first[1] == first[0]


@kernel
def times_Z(Z, low, U, P):
    """P = UᵀZ_j (K, N) over the observations from ``low`` on."""
    P[:] = 0.0
    for i in range(U.shape[0]):
        z = Z[i, low : low + P.shape[1]]
        for r in range(U.shape[1]):
            u = U[i, r]
            if u != 0.0:
                for n in range(z.size):
                    P[r, n] += u * z[n]


@kernel
def residuals_of_task(P, v, y, e):
    """e = y − Pᵀv."""
    e[:] = y
    for r in range(v.size):
        if v[r] != 0.0:
            for n in range(e.size):
                e[n] -= v[r] * P[r, n]


@kernel
def residuals(Z, first, ends, y, U, Vt, E):
    """E = y − Zᵀw, from scratch."""
    if one_design(first):
        P = np.empty((U.shape[1], ends[1] - ends[0]))
        times_Z(Z, first[0], U, P)
        for j in range(Vt.shape[0]):
            own = slice(ends[j], ends[j + 1])
            residuals_of_task(P, Vt[j], y[own], E[own])
        return
    for j in range(Vt.shape[0]):
        low, high = ends[j], ends[j + 1]
        E[low:high] = y[low:high]
        for i in range(U.shape[0]):
            w = dot(U[i], Vt[j])
            if w != 0.0:
                z = Z[i, first[j] : first[j] + high - low]
                for n in range(high - low):
                    E[low + n] -= w * z[n]


@kernel
def row_terms(ends, weight, E, U, Vt, gamma1, gamma2, mu, k, terms):
    """The four terms of eq. (6) from the residuals."""
    terms[0] = row_loss(ends, weight, E)
    penalty_terms(U, Vt, gamma1, gamma2, mu, k, terms)
    return terms.sum()


@kernel
def row_loss(ends, weight, E):
    """Σ_j ½ weight_j ‖e_j‖²."""
    loss = 0.0
    for j in range(weight.size):
        e = E[ends[j] : ends[j + 1]]
        loss += 0.5 * weight[j] * dot(e, e)
    return loss


@kernel
def row_sums(Z, first, ends, weight, squares, Vt, E, i, g, H):
    """Gradient and curvature of row i of U."""
    K = g.size
    g[:] = 0.0
    H[:] = 0.0
    for j in range(Vt.shape[0]):
        used = False
        for r in range(K):
            used |= Vt[j, r] != 0.0
        if not used:
            continue
        low, high = ends[j], ends[j + 1]
        z = Z[i, first[j] : first[j] + high - low]
        x = -weight[j] * dot(z, E[low:high])
        h = weight[j] * squares[j, i]
        for r in range(K):
            g[r] += x * Vt[j, r]
            v = h * Vt[j, r]
            if v != 0.0:
                for s in range(K):
                    H[r, s] += v * Vt[j, s]


@kernel
def move_residuals(Z, first, ends, Vt, i, change, E):
    """Bring E up to date after row i of U has changed."""
    for j in range(Vt.shape[0]):
        d = dot(change, Vt[j])
        if d != 0.0:
            low, high = ends[j], ends[j + 1]
            z = Z[i, first[j] : first[j] + high - low]
            for n in range(high - low):
                E[low + n] -= d * z[n]


@kernel
def sweep_rows(
    Z, first, ends, weight, squares, Vt, U, E, gamma1, gamma2, vectors, matrices
):
    """One pass of proximal steps over the rows of U, as ``sweep_U``."""
    g, H = vectors[0], matrices[0]
    residual = 0.0
    for i in range(U.shape[0]):
        row_sums(Z, first, ends, weight, squares, Vt, E, i, g, H)
        moved = visit_row(U, i, g, H, gamma1, gamma2, vectors, matrices)
        if moved >= 0.0:
            residual = max(residual, moved)
            move_residuals(Z, first, ends, Vt, i, vectors[4], E)
    return residual


@kernel
def pass_tasks(
    Z, first, ends, weight, y, U, Vt, E, mu, k, n_steps, P, vectors, matrices
):
    """Update every v_j and with it its residuals, as ``pass_V``; P is scratch."""
    K = Vt.shape[1]
    A, b = matrices[2], vectors[0]
    residual = 0.0
    scale = 0.0
    for j in range(Vt.shape[0]):
        own = slice(ends[j], ends[j + 1])
        Pj = P[:, : ends[j + 1] - ends[j]]
        if j == 0 or first[j] != first[j - 1]:
            # What tasks with a shared design have in common.
            times_Z(Z, first[j], U, Pj)
            for r in range(K):
                for s in range(r + 1):
                    A[r, s] = weight[j] * dot(Pj[r], Pj[s])
                    A[s, r] = A[r, s]
        for r in range(K):
            b[r] = weight[j] * dot(Pj[r], y[own])
        scale = max(scale, length(b))
        moved = solve_task(A, b, Vt[j], mu, k, n_steps, vectors, matrices)
        residual = max(residual, moved)
        residuals_of_task(Pj, Vt[j], y[own], E[own])
    return residual, scale


@kernel
def descend_rows(
    Z, first, ends, weight, squares, y, c, U, Vt, gamma1, gamma2, mu, k, tol, max_iter,
    past, filled, pause, history,
):  # fmt: skip
    """``descend`` on observations; ``c`` = weight·Zy, ``squares`` = ‖z‖² by task."""
    n_tasks = Vt.shape[0]
    K = U.shape[1]
    longest = 0
    for j in range(n_tasks):
        longest = max(longest, ends[j + 1] - ends[j])
    P, Ft = np.empty((K, longest)), np.empty((K, longest))
    E, Bt = np.empty(y.size), np.empty((K, U.shape[0]))
    vectors = np.empty((7, K))
    matrices = np.empty((3, K, K))
    terms = np.empty(4)
    residuals(Z, first, ends, y, U, Vt, E)
    row_terms(ends, weight, E, U, Vt, gamma1, gamma2, mu, k, terms)
    rescale(U, Vt, terms)
    if filled == 0:
        remember(past, 0, U, Vt)
        filled = 1
    idle = 0
    for it in range(max_iter):
        before = terms.sum()
        scale_U = project(c, Vt, Bt)
        residual_U = sweep_row_block(
            Z, first, ends, weight, squares, Vt, U, E, gamma1, gamma2, 1, Ft,
            vectors, matrices,
        )  # fmt: skip
        residual_V, scale_V = pass_tasks(
            Z, first, ends, weight, y, U, Vt, E, mu, k, TASK_STEPS, P, vectors, matrices
        )
        row_terms(ends, weight, E, U, Vt, gamma1, gamma2, mu, k, terms)
        rescale(U, Vt, terms)
        idle = count_idle(idle, before, terms)
        if note(history[it], terms, residual_U, scale_U, residual_V, scale_V, tol):
            optimal = idle >= IDLE or is_optimal_on_rows(
                Z, first, ends, weight, squares, y, U, Vt, E, gamma1, gamma2, mu, k,
                tol, terms, Ft, Bt, vectors, matrices,
            )  # fmt: skip
            if optimal:
                return it + 1, filled, pause, True
            history[it, :4] = terms
        remember(past, filled, U, Vt)
        filled += 1
        if filled == past.shape[0]:
            leap_rows(
                Z, first, ends, weight, y, U, Vt, E, gamma1, gamma2, mu, k, past, terms
            )
            pause = shear_or_pause(U, Vt, gamma1, gamma2, mu, k, terms, pause)
            history[it, :4] = terms
            remember(past, 0, U, Vt)
            filled = 1
    return max_iter, filled, pause, False


@kernel
def sweep_row_block(
    Z, first, ends, weight, squares, Vt, U, E, gamma1, gamma2, sweeps, Ft,
    vectors, matrices,
):  # fmt: skip
    """Some passes over the rows of U, as ``sweep_block``."""
    residual = 0.0
    if one_design(first):
        sum_products(Vt, matrices[2])
        sum_residuals(Vt, ends, E, Ft)
        for _ in range(sweeps):
            residual = sweep_shared_rows(
                Z, squares[0], weight[0], Ft, matrices[2], U, gamma1, gamma2,
                vectors, matrices,
            )  # fmt: skip
        return residual
    for _ in range(sweeps):
        residual = sweep_rows(
            Z, first, ends, weight, squares, Vt, U, E, gamma1, gamma2,
            vectors, matrices,
        )  # fmt: skip
    return residual


@kernel
def sweep_rows_of_U(
    Z, first, ends, weight, squares, y, c, U, Vt, gamma1, gamma2, sweeps
):
    """Passes over the rows of U alone."""
    K = U.shape[1]
    E, Ft = np.empty(y.size), np.empty((K, Z.shape[1]))
    vectors, matrices = np.empty((7, K)), np.empty((3, K, K))
    residuals(Z, first, ends, y, U, Vt, E)
    sweep_row_block(
        Z, first, ends, weight, squares, Vt, U, E, gamma1, gamma2, sweeps, Ft,
        vectors, matrices,
    )  # fmt: skip


@kernel
def gradients(Z, first, ends, weight, E):
    """R[j] = −weight_j Z_j e_j (T, D): the gradients with respect to w_j."""
    R = np.empty((weight.size, Z.shape[0]))
    for j in range(weight.size):
        low, high = ends[j], ends[j + 1]
        for i in range(Z.shape[0]):
            z = Z[i, first[j] : first[j] + high - low]
            R[j, i] = -weight[j] * dot(z, E[low:high])
    return R


@kernel
def is_optimal_on_rows(
    Z, first, ends, weight, squares, y, U, Vt, E, gamma1, gamma2, mu, k,
    tol, terms, Ft, Bt, vectors, matrices,
):  # fmt: skip
    """``is_optimal`` on observations."""
    limit = tol * terms.sum()
    gain_U, gain_V = possible_gains(
        gradients(Z, first, ends, weight, E),
        U, Vt, gamma1, gamma2, mu, k, terms, Bt, vectors,
    )  # fmt: skip
    if gain_U <= limit and gain_V <= limit:
        return True
    if gain_V > limit:
        return False
    began = terms.sum()
    start_U, start_E, start_terms = U.copy(), E.copy(), terms.copy()
    for _ in range(CHECKS):
        sweep_row_block(
            Z, first, ends, weight, squares, Vt, U, E, gamma1, gamma2, SWEEPS, Ft,
            vectors, matrices,
        )  # fmt: skip
        if one_design(first):
            residuals(Z, first, ends, y, U, Vt, E)
        now = row_terms(ends, weight, E, U, Vt, gamma1, gamma2, mu, k, terms)
        project(gradients(Z, first, ends, weight, E), Vt, Bt)
        gain_U = possible_gain_U(Bt, U, gamma1, gamma2, now - terms[3], vectors)
        if began - now + gain_U <= limit:
            U[:], E[:], terms[:] = start_U, start_E, start_terms
            return True
        if began - now > limit:
            return False
    return False


@kernel
def leap_rows(Z, first, ends, weight, y, U, Vt, E, gamma1, gamma2, mu, k, past, terms):
    """Go to the extrapolated point if the objective is lower there."""
    trial = np.empty(past.shape[1])
    if not extrapolate(past, trial):
        return
    n = U.size
    trial_U, trial_Vt = trial[:n].reshape(U.shape), trial[n:].reshape(Vt.shape)
    trial_E, trial_terms = np.empty_like(E), np.empty(4)
    residuals(Z, first, ends, y, trial_U, trial_Vt, trial_E)
    value = row_terms(
        ends, weight, trial_E, trial_U, trial_Vt, gamma1, gamma2, mu, k, trial_terms
    )
    if value < terms.sum():
        U[:] = trial_U
        Vt[:] = trial_Vt
        E[:] = trial_E
        terms[:] = trial_terms
