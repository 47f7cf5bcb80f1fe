r"""Prediction intervals by conformal prediction: the errors of rows held out.

The interval of a new row is its prediction ± q, where q is the ⌈(n + 1)·level⌉-th
smallest of the n absolute errors of rows that were not in the fit (split conformal
prediction). If those rows and the new one are exchangeable, it covers the target with
at least the asked probability, whatever the model and the noise. Errors of folds (cross
conformal prediction) use all rows instead, and are slightly too large, since the model
of every fold has seen fewer rows.

A task has a q of its own where it has errors enough; otherwise it has that of all tasks
together, in units of the spread of its target where the tasks have different units.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from vstg.data import Array, DataError, MultiTaskData
from vstg.data.designs import margins
from vstg.losses import response

OUTSIDE = 3  # errors of a task that should lie outside its own interval
MOST = 1000  # errors that are kept per task


@dataclass(frozen=True, eq=False)
class ConformalScores:
    """Absolute errors of rows that were not in the fit, in the user's units.

    Attributes
    ----------
    by_task : tuple of sorted arrays, one per task; a task may have none
    units : (T,) array
        What the errors of each task are divided by where they are pooled.
    rows : str
        Which rows they are, such as "test rows" or "5 folds".
    """

    by_task: tuple[Array, ...]
    units: Array
    rows: str

    @classmethod
    def of(cls, errors: Sequence[Any], units: Any, rows: str) -> Self:
        """Sort and thin out; of very many errors evenly spaced ones are kept."""
        kept = tuple(thinned(np.sort(np.abs(e))) for e in errors)
        return cls(kept, np.asarray(units, dtype=float), rows)

    @classmethod
    def on(cls, model: Any, data: MultiTaskData, rows: str) -> Self:
        """The errors of a result (W, intercept, loss; in the units of the fit) on data.

        None of the rows may have been in the fit.
        """
        found = margins(data.X, model.W, model.intercept)
        predicted = [response(model.loss, margin) for margin in found]
        pairs = zip(data.y, predicted, data.task_units, strict=True)
        return cls.of([u * (y - p) for y, p, u in pairs], data.task_units, rows)

    @property
    def pooled(self) -> Array:
        """The errors of all tasks, each in the unit of its task."""
        pairs = zip(self.by_task, self.units, strict=True)
        return np.sort(np.concatenate([e / u for e, u in pairs]))

    def own(self, level: float) -> npt.NDArray[np.bool_]:
        """Which tasks have errors enough for an interval of their own, (T,)."""
        counts = np.array([len(e) for e in self.by_task])
        return counts * (1.0 - level) >= OUTSIDE - 1e-9

    def widths(self, level: float) -> Array:
        """Half the width of the interval of each task (T,); infinite for few rows."""
        check_level(level)
        of_all = self.units * quantile(self.pooled, level)
        each = np.array([quantile(e, level) for e in self.by_task])
        return np.where(self.own(level), each, of_all)

    def with_tasks(self, units: Sequence[float]) -> Self:
        """The same with further tasks that have no errors yet."""
        more = (np.empty(0),) * len(units)
        return replace(
            self, by_task=(*self.by_task, *more), units=np.append(self.units, units)
        )


def check_level(level: float) -> None:
    """Refuse what is not a share between 0 and 1."""
    if not 0.0 < level < 1.0:
        msg = f"level={level} must lie between 0 and 1: 0.9 covers nine rows in ten"
        raise DataError(msg)


def quantile(scores: Array, level: float) -> float:
    """The ⌈(n + 1)·level⌉-th smallest of sorted errors; infinite if n is too small."""
    place = int(np.ceil((len(scores) + 1) * level - 1e-9))
    return float(scores[place - 1]) if place <= len(scores) else float("inf")


def thinned(errors: Array) -> Array:
    """At most ``MOST`` of sorted errors, whose quantiles are hardly smaller."""
    if len(errors) <= MOST:
        return errors
    places = np.ceil((len(errors) + 1) * np.arange(1, MOST + 1) / (MOST + 1))
    return errors[places.astype(int).clip(1, len(errors)) - 1]
