"""The compiled descent on a given support: entries outside it stay zero.

Penalised blocks are moved by the proximal steps of the other kernels with the entries
outside the support taken out of gradient and curvature. Without a penalty both blocks
are least-squares problems and are solved exactly: each v_j on its free bases, and the
free entries of U together; where those are many, by conjugate gradients.

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
    times_U,
    visit_row,
)
from vstg.kernels.compiler import kernel
from vstg.kernels.curvature import per_task
from vstg.kernels.descent import leap, note, remember
from vstg.kernels.go_mtl import solve_positive
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
from vstg.kernels.shared import sum_products
from vstg.kernels.tasks import TASK_STEPS, length, solve_task

JOINT = 192  # free entries of U up to which they are solved for together
CG_STEPS = 40  # of conjugate gradients on U where they are more, unless ...
CG_GOAL = 1e-4  # ... the squared gradient has fallen to this part
SPECK = 1e-9  # of the mean curvature: keeps a step finite where data say nothing


@kernel
def keep_free(free, g, H):
    """Take the entries that are not free out of a gradient and its curvature."""
    for r in range(g.size):
        if not free[r]:
            g[r] = 0.0
            H[r, :] = 0.0
            H[:, r] = 0.0


@kernel
def exact_step(H, g):
    """g becomes the change −H⁻¹g of the free entries; those without curvature stay.

    A speck is added to H but not to the function: it shortens the step, and where no
    step is made the gradient is zero all the same.
    """
    trace = 0.0
    for r in range(g.size):
        trace += H[r, r]
    for r in range(g.size):
        H[r, r] += SPECK * trace / g.size if H[r, r] > 0.0 else 1.0
        g[r] = -g[r]
    if trace > 0.0:
        solve_positive(H, g)
    else:
        g[:] = 0.0


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
        moved = move_U_row(U, i, g, H, gamma1, gamma2, vectors, matrices)
        if moved >= 0.0:
            residual = max(residual, moved)
            move_row(G, Vt, i, vectors[4], R)
    return residual


@kernel
def free_entries(free_U):
    """The rows of the free entries, basis after basis, and where each basis begins."""
    D, K = free_U.shape
    rows = np.empty(D * K, np.int64)
    begins = np.empty(K + 1, np.int64)
    n = 0
    for r in range(K):
        begins[r] = n
        for i in range(D):
            if free_U[i, r]:
                rows[n] = i
                n += 1
    begins[K] = n
    return rows[:n], begins


@kernel
def add_curvature(G, weight, rows_r, rows_s, H):
    """H += weight · G[rows_r, rows_s]."""
    for a in range(rows_r.size):
        for b in range(rows_s.size):
            H[a, b] += weight * G[rows_r[a], rows_s[b]]


@kernel
def joint_curvature(G, Vt, rows, begins, H):
    """H[(i, r), (l, s)] = Σ_j G_j[i, l] v_jr v_js over the free entries of U."""
    K = Vt.shape[1]
    H[:] = 0.0
    if per_task(G) == 0:
        S = np.empty((K, K))
        sum_products(Vt, S)
    for j in range(G.shape[0]):
        for r in range(K):
            of_r = slice(begins[r], begins[r + 1])
            for s in range(r + 1):
                weight = S[r, s] if per_task(G) == 0 else Vt[j, r] * Vt[j, s]
                if weight != 0.0:
                    of_s = slice(begins[s], begins[s + 1])
                    add_curvature(G[j], weight, rows[of_r], rows[of_s], H[of_r, of_s])
    for a in range(rows.size):
        for b in range(a):
            H[b, a] = H[a, b]


@kernel
def solve_free_U(G, Vt, U, R, rows, begins, H):
    """All free entries of U at their optimum; R does not follow.

    Returns the largest gradient of a row before.
    """
    D, K = U.shape
    g = np.zeros(rows.size)
    squares = np.zeros(D)
    for r in range(K):
        for a in range(begins[r], begins[r + 1]):
            for j in range(Vt.shape[0]):
                g[a] += R[j, rows[a]] * Vt[j, r]
            squares[rows[a]] += g[a] * g[a]
    joint_curvature(G, Vt, rows, begins, H)
    exact_step(H, g)
    for r in range(K):
        for a in range(begins[r], begins[r + 1]):
            U[rows[a], r] += g[a]
    return np.sqrt(squares.max())


@kernel
def times_curvature(G, Vt, free_U, A, GAt, out):
    """out = Σ_j G_j A v_j v_jᵀ on the free entries; GAt (K, D) is scratch."""
    D, K = A.shape
    out[:] = 0.0
    own = per_task(G)
    if own == 0:
        S = np.empty((K, K))
        sum_products(Vt, S)
        times_U(G[0], A, GAt)
        for i in range(D):
            for r in range(K):
                for s in range(K):
                    out[i, r] += S[r, s] * GAt[s, i]
    else:
        w, Gw = GAt[0], np.empty(D)
        for j in range(Vt.shape[0]):
            for i in range(D):
                w[i] = dot(A[i], Vt[j])
            for i in range(D):
                Gw[i] = dot(G[j, i], w)
            for r in range(K):
                v = Vt[j, r]
                if v != 0.0:
                    for i in range(D):
                        out[i, r] += v * Gw[i]
    for i in range(D):
        for r in range(K):
            if not free_U[i, r]:
                out[i, r] = 0.0


@kernel
def lower_free_U(G, Vt, U, R, free_U, GUt):
    """Conjugate gradients on the free entries of U; R does not follow.

    Each step lowers the loss. Returns the largest gradient of a row before.
    """
    D, K = U.shape
    left, scale, way, bend = np.zeros((4, D, K))
    top = 0.0
    for i in range(D):
        row_gradient(R, Vt, i, left[i])
        for r in range(K):
            left[i, r] *= -1.0 if free_U[i, r] else 0.0
            for j in range(Vt.shape[0]):
                scale[i, r] += G[per_task(G) * j, i, i] * Vt[j, r] ** 2
            scale[i, r] = 1.0 / scale[i, r] if scale[i, r] > 0.0 else 0.0
        top = max(top, length(left[i]))
    size = np.sum(scale * left * left)
    goal = CG_GOAL * size
    way[:] = scale * left
    for _ in range(CG_STEPS):
        if size <= goal:
            break
        times_curvature(G, Vt, free_U, way, GUt, bend)
        curvature = np.sum(way * bend)
        if curvature <= 0.0:
            break
        U += size / curvature * way
        left -= size / curvature * bend
        before, size = size, np.sum(scale * left * left)
        way[:] = scale * left + size / before * way
    return top


@kernel
def move_v(A, b, v, free, mu, k, vectors, matrices):
    """Move one v_j on its free bases; returns its residual."""
    keep_free(free, b, A)
    if mu > 0.0:
        return solve_task(A, b, v, mu, k, TASK_STEPS, vectors, matrices)
    g, H = vectors[1], matrices[1]
    for r in range(v.size):
        g[r] = dot(A[r], v) - b[r]
    residual = length(g)
    H[:] = A
    exact_step(H, g)
    for r in range(v.size):
        v[r] += g[r]
    return residual


@kernel
def times_used(Gj, U, used, GUt):
    """(G_j u_r)ᵀ for the bases in use."""
    for r in range(U.shape[1]):
        if used[r]:
            GUt[r] = 0.0
            for i in range(U.shape[0]):
                u = U[i, r]
                if u != 0.0:
                    for e in range(U.shape[0]):
                        GUt[r, e] += u * Gj[i, e]


@kernel
def pass_free(G, c, U, Vt, R, free_Vt, mu, k, GUt, vectors, matrices):
    """Move every v_j and with it R[j], as ``pass_V``."""
    D, K = U.shape
    A, b = matrices[2], vectors[0]
    own = per_task(G)
    every = np.ones(K, np.bool_)
    residual = 0.0
    scale = 0.0
    for j in range(Vt.shape[0]):
        used = free_Vt[j] if own else every
        if own or j == 0:
            times_used(G[j], U, used, GUt)
        A[:] = 0.0
        b[:] = 0.0
        for r in range(K):
            if free_Vt[j, r]:
                for i in range(D):
                    b[r] += U[i, r] * c[j, i]
                for s in range(r + 1):
                    if free_Vt[j, s]:
                        total = 0.0
                        for i in range(D):
                            total += GUt[r, i] * U[i, s]
                        A[r, s] = total
                        A[s, r] = total
        scale = max(scale, length(b))
        moved = move_v(A, b, Vt[j], free_Vt[j], mu, k, vectors, matrices)
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
    n_tasks, D = c.shape
    K = U.shape[1]
    R = np.empty((n_tasks, D))
    GUt, Bt = np.empty((K, D)), np.empty((K, D))
    vectors, matrices = np.empty((7, K)), np.empty((3, K, K))
    terms = np.empty(4)
    rows, begins = free_entries(free_U)
    exact = gamma1 + gamma2 == 0.0
    joint = exact and rows.size <= JOINT
    H = np.empty((rows.size, rows.size) if joint else (0, 0))
    model_gradient(G, c, U, Vt, R)
    if mu == 0.0:  # the best V for the U at hand, before U moves
        pass_free(G, c, U, Vt, R, free_Vt, mu, k, GUt, vectors, matrices)
    if filled == 0:
        remember(past, 0, U, Vt)
        filled = 1
    for it in range(max_iter):
        scale_U = project(c, Vt, Bt)
        if joint:
            residual_U = solve_free_U(G, Vt, U, R, rows, begins, H)
        elif exact:
            residual_U = lower_free_U(G, Vt, U, R, free_U, GUt)
        else:
            residual_U = sweep_free(
                G, Vt, U, R, free_U, gamma1, gamma2, vectors, matrices
            )
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
        moved = move_v(A, b, Vt[j], free_Vt[j], mu, k, vectors, matrices)
        residual = max(residual, moved)
        scale = max(scale, length(b))
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
