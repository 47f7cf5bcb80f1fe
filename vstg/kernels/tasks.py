"""Compiled updates of the columns of V on the quadratic model; see ``blocks``."""

import numpy as np

from vstg.kernels.blocks import CLOSE, model_gradient_of_task, times_U
from vstg.kernels.compiler import kernel
from vstg.kernels.curvature import curvature_bound, per_task
from vstg.kernels.faces import gain_of_move, newton_task
from vstg.kernels.prox import prox_squared_k_support

TASK_STEPS = 8  # proximal steps on one v_j in one pass


@kernel
def reduce_matrix(Gj, U, GUt, A):
    """GUt = (G_j U)ᵀ and A = UᵀG_jU."""
    times_U(Gj, U, GUt)
    for r in range(U.shape[1]):
        for s in range(r + 1):
            total = 0.0
            for i in range(U.shape[0]):
                total += GUt[r, i] * U[i, s]
            A[r, s] = total
            A[s, r] = total


@kernel
def reduce_vector(cj, U, b):
    """b = Uᵀc_j."""
    b[:] = 0.0
    for i in range(U.shape[0]):
        for r in range(U.shape[1]):
            b[r] += U[i, r] * cj[i]


@kernel
def task_slope(A, b, v, slope):
    """The gradient of ½vᵀAv − bᵀv."""
    for r in range(v.size):
        slope[r] = -b[r]
        for s in range(v.size):
            slope[r] += A[r, s] * v[s]


@kernel
def solve_task(A, b, v, mu, k, n_steps, vectors, matrices):
    """Proximal and Newton steps on v_j (eq. 19), which never go up.

    Returns the residual L‖v − prox(v − ∇/L)‖ at the start.
    """
    K = v.size
    point, new, work, slope = vectors[1], vectors[2], vectors[3], vectors[4]
    L = curvature_bound(A, matrices[1])
    if L <= 0.0:
        # U = 0 for this task: the penalty alone remains.
        if mu > 0.0:
            v[:] = 0.0
        return 0.0
    first = 0.0
    for step in range(n_steps):
        task_slope(A, b, v, slope)
        for r in range(K):
            point[r] = v[r] - slope[r] / L
        prox_squared_k_support(point, 2.0 * mu / L, k, new, work)
        change = 0.0
        for r in range(K):
            change += (new[r] - v[r]) ** 2
            v[r] = new[r]
        change = L * np.sqrt(change)
        if step == 0:
            first = change
        if change <= CLOSE * first:
            break
        task_slope(A, b, v, slope)
        solved = newton_task(A, slope, v, mu, k, matrices[1], new, work)
        if solved and gain_of_move(A, slope, v, new, mu, k, work) > 0.0:
            v[:] = new
    return first


@kernel
def length(x):
    """Euclidean norm."""
    total = 0.0
    for r in range(x.size):
        total += x[r] * x[r]
    return np.sqrt(total)


@kernel
def pass_V(G, c, U, Vt, R, mu, k, n_steps, GUt, vectors, matrices):
    """Update every v_j and with it R[j].

    Returns the largest residual of a task, and the largest gradient that a v_j has
    where it is zero, in which residuals are measured.
    """
    A, b = matrices[2], vectors[0]
    own = per_task(G)
    residual = 0.0
    scale = 0.0
    for j in range(Vt.shape[0]):
        if own or j == 0:
            reduce_matrix(G[j], U, GUt, A)
        reduce_vector(c[j], U, b)
        scale = max(scale, length(b))
        residual = max(
            residual, solve_task(A, b, Vt[j], mu, k, n_steps, vectors, matrices)
        )
        model_gradient_of_task(GUt, Vt[j], c[j], R[j])
    return residual, scale
