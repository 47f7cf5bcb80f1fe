"""Compiled updates of the rows of U on the quadratic model, and its value.

The model is Σ_j ½ w_jᵀG_j w_j − c_jᵀw_j + const with w_j = U v_j. Inside the kernels V
is kept transposed (``Vt``, task by basis) so that every v_j is contiguous, and
``R[j] = G_j w_j − c_j`` (the gradient with respect to w_j) is kept up to date.

``G`` has one matrix per task, or one matrix that all tasks share.
"""

import numpy as np

from vstg.kernels.compiler import kernel
from vstg.kernels.curvature import curvature_bound, per_task
from vstg.kernels.faces import newton_row
from vstg.kernels.prox import prox_row, squared_k_support_rows

ROW_STEPS = 8  # proximal steps on one row of U in one sweep, unless ...
CLOSE = 0.01  # ... one is this short beside the first


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
    own = per_task(G)
    H[:] = 0.0
    for j in range(Vt.shape[0]):
        x = G[own * j, i, i]
        for r in range(K):
            y = x * Vt[j, r]
            if y != 0.0:
                for s in range(K):
                    H[r, s] += y * Vt[j, s]


@kernel
def gram_row_sums(diagonal, R, Vt, i, g, H):
    """``row_gradient`` and ``row_curvature`` in one pass; ``diagonal`` is that of G."""
    K = g.size
    own = per_task(diagonal)
    g[:] = 0.0
    H[:] = 0.0
    for j in range(Vt.shape[0]):
        x = R[j, i]
        h = diagonal[own * j, i]
        for r in range(K):
            v = Vt[j, r]
            if v != 0.0:
                g[r] += x * v
                for s in range(K):
                    H[r, s] += h * v * Vt[j, s]


@kernel
def project(c, Vt, Bt):
    """Bt = Σ_j v_j c_jᵀ (K, D): minus the gradient of U where it is zero.

    Returns the length of its largest column, in which residuals are measured.
    """
    Bt[:] = 0.0
    for j in range(Vt.shape[0]):
        for r in range(Bt.shape[0]):
            v = Vt[j, r]
            if v != 0.0:
                for i in range(Bt.shape[1]):
                    Bt[r, i] += v * c[j, i]
    top = 0.0
    for i in range(Bt.shape[1]):
        square = 0.0
        for r in range(Bt.shape[0]):
            square += Bt[r, i] * Bt[r, i]
        top = max(top, square)
    return np.sqrt(top)


@kernel
def zero_row_is_optimal(g, gamma1, gamma2):
    """0 ∈ g + γ1 ∂‖·‖_1(0) + γ2 ∂‖·‖_∞(0): the excess over γ1 is at most γ2."""
    excess = 0.0
    for r in range(g.size):
        excess += max(abs(g[r]) - gamma1, 0.0)
    return excess <= gamma2


@kernel
def solve_row(U, i, g, H, gamma1, gamma2, vectors, matrices):
    """Proximal and Newton steps on row i of U; returns its residual before.

    That is L‖u − prox(u − g/L)‖. ``vectors[4]`` keeps the row as it was. A negative
    residual: nothing was done, as the row is zero and stays so.
    """
    K = U.shape[1]
    point, new, work, start = vectors[1], vectors[2], vectors[3], vectors[4]
    slope = vectors[5]
    L = curvature_bound(H, matrices[1])
    if L <= 0.0:
        # The data say nothing about this row (a constant column, or V = 0): only
        # the penalty is left, and its minimum is zero.
        if gamma1 + gamma2 > 0.0:
            U[i] = 0.0
        return -1.0
    first = 0.0
    for step in range(ROW_STEPS):
        row_slope(g, H, U[i], start, slope)
        for r in range(K):
            point[r] = U[i, r] - slope[r] / L
        prox_row(point, gamma1 / L, gamma2 / L, new, work)
        change = 0.0
        for r in range(K):
            change += (new[r] - U[i, r]) ** 2
            U[i, r] = new[r]
        change = L * np.sqrt(change)
        if step == 0:
            first = change
        if change <= CLOSE * first:
            break
        row_slope(g, H, U[i], start, slope)
        newton_row(U[i], slope, H, gamma1, gamma2, matrices[1], point)
    return first


@kernel
def row_slope(g, H, u, start, slope):
    """The gradient at u of a row whose gradient at ``start`` is g."""
    for r in range(u.size):
        slope[r] = g[r]
        for s in range(u.size):
            slope[r] += H[r, s] * (u[s] - start[s])


@kernel
def remember_row(U, i, start):
    """Copy row i; returns whether it is zero."""
    is_zero = True
    for r in range(U.shape[1]):
        start[r] = U[i, r]
        if start[r] != 0.0:
            is_zero = False
    return is_zero


@kernel
def sweep_U(G, Vt, U, R, gamma1, gamma2, vectors, matrices):
    """One pass of proximal steps over the rows of U; returns the largest row residual.

    The residual of a row is L‖u − prox(u − g/L)‖ at the moment of its visit.
    """
    n_features, K = U.shape
    g, start, H = vectors[0], vectors[4], matrices[0]
    residual = 0.0
    for i in range(n_features):
        row_gradient(R, Vt, i, g)
        is_zero = remember_row(U, i, start)
        if is_zero and zero_row_is_optimal(g, gamma1, gamma2):
            continue
        row_curvature(G, Vt, i, H)
        first = solve_row(U, i, g, H, gamma1, gamma2, vectors, matrices)
        if first < 0.0:
            continue
        residual = max(residual, first)
        for r in range(K):
            start[r] = U[i, r] - start[r]
        move_row(G, Vt, i, start, R)
    return residual


@kernel
def move_row(G, Vt, i, change, R):
    """Update R after row i of U has changed."""
    own = per_task(G)
    for j in range(Vt.shape[0]):
        d = 0.0
        for r in range(change.size):
            d += change[r] * Vt[j, r]
        if d != 0.0:
            for e in range(R.shape[1]):
                R[j, e] += d * G[own * j, i, e]


@kernel
def visit_row(U, i, g, H, gamma1, gamma2, vectors, matrices):
    """``solve_row`` unless the row is zero and stays so; ``vectors[4]`` its change."""
    start = vectors[4]
    is_zero = remember_row(U, i, start)
    if is_zero and zero_row_is_optimal(g, gamma1, gamma2):
        return -1.0
    first = solve_row(U, i, g, H, gamma1, gamma2, vectors, matrices)
    for r in range(start.size):
        start[r] = U[i, r] - start[r]
    return first


@kernel
def times_U(Gj, U, GUt):
    """GUt = (G_j U)ᵀ (K, D), four rows of G_j at a time: less to load and store."""
    n = U.shape[0]
    GUt[:] = 0.0
    for i in range(0, n - 3, 4):
        for r in range(U.shape[1]):
            a, b, c, d = U[i, r], U[i + 1, r], U[i + 2, r], U[i + 3, r]
            if a != 0.0 or b != 0.0 or c != 0.0 or d != 0.0:
                for e in range(n):
                    GUt[r, e] += (
                        a * Gj[i, e]
                        + b * Gj[i + 1, e]
                        + c * Gj[i + 2, e]
                        + d * Gj[i + 3, e]
                    )
    for i in range(n - n % 4, n):
        for r in range(U.shape[1]):
            u = U[i, r]
            if u != 0.0:
                for e in range(n):
                    GUt[r, e] += u * Gj[i, e]


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
    """R[j] = G_j U v_j − c_j, from scratch."""
    n_features, K = U.shape
    if per_task(G) == 0:
        GUt = np.empty((K, n_features))
        times_U(G[0], U, GUt)
        for j in range(Vt.shape[0]):
            model_gradient_of_task(GUt, Vt[j], c[j], R[j])
        return
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
    terms[0] = constant + model_loss(c, U, Vt, R)
    penalty_terms(U, Vt, gamma1, gamma2, mu, k, terms)
    return terms.sum()


@kernel
def model_loss(c, U, Vt, R):
    """The model without its constant."""
    n_features, K = U.shape
    loss = 0.0
    for j in range(Vt.shape[0]):
        for i in range(n_features):
            w = 0.0
            for r in range(K):
                w += U[i, r] * Vt[j, r]
            loss += 0.5 * w * (R[j, i] - c[j, i])
    return loss


@kernel
def penalty_terms(U, Vt, gamma1, gamma2, mu, k, terms):
    """The last three terms of eq. (6)."""
    l1 = 0.0
    l1_inf = 0.0
    for i in range(U.shape[0]):
        top = 0.0
        for r in range(U.shape[1]):
            x = abs(U[i, r])
            l1 += x
            top = max(top, x)
        l1_inf += top
    terms[1] = gamma1 * l1
    terms[2] = gamma2 * l1_inf
    terms[3] = mu * squared_k_support_rows(Vt, k)


@kernel
def rescale(U, Vt, terms):
    """Best scale s of (sU, V/s): it minimises s·a + b/s² and leaves W unchanged."""
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
