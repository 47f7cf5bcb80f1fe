"""Grid searches: every setting on every fold, chain by chain into the store."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pandas as pd

from vstg.data import MultiTaskData
from vstg.jobs.kind import (
    Count,
    FittingRequest,
    Grid,
    Kind,
    Seed,
    as_json,
    check_setting,
)
from vstg.jobs.queue.attempt import attempt
from vstg.jobs.queue.cluster import runner_at
from vstg.jobs.store import run as status
from vstg.jobs.store.cells import StoredCells, new_rows, search_scope
from vstg.jobs.store.chains import Scope
from vstg.jobs.store.run import Run
from vstg.jobs.store.store import Store
from vstg.losses import get_loss, measure_of
from vstg.model_selection import SearchResult, TaskKFold, search_grid
from vstg.model_selection.evaluation import measures_of
from vstg.model_selection.grid import check_grid, count_settings, paper_grid
from vstg.model_selection.methods import get_method
from vstg.model_selection.search import SEARCH_TOL
from vstg.notation import measure_text, number_text, setting_text


@dataclass(frozen=True, kw_only=True)
class SearchRequest(FittingRequest):
    """A grid search, on folds or on the stored data that ``validation`` names."""

    method: str = "vstg"
    grid: Grid = field(default_factory=dict)
    folds: Count = 10
    repeats: Count = 1
    seed: Seed = 0
    validation: str | None = None
    measure: str | None = None
    halving: bool = False
    tol: float | None = SEARCH_TOL
    n_jobs: Count = 1
    scheduler: str | None = None

    kind = "search"


class SearchKind(Kind[SearchRequest]):
    """A grid search."""

    request = SearchRequest
    label = "search"

    def run(self, store: Store, run: Run, stop: Event) -> None:
        """Evaluate the grid, chain by chain into the store."""
        request: SearchRequest = run.request
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
                **request.fitting,
                measure=request.measure,
                halving=request.halving,
                tol=request.tol,
                n_jobs=request.n_jobs,
                runner=runner,
                storage=stored_cells(store, run),
                stop=stop,
            )
        write_best(store, run, result)

    def read(self, store: Store, run: Run) -> None:
        """Its table of numbers and what is chosen from it."""
        for _, row in new_rows(store, run.id)[0]:
            for name, value in row.items():
                if not (value is None or isinstance(value, bool) or isfinite(value)):
                    msg = f"its cells cannot have {value} for {name}"
                    raise ValueError(msg)
        result = stored_result(store, run)
        if not result.frame.empty:
            numbers = result.summary().to_numpy(dtype=float)
            if np.isinf(numbers).any():
                msg = "its table has infinite numbers"
                raise ValueError(msg)
            check_setting(result.best)
            check_setting(result.one_se)
        elif run.best is not None:
            msg = "it has a best setting and no cells"
            raise ValueError(msg)

    def check(self, request: SearchRequest) -> None:
        """Reject unknown losses, methods and grids."""
        get_loss(request.loss)
        n_settings(request.method, request.grid)

    def count(self, request: SearchRequest) -> int:
        """Settings × folds × repeats."""
        n_parts = 1 if request.validation else request.folds * request.repeats
        return n_settings(request.method, request.grid) * n_parts

    def describe(self, request: SearchRequest) -> str:
        """Method, number of settings, and what they are evaluated on."""
        folds = "validation set" if request.validation else f"{request.folds} folds"
        count = n_settings(request.method, request.grid)
        words = [get_method(request.method).label, f"{count:,} settings", folds]
        return ", ".join([*words, "halving"] if request.halving else words)

    def headline(self, run: Run) -> tuple[str, str]:
        """Return the lowest error and its setting."""
        if run.best is None:
            return "–", ""
        words = setting_text(run.best.get("setting", {}))
        return error_text(run.request.loss, run.best["error"]), words

    def data(self, request: SearchRequest) -> set[str]:
        """The validation set."""
        return {request.validation} if request.validation else set()

    def here(self, request: SearchRequest) -> SearchRequest:
        """Without a cluster."""
        return replace(request, scheduler=None)

    def scope(self, request: SearchRequest, data: str, code: str) -> Scope:
        """Return everything that determines a cell besides its setting and fold."""
        return search_scope(
            data,
            request.method,
            code,
            seed=request.seed,
            **request.fitting,
            folds=request.folds,
            repeats=request.repeats,
            validation=request.validation,
            tol=request.tol,
        )


def stored_cells(store: Store, run: Run) -> StoredCells:
    """The storage of a search."""
    return StoredCells(store, run, SearchKind().scope(run.request, run.data, run.code))


def n_settings(method: str, grid: Grid) -> int:
    """How many settings a grid has; without one the paper's is searched."""
    chosen = get_method(method)
    return count_settings(chosen, check_grid(chosen, grid or paper_grid(chosen)))


def error_text(loss: str, error: float) -> str:
    """An error with the name of its measure."""
    measure = measure_text(measure_of(loss))
    return f"{measure} {number_text(error)}"


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


def stored_result(store: Store, run: Run) -> SearchResult:
    """Return the search as far as it is, in the order of the grid."""
    rows, _ = new_rows(store, run.id)
    ordered = sorted(rows, key=lambda item: item[0])
    return search_result(run, pd.DataFrame([row for _, row in ordered]))


def search_result(run: Run, frame: pd.DataFrame) -> SearchResult:
    """The table of a run with what its request says about it."""
    request: SearchRequest = run.request
    names = get_method(request.method).parameters
    parameters = (*names, *(name for name in request.grid if name not in names))
    measure = request.measure or measures_of(request.loss)[0]
    return SearchResult(
        frame,
        request.method,
        parameters,
        measure,
        run.status != status.DONE,
        run.seconds,
    )


@contextmanager
def recorded(
    path: str | Path | None,
    request: SearchRequest,
    data: MultiTaskData,
    validation: MultiTaskData | None = None,
    name: str = "",
) -> Iterator[dict[str, Any]]:
    """Options for :func:`vstg.model_selection.search_grid` that keep its cells.

    For a search in this process, as the command line makes it. The run is in the
    history from the beginning, and can be cancelled from there. Without a path
    nothing is kept.
    """
    with runner_at(request.scheduler) as runner:
        if path is None:
            yield {"runner": runner}
            return
        with Store(path) as store:
            if validation is not None:
                store.add_data(validation)
            number = store.add_run(
                request, data, data_name=name, name=name, run_status=status.RUNNING
            )
            with attempt(store, store.run(number)) as stop:
                cells = stored_cells(store, store.run(number))
                yield {"runner": runner, "storage": cells, "stop": stop}
                run = store.run(number)
                write_best(store, run)
                if run.done < run.total:  # some rows came from a table instead
                    stop.set()
