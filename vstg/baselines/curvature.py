"""Quadratic models of the loss around a point: an upper bound and a local one."""

from dataclasses import dataclass

import numpy as np

from vstg.data import Array
from vstg.data.designs import second_moments, transposed_times
from vstg.losses import Loss
from vstg.problem import Problem

WIDTH = 1e-3  # of the central difference that estimates a second derivative
FLOOR = 1e-10  # curvature of an observation if the loss has no upper bound


@dataclass(frozen=True, eq=False)
class Curvature:
    r"""Second-order part of a model of the loss in W and b, task by task.

    .. math:: \tfrac12 d_w^T G d_w + \tfrac{h}{2} (d_b + \bar x^T d_w)^2

    for the changes d of w_j and b_j. G is what remains when b_j follows w_j.
    """

    G: Array  # (T, D, D), or (1, D, D) if shared
    x_mean: Array  # (T, D), zero without an intercept
    h: Array  # (T,)


def upper_curvature(problem: Problem) -> Curvature | None:
    """The largest curvature of the loss anywhere: its model is an upper bound.

    None for a loss that has no such bound.
    """
    if not np.isfinite(problem.loss.curvature):
        return None
    model = problem.model
    h = np.full(problem.n_tasks, problem.loss.curvature)
    if problem.data is not None:
        h = h * problem.data.task_factors
    return Curvature(model.G, model.x_mean, h)


def local_curvature(problem: Problem, W: Array, b: Array, least: float) -> Curvature:
    """The curvature at (W, b), as in Newton's method: closer, but not a bound.

    No observation counts for less than ``least`` times the largest curvature of the
    loss, so 1 gives the upper model again, unless there is no largest curvature.
    """
    assert problem.data is not None, "curvature at a point needs the data"
    D = problem.n_features
    G = np.empty((problem.n_tasks, D, D))
    x_mean = np.zeros((problem.n_tasks, D))
    h = np.empty(problem.n_tasks)
    margins = problem.margins(W, b)
    tasks = zip(problem.data.X, problem.data.y, margins, strict=True)
    for j, (X, y, margin) in enumerate(tasks):
        high = problem.loss.curvature
        low = least * high if np.isfinite(high) else FLOOR
        weight = np.clip(second_derivative(problem.loss, y, margin), low, high)
        weight = problem.data.weighed(j, weight) / problem.data.divisors[j]
        h[j] = weight.sum()
        if problem.fit_intercept:
            x_mean[j] = transposed_times(X, weight) / h[j]
        G[j] = second_moments(X, x_mean[j], weight)
    return Curvature(G, x_mean, h)


def second_derivative(loss: Loss, y: Array, margin: Array) -> Array:
    """L'' of every observation, by a central difference."""
    rise = loss.derivative(y, margin + WIDTH) - loss.derivative(y, margin - WIDTH)
    return rise / (2.0 * WIDTH)
