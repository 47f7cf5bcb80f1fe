"""Moves between bases that keep W = UV and lower the penalty.

For bases r ≠ s the shear u_r ← u_r + t u_s, v_s ← v_s − t v_r (rows of V) keeps UV.
Along t the loss is constant and the penalty of eq. (6) is convex, so a line search
finds its minimum. Plain alternation turns the bases only by tiny steps, because each
block sees the loss oppose the turn; the shear sees the penalty alone.
"""

import numpy as np

from vstg.kernels.compiler import kernel
from vstg.kernels.prox import squared_k_support_sorted

GOLDEN = 0.6180339887498949
LINE_STEPS = 6
STILL = 1e-3  # radians
BRACKET_STEPS = 5  # each four times as far: up to 4^6 first steps


@kernel
def insert(values, size, x):
    """Put x among the first ``size`` values, which descend."""
    at = size
    while at > 0 and values[at - 1] < x:
        values[at] = values[at - 1]
        at -= 1
    values[at] = x


@kernel
def split_others(Vt, r, s, k, moving, tops, sizes, rest):
    """What a shear leaves alone of the tasks that it touches; returns their number.

    ``moving`` gets v_s and v_r of each. Of its other sizes ``tops`` gets the k largest
    that are not zero (``sizes`` of them, descending) and ``rest`` the sum of those
    below: the norm asks for no more, so that a look along the line costs k, not K.
    """
    n = 0
    for j in range(Vt.shape[0]):
        if Vt[j, r] == 0.0:
            continue
        moving[n, 0] = Vt[j, s]
        moving[n, 1] = Vt[j, r]
        size = 0
        below = 0.0
        for q in range(Vt.shape[1]):
            x = abs(Vt[j, q])
            if q == s or x == 0.0:
                continue
            if size == k:
                below += min(x, tops[n, k - 1])
                x = max(x, tops[n, k - 1])
                size -= 1
            insert(tops[n], size, x)
            size += 1
        sizes[n] = size
        rest[n] = below
        n += 1
    return n


@kernel
def largest_others(U, r, highest):
    """The largest size in each row of U beside u_r, which shears of r leave alone."""
    for i in range(U.shape[0]):
        top = 0.0
        for q in range(U.shape[1]):
            if q != r:
                top = max(top, abs(U[i, q]))
        highest[i] = top


@kernel
def take_rows(U, r, s, highest, rows):
    """u_r, u_s and the largest other size of the rows that a shear touches.

    Returns their number.
    """
    n = 0
    for i in range(U.shape[0]):
        if U[i, s] != 0.0:
            rows[n, 0] = U[i, r]
            rows[n, 1] = U[i, s]
            rows[n, 2] = highest[i]
            n += 1
    return n


@kernel
def shear_penalty(t, gamma1, gamma2, mu, k, rows, moving, tops, sizes, rest, work):
    """The part of the penalty that a shear by t changes."""
    total = 0.0
    for i in range(rows.shape[0]):
        x = abs(rows[i, 0] + t * rows[i, 1])
        total += gamma1 * x + gamma2 * max(x, rows[i, 2])
    for n in range(moving.shape[0]):
        size = sizes[n]
        for q in range(size):
            work[q] = tops[n, q]
        insert(work, size, abs(moving[n, 0] - t * moving[n, 1]))
        total += mu * squared_k_support_sorted(work, size + 1, k, rest[n])
    return total


@kernel
def overlap(A, r, s):
    """Whether columns r and s have a row in which neither is zero."""
    found = False
    for i in range(A.shape[0]):
        found |= A[i, r] != 0.0 and A[i, s] != 0.0
    return found


@kernel
def best_shear(
    U, Vt, r, s, gamma1, gamma2, mu, k, highest, rows, moving, tops, sizes, rest, work
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
    n_rows = take_rows(U, r, s, highest, rows)
    n = split_others(Vt, r, s, k, moving, tops, sizes, rest)
    parts = (
        gamma1, gamma2, mu, k,
        rows[:n_rows], moving[:n], tops[:n], sizes[:n], rest[:n], work,
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
    n_tasks = Vt.shape[0]
    moving, tops = np.empty((n_tasks, 2)), np.empty((n_tasks, k))
    sizes, rest = np.empty(n_tasks, np.int64), np.empty(n_tasks)
    rows, highest = np.empty((U.shape[0], 3)), np.empty(U.shape[0])
    work = np.empty(k + 1)
    gain = 0.0
    for r in range(K):
        largest_others(U, r, highest)
        for s in range(K):
            if r != s:
                t, won = best_shear(
                    U, Vt, r, s, gamma1, gamma2, mu, k,
                    highest, rows, moving, tops, sizes, rest, work,
                )  # fmt: skip
                if won > 0.0:
                    for i in range(U.shape[0]):
                        U[i, r] += t * U[i, s]
                    for j in range(Vt.shape[0]):
                        Vt[j, s] -= t * Vt[j, r]
                    gain += won
    return gain


@kernel
def simplify_bases(A, n_sweeps):
    """Rotate the columns of A, in place, so that their squares vary most.

    The varimax criterion, pair by pair: for two columns the best angle is known
    (Kaiser 1958). Sweeps over all pairs end when none turns by more than ``STILL``.
    """
    n, K = A.shape
    for _ in range(n_sweeps):
        widest = 0.0
        for p in range(K):
            for q in range(p):
                a, b, c, d = 0.0, 0.0, 0.0, 0.0
                for i in range(n):
                    u = A[i, p] * A[i, p] - A[i, q] * A[i, q]
                    v = 2.0 * A[i, p] * A[i, q]
                    a += u
                    b += v
                    c += u * u - v * v
                    d += 2.0 * u * v
                angle = 0.25 * np.arctan2(d - 2.0 * a * b / n, c - (a * a - b * b) / n)
                widest = max(widest, abs(angle))
                cosine, sine = np.cos(angle), np.sin(angle)
                for i in range(n):
                    x, y = A[i, p], A[i, q]
                    A[i, p] = cosine * x + sine * y
                    A[i, q] = cosine * y - sine * x
        if widest <= STILL:
            break
