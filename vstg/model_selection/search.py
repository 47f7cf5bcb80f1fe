"""Grid search by cross-validation, warm-started and parallel."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Event
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd

from vstg.data import MultiTaskData
from vstg.losses import Loss, get_loss
from vstg.model_selection.evaluation import measures_of
from vstg.model_selection.folds import TaskKFold
from vstg.model_selection.grid import Grid, chains, check_grid, expand, paper_grid
from vstg.model_selection.methods import Method, get_method
from vstg.model_selection.result import SearchProgress, SearchResult
from vstg.model_selection.runners import (
    Piece,
    Plan,
    Rows,
    Runner,
    Storage,
    ThreadRunner,
    Work,
)

SEARCH_TOL = 1e-3  # errors of neighbouring settings differ by far more
HALVING_KEEP = 1 / 3

SearchCallback = Callable[[SearchProgress], bool | None]


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
    runner: Runner | None = None,
    storage: Storage | None = None,
    stop: Event | None = None,
) -> SearchResult:
    """Cross-validate every setting of a grid.

    Parameters
    ----------
    method : a name in :data:`~vstg.model_selection.METHODS`
    grid : values by parameter, the paper's by default; settings with k > n_latent are
        left out. For VSTG-MTL also ``mu``, ``cut`` and ``relax``, of which the last two
        cost little: one fit serves them all
    cv : number of folds, a :class:`TaskKFold`, or a validation set
    measure : what is minimised; by default the mean over tasks of RMSE, of the error
        rate for labels, of the mean absolute error for Huber's loss, and of the mean
        deviance for counts
    halving : successive halving over folds: all settings on a few folds, then the best
        third on more, until the last are evaluated on all; ``round`` says when
    n_jobs : number of threads; the compiled kernels release the GIL. The table does not
        depend on it
    callback : called with a :class:`SearchProgress` after each chain; a true answer
        cancels, and what is done is kept (as it is after Ctrl-C)
    done : rows of an earlier, cancelled search of the same kind, not to be repeated
    runner : where chains are run, by default ``n_jobs`` threads
    storage : stores every finished chain and returns those that it has
    stop : when set, also from another thread, cancels at the next fit

    Returns
    -------
    SearchResult
    """
    chosen, loss = get_method(method), get_loss(loss)
    values = check_grid(chosen, paper_grid(chosen) if grid is None else grid)
    measures = measures_of(loss)
    measure = measures[0] if measure is None else measure
    if measure not in measures:
        msg = f"measure={measure!r} is unknown; choose one of {list(measures)}"
        raise ValueError(msg)
    if n_jobs < 1:
        msg = f"n_jobs={n_jobs} must be at least 1"
        raise ValueError(msg)
    search = Search(
        Plan(data, chosen, loss, cv, fit_intercept, tol),
        tuple(values),
        measure,
        runner or ThreadRunner(n_jobs),
        callback,
        done,
        storage,
        stop or Event(),
    )
    settings = expand(chosen, values)
    if halving:
        search.run_halving(settings)
    else:
        search.run(settings, range(len(search.plan.parts)))
    return search.result()


@dataclass(eq=False)
class Search:
    """The state of one search: what remains, what is done, whether to stop."""

    plan: Plan
    parameters: tuple[str, ...]
    measure: str
    runner: Runner
    callback: SearchCallback | None
    done: pd.DataFrame | None
    storage: Storage | None
    stop: Event

    def __post_init__(self) -> None:
        self.began = perf_counter()
        self.rows: list[tuple[tuple[int, int], list[dict[str, Any]]]] = []
        self.errors: dict[tuple, list[float]] = {}
        self.n_done = 0
        self.n_total = 0
        self.known = self._known_cells()

    def run(
        self,
        settings: Sequence[dict[str, Any]],
        numbers: Sequence[int],
        number_of_round: int = 0,
    ) -> None:
        """Evaluate ``settings`` on the parts ``numbers``."""
        work = [(c, n) for c in chains(self.plan.method, settings) for n in numbers]
        self.n_total = self.n_done + sum(len(chain) for chain, _ in work)
        if self.storage is not None:
            self.storage.begin(self.n_total)
        try:
            for place, rows in self._results(work, number_of_round):
                for row in rows:
                    row["round"] = number_of_round
                    self.errors.setdefault(self._key(row), []).append(row[self.measure])
                self.rows.append(((number_of_round, place), rows))
                self.n_done += len(work[place][0])
                if self.callback is not None and self.callback(self.progress()):
                    self.stop.set()
        except KeyboardInterrupt:
            self.stop.set()
        except BaseException:
            self.stop.set()  # what threads still compute would be lost
            raise

    def _results(
        self, work: Sequence[Work], number_of_round: int
    ) -> Iterator[tuple[int, Rows]]:
        """Place in ``work`` and rows of each piece as it ends; known ones first."""
        missing = []
        for place, item in enumerate(work):
            rows = self._known_rows(self._piece(item, number_of_round, place))
            if rows is None:
                missing.append(place)
            else:
                yield place, rows
        todo = [work[place] for place in missing]
        for number, rows in self.runner.run(self.plan, todo, self.stop):
            place = missing[number]
            piece = self._piece(work[place], number_of_round, place)
            if self.storage is not None and len(rows) == len(piece.chain):
                self.storage.save(piece, rows)
            if rows:
                yield place, rows

    def _piece(self, item: Work, number_of_round: int, place: int) -> Piece:
        chain, number = item
        part = self.plan.parts[number]
        return Piece(chain, part.repeat, part.fold, number_of_round, place)

    def _key(self, row: Mapping[str, Any]) -> tuple:
        return tuple(row[name] for name in self.parameters)

    def run_halving(self, settings: list[dict[str, Any]]) -> None:
        """Rounds on ever more parts with ever fewer settings."""
        used = 0
        for number_of_round, n_parts in enumerate(rungs(len(self.plan.parts))):
            self.run(settings, range(used, n_parts), number_of_round)
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
        """The progress so far; the best is among the settings evaluated most often."""
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
        """The table so far, in the order of the grid."""
        ordered = sorted(self.rows, key=lambda item: item[0])
        frame = pd.DataFrame([row for _, rows in ordered for row in rows])
        return SearchResult(
            frame,
            self.plan.method.name,
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

    def _known_rows(self, piece: Piece) -> Rows | None:
        """The rows of a chain if all of them were given as done, or are stored."""
        cell = (piece.repeat, piece.fold)
        keys = [(*self._key(s), *cell) for s in piece.chain.settings()]
        if self.known and all(key in self.known for key in keys):
            return [self.known[key] for key in keys]
        return None if self.storage is None else self.storage.load(piece)


def rungs(n_parts: int) -> list[int]:
    """Numbers of parts after each round of a halving: 2, 6, …, all."""
    steps, n = [], 2
    while n < n_parts:
        steps.append(n)
        n *= 3
    return [*steps, n_parts]
