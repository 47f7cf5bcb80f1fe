"""The gradient of the loss at W = 0, for starting points and proofs of optimality."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from vstg.data import Array, MultiTaskData
from vstg.data.designs import blocks_of_columns, size_of, times, transposed_times


@dataclass(frozen=True, eq=False)
class ZeroGradient:
    """One column X_jᵀs_j per task, s_j the slopes of its observations at W = 0.

    With a sparse or a shared design these D × T numbers may be far more than the data:
    then the whole array is never formed, and every product reads the data.
    """

    kept: Array | None  # (T, D)
    data: MultiTaskData | None = None
    slopes: tuple[Array, ...] = ()

    @classmethod
    def of(cls, data: MultiTaskData, slopes: list[Array]) -> Self:
        """Store the array if it is no larger than the data."""
        found = cls(None, data, tuple(slopes))
        if data.n_tasks * data.n_features > size_of(data.X):
            return found
        return cls(np.stack([found.of_task(j) for j in range(data.n_tasks)]))

    def of_task(self, j: int) -> Array:
        """X_jᵀs_j (D,)."""
        if self.kept is not None:
            return self.kept[j]
        assert self.data is not None
        return transposed_times(self.data.X[j], self.slopes[j])

    @cached_property
    def _shared_slopes(self) -> Array:
        return np.column_stack(self.slopes)

    def times(self, Q: Array) -> Array:
        """Σ_j X_jᵀs_j q_jᵀ (D, m) for Q (T, m)."""
        if self.kept is not None:
            return self.kept.T @ Q
        assert self.data is not None
        if self.data.shared_X:
            return transposed_times(self.data.X[0], self._shared_slopes @ Q)
        total = np.zeros((Q.shape[1], self.data.n_features))
        for j, q in enumerate(Q):
            if q.any():
                total += q[:, None] * self.of_task(j)
        return np.ascontiguousarray(total.T)

    def transposed_times(self, B: Array) -> Array:
        """s_jᵀX_j B (T, m) for B (D, m)."""
        if self.kept is not None:
            return self.kept @ B
        assert self.data is not None
        if self.data.shared_X:
            return self._shared_slopes.T @ times(self.data.X[0], B)
        pairs = zip(self.data.X, self.slopes, strict=True)
        return np.stack([s @ times(X, B) for X, s in pairs])

    def squared_rows(self) -> Array:
        """‖·‖² of every variable over the tasks (D,)."""
        if self.kept is not None:
            return np.einsum("ji,ji->i", self.kept, self.kept)
        assert self.data is not None
        total = np.zeros(self.data.n_features)
        if self.data.shared_X:
            for some, part in blocks_of_columns(self.data.X[0], self.data.n_tasks):
                found = transposed_times(part, self._shared_slopes)
                total[some] = np.einsum("ij,ij->i", found, found)
            return total
        for j in range(self.data.n_tasks):
            total += self.of_task(j) ** 2
        return total
