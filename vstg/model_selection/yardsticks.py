"""How good a model is compared with plain ones: each task's mean, ridge, LASSO."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from vstg.data import Array, MultiTaskData
from vstg.data.designs import column_means, margins, sums_of_squares, transposed_times
from vstg.losses import (
    Loss,
    best_constant,
    get_loss,
    second_derivative,
    weighted_sum,
)
from vstg.metrics import ModelErrors, errors_on
from vstg.model_selection.folds import TaskKFold
from vstg.model_selection.methods import get_method
from vstg.model_selection.search import SEARCH_TOL, search_grid
from vstg.problem import Problem

MEAN = "mean of each task"
ONE_FOR_ALL = "one ridge for all"
PLAIN: Mapping[str, str] = {  # names of methods; the second shares all, others nothing
    "ridge per task": "ridge",
    ONE_FOR_ALL: "pooled",
    "LASSO": "lasso",
}
STRENGTHS = tuple(4.0**e for e in range(-7, 2))  # times the scale of the data
MOST_ENTRIES = 2**21  # in designs and matrices
FOLDS = 5


@dataclass(frozen=True, eq=False)
class Scores:
    """How one model does on rows that it has not seen.

    Attributes
    ----------
    errors : ModelErrors
    explained : share of the variation within the tasks that the model explains: R² for
        the squared loss, D² (of the deviance, or of Huber's loss) for any other; at
        most 1, negative below the mean
    explained_by_task : (T,) array, NaN for a task whose target does not vary
    """

    errors: ModelErrors
    explained: float
    explained_by_task: Array


@dataclass(frozen=True, eq=False)
class Yardsticks:
    """The scores of a model and of plain models on the same rows."""

    model: Scores
    plain: Mapping[str, Scores]

    @property
    def measure(self) -> str:
        """The name of the error."""
        return self.model.errors.measure

    @property
    def explained_name(self) -> str:
        """What the share explained is called."""
        return "R²" if self.measure == "RMSE" else "D²"

    @property
    def baselines(self) -> dict[str, float]:
        """The error of each plain model, the mean over tasks."""
        return {name: scores.errors.mean for name, scores in self.plain.items()}

    def to_dict(self, rows: str) -> dict[str, float | str]:
        """What a model file says of it; ``rows`` are those that were evaluated."""
        errors = self.model.errors
        numbers = {
            "error": errors.mean,
            "pooled": errors.pooled,
            self.explained_name: self.model.explained,
            **self.baselines,
        }
        finite = {name: v for name, v in numbers.items() if np.isfinite(v)}
        return {"measure": self.measure, "rows": rows, **finite}

    def frame(self) -> pd.DataFrame:
        """One row per model: both errors, the share explained, tasks it is best in."""
        rows = {"this model": self.model, **self.plain}
        each = np.array([scores.errors.by_task for scores in rows.values()])
        best = (each <= each.min(axis=0)).sum(axis=1)
        return pd.DataFrame(
            {
                f"{self.measure}, mean over tasks": [
                    s.errors.mean for s in rows.values()
                ],
                f"{self.measure}, pooled": [s.errors.pooled for s in rows.values()],
                self.explained_name: [s.explained for s in rows.values()],
                "best in tasks": best,
            },
            index=pd.Index(list(rows), name="model"),
        )

    def sentence(self) -> str:
        """Whether sharing between tasks pays."""
        ours = self.model.errors
        if len(ours.by_task) == 1:
            return "There is only one task, so nothing can be shared."
        alone = [name for name in self.plain if name != ONE_FOR_ALL]
        rival = min(alone, key=self.baselines.__getitem__)
        theirs = self.plain[rival].errors
        if self._is_one_for_all_best(rival):
            one = self.plain[ONE_FOR_ALL].errors
            return (
                f"The tasks are much alike: {ONE_FOR_ALL} has "
                f"{percent(1 - one.mean / ours.mean)} less error than this model "
                f"{self._wins(ONE_FOR_ALL)}."
            )
        change = 0.0 if theirs.mean == 0 else 1.0 - ours.mean / theirs.mean
        if abs(change) <= uncertainty(ours.by_task, theirs.by_task) or theirs.mean == 0:
            return (
                "Sharing makes no clear difference here: the error is close to that of "
                f"{rival} {self._wins(rival)}."
            )
        if change > 0:
            return (
                f"Sharing pays here: {percent(change)} less error than {rival}, the "
                f"best model that shares nothing {self._wins(rival)}."
            )
        return (
            f"Sharing does not pay here: {rival}, which shares nothing, has "
            f"{percent(-change / (1 - change))} less error {self._wins(rival)}."
        )

    def _is_one_for_all_best(self, rival: str) -> bool:
        """Whether one model for all tasks clearly has less error than this one.

        And no more than the best that shares nothing: then tasks differ in little.
        """
        if ONE_FOR_ALL not in self.plain:
            return False
        ours, one = self.model.errors, self.plain[ONE_FOR_ALL].errors
        gain = 1.0 - one.mean / ours.mean if ours.mean > 0 else 0.0
        clear = gain > uncertainty(one.by_task, ours.by_task)
        return clear and one.mean <= self.plain[rival].errors.mean

    def _wins(self, rival: str) -> str:
        """In how many tasks this model has less error than another."""
        ours, theirs = self.model.errors.by_task, self.plain[rival].errors.by_task
        return f"(this model is better in {(ours < theirs).sum()} of {len(ours)} tasks)"


def percent(share: float) -> str:
    """A share, with a digit where it is small."""
    return f"{share:.1%}" if share < 0.1 else f"{share:.0%}"


def uncertainty(ours: Array, theirs: Array) -> float:
    """One standard error of the mean difference over tasks, relative to the error."""
    differences = ours - theirs
    spread = float(differences.std(ddof=1)) / np.sqrt(len(differences))
    return spread / float(theirs.mean()) if theirs.mean() > 0 else np.inf


def compare_with_plain(
    model: Any,
    train: MultiTaskData,
    test: MultiTaskData,
    *,
    loss: str = "squared",
    fit_intercept: bool = True,
) -> Yardsticks:
    """Compare a model fitted on ``train`` with plain ones on the rows of ``test``.

    ``model`` has ``W`` (D, T) and ``intercept`` (T,), in the units of the fit. The
    strengths of the plain models are chosen by cross-validation on ``train`` alone.
    """
    plain = plain_models(train, loss=loss, fit_intercept=fit_intercept)
    return scored(model, plain, test, loss=loss)


def scored(
    model: Any, plain: Mapping[str, Any], test: MultiTaskData, *, loss: str = "squared"
) -> Yardsticks:
    """:func:`compare_with_plain` with plain models that were fitted before."""
    others = {name: scores_of(fit, test, loss) for name, fit in plain.items()}
    return Yardsticks(scores_of(model, test, loss), others)


def compare_held_out(
    fit: Callable[[Problem], Any],
    data: MultiTaskData,
    *,
    loss: str = "squared",
    fit_intercept: bool = True,
) -> Yardsticks | None:
    """Compare a way of fitting with plain models on a fifth of the rows of ``data``.

    For data without test rows. All are fitted on the other rows; None where a task has
    too few rows for that.
    """
    chosen = get_loss(loss)
    if data.n_samples.min() < FOLDS or n_folds(data, chosen) < FOLDS:
        return None
    folds = TaskKFold(FOLDS, random_state=0)
    fold = folds.folds(data, stratify=chosen.is_classification)[0]
    train, test = data.take(fold.train), data.take(fold.test)
    model = fit(Problem.of(train, chosen, fit_intercept=fit_intercept))
    return compare_with_plain(
        model, train, test, loss=loss, fit_intercept=fit_intercept
    )


@dataclass(frozen=True, eq=False)
class Coefficients:
    """W (D, T) and intercept (T,)."""

    W: Array
    intercept: Array


def plain_models(
    train: MultiTaskData, *, loss: str = "squared", fit_intercept: bool = True
) -> dict[str, Coefficients]:
    """Each task's mean, ridge per task, one ridge for all tasks and LASSO."""
    chosen = get_loss(loss)
    b = constants(chosen, train)
    models = {MEAN: Coefficients(np.zeros((train.n_features, train.n_tasks)), b)}
    folds = n_folds(train, chosen)
    problem = Problem.of(train, chosen, fit_intercept=fit_intercept)
    for name, method in PLAIN.items():
        strengths = [s * strength_scale(train, method, chosen) for s in STRENGTHS]
        best = strengths[len(strengths) // 2]
        if folds > 1:
            found = search_grid(
                train, method, {"gamma1": strengths},
                TaskKFold(folds, random_state=0),
                loss=loss, fit_intercept=fit_intercept,
            )  # fmt: skip
            best = found.best["gamma1"]
        fit = get_method(method).fit(problem, {"gamma1": best}, None, SEARCH_TOL)
        models[name] = Coefficients(fit.W, fit.intercept)
    return models


def are_quick(train: MultiTaskData) -> bool:
    """Whether all plain models take seconds at most."""
    matrices = train.n_tasks * train.n_features**2
    return max(train.n_rows * train.n_features, matrices) <= MOST_ENTRIES


def n_folds(train: MultiTaskData, loss: Loss) -> int:
    """No more folds than every class of every task has rows."""
    if not loss.is_classification:
        return min(FOLDS, int(train.n_samples.max()))
    rarest = min(min((y > 0).sum(), (y <= 0).sum()) for y in train.y)
    return min(FOLDS, int(rarest))


def strength_scale(train: MultiTaskData, method: str, loss: Loss) -> float:
    """What a strength of 1 means: the curvature of the loss, or for LASSO its slope."""
    slopes, curvatures = [], []
    b = constants(loss, train)
    for j, (X, y) in enumerate(zip(train.X, train.y, strict=True)):
        weight, n = train.row_weights(j), train.divisors[j]
        margin = np.full(len(y), b[j])
        pull = train.weighed(j, loss.derivative(y, margin))
        slopes.append(float(np.abs(transposed_times(X, pull) / n).max()))
        moments = sums_of_squares(X, column_means(X, weight), weight) / n
        bend = float(np.average(second_derivative(loss, y, margin), weights=weight))
        bound = loss.curvature if np.isfinite(loss.curvature) else bend
        curvatures.append(bound * float(moments.mean()))
    scale = max(slopes) if method == "lasso" else float(np.mean(curvatures))
    return scale if scale > 0 else 1.0


def scores_of(model: Any, test: MultiTaskData, loss: str) -> Scores:
    """Errors of one model on test rows, and the share that it explains."""
    predicted = margins(test.X, model.W, model.intercept)
    chosen = get_loss(loss)
    left, there = lost(chosen, test, predicted), variation(chosen, test)
    with np.errstate(divide="ignore", invalid="ignore"):
        by_task = np.where(there > 0, 1.0 - left / there, np.nan)
    total = float(there.sum())
    return Scores(
        errors_on(test, predicted, loss=loss),
        1.0 - float(left.sum()) / total if total > 0 else float("nan"),
        by_task,
    )


def constants(loss: Loss, data: MultiTaskData) -> Array:
    """The best constant of each task, (T,)."""
    pairs = enumerate(data.y)
    return np.array([best_constant(loss, y, data.row_weights(j)) for j, y in pairs])


def lost(loss: Loss, data: MultiTaskData, predicted: Sequence[Array]) -> Array:
    """The loss of each task over its rows as they and it count, (T,)."""
    pairs = enumerate(zip(data.y, predicted, strict=True))
    sums = [weighted_sum(loss, y, m, data.row_weights(j)) for j, (y, m) in pairs]
    return data.task_factors * np.array(sums)


def variation(loss: Loss, data: MultiTaskData) -> Array:
    """The loss of the best constant of each task, (T,); none where it is certain."""
    found = np.zeros(data.n_tasks)
    for j, y in enumerate(data.y):
        if y.min() < y.max():
            weight = data.row_weights(j)
            constant = np.full(len(y), best_constant(loss, y, weight))
            found[j] = weighted_sum(loss, y, constant, weight)
    return data.task_factors * found
