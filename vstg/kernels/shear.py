"""Moves between bases that leave W = UV alone and lower the penalty.

For bases r ≠ s the shear u_r ← u_r + t u_s, v_s ← v_s − t v_r (rows of V) keeps UV.
Along t the loss is constant and the penalty of eq. (6) is convex, so a line search
finds its minimum. Plain alternation turns the bases only by tiny steps, because each
block sees the loss oppose the turn; the shear sees the penalty alone.
"""

import numpy as np

from vstg.kernels.compiler import kernel
from vstg.kernels.prox import sort_descending, squared_k_support_sorted

GOLDEN = 0.6180339887498949
LINE_STEPS = 6
BRACKET_STEPS = 5  # each four times as far: up to 4^6 first steps


@kernel
def sort_others(Vt, r, s, moving, others, sizes):
    """What a shear leaves alone of the tasks that it touches; returns their number.

    ``moving`` gets v_s and v_r of each, ``others`` its other sizes as far as they are
    not zero (``sizes`` of them), which descend: a line search then sorts once and not
    at every look, and with a sparse V looks at little.
    """
    n = 0
    for j in range(Vt.shape[0]):
        if Vt[j, r] != 0.0:
            moving[n, 0] = Vt[j, s]
            moving[n, 1] = Vt[j, r]
            at = 0
            for q in range(Vt.shape[1]):
                if q != s and Vt[j, q] != 0.0:
                    others[n, at] = abs(Vt[j, q])
                    at += 1
            sort_descending(others[n, :at])
            sizes[n] = at
            n += 1
    return n


@kernel
def largest_others(U, r, tops):
    """The largest size in each row of U beside u_r, which shears of r leave alone."""
    for i in range(U.shape[0]):
        top = 0.0
        for q in range(U.shape[1]):
            if q != r:
                top = max(top, abs(U[i, q]))
        tops[i] = top


@kernel
def take_rows(U, r, s, tops, rows):
    """u_r, u_s and the top of the rows that a shear touches; returns their number."""
    n = 0
    for i in range(U.shape[0]):
        if U[i, s] != 0.0:
            rows[n, 0] = U[i, r]
            rows[n, 1] = U[i, s]
            rows[n, 2] = tops[i]
            n += 1
    return n


@kernel
def insert(others, n, size, x, out):
    """Write the ``size`` values of row n, which descend, and x among them."""
    at = size
    while at > 0 and others[n, at - 1] < x:
        out[at] = others[n, at - 1]
        at -= 1
    out[at] = x
    for q in range(at):
        out[q] = others[n, q]


@kernel
def shear_penalty(t, gamma1, gamma2, mu, k, rows, moving, others, sizes, work):
    """The part of the penalty that a shear by t changes."""
    total = 0.0
    for i in range(rows.shape[0]):
        x = abs(rows[i, 0] + t * rows[i, 1])
        total += gamma1 * x + gamma2 * max(x, rows[i, 2])
    for n in range(moving.shape[0]):
        size = sizes[n]
        insert(others, n, size, abs(moving[n, 0] - t * moving[n, 1]), work)
        total += mu * squared_k_support_sorted(work, size + 1, k)
    return total


@kernel
def overlap(A, r, s):
    """Whether columns r and s have a row in which neither is zero."""
    for i in range(A.shape[0]):
        if A[i, r] != 0.0 and A[i, s] != 0.0:
            return True
    return False


@kernel
def best_shear(
    U, Vt, r, s, gamma1, gamma2, mu, k, tops, rows, moving, others, sizes, work
):
    """(t, gain): minimise the convex penalty along t by golden section.

    Where the bases share neither variables nor tasks every t but 0 adds entries and
    takes none away: nothing is to be gained.
    """
    if not overlap(U, r, s) and not overlap(Vt, r, s):
        return 0.0, 0.0
    size_r = np.sqrt((U[:, r] ** 2).sum())
    size_s = np.sqrt((U[:, s] ** 2).sum())
    if size_r == 0.0 or size_s == 0.0:
        return 0.0, 0.0
    n = sort_others(Vt, r, s, moving, others, sizes)
    parts = (
        gamma1, gamma2, mu, k,
        rows[: take_rows(U, r, s, tops, rows)], moving[:n], others[:n], sizes[:n], work,
    )  # fmt: skip
    at_zero = shear_penalty(0.0, *parts)
    step = 1e-3 * size_r / size_s
    value = shear_penalty(step, *parts)
    if value >= at_zero:
        step = -step
        value = shear_penalty(step, *parts)
        if value >= at_zero:
            return 0.0, 0.0
    low, middle, high = 0.0, step, 4.0 * step
    for _ in range(BRACKET_STEPS):
        following = shear_penalty(high, *parts)
        if not following < value:
            break
        low, middle, value, high = middle, high, following, 4.0 * high
    a, b = low, high
    best_t, best = middle, value
    x1 = b - GOLDEN * (b - a)
    x2 = a + GOLDEN * (b - a)
    f1 = shear_penalty(x1, *parts)
    f2 = shear_penalty(x2, *parts)
    for _ in range(LINE_STEPS):
        if f1 < best:
            best_t, best = x1, f1
        if f2 < best:
            best_t, best = x2, f2
        if f1 < f2:
            b, x2, f2 = x2, x1, f1
            x1 = b - GOLDEN * (b - a)
            f1 = shear_penalty(x1, *parts)
        else:
            a, x1, f1 = x1, x2, f2
            x2 = a + GOLDEN * (b - a)
            f2 = shear_penalty(x2, *parts)
    return best_t, at_zero - best


@kernel
def shear_bases(U, Vt, gamma1, gamma2, mu, k):
    """Shear every ordered pair of bases once; returns how much the penalty fell."""
    K = U.shape[1]
    moving, others = np.empty((Vt.shape[0], 2)), np.empty((Vt.shape[0], K - 1))
    rows, sizes = np.empty((U.shape[0], 3)), np.empty(Vt.shape[0], np.int64)
    tops, work = np.empty(U.shape[0]), np.empty(K)
    gain = 0.0
    for r in range(K):
        largest_others(U, r, tops)
        for s in range(K):
            if r != s:
                t, won = best_shear(
                    U, Vt, r, s, gamma1, gamma2, mu, k,
                    tops, rows, moving, others, sizes, work,
                )  # fmt: skip
                if won > 0.0:
                    for i in range(U.shape[0]):
                        U[i, r] += t * U[i, s]
                    for j in range(Vt.shape[0]):
                        Vt[j, s] -= t * Vt[j, r]
                    gain += won
    return gain
