"""Grid search by cross-validation, warm-started and parallel."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from threading import Event
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from vstg.data import MultiTaskData
from vstg.losses import Loss, get_loss
from vstg.model_selection.evaluation import (
    CLASSIFICATION_MEASURES,
    REGRESSION_MEASURES,
    Part,
    make_parts,
    validation_part,
    walk,
)
from vstg.model_selection.folds import TaskKFold
from vstg.model_selection.grid import (
    Chain,
    Grid,
    chains,
    check_grid,
    expand,
    paper_grid,
)
from vstg.model_selection.methods import Method, get_method
from vstg.model_selection.result import SearchProgress, SearchResult

SEARCH_TOL = 1e-3  # errors of neighbouring settings differ by far more
HALVING_KEEP = 1 / 3

SearchCallback = Callable[[SearchProgress], bool | None]
Work = tuple[Chain, int]  # a chain and the number of a part


def search_grid(
    data: MultiTaskData,
    method: str | Method = "vstg",
    grid: Grid | None = None,
    cv: int | TaskKFold | MultiTaskData = 10,
    *,
    loss: str | Loss = "squared",
    fit_intercept: bool = False,
    measure: str | None = None,
    halving: bool = False,
    tol: float | None = SEARCH_TOL,
    n_jobs: int = 1,
    callback: SearchCallback | None = None,
    done: pd.DataFrame | None = None,
) -> SearchResult:
    """Judge every setting of a grid on every fold.

    Parameters
    ----------
    method : a name in :data:`~vstg.model_selection.METHODS`
    grid : values by parameter, the paper's by default; settings with k > n_latent are
        left out
    cv : number of folds, a :class:`TaskKFold`, or a validation set
    measure : what is minimised; by default the mean over tasks of RMSE or error rate
    halving : successive halving over folds: all settings on a few folds, then the best
        third on more, until the last are judged on all; ``round`` tells which
    n_jobs : number of threads; the compiled kernels release the GIL. The table does not
        depend on it
    callback : called with a :class:`SearchProgress` after each chain; a true answer
        cancels, and what is done is kept (as it is after Ctrl-C)
    done : rows of an earlier, cancelled search of the same kind, not to be repeated

    Returns
    -------
    SearchResult
    """
    chosen, loss = get_method(method), get_loss(loss)
    values = check_grid(chosen, paper_grid(chosen) if grid is None else grid)
    measures = REGRESSION_MEASURES if loss.is_quadratic else CLASSIFICATION_MEASURES
    measure = measures[0] if measure is None else measure
    if measure not in measures:
        msg = f"measure={measure!r} is unknown; choose one of {list(measures)}"
        raise ValueError(msg)
    if n_jobs < 1:
        msg = f"n_jobs={n_jobs} must be at least 1"
        raise ValueError(msg)
    parts = make_all_parts(data, loss, cv, fit_intercept=fit_intercept)
    search = Search(chosen, parts, tuple(values), measure, tol, callback, done)
    settings = expand(chosen, values)
    with threadpool_limits(1), ThreadPoolExecutor(n_jobs) as executor:
        if halving:
            search.run_halving(executor, settings)
        else:
            search.run(executor, settings, range(len(parts)))
    return search.result()


def make_all_parts(
    data: MultiTaskData,
    loss: Loss,
    cv: int | TaskKFold | MultiTaskData,
    *,
    fit_intercept: bool,
) -> list[Part]:
    """The parts that ``cv`` describes."""
    if isinstance(cv, MultiTaskData):
        return [validation_part(data, cv, loss, fit_intercept=fit_intercept)]
    folds = TaskKFold(cv) if isinstance(cv, int) else cv
    stratified = folds.folds(data, stratify=loss.is_classification)
    return make_parts(data, loss, stratified, fit_intercept=fit_intercept)


@dataclass(eq=False)
class Search:
    """The state of one search: what is to do, what is done, whether to stop."""

    method: Method
    parts: Sequence[Part]
    parameters: tuple[str, ...]
    measure: str
    tol: float | None
    callback: SearchCallback | None
    done: pd.DataFrame | None

    def __post_init__(self) -> None:
        self.stop = Event()
        self.began = perf_counter()
        self.rows: list[tuple[tuple[int, int], list[dict[str, Any]]]] = []
        self.errors: dict[tuple, list[float]] = {}
        self.n_done = 0
        self.n_total = 0
        self.known = self._known_cells()

    def run(
        self,
        executor: Executor,
        settings: Sequence[dict[str, Any]],
        numbers: Sequence[int],
        number_of_round: int = 0,
    ) -> None:
        """Judge ``settings`` on the parts ``numbers``."""
        work = [(c, n) for c in chains(self.method, settings) for n in numbers]
        self.n_total = self.n_done + sum(len(chain.values) for chain, _ in work)
        try:
            for place, rows in self._results(executor, work):
                for row in rows:
                    row["round"] = number_of_round
                    self.errors.setdefault(self._key(row), []).append(row[self.measure])
                self.rows.append(((number_of_round, place), rows))
                self.n_done += len(work[place][0].values)
                if self.callback is not None and self.callback(self.progress()):
                    self.stop.set()
        except KeyboardInterrupt:
            self.stop.set()

    def _results(
        self, executor: Executor, work: Sequence[Work]
    ) -> Iterator[tuple[int, list[dict[str, Any]]]]:
        """Place in ``work`` and rows of each piece as it ends; known ones first."""
        futures: dict[Future, int] = {}
        for place, item in enumerate(work):
            rows = self._known_rows(item)
            if rows is not None:
                yield place, rows
            else:
                futures[executor.submit(self._walk, item)] = place
        for future in as_completed(futures):
            rows = future.result()
            if rows:
                yield futures[future], rows

    def _walk(self, item: Work) -> list[dict[str, Any]]:
        chain, number = item
        part = self.parts[number]
        return walk(self.method, chain, part, self.tol, self.stop.is_set)

    def _key(self, row: Mapping[str, Any]) -> tuple:
        return tuple(row[name] for name in self.parameters)

    def run_halving(self, executor: Executor, settings: list[dict[str, Any]]) -> None:
        """Rounds on ever more parts with ever fewer settings."""
        used = 0
        for number_of_round, n_parts in enumerate(rungs(len(self.parts))):
            self.run(executor, settings, range(used, n_parts), number_of_round)
            used = n_parts
            if self.stop.is_set():
                return
            ranked = self.result().summary()
            n_kept = max(1, int(np.ceil(HALVING_KEEP * len(ranked))))
            kept = ranked.head(n_kept)[list(self.parameters)]
            settings = [self._as_setting(row) for _, row in kept.iterrows()]

    def _as_setting(self, row: pd.Series) -> dict[str, Any]:
        counts = {"n_latent", "k"}
        return {n: int(row[n]) if n in counts else row[n] for n in self.parameters}

    def progress(self) -> SearchProgress:
        """A look at the search: the best is among the settings judged most often."""
        most = max(len(errors) for errors in self.errors.values())
        means = {
            key: sum(errors) / most
            for key, errors in self.errors.items()
            if len(errors) == most
        }
        best = min(means, key=lambda key: means[key])
        setting = dict(zip(self.parameters, best, strict=True))
        seconds = perf_counter() - self.began
        return SearchProgress(self.n_done, self.n_total, setting, means[best], seconds)

    def result(self) -> SearchResult:
        """The table so far, in the order of the grid whatever ended first."""
        ordered = sorted(self.rows, key=lambda item: item[0])
        frame = pd.DataFrame([row for _, rows in ordered for row in rows])
        return SearchResult(
            frame,
            self.method.name,
            self.parameters,
            self.measure,
            self.stop.is_set(),
            perf_counter() - self.began,
        )

    def _known_cells(self) -> dict[tuple, dict[str, Any]]:
        if self.done is None or self.done.empty:
            return {}
        table = self.done.drop(columns="round", errors="ignore")
        records: list[dict[str, Any]] = [
            {str(name): value for name, value in row.items()}
            for row in table.to_dict("records")
        ]
        return {(*self._key(row), row["repeat"], row["fold"]): row for row in records}

    def _known_rows(self, item: Work) -> list[dict[str, Any]] | None:
        """The rows of a chain if all of them were given as done."""
        chain, number = item
        part = self.parts[number]
        cell = (part.repeat, part.fold)
        keys = [(*self._key(setting), *cell) for setting in chain.settings()]
        if not self.known or any(key not in self.known for key in keys):
            return None
        return [self.known[key] for key in keys]


def rungs(n_parts: int) -> list[int]:
    """Numbers of parts after each round of a halving: 2, 6, …, all."""
    steps, n = [], 2
    while n < n_parts:
        steps.append(n)
        n *= 3
    return [*steps, n_parts]
