"""The result of a solver, and the progress that it reports."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from vstg.data import Array, MultiTaskData
from vstg.data.designs import margins
from vstg.objective import Settings


@dataclass(frozen=True, eq=False)
class Progress:
    """A snapshot of a running solver, given to ``callback``."""

    iteration: int
    objective: float
    restart: int
    U: Array
    V: Array


# Called after outer iterations; a true answer stops the solver, which then returns the
# point it has reached. Exceptions pass through.
Callback = Callable[[Progress], bool | None]


@dataclass(frozen=True, eq=False)
class VSTGResult:
    """A fitted VSTG-MTL model.

    Attributes
    ----------
    U, V, W : (D, K), (K, T), (D, T) arrays, W = U V
    intercept : (T,) array, zero unless an intercept was fitted
    objective : value of eq. (6) at the result, also where a cut and a refit, which
        minimises something else, followed the fit
    history : arrays by outer iteration: ``objective``, its terms ``loss``, ``l1``,
        ``l1_inf``, ``k_support``, and ``seconds`` since the start
    inner_history : Algorithm 1 only: ``outer``, ``inner``, ``primal_residual``,
        ``dual_residual``, ``seconds`` of every ADMM iteration
    n_iter, converged, stop_reason, seconds : how the run ended
    restart_objectives : the objective each start ended at; the best is the result
    form : what the solver worked on, as text: Gram matrices or a working set
    refit_history : as ``history``, by round of the refit and for what it minimises;
        empty if the settings ask for none (then ``history`` and ``n_iter`` are all)
    """

    U: Array
    V: Array
    intercept: Array
    settings: Settings
    loss: str
    solver: str
    fit_intercept: bool
    objective: float
    history: Mapping[str, Array]
    n_iter: int
    converged: bool
    stop_reason: str
    seconds: float
    inner_history: Mapping[str, Array] = field(default_factory=dict)
    restart_objectives: tuple[float, ...] = ()
    form: str = ""
    refit_history: Mapping[str, Array] = field(default_factory=dict)

    @property
    def W(self) -> Array:
        """Coefficients of all tasks, one column per task."""
        return self.U @ self.V

    def decision(self, data: MultiTaskData) -> list[Array]:
        """X_j w_j + b_j for every task of ``data``."""
        return margins(data.X, self.W, self.intercept)


@dataclass(frozen=True, eq=False)
class SolverRun:
    """One descent from one start, before the best start is chosen."""

    U: Array
    V: Array
    intercept: Array
    history: dict[str, Array]
    stop_reason: str
    inner_history: dict[str, Array] = field(default_factory=dict)
    form: str = ""

    @property
    def objective(self) -> float:
        """The value the run ended at."""
        return float(self.history["objective"][-1])


def as_history(terms: Array, seconds: Array) -> dict[str, Array]:
    """Name the columns of the (n, 4) array of terms."""
    return {
        "objective": terms.sum(axis=1),
        "loss": terms[:, 0],
        "l1": terms[:, 1],
        "l1_inf": terms[:, 2],
        "k_support": terms[:, 3],
        "seconds": np.asarray(seconds, dtype=float),
    }
