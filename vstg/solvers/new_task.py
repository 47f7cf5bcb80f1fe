r"""Fit a task that was not in the fit: its v and b, on the known bases U.

.. math:: \min_{v,b} \tfrac{1}{N} L(y, X U v + b) + \mu (\|v\|_k^{sp})^2

This is the V-step of eq. (6) for one more task, and convex. After a refit without
penalties (``relax=0``) the known tasks have a support but the new one has none yet, so
that its penalty is the full one.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from vstg.data import Array, DataError, MultiTaskData, check_targets
from vstg.data.designs import times
from vstg.losses import (
    Loss,
    best_constant,
    get_loss,
    second_derivative,
    weighted_sum,
)
from vstg.objective import check_strengths
from vstg.penalties import SquaredKSupport
from vstg.solvers.fista import fista
from vstg.solvers.result import VSTGResult

TOL = 1e-10
MAX_ITER = 20_000
MODELS = 200  # quadratic ones of a loss whose curvature has no bound
FLOOR, STEEPER = 1e-10, 4.0  # of the curvature of a row, and between attempts


@dataclass(frozen=True, eq=False)
class TaskFit:
    """The fit of one task on known bases.

    Attributes
    ----------
    v : (K,) array
    w : (D,) array, U v
    intercept : float
    objective : its loss and its penalty
    mu : the strength of the penalty
    converged : bool
    """

    v: Array
    w: Array
    intercept: float
    objective: float
    mu: float
    converged: bool


def fit_task(
    result: VSTGResult,
    X: Any,
    y: Any,
    *,
    weights: Any = None,
    mu: float | None = None,
) -> TaskFit:
    """Fit a task that was not in the fit, with the bases of ``result``.

    Parameters
    ----------
    result : VSTGResult
        Gives U, k, the loss and whether there is an intercept.
    X : array or sparse matrix (n, D)
        Rows of the new task; the variables are those of the fit, in its units.
    y : array-like (n,)
        Their targets, in the units of the fit; -1 and +1 for the logistic loss.
    weights : array-like (n,), optional
        How much each row counts.
    mu : float, optional
        Strength of the penalty on v, by default that of the fit.

    Raises
    ------
    DataError
        A value is missing, there is no row, or the labels are all of one class.

    Examples
    --------
    >>> from vstg import solve_vstg
    >>> from vstg.datasets import make_syn
    >>> from vstg.solvers import fit_task
    >>> train = make_syn(1, random_state=0).train
    >>> known = train.subset(tasks=list(train.task_names[1:]))
    >>> result = solve_vstg(known, n_latent=5, k=1, gamma1=0.1, gamma2=0.1)
    >>> fit_task(result, train.X[0][:5], train.y[0][:5]).w.shape
    (25,)
    """
    given = () if weights is None else [weights]
    data = MultiTaskData([X], [y], ["the new task"], weights=given)
    if data.n_features != len(result.U):
        msg = f"X has {data.n_features} columns, but the fit {len(result.U)} variables"
        raise DataError(msg)
    loss, settings = get_loss(result.loss), result.settings
    check_targets(data, classification=loss.is_classification, allow_constant=True)
    refuse = getattr(loss, "check_targets", None)
    if refuse is not None:
        refuse(data.y[0], "the new task")
    mu = settings.mu if mu is None else mu
    check_strengths(mu=mu)
    Z = times(data.X[0], result.U)
    of_rows = data.row_weights(0)
    descend = minimise if np.isfinite(loss.curvature) else minimise_by_models
    v, b, converged = descend(
        Z, data.y[0], loss, SquaredKSupport(mu, settings.k), result.fit_intercept,
        of_rows,
    )  # fmt: skip
    value = weighted_sum(loss, data.y[0], Z @ v + b, of_rows) / data.divisors[0]
    penalty = SquaredKSupport(mu, settings.k).value(v[:, None])
    return TaskFit(v, result.U @ v, b, value + penalty, mu, converged)


def minimise(
    Z: Array,
    y: Array,
    loss: Loss,
    penalty: SquaredKSupport,
    fit_intercept: bool,
    weights: Array | None = None,
) -> tuple[Array, float, bool]:
    """v, b and whether the descent converged, for the bases' values Z = X U (n, K)."""
    n, K = Z.shape
    share = np.full(n, 1.0 / n) if weights is None else weights / weights.sum()
    centre = share @ Z if fit_intercept else np.zeros(K)
    Z = Z - centre  # the Hessian's bound then has no entry between v and b
    start = np.zeros(K + 1)
    start[K] = best_constant(loss, y, weights) if fit_intercept else 0.0
    heavy = np.sqrt(share)[:, None] * Z
    bound = loss.curvature * float(np.linalg.norm(heavy, 2)) ** 2
    bounds = np.full(K + 1, bound)
    bounds[K] = loss.curvature

    def gradient(x: Array) -> Array:
        slope = share * loss.derivative(y, Z @ x[:K] + x[K])
        return np.append(Z.T @ slope, slope.sum() if fit_intercept else 0.0)

    def prox(x: Array, step: Array | float) -> Array:
        if bound == 0:  # the bases vanish on these rows, or are all zero
            return np.append(np.zeros(K), x[K])
        same = float(np.atleast_1d(step)[0])  # of all entries of v
        return np.append(penalty.prox(x[:K, None], same)[:, 0], x[K])

    found = fista(gradient, prox, start, bounds, tol=TOL, max_iter=MAX_ITER)
    v, b = found.x[:K], float(found.x[K])
    return v, b - float(centre @ v), found.converged


def minimise_by_models(
    Z: Array,
    y: Array,
    loss: Loss,
    penalty: SquaredKSupport,
    fit_intercept: bool,
    weights: Array | None = None,
) -> tuple[Array, float, bool]:
    """The same where the curvature has no bound, by a quadratic model at each point.

    A model that leads uphill is made steeper.
    """
    n, K = Z.shape
    A = np.column_stack([Z, np.full(n, 1.0 if fit_intercept else 0.0)])
    x = np.zeros(K + 1)
    x[K] = best_constant(loss, y, weights) if fit_intercept else 0.0
    share = np.full(n, 1.0 / n) if weights is None else weights / weights.sum()

    def value(x: Array) -> float:
        return weighted_sum(loss, y, A @ x, share) + penalty.value(x[:K, None])

    def prox(at: Array, step: Array | float) -> Array:
        same = float(np.atleast_1d(step)[0])
        return np.append(penalty.prox(at[:K, None], same)[:, 0], at[K])

    steeper, now = 1.0, value(x)
    for _ in range(MODELS):
        margin = A @ x
        slope = A.T @ (share * loss.derivative(y, margin))
        h = steeper * share * np.maximum(second_derivative(loss, y, margin), FLOOR)
        H = (A.T * h) @ A
        # Twice a block bounds it together with what it shares with the other one.
        bounds = np.full(K + 1, 2.0 * float(np.linalg.norm(H[:K, :K], 2)) + FLOOR)
        bounds[K] = 2.0 * H[K, K] + FLOOR
        new = fista(
            lambda at, H=H, x=x, slope=slope: slope + H @ (at - x),  # type: ignore[misc]
            prox, x, bounds, tol=TOL, max_iter=MAX_ITER,
        ).x  # fmt: skip
        then = value(new)
        if not then <= now:
            steeper *= STEEPER
            continue
        moved, steeper = np.abs(new - x).max(), max(1.0, steeper / STEEPER)
        x, now = new, then
        if moved <= 1e-8 * np.abs(x).max(initial=0.0):
            return x[:K], float(x[K]), True
    return x[:K], float(x[K]), False
