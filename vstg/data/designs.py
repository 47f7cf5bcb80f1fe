"""Products with a design matrix, stored as float64, float32 or sparse.

Small factors and all results are float64. A dense float32 design is multiplied in
float32, since a wider copy of it would be larger than the design itself. A sparse one
is never made dense as a whole.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy.sparse import issparse

from vstg.data.values import Array, Index, seal

BLOCK = 2**22  # entries of a design that are copied at a time


def columns(X: Any, index: Index) -> Any:
    """Return some columns in float64; those of a sparse design stay sparse."""
    if issparse(X):
        return seal(X[:, index].astype(np.float64, copy=False))
    if np.array_equal(index, np.arange(X.shape[1])):
        return seal(X.astype(np.float64, copy=False))  # all of them: no copy
    return seal(np.take(X, index, axis=1).astype(np.float64, copy=False))


def times(X: Any, W: Array) -> Array:
    """X W."""
    if issparse(X):
        return np.asarray(X @ W)
    return np.asarray(X @ W.astype(X.dtype, copy=False), dtype=np.float64)


def transposed_times(X: Any, R: Array) -> Array:
    """XᵀR."""
    return times(X.T, R)


def margins(
    designs: Sequence[Any], W: Array | tuple[Array, Array], b: Array
) -> list[Array]:
    """X_j w_j + b_j for every task; one product where all have one design.

    Coefficients may be given as (U, V): then W = U V is never made as a whole.
    """
    shared = all(X is designs[0] for X in designs)
    if isinstance(W, tuple):
        U, V = W
        if shared:
            return list((times(designs[0], U) @ V + b).T)
        return [times(X, U @ V[:, j]) + b[j] for j, X in enumerate(designs)]
    if shared:
        return list((times(designs[0], W) + b).T)
    return [times(X, W[:, j]) + b[j] for j, X in enumerate(designs)]


def row_margins(X: Any, tasks: Index, W: Array, b: Array) -> Array:
    """x w_j + b_j of every row (n,), where j is the task of the row."""
    found = b[tasks]
    order = np.argsort(tasks, kind="stable")
    present, begins = np.unique(tasks[order], return_index=True)
    for j, rows in zip(present, np.split(order, begins[1:]), strict=True):
        found[rows] += X[rows] @ W[:, j]
    return found


def blocks(X: Any) -> Iterator[tuple[slice, Array]]:
    """Yield rows of a dense design in float64, few enough to copy."""
    height = max(1, BLOCK // max(1, X.shape[1]))
    for low in range(0, X.shape[0], height):
        rows = slice(low, low + height)
        yield rows, X[rows].astype(np.float64, copy=False)


def blocks_of_columns(X: Any, width: int) -> Iterator[tuple[slice, Any]]:
    """Columns of a design, so few that ``width`` numbers for each are a block."""
    step = max(1, BLOCK // max(1, width))
    for low in range(0, X.shape[1], step):
        some = slice(low, low + step)
        yield some, X[:, some]


def column_sums(X: Any, weight: Array | None = None) -> Array:
    """The sum of every column, in float64; of weighted rows if there are weights."""
    if weight is not None:
        if issparse(X):
            return transposed_times(X, weight)
        parts = [weight[rows] @ block for rows, block in blocks(X)]
        return np.sum(parts, axis=0)
    if issparse(X):
        return np.asarray(X.sum(axis=0, dtype=np.float64)).ravel()
    return X.sum(axis=0, dtype=np.float64)


def column_means(X: Any, weight: Array | None = None) -> Array:
    """The (weighted) mean of every column, summed in float64."""
    if weight is not None:
        return column_sums(X, weight) / weight.sum()
    if issparse(X):
        return column_sums(X) / X.shape[0]
    return X.mean(axis=0, dtype=np.float64)


def sums_of_squares(X: Any, origin: Array, weight: Array | None = None) -> Array:
    """Σ_n weight_n (x_n − origin)² of every column, without any D × D matrix."""
    if issparse(X):
        total = X.shape[0] if weight is None else weight.sum()
        squares = column_sums(X.multiply(X).tocsr(), weight)
        return squares - 2 * origin * column_sums(X, weight) + total * origin**2
    if weight is None:
        return sum(((block - origin) ** 2).sum(axis=0) for _, block in blocks(X))
    parts = [weight[rows] @ (block - origin) ** 2 for rows, block in blocks(X)]
    return np.sum(parts, axis=0)


def means_of_tasks(data: Any) -> tuple[Array, Array]:
    """The means of variables (T, D) and targets (T,) over the (weighted) rows."""
    means: dict[tuple[int, int], Array] = {}
    for j, X in enumerate(data.X):
        key = id(X), id(data.row_weights(j))
        if key not in means:
            means[key] = column_means(X, data.row_weights(j))
    pairs = [(id(X), id(data.row_weights(j))) for j, X in enumerate(data.X)]
    return np.stack([means[pair] for pair in pairs]), target_means(data)


def target_means(data: Any) -> Array:
    """The mean of the targets of every task (T,) over its (weighted) rows."""
    if not data.weights:
        return np.array([y.mean() for y in data.y])
    pairs = zip(data.y, data.weights, strict=True)
    return np.array([weight @ y / weight.sum() for y, weight in pairs])


def second_moments(X: Any, origin: Array, weight: Array | None = None) -> Array:
    """Σ_n weight_n (x_n − origin)(x_n − origin)ᵀ; all weights one by default."""
    if issparse(X):
        return _sparse_second_moments(X, origin, weight)
    total = np.zeros((X.shape[1], X.shape[1]))
    shifted = bool(origin.any())
    for rows, block in blocks(X):
        if shifted:
            block = block - origin
        if weight is not None:
            block = np.sqrt(weight[rows])[:, None] * block
        if len(block) == X.shape[0]:
            return block.T @ block
        total += block.T @ block
    return total


def _sparse_second_moments(X: Any, origin: Array, weight: Array | None) -> Array:
    # The square is expanded: subtracting the origin would fill the design.
    w = np.ones(X.shape[0]) if weight is None else weight
    X = X.astype(np.float64, copy=False)
    scaled = X.multiply(w[:, None]).tocsr()
    # In the order of memory for which the kernels are compiled.
    total = np.asarray((X.T @ scaled).toarray(order="C"))
    if origin.any():
        cross = np.outer(column_sums(scaled), origin)
        total += w.sum() * np.outer(origin, origin) - cross - cross.T
    return total


def size_of(designs: Sequence[Any]) -> int:
    """Numbers kept in memory for some designs; one that is shared counts once."""
    distinct = {id(X): X for X in designs}
    return sum(n_entries(X) for X in distinct.values())


def n_entries(X: Any) -> int:
    """Count the numbers that a design keeps in memory."""
    return int(X.nnz) if issparse(X) else int(X.size)
