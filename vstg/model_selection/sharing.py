"""How much a new task gains from known bases: its own rows held out in turn."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from vstg.data import Array, MultiTaskData
from vstg.data.designs import times
from vstg.losses import Loss, get_loss, measure_of
from vstg.metrics import errors_on
from vstg.model_selection.folds import TaskKFold
from vstg.model_selection.methods import get_method
from vstg.model_selection.search import SEARCH_TOL, search_grid
from vstg.model_selection.yardsticks import (
    STRENGTHS,
    n_folds,
    percent,
    strength_scale,
)
from vstg.notation import measure_text
from vstg.prediction import Predictor
from vstg.prediction.new_tasks import Transfer
from vstg.problem import Problem
from vstg.solvers import VSTGResult, fit_task

FEWEST = 4  # rows with which a comparison makes sense
FEWEST_OF_A_CLASS = 3
MOST_FOLDS = 10
SHARED, RIDGE = "known bases", "ridge of its own"
MEAN, ALL = "its own mean", "mean of all tasks"

Model = Callable[[Array], Array]  # rows to margins


@dataclass(frozen=True, eq=False)
class NewTaskScores:
    """Errors of one new task, on its own rows held out in turn.

    Attributes
    ----------
    task : str
    n_rows : int
    measure : its name; RMSE and mean absolute error are in the user's units
    errors : dict by model: known bases, ridge of its own, its mean, the mean of all
        tasks; empty if there are too few rows
    """

    task: str
    n_rows: int
    measure: str
    errors: Mapping[str, float]

    @property
    def gain(self) -> float | None:
        """The share of the error of its own ridge that the known bases save."""
        if not self.errors or not self.errors[RIDGE] > 0:
            return None
        return 1.0 - self.errors[SHARED] / self.errors[RIDGE]

    def sentence(self) -> str:
        """Whether sharing helped, and by how much."""
        if not self.errors:
            return (
                f"{self.n_rows} rows are too few to say whether sharing helps: "
                "from four on they are held out in turn."
            )
        best = min(self.errors, key=lambda name: self.errors[name])
        gain = self.gain
        if gain is None or abs(gain) < 0.005:
            text = "Known bases and a ridge of its own are equally good"
        elif gain > 0:
            text = f"Sharing helps: {percent(gain)} less error than a ridge of its own"
        else:
            more = percent(-gain)
            text = f"Sharing does not help: {more} more error than a ridge of its own"
        if best in (SHARED, RIDGE):
            return f"{text}."
        return f"{text}, but the {best} is better than both."


def compare_new_task(
    result: VSTGResult,
    data: MultiTaskData,
    j: int = 0,
    *,
    mu: float | None = None,
) -> NewTaskScores:
    """Hold out the rows of a new task in turn, and predict them in four ways.

    Parameters
    ----------
    result : VSTGResult
        The fit on other tasks.
    data : MultiTaskData
        The new tasks, in the units of the fit; ``j`` is the one to look at.
    mu : strength of the penalty on v, by default that of the fit
    """
    loss = get_loss(result.loss)
    X, y, name = data.X[j], data.y[j], data.task_names[j]
    measure = measure_text(measure_of(loss))
    w, b = result.W.mean(axis=1), float(result.intercept.mean())
    held: dict[str, Array] = {
        kind: np.full(len(y), np.nan) for kind in (SHARED, RIDGE, MEAN, ALL)
    }
    if not enough(y, loss):
        return NewTaskScores(name, len(y), measure, {})
    one = MultiTaskData([X], [y], [name], units=data.units[j : j + 1])
    folds = TaskKFold(min(MOST_FOLDS, len(y)), random_state=0)
    for fold in folds.folds(one, stratify=loss.is_classification):
        train, rows = one.take(fold.train), fold.test[0]
        shared = fit_task(result, train.X[0], train.y[0], mu=mu)
        held[SHARED][rows] = times(X[rows], shared.w) + shared.intercept
        held[RIDGE][rows] = own_ridge(train, loss, result.fit_intercept)(X[rows])
        held[MEAN][rows] = loss.best_constant(train.y[0])
        held[ALL][rows] = times(X[rows], w) + b
    errors = {k: errors_on(one, [p], loss=loss).pooled for k, p in held.items()}
    return NewTaskScores(name, len(y), measure, errors)


def enough(y: Array, loss: Loss) -> bool:
    """Whether every training part can be fitted by every model."""
    if not loss.is_classification:
        return len(y) >= FEWEST
    return min(int((y > 0).sum()), int((y < 0).sum())) >= FEWEST_OF_A_CLASS


def own_ridge(train: MultiTaskData, loss: Loss, fit_intercept: bool) -> Model:
    """Ridge on one task, its strength by cross-validation on the same rows."""
    scale = strength_scale(train, "ridge", loss)
    strengths = [s * scale for s in STRENGTHS]
    best, folds = strengths[len(strengths) // 2], n_folds(train, loss)
    if folds > 1:
        cv = TaskKFold(folds, random_state=0)
        best = search_grid(
            train, "ridge", {"gamma1": strengths}, cv, loss=loss,
            fit_intercept=fit_intercept,
        ).best["gamma1"]  # fmt: skip
    problem = Problem.of(train, loss, fit_intercept=fit_intercept)
    fit = get_method("ridge").fit(problem, {"gamma1": best}, None, SEARCH_TOL)
    return lambda X: times(X, fit.W[:, 0]) + fit.intercept[0]


def compare_transfer(
    predictor: Predictor, made: Transfer, *, mu: float | None = None
) -> list[NewTaskScores]:
    """:func:`compare_new_task` for every task that ``made`` added to ``predictor``."""
    result, data = predictor.result, made.rows.data
    assert isinstance(result, VSTGResult)
    return [compare_new_task(result, data, j, mu=mu) for j in range(data.n_tasks)]
