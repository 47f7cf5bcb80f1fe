"""The quadratic model of a loss at given margins, with a curvature per observation."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from vstg.data import Array, MultiTaskData
from vstg.data.designs import second_moments, transposed_times
from vstg.statistics.moments import Quadratic
from vstg.statistics.row_model import RowModel


@dataclass(frozen=True, eq=False)
class LocalModel:
    r"""Σ_j Σ_n s_n d_n + (h_n/2) d_n² of changes d of the margins, minimised over b."""

    model: Quadratic | RowModel
    base: float  # the value of ``model`` where it touches the loss
    mass: Array  # (T,) Σ h_n

    def intercept(self, b: Array, slope_b: Array, change: Array) -> Array:
        """The best b of the model after W has changed by ``change``."""
        return b - slope_b / self.mass - (self.model.x_mean.T * change).sum(axis=0)

    def gain_of_intercept(self, slope_b: Array) -> float:
        """How much the best b lowers the model at the margins where it touches."""
        return float((slope_b**2 / (2 * self.mass)).sum())


def local_model(
    data: MultiTaskData,
    W: Array,
    slopes: list[Array],
    curvatures: list[Array],
    *,
    fit_intercept: bool,
    rows: bool,
) -> LocalModel:
    """The model at W of a loss with ``slopes`` and ``curvatures`` by observation.

    Both have the factor 1/N_j. ``rows`` chooses the form on observations.
    """
    mass = np.array([h.sum() for h in curvatures])
    means = np.zeros((data.n_tasks, data.n_features))
    if fit_intercept:
        triples = zip(data.X, curvatures, mass, strict=True)
        means = np.stack([transposed_times(X, h) / m for X, h, m in triples])
        # The best b has changed the slopes by this much.
        slopes = [
            s - h * (s.sum() / m)
            for s, h, m in zip(slopes, curvatures, mass, strict=True)
        ]
    build = _on_rows if rows else _on_matrices
    model, base = build(data, W, slopes, curvatures, means)
    return LocalModel(model, base, mass)


def _on_matrices(
    data: MultiTaskData, W: Array, slopes: list, curvatures: list, means: Array
) -> tuple[Quadratic, float]:
    T, D = means.shape
    G, c = np.empty((T, D, D)), np.empty((T, D))
    base = 0.0
    for j, X in enumerate(data.X):
        G[j] = second_moments(X, means[j], curvatures[j])
        slope = transposed_times(X, slopes[j])
        bent = G[j] @ W[:, j]
        c[j] = bent - slope
        base += float(W[:, j] @ (0.5 * bent - c[j]))
    return Quadratic(G, c, 0.0, means, np.zeros(T)), base


def _on_rows(
    data: MultiTaskData, W: Array, slopes: list, curvatures: list, means: Array
) -> tuple[RowModel, float]:
    ends = np.concatenate([[0], np.cumsum(data.n_samples)])
    Z, y = np.empty((data.n_features, ends[-1])), np.empty(ends[-1])
    squares = np.empty((data.n_tasks, data.n_features))
    base = 0.0
    for j, X in enumerate(data.X):
        own = slice(ends[j], ends[j + 1])
        root = np.sqrt(curvatures[j])
        part = _dense_columns(X)
        part = (part - means[j][:, None]) * root
        squares[j] = np.einsum("dn,dn->d", part, part)
        Z[:, own] = part
        left = slopes[j] / root
        y[own] = W[:, j] @ part - left
        base += 0.5 * float(left @ left)
    T = data.n_tasks
    model = RowModel(
        Z, ends[:-1], ends, np.ones(T), squares, y, squares, means, np.zeros(T), 0.0
    )
    return model.towards(y), base


def _dense_columns(X: Any) -> Array:
    return np.array(X.T.toarray() if issparse(X) else X.T, dtype=float, order="C")
