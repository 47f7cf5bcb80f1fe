"""Products with one design, whatever it is kept as: float64, float32 or sparse.

Small factors and all results are float64. A dense float32 design is multiplied in
float32, since a wider copy of it would be larger than the design itself.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from vstg.data.values import Array

Index = npt.NDArray[np.intp]


def columns(X: Any, index: Index) -> Array:
    """Some columns as a dense array."""
    if issparse(X):
        return np.ascontiguousarray(X[:, index].toarray(), dtype=np.float64)
    return np.take(X, index, axis=1).astype(np.float64, copy=False)


def times(X: Any, W: Array) -> Array:
    """X W."""
    if issparse(X):
        return np.asarray(X @ W)
    return np.asarray(X @ W.astype(X.dtype, copy=False), dtype=np.float64)


def transposed_times(X: Any, R: Array) -> Array:
    """XᵀR."""
    return times(X.T, R)


def column_means(X: Any) -> Array:
    """The mean of every column, summed in float64."""
    if issparse(X):
        return np.asarray(X.sum(axis=0, dtype=np.float64)).ravel() / X.shape[0]
    return X.mean(axis=0, dtype=np.float64)


def n_entries(X: Any) -> int:
    """Numbers kept in memory."""
    return int(X.nnz) if issparse(X) else int(X.size)
