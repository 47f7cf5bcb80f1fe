"""Comparisons: tune methods on training data, evaluate them on the same test data."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from vstg.comparison import Comparison, compare_methods
from vstg.data import Array
from vstg.data.designs import margins
from vstg.jobs.kind import (
    Count,
    FittingRequest,
    Grid,
    Kind,
    Seed,
    as_json,
    check_setting,
)
from vstg.jobs.kinds.search import error_text, n_settings
from vstg.jobs.store.blobs import blob_names, pack_arrays, read_blobs, unpack_arrays
from vstg.jobs.store.cells import PassingCells, search_scope
from vstg.jobs.store.chains import RunProgress
from vstg.jobs.store.run import Run
from vstg.jobs.store.store import Store
from vstg.losses import get_loss
from vstg.metrics import errors_on
from vstg.model_selection import TaskKFold, get_method, search_grid
from vstg.problem import Problem


@dataclass(frozen=True, kw_only=True)
class ComparisonRequest(FittingRequest):
    """Methods on the same splits; ``splits`` names (training, test) data."""

    methods: list[str]
    grids: dict[str, Grid]
    splits: list[list[str]]
    folds: Count = 5
    seed: Seed = 0
    n_jobs: Count = 1

    kind = "comparison"


class Entry(NamedTuple):
    """A method on one split."""

    name: str
    method: str
    train: str
    test: str


class ComparisonKind(Kind[ComparisonRequest]):
    """A comparison of methods."""

    request = ComparisonRequest
    label = "comparison"
    unit = "results"

    def run(self, store: Store, run: Run, stop: Event) -> None:
        """Every method on every split; what is finished is not repeated."""
        work = list(entries(run.request))
        known = blob_names(store, run.id)
        progress = RunProgress(store, run.id, total=len(work))
        with store.transaction() as connection:
            progress.add(connection, len(known), fitted=False)
        for entry in work:
            if entry.name in known:
                continue
            evaluate(store, run, entry, progress, stop)
            if stop.is_set():
                return
        means = (
            errors_frame(read_evaluations(store, run)).groupby("method")["value"].mean()
        )
        best = {"error": float(means.min()), "method": str(means.idxmin())}
        store.change(run.id, best=as_json(best))

    def read(self, store: Store, run: Run) -> None:
        """Coefficients of the shape of the data, repetitions from the first on."""
        names = blob_names(store, run.id)
        evaluations = read_evaluations(store, run)
        if names - {entry.name for entry in entries(run.request)} or (
            evaluations and evaluations[0].repetition != 0
        ):
            msg = "its parts are not those of its methods and repetitions"
            raise ValueError(msg)
        data = store.data(run.data)
        for one in evaluations:
            check_setting(one.setting)
            shapes = one.W.shape, one.by_task.shape
            if shapes != ((data.n_features, data.n_tasks), (data.n_tasks,)):
                msg = "its coefficients are not of its data"
                raise ValueError(msg)
            if not (np.isfinite(one.W).all() and np.isfinite(one.by_task).all()):
                msg = "its coefficients are not numbers"
                raise ValueError(msg)
        if evaluations:
            compared(evaluations), tasks_frame(evaluations, data.task_names)

    def check(self, request: ComparisonRequest) -> None:
        """Reject unknown losses, methods, grids and splits that are no pairs."""
        get_loss(request.loss)
        self.count(request), self.describe(request)
        if not all(len(pair) == 2 for pair in request.splits):
            msg = "its splits are not pairs of training and test data"
            raise ValueError(msg)

    def count(self, request: ComparisonRequest) -> int:
        """Settings of all grids × folds × splits."""
        settings = sum(n_settings(m, g) for m, g in request.grids.items())
        return settings * request.folds * len(request.splits)

    def describe(self, request: ComparisonRequest) -> str:
        """Methods, and how often they are compared."""
        labels = ", ".join(get_method(name).label for name in request.methods)
        return f"{labels}; {len(request.splits)} repetitions"

    def headline(self, run: Run) -> tuple[str, str]:
        """Return the lowest mean error and its method."""
        if run.best is None:
            return "–", ""
        words = run.best.get("method", "")
        return error_text(run.request.loss, run.best["error"]), words

    def data(self, request: ComparisonRequest) -> set[str]:
        """All training and test data."""
        return {mark for pair in request.splits for mark in pair}


def entries(request: ComparisonRequest) -> Iterator[Entry]:
    """Return all entries, splits outermost: every stop leaves a balanced table."""
    for number, (train, test) in enumerate(request.splits):
        for method in request.methods:
            yield Entry(f"{number}/{method}", method, train, test)


def evaluate(
    store: Store, run: Run, entry: Entry, progress: RunProgress, stop: Event
) -> None:
    """Search, fit with the best setting, evaluate and keep, unless it is stopped."""
    began = perf_counter()
    request: ComparisonRequest = run.request
    train, test = store.data(entry.train), store.data(entry.test)
    loss = get_loss(request.loss)
    how = request.fitting
    cells = PassingCells(
        store,
        run,
        search_scope(
            entry.train, entry.method, run.code, seed=request.seed,
            folds=request.folds, **how,
        ),
    )  # fmt: skip
    found = search_grid(
        train,
        entry.method,
        request.grids.get(entry.method),
        TaskKFold(request.folds, random_state=request.seed),
        n_jobs=request.n_jobs,
        storage=cells,
        stop=stop,
        **how,
    )
    if stop.is_set():
        return
    problem = Problem.of(
        train,
        loss,
        fit_intercept=request.fit_intercept,
    )
    fit = get_method(entry.method).fit(problem, found.best, None, None)
    predicted = margins(test.X, fit.W, fit.intercept)
    errors = errors_on(test, predicted, loss=loss)
    # All in one unit, or none: what is compared is their mean.
    by_task = errors.by_task / test.task_units * test.unit
    content = pack_arrays(
        {
            "W": fit.W * train.task_units,
            "by_task": by_task,
            "setting": np.array(as_json(found.best)),
            "seconds": np.array(perf_counter() - began),
            "cv_error": np.array(found.best_error),
        }
    )
    cells.finish(entry.name, content, progress, 1)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """One method on one split."""

    repetition: int
    method: str
    W: Array
    by_task: Array
    setting: dict[str, Any]
    seconds: float

    @property
    def error(self) -> float:
        """Mean over the tasks, the paper's measure."""
        return float(self.by_task.mean())


def read_evaluations(store: Store, run: Run) -> list[Evaluation]:
    """Return the evaluations that a comparison has so far."""
    found = []
    for name, content in read_blobs(store, run.id).items():
        number, _, method = name.partition("/")
        arrays = unpack_arrays(content)
        found.append(
            Evaluation(
                int(number),
                method,
                arrays["W"],
                arrays["by_task"],
                json.loads(str(arrays["setting"])),
                float(arrays["seconds"]),
            )
        )
    return sorted(found, key=lambda one: one.repetition)


def errors_frame(evaluations: list[Evaluation]) -> pd.DataFrame:
    """One row per method and repetition: ``value`` and ``seconds``."""
    return pd.DataFrame(
        [
            {
                "method": get_method(j.method).label,
                "repetition": j.repetition,
                "value": j.error,
                "seconds": j.seconds,
            }
            for j in evaluations
        ]
    )


def tasks_frame(evaluations: list[Evaluation], names: tuple[str, ...]) -> pd.DataFrame:
    """Mean error by task (rows) and method (columns)."""
    columns: dict[str, list[Array]] = {}
    for j in evaluations:
        columns.setdefault(get_method(j.method).label, []).append(j.by_task)
    means = {label: np.mean(errors, axis=0) for label, errors in columns.items()}
    return pd.DataFrame(means, index=pd.Index(names, name="task"))


def compared(evaluations: list[Evaluation]) -> Comparison:
    """Means, spreads and signed-rank tests."""
    return compare_methods(errors_frame(evaluations))
