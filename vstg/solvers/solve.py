"""The entry to the solvers: check, choose starts, run, keep the best."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Real
from time import perf_counter
from typing import Any

import numpy as np

from vstg.data import MultiTaskData
from vstg.kernels.blocks import penalty_terms
from vstg.losses import Loss, check_bounded
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers.admm import run_admm
from vstg.solvers.fast import run_fast
from vstg.solvers.initial import Start, initial_coefficients, restart
from vstg.solvers.refit import cut_and_refit
from vstg.solvers.result import Callback, SolverRun, VSTGResult
from vstg.solvers.working_set import FIRST_ROWS, run_working_set, wide_start


@dataclass(frozen=True)
class Solver:
    """A descent with its default stopping rule."""

    run: Any
    tol: float
    max_iter: int
    run_wide: Any = None  # for problems in the wide form, if it supports them


SOLVERS = {
    "fast": Solver(run_fast, tol=1e-4, max_iter=2000, run_wide=run_working_set),
    "admm": Solver(run_admm, tol=1e-5, max_iter=500),
}


def solve_vstg(
    data: MultiTaskData,
    *,
    loss: str | Loss = "squared",
    n_latent: int = 5,
    k: int = 3,
    gamma1: float = 2**-5,
    gamma2: float = 2**-5,
    mu: float | None = None,
    cut: float = 0.0,
    relax: float = 1.0,
    solver: str = "fast",
    tol: float | None = None,
    max_iter: int | None = None,
    n_init: int = 1,
    init: Any = None,
    fit_intercept: bool = False,
    allow_constant: bool = False,
    random_state: int | np.random.Generator | None = 0,
    callback: Callback | None = None,
    **options: Any,
) -> VSTGResult:
    r"""Fit VSTG-MTL: minimise eq. (6) of the paper over U and V.

    .. math:: \sum_j \tfrac{1}{N_j} L(y_j, X_j U v_j) + \gamma_1 \|U\|_1
              + \gamma_2 \|U\|_{1,\infty} + \mu \sum_j (\|v_j\|_k^{sp})^2

    Parameters
    ----------
    loss : "squared" (½‖y − m‖²), "logistic" (labels -1 and +1), "huber" (outliers),
        "poisson" (counts), or an object; see :mod:`vstg.losses`
    n_latent, k : K and the k of the k-support norm, 1 ≤ k ≤ K
    gamma1, gamma2, mu : strengths; ``mu=None`` means equal to gamma1
    cut : relative size below which entries of U and V become zero after the fit, in
        [0, 1); see :func:`vstg.solvers.refit.cut_factors`
    relax : share of the penalties, in [0, 1], with which the remaining entries are
        fitted again; 0 removes all shrinkage. With ``cut=0, relax=1`` nothing follows
        the fit
    solver : "fast", or "admm" for Algorithm 1 as printed (which takes the further
        options ``rho`` and ``residual_tol``)
    tol, max_iter : stopping rule, by default that of the solver; see Notes
    n_init : number of starts; the best objective is kept. The first start is that of
        eqs. (7)–(8), the others rotate its bases at random or are random
    init : a starting point: a pair (U, V) or an earlier result
    fit_intercept : give every task an intercept without penalty
    allow_constant : accept tasks whose target has one value only
    callback : called with a :class:`~vstg.solvers.result.Progress`; a true answer stops

    Returns
    -------
    VSTGResult

    Notes
    -----
    "fast" stops when the gradient mapping of every row of U and every v_j is at most
    ``tol`` times the largest such gradient at zero, and a bound proves that neither U
    alone (with the intercepts) nor V alone could lower the objective by more than
    ``tol`` times its value. The bound does not depend on the units of the variables;
    without penalties there is none, and the gradients decide. "admm" stops when an
    outer iteration changes the objective by at most ``tol`` times its value. The
    problem is not convex: another start may lead to another solution.

    Examples
    --------
    >>> from vstg import solve_vstg
    >>> from vstg.datasets import make_syn
    >>> syn = make_syn(1, random_state=0)
    >>> result = solve_vstg(syn.train, n_latent=5, k=1, gamma1=2**-4, gamma2=2**-4)
    >>> result.W.shape, result.converged
    ((25, 20), True)
    """
    settings = Settings.checked(
        n_latent=n_latent, k=k, gamma1=gamma1, gamma2=gamma2, mu=mu,
        cut=cut, relax=relax,
    )  # fmt: skip
    problem = Problem.of(
        data, loss, fit_intercept=fit_intercept, allow_constant=allow_constant
    )
    return solve_problem(
        problem, settings, solver=solver, tol=tol, max_iter=max_iter, n_init=n_init,
        init=init, random_state=random_state, callback=callback, **options,
    )  # fmt: skip


def solve_problem(
    problem: Problem,
    settings: Settings,
    *,
    solver: str = "fast",
    tol: float | None = None,
    **options: Any,
) -> VSTGResult:
    """:func:`solve_vstg` for a problem whose statistics have been computed.

    Further options are those of :func:`solve_all`.
    """
    began = perf_counter()
    runs = solve_all(problem, settings, solver=solver, tol=tol, **options)
    result = best_of(runs, problem, settings, solver, perf_counter() - began)
    if not settings.is_refitted:
        return result
    return refitted(result, problem, settings, tol)


def solve_all(
    problem: Problem,
    settings: Settings,
    *,
    solver: str = "fast",
    tol: float | None = None,
    max_iter: int | None = None,
    n_init: int = 1,
    init: Any = None,
    random_state: int | np.random.Generator | None = 0,
    callback: Callback | None = None,
    **options: Any,
) -> list[SolverRun]:
    """The runs from all starts, before any cut: local minima of eq. (6)."""
    chosen = get_solver(solver)
    tol, max_iter = check_effort(chosen, tol, max_iter, n_init)
    if chosen.run_wide is None:
        check_bounded(problem.loss, f"solver={solver!r}")
        problem = problem.in_gram_form()
    descend = chosen.run_wide if problem.is_wide else chosen.run
    runs: list[SolverRun] = []
    for number, start in enumerate(
        starts(problem, settings, init, n_init, random_state)
    ):
        run = descend(
            problem, settings, start,
            tol=tol, max_iter=max_iter,
            warm=number == 0 and init is not None,
            callback=callback, number=number, **options,
        )  # fmt: skip
        runs.append(run)
        if run.stop_reason == "callback":
            break
    return runs


def refitted(
    result: VSTGResult, problem: Problem, settings: Settings, tol: float | None
) -> VSTGResult:
    """A fit of eq. (6) after the cut and the refit of ``settings``."""
    began = perf_counter()
    run = cut_and_refit(problem, settings, result, tol=tol)
    return replace(
        result,
        settings=settings,
        U=run.U,
        V=run.V,
        intercept=run.intercept,
        objective=value_at(settings, run),
        converged=result.converged and run.stop_reason == "tolerance",
        seconds=result.seconds + perf_counter() - began,
        refit_history=run.history,
    )


def value_at(settings: Settings, run: SolverRun) -> float:
    """Eq. (6) at the end of a refit, whose loss is known."""
    terms = np.zeros(4)
    strengths = settings.gamma1, settings.gamma2, settings.mu, settings.k
    penalty_terms(run.U, np.ascontiguousarray(run.V.T), *strengths, terms)
    return float(run.history["loss"][-1] + terms.sum())


def best_of(
    runs: Sequence[SolverRun],
    problem: Problem,
    settings: Settings,
    solver: str,
    seconds: float,
) -> VSTGResult:
    """The run with the lowest objective, with the objectives of all."""
    best = min(runs, key=lambda run: run.objective)
    return VSTGResult(
        U=best.U,
        V=best.V,
        intercept=best.intercept,
        settings=settings,
        loss=problem.loss.name,
        solver=solver,
        fit_intercept=problem.fit_intercept,
        objective=best.objective,
        history=best.history,
        n_iter=len(best.history["objective"]),
        converged=best.stop_reason == "tolerance",
        stop_reason=best.stop_reason,
        seconds=seconds,
        inner_history=best.inner_history,
        restart_objectives=tuple(run.objective for run in runs),
        form=best.form or f"Gram matrices {problem.model.sizes}",
    )


def check_effort(
    solver: Solver, tol: float | None, max_iter: int | None, n_init: int
) -> tuple[float, int]:
    """The tolerance and the largest number of iterations, by default the solver's."""
    if n_init < 1:
        msg = f"n_init={n_init} must be at least 1"
        raise ValueError(msg)
    tol = solver.tol if tol is None else tol
    most = solver.max_iter if max_iter is None else max_iter
    return (
        check_number("tol", tol, least=0.0),
        int(check_number("max_iter", most, least=1)),
    )


def check_number(name: str, value: Any, *, least: float) -> float:
    """A finite number that is large enough, as a float."""
    if isinstance(value, bool) or not isinstance(value, Real):
        msg = f"{name}={value!r} must be a number"
        raise TypeError(msg)
    if not least <= float(value) < np.inf:
        msg = f"{name}={value!r} must be a finite number, at least {least:g}"
        raise ValueError(msg)
    return float(value)


def get_solver(name: str) -> Solver:
    """A solver by its name."""
    if name not in SOLVERS:
        msg = f"solver={name!r} is unknown; choose one of {sorted(SOLVERS)}"
        raise ValueError(msg)
    return SOLVERS[name]


def starts(
    problem: Problem,
    settings: Settings,
    init: Any,
    n_init: int,
    random_state: int | np.random.Generator | None,
) -> Sequence[Start]:
    """The starting points: ``init`` first if given, then those of :func:`restart`."""
    own = [] if init is None else [check_init(init, problem, settings)]
    if n_init == len(own):
        return own
    rng = np.random.default_rng(random_state)
    numbers = range(n_init - len(own))
    if not problem.is_wide:
        W = initial_coefficients(problem, settings)
        return own + [restart(W, settings.n_latent, number, rng) for number in numbers]
    rows, W = wide_start(problem, settings, FIRST_ROWS)
    for number in numbers:
        part, V = restart(W, settings.n_latent, number, rng)
        U = np.zeros((problem.n_features, settings.n_latent))
        U[rows] = part
        own.append((U, V))
    return own


def check_init(init: Any, problem: Problem, settings: Settings) -> Start:
    """A pair (U, V), or anything with attributes U and V, of the right shapes."""
    U, V = (init.U, init.V) if hasattr(init, "U") else init
    U, V = np.asarray(U, dtype=float), np.asarray(V, dtype=float)
    D, K, T = problem.n_features, settings.n_latent, problem.n_tasks
    if U.shape != (D, K) or V.shape != (K, T):
        msg = (
            f"init has U of shape {U.shape} and V of shape {V.shape}; "
            f"these data with n_latent={K} need {(D, K)} and {(K, T)}"
        )
        raise ValueError(msg)
    if not (np.isfinite(U).all() and np.isfinite(V).all()):
        msg = "init contains values that are not finite; give finite U and V"
        raise ValueError(msg)
    return U, V
