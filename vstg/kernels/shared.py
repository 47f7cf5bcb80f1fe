"""Rows of U where all tasks have one design: no loop over tasks for each row.

With one matrix G the gradient with respect to U is G U S − B: S = Σ_j v_j v_jᵀ and
B = Σ_j c_j v_jᵀ are summed once per sweep. With observations Z it is −Z F, where
F = weight · Σ_j e_j v_jᵀ has one row per observation. After a change of one row of U
only G U, or F, is updated; the residuals of the tasks are left to the pass over V.
"""

from vstg.kernels.blocks import visit_row
from vstg.kernels.compiler import kernel


@kernel
def sum_products(Vt, S):
    """S = Σ_j v_j v_jᵀ."""
    K = Vt.shape[1]
    S[:] = 0.0
    for j in range(Vt.shape[0]):
        for r in range(K):
            v = Vt[j, r]
            if v != 0.0:
                for s in range(K):
                    S[r, s] += v * Vt[j, s]


@kernel
def row_of_product(At, S, i, g):
    """g = (A S)_i for At = Aᵀ and a symmetric S."""
    g[:] = 0.0
    for s in range(g.size):
        a = At[s, i]
        if a != 0.0:
            for r in range(g.size):
                g[r] += a * S[s, r]


@kernel
def sweep_shared(G, GUt, Bt, S, U, gamma1, gamma2, vectors, matrices):
    """``sweep_U`` with one matrix G (D, D); GUt = (G U)ᵀ and Bt = Bᵀ (K, D)."""
    n_features, K = U.shape
    g, change, H = vectors[0], vectors[4], matrices[0]
    residual = 0.0
    for i in range(n_features):
        row_of_product(GUt, S, i, g)
        for r in range(K):
            g[r] -= Bt[r, i]
            for s in range(K):
                H[r, s] = G[i, i] * S[r, s]
        moved = visit_row(U, i, g, H, gamma1, gamma2, vectors, matrices)
        if moved < 0.0:
            continue
        residual = max(residual, moved)
        add_outer(change, G[i], GUt)
    return residual


@kernel
def add_outer(a, b, M):
    """M += a bᵀ."""
    for r in range(a.size):
        if a[r] != 0.0:
            for e in range(b.size):
                M[r, e] += a[r] * b[e]


@kernel
def sweep_shared_rows(Z, squares, weight, Ft, S, U, gamma1, gamma2, vectors, matrices):
    """``sweep_rows`` with one design; Ft = Σ_j v_j e_jᵀ (K, N), ``squares`` ‖z_i‖²."""
    K = U.shape[1]
    g, change, H = vectors[0], vectors[4], matrices[0]
    residual = 0.0
    for i in range(U.shape[0]):
        for r in range(K):
            total = 0.0
            for n in range(Z.shape[1]):
                total += Ft[r, n] * Z[i, n]
            g[r] = -weight * total
            for s in range(K):
                H[r, s] = weight * squares[i] * S[r, s]
        moved = visit_row(U, i, g, H, gamma1, gamma2, vectors, matrices)
        if moved < 0.0:
            continue
        residual = max(residual, moved)
        for r in range(K):
            vectors[1, r] = 0.0
            for s in range(K):
                vectors[1, r] -= S[r, s] * change[s]
        add_outer(vectors[1], Z[i], Ft)
    return residual


@kernel
def sum_residuals(Vt, ends, E, Ft):
    """Ft = Σ_j v_j e_jᵀ (K, N) over the residuals of all tasks."""
    Ft[:] = 0.0
    for j in range(Vt.shape[0]):
        add_outer(Vt[j], E[ends[j] : ends[j + 1]], Ft)
