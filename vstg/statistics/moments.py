"""Sufficient statistics of the tasks: one pass over the rows, then none."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from scipy.linalg.lapack import dposv
from scipy.sparse import issparse

from vstg.data import Array, MultiTaskData
from vstg.data.designs import (
    BLOCK,
    Index,
    blocks,
    column_sums,
    means_of_tasks,
    second_moments,
    transposed_times,
)

NO_MATRICES = np.empty((0, 0, 0))
LARGE = 64  # variables above which matrices are solved one by one


def matrices_times(G: Array, W: Array) -> Array:
    """G_j w_j (D, T) for one matrix per task (T, D, D) or a shared one (1, D, D)."""
    if len(G) == 1:
        return G[0] @ W
    return np.matmul(G, W.T[:, :, None])[:, :, 0].T


def solve_positive(G: Array, ridge: float, right: Array) -> Array:
    """(G + ridge·I)⁻¹ right for a positive definite G, with one copy of it."""
    A = np.array(G, order="F")
    diagonal = np.einsum("dd->d", A)
    diagonal += ridge
    _, found, failed = dposv(A, right, overwrite_a=True)
    if not failed:
        return found
    singular = G + ridge * np.eye(len(G))  # by rounding, or nearly so
    return np.linalg.solve(singular, right).astype(float, copy=False)


@dataclass(frozen=True, eq=False)
class Quadratic:
    r"""The squared loss of every task as a function of its coefficients.

    .. math:: \sum_j \tfrac12 w_j^T G_j w_j - c_j^T w_j + const,

    with :math:`G_j = X_j^T X_j / N_j` and :math:`c_j = X_j^T y_j / N_j`, or weighted
    means over the rows, times the weight of the task. With an
    intercept, X_j and y_j are centred, which is the loss minimised over it:
    :math:`b_j = \bar y_j - \bar x_j^T w_j`.
    """

    G: Array  # (T, D, D), or (1, D, D) if shared; empty if only c and means are known
    c: Array  # (T, D)
    constant: float
    x_mean: Array  # (T, D), zero without an intercept
    y_mean: Array  # (T,), zero without an intercept

    def intercept(self, W: Array) -> Array:
        """Best b_j for the coefficients W (D, T)."""
        return self.y_mean - np.einsum("ji,ij->j", self.x_mean, W)

    def part(self, rows: Index) -> Self:
        """The function of the variables ``rows``, the others at zero."""
        return replace(
            self,
            G=np.ascontiguousarray(self.G[:, rows[:, None], rows]),
            c=np.ascontiguousarray(self.c[:, rows]),
            x_mean=self.x_mean[:, rows],
        )

    @property
    def sizes(self) -> str:
        """The shape of G as text."""
        n_matrices, D, _ = self.G.shape
        return f"{D:,} × {D:,} × {n_matrices:,}"

    @property
    def each(self) -> Array:
        """G as (T, D, D), without a copy where tasks share it; read-only."""
        return np.broadcast_to(self.G, (len(self.c), *self.G.shape[1:]))

    def times(self, W: Array) -> Array:
        """G_j w_j for every task, (D, T)."""
        return matrices_times(self.G, W)

    def ridge(self, strength: float) -> Array:
        """argmin of the model + strength·‖W‖²: (G_j + 2 strength I) w_j = c_j."""
        D = self.c.shape[1]
        # Without any penalty G_j may be singular; a tiny ridge keeps W finite.
        speck = 1e-10 * np.trace(self.G, axis1=1, axis2=2) / D + 1e-300
        ridge = 2.0 * strength + speck
        if self.is_shared:
            return solve_positive(self.G[0], ridge[0], self.c.T)
        if D > LARGE:
            tasks = zip(self.G, ridge, self.c, strict=True)
            return np.column_stack([solve_positive(*task) for task in tasks])
        W = np.empty((D, len(self.c)))
        step = BLOCK // D**2  # a copy of all matrices may be as large as X
        for low in range(0, len(self.c), step):
            some = slice(low, low + step)
            A = self.G[some] + ridge[some, None, None] * np.eye(D)
            W[:, some] = np.linalg.solve(A, self.c[some, :, None])[:, :, 0].T
        return W

    def touching(self, W: Array, slope: Array, slopes: list[Array]) -> Self:
        """The model with the gradient ``slope`` (D, T) of a loss at W."""
        c = np.ascontiguousarray((self.times(W) - slope).T)
        return replace(self, c=c, constant=0.0)

    @property
    def arrays(self) -> tuple[Array, Array, float]:
        """The model in the order of the kernels' arguments."""
        return self.G, self.c, self.constant

    @property
    def is_shared(self) -> bool:
        """Whether all tasks share one matrix."""
        return len(self.G) == 1


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over the rows of each task; those of disjoint parts add up.

    Values are measured from ``x_origin`` and ``y_origin`` (the task means when an
    intercept is fitted, else zero): otherwise a large mean would drown the variance
    when a fold is subtracted.
    """

    n: Array  # (T,) the number of rows, or the sum of their weights
    x: Array  # (T, D) Σx, like the others weighted if rows have weights
    y: Array  # (T,) Σy
    xx: Array  # (T, D, D) Σxxᵀ, or (1, D, D) if shared
    xy: Array  # (T, D) Σxy
    yy: Array  # (T,) Σy²
    x_origin: Array
    y_origin: Array
    fit_intercept: bool
    task_weights: tuple[float, ...] = ()

    @classmethod
    def of(
        cls, data: MultiTaskData, *, fit_intercept: bool, origin: Self | None = None
    ) -> Self:
        """Sum over ``data``; a part is summed from the ``origin`` of the whole."""
        if origin is not None:
            x_origin, y_origin = origin.x_origin, origin.y_origin
        elif fit_intercept:
            x_origin, y_origin = means_of_tasks(data)
        else:
            x_origin = np.zeros((data.n_tasks, data.n_features))
            y_origin = np.zeros(data.n_tasks)
        sums = _shared_sums if data.shared_rows else _task_sums
        x, y, xx, xy, yy = sums(data, x_origin, y_origin)
        return cls(
            data.weight_sums, x, y, xx, xy, yy,
            x_origin, y_origin, fit_intercept, data.task_weights,
        )  # fmt: skip

    def __sub__(self, part: Self) -> Self:
        """What remains when ``part`` (summed from the same origin) is held out."""
        return type(self)(
            self.n - part.n, self.x - part.x, self.y - part.y, self.xx - part.xx,
            self.xy - part.xy, self.yy - part.yy,
            self.x_origin, self.y_origin, self.fit_intercept, self.task_weights,
        )  # fmt: skip

    def quadratic(self) -> Quadratic:
        """The squared loss per observation, minimised over the intercept if any.

        Overwrites ``xx`` by G, since each may be as large as the data.
        """
        n = self.n
        own = len(self.xx)  # T, or 1 if all tasks have the same rows
        G = self.xx
        G /= n[:own, None, None]
        c = self.xy / n[:, None]
        yy = self.yy / n
        x_mean, y_mean = np.zeros_like(self.x), np.zeros_like(self.y)
        if self.fit_intercept:
            dx, dy = self.x / n[:, None], self.y / n
            for matrix, mean in zip(G, dx, strict=False):
                matrix -= np.outer(mean, mean)
            c -= dx * dy[:, None]
            yy -= dy * dy
            x_mean, y_mean = self.x_origin + dx, self.y_origin + dy
        if self.task_weights:
            a = np.array(self.task_weights)
            G = G * a[0] if len(set(self.task_weights)) == 1 else G * a[:, None, None]
            c, yy = c * a[:, None], yy * a
        return Quadratic(G, c, 0.5 * float(yy.sum()), x_mean, y_mean)


def _task_sums(data: MultiTaskData, x_origin: Array, y_origin: Array) -> tuple:
    T, D = x_origin.shape
    x, y, yy = np.empty((T, D)), np.empty(T), np.empty(T)
    xx, xy = np.empty((T, D, D)), np.empty((T, D))
    for j, (Xj, yj) in enumerate(zip(data.X, data.y, strict=True)):
        yj = yj - y_origin[j]
        heavy = data.weighed(j, yj)
        x[j], xx[j], xy[j] = _design_sums(Xj, heavy, x_origin[j], data.row_weights(j))
        y[j], yy[j] = heavy.sum(), heavy @ yj
    return x, y, xx, xy, yy


def _shared_sums(data: MultiTaskData, x_origin: Array, y_origin: Array) -> tuple:
    """One product XᵀX for all tasks, since they share the design and its origin."""
    Y, weight = np.column_stack(data.y) - y_origin, data.row_weights(0)
    heavy = Y if weight is None else weight[:, None] * Y
    x, xx, xy = _design_sums(data.X[0], heavy, x_origin[0], weight)
    x = np.broadcast_to(x, x_origin.shape).copy()
    return x, heavy.sum(axis=0), xx[None], xy.T.copy(), (heavy * Y).sum(axis=0)


def _design_sums(
    X: Any, Y: Array, origin: Array, weight: Array | None
) -> tuple[Array, Array, Array]:
    """Σx, Σxxᵀ and ΣxY with x measured from its origin: one pass over X.

    The rows of the first two are weighted here, those of Y are before.
    """
    if issparse(X):
        n = X.shape[0] if weight is None else weight.sum()
        cross = np.multiply.outer(origin, Y.sum(axis=0))
        xx = second_moments(X, origin, weight)
        x = column_sums(X, weight) - n * origin
        return x, xx, transposed_times(X, Y) - cross
    shifted = bool(origin.any())
    sums = None
    for rows, block in blocks(X):
        if shifted:
            block = block - origin
        cross = block.T @ Y[rows]
        if weight is None:
            part = block.sum(axis=0), block.T @ block, cross
        else:
            root = np.sqrt(weight[rows])[:, None] * block
            part = weight[rows] @ block, root.T @ root, cross
        if sums is None:
            sums = part
        else:
            for total, more in zip(sums, part, strict=True):
                total += more
    assert sums is not None, "a design has rows"
    return sums


def first_moments(data: MultiTaskData, *, fit_intercept: bool) -> Quadratic:
    """c, the means and the constant, without G: one pass over the data."""
    T, D = data.n_tasks, data.n_features
    x_mean, y_mean = np.zeros((T, D)), np.zeros(T)
    if fit_intercept:
        x_mean, y_mean = means_of_tasks(data)
    around = [yj - m for yj, m in zip(data.y, y_mean, strict=True)]
    # Σ(y − ȳ) = 0, so that X need not be centred.
    y = [data.weighed(j, r) / data.divisors[j] for j, r in enumerate(around)]
    if data.shared_X:
        c = np.ascontiguousarray(transposed_times(data.X[0], np.column_stack(y)).T)
    else:
        c = np.stack([transposed_times(X, yj) for X, yj in zip(data.X, y, strict=True)])
    constant = 0.5 * sum(float(r @ yj) for r, yj in zip(around, y, strict=True))
    return Quadratic(NO_MATRICES, c, constant, x_mean, y_mean)


def gram_quadratic(
    data: MultiTaskData, first: Quadratic, curvature: float
) -> Quadratic:
    """``first`` with G_j = curvature·X_jᵀX_j/N_j, centred at the means of ``first``."""
    D = first.c.shape[1]
    designs = data.X[:1] if data.shared_gram else data.X
    G = np.empty((len(designs), D, D))
    for j, X in enumerate(designs):
        G[j] = second_moments(X, first.x_mean[j], data.row_weights(j))
        G[j] *= curvature / data.divisors[j]
    return replace(first, G=G)
