r"""Cut and refit after a fit: set small entries to zero and refit the others.

The penalties of eq. (6) do two jobs: they choose the entries of U and V that are not
zero, and they shrink them. The refit undoes the second: on the support that the fit
chose (without entries that are small beside the others) it minimises

.. math:: \sum_j \tfrac{1}{N_j} L(y_j, X_j U v_j + b_j) + \varphi \left( \gamma_1
          \|U\|_1 + \gamma_2 \|U\|_{1,\infty} + \mu \sum_j (\|v_j\|_k^{sp})^2 \right)

with :math:`\varphi` = ``relax``, from the point where the fit ended; it never rises.
"""

from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from vstg.data import Array
from vstg.kernels import MEMORY, cut_entries, descend_free, descend_free_rows
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers.initial import Start
from vstg.solvers.result import SolverRun, as_history
from vstg.solvers.smooth import SmoothDescent, State
from vstg.solvers.spans import Model
from vstg.statistics import RowModel

REFIT_TOL = 1e-4
REFIT_ITER = 500
FEW = 0.7  # share of the variables above which leaving out the rest does not pay
# The share of the penalties that a refit keeps where some task's labels are separated:
# the loss alone has no minimum there.
LEAST_SHARE = 0.1
CHECK = 20  # iterations after which that is checked
CERTAIN = 30.0  # a margin that no data of ordinary size can support


def cut_factors(U: Array, V: Array, cut: float) -> Start:
    """U and V without their small entries, and without bases that are then idle.

    An entry of U is small beside the largest of its basis; one of V by what its basis
    adds, |v_rj|·‖u_r‖, beside the largest of its task. Small means less than ``cut``
    times as large. Cutting twice is cutting once.
    """
    U, Vt = np.array(U, order="C"), np.array(V.T, order="C")
    cut_entries(U, Vt, cut)
    return U, Vt.T


def cut_and_refit(
    problem: Problem, settings: Settings, fit: Any, *, tol: float | None = None
) -> SolverRun:
    """Cut ``fit``, which minimises eq. (6), and refit it, as ``settings`` say."""
    U, V = cut_factors(fit.U, fit.V, settings.cut)
    return refit(problem, settings, U, V, fit.intercept, tol=tol)


def refit(
    problem: Problem,
    settings: Settings,
    U: Array,
    V: Array,
    intercept: Array | None = None,
    *,
    tol: float | None = None,
    max_iter: int = REFIT_ITER,
) -> SolverRun:
    """Minimise the loss and the share ``settings.relax`` of the penalties on a support.

    Parameters
    ----------
    U, V : the starting point; entries that are zero stay zero
    intercept : start of the intercepts, if their optimum has no closed form
    tol : stops as the fast solver does, by the gradients of the free entries

    Notes
    -----
    Without penalties each basis keeps its ratio ‖u_r‖/‖v^r‖. A loss
    that is not quadratic may then have no minimum, if it can separate the labels of a
    task: a tenth of the penalties is kept where this shows.
    """
    began = perf_counter()
    tol = REFIT_TOL if tol is None else tol
    start = cut_factors(U, V, 0.0)  # without idle bases
    kept = np.asarray(start[0].any(axis=1))
    if not kept.any():
        return nothing_left(problem, *start)
    rows = np.flatnonzero(kept)
    if problem.is_wide or len(rows) < FEW * len(kept):
        problem = problem.part(rows)
        start = start[0][rows], start[1]
    descend = on_loss if problem.loss.is_quadratic else on_upper_models
    run = descend(problem, settings, start, intercept, tol, max_iter, began)
    if len(run.U) == len(kept):
        return run
    whole = np.zeros_like(U)
    whole[rows] = run.U
    return replace(run, U=whole)


def nothing_left(problem: Problem, U: Array, V: Array) -> SolverRun:
    """The run of an empty support: zero, with its best intercept."""
    terms = np.array([[problem.null[0], 0.0, 0.0, 0.0]])
    b = problem.start_intercept()
    return SolverRun(U, V, b, as_history(terms, np.zeros(1)), "tolerance")


def on_loss(
    problem: Problem,
    settings: Settings,
    start: Start,
    intercept: Array | None,
    tol: float,
    max_iter: int,
    began: float,
) -> SolverRun:
    """The refit of a quadratic loss, whose best intercept has a closed form."""
    model: Model = problem.model
    point = np.array(start[0], order="C"), np.array(start[1].T, order="C")
    penalties = share_of(settings, settings.relax)
    past = np.empty((MEMORY + 1, point[0].size + point[1].size))
    history = np.empty((max_iter, 6))
    done, _, converged = on_support(
        model, *point, *supports(*point), penalties, tol, max_iter, past, 0, history
    )
    U, V = point[0], point[1].T
    seconds = np.linspace(0.0, perf_counter() - began, done + 1)[1:]
    reason = "tolerance" if converged else "max_iter"
    b = model.intercept(U @ V)
    return SolverRun(U, V, b, as_history(history[:done, :4], seconds), reason)


def on_upper_models(
    problem: Problem,
    settings: Settings,
    start: Start,
    intercept: Array | None,
    tol: float,
    max_iter: int,
    began: float,
) -> SolverRun:
    """The refit of a loss that is not quadratic."""

    def begin(share: float) -> OnSupport:
        gamma1, gamma2, mu, _ = share_of(settings, share)
        kept = replace(settings, gamma1=gamma1, gamma2=gamma2, mu=mu)
        return OnSupport(
            problem, kept, start, tol=tol, began=began, intercept=intercept
        )

    found = begin(settings.relax)
    if settings.relax < LEAST_SHARE:
        found.advance(min(CHECK, max_iter))
        if has_no_minimum(found):
            found = begin(LEAST_SHARE)
    if found.reason != "tolerance":
        found.advance(max_iter - len(found.terms))
    return found.as_run(found.intercept)


def has_no_minimum(found: "OnSupport") -> bool:
    """Whether a task has all its labels right, or a probability of practically 1.

    Then its loss without penalties falls as long as v_j grows, or nearly so.
    """
    problem = found.problem
    margins = problem.margins(found.U @ found.Vt.T, found.b)
    pairs = zip(problem.rows_of_data.y, margins, strict=True)
    return any((y * m > 0).all() or np.abs(m).max() > CERTAIN for y, m in pairs)


Penalties = tuple[float, float, float, int]  # γ1, γ2, μ, k as the kernels take them


def share_of(settings: Settings, share: float) -> Penalties:
    """A share of the penalties."""
    s = settings
    return share * s.gamma1, share * s.gamma2, share * s.mu, s.k


def supports(U: Array, Vt: Array) -> tuple[Array, Array]:
    """Where U and Vt are not zero."""
    return U != 0, Vt != 0


def on_support(
    model: Model, U: Array, Vt: Array, free_U: Array, free_Vt: Array,
    penalties: Penalties, *rest: Any,
) -> tuple[int, int, bool]:  # fmt: skip
    """Compiled iterations on a support; see :meth:`Descent.iterate`."""
    point = U, Vt, free_U, free_Vt, *penalties
    if isinstance(model, RowModel):
        return descend_free_rows(*model.arrays, *point, *rest)
    return descend_free(*model.arrays, *point, *rest)


class OnSupport(SmoothDescent):
    """Descent on upper models that moves only the entries not zero at its start."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.free = supports(self.U, self.Vt)

    def drop_dead_bases(self) -> None:
        """Leave the bases as they are: the support is given."""

    def is_optimal(self, before: State) -> bool:
        """Nothing more than the residuals is asked for on a support."""
        return True

    def iterate(
        self, model: Model, n_iter: int, past: Array, filled: int, history: Array
    ) -> tuple[int, int, bool]:
        """See :meth:`Descent.iterate`."""
        return on_support(
            model, self.U, self.Vt, *self.free, self.penalties,
            self.model_tol, n_iter, past, filled, history,
        )  # fmt: skip
