"""A bound on the largest eigenvalue, and whether tasks share their matrix."""

from vstg.kernels.compiler import kernel


@kernel
def per_task(G):
    """1 if every task has a matrix of its own, 0 if all share the first."""
    return 1 if G.shape[0] > 1 else 0


@kernel
def curvature_bound(A, B):
    """Upper bound of the largest eigenvalue of the positive semidefinite A.

    ‖A⁴‖_F^(1/4) lies between λ_max and K^(1/8) λ_max; B is scratch.
    """
    n = A.shape[0]
    scale = 0.0
    for r in range(n):
        scale += A[r, r]
    if scale <= 0.0:
        return 0.0
    # A and B are symmetric: products of rows, which are contiguous, and one half.
    for r in range(n):
        for s in range(r + 1):
            total = 0.0
            for q in range(n):
                total += A[r, q] * A[s, q]
            B[r, s] = total / (scale * scale)
            B[s, r] = B[r, s]
    square = 0.0
    for r in range(n):
        for s in range(r + 1):
            total = 0.0
            for q in range(n):
                total += B[r, q] * B[s, q]
            square += total * total if s == r else 2.0 * total * total
    return scale * square**0.125
