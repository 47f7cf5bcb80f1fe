"""Limits on the work of a server, checked before it begins.

A dashboard serves many, so that it has limits unless told otherwise; the command line
serves its user, and has those that are set.
"""

import os
from dataclasses import dataclass, fields, replace
from typing import Any

from vstg.data import MultiTaskData
from vstg.jobs.kind import get_kind
from vstg.jobs.store.store import Store

UNLIMITED = 2**62


class LimitError(ValueError):
    """Work is rejected; the message says which limit it exceeds."""


@dataclass(frozen=True)
class WorkLimits:
    """The limits on runs, fits and data.

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
        """Reject data that are too large."""
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
                    f"the data have {number:,} {what}, and the limit is {limit:,}: "
                    f"leave out rows, variables or tasks, or raise VSTG_MAX_{name}"
                )
                raise LimitError(msg)

    def check_fits(self, n_fits: int) -> None:
        """Reject a run that is too long."""
        if n_fits > self.fits:
            msg = (
                f"the run has {n_fits:,} fits, and the limit here is {self.fits:,}: "
                "choose fewer values, folds or repetitions, or raise VSTG_MAX_FITS"
            )
            raise LimitError(msg)

    def check(self, request: Any, data: MultiTaskData) -> None:
        """Reject a run whose data or whose number of fits is too large."""
        n_values = data.n_rows * data.n_features
        self.check_data(n_values, data.n_features * data.n_tasks)
        self.check_fits(get_kind(request.kind).count(request))

    def check_queue(self, store: Store) -> None:
        """Reject a run when too many wait already."""
        n_waiting = store.n_waiting()
        if n_waiting >= self.waiting:
            msg = (
                f"{n_waiting} runs are waiting already, the limit here: try again "
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
            msg = f"{name}={text!r} is not a limit: give a whole number, at least 1"
            raise LimitError(msg)
        found[one.name] = int(text)
    return replace(usual, **found)


def server_limits() -> WorkLimits:
    """The limits of a dashboard."""
    return limits_of(WorkLimits())


def own_limits() -> WorkLimits:
    """The limits of the command line: only those that the user has set."""
    return limits_of(NO_LIMITS)
