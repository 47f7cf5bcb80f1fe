r"""Other ways to write the same W: W = U V = (U M)(M⁻¹ V) for every invertible M.

The data determine W. Which U and V it is written with is a matter of the penalties and
of the start, so that overlap between groups may be in V, where tasks combine bases, or
in U, where bases share variables.
"""

from typing import Literal, get_args

import numpy as np
from scipy.linalg import solve_triangular

from vstg.data import Array

Form = Literal["sparse", "tasks", "variables"]
FORMS: tuple[Form, ...] = get_args(Form)
INDEPENDENT = (1e-2, 1e-6, 1e-10)  # shares of a column that others must not explain
TINY = 1e-12  # what rounding leaves of a zero, relative to the largest entry
EQUAL = 1e-11  # relative difference of two ratios that are the same
MAX_SHEARS = 500


def refactored(U: Array, V: Array, form: Form) -> tuple[Array, Array]:
    """Factors with the same product, written in another way.

    Parameters
    ----------
    U : (D, K), V : (K, T)
    form : "tasks": every basis is the column of W of one task, those with the fewest
        non-zeros in all; "variables": every basis is the row of W of one variable,
        likewise; "sparse": few non-zeros in U and V together, found by shears from the
        given factors and from both other forms

    Returns
    -------
    (D, r) and (r, T), where r ≤ K is the rank of W

    Examples
    --------
    >>> import numpy as np
    >>> from vstg.inspection import refactored
    >>> U, V = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[2.0, 1.0], [0.0, 1.0]])
    >>> refactored(U, V, "tasks")
    (array([[2., 2.],
           [0., 1.]]), array([[1., 0.],
           [0., 1.]]))
    """
    if form not in FORMS:
        msg = f"form={form!r} is unknown; choose one of {list(FORMS)}"
        raise ValueError(msg)
    U, V = np.asarray(U, dtype=float), np.asarray(V, dtype=float)
    alive = U.any(axis=0) & V.any(axis=1)
    U, V = U[:, alive], V[alive]
    if form == "tasks":
        return _by_columns(U, V)
    if form == "variables":
        right, left = _by_columns(V.T, U.T)
        return left.T, right.T
    starts = [_by_columns(U, V), refactored(U, V, "variables")]
    rank = starts[0][0].shape[1]
    if U.shape[1] == rank:
        starts.insert(0, (U, V))  # on a tie the given factors stay
    return min((_sheared(*start) for start in starts), key=n_nonzero)


def n_nonzero(factors: tuple[Array, Array]) -> int:
    """Non-zero entries of both factors."""
    return sum(int(np.count_nonzero(A)) for A in factors)


def _by_columns(U: Array, V: Array) -> tuple[Array, Array]:
    """Some columns of W as the bases, the sparsest that span all of them.

    The columns of a matrix form a matroid, in which taking the lightest independent
    column again and again gives the lightest basis of all.
    """
    if U.shape[1] == 0:
        return U, V
    triangle = np.linalg.qr(U, mode="r")
    inner = triangle @ V  # W in coordinates: fewer numbers, the same dependencies
    W = U @ V
    lengths = np.linalg.norm(inner, axis=0)
    weights = np.count_nonzero(np.abs(W) > TINY * np.abs(W).max(initial=0), axis=0)
    order = np.lexsort((-lengths, weights))
    rank = np.linalg.matrix_rank(inner, tol=1e-10 * max(lengths.max(initial=0), 1e-300))
    chosen: list[int] = []
    for share in INDEPENDENT:
        chosen = _independent(inner, order[lengths[order] > 0], int(rank), share)
        if len(chosen) == rank:
            break
    Q, R = np.linalg.qr(inner[:, chosen])
    mixed = solve_triangular(R, Q.T @ inner) if chosen else np.zeros((0, V.shape[1]))
    mixed[:, chosen] = np.eye(len(chosen))
    return _cleaned(W[:, chosen]), _cleaned(mixed)


def _independent(A: Array, order: Array, rank: int, share: float) -> list[int]:
    """Columns in this order, each if enough of it is new; at most ``rank``."""
    basis = np.zeros((len(A), 0))
    chosen: list[int] = []
    for j in order:
        column = A[:, j] / np.linalg.norm(A[:, j])
        for _ in range(2):  # once more, against rounding
            column = column - basis @ (basis.T @ column)
        length = np.linalg.norm(column)
        if length > share:
            basis = np.column_stack([basis, column / length])
            chosen.append(int(j))
        if len(chosen) == rank:
            break
    return chosen


def _sheared(U: Array, V: Array) -> tuple[Array, Array]:
    """Add multiples of bases to others as long as that leaves fewer non-zeros.

    ``u_a += t u_b`` with ``v_b -= t v_a`` keeps the product. Apart from what becomes
    zero, the count depends on the supports alone.
    """
    U, V = U.copy(), V.copy()
    n_bases = U.shape[1]
    for _ in range(MAX_SHEARS):
        moves = [
            (*_best_shear(U[:, a], U[:, b], V[a], V[b]), a, b)
            for a in range(n_bases)
            for b in range(n_bases)
            if a != b
        ]
        gain, t, a, b = max(moves, default=(0, 0.0, 0, 0))
        if gain <= 0:
            break
        U[:, a] = _sum(U[:, a], t * U[:, b])
        V[b] = _sum(V[b], -t * V[a])
    return U, V


def _best_shear(u_a: Array, u_b: Array, v_a: Array, v_b: Array) -> tuple[int, float]:
    """How many non-zeros fewer the best multiple leaves, and that multiple."""
    in_U, in_V = (u_a != 0) & (u_b != 0), (v_a != 0) & (v_b != 0)
    filled = int(np.count_nonzero((u_b != 0) & (u_a == 0)))
    filled += int(np.count_nonzero((v_a != 0) & (v_b == 0)))
    ratios = np.concatenate([-u_a[in_U] / u_b[in_U], v_b[in_V] / v_a[in_V]])
    if len(ratios) <= filled:
        return 0, 0.0
    ratios.sort()
    new = np.diff(ratios) > EQUAL * np.maximum(np.abs(ratios[1:]), np.abs(ratios[:-1]))
    starts = np.flatnonzero(np.r_[True, new])
    sizes = np.diff(np.r_[starts, len(ratios)])
    most = int(sizes.argmax())
    return int(sizes[most]) - filled, float(ratios[starts[most] + sizes[most] // 2])


def _sum(a: Array, b: Array) -> Array:
    """a + b, with zeros where only rounding is left."""
    total = a + b
    total[np.abs(total) <= 2 * EQUAL * np.maximum(np.abs(a), np.abs(b))] = 0.0
    return total


def _cleaned(A: Array) -> Array:
    """Zeros where only rounding is left."""
    return np.where(np.abs(A) > TINY * np.abs(A).max(initial=0), A, 0.0)
