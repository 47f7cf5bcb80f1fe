"""Compiled steps of the baselines on the quadratic model Σ_j ½w_jᵀG_j w_j − c_jᵀw_j.

As in the other kernels a task is a row (``Wt``, ``Bt``, ``St``), so that its
coefficients are contiguous, and ``r = G_j w_j − c_j`` is kept up to date.
"""

import numpy as np

from vstg.kernels.compiler import kernel
from vstg.kernels.curvature import per_task

SWEEPS = 10  # coordinate sweeps inside one block of an alternation
RELAXATION = 1.6  # over-relaxation of the splitting, anything in (0, 2)
BALANCE_EVERY = 5  # iterations between two checks of the splitting's step
PRECISION = 1e-2  # of an inner solve, relative to its first change


@kernel
def task_gradient(Gj, cj, w, r):
    """r = G_j w − c_j, from scratch."""
    for e in range(w.size):
        r[e] = -cj[e]
    for i in range(w.size):
        x = w[i]
        if x != 0.0:
            for e in range(w.size):
                r[e] += x * Gj[i, e]


@kernel
def l1_descent(A, x, r, threshold, ridge, n_sweeps, precision):
    """Coordinate descent on ½xᵀ(A + ridge·I)x − bᵀx + Σ_i t_i|x_i|, in place.

    ``r`` is the gradient of the smooth part. Sweeps over the non-zero coordinates
    alternate with full ones, until a full one changes no gradient by more than
    ``precision`` times what the first did.
    """
    full = True
    limit = -1.0
    for _ in range(n_sweeps):
        change = 0.0
        for i in range(x.size):
            old = x[i]
            h = A[i, i] + ridge
            if h <= 0.0 or (not full and old == 0.0):
                continue
            z = h * old - r[i]
            size = abs(z) - threshold[i]
            new = 0.0
            if size > 0.0:
                new = size / h if z > 0.0 else -size / h
            d = new - old
            if d != 0.0:
                x[i] = new
                change = max(change, h * abs(d))
                for e in range(x.size):
                    r[e] += d * A[i, e]
                r[i] += d * ridge
        if limit < 0.0:
            limit = precision * change
        if change <= limit:
            if full:
                return
            full = True
        else:
            full = False


@kernel
def descend_lasso(G, c, Wt, threshold, n_sweeps, precision):
    """Minimise ½w_jᵀG_j w_j − c_jᵀw_j + Σ_i t_i|w_ij| for every task, in place."""
    r = np.empty(Wt.shape[1])
    own = per_task(G)
    for j in range(Wt.shape[0]):
        task_gradient(G[own * j], c[j], Wt[j], r)
        l1_descent(G[own * j], Wt[j], r, threshold, 0.0, n_sweeps, precision)


@kernel
def shrink_singular_values(A, threshold):
    """prox of threshold·‖·‖_*, by the eigenvectors of the smaller Gram matrix."""
    wide = A.shape[0] <= A.shape[1]
    gram = A @ A.T if wide else A.T @ A
    values, Q = np.linalg.eigh(gram)
    scaled = np.zeros_like(Q)
    for r in range(values.size):
        sigma = np.sqrt(max(values[r], 0.0))
        if sigma > threshold:
            scaled[:, r] = (1.0 - threshold / sigma) * Q[:, r]
    filter_ = scaled @ Q.T
    return filter_ @ A if wide else A @ filter_


@kernel
def descend_l1_trace(values, Q, c, Wt, A, Z, Y, rho, gamma1, gamma2, n_steps):
    """ADMM on loss(X) + γ1‖W‖_1 + γ2‖Z‖_* with X = W = Z, in place.

    A and Y are the multipliers of W and Z. With G_j = Q_j diag(values_j) Q_jᵀ the first
    block is solved exactly for any ρ: coordinate descent would stop short where G_j is
    ill-conditioned, and the splitting runs wild on poor solves. Returns ρ, which
    balances the two residuals.
    """
    X = np.empty_like(Wt)
    own = per_task(Q)
    for step in range(n_steps):
        for j in range(len(X)):
            pull = c[j] + rho * (Wt[j] + Z[j]) - A[j] - Y[j]
            turned = (Q[own * j].T @ pull) / (values[own * j] + 2.0 * rho)
            X[j] = Q[own * j] @ turned
        ahead = RELAXATION * X + (1.0 - RELAXATION) * Wt + A / rho
        new_W = np.sign(ahead) * np.maximum(np.abs(ahead) - gamma1 / rho, 0.0)
        A[:] = rho * (ahead - new_W)
        ahead = RELAXATION * X + (1.0 - RELAXATION) * Z + Y / rho
        new_Z = shrink_singular_values(ahead, gamma2 / rho)
        Y[:] = rho * (ahead - new_Z)
        dual = rho * np.sqrt(((new_W - Wt) ** 2).sum() + ((new_Z - Z) ** 2).sum())
        primal = np.sqrt(((X - new_W) ** 2).sum() + ((X - new_Z) ** 2).sum())
        Wt[:] = new_W
        Z[:] = new_Z
        if (step + 1) % BALANCE_EVERY == 0:
            size_W = np.sqrt(2.0 * max((X**2).sum(), (Z**2).sum()))
            size_Y = np.sqrt((A**2).sum() + (Y**2).sum())
            left, right = primal * size_Y, dual * size_W
            if left > 0.0 and right > 0.0:
                rho *= min(max(np.sqrt(left / right), 0.2), 5.0)
    return rho


@kernel
def descend_mmtfl(G, c, Bt, scale, gamma1, gamma2, n_steps):
    """Alternate for W = diag(c)B: LASSO in B, non-negative ridge in c, best row scales.

    ``scale`` is the vector c of the model, since ``c`` is taken.
    """
    n_tasks, n_features = Bt.shape
    R = np.empty((n_tasks, n_features))
    own = per_task(G)
    threshold = np.empty(n_features)
    w = np.empty(n_features)
    for _ in range(n_steps):
        for i in range(n_features):
            threshold[i] = gamma1 / scale[i] if scale[i] > 0.0 else np.inf
        for j in range(n_tasks):
            w[:] = scale * Bt[j]
            task_gradient(G[own * j], c[j], w, R[j])
            l1_descent(G[own * j], w, R[j], threshold, 0.0, SWEEPS, PRECISION)
            for i in range(n_features):
                Bt[j, i] = w[i] / scale[i] if scale[i] > 0.0 else 0.0
        sweep_scale(G, Bt, scale, R, gamma2)
        balance_rows(Bt, scale, gamma1, gamma2)


@kernel
def sweep_scale(G, Bt, scale, R, gamma2):
    """One pass of exact coordinate steps on c ≥ 0, B fixed."""
    n_tasks, n_features = Bt.shape
    own = per_task(G)
    for i in range(n_features):
        slope = 2.0 * gamma2 * scale[i]
        h = 2.0 * gamma2
        for j in range(n_tasks):
            slope += Bt[j, i] * R[j, i]
            h += Bt[j, i] ** 2 * G[own * j, i, i]
        if h <= 0.0:
            continue
        d = max(scale[i] - slope / h, 0.0) - scale[i]
        if d == 0.0:
            continue
        scale[i] += d
        for j in range(n_tasks):
            x = d * Bt[j, i]
            if x != 0.0:
                for e in range(n_features):
                    R[j, e] += x * G[own * j, i, e]


@kernel
def balance_rows(Bt, scale, gamma1, gamma2):
    """Best s_i of (c_i/s_i, s_i b^i): it minimises γ1 s‖b^i‖_1 + γ2 c_i²/s²."""
    for i in range(scale.size):
        a = 0.0
        for j in range(Bt.shape[0]):
            a += abs(Bt[j, i])
        a *= gamma1
        b = gamma2 * scale[i] ** 2
        if a > 0.0 and b > 0.0:
            s = (2.0 * b / a) ** (1.0 / 3.0)
            scale[i] /= s
            for j in range(Bt.shape[0]):
                Bt[j, i] *= s
        elif gamma1 > 0.0 and gamma2 > 0.0:
            # One factor is zero, so the other only costs.
            scale[i] = 0.0
            for j in range(Bt.shape[0]):
                Bt[j, i] = 0.0
