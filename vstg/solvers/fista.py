"""Accelerated proximal gradient descent (Beck and Teboulle 2009)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vstg.data import Array


@dataclass(frozen=True, eq=False)
class FistaResult:
    """The minimiser found and how the search ended."""

    x: Array
    n_iter: int
    converged: bool


def fista(
    gradient: Callable[[Array], Array],
    prox: Callable[[Array, Array | float], Array],
    start: Array,
    lipschitz: Array | float,
    *,
    tol: float = 1e-8,
    max_iter: int = 1000,
) -> FistaResult:
    """Minimise f + g given ∇f, prox of g and a Lipschitz constant of ∇f.

    Parameters
    ----------
    lipschitz : a number, or one per column if the columns are separate problems

    Notes
    -----
    Stops when no entry moves by more than ``tol`` times the largest entry. Momentum
    restarts when it points uphill (O'Donoghue and Candès 2015).
    """
    L = np.asarray(lipschitz, dtype=float)
    step = np.divide(1.0, L, out=np.zeros_like(L), where=L > 0)
    x = ahead = np.array(start, dtype=float)
    momentum = 1.0
    for n_iter in range(1, max_iter + 1):
        new = prox(ahead - step * gradient(ahead), step)
        if np.vdot(ahead - new, new - x) > 0:
            momentum = 1.0
        following = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * momentum**2))
        ahead = new + (momentum - 1.0) / following * (new - x)
        moved = np.abs(new - x).max(initial=0.0)
        x, momentum = new, following
        if moved <= tol * np.abs(x).max(initial=0.0):
            return FistaResult(x, n_iter, True)
    return FistaResult(x, max_iter, False)
