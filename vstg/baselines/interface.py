"""What all baselines take and what they return."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from vstg.data import Array, MultiTaskData
from vstg.data.designs import margins
from vstg.losses import Loss
from vstg.problem import Problem
from vstg.solvers.initial import smooth_coefficients

Shapes = Mapping[str, tuple[int, ...]]
SHARE = 1 / 8  # a start shrunk as strongly as the solution would lose bases it needs


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


@dataclass(frozen=True)
class Stopping:
    """When a run ends: at the residual ``tol``, at ``max_iter``, or by the callback."""

    tol: float
    max_iter: int
    callback: BaselineCallback | None = None

    def __post_init__(self) -> None:
        if not self.tol >= 0.0:
            msg = f"tol={self.tol!r} must be a number, at least 0"
            raise ValueError(msg)
        if not isinstance(self.max_iter, Integral) or self.max_iter < 1:
            msg = f"max_iter={self.max_iter!r} must be a whole number, at least 1"
            raise ValueError(msg)


def as_problem(
    source: MultiTaskData | Problem, loss: str | Loss, fit_intercept: bool
) -> Problem:
    """The problem itself, which keeps its loss and intercept, or one made of data."""
    if isinstance(source, Problem):
        return source
    return Problem.of(source, loss, fit_intercept=fit_intercept, allow_constant=False)


def check_bound_factors(gamma1: float, gamma2: float, first: str, second: str) -> None:
    """Both factors of W need a penalty; otherwise the free one grows without bound."""
    if (gamma1 > 0) != (gamma2 > 0):
        free = second if gamma2 == 0 else first
        msg = (
            f"gamma1={gamma1}, gamma2={gamma2} leave {free} unpenalised, so that it "
            "grows without bound: give gamma1 > 0 and gamma2 > 0 (or set both to 0)"
        )
        raise ValueError(msg)


def start_factors(
    init: Any, shapes: Shapes, optional: Shapes | None = None
) -> dict[str, Array]:
    """Copies of the factors of ``init``, an earlier result or a mapping of arrays.

    Empty if ``init`` is None.
    """
    if init is None:
        return {}
    given = init.factors if isinstance(init, BaselineResult) else init
    if not isinstance(given, Mapping) or not set(shapes) <= set(given):
        has = sorted(given) if isinstance(given, Mapping) else type(init).__name__
        msg = (
            f"init has {has}, but this method starts from {sorted(shapes)}: "
            "give an earlier result of the same method or a mapping with these arrays"
        )
        raise ValueError(msg)
    further = {k: v for k, v in (optional or {}).items() if k in given}
    start = {}
    for name, shape in {**shapes, **further}.items():
        array = np.array(given[name], dtype=float, order="C")
        if array.shape != shape:
            msg = f"init has {name} of shape {array.shape}; this problem needs {shape}"
            raise ValueError(msg)
        if not np.isfinite(array).all():
            msg = f"init has values in {name} that are not finite; give finite ones"
            raise ValueError(msg)
        start[name] = array
    return start


def start_intercept(init: Any, problem: Problem) -> Array:
    """b of an earlier result, else the best one at W = 0."""
    if isinstance(init, BaselineResult) and problem.fit_intercept:
        return np.array(init.intercept, dtype=float)
    return problem.start_intercept()


def start_coefficients(problem: Problem, gamma1: float, gamma2: float) -> Array:
    """Ridge for each task, of a strength that depends on γ1²γ2 alone.

    So do the methods: with the best scale between the factors, their penalty is a
    function of W times (γ1²γ2)^{1/3}. The paper's √(γ1² + γ2²) would not respect that;
    when one strength is large and the other small, it starts next to zero and stays.
    """
    strength = SHARE * float(np.cbrt(gamma1**2 * gamma2))
    if problem.loss.is_quadratic:
        return problem.model.ridge(strength)
    return smooth_coefficients(problem, strength)
