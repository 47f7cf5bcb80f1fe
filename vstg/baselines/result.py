"""What a baseline returns, and what it reports while it runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from vstg.data import Array, MultiTaskData
from vstg.data.designs import margins


@dataclass(frozen=True, eq=False)
class BaselineProgress:
    """The progress of a running baseline, given to ``callback``."""

    iteration: int
    objective: float
    W: Array
    intercept: Array


# Called after every iteration; if it returns true, the solver stops and returns the
# best point so far. Exceptions pass through.
BaselineCallback = Callable[[BaselineProgress], bool | None]


@dataclass(frozen=True, eq=False)
class BaselineResult:
    """A fitted baseline.

    Attributes
    ----------
    method : its name in :data:`vstg.baselines.BASELINES`
    W : (D, T) array, one column of coefficients per task
    intercept : (T,) array, zero unless an intercept was fitted
    factors : the method's own variables, e.g. ``{"c": ..., "B": ...}``; a result given
        as ``init`` starts from them
    parameters : the strengths and sizes it was fitted with
    loss : name of the loss
    objective : value of the method's objective at the result
    history : arrays with one value per iteration: ``objective``, its parts ``loss`` and
        ``penalty``, the ``residual`` that is compared with ``tol``, and ``seconds``
        since the start
    n_iter, converged, stop_reason, seconds : how the run ended
    """

    method: str
    W: Array
    intercept: Array
    factors: Mapping[str, Array]
    parameters: Mapping[str, float]
    loss: str
    objective: float
    history: Mapping[str, Array]
    n_iter: int
    converged: bool
    stop_reason: str
    seconds: float

    def decision(self, data: MultiTaskData) -> list[Array]:
        """X_j w_j + b_j for every task of ``data``."""
        return margins(data.X, self.W, self.intercept)
