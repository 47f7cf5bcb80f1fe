"""Compiled proximal operators of one row of U and one column of V.

Every function writes into ``out`` and works on vectors of length K, which is small
(the number of latent bases), so insertion sort beats anything cleverer.
"""

import numpy as np

from vstg.kernels.compiler import kernel

NEGLIGIBLE = 1e-100  # relative size below which an entry is as good as zero


@kernel
def sort_descending(values):
    """Sort in place; insertion sort, because K is about ten."""
    for i in range(1, values.size):
        x = values[i]
        j = i - 1
        while j >= 0 and values[j] < x:
            values[j + 1] = values[j]
            j -= 1
        values[j + 1] = x


@kernel
def soft_threshold(x, t, out):
    """argmin_p t‖p‖_1 + ½‖p − x‖²."""
    for r in range(x.size):
        if x[r] > t:
            out[r] = x[r] - t
        elif x[r] < -t:
            out[r] = x[r] + t
        else:
            out[r] = 0.0


@kernel
def prox_l_inf(x, t, out, work):
    """argmin_p t‖p‖_∞ + ½‖p − x‖²: x minus its projection on the l1 ball of radius t.

    That is to clip |x| at the level where what is cut off sums to t.
    """
    n = x.size
    total = 0.0
    for r in range(n):
        work[r] = abs(x[r])
        total += work[r]
    if total <= t:
        out[:] = 0.0
        return
    sort_descending(work)
    level = 0.0
    cumulative = 0.0
    for r in range(n):
        cumulative += work[r]
        level = (cumulative - t) / (r + 1)
        if r + 1 == n or level >= work[r + 1]:
            break
    for r in range(n):
        out[r] = min(max(x[r], -level), level)


@kernel
def prox_row(x, t1, t2, out, work):
    """argmin_p t1‖p‖_1 + t2‖p‖_∞ + ½‖p − x‖²: leaves of the tree, then its root."""
    soft_threshold(x, t1, out)
    if t2 > 0.0:
        prox_l_inf(out, t2, out, work)


@kernel
def k_support_weights(a, shift, k):
    """Return α with Σ_i clip(α a_i − shift, 0, 1) = k for ``a`` sorted descending.

    The sum grows piecewise linearly in α. An entry begins to count at shift/a_i and is
    full at (shift + 1)/a_i; both sequences ascend, so one merge finds the right piece.
    Needs more than k positive entries, none of them negligible.
    """
    n = a.size
    started, full = 0, 0
    alpha = 0.0
    while full < n:
        # Summed from scratch: differences would leave rounding where entries of very
        # different size come and go.
        slope = 0.0
        for i in range(full, started):
            slope += a[i]
        value = full + alpha * slope - shift * (started - full)
        can_start = started < n and a[started] > 0.0
        starts = can_start and shift * a[full] <= (shift + 1.0) * a[started]
        knot = shift / a[started] if starts else (shift + 1.0) / a[full]
        if value + slope * (knot - alpha) >= k:
            # On a plateau at k every α will do.
            return alpha + max(k - value, 0.0) / slope if slope > 0.0 else alpha
        alpha = knot
        if starts:
            started += 1
        else:
            full += 1
    return alpha


@kernel
def prox_squared_k_support(x, shift, k, out, work):
    """argmin_p (shift/2)(‖p‖_k^sp)² + ½‖p − x‖².

    With θ the weights in [0, 1] that sum to k, the answer is x_i θ_i / (θ_i + shift);
    with at most k non-zero entries all weights are one: plain ridge shrinkage.
    """
    n = x.size
    if shift <= 0.0:
        out[:] = x
        return
    top = 0.0
    for r in range(n):
        top = max(top, abs(x[r]))
    positive = 0
    for r in range(n):
        work[r] = abs(x[r])
        if work[r] > NEGLIGIBLE * top:
            positive += 1
        else:
            work[r] = 0.0  # its knots would overflow
    if positive <= k:
        for r in range(n):
            out[r] = x[r] / (1.0 + shift)
        return
    sort_descending(work)
    alpha = k_support_weights(work, shift, k)
    for r in range(n):
        theta = min(max(alpha * abs(x[r]) - shift, 0.0), 1.0)
        out[r] = x[r] * theta / (theta + shift)


@kernel
def squared_k_support(x, k, work):
    """(‖x‖_k^sp)² by the closed form of Proposition 2.1."""
    for r in range(x.size):
        work[r] = abs(x[r])
    sort_descending(work)
    return squared_k_support_sorted(work, x.size, k, 0.0)


@kernel
def squared_k_support_sorted(work, n, k, rest):
    """The same for the first n sizes, which descend; zeros may be left out.

    Of more than k + 1 sizes the smallest may come as their sum, ``rest``.
    """
    if n <= k:
        total = 0.0
        for r in range(n):
            total += work[r] * work[r]
        return total
    # tail = Σ_{l ≥ k−p} |x|↓_l, head = Σ_{l < k−p} (|x|↓_l)², for p = 0, 1, …
    tail = rest
    for r in range(k - 1, n):
        tail += work[r]
    head = 0.0
    for r in range(k - 1):
        head += work[r] * work[r]
    for p in range(k):
        last = k - p - 2  # 0-based index of |x|↓_{k−p−1}
        if last < 0 or work[last] * (p + 1) > tail:
            return head + tail * tail / (p + 1)
        tail += work[last]
        head -= work[last] * work[last]
    return head


@kernel
def prox_rows(A, t1, t2):
    """``prox_row`` of every row of a matrix."""
    out = np.empty_like(A)
    work = np.empty(A.shape[1])
    for i in range(A.shape[0]):
        prox_row(A[i], t1, t2, out[i], work)
    return out


@kernel
def prox_squared_k_support_rows(A, shift, k):
    """``prox_squared_k_support`` of every row, each with its own shift."""
    out = np.empty_like(A)
    work = np.empty(A.shape[1])
    for j in range(A.shape[0]):
        prox_squared_k_support(A[j], shift[j], k, out[j], work)
    return out


@kernel
def squared_k_support_rows(A, k):
    """Σ_j (‖a_j‖_k^sp)² over the rows of a matrix."""
    total = 0.0
    work = np.empty(A.shape[1])
    for j in range(A.shape[0]):
        total += squared_k_support(A[j], k, work)
    return total
