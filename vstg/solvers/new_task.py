r"""A task that was not in the fit: its v and b on the bases U, which stay as they are.

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
from vstg.losses import Loss, best_constant, get_loss, weighted_sum
from vstg.objective import check_strengths
from vstg.penalties import SquaredKSupport
from vstg.solvers.fista import fista
from vstg.solvers.result import VSTGResult

TOL = 1e-10
MAX_ITER = 20_000


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
        msg = f"X has {data.n_features} columns and the fit {len(result.U)} variables"
        raise DataError(msg)
    loss, settings = get_loss(result.loss), result.settings
    check_targets(data, classification=loss.is_classification, allow_constant=True)
    mu = settings.mu if mu is None else mu
    check_strengths(mu=mu)
    Z = times(data.X[0], result.U)
    of_rows = data.row_weights(0)
    v, b, converged = minimise(
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
