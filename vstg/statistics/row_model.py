"""The quadratic model of the loss stored as observations, for many variables."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from scipy.sparse import issparse

from vstg.data import Array, MultiTaskData
from vstg.data.designs import Index
from vstg.kernels.rows import one_design
from vstg.statistics.moments import solve_positive


@dataclass(frozen=True, eq=False)
class RowModel:
    r"""Σ_j (weight_j/2) ‖y_j − X_j w_j‖² with X_j and y_j centred if there is b_j.

    The same function as :class:`vstg.statistics.Quadratic` (weight_j = 1/N_j for the
    squared loss), but its size is that of X, not the square of the number of variables.
    Where rows have weights, X and y are multiplied by their roots.
    """

    Z: Array  # (D, n) variables by observations of all tasks, or of a shared design
    first: Index  # (T,) where the observations of a task begin in Z
    ends: Index  # (T + 1,) where they begin in y
    weight: Array  # (T,)
    squares: Array  # (T, D) Σ x² of every task
    y: Array
    c: Array  # (T, D) weight · X_jᵀy_j
    x_mean: Array  # (T, D), zero without an intercept
    y_mean: Array  # (T,), zero without an intercept
    constant: float  # the value at W = 0
    roots: Array | None = None  # of the weights of the rows, in the order of y

    @classmethod
    def of(
        cls, data: MultiTaskData, x_mean: Array, y_mean: Array, curvature: float
    ) -> Self:
        """Arrange ``data``, centred at the means."""
        shared = data.shared_gram
        designs = data.X[:1] if shared else data.X
        ends = np.concatenate([[0], np.cumsum(data.n_samples)])
        first = np.zeros(data.n_tasks, dtype=ends.dtype) if shared else ends[:-1]
        n_rows = sum(X.shape[0] for X in designs)
        Z = np.empty((data.n_features, n_rows))
        squares = np.empty((len(designs), data.n_features))
        at = 0
        for j, (X, mean) in enumerate(zip(designs, x_mean, strict=False)):
            # Transposed and centred first: in Z the part of a task is not contiguous.
            part = np.array(X.T.toarray() if issparse(X) else X.T, order="C")
            if mean.any():
                part -= mean[:, None]
            if data.weights:
                part = part * np.sqrt(data.weights[j])
            squares[j] = np.einsum("dn,dn->d", part, part)
            Z[:, at : at + X.shape[0]] = part
            at += X.shape[0]
        if shared:
            squares = np.repeat(squares, data.n_tasks, axis=0)
        y = np.concatenate([y - m for y, m in zip(data.y, y_mean, strict=True)])
        roots = np.sqrt(np.concatenate(data.weights)) if data.weights else None
        y = y if roots is None else roots * y
        weight = curvature / data.divisors
        return cls(
            Z, first, ends, weight, squares, y, squares, x_mean, y_mean, 0.0, roots
        ).towards(y)

    @staticmethod
    def _parts(Z: Array, first: Index, ends: Index) -> list[Array]:
        sizes = np.diff(ends)
        return [Z[:, a : a + n] for a, n in zip(first, sizes, strict=True)]

    def towards(self, y: Array) -> Self:
        """The same curvature with another response."""
        parts = self._parts(self.Z, self.first, self.ends)
        pieces = np.split(y, self.ends[1:-1])
        triples = zip(parts, pieces, self.weight, strict=True)
        c = np.stack([w * (Z @ part) for Z, part, w in triples])
        triples = zip(pieces, pieces, self.weight, strict=True)
        constant = 0.5 * sum(w * float(a @ b) for a, b, w in triples)
        return replace(self, y=y, c=c, constant=constant)

    @property
    def sizes(self) -> str:
        """What is stored, as text."""
        return f"observations, {self.Z.shape[0]:,} variables × {self.Z.shape[1]:,} rows"

    def intercept(self, W: Array) -> Array:
        """Best b_j for the coefficients W (D, T)."""
        return self.y_mean - np.einsum("ji,ij->j", self.x_mean, W)

    def times(self, W: Array) -> Array:
        """weight_j X_jᵀX_j w_j for every task, (D, T)."""
        parts = self._parts(self.Z, self.first, self.ends)
        tasks = zip(parts, W.T, self.weight, strict=True)
        return np.column_stack([h * (Z @ (w @ Z)) for Z, w, h in tasks])

    def ridge(self, strength: float) -> Array:
        """argmin of the model + strength·‖W‖², by the dual (rows by rows) system."""
        W = np.empty((self.Z.shape[0], len(self.weight)))
        pieces = np.split(self.y, self.ends[1:-1])
        parts = self._parts(self.Z, self.first, self.ends)
        for j, (Z, y, w) in enumerate(zip(parts, pieces, self.weight, strict=True)):
            K = Z.T @ Z
            # Without any penalty K may be singular; a tiny ridge keeps W finite.
            speck = 1e-10 * np.einsum("nn->", K) / len(K) + 1e-300
            W[:, j] = Z @ solve_positive(K, 2.0 * strength / w + speck, y)
        return W

    def touching(self, W: Array, slope: Array, slopes: list[Array]) -> Self:
        """The model with the gradient of a loss at W, given by its ``slopes``."""
        parts = self._parts(self.Z, self.first, self.ends)
        tasks = zip(parts, W.T, self.responses(slopes), strict=True)
        return self.towards(np.concatenate([w @ Z - r for Z, w, r in tasks]))

    def responses(self, slopes: list[Array]) -> list[Array]:
        """How far y is below the margins, where the loss has these slopes by row."""
        found = [s / h for s, h in zip(slopes, self.weight, strict=True)]
        if self.roots is None:
            return found
        roots = np.split(self.roots, self.ends[1:-1])
        return [s / root for s, root in zip(found, roots, strict=True)]

    @property
    def arrays(self) -> tuple[Array, Index, Index, Array, Array, Array, Array]:
        """The model in the order of the kernels' arguments."""
        return (
            self.Z, self.first, self.ends, self.weight, self.squares, self.y, self.c
        )  # fmt: skip

    @property
    def is_shared(self) -> bool:
        """Whether all tasks share one design."""
        return bool(one_design(self.first))
