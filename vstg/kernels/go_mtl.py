"""Compiled steps of GO-MTL, W = L S, on the quadratic model of the tasks.

A task is a row of ``St``; ``R[j] = G_j L s_j − c_j`` is kept up to date.
"""

import numpy as np

from vstg.kernels.baselines import PRECISION, SWEEPS, l1_descent, task_gradient
from vstg.kernels.blocks import model_gradient_of_task, project
from vstg.kernels.compiler import kernel
from vstg.kernels.curvature import per_task
from vstg.kernels.shared import add_outer, row_of_product, sum_products
from vstg.kernels.tasks import reduce_matrix, reduce_vector


@kernel
def descend_go_mtl(G, c, L, St, gamma1, gamma2, n_steps):
    """Alternate for W = L S: LASSO in each s_j, ridge in the rows of L, best bases."""
    n_tasks, n_features = c.shape
    K = L.shape[1]
    R = np.empty((n_tasks, n_features))
    GLt, A, b, r = np.empty((K, n_features)), np.empty((K, K)), np.empty(K), np.empty(K)
    threshold = np.full(K, gamma1)
    own = per_task(G)
    for _ in range(n_steps):
        for j in range(n_tasks):
            if own or j == 0:
                reduce_matrix(G[j], L, GLt, A)
            reduce_vector(c[j], L, b)
            task_gradient(A, b, St[j], r)
            l1_descent(A, St[j], r, threshold, 0.0, SWEEPS, PRECISION)
            model_gradient_of_task(GLt, St[j], c[j], R[j])
        if own:
            sweep_L(G, St, L, R, gamma2, A, b)
        else:
            sweep_shared_L(G[0], GLt, c, St, L, gamma2, A, b)
        shear_bases_l1_ridge(L, St, gamma1, gamma2)
        balance_bases(L, St, gamma1, gamma2)


@kernel
def sweep_L(G, St, L, R, gamma2, H, g):
    """One pass of exact ridge steps over the rows of L; H and g are scratch."""
    n_tasks, K = St.shape
    for i in range(L.shape[0]):
        H[:] = 0.0
        g[:] = 0.0
        for j in range(n_tasks):
            for r in range(K):
                x = St[j, r]
                if x != 0.0:
                    g[r] -= R[j, i] * x
                    x *= G[j, i, i]
                    for s in range(K):
                        H[r, s] += x * St[j, s]
        if ridge_step(L, i, gamma2, H, g):
            for j in range(n_tasks):
                d = 0.0
                for r in range(K):
                    d += g[r] * St[j, r]
                if d != 0.0:
                    for e in range(L.shape[0]):
                        R[j, e] += d * G[j, i, e]


@kernel
def sweep_shared_L(G, GLt, c, St, L, gamma2, H, g):
    """The same with one matrix for all tasks; see ``vstg.kernels.shared``."""
    K = L.shape[1]
    S, Bt = np.empty((K, K)), np.empty(GLt.shape)
    sum_products(St, S)
    project(c, St, Bt)
    for i in range(L.shape[0]):
        row_of_product(GLt, S, i, g)
        for r in range(K):
            g[r] = Bt[r, i] - g[r]
            for s in range(K):
                H[r, s] = G[i, i] * S[r, s]
        if ridge_step(L, i, gamma2, H, g):
            add_outer(g, G[i], GLt)


@kernel
def ridge_step(L, i, gamma2, H, g):
    """Move row i of L to its optimum; g, minus its gradient, becomes the change.

    False if neither data nor a ridge speak about the row.
    """
    trace = 0.0
    for r in range(g.size):
        g[r] -= 2.0 * gamma2 * L[i, r]
        H[r, r] += 2.0 * gamma2
        trace += H[r, r]
    if trace <= 0.0:
        return False
    for r in range(g.size):
        H[r, r] += 1e-14 * trace  # bases that no task uses, without a ridge
    solve_positive(H, g)
    for r in range(g.size):
        L[i, r] += g[r]
    return True


@kernel
def solve_positive(H, x):
    """x ← H⁻¹x for a positive definite H, which is overwritten (Cholesky)."""
    n = x.size
    for p in range(n):
        for q in range(p):
            H[p, p] -= H[p, q] * H[p, q]
            x[p] -= H[p, q] * x[q]
        H[p, p] = np.sqrt(H[p, p])
        x[p] /= H[p, p]
        for s in range(p + 1, n):
            for q in range(p):
                H[s, p] -= H[s, q] * H[p, q]
            H[s, p] /= H[p, p]
    for p in range(n - 1, -1, -1):
        for s in range(p + 1, n):
            x[p] -= H[s, p] * x[s]
        x[p] /= H[p, p]


@kernel
def balance_bases(L, St, gamma1, gamma2):
    """Best s_r of (L_r/s_r, s_r S^r): it minimises γ1 s‖S^r‖_1 + γ2‖L_r‖²/s²."""
    for r in range(L.shape[1]):
        a = gamma1 * np.abs(St[:, r]).sum()
        b = gamma2 * (L[:, r] ** 2).sum()
        if a > 0.0 and b > 0.0:
            s = (2.0 * b / a) ** (1.0 / 3.0)
            L[:, r] /= s
            St[:, r] *= s
        elif gamma1 > 0.0 and gamma2 > 0.0:
            # One factor is zero, so the other only costs.
            L[:, r] = 0.0
            St[:, r] = 0.0


@kernel
def shear_bases_l1_ridge(L, St, gamma1, gamma2):
    """Best t of (L_q + tL_p, S^p − tS^q) for all pairs of bases; W stays as it is.

    Alternation alone turns the bases so slowly that it seems to have converged.
    """
    K = L.shape[1]
    if gamma1 <= 0.0 or gamma2 <= 0.0:
        return
    for p in range(K):
        for q in range(K):
            if p == q:
                continue
            cross = 0.0
            square = 0.0
            for i in range(L.shape[0]):
                cross += L[i, p] * L[i, q]
                square += L[i, p] * L[i, p]
            if square <= 0.0:
                continue
            t = best_shear_l1_ridge(
                St[:, p], St[:, q], gamma1, 2.0 * gamma2 * cross, 2.0 * gamma2 * square
            )
            if t != 0.0:
                for i in range(L.shape[0]):
                    L[i, q] += t * L[i, p]
                for j in range(St.shape[0]):
                    # An entry that decided t becomes an exact zero.
                    shift = t * St[j, q]
                    left = St[j, p] - shift
                    St[j, p] = left if abs(left) > 1e-13 * abs(shift) else 0.0


@kernel
def best_shear_l1_ridge(a, b, gamma, slope, curvature):
    """argmin over t of γ‖a − tb‖_1 + slope·t + ½curvature·t²."""
    knots = np.empty(a.size)
    weights = np.empty(a.size)
    n = 0
    # The derivative left of all knots; each knot passed adds twice its weight.
    for j in range(a.size):
        if b[j] != 0.0:
            knots[n] = a[j] / b[j]
            weights[n] = gamma * abs(b[j])
            slope -= weights[n]
            n += 1
    for at in np.argsort(knots[:n]):
        if slope + curvature * knots[at] >= 0.0:
            break  # the root lies before this knot
        slope += 2.0 * weights[at]
        if slope + curvature * knots[at] >= 0.0:
            return knots[at]
    return -slope / curvature
