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


@dataclass(frozen=True)
class RowNorms:
    r"""Whole variables, :math:`g(W) = \gamma \sum_i \|w^i\|_2`."""

    gamma: float

    def value(self, A: Array) -> float:
        """γ Σ_i ‖a^i‖."""
        return self.gamma * float(np.linalg.norm(A, axis=1).sum())

    def dual_norm(self, S: Array) -> float:
        """The longest row, in units of γ."""
        return float(np.linalg.norm(S, axis=1).max(initial=0.0)) / self.gamma

    def conjugate(self, S: Array) -> float:
        """Zero while no row is longer than γ, otherwise infinite."""
        return _indicator(self.gamma * self.dual_norm(S), self.gamma)

    def prox(self, A: Array, step: float) -> Array:
        """Every row shorter by step·γ, or zero."""
        length = np.linalg.norm(A, axis=1, keepdims=True)
        safe = np.where(length > 0.0, length, 1.0)
        return A * np.maximum(1.0 - step * self.gamma / safe, 0.0)


@dataclass(frozen=True)
class EntriesOrRows:
    r"""Dirty model: :math:`\gamma_1 \|P\|_1 + \gamma_2 \|Q\|_{1,\infty}`, P + Q = W.

    Notes
    -----
    Within a row, Q clips W at the level above which as many entries lie as γ1 fits
    into γ2, and P is what sticks out.
    """

    gamma1: float
    gamma2: float

    def split(self, A: Array) -> tuple[Array, Array]:
        """The cheapest P and Q with P + Q = A."""
        n_above = self.gamma2 / self.gamma1
        if n_above >= A.shape[1]:
            return A.copy(), np.zeros_like(A)
        level = -np.sort(-np.abs(A), axis=1)[:, int(n_above), None]
        Q = np.clip(A, -level, level)
        return A - Q, Q

    def value(self, A: Array) -> float:
        """γ1‖P‖_1 + γ2‖Q‖_{1,∞} of the cheapest split."""
        P, Q = self.split(A)
        return L1(self.gamma1).value(P) + L1Inf(self.gamma2).value(Q)

    def dual_norm(self, S: Array) -> float:
        """The larger of max |s| / γ1 and the largest l1 norm of a row / γ2."""
        size = np.abs(S)
        rows = float(size.sum(axis=1).max(initial=0.0)) / self.gamma2
        return max(float(size.max(initial=0.0)) / self.gamma1, rows)

    def conjugate(self, S: Array) -> float:
        """Zero while the dual norm is at most one, otherwise infinite."""
        return _indicator(self.dual_norm(S), 1.0 + 10 * SLACK)  # two sums that round

    def prox(self, A: Array, step: float) -> Array:
        """A minus its projection on rows with |s| ≤ step·γ1 and ‖s‖_1 ≤ step·γ2.

        A projected row is |a| less some θ, clipped to [0, step·γ1]. Its sum falls with
        θ along straight lines, which end where an entry meets a side of the box.
        """
        size, box, ball = np.abs(A), step * self.gamma1, step * self.gamma2
        ends = np.concatenate([size - box, size], axis=1)
        order = np.argsort(ends, axis=1)
        ends = np.take_along_axis(ends, order, axis=1)
        slope = np.cumsum(np.where(order < A.shape[1], -1.0, 1.0), axis=1)
        sums = np.full_like(ends, A.shape[1] * box)
        sums[:, 1:] += np.cumsum(slope[:, :-1] * np.diff(ends, axis=1), axis=1)
        last = np.maximum((sums > ball).sum(axis=1) - 1, 0)[:, None]
        end, total, fall = (
            np.take_along_axis(part, last, axis=1) for part in (ends, sums, slope)
        )
        theta = end + (total - ball) / np.maximum(-fall, 1.0)
        shrunk = np.clip(size - np.maximum(theta, 0.0), 0.0, box)
        return np.sign(A) * (size - shrunk)


@dataclass(frozen=True)
class Clusters:
    r"""Tasks in k clusters, relaxed to a function of the singular values of W.

    .. math:: \gamma_1 \eta (1 + \eta) \min_\lambda \sum_r
              \frac{\sigma_r^2}{\eta + \lambda_r}, \quad
              \lambda \in [0, 1]^T, \; \sum_r \lambda_r \le k, \;
              \eta = \gamma_2 / \gamma_1.

    Notes
    -----
    The weights λ are those of the squared k-support norm with another shift, so its
    compiled prox finds them. With k at least the rank of W this is γ2‖W‖².
    """

    gamma1: float
    gamma2: float
    k: int

    @property
    def eta(self) -> float:
        """γ2 / γ1."""
        return self.gamma2 / self.gamma1

    @property
    def strength(self) -> float:
        """γ1 η (1 + η)."""
        return self.gamma2 * (1.0 + self.eta)

    def value(self, A: Array) -> float:
        """The value at the best λ."""
        sigma = np.linalg.svd(A, compute_uv=False).astype(float, copy=False)
        rest = sigma - self._shrunk(sigma, self.eta)
        return self.strength * float(sigma @ rest) / self.eta

    def conjugate(self, S: Array) -> float:
        """(η‖S‖² + the k largest squared singular values) / (4γ1η(1 + η))."""
        squares = np.linalg.svd(S, compute_uv=False) ** 2
        total = self.eta * squares.sum() + squares[: self.k].sum()
        return float(total) / (4.0 * self.strength)

    def prox(self, A: Array, step: float) -> Array:
        """Each singular value s becomes s(η + λ)/(η + λ + 2·step·γ1η(1 + η))."""
        P, sigma, Qt = np.linalg.svd(A, full_matrices=False)
        shift = self.eta + 2.0 * step * self.strength
        shrunk = self._shrunk(sigma, shift)
        return (P * (shrunk + self.eta * (sigma - shrunk) / shift)) @ Qt

    def _shrunk(self, sigma: Array, shift: float) -> Array:
        """s λ/(λ + shift) for the λ that minimise Σ s²/(λ + shift)."""
        k = min(self.k, len(sigma))
        return prox_squared_k_support_rows(sigma[None, :], np.array([shift]), k)[0]


def k_support_norm(w: Array, k: int) -> float:
    r"""The k-support norm of a vector, by Proposition 2.1 of the paper."""
    row = np.ascontiguousarray(w, dtype=float).reshape(1, -1)
    if not 1 <= k <= row.size:
        msg = f"k={k} must lie between 1 and the length of the vector, {row.size}"
        raise ValueError(msg)
    return float(np.sqrt(squared_k_support_rows(row, k)))
