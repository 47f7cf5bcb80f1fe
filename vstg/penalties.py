"""Penalties of eq. (6): value, convex conjugate and exact proximal operator.

``prox(A, step)`` is argmin_P g(P) + ‖P − A‖²/(2·step), with the strength inside g.
Conjugates of norms are indicators; ``SLACK`` allows for rounding in their constraint.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from vstg.data import Array
from vstg.kernels import (
    prox_rows,
    prox_squared_k_support_rows,
    squared_k_support_rows,
)

SLACK = 1e-10


class Penalty(Protocol):
    """A closed convex function g: everything that a solver needs of it."""

    def value(self, A: Array) -> float:
        """g(A)."""

    def conjugate(self, S: Array) -> float:
        """g*(S) = max_A ⟨S, A⟩ − g(A)."""

    def prox(self, A: Array, step: float) -> Array:
        """argmin_P g(P) + ‖P − A‖²/(2·step)."""


def _indicator(amount: float, limit: float) -> float:
    return 0.0 if amount <= limit * (1.0 + SLACK) + SLACK else np.inf


@dataclass(frozen=True)
class L1:
    r"""Entrywise sparsity, :math:`g(U) = \gamma \sum_{ir} |u_{ir}|`."""

    gamma: float

    def value(self, A: Array) -> float:
        """γ‖A‖_1."""
        return self.gamma * float(np.abs(A).sum())

    def conjugate(self, S: Array) -> float:
        """Zero if no entry exceeds γ, otherwise infinite."""
        return _indicator(float(np.abs(S).max(initial=0.0)), self.gamma)

    def prox(self, A: Array, step: float) -> Array:
        """Soft thresholding at step·γ."""
        return np.sign(A) * np.maximum(np.abs(A) - step * self.gamma, 0.0)


@dataclass(frozen=True)
class L1Inf:
    r"""Sparsity of rows, :math:`g(U) = \gamma \sum_i \|u^i\|_\infty`."""

    gamma: float

    def value(self, A: Array) -> float:
        """γ Σ_i max_r |a_ir|."""
        return self.gamma * float(np.abs(A).max(axis=1, initial=0.0).sum())

    def conjugate(self, S: Array) -> float:
        """Zero if no row has an l1 norm above γ, otherwise infinite."""
        rows = np.abs(S).sum(axis=1)
        return _indicator(float(rows.max(initial=0.0)), self.gamma)

    def prox(self, A: Array, step: float) -> Array:
        """Each row minus its projection on the l1 ball of radius step·γ."""
        return prox_rows(np.ascontiguousarray(A, dtype=float), 0.0, step * self.gamma)


@dataclass(frozen=True)
class SparseRows:
    r"""Both penalties on U, :math:`\gamma_1 \|U\|_1 + \gamma_2 \|U\|_{1,\infty}`.

    Notes
    -----
    The groups (entries, then their row) form a tree, so the prox of the sum is the
    prox of the row part after the prox of the entry part.
    """

    gamma1: float
    gamma2: float

    def value(self, A: Array) -> float:
        """γ1‖A‖_1 + γ2‖A‖_{1,∞}."""
        return L1(self.gamma1).value(A) + L1Inf(self.gamma2).value(A)

    def conjugate(self, S: Array) -> float:
        """Zero if in every row the excess over γ1 sums to at most γ2, else infinite."""
        excess = np.maximum(np.abs(S) - self.gamma1, 0.0).sum(axis=1)
        return _indicator(float(excess.max(initial=0.0)), self.gamma2)

    def prox(self, A: Array, step: float) -> Array:
        """prox of l1,∞ after prox of l1."""
        A = np.ascontiguousarray(A, dtype=float)
        return prox_rows(A, step * self.gamma1, step * self.gamma2)


@dataclass(frozen=True)
class SquaredKSupport:
    r"""Overlapping groups, :math:`g(V) = \mu \sum_j (\|v_j\|_k^{sp})^2` over columns.

    Notes
    -----
    k = 1 is the squared l1 norm and k = K the squared l2 norm. The value follows
    Proposition 2.1 of the paper; the prox is :math:`v_i \theta_i / (\theta_i + 2
    \mu\,step)` with weights :math:`\theta \in [0, 1]^K` that sum to k.
    """

    mu: float
    k: int

    def value(self, A: Array) -> float:
        """μ Σ_j (‖a_j‖_k^sp)²."""
        columns = np.ascontiguousarray(A.T, dtype=float)
        return self.mu * float(squared_k_support_rows(columns, self.k))

    def conjugate(self, S: Array) -> float:
        """Σ_j (l2 norm of the k largest entries of s_j)² / (4μ)."""
        largest = np.sort(np.abs(S), axis=0)[-self.k :]
        return float((largest**2).sum()) / (4.0 * self.mu)

    def prox(self, A: Array, step: float | Array) -> Array:
        """Shrink each column; each may have its own ``step``."""
        columns = np.ascontiguousarray(A.T, dtype=float)
        shift = np.broadcast_to(2.0 * self.mu * np.asarray(step, float), len(columns))
        shift = np.ascontiguousarray(shift)
        return prox_squared_k_support_rows(columns, shift, self.k).T


@dataclass(frozen=True)
class TraceNorm:
    r"""Low rank, :math:`g(W) = \gamma \sum_r \sigma_r(W)`."""

    gamma: float

    def value(self, A: Array) -> float:
        """γ‖A‖_*."""
        return self.gamma * float(np.linalg.svd(A, compute_uv=False).sum())

    def conjugate(self, S: Array) -> float:
        """Zero if no singular value exceeds γ, otherwise infinite."""
        return _indicator(float(np.linalg.norm(S, 2)), self.gamma)

    def prox(self, A: Array, step: float) -> Array:
        """Soft thresholding of the singular values at step·γ."""
        P, sigma, Qt = np.linalg.svd(A, full_matrices=False)
        return (P * np.maximum(sigma - step * self.gamma, 0.0)) @ Qt


def k_support_norm(w: Array, k: int) -> float:
    r"""The k-support norm of a vector, by Proposition 2.1 of the paper."""
    row = np.ascontiguousarray(w, dtype=float).reshape(1, -1)
    if not 1 <= k <= row.size:
        msg = f"k={k} must lie between 1 and the length of the vector, {row.size}"
        raise ValueError(msg)
    return float(np.sqrt(squared_k_support_rows(row, k)))
