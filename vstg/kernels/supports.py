"""Compiled steps of a search over supports: which entries of U and V are not zero.

All work on sums over rows: A_j = X_jᵀX_j (T, D, D) and b_j = X_jᵀy_j (T, D). The
fit of W is Σ_j w_jᵀA_j w_j − 2 b_jᵀw_j, the residual sum of squares up to a constant.
"""

import numpy as np

from vstg.kernels.compiler import kernel

SPECK = 1e-9  # of the trace, added to a diagonal that might be singular


@kernel
def add_speck(M):
    """Keep a positive semidefinite matrix invertible."""
    n = M.shape[0]
    trace = 0.0
    for p in range(n):
        trace += M[p, p]
    for p in range(n):
        M[p, p] += SPECK * trace / n + 1e-300


@kernel
def fit_of(A, b, U, V):
    """Σ_j w_jᵀA_j w_j − 2 b_jᵀw_j."""
    total = 0.0
    W = U @ V
    for j in range(V.shape[1]):
        w = W[:, j].copy()
        total += w @ (A[j] @ w) - 2.0 * (w @ b[j])
    return total


@kernel
def solve_small(M, d, x, n):
    """Solve the leading n × n system M x = d by Cholesky, in place; returns dᵀx.

    For the few bases of a task a call of LAPACK would cost more than the arithmetic.
    """
    for p in range(n):
        for q in range(p + 1):
            left = M[p, q]
            for s in range(q):
                left -= M[p, s] * M[q, s]
            if p == q:
                M[p, p] = np.sqrt(max(left, 1e-300))
            else:
                M[p, q] = left / M[q, q]
    for p in range(n):
        left = d[p]
        for s in range(p):
            left -= M[p, s] * x[s]
        x[p] = left / M[p, p]
    explained = 0.0
    for p in range(n):
        explained += x[p] * x[p]
    for p in range(n - 1, -1, -1):
        left = x[p]
        for s in range(p + 1, n):
            left -= M[s, p] * x[s]
        x[p] = left / M[p, p]
    return explained


@kernel
def task_system(A, b, U, bases, n, M, d):
    """M = U_SᵀA_jU_S with a speck, and d = U_Sᵀb_j, for the first n of ``bases``."""
    n_features = U.shape[0]
    moved = np.zeros(n_features)
    trace = 0.0
    for p in range(n):
        r = bases[p]
        moved[:] = 0.0
        d[p] = 0.0
        for i in range(n_features):
            if U[i, r] != 0.0:
                d[p] += U[i, r] * b[i]
                for h in range(n_features):
                    moved[h] += U[i, r] * A[i, h]
        for q in range(p + 1):
            total = 0.0
            for h in range(n_features):
                total += moved[h] * U[h, bases[q]]
            M[p, q] = total
        trace += M[p, p]
    for p in range(n):
        M[p, p] += SPECK * trace / n + 1e-300


@kernel
def solve_tasks(A, b, free_V, U, V):
    """Least squares for every v_j on its free bases."""
    n_latent, n_tasks = V.shape
    bases = np.empty(n_latent, np.int64)
    M, d, v = np.empty((n_latent, n_latent)), np.empty(n_latent), np.empty(n_latent)
    for j in range(n_tasks):
        n = 0
        for r in range(n_latent):
            V[r, j] = 0.0
            if free_V[r, j]:
                bases[n] = r
                n += 1
        task_system(A[j], b[j], U, bases, n, M, d)
        solve_small(M, d, v, n)
        for p in range(n):
            V[bases[p], j] = v[p]


@kernel
def entry_system(A, b, free_U, V):
    """Variable and basis of every free entry of U, and their normal equations H, g."""
    n_features, n_latent = free_U.shape
    first = np.zeros(n_latent + 1, np.int64)
    for r in range(n_latent):
        first[r + 1] = first[r] + free_U[:, r].sum()
    n = first[n_latent]
    variable, basis = np.empty(n, np.int64), np.empty(n, np.int64)
    p = 0
    for r in range(n_latent):
        for i in range(n_features):
            if free_U[i, r]:
                variable[p], basis[p] = i, r
                p += 1
    H, g = np.zeros((n, n)), np.zeros(n)
    for j in range(V.shape[1]):
        for r in range(n_latent):
            if V[r, j] == 0.0:
                continue
            for p in range(first[r], first[r + 1]):
                g[p] += V[r, j] * b[j, variable[p]]
            for s in range(r, n_latent):
                both = V[r, j] * V[s, j]
                if both == 0.0:
                    continue
                for p in range(first[r], first[r + 1]):
                    for q in range(first[s], first[s + 1]):
                        H[p, q] += both * A[j, variable[p], variable[q]]
    for p in range(n):
        for q in range(p):
            H[p, q] = H[q, p]
    add_speck(H)
    return variable, basis, H, g


@kernel
def fit_support(A, b, free_U, free_V, U, V, n_rounds, tol):
    """Alternate least squares in V and in U on a support; returns the fit.

    The columns of U end with length 1. Stops when a round gains less than ``tol``.
    """
    last = np.inf
    for _ in range(n_rounds):
        solve_tasks(A, b, free_V, U, V)
        variable, basis, H, g = entry_system(A, b, free_U, V)
        u = np.linalg.solve(H, g)
        U[:] = 0.0
        for p in range(u.size):
            U[variable[p], basis[p]] = u[p]
        for r in range(U.shape[1]):
            length = np.sqrt((U[:, r] * U[:, r]).sum())
            if length > 0.0:
                U[:, r] /= length
        now = -(g @ u)  # the fit of the best U for this V
        if last - now <= tol:
            break
        last = now
    solve_tasks(A, b, free_V, U, V)
    return fit_of(A, b, U, V)


@kernel
def pattern_fits(A, b, U, patterns):
    """(T, m) fits of each task with the bases of each pattern (m, K), U given."""
    n_tasks, m, n_latent = b.shape[0], patterns.shape[0], U.shape[1]
    fits = np.zeros((n_tasks, m))
    every, bases = np.arange(n_latent), np.empty(n_latent, np.int64)
    M, c = np.empty((n_latent, n_latent)), np.empty(n_latent)
    Q, d, v = np.empty((n_latent, n_latent)), np.empty(n_latent), np.empty(n_latent)
    for j in range(n_tasks):
        task_system(A[j], b[j], U, every, n_latent, M, c)
        for s in range(m):
            n = 0
            for r in range(n_latent):
                if patterns[s, r]:
                    bases[n] = r
                    d[n] = c[r]
                    for q in range(n + 1):
                        Q[n, q] = M[r, bases[q]]
                    n += 1
            fits[j, s] = -solve_small(Q, d, v, n)
    return fits


@kernel
def assign_patterns(costs, chosen, group_price, n_sweeps):
    """Give every task the pattern that lowers the sum of ``costs`` (T, m) and prices.

    A pattern that any task uses costs ``group_price`` once. From the tasks of a pattern
    all move to another one, or those that gain by it, until no move pays: so single
    tasks leave a group, groups split, and groups join. ``chosen`` (T,) is changed.
    """
    n_tasks, m = costs.shape
    users = np.zeros(m, np.int64)
    for j in range(n_tasks):
        users[chosen[j]] += 1
    for _ in range(n_sweeps):
        changed = False
        for old in range(m):
            if users[old] == 0:
                continue
            best, least, best_all = old, -1e-9, False
            for new in range(m):
                if new == old:
                    continue
                some, every, n = 0.0, 0.0, 0
                for j in range(n_tasks):
                    if chosen[j] == old:
                        change = costs[j, new] - costs[j, old]
                        every += change
                        if change < 0.0:
                            some += change
                            n += 1
                price = 0.0 if users[new] > 0 else group_price
                every += price - group_price
                some += price - (group_price if n == users[old] else 0.0)
                if n > 0 and some < least:
                    best, least, best_all = new, some, False
                if every < least:
                    best, least, best_all = new, every, True
            if best == old:
                continue
            changed = True
            for j in range(n_tasks):
                if chosen[j] == old and (best_all or costs[j, best] < costs[j, old]):
                    chosen[j] = best
                    users[old] -= 1
                    users[best] += 1
        if not changed:
            break


@kernel
def edit_entries(H, g, row, on, variance, price, row_price, n_edits):
    """Drop and add entries of U one by one while that pays; ``on`` is changed.

    Dropping an entry costs its Wald statistic and saves ``price``, and ``row_price``
    if it is the last of its ``row``; adding one gains its score statistic. V is fixed,
    so both are exact for the quadratic fit.
    """
    in_row = np.zeros(row.max() + 1, np.int64)
    for p in range(on.size):
        in_row[row[p]] += on[p]
    for _ in range(n_edits):
        inside, outside = np.flatnonzero(on), np.flatnonzero(~on)
        n = inside.size
        best, at = -1e-9, -1
        S, right = np.empty((n, n)), np.empty(n)
        for p in range(n):
            right[p] = g[inside[p]]
            for q in range(n):
                S[p, q] = H[inside[p], inside[q]]
        inverse = np.linalg.inv(S)
        x = inverse @ right
        for p in range(n):
            change = x[p] * x[p] / (inverse[p, p] * variance) - price
            if in_row[row[inside[p]]] == 1:
                change -= row_price
            if change < best:
                best, at = change, inside[p]
        B = np.empty((outside.size, n))
        for p in range(outside.size):
            for q in range(n):
                B[p, q] = H[outside[p], inside[q]]
        explained = B @ inverse
        for p in range(outside.size):
            slope, left = g[outside[p]], H[outside[p], outside[p]]
            room = left
            for q in range(n):
                slope -= B[p, q] * x[q]
                left -= explained[p, q] * B[p, q]
            if left <= 1e-9 * room:  # what it would add is there already
                continue
            change = price - slope * slope / (left * variance)
            if in_row[row[outside[p]]] == 0:
                change += row_price
            if change < best:
                best, at = change, outside[p]
        if at < 0:
            break
        on[at] = not on[at]
        in_row[row[at]] += 1 if on[at] else -1


def compile_supports() -> None:
    """Compile all of it."""
    A, b = np.stack([np.eye(3), np.eye(3)]), np.ones((2, 3))
    U, V = np.eye(3)[:, :2].copy(), np.ones((2, 2))
    fit_support(A, b, U != 0, V != 0, U, V, 2, 0.0)
    patterns = np.array([[True, False], [True, True]])
    fits = pattern_fits(A, b, U, patterns)
    assign_patterns(fits, np.zeros(2, np.int64), 1.0, 2)
    row, _, H, g = entry_system(A, b, np.ones((3, 2), np.bool_), V)
    edit_entries(H, g, row, np.arange(6) < 3, 1.0, 1.0, 1.0, 2)
