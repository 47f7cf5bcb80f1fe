"""What the command line says of a model."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from vstg.commands.command import SupervisedTable

if TYPE_CHECKING:
    from vstg.estimators.base import BaseVSTG

SHOWN = 12  # names on a line


def describe_model(model: "BaseVSTG", threshold: float = 0.0) -> Iterator[str]:
    """Lines on the fit, its variables and its groups of tasks."""
    from vstg.inspection import selected_variables, task_groups

    result = model.result_
    state = "converged" if result.converged else "not converged"
    yield (
        f"objective {result.objective:.6g}, {state} after {result.n_iter} iterations, "
        f"{result.seconds:.2g} s"
    )
    if result.form:
        yield f"solved on: {result.form}"
    chosen = set(selected_variables(model.U_).tolist())
    names = model.feature_names_
    dropped = [name for i, name in enumerate(names) if i not in chosen]
    yield f"variables selected: {len(chosen)} of {len(names)}"
    if dropped:
        yield f"  dropped: {shown(dropped)}"
    groups = task_groups(
        model.V_, threshold, names=model.tasks_, U=model.U_, feature_names=names
    )
    yield f"groups of tasks: {sum(not group.empty for group in groups)}"
    for group in groups:
        if group.empty:
            yield f"  no basis: {shown(group.task_names)}"
        else:
            yield f"  {group.label}: {shown(group.task_names)}"
            yield f"    variables: {shown(group.variable_names)}"


def error_line(
    label: str, table: SupervisedTable, predictions: Any, classify: bool
) -> str:
    """The error over all rows, and its mean over tasks if there are several."""
    from vstg.metrics import rmse_mean_over_tasks, rmse_pooled

    y, fitted = by_task(table, predictions)
    if classify:
        wrong = [np.asarray(a != b) for a, b in zip(y, fitted, strict=True)]
        pooled = float(np.concatenate(wrong).mean())
        mean = float(np.mean([part.mean() for part in wrong]))
        name = "error rate"
    else:
        pooled, mean = rmse_pooled(y, fitted), rmse_mean_over_tasks(y, fitted)
        name = "RMSE"
    text = f"{label}: {name} {pooled:.4f}"
    return text if len(y) == 1 else f"{text} pooled, {mean:.4f} as the mean over tasks"


def by_task(table: SupervisedTable, predictions: Any) -> tuple[list, list]:
    """Targets and predictions, one array per task."""
    y, fitted = table.y.to_numpy(), np.asarray(predictions)
    if table.task is None:
        columns = y.reshape(len(y), -1).T, fitted.reshape(len(y), -1).T
        return list(columns[0]), list(columns[1])
    rows = list(table.X.groupby(table.task, sort=False).indices.values())
    return [y[index] for index in rows], [fitted[index] for index in rows]


def shown(names: Sequence[str]) -> str:
    """Names on one line, cut when there are many."""
    text = ", ".join(names[:SHOWN])
    more = len(names) - SHOWN
    return f"{text}, … and {more} more" if more > 0 else text
