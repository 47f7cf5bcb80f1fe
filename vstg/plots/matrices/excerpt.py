"""An excerpt of large matrices, small enough to be sent to a browser and drawn.

A picture holds some thousand cells; more could neither be seen nor sent quickly. The
most important rows are shown, and one column may represent many tasks.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from vstg.data import Array, Index
from vstg.plots.matrices.factors import FactorFrames

RowsOf = Callable[[slice | Index], Array]  # some rows of a matrix, all columns

MAX_CELLS = 20_000  # of all matrices of one picture together
MAX_COLUMNS = 200
BLOCK_CELLS = 1_000_000  # processed at a time when a whole matrix is read


def cell_count(n_variables: int, n_tasks: int, n_bases: int, copies: int = 1) -> int:
    """Entries of U, V and W, once or with those of the truth."""
    one = n_variables * n_tasks + n_variables * n_bases + n_bases * n_tasks
    return copies * one


def columns_that_fit(n_rows: int, n_bases: int, copies: int = 1) -> int:
    """How many columns W may have with so many rows."""
    free = MAX_CELLS // copies - n_rows * n_bases
    return max(1, min(MAX_COLUMNS, free // (n_rows + n_bases)))


@dataclass(frozen=True, eq=False)
class Excerpt:
    """The variables shown and, for each column shown, its name and its tasks."""

    variables: Index
    names: tuple[str, ...]
    tasks: tuple[Index, ...]

    def of(self, factors: FactorFrames) -> FactorFrames:
        """The excerpt of a factorisation; a column of several tasks is their mean.

        The mean of columns of W is U times the mean of those of V, so W = U V holds.
        """
        U, V = factors.U.iloc[self.variables], factors.V.to_numpy()
        means = [V[:, tasks].mean(axis=1) for tasks in self.tasks]
        columns = np.array(means).reshape(len(self.tasks), len(V)).T
        names = list(self.names)
        return FactorFrames(U, pd.DataFrame(columns, factors.V.index, names))


def blocks(n_rows: int, n_columns: int) -> list[slice]:
    """Slices of rows, each with a bounded number of cells."""
    step = max(1, BLOCK_CELLS // max(n_columns, 1))
    return [slice(a, min(a + step, n_rows)) for a in range(0, n_rows, step)]


def largest(rows_of: RowsOf, n_rows: int, n_columns: int) -> tuple[Array, Array]:
    """The largest magnitude of every row and of every column, block by block."""
    rows, columns = np.zeros(n_rows), np.zeros(n_columns)
    for block in blocks(n_rows, n_columns):
        size = np.abs(rows_of(block))
        rows[block] = size.max(axis=1, initial=0.0)
        np.maximum(columns, size.max(axis=0, initial=0.0), out=columns)
    return rows, columns


def fitting_shape(n_rows: int, n_columns: int, limit: int) -> tuple[int, int]:
    """Numbers of rows and columns, at least 1, with at most ``limit`` cells.

    The longer side is cut down to the shorter one first, then both.
    """
    if n_rows * n_columns <= limit:
        return n_rows, n_columns
    side = max(1, int(np.sqrt(limit)))
    if n_columns <= side:
        return max(1, limit // n_columns), n_columns
    if n_rows <= side:
        return n_rows, max(1, limit // n_rows)
    return side, side


def top(sizes: Array, count: int) -> Index:
    """The positions of the largest values, in ascending order."""
    order = np.argsort(-np.asarray(sizes), kind="stable")[:count]
    return np.sort(order)


@dataclass(frozen=True, eq=False)
class TopMatrices:
    """The largest rows and columns of matrices of one shape."""

    frames: dict[str, pd.DataFrame]
    shape: tuple[int, int]  # of the whole
    shown: tuple[int, int]
    rest: float  # the largest magnitude of the rows that are left out

    @property
    def whole(self) -> bool:
        """Whether nothing was left out."""
        return self.shape == self.shown


def top_matrices(
    matrices: Mapping[str, RowsOf],
    features: Sequence[str],
    tasks: Sequence[str],
    *,
    limit: int = MAX_CELLS,
) -> TopMatrices:
    """Matrices with the same names, cut down to the same rows and columns.

    The rows and columns with the largest entry in any of the matrices are kept, with
    at most ``limit`` cells in all matrices together. No full matrix is created.
    """
    shape = (len(features), len(tasks))
    shown = fitting_shape(*shape, limit // max(len(matrices), 1))
    rows, columns = np.arange(shape[0]), np.arange(shape[1])
    rest = 0.0
    if shown != shape and matrices:
        found = [largest(rows_of, *shape) for rows_of in matrices.values()]
        row_sizes = np.max([sizes for sizes, _ in found], axis=0)
        rows = top(row_sizes, shown[0])
        columns = top(np.max([sizes for _, sizes in found], axis=0), shown[1])
        rest = float(np.delete(row_sizes, rows).max(initial=0.0))
    index = [str(features[i]) for i in rows.tolist()]
    names = [str(tasks[j]) for j in columns.tolist()]
    frames = {
        label: pd.DataFrame(rows_of(rows)[:, columns], index, names)
        for label, rows_of in matrices.items()
    }
    return TopMatrices(frames, shape, shown, rest)


def block_means(
    matrix: Array, names: Sequence[str], order: Index, count: int
) -> pd.DataFrame:
    """A square matrix with neighbours of an order averaged into ``count`` blocks."""
    size = len(order)
    count = min(count, size)
    if count == 0:
        return pd.DataFrame()
    edges = np.linspace(0, size, count + 1).astype(np.intp)
    starts = edges[:-1]
    rows = np.add.reduceat(np.asarray(matrix)[order], starts, axis=0)[:, order]
    sums = np.add.reduceat(rows, starts, axis=1)
    widths = np.diff(edges)
    labels = [
        str(names[order[a]])
        if b - a == 1
        else f"{names[order[a]]} … {names[order[b - 1]]}"
        for a, b in pairwise(edges)
    ]
    return pd.DataFrame(sums / np.outer(widths, widths), labels, labels)
