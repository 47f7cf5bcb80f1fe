"""What a run does, kind by kind. Called in the worker process."""

from collections.abc import Callable
from threading import Event
from typing import Any

from vstg.jobs import comparison
from vstg.jobs.cells import StoredCells, stored_result
from vstg.jobs.content import code_version, pack_arrays
from vstg.jobs.pieces import Counter, piece_names, save_piece
from vstg.jobs.place import runner_at
from vstg.jobs.reproduction import do_reproduction
from vstg.jobs.requests import (
    ComparisonRequest,
    FitRequest,
    SearchRequest,
    StabilityRequest,
    as_json,
)
from vstg.jobs.resamples import StoredResamples
from vstg.jobs.runs import Run
from vstg.jobs.store import Store
from vstg.model_selection import SearchResult, TaskKFold, search_grid, stability
from vstg.model_selection.methods import vstg_settings
from vstg.problem import Problem
from vstg.solvers import solve_problem


def check_code(run: Run) -> None:
    """A run is finished by the code that began it."""
    if run.code != code_version():
        msg = (
            "vstg has changed since this run began, and its cells would not fit "
            "together; start it anew"
        )
        raise ValueError(msg)


def do(store: Store, run: Run, stop: Event) -> None:
    """Work on a run until it is finished or told to stop."""
    check_code(run)
    WORK[run.kind](store, run, stop)


def do_search(store: Store, run: Run, stop: Event) -> None:
    """A grid search, chain by chain into the store."""
    request = run.request
    assert isinstance(request, SearchRequest)
    cv: Any = TaskKFold(
        request.folds, n_repeats=request.repeats, random_state=request.seed
    )
    if request.validation is not None:
        cv = store.data(request.validation)
    with runner_at(request.scheduler) as runner:
        result = search_grid(
            store.data(run.data),
            request.method,
            request.grid or None,
            cv,
            loss=request.loss,
            fit_intercept=request.fit_intercept,
            measure=request.measure,
            halving=request.halving,
            tol=request.tol,
            n_jobs=request.n_jobs,
            runner=runner,
            storage=StoredCells(store, run),
            stop=stop,
        )
    write_best(store, run, result)


def write_best(store: Store, run: Run, result: SearchResult | None = None) -> None:
    """The headline of a search, for the history."""
    result = stored_result(store, run) if result is None else result
    if not result.frame.empty:
        best = {
            "error": result.best_error,
            "setting": result.best,
            "one_se": result.one_se,
        }
        store.change(run.id, best=as_json(best))


def do_stability(store: Store, run: Run, stop: Event) -> None:
    """The same fit on many resamples, each kept when it is finished."""
    request = run.request
    assert isinstance(request, StabilityRequest)
    found = stability(
        store.data(run.data),
        loss=request.loss,
        fit_intercept=request.fit_intercept,
        n_resamples=request.n_resamples,
        scheme=request.scheme,
        random_state=request.seed,
        n_jobs=request.n_jobs,
        callback=lambda done, total: stop.is_set(),
        storage=StoredResamples(store, run),
        **request.setting,
    )
    n_sure = int((found.variables >= 0.9).sum())
    store.change(run.id, best=as_json({"n_sure": n_sure, "setting": request.setting}))


def do_comparison(store: Store, run: Run, stop: Event) -> None:
    """Every method on every split; what is finished is not repeated."""
    request = run.request
    assert isinstance(request, ComparisonRequest)
    work = comparison.pieces(request)
    known = piece_names(store, run.id)
    counter = Counter(store, run.id, len(work))
    counter.reach(len(known), fitted=False)
    for name, method, train, test in work:
        if name in known:
            continue
        judged = comparison.judge(
            request, method, store.data(train), store.data(test), stop
        )
        if judged is None:
            return
        save_piece(store, run.id, name, judged, counter)
    store.change(run.id, best=as_json(comparison.headline(store, run)))


def do_fit(store: Store, run: Run, stop: Event) -> None:
    """One fit with fixed settings."""
    request = run.request
    assert isinstance(request, FitRequest)
    problem = Problem.of(
        store.data(run.data),
        request.loss,
        fit_intercept=request.fit_intercept,
    )
    result = solve_problem(problem, vstg_settings(request.setting))
    save_piece(store, run.id, "fit", pack_arrays({"U": result.U, "V": result.V}))
    store.change(run.id, best=as_json({"setting": request.setting}))


WORK: dict[str, Callable[[Store, Run, Event], None]] = {
    "search": do_search,
    "stability": do_stability,
    "comparison": do_comparison,
    "fit": do_fit,
    "reproduction": do_reproduction,
}
