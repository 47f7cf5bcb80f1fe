"""Compiled updates of the columns of V on the quadratic model; see ``blocks``."""

import numpy as np

from vstg.kernels.blocks import model_gradient_of_task, times_U
from vstg.kernels.compiler import kernel
from vstg.kernels.curvature import curvature_bound, per_task
from vstg.kernels.prox import prox_squared_k_support, squared_k_support

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
def task_value(A, b, v, mu, k, work):
    """½vᵀAv − bᵀv + μ(‖v‖_k^sp)²."""
    total = 0.0
    for r in range(v.size):
        slope = 0.0
        for s in range(v.size):
            slope += A[r, s] * v[s]
        total += v[r] * (0.5 * slope - b[r])
    return total + mu * squared_k_support(v, k, work)


@kernel
def task_step(A, b, at, L, mu, k, point, new, work):
    """One proximal gradient step of v_j from ``at``."""
    for r in range(at.size):
        slope = -b[r]
        for s in range(at.size):
            slope += A[r, s] * at[s]
        point[r] = at[r] - slope / L
    prox_squared_k_support(point, 2.0 * mu / L, k, new, work)


@kernel
def solve_task(A, b, v, mu, k, n_steps, vectors, matrices):
    """Accelerated proximal gradient on v_j (eq. 19), never ending higher than it began.

    Returns the residual L‖v − prox(v − ∇/L)‖ at the start.
    """
    K = v.size
    point, new, work = vectors[1], vectors[2], vectors[3]
    start, ahead, first = vectors[4], vectors[5], vectors[6]
    L = curvature_bound(A, matrices[1])
    if L <= 0.0:
        # U = 0 for this task: the penalty alone remains.
        if mu > 0.0:
            v[:] = 0.0
        return 0.0
    start[:] = v
    task_step(A, b, v, L, mu, k, point, new, work)
    residual = 0.0
    for r in range(K):
        residual += (new[r] - v[r]) ** 2
        first[r] = new[r]
        v[r] = new[r]
        ahead[r] = new[r]
    residual = np.sqrt(residual)
    momentum = 1.0
    for _ in range(n_steps - 1):
        task_step(A, b, ahead, L, mu, k, point, new, work)
        change = 0.0
        turn = 0.0
        for r in range(K):
            d = new[r] - v[r]
            change += d * d
            turn += (ahead[r] - new[r]) * d
        if turn > 0.0:  # momentum points uphill: restart it
            momentum = 1.0
        following = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * momentum * momentum))
        beta = (momentum - 1.0) / following
        momentum = following
        for r in range(K):
            ahead[r] = new[r] + beta * (new[r] - v[r])
            v[r] = new[r]
        if np.sqrt(change) <= 0.01 * residual:
            break
    if task_value(A, b, v, mu, k, work) > task_value(A, b, first, mu, k, work):
        v[:] = first  # a plain step cannot go up
    return L * residual


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
