"""Newton steps within a face: where the penalty of a row of U or of a v_j is smooth.

A proximal step finds which entries are zero, which are tied at the maximum (rows of U)
and which the k-support norm sums up (v_j). While that does not change, the objective is
quadratic and its minimum one small linear system away, whatever its condition. A step
that would leave the face ends at its border.
"""

import numpy as np

from vstg.kernels.compiler import kernel
from vstg.kernels.prox import sort_descending, squared_k_support

SINGULAR = 1e-13  # of a diagonal entry: a pivot below it is rounding


@kernel
def solve_definite(M, x):
    """x ← M⁻¹x by Cholesky, overwriting M; False where M is singular."""
    n = x.size
    for p in range(n):
        left = M[p, p]
        for q in range(p):
            left -= M[p, q] * M[p, q]
            x[p] -= M[p, q] * x[q]
        if not left > SINGULAR * M[p, p]:
            return False
        root = np.sqrt(left)
        M[p, p] = root
        x[p] /= root
        for s in range(p + 1, n):
            for q in range(p):
                M[s, p] -= M[s, q] * M[p, q]
            M[s, p] /= root
    for p in range(n - 1, -1, -1):
        for s in range(p + 1, n):
            x[p] -= M[s, p] * x[s]
        x[p] /= M[p, p]
    return True


@kernel
def row_system(u, slope, H, gamma1, gamma2, top, lead, M, d):
    """The Newton system M d = −gradient of a row on its face.

    Entries tied at ``top`` move together: their common size is unknown ``lead``.
    """
    K = u.size
    M[:] = 0.0
    d[:] = 0.0
    for r in range(K):
        if u[r] == 0.0:
            M[r, r] = 1.0
            continue
        sign = 1.0 if u[r] > 0.0 else -1.0
        tied = lead >= 0 and abs(u[r]) == top
        at = lead if tied else r
        a = sign if tied else 1.0
        d[at] -= a * slope[r] + (gamma1 if tied else gamma1 * sign)
        for s in range(K):
            if u[s] == 0.0:
                continue
            if lead >= 0 and abs(u[s]) == top:
                M[at, lead] += a * H[r, s] * (1.0 if u[s] > 0.0 else -1.0)
            else:
                M[at, s] += a * H[r, s]
        if tied and r != lead:
            M[r, r] = 1.0
    if lead >= 0:
        d[lead] -= gamma2


@kernel
def row_room(u, d, top, lead):
    """How far along ``d`` the face reaches, at most 1."""
    t = 1.0
    for r in range(u.size):
        if u[r] == 0.0 or (lead >= 0 and abs(u[r]) == top and r != lead):
            continue
        out = d[r] if r == lead or u[r] > 0.0 else -d[r]
        if abs(u[r]) + t * out < 0.0:
            t = -abs(u[r]) / out
        if lead >= 0 and r != lead and abs(u[r]) + t * out > top + t * d[lead]:
            t = (top - abs(u[r])) / (out - d[lead])
    return max(t, 0.0)


@kernel
def newton_row(u, slope, H, gamma1, gamma2, M, d):
    """Move a row of U to the minimum of its face, or to the border on the way.

    ``slope`` is its gradient at u. Nothing happens where the system is singular.
    """
    K = u.size
    top = 0.0
    lead = -1
    for r in range(K):
        if abs(u[r]) > top:
            top = abs(u[r])
            lead = r
    if top == 0.0:
        return
    if gamma2 <= 0.0:
        lead = -1
    row_system(u, slope, H, gamma1, gamma2, top, lead, M, d)
    if not solve_definite(M, d):
        return
    t = row_room(u, d, top, lead)
    height = top + t * d[lead] if lead >= 0 else 0.0
    for r in range(K):
        if u[r] == 0.0:
            continue
        if lead >= 0 and abs(u[r]) == top:
            u[r] = height if u[r] > 0.0 else -height
            continue
        new = u[r] + t * d[r]
        if new * u[r] <= 0.0 or abs(new) <= 1e-14 * abs(u[r]):
            new = 0.0
        elif lead >= 0 and abs(new) > height * (1.0 - 1e-14):
            new = height if new > 0.0 else -height
        u[r] = new


@kernel
def split_task(v, k, work):
    """(n, tail): n entries of v_j count by their squares, the rest by their sum."""
    K = v.size
    for r in range(K):
        work[r] = abs(v[r])
    sort_descending(work)
    tail = 0.0
    for r in range(k - 1, K):
        tail += work[r]
    for p in range(k):
        last = k - p - 2
        if last < 0 or work[last] * (p + 1) > tail:
            return last + 1, tail
        tail += work[last]
    return 0, tail


@kernel
def newton_task(A, slope, v, mu, k, M, d, work):
    """d = the step of v_j to the minimum of its face; False where that is singular.

    Ends at the border where a summed entry would change its sign.
    """
    K = v.size
    n_large, tail = split_task(v, k, work)
    level = tail / (k - n_large)
    for r in range(K):
        d[r] = 0.0
        for s in range(K):
            M[r, s] = 0.0
        if v[r] == 0.0:
            M[r, r] = 1.0
            continue
        large = abs(v[r]) > level
        sign = 1.0 if v[r] > 0.0 else -1.0
        d[r] = -slope[r] - 2.0 * mu * (v[r] if large else sign * level)
        for s in range(K):
            if v[s] != 0.0:
                M[r, s] = A[r, s]
                if not large and not abs(v[s]) > level:
                    other = sign if v[s] > 0.0 else -sign
                    M[r, s] += 2.0 * mu * other / (k - n_large)
        if large:
            M[r, r] += 2.0 * mu
    if not solve_definite(M, d):
        return False
    t = 1.0
    for r in range(K):
        if v[r] != 0.0 and not abs(v[r]) > level:
            out = d[r] if v[r] > 0.0 else -d[r]
            if abs(v[r]) + t * out < 0.0:
                t = -abs(v[r]) / out
    for r in range(K):
        new = v[r] + t * d[r]
        if t < 1.0 and not abs(v[r]) > level and abs(new) <= 1e-14 * abs(v[r]):
            new = 0.0
        d[r] = new
    return True


@kernel
def gain_of_move(A, slope, v, new, mu, k, work):
    """How much lower eq. (19) is at ``new`` than at v, where its gradient is slope."""
    gain = 0.0
    for r in range(v.size):
        bend = 0.0
        for s in range(v.size):
            bend += A[r, s] * (new[s] - v[s])
        gain -= (new[r] - v[r]) * (slope[r] + 0.5 * bend)
    before = squared_k_support(v, k, work)
    return gain + mu * (before - squared_k_support(new, k, work))
