"""``discover``: from data to variables, groups and their certainty in one call."""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from threading import Event, Lock
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from vstg.data import Array, Dataset, MultiTaskData
from vstg.discovery.candidate_search import CandidateSearch
from vstg.discovery.candidates import DEFAULT_GRID, chains, sizes
from vstg.discovery.certainty import N_STARTS as HALF_STARTS
from vstg.discovery.certainty import Certainty, search_half
from vstg.discovery.held_out_errors import (
    baseline_errors,
    compare_weights,
    held_out,
    structure_errors,
)
from vstg.discovery.local_search import FittedStructure
from vstg.discovery.matching_settings import settings_for
from vstg.discovery.result import (
    Discovery,
    DiscoveryProgress,
    found_groups,
    variables_table,
)
from vstg.discovery.scaling import Scaling, needs_intercept
from vstg.losses import Loss, get_loss
from vstg.model_selection import Fold, TaskKFold
from vstg.objective import Settings

WEIGHTS = (0.5, 1.0)  # of the prices; the heaviest that predicts as well is taken
N_STARTS = 5
N_TRIED = 8
PATIENCE = 0.2  # seconds between two looks at the progress

DiscoveryCallback = Callable[[DiscoveryProgress], bool | None]


def discover(
    data: MultiTaskData | Dataset,
    *,
    random_state: int = 0,
    cv: int | TaskKFold = 5,
    grid: Mapping[str, Sequence[Any]] | None = None,
    n_resamples: int = 25,
    loss: str | Loss | None = None,
    fit_intercept: bool | None = None,
    standardize: bool | None = None,
    n_jobs: int | None = None,
    callback: DiscoveryCallback | None = None,
    stop: Event | None = None,
) -> Discovery:
    """Find the variables that matter and the tasks that belong together.

    Solutions of eq. (6) at several settings and from several starts are cut, refitted
    and improved by moves among supports; an information criterion chooses between them,
    and cross-validation how heavily it counts. Then halves of the rows show how sure
    the finding is. ``docs/discovery.md`` explains and measures each step.

    Parameters
    ----------
    data : tasks, or a data set, whose loss, intercept and units are then taken as they
        are and whose test rows give ``test_error``
    random_state : seed of starts, folds and halves
    cv : number of folds, or the folds; the whole search is repeated in each
    grid : values of ``n_latent``, ``k`` and ``strength`` to begin with; more bases are
        tried only where fewer are all in use; strengths are relative to the data
    n_resamples : pairs of halves; 0 for no frequencies
    loss : as in :func:`vstg.solve_vstg`; by default "logistic" if all targets are -1
        and +1, and "squared" otherwise
    fit_intercept : by default if the mean of the target or of a variable is not zero
    standardize : search in units of the spread of each variable and of the target; by
        default for MultiTaskData, and not for a Dataset. The model is returned in the
        units of the data
    n_jobs : threads, by default as many as there are processors; the result does not
        depend on it
    callback : called with a :class:`DiscoveryProgress` a few times a second; a true
        answer cancels, and what is found by then is returned
    stop : when set, also from another thread, cancels

    Examples
    --------
    >>> from vstg import discover
    >>> from vstg.datasets import make_syn
    >>> found = discover(make_syn(1, random_state=0), n_resamples=0)
    >>> len(found.kept), len(found.groups), found.n_bases
    (20, 5, 5)
    """
    began = perf_counter()
    rows = prepare(data, loss, fit_intercept, standardize)
    work = Work(n_jobs, callback, stop or Event())
    finder = CandidateSearch(
        rows.loss, rows.fit_intercept, grid_of(grid), N_STARTS, N_TRIED, random_state,
        work.tick, work.stop,
    )  # fmt: skip
    folds = folds_of(rows, cv, random_state)
    seeds = np.random.SeedSequence(random_state).spawn(n_resamples)
    n_fits = finder.count(rows.train)
    work.total = (1 + len(folds)) * n_fits + len(folds) + 2 * HALF_STARTS * n_resamples
    with work:
        whole = work.submit(finder.structures, rows.train, WEIGHTS)
        parts = [
            work.submit(structure_errors, finder, rows.train, fold, WEIGHTS)
            for fold in folds
        ]
        plain = work.submit(baseline_errors, finder, rows.train, folds, rows.unit)
        structures, errors = work.result(whole), [work.result(part) for part in parts]
        baselines = work.result(plain)
        search = compare_weights(errors, rows.unit, rows.loss)
        weight = (
            1.0 if work.stop.is_set() else search.loc[search["chosen"], "weight"].item()
        )
        structure = structures[weight]
        start = origin_of(finder, rows.train, structure)
        tried = [
            work.submit(
                search_half,
                finder, rows.train, seed, half, structure, start, weight,
            )
            for seed in seeds
            for half in (0, 1)
        ]  # fmt: skip
        searched = [work.result(one) for one in tried]
        certainty = Certainty.of([] if work.stop.is_set() else searched, rows.train)
        result, repeatable = settings_for(finder.problem(rows.train), structure, start)
    return rows.discovery(
        result, repeatable, search, baselines, certainty,
        cancelled=work.stop.is_set(), seconds=perf_counter() - began,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Rows:
    """The data in the units of the search, and the way back to the user's units."""

    original: MultiTaskData
    test: MultiTaskData | None
    train: MultiTaskData
    scaling: Scaling
    loss: Loss
    fit_intercept: bool

    @property
    def labels(self) -> bool:
        """Whether the targets are labels."""
        return self.loss.is_classification

    @property
    def unit(self) -> Array:
        """What errors of scaled targets are multiplied by, (T,)."""
        return self.scaling.y * self.original.unit

    def discovery(
        self,
        result: Any,
        repeatable: bool,
        search: pd.DataFrame,
        baselines: Mapping[str, float],
        certainty: Certainty,
        *,
        cancelled: bool,
        seconds: float,
    ) -> Discovery:
        """Return the finding in the units of the data."""
        result = self.scaling.undo(result)
        spread = Scaling.of(
            self.original, centred=self.fit_intercept, targets=self.loss.is_quadratic
        ).x
        chosen = search.loc[search["chosen"], "error"].item()
        return Discovery(
            result=result,
            variables=variables_table(result, self.original, spread, certainty),
            groups=found_groups(result, self.original, certainty),
            error=float("nan") if cancelled else float(chosen),
            baselines={} if cancelled else baselines,
            test_error=self.test_error(result.W, result.intercept),
            search=search,
            certainty=certainty,
            repeatable=repeatable,
            scale=(self.scaling.x, self.scaling.y),
            cancelled=cancelled,
            seconds=seconds,
        )

    def test_error(self, W: Array, intercept: Array) -> float | None:
        """Return the error on the test rows, if there are any."""
        if self.test is None:
            return None
        rows = [np.arange(len(y)) for y in self.test.y]
        found = held_out(self.test, rows, W, intercept, self.loss)
        return found.error(np.full(self.test.n_tasks, self.test.unit), self.loss)


def prepare(
    data: MultiTaskData | Dataset,
    loss: str | Loss | None,
    fit_intercept: bool | None,
    standardize: bool | None,
) -> Rows:
    """Settle loss, intercept and units, and scale the rows."""
    test: MultiTaskData | None = None
    if isinstance(data, Dataset):
        loss = data.loss if loss is None else loss
        fit_intercept = data.fit_intercept if fit_intercept is None else fit_intercept
        standardize = False if standardize is None else standardize
        test, data = data.test, data.train
    if loss is None:
        signs = all(set(np.unique(y)) == {-1.0, 1.0} for y in data.y)
        loss = "logistic" if signs else "squared"
    chosen = get_loss(loss)
    # Counts and labels have no unit, and Huber's threshold is in that of the target.
    targets = chosen.is_quadratic
    centred = (
        not targets or needs_intercept(data) if fit_intercept is None else fit_intercept
    )
    scaling = Scaling.none(data)
    if standardize is None or standardize:
        scaling = Scaling.of(data, centred=centred, targets=targets)
    return Rows(data, test, scaling.apply(data), scaling, chosen, centred)


def grid_of(grid: Mapping[str, Sequence[Any]] | None) -> dict[str, Sequence[Any]]:
    """Return the default grid, with the given values in place."""
    unknown = set(grid or {}) - set(DEFAULT_GRID)
    if unknown:
        msg = f"the grid has {sorted(unknown)}; it may have {sorted(DEFAULT_GRID)}"
        raise ValueError(msg)
    return {**DEFAULT_GRID, **(grid or {})}


def folds_of(rows: Rows, cv: int | TaskKFold, seed: int) -> list[Fold]:
    """Return the folds; with labels, no more than any class of any task has rows."""
    if isinstance(cv, int):
        if rows.labels:
            fewest = min(min((y > 0).sum(), (y <= 0).sum()) for y in rows.train.y)
            cv = max(2, min(cv, int(fewest)))
        cv = TaskKFold(cv, random_state=seed)
    return cv.folds(rows.train, stratify=rows.labels)


def origin_of(
    finder: CandidateSearch, data: MultiTaskData, structure: FittedStructure
) -> Settings:
    """Return the settings that led to a structure, or the first of the grid."""
    if structure.origin is not None and structure.n_bases:
        return replace(structure.origin, cut=0.0, relax=1.0)
    problem = finder.problem(data)
    return chains(problem, finder.grid, sizes(problem, finder.grid)[0])[0][0]


class Work:
    """Threads that count their fits, and a main thread that reports and cancels."""

    def __init__(
        self, n_jobs: int | None, callback: DiscoveryCallback | None, stop: Event
    ) -> None:
        self.executor = ThreadPoolExecutor(n_jobs or os.cpu_count() or 1)
        self.limits = threadpool_limits(1)
        self.callback, self.stop = callback, stop
        self.began = perf_counter()
        self.done, self.total = 0, 0
        self.lock = Lock()

    def __enter__(self) -> "Work":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is not None:
            self.stop.set()
        self.executor.shutdown(cancel_futures=kind is not None)
        self.limits.restore_original_limits()

    def submit(self, run: Callable[..., Any], *arguments: Any) -> Future:
        """Run a function on a thread."""
        return self.executor.submit(run, *arguments)

    def tick(self) -> None:
        """Count a fit."""
        with self.lock:
            self.done += 1

    def result(self, future: Future) -> Any:
        """Wait for a result, and report progress meanwhile."""
        while not wait([future], PATIENCE).done:
            self.report()
        self.report()
        return future.result()

    def report(self) -> None:
        """Call the callback; a true answer cancels."""
        seconds = perf_counter() - self.began
        done = min(self.done, self.total)
        progress = DiscoveryProgress(done, self.total, seconds)
        if self.callback is not None and self.callback(progress):
            self.stop.set()
