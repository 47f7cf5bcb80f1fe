"""How much work is taken on: checked before it begins, set by the environment.

A dashboard serves many, so that it has limits unless told otherwise; the command line
serves its user, and has those that are set.
"""

import os
from dataclasses import dataclass, fields, replace

from vstg.data import MultiTaskData
from vstg.jobs.requests import (
    ComparisonRequest,
    Request,
    SearchRequest,
    StabilityRequest,
)
from vstg.jobs.store import Store
from vstg.model_selection.grid import check_grid, count_settings, paper_grid
from vstg.model_selection.methods import get_method

UNLIMITED = 2**62


class LimitError(ValueError):
    """Work is refused; the message says which limit stands in its way."""


@dataclass(frozen=True)
class WorkLimits:
    """What is taken on.

    Attributes
    ----------
    jobs : VSTG_MAX_JOBS, runs at work at the same time
    waiting : VSTG_MAX_WAITING, runs in the queue of a store
    values : VSTG_MAX_VALUES, observations × variables, summed over the tasks
    coefficients : VSTG_MAX_COEFFICIENTS, variables × tasks
    fits : VSTG_MAX_FITS, of one run: settings × folds × repeats
    """

    jobs: int = 1
    waiting: int = 30
    values: int = 50_000_000
    coefficients: int = 1_000_000
    fits: int = 1_000_000

    def check_data(self, n_values: int, n_coefficients: int) -> None:
        """Refuse data that are too large."""
        for name, number, limit, what in (
            ("VALUES", n_values, self.values, "values (observations × variables)"),
            (
                "COEFFICIENTS",
                n_coefficients,
                self.coefficients,
                "coefficients (variables × tasks)",
            ),
        ):
            if number > limit:
                msg = (
                    f"the data have {number:,} {what}, and {limit:,} are taken here: "
                    f"leave out rows, variables or tasks, or raise VSTG_MAX_{name}"
                )
                raise LimitError(msg)

    def check_fits(self, n_fits: int) -> None:
        """Refuse a run that is too long."""
        if n_fits > self.fits:
            msg = (
                f"the run has {n_fits:,} fits, and {self.fits:,} are taken here: "
                "choose fewer values, folds or repetitions, or raise VSTG_MAX_FITS"
            )
            raise LimitError(msg)

    def check(self, request: Request, data: MultiTaskData) -> None:
        """Refuse a run whose data or whose number of fits is too large."""
        n_values = data.n_rows * data.n_features
        self.check_data(n_values, data.n_features * data.n_tasks)
        self.check_fits(count_fits(request))

    def check_queue(self, store: Store) -> None:
        """Refuse a run when too many wait already."""
        n_waiting = store.n_waiting()
        if n_waiting >= self.waiting:
            msg = (
                f"{n_waiting} runs wait already, as many as are taken here: try again "
                "when some are done, or cancel one of yours in History"
            )
            raise LimitError(msg)


NO_LIMITS = WorkLimits(*[UNLIMITED] * len(fields(WorkLimits)))


def limits_of(usual: WorkLimits) -> WorkLimits:
    """The usual limits with those that the environment sets."""
    found = {}
    for one in fields(WorkLimits):
        name = f"VSTG_MAX_{one.name.upper()}"
        text = os.environ.get(name, "").strip().replace("_", "")
        if not text:
            continue
        if not (text.isascii() and text.isdecimal()) or not 1 <= int(text) <= UNLIMITED:
            msg = f"{name}={text!r} is no limit: give a whole number from 1 on"
            raise LimitError(msg)
        found[one.name] = int(text)
    return replace(usual, **found)


def server_limits() -> WorkLimits:
    """Those of a dashboard."""
    return limits_of(WorkLimits())


def own_limits() -> WorkLimits:
    """Those of the command line: none but what is set."""
    return limits_of(NO_LIMITS)


def count_fits(request: Request) -> int:
    """How many fits a run makes at most."""
    match request:
        case SearchRequest():
            parts = 1 if request.validation else request.folds * request.repeats
            return n_settings(request.method, request.grid) * parts
        case ComparisonRequest():
            settings = sum(n_settings(m, g) for m, g in request.grids.items())
            return settings * request.folds * len(request.splits)
        case StabilityRequest():
            return request.n_resamples
    return 1


def n_settings(method: str, grid: dict) -> int:
    """How many settings a grid has; without one the paper's is searched."""
    chosen = get_method(method)
    return count_settings(chosen, check_grid(chosen, grid or paper_grid(chosen)))
