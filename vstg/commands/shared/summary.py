"""Summaries of a model that commands print."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from vstg.commands.shared.command import SupervisedTable
from vstg.notation import measure_text, number_text

if TYPE_CHECKING:
    from vstg.metrics import ModelErrors
    from vstg.model_selection import Yardsticks
    from vstg.prediction import Predictor
    from vstg.prediction.intervals import ConformalScores

SHOWN = 12  # names on a line


def describe_model(model: "Predictor", threshold: float = 0.0) -> Iterator[str]:
    """Describe the fit, its variables and its groups of tasks, line by line."""
    from vstg.inspection import selected_variables, task_groups
    from vstg.solvers import VSTGResult

    result = model.result
    assert isinstance(result, VSTGResult)
    state = "converged" if result.converged else "not converged"
    yield (
        f"objective {result.objective:.6g}, {state} after {result.n_iter} iterations, "
        f"{result.seconds:.2g} s"
    )
    if result.form:
        yield f"solved on: {result.form}"
    chosen = set(selected_variables(result.U).tolist())
    names = model.feature_names
    dropped = [name for i, name in enumerate(names) if i not in chosen]
    yield f"variables selected: {len(chosen)} of {len(names)}"
    if dropped:
        yield f"  dropped: {shown(dropped)}"
    groups = task_groups(
        result.V, threshold, names=model.task_names, U=result.U, feature_names=names
    )
    yield f"groups of tasks: {sum(not group.empty for group in groups)}"
    for group in groups:
        if group.empty:
            yield f"  no basis: {shown(group.task_names)}"
        else:
            yield f"  {group.label}: {shown(group.task_names)}"
            yield f"    variables: {shown(group.variable_names)}"


def errors_text(label: str, errors: "ModelErrors") -> str:
    """Format the mean and the pooled error, in the user's units; one for one task."""
    text = f"{label}: {errors.measure} {number_text(errors.mean)}"
    if len(errors.by_task) == 1:
        return text
    return f"{text} as the mean over tasks, {number_text(errors.pooled)} pooled"


def plain_text(against: "Yardsticks") -> str:
    """Format the errors of plain models, and say whether sharing helps."""
    others = ", ".join(f"{n} {number_text(e)}" for n, e in against.baselines.items())
    share = f"{against.explained_name} {against.model.explained:.3f}"
    return f"  {share}; plain models: {others}\n  {against.sentence()}"


def error_line(label: str, table: SupervisedTable, predictions: Any, loss: str) -> str:
    """Format the mean error over tasks and, for several tasks, over all rows."""
    from vstg.losses import measure_of
    from vstg.metrics import MEASURES, ModelErrors

    y, fitted = by_task(table, predictions)
    measure = measure_of(loss)
    if measure == "error_rate":
        wrong = [np.asarray(a != b) for a, b in zip(y, fitted, strict=True)]
        pooled = float(np.concatenate(wrong).mean())
        each = np.array([part.mean() for part in wrong])
    else:
        score = MEASURES[measure]
        if score.of_margins:  # of counts, whose logarithm is the margin
            fitted = [np.log(means) for means in fitted]
        pooled, each = score.pooled(y, fitted), score.by_task(y, fitted)
    name = measure_text(measure)
    return errors_text(label, ModelErrors(name, float(each.mean()), pooled, each))


def by_task(table: SupervisedTable, predictions: Any) -> tuple[list, list]:
    """Split targets and predictions into one array per task."""
    y, fitted = table.y.to_numpy(), np.asarray(predictions)
    if table.task is None:
        columns = y.reshape(len(y), -1).T, fitted.reshape(len(y), -1).T
        return list(columns[0]), list(columns[1])
    rows = list(table.X.groupby(table.task, sort=False).indices.values())
    return [y[index] for index in rows], [fitted[index] for index in rows]


def shown(names: Sequence[str]) -> str:
    """List names on one line, the first ones if there are many."""
    text = ", ".join(names[:SHOWN])
    more = len(names) - SHOWN
    return f"{text}, … and {more} more" if more > 0 else text


def interval_text(scores: "ConformalScores", level: float = 0.9) -> str:
    """Say how wide the prediction intervals are."""
    widths = scores.widths(level)
    n_own = int(scores.own(level).sum())
    return (
        f"{level:.0%} prediction intervals ({scores.rows}): prediction "
        f"± {number_text(float(np.median(widths)))} in the median task; {n_own} of "
        f"{len(widths)} tasks have enough rows for a width of their own"
    )
