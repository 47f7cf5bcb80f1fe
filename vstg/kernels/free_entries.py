"""Compiled least squares for the free entries of U together, on the quadratic model."""

import numpy as np

from vstg.kernels.blocks import row_gradient, times_U
from vstg.kernels.compiler import kernel
from vstg.kernels.curvature import per_task
from vstg.kernels.go_mtl import solve_positive
from vstg.kernels.rows import dot
from vstg.kernels.shared import sum_products
from vstg.kernels.tasks import length

JOINT = 192  # free entries of U up to which they are solved for together
CG_STEPS = 40  # of conjugate gradients on U where they are more, unless ...
CG_GOAL = 1e-4  # ... the squared gradient has fallen to this part
SPECK = 1e-9  # of the mean curvature: keeps a step finite where data say nothing


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
