"""Bring the bases of an estimate into the order and sign of the truth."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from vstg.data import Array


@dataclass(frozen=True, eq=False)
class Alignment:
    """An estimate with its bases matched to those of a reference.

    Attributes
    ----------
    U, V : (D, L) and (L, T) arrays, L = max of both numbers of bases
        Column s corresponds to basis s of the reference. Estimated bases without a
        partner come last; where a reference basis has no partner there are zeros. The
        product U V is unchanged.
    permutation : (L,) int array
        The estimated basis at each place, -1 where there is none.
    signs : (L,) array
        -1 where the signs of column and row were flipped.
    similarity : (L,) array
        Cosine between the rank-one parts of estimate and reference; 0 unmatched.
    """

    U: Array
    V: Array
    permutation: npt.NDArray[np.intp]
    signs: Array
    similarity: Array


def align_bases(U: Array, V: Array, U_true: Array, V_true: Array) -> Alignment:
    r"""Match the bases of (U, V) one to one with those of (U_true, V_true).

    Basis r adds :math:`u_r v^r` to W, and the cosine between two such parts is

    .. math:: \cos(u_r, u^*_s) \cos(v^r, v^{*s}),

    which neither scale nor a common sign of column and row can change. The matching
    with the largest sum of cosines is taken.

    Parameters
    ----------
    U, V : (D, K) and (K, T) arrays
    U_true, V_true : (D, K') and (K', T) arrays
        K' may differ from K.
    """
    U, V, U_true, V_true = (np.asarray(A, dtype=float) for A in (U, V, U_true, V_true))
    _check_shapes(U, V, U_true, V_true)
    cos_u, cos_v = _cosines(U.T, U_true.T), _cosines(V, V_true)
    rows, columns = linear_sum_assignment(cos_u * cos_v, maximize=True)
    n_latent, n_true = cos_u.shape
    length = max(n_latent, n_true)
    permutation = np.full(length, -1, dtype=np.intp)
    permutation[columns] = rows
    permutation[n_true:] = np.setdiff1d(np.arange(n_latent), rows)
    signs, similarity = np.ones(length), np.zeros(length)
    # The sum decides as the clearer of the two does when they disagree.
    signs[columns] = np.where((cos_u + cos_v)[rows, columns] < 0, -1.0, 1.0)
    similarity[columns] = (cos_u * cos_v)[rows, columns]
    present = permutation >= 0
    aligned_U, aligned_V = np.zeros((len(U), length)), np.zeros((length, V.shape[1]))
    aligned_U[:, present] = U[:, permutation[present]] * signs[present]
    aligned_V[present] = V[permutation[present]] * signs[present][:, None]
    return Alignment(aligned_U, aligned_V, permutation, signs, similarity)


def _cosines(A: Array, B: Array) -> Array:
    """Return the cosines between the rows of A and of B, 0 with a zero row."""
    return _unit_rows(A) @ _unit_rows(B).T


def _unit_rows(A: Array) -> Array:
    # Divided by the largest entry first: squares of tiny entries vanish.
    peak = np.abs(A).max(axis=1, keepdims=True, initial=0.0)
    scaled = A / np.where(peak > 0, peak, 1.0)
    norm = np.linalg.norm(scaled, axis=1, keepdims=True)
    return scaled / np.where(norm > 0, norm, 1.0)


def _check_shapes(U: Array, V: Array, U_true: Array, V_true: Array) -> None:
    inner = U.shape[1] == V.shape[0] and U_true.shape[1] == V_true.shape[0]
    outer = U.shape[0] == U_true.shape[0] and V.shape[1] == V_true.shape[1]
    if not (inner and outer):
        msg = (
            f"the estimate has U {U.shape} and V {V.shape}, the truth {U_true.shape} "
            f"and {V_true.shape}: both must factor a matrix of one shape"
        )
        raise ValueError(msg)
