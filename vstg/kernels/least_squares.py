"""Compiled least squares on a given support: the quadratic model without penalties.

For given U every v_j is the solution of a small linear system on its free bases. What
is left is a function of the free entries of U alone, lowered by Gauss-Newton steps
(variable projection: the v_j follow U at once), each found by conjugate gradients. A
step that does not lower the loss is replaced by one with V fixed, which always does.

``free_U`` (D, K) and ``free_Vt`` (T, K) are true on the support.
"""

import numpy as np

from vstg.kernels.blocks import (
    model_gradient_of_task,
    model_loss,
    project,
)
from vstg.kernels.compiler import kernel
from vstg.kernels.curvature import per_task
from vstg.kernels.go_mtl import solve_positive
from vstg.kernels.rows import dot
from vstg.kernels.tasks import length

CG_STEPS = 50  # of conjugate gradients in one step, unless ...
CG_GOAL = 1e-2  # ... the squared gradient has fallen to this part
SPECK = 1e-9  # of the mean curvature: keeps a step finite where data say nothing


@kernel
def exact_step(H, g):
    """g becomes the change −H⁻¹g; entries without curvature stay.

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
def reduce_free(GUt, cj, U, free, A, b):
    """A = UᵀG_jU and b = Uᵀc_j for the free bases, zero for the others."""
    A[:] = 0.0
    b[:] = 0.0
    for r in range(b.size):
        if free[r]:
            for i in range(U.shape[0]):
                b[r] += U[i, r] * cj[i]
            for s in range(r + 1):
                if free[s]:
                    total = 0.0
                    for i in range(U.shape[0]):
                        total += GUt[r, i] * U[i, s]
                    A[r, s] = total
                    A[s, r] = total


@kernel
def best_v(A, b, v, g, H):
    """Move v_j to its optimum; returns its gradient before. g and H are scratch."""
    for r in range(v.size):
        g[r] = dot(A[r], v) - b[r]
    residual = length(g)
    H[:] = A
    exact_step(H, g)
    for r in range(v.size):
        v[r] += g[r]
    return residual


@kernel
def whiten(A, GUt, free, Q, L):
    """Rows of Q that span those of GUt, with QᵀQ = G_jU A⁻¹UᵀG_j; L is scratch."""
    for r in range(free.size):
        Q[r] = 0.0
        if not free[r]:
            continue
        left = A[r, r]
        Q[r] = GUt[r]
        for s in range(r):
            if free[s] and L[s, s] > 0.0:
                total = A[r, s]
                for q in range(s):
                    if free[q]:
                        total -= L[r, q] * L[s, q]
                L[r, s] = total / L[s, s]
                left -= L[r, s] * L[r, s]
                for e in range(Q.shape[1]):
                    Q[r, e] -= L[r, s] * Q[s, e]
            else:
                L[r, s] = 0.0
        # A basis that the others nearly span says nothing more about v_j.
        L[r, r] = np.sqrt(left) if left > 1e-10 * A[r, r] else 0.0
        if L[r, r] > 0.0:
            Q[r] /= L[r, r]
        else:
            Q[r] = 0.0


@kernel
def fit_tasks(G, c, U, Vt, R, free_Vt, Q, GUt, vectors, matrices):
    """Every v_j at its optimum for U, with R[j], and Q[j] as ``whiten`` makes it."""
    own = per_task(G)
    every = np.ones(U.shape[1], np.bool_)
    A, b = matrices[2], vectors[0]
    for j in range(Vt.shape[0]):
        if own or j == 0:
            times_used(G[j], U, free_Vt[j] if own else every, GUt)
        reduce_free(GUt, c[j], U, free_Vt[j], A, b)
        best_v(A, b, Vt[j], vectors[1], matrices[1])
        whiten(A, GUt, free_Vt[j], Q[j], matrices[1])
        model_gradient_of_task(GUt, Vt[j], c[j], R[j])
    return model_loss(c, U, Vt, R)


@kernel
def slope_of_U(R, Vt, free_U, slope):
    """The gradient (K, D) of the free entries of U; returns its largest column."""
    project(R, Vt, slope)
    top = 0.0
    for i in range(slope.shape[1]):
        square = 0.0
        for r in range(slope.shape[0]):
            if not free_U[i, r]:
                slope[r, i] = 0.0
            square += slope[r, i] * slope[r, i]
        top = max(top, square)
    return np.sqrt(top)


@kernel
def inverse_diagonal(G, Vt, scale):
    """1 / Σ_j G_j[i, i] v_jr² (K, D) where that is not zero."""
    scale[:] = 0.0
    own = per_task(G)
    for j in range(Vt.shape[0]):
        for r in range(scale.shape[0]):
            v = Vt[j, r] * Vt[j, r]
            if v != 0.0:
                for i in range(scale.shape[1]):
                    scale[r, i] += G[own * j, i, i] * v
    for r in range(scale.shape[0]):
        for i in range(scale.shape[1]):
            scale[r, i] = 1.0 / scale[r, i] if scale[r, i] > 0.0 else 0.0


@kernel
def add_times(a, x, out):
    """out += a x."""
    for e in range(x.size):
        out[e] += a * x[e]


@kernel
def times_curvature(G, Vt, Q, follows, free_U, At, w, Gw, out):
    """out = Σ_j v_j (A v_j)ᵀ(G_j − Q_jᵀQ_j) (K, D) on the free entries; At = Aᵀ.

    That is the curvature along A if V ``follows``, else without Q. w, Gw are scratch.
    """
    K, D = At.shape
    own = per_task(G)
    out[:] = 0.0
    for j in range(Vt.shape[0]):
        w[:] = 0.0
        for r in range(K):
            if Vt[j, r] != 0.0:
                add_times(Vt[j, r], At[r], w)
        Gw[:] = 0.0
        for i in range(D):
            if w[i] != 0.0:
                add_times(w[i], G[own * j, i], Gw)
        for r in range(K):
            if follows and Vt[j, r] != 0.0:
                add_times(-dot(Q[j, r], w), Q[j, r], Gw)
        for r in range(K):
            if Vt[j, r] != 0.0:
                add_times(Vt[j, r], Gw, out[r])
    for r in range(K):
        for i in range(D):
            if not free_U[i, r]:
                out[r, i] = 0.0


@kernel
def step_U(G, Vt, U, slope, Q, follows, free_U, work):
    """Conjugate gradients on the free entries of U from their gradient ``slope``."""
    left, scale, way, bend = work
    w, Gw = np.empty(U.shape[0]), np.empty(U.shape[0])
    left[:] = -slope
    inverse_diagonal(G, Vt, scale)
    way[:] = scale * left
    size = np.sum(way * left)
    goal = CG_GOAL * size
    for _ in range(CG_STEPS):
        if size <= goal:
            break
        times_curvature(G, Vt, Q, follows, free_U, way, w, Gw, bend)
        curvature = np.sum(way * bend)
        if curvature <= 0.0:
            break
        for i in range(U.shape[0]):
            for r in range(U.shape[1]):
                U[i, r] += size / curvature * way[r, i]
        left -= size / curvature * bend
        before = size
        size = np.sum(scale * left * left)
        way[:] = scale * left + size / before * way


@kernel
def descend_least_squares(
    G, c, constant, U, Vt, free_U, free_Vt, tol, max_iter, history
):
    """Minimise the model over the support from (U, V), in place.

    Each basis keeps the ratio ‖u_r‖/‖v^r‖ with which it comes: the loss does not say
    any. ``history`` is that of ``descend``. Returns (iterations done, converged).
    """
    n_tasks, D = c.shape
    K = U.shape[1]
    R, Q = np.empty((n_tasks, D)), np.empty((n_tasks, K, D))
    GUt, Bt = np.empty((K, D)), np.empty((K, D))
    vectors, matrices = np.empty((2, K)), np.empty((3, K, K))
    slope, work = np.empty((K, D)), np.empty((4, K, D))
    start_U, start_Vt = np.empty_like(U), np.empty_like(Vt)
    ratios = ratios_of(U, Vt)
    loss = fit_tasks(G, c, U, Vt, R, free_Vt, Q, GUt, vectors, matrices)
    converged = False
    done = 0
    while done < max_iter and not converged:
        it = done
        done += 1
        history[it] = 0.0
        residual = slope_of_U(R, Vt, free_U, slope)
        scale = project(c, Vt, Bt)
        history[it, 4] = residual / scale if scale > 0.0 else 0.0
        start_U[:] = U
        start_Vt[:] = Vt
        found = np.inf
        if history[it, 4] > tol:
            for follows in (True, False):
                step_U(G, Vt, U, slope, Q, follows, free_U, work)
                found = fit_tasks(G, c, U, Vt, R, free_Vt, Q, GUt, vectors, matrices)
                if found <= loss:
                    break
                U[:] = start_U
                Vt[:] = start_Vt
                fit_tasks(G, c, U, Vt, R, free_Vt, Q, GUt, vectors, matrices)
        history[it, 0] = constant + min(loss, found)
        converged = not found < loss  # nothing to gain, or no more than rounding
        loss = min(loss, found)
    keep_ratios(U, Vt, ratios)
    return done, converged


@kernel
def ratios_of(U, Vt):
    """‖u_r‖/‖v^r‖ of every basis; zero for those that are zero in U or V."""
    found = np.zeros(U.shape[1])
    for r in range(found.size):
        u = np.sqrt(np.sum(U[:, r] ** 2))
        v = np.sqrt(np.sum(Vt[:, r] ** 2))
        if u > 0.0 and v > 0.0:
            found[r] = u / v
    return found


@kernel
def keep_ratios(U, Vt, ratios):
    """Scale each basis in U against V to its ratio; W stays."""
    now = ratios_of(U, Vt)
    for r in range(now.size):
        if now[r] > 0.0 and ratios[r] > 0.0:
            s = np.sqrt(ratios[r] / now[r])
            U[:, r] *= s
            Vt[:, r] /= s


@kernel
def cut_entries(U, Vt, cut):
    """Set small entries of U and V to zero, and bases that are then idle; in place."""
    K = U.shape[1]
    lengths, used = np.zeros(K), np.zeros(K, np.bool_)
    for r in range(K):
        top = 0.0
        for i in range(U.shape[0]):
            top = max(top, abs(U[i, r]))
        for i in range(U.shape[0]):
            if abs(U[i, r]) < cut * top:
                U[i, r] = 0.0
            lengths[r] += U[i, r] * U[i, r]
        lengths[r] = np.sqrt(lengths[r])
    for j in range(Vt.shape[0]):
        top = 0.0
        for r in range(K):
            top = max(top, abs(Vt[j, r]) * lengths[r])
        for r in range(K):
            if abs(Vt[j, r]) * lengths[r] < cut * top:
                Vt[j, r] = 0.0
            used[r] |= Vt[j, r] != 0.0
    for r in range(K):
        if not used[r] or lengths[r] == 0.0:
            U[:, r] = 0.0
            Vt[:, r] = 0.0
