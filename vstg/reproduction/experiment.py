"""One piece of a table: a method tuned, fitted and judged on one repetition."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Event
from time import perf_counter
from typing import Any

import numpy as np

from vstg.data import Array, MultiTaskData
from vstg.losses import get_loss
from vstg.metrics import (
    error_rate_mean_over_tasks,
    error_rate_pooled,
    multiclass_error_rate,
    relative_estimation_error,
    rmse_mean_over_tasks,
    rmse_pooled,
)
from vstg.model_selection import SearchResult, TaskKFold, get_method, search_grid
from vstg.model_selection.grid import Grid
from vstg.model_selection.methods import Fitted
from vstg.model_selection.runners import Runner, Storage
from vstg.problem import Problem
from vstg.reproduction.protocol import Column, Effort, neighbours
from vstg.reproduction.sets import DataSet, Experiment

StorageOf = Callable[[MultiTaskData, MultiTaskData | None], Storage]
Search = Callable[..., SearchResult]  # of a grid


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of a piece: the errors, how they were reached, and W."""

    setting: dict[str, Any]
    errors: dict[str, float]
    choice_error: float
    n_variables: int
    n_fits: int
    seconds: float
    W: Array


def run_piece(
    data: DataSet,
    column: Column,
    repetition: int,
    effort: Effort,
    *,
    where: Mapping[str, Any] | None = None,
    n_jobs: int = 1,
    runner: Runner | None = None,
    stop: Event | None = None,
    storage_of: StorageOf | None = None,
) -> Outcome | None:
    """Choose the setting, fit all training rows with it, judge; None if stopped.

    ``storage_of`` gives the storage of the search for training and validation data.
    """
    began, stop = perf_counter(), stop or Event()
    experiment = data.load(repetition, where or {})
    cv: Any = experiment.validation or TaskKFold(
        effort.n_folds, random_state=repetition
    )
    storage = None
    if storage_of is not None:
        storage = storage_of(experiment.train, experiment.validation)

    def search(grid: Grid, *, halving: bool) -> SearchResult:
        return search_grid(
            experiment.train,
            column.method,
            grid,
            cv,
            loss=data.loss,
            fit_intercept=data.fit_intercept,
            measure=data.choice_measure,
            halving=halving,
            n_jobs=n_jobs,
            runner=runner,
            storage=storage,
            stop=stop,
        )

    found, grid, n_fits = choose(search, column, effort, stop)
    if stop.is_set():
        return None
    fit = refit(data, column, experiment.train, found.best, grid)
    return Outcome(
        setting=found.best,
        errors=judge(data, experiment, fit),
        choice_error=found.best_error,
        n_variables=int((fit.W != 0).any(axis=1).sum()),
        n_fits=n_fits,
        seconds=perf_counter() - began,
        W=fit.W,
    )


def choose(
    search: Search, column: Column, effort: Effort, stop: Event
) -> tuple[SearchResult, Grid, int]:
    """Search, and if asked on among the neighbours of the best until none is better.

    Returns the last search, its grid, and how many fits were made in all.
    """
    grid = effort.grid(column)
    found = search(grid, halving=effort.halving)
    n_fits = len(found.frame)
    seen: list[dict[str, Any]] = []
    while effort.refine and found.best not in seen and not stop.is_set():
        seen.append(found.best)
        grid = neighbours(column, found.best)
        found = search(grid, halving=False)
        n_fits += len(found.frame)
    return found, grid, n_fits


def refit(
    data: DataSet,
    column: Column,
    train: MultiTaskData,
    setting: Mapping[str, Any],
    grid: Grid,
) -> Fitted:
    """All training rows with the chosen setting: the better of two starts.

    One is cold, the other walks to the setting as the search did, from the weakest
    penalty; where the problem is not convex they may end apart.
    """
    method, loss = get_method(column.method), get_loss(data.loss)
    problem = Problem.of(
        train,
        loss,
        fit_intercept=data.fit_intercept,
        allow_constant=loss.is_quadratic,
    )
    walked: Fitted | None = None
    name = method.parameters[-1]
    for value in sorted(v for v in grid[name] if v <= setting[name]):
        init = walked if walked is not None and walked.W.any() else None
        walked = method.fit(problem, {**setting, name: value}, init, None)
    cold = method.fit(problem, setting, None, None)
    if walked is None or cold.objective <= walked.objective:
        return cold
    return walked


def judge(data: DataSet, experiment: Experiment, fit: Fitted) -> dict[str, float]:
    """Errors on the test rows by every reading of the paper's measures."""
    test = experiment.test
    parts = zip(test.X, fit.W.T, fit.intercept, strict=True)
    decisions = [X @ w + b for X, w, b in parts]
    if data.loss == "logistic":
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
    if experiment.W is not None:
        errors["ree"] = relative_estimation_error(experiment.W, fit.W)
    return {name: float(np.float64(value)) for name, value in errors.items()}
