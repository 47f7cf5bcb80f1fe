"""Check whether a model can be learnt from the targets, and measure their spread.

Construction accepts any finite target, because the data to predict or to test on
may be constant or hold one class only. Estimators ask here before they learn.
"""

import numpy as np

from vstg.data.multitask import MultiTaskData
from vstg.data.values import Array, DataError


def constant_tasks(data: MultiTaskData) -> tuple[str, ...]:
    """Return the tasks of two or more rows whose target never changes.

    A single row cannot show whether a target varies, so it does not count.
    """
    return tuple(
        name
        for name, y in zip(data.task_names, data.y, strict=True)
        if len(y) > 1 and y.min() == y.max()
    )


def target_spreads(
    data: MultiTaskData, *, centred: bool = True, each: bool | None = None
) -> Array:
    """The standard deviation of the targets within the tasks, (T,).

    Tasks with designs of their own measure one target, so that one spread holds for
    all. On a shared design ``each`` task is by default a target of its own, with its
    own units. A target that never changes has the spread 1.
    """
    peaks = np.array([float(np.abs(y).max()) for y in data.y])
    # In units of the largest value, so that squares stay in the range of doubles.
    unit = np.where(peaks > 0, peaks, 1.0)
    each = data.shared_X if each is None else each
    if not each:
        unit = np.full(data.n_tasks, unit.max())
    parts = [y / u for y, u in zip(data.y, unit, strict=True)]
    weights = data.weights or [None] * data.n_tasks
    pairs = list(zip(parts, weights, strict=True))
    around = [y - np.average(y, weights=w) if centred else y for y, w in pairs]
    squares = np.array(
        [np.average(y**2, weights=w) for y, w in zip(around, weights, strict=True)]
    )
    if not each:
        total = float(np.average(squares, weights=data.weight_sums))
        squares = np.full(data.n_tasks, total)
    # Rounding leaves a constant target a spread of some 1e-17 of its size.
    return np.where(squares > 1e-24, np.sqrt(squares) * unit, 1.0)


def robust_spreads(data: MultiTaskData, *, each: bool) -> Array:
    """The same whatever a few targets are: by distances from the median, (T,).

    1.4826 times the median distance is the standard deviation of normal targets. Where
    half of the targets are equal there is none, and the standard deviation serves.
    """
    around = [np.abs(y - np.median(y)) for y in data.y]
    if not each:
        around = [np.concatenate(around)] * data.n_tasks
    found = np.array([1.4826 * float(np.median(d)) for d in around])
    return np.where(found > 0, found, target_spreads(data, each=each))


def check_classification(data: MultiTaskData) -> None:
    """Reject labels other than -1 and +1, and tasks with only one class."""
    for name, y in zip(data.task_names, data.y, strict=True):
        values = np.unique(y)
        if not np.isin(values, (-1.0, 1.0)).all():
            shown = ", ".join(f"{value:g}" for value in values[:5])
            more = ", ..." if len(values) > 5 else ""
            msg = (
                f"task {name!r} has the labels [{shown}{more}]: a classification "
                "task needs exactly -1 and +1; recode them, or build one task per "
                "class with MultiTaskData.one_vs_rest"
            )
            raise DataError(msg)
        if len(values) == 1:
            msg = (
                f"task {name!r} has only the label {values[0]:+g} in its {len(y)} "
                "rows: leave the task out or add rows of the other class"
            )
            raise DataError(msg)


def check_targets(
    data: MultiTaskData, *, classification: bool = False, allow_constant: bool = False
) -> None:
    """Reject targets from which a model cannot be learnt.

    Parameters
    ----------
    data : MultiTaskData
        Training data.
    classification : bool
        Ask for labels -1 and +1, both in every task.
    allow_constant : bool
        Accept a regression task whose target never changes. The problem is then
        still well posed (the task's coefficients shrink to zero, up to an
        intercept), and it arises by chance in the small tasks of a fold.
    """
    if classification:
        check_classification(data)
        return
    constant = () if allow_constant else constant_tasks(data)
    if constant:
        y = data.y[data.task_names.index(constant[0])]
        msg = (
            f"task {constant[0]!r} has the target {y[0]:g} in all its {len(y)} rows: "
            "nothing can be learnt from it; leave the task out or check the column"
        )
        raise DataError(msg)
