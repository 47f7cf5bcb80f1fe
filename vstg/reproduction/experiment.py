"""One piece of a table: tune, fit and evaluate a method on one repetition."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Event
from time import perf_counter
from typing import Any

import numpy as np

from vstg.data import Array, Dataset
from vstg.data.designs import margins
from vstg.metrics import (
    error_rate_mean_over_tasks,
    error_rate_pooled,
    multiclass_error_rate,
    relative_estimation_error,
    rmse_mean_over_tasks,
    rmse_pooled,
)
from vstg.model_selection import SearchResult, TaskKFold, get_method, search_grid
from vstg.model_selection.grid import AFTER, Grid
from vstg.model_selection.methods import Fitted
from vstg.model_selection.runners import Runner, Storage
from vstg.problem import Problem
from vstg.reproduction.benchmarks import Benchmark
from vstg.reproduction.protocol import Effort, TableColumn, neighbours

StorageOf = Callable[[Dataset], Storage]
Search = Callable[..., SearchResult]  # of a grid


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a piece: the errors, how they were reached, and W."""

    setting: dict[str, Any]
    errors: dict[str, float]
    choice_error: float
    n_variables: int
    n_fits: int
    seconds: float
    W: Array


def run_piece(
    benchmark: Benchmark,
    column: TableColumn,
    repetition: int,
    effort: Effort,
    *,
    where: Mapping[str, Any] | None = None,
    n_jobs: int = 1,
    runner: Runner | None = None,
    stop: Event | None = None,
    storage_of: StorageOf | None = None,
) -> Outcome | None:
    """Choose the setting, fit all training rows with it, evaluate; None if stopped.

    ``storage_of`` gives the storage for searches on a data set.
    """
    began, stop = perf_counter(), stop or Event()
    dataset = benchmark.load(repetition, where or {})
    cv: Any = dataset.validation or TaskKFold(effort.n_folds, random_state=repetition)
    storage = None if storage_of is None else storage_of(dataset)

    def search(grid: Grid, *, halving: bool) -> SearchResult:
        return search_grid(
            dataset.train,
            column.method,
            grid,
            cv,
            loss=dataset.loss,
            fit_intercept=dataset.fit_intercept,
            measure=benchmark.choice_measure,
            halving=halving,
            n_jobs=n_jobs,
            runner=runner,
            storage=storage,
            stop=stop,
        )

    found, grid, n_fits = choose(search, column, effort, stop)
    if stop.is_set():
        return None
    fit = refit(dataset, column, found.best, grid)
    return Outcome(
        setting=found.best,
        errors=evaluate(dataset, fit),
        choice_error=found.best_error,
        n_variables=int((fit.W != 0).any(axis=1).sum()),
        n_fits=n_fits,
        seconds=perf_counter() - began,
        W=fit.W,
    )


def choose(
    search: Search, column: TableColumn, effort: Effort, stop: Event
) -> tuple[SearchResult, Grid, int]:
    """Search and, if asked, continue among the neighbours until none is better.

    Returns the last search, its grid, and how many fits were made in all.
    """
    grid = effort.grid(column)
    found = search(grid, halving=effort.halving)
    n_fits = count_fits(found)
    seen: list[dict[str, Any]] = []
    while effort.refine and found.best not in seen and not stop.is_set():
        seen.append(found.best)
        grid = neighbours(column, found.best)
        found = search(grid, halving=False)
        n_fits += count_fits(found)
    return found, grid, n_fits


def count_fits(found: SearchResult) -> int:
    """How many fits a search made; those that differ only in their refit are one."""
    names = [name for name in found.parameters if name not in AFTER]
    return len(found.frame.drop_duplicates([*names, "repeat", "fold"]))


def refit(
    dataset: Dataset,
    column: TableColumn,
    setting: Mapping[str, Any],
    grid: Grid,
) -> Fitted:
    """Fit all training rows with the chosen setting: the better of two starts.

    One is cold, the other walks to the setting as the search did, from the weakest
    penalty; where the problem is not convex they may end apart. A cut and refit that
    the setting asks for follows the better one.
    """
    method = get_method(column.method)
    problem = Problem.of_dataset(dataset)
    plain = {n: value for n, value in setting.items() if n not in AFTER}
    walked: Fitted | None = None
    name = method.parameters[-1]
    for value in sorted(v for v in grid[name] if v <= setting[name]):
        init = walked if walked is not None and walked.W.any() else None
        walked = method.fit(problem, {**plain, name: value}, init, None)
    best = method.fit(problem, plain, None, None)
    if walked is not None and walked.objective < best.objective:
        best = walked
    if method.refits is None or plain == setting:
        return best
    return method.refits(problem, best, None).at(setting)


def evaluate(dataset: Dataset, fit: Fitted) -> dict[str, float]:
    """Return errors on the test rows by every reading of the paper's measures."""
    test = dataset.test
    decisions = margins(test.X, fit.W, fit.intercept)
    if dataset.is_classification:
        rates = {
            "multiclass_error_rate": multiclass_error_rate(test.y, decisions),
            "error_rate_mean_over_tasks": error_rate_mean_over_tasks(test.y, decisions),
            "error_rate_pooled": error_rate_pooled(test.y, decisions),
        }
        return {name: 100.0 * rate for name, rate in rates.items()}
    errors = {
        "rmse_mean_over_tasks": rmse_mean_over_tasks(test.y, decisions),
        "rmse_pooled": rmse_pooled(test.y, decisions),
    }
    if dataset.truth is not None:
        errors["ree"] = relative_estimation_error(dataset.truth.W, fit.W)
    return {name: float(np.float64(value)) for name, value in errors.items()}
