"""How far a point is from optimal: duality gaps and subgradient residuals."""

import numpy as np

from vstg.baselines.descent import PointState
from vstg.data import Array


def relative_gap(
    state: PointState, null: PointState, dual_norm: float, *, exact: bool
) -> float:
    r"""Duality gap of loss + Ω for a norm Ω, relative to the objective at W = 0.

    With :math:`R = -\nabla f(W)` and :math:`s = \min(1, 1/\Omega^\circ(R))` the slopes
    of the loss, shrunk by s, are feasible in the dual, and the gap there is at most

    .. math:: \Omega(W) - \langle R, W \rangle
              + (1 - s) (f(W) + \langle R, W \rangle - s q),

    with q = f(W) for the squared loss (``exact``: then this is the gap itself) and
    q = 0 for any other loss that is never negative. ``dual_norm`` may be a bound above.
    """
    aligned = -float((state.slope * state.W).sum())
    s = 1.0 / max(1.0, dual_norm)
    q = state.loss if exact else 0.0
    gap = state.penalty - aligned + (1.0 - s) * (state.loss + aligned - s * q)
    return gap / null.loss if null.loss > 0.0 else 0.0


def l1_violation(slope: Array, A: Array, gamma: float) -> float:
    """Largest distance of −slope from γ∂‖·‖_1(A)."""
    on = np.abs(slope + gamma * np.sign(A))
    off = np.maximum(np.abs(slope) - gamma, 0.0)
    return float(np.where(A != 0.0, on, off).max(initial=0.0))


def ratio(length: float, scale: float) -> float:
    """length / scale, or zero if the scale is zero: then the block has no data."""
    return length / scale if scale > 0.0 else 0.0


def largest(A: Array) -> float:
    """max |a|, zero for an empty array."""
    return float(np.abs(A).max(initial=0.0))
