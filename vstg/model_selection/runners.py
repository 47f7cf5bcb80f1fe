"""Where the chains of a search are run, and where their rows are stored."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cached_property
from threading import Event
from typing import Any, Protocol

from threadpoolctl import threadpool_limits

from vstg.data import MultiTaskData
from vstg.losses import Loss
from vstg.model_selection.evaluation import Part, make_parts, validation_part, walk
from vstg.model_selection.folds import TaskKFold
from vstg.model_selection.grid import Chain
from vstg.model_selection.methods import METHODS, Method

Rows = list[dict[str, Any]]
Work = tuple[Chain, int]  # a chain and the number of a part


@dataclass(frozen=True, eq=False)
class Plan:
    """All that a process needs to run any chain of a search."""

    data: MultiTaskData
    method: Method
    loss: Loss
    cv: int | TaskKFold | MultiTaskData
    fit_intercept: bool
    tol: float | None

    @cached_property
    def parts(self) -> list[Part]:
        """The folds with their statistics, computed once where they are used."""
        with threadpool_limits(1):
            return make_all_parts(
                self.data, self.loss, self.cv, fit_intercept=self.fit_intercept
            )

    def walk(self, work: Work, stop: Event) -> Rows:
        """The rows of one chain on one part."""
        chain, number = work
        return walk(self.method, chain, self.parts[number], self.tol, stop.is_set)

    def __getstate__(self) -> dict[str, Any]:
        # Parts are computed again where they are needed; methods go by their names.
        state = {name: value for name, value in vars(self).items() if name != "parts"}
        if METHODS.get(self.method.name) is self.method:
            state["method"] = self.method.name
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if isinstance(state["method"], str):
            self.__dict__["method"] = METHODS[state["method"]]


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


class Runner(Protocol):
    """Runs chains somewhere; the rows do not depend on where."""

    def run(
        self, plan: Plan, work: Sequence[Work], stop: Event
    ) -> Iterator[tuple[int, Rows]]:
        """Place in ``work`` and rows of each piece as it ends."""


@dataclass(frozen=True)
class ThreadRunner:
    """Threads of this process; the compiled kernels release the GIL."""

    n_jobs: int = 1

    def run(
        self, plan: Plan, work: Sequence[Work], stop: Event
    ) -> Iterator[tuple[int, Rows]]:
        """Place in ``work`` and rows of each piece as it ends."""
        with threadpool_limits(1), ThreadPoolExecutor(self.n_jobs) as executor:
            places = {
                executor.submit(plan.walk, item, stop): place
                for place, item in enumerate(work)
            }
            try:
                for future in as_completed(places):
                    yield places[future], future.result()
            except BaseException:
                stop.set()  # also on Ctrl-C: waiting chains must not start
                raise


@dataclass(frozen=True)
class Piece:
    """A chain on one part, and where its rows stand in the table."""

    chain: Chain
    repeat: int
    fold: int
    number_of_round: int
    place: int


class Storage(Protocol):
    """Keeps finished chains, so that nothing is fitted twice."""

    def begin(self, total: int) -> None:
        """A round begins, after which ``total`` cells will have been evaluated."""

    def load(self, piece: Piece) -> Rows | None:
        """The rows of a piece that is already finished."""

    def save(self, piece: Piece, rows: Rows) -> None:
        """Keep the rows of a finished piece, all or none."""
