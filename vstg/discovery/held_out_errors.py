"""Errors on held-out rows: of structures, and of plain models to compare with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from vstg.baselines import solve_lasso, solve_pooled, solve_ridge
from vstg.data import Array, MultiTaskData
from vstg.data.designs import margins
from vstg.discovery.candidate_search import CandidateSearch
from vstg.losses import Loss, measure_of, response, weighted_sum
from vstg.metrics import MEASURES, mean_over_tasks
from vstg.model_selection import Fold
from vstg.model_selection.yardsticks import MEAN, constants

BASELINE_STRENGTHS = tuple(4.0**e for e in range(-6, 2))
BASELINES: Mapping[str, Any] = {
    "ridge per task": solve_ridge,
    "one ridge for all": solve_pooled,
    "LASSO": solve_lasso,
}


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Losses of one model on held-out rows, task by task; n may be zero."""

    loss: Array  # (T,) twice the loss: the sum of squared errors, or the deviance
    error_by_task: Array  # (T,) by the measure of the loss
    n: Array  # (T,)
    task_weights: tuple[float, ...] = ()

    def error(self, unit: Array, loss: Loss) -> float:
        """Mean over tasks of the errors, in units of the target if they have one."""
        present = self.n > 0
        by_task = self.error_by_task[present]
        weights = np.array(self.task_weights)[present] if self.task_weights else ()
        if MEASURES[measure_of(loss)].has_unit:
            by_task = by_task * unit[present]
        return mean_over_tasks(by_task, weights)


def held_out(
    data: MultiTaskData, rows: Sequence[Any], W: Array, b: Array, loss: Loss
) -> HeldOut:
    """Evaluate coefficients on some rows of every task."""
    found, measure = np.zeros((3, data.n_tasks)), MEASURES[measure_of(loss)]
    for j, index in enumerate(rows):
        if len(index) == 0:
            continue
        margin = margins([data.X[j][index]], W[:, [j]], b[[j]])[0]
        y = data.y[j][index]
        weight = data.weights[j][index] if data.weights else None
        given = () if weight is None else (weight,)
        predicted = margin if measure.of_margins else response(loss, margin)
        error = float(measure.by_task([y], [predicted], given)[0])
        size = float(len(index) if weight is None else weight.sum())
        found[:, j] = 2.0 * weighted_sum(loss, y, margin, weight), error, size
    value, errors, n = found
    a = data.task_factors
    return HeldOut(a * value, errors, a * n, data.task_weights)


def structure_errors(
    finder: CandidateSearch,
    data: MultiTaskData,
    fold: Fold,
    weights: Sequence[float],
) -> dict[float, HeldOut]:
    """Search the training rows of a fold, and evaluate every weight's result."""
    train = data.take(fold.train)
    errors = {}
    for weight, structure in finder.structures(train, weights).items():
        W, b = finder.coefficients(train, structure)
        errors[weight] = held_out(data, fold.test, W, b, finder.loss)
    return errors


def baseline_errors(
    finder: CandidateSearch,
    data: MultiTaskData,
    folds: Sequence[Fold],
    unit: Array,
) -> dict[str, float]:
    """Return the error of each plain model at its best strength.

    Their strengths are chosen by the very error that is reported, so that it flatters
    them slightly.
    """
    loss = finder.loss
    rows: dict[tuple[str, float], list[float]] = {}
    for fold in folds:
        train = data.take(fold.train)
        problem = finder.problem(train)
        # The yardstick has an intercept even where the models need none.
        b = constants(loss, train)
        nothing = np.zeros((data.n_features, data.n_tasks)), b
        found = {(MEAN, 0.0): nothing}
        for name, solve in BASELINES.items():
            fit = None
            for strength in reversed(BASELINE_STRENGTHS):
                if finder.stop.is_set():
                    return {}
                fit = solve(problem, gamma1=strength, init=fit, tol=1e-3)
                found[name, strength] = fit.W, fit.intercept
        for key, (W, b) in found.items():
            error = held_out(data, fold.test, W, b, loss).error(unit, loss)
            rows.setdefault(key, []).append(error)
        finder.tick()
    best: dict[str, float] = {}
    for (name, _), errors in rows.items():
        best[name] = min(best.get(name, np.inf), float(np.mean(errors)))
    return best


def compare_weights(
    errors: Sequence[Mapping[float, HeldOut]], unit: Array, loss: Loss
) -> pd.DataFrame:
    """Return one row per weight: its error, and its loss above the lowest.

    ``excess`` is the mean loss of a row above that of the best weight; ``se`` its
    standard error over the tasks of all folds, paired, in the same units. Chosen is
    the heaviest weight, so the simplest structure, whose excess is within ``se``.
    """
    weights = sorted(errors[0])
    losses = {w: np.concatenate([fold[w].loss for fold in errors]) for w in weights}
    n_rows = sum(float(fold[weights[0]].n.sum()) for fold in errors)
    best = min(weights, key=lambda w: losses[w].sum())
    rows = []
    for weight in weights:
        excess = losses[weight] - losses[best]
        rows.append(
            {
                "weight": weight,
                "error": np.mean([fold[weight].error(unit, loss) for fold in errors]),
                "excess": excess.sum() / n_rows,
                "se": np.sqrt(len(excess)) * excess.std() / n_rows,
            }
        )
    table = pd.DataFrame(rows)
    simple = table.loc[table["excess"] <= table["se"], "weight"].max()
    return table.assign(chosen=table["weight"] == simple)
