"""Compiled block updates of the quadratic model: rows of U, columns of V.

The model is Σ_j ½ w_jᵀG_j w_j − c_jᵀw_j + const with w_j = U v_j. Inside the kernels V
is kept transposed (``Vt``, task by basis) so that every v_j is contiguous, and
``R[j] = G_j w_j − c_j`` (the gradient with respect to w_j) is kept up to date.
"""

import numpy as np

from vstg.kernels.compiler import kernel
from vstg.kernels.prox import (
    prox_row,
    prox_squared_k_support,
    squared_k_support,
    squared_k_support_rows,
)

ROW_STEPS = 6  # proximal steps on one row of U in one sweep
TASK_STEPS = 8  # proximal steps on one v_j in one pass


@kernel
def curvature_bound(A, B):
    """Upper bound of the largest eigenvalue of the positive semidefinite A.

    ‖A⁴‖_F^(1/4) lies between λ_max and K^(1/8) λ_max; B is scratch.
    """
    n = A.shape[0]
    scale = 0.0
    for r in range(n):
        scale += A[r, r]
    if scale <= 0.0:
        return 0.0
    # A and B are symmetric: products of rows, which are contiguous, and one half.
    for r in range(n):
        for s in range(r + 1):
            total = 0.0
            for q in range(n):
                total += A[r, q] * A[s, q]
            B[r, s] = total / (scale * scale)
            B[s, r] = B[r, s]
    square = 0.0
    for r in range(n):
        for s in range(r + 1):
            total = 0.0
            for q in range(n):
                total += B[r, q] * B[s, q]
            square += total * total if s == r else 2.0 * total * total
    return scale * square**0.125


@kernel
def row_gradient(R, Vt, i, g):
    """g = Σ_j R[j, i] v_j: the gradient with respect to row i of U."""
    g[:] = 0.0
    for j in range(Vt.shape[0]):
        x = R[j, i]
        for r in range(g.size):
            g[r] += x * Vt[j, r]


@kernel
def row_curvature(G, Vt, i, H):
    """H = Σ_j G_j[i, i] v_j v_jᵀ."""
    K = Vt.shape[1]
    H[:] = 0.0
    for j in range(Vt.shape[0]):
        x = G[j, i, i]
        for r in range(K):
            y = x * Vt[j, r]
            if y != 0.0:
                for s in range(K):
                    H[r, s] += y * Vt[j, s]


@kernel
def zero_row_is_optimal(g, gamma1, gamma2):
    """0 ∈ g + γ1 ∂‖·‖_1(0) + γ2 ∂‖·‖_∞(0): the excess over γ1 is at most γ2."""
    excess = 0.0
    for r in range(g.size):
        excess += max(abs(g[r]) - gamma1, 0.0)
    return excess <= gamma2


@kernel
def sweep_U(G, Vt, U, R, gamma1, gamma2, vectors, matrices):
    """One pass of proximal steps over the rows of U; returns the largest row residual.

    The residual of a row is L‖u − prox(u − g/L)‖ at the moment of its visit.
    """
    n_features, K = U.shape
    g, point, new, work, start = (
        vectors[0],
        vectors[1],
        vectors[2],
        vectors[3],
        vectors[4],
    )
    H, B = matrices[0], matrices[1]
    residual = 0.0
    for i in range(n_features):
        row_gradient(R, Vt, i, g)
        is_zero = True
        for r in range(K):
            start[r] = U[i, r]
            if start[r] != 0.0:
                is_zero = False
        if is_zero and zero_row_is_optimal(g, gamma1, gamma2):
            continue
        row_curvature(G, Vt, i, H)
        L = curvature_bound(H, B)
        if L <= 0.0:
            # No data speaks about this row (a constant column, or V = 0): only the
            # penalty is left, and its minimum is zero.
            if gamma1 + gamma2 > 0.0:
                U[i] = 0.0
            continue
        for step in range(ROW_STEPS):
            for r in range(K):
                slope = g[r]
                for s in range(K):
                    slope += H[r, s] * (U[i, s] - start[s])
                point[r] = U[i, r] - slope / L
            prox_row(point, gamma1 / L, gamma2 / L, new, work)
            change = 0.0
            for r in range(K):
                change += (new[r] - U[i, r]) ** 2
                U[i, r] = new[r]
            change = L * np.sqrt(change)
            if step == 0:
                first = change
                residual = max(residual, change)
            if change <= 0.05 * first:
                break
        for j in range(Vt.shape[0]):
            d = 0.0
            for r in range(K):
                d += (U[i, r] - start[r]) * Vt[j, r]
            if d != 0.0:
                for e in range(n_features):
                    R[j, e] += d * G[j, i, e]
    return residual


@kernel
def reduce_task(Gj, cj, U, GUt, A, b):
    """The model seen by v_j: GUt = (G_j U)ᵀ, A = UᵀG_jU, b = Uᵀc_j."""
    n_features, K = U.shape
    GUt[:] = 0.0
    b[:] = 0.0
    for i in range(n_features):
        for r in range(K):
            u = U[i, r]
            if u != 0.0:
                b[r] += u * cj[i]
                for e in range(n_features):
                    GUt[r, e] += u * Gj[i, e]
    for r in range(K):
        for s in range(r + 1):
            total = 0.0
            for i in range(n_features):
                total += GUt[r, i] * U[i, s]
            A[r, s] = total
            A[s, r] = total


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
def pass_V(G, c, U, Vt, R, mu, k, n_steps, GUt, vectors, matrices):
    """Update every v_j and with it R[j]; returns the largest residual of a task."""
    A, b = matrices[2], vectors[0]
    residual = 0.0
    for j in range(Vt.shape[0]):
        reduce_task(G[j], c[j], U, GUt, A, b)
        residual = max(
            residual, solve_task(A, b, Vt[j], mu, k, n_steps, vectors, matrices)
        )
        model_gradient_of_task(GUt, Vt[j], c[j], R[j])
    return residual


@kernel
def model_gradient_of_task(GUt, v, cj, Rj):
    """R_j = (G_jU)v_j − c_j."""
    for e in range(cj.size):
        Rj[e] = -cj[e]
    for r in range(v.size):
        x = v[r]
        if x != 0.0:
            for e in range(cj.size):
                Rj[e] += x * GUt[r, e]


@kernel
def model_gradient(G, c, U, Vt, R):
    """R[j] = G_j U v_j − c_j, afresh."""
    n_features, K = U.shape
    for j in range(Vt.shape[0]):
        for e in range(n_features):
            R[j, e] = -c[j, e]
        for i in range(n_features):
            w = 0.0
            for r in range(K):
                w += U[i, r] * Vt[j, r]
            if w != 0.0:
                for e in range(n_features):
                    R[j, e] += w * G[j, i, e]


@kernel
def model_terms(c, constant, U, Vt, R, gamma1, gamma2, mu, k, terms):
    """The four terms of eq. (6) for the model, from R: loss, l1, l1,∞, k-support."""
    n_features, K = U.shape
    loss = constant
    for j in range(Vt.shape[0]):
        for i in range(n_features):
            w = 0.0
            for r in range(K):
                w += U[i, r] * Vt[j, r]
            loss += 0.5 * w * (R[j, i] - c[j, i])
    l1 = 0.0
    l1_inf = 0.0
    for i in range(n_features):
        top = 0.0
        for r in range(K):
            x = abs(U[i, r])
            l1 += x
            top = max(top, x)
        l1_inf += top
    terms[0] = loss
    terms[1] = gamma1 * l1
    terms[2] = gamma2 * l1_inf
    terms[3] = mu * squared_k_support_rows(Vt, k)
    return terms[0] + terms[1] + terms[2] + terms[3]


@kernel
def rescale(U, Vt, terms):
    """Best scale s of (sU, V/s): it minimises s·a + b/s² and leaves W alone."""
    a = terms[1] + terms[2]
    b = terms[3]
    if a <= 0.0 or b <= 0.0:
        return
    s = (2.0 * b / a) ** (1.0 / 3.0)
    U *= s
    Vt /= s
    terms[1] *= s
    terms[2] *= s
    terms[3] /= s * s
