"""Fit on one part, evaluate on another: the cells of a search."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from vstg.data import MultiTaskData
from vstg.data.designs import margins, size_of
from vstg.losses import Loss, measure_of
from vstg.metrics import MEASURES, errors_on, mean_over_tasks, multiclass_error_rate
from vstg.model_selection.folds import Fold, Rows
from vstg.model_selection.grid import Chain
from vstg.model_selection.methods import Fitted, Method, ZeroFit
from vstg.problem import Problem, prefers_wide
from vstg.statistics import Moments, matrices_times

LARGE = 2**20  # numbers in the data above which folds are not all kept

Evaluator = Callable[[Fitted], dict[str, float]]


@dataclass(frozen=True, eq=False)
class Part:
    """One fold: ``open`` gives the training problem and an evaluator of its fits.

    A fold without statistics consists of rows of the data. Unless they are few they
    are taken when it is opened: all folds at once would be ten times the data.
    """

    repeat: int
    fold: int
    open: Callable[[], tuple[Problem, Evaluator]]


def measures_of(loss: Loss | str) -> tuple[str, ...]:
    """What a search may minimise; the first is the default."""
    own = measure_of(loss)
    names = (own,) if own == "error_rate" else tuple(dict.fromkeys((own, "rmse")))
    found = tuple(f"{n}_{how}" for n in names for how in ("mean_over_tasks", "pooled"))
    return (*found, "multiclass_error_rate") if own == "error_rate" else found


def named_errors(
    data: MultiTaskData, found: Sequence[Any], loss: Loss | str, unit: float = 1.0
) -> dict[str, float]:
    """The errors of margins on the rows of ``data``, by the names of measures.

    Those in units of the target are multiplied by ``unit``.
    """
    errors: dict[str, float] = {}
    for name in measures_of(loss)[::2]:
        measure = name.removesuffix("_mean_over_tasks")
        if measure == name:  # of several classes, which only some data have
            continue
        one = errors_on(data, found, loss=loss, measure=measure)
        by = unit if MEASURES[measure].has_unit else 1.0
        errors |= {name: by * one.mean, f"{measure}_pooled": by * one.pooled}
    return errors


def moments_evaluator(held: Moments, unit: float) -> Evaluator:
    """Errors of a regression from the statistics of the held-out rows alone.

    ``unit`` is that of the data: errors are in the units of their user.
    """

    def evaluate(fit: Fitted) -> dict[str, float]:
        W = fit.W
        # Σ(y − x·w − b)² with x, y measured from the origin of the statistics.
        shift = fit.intercept - held.y_origin + np.einsum("jd,dj->j", held.x_origin, W)
        fitted = np.einsum("dj,dj->j", W, matrices_times(held.xx, W))
        squares = held.yy - 2 * np.einsum("dj,jd->j", W, held.xy) + fitted
        squares += held.n * shift**2
        squares -= 2 * shift * (held.y - np.einsum("jd,dj->j", held.x, W))
        squares = squares.clip(min=0.0)
        present = held.n > 0
        by_task = np.sqrt(squares[present] / held.n[present])
        a = np.array(held.task_weights or [1.0] * len(squares))
        pooled = np.sqrt((a * squares).sum() / (a * held.n).sum())
        weights = a[present] if held.task_weights else ()
        return {
            "rmse_mean_over_tasks": unit * mean_over_tasks(by_task, weights),
            "rmse_pooled": unit * float(pooled),
        }

    return evaluate


def labels_evaluator(data: MultiTaskData) -> Evaluator:
    """Error rates on held-out labels."""

    def evaluate(fit: Fitted) -> dict[str, float]:
        W, b = fit.W, fit.intercept
        found = margins(data.X, W, b)
        errors = named_errors(data, found, "logistic")
        if is_one_vs_rest(data):
            rate = multiclass_error_rate(data.y, found, data.row_weights(0))
            errors["multiclass_error_rate"] = rate
        return errors

    return evaluate


def is_one_vs_rest(data: MultiTaskData) -> bool:
    """Whether every row is +1 in exactly one task of a shared design."""
    if not data.shared_rows or data.n_tasks < 2:
        return False
    return bool(((np.column_stack(data.y) > 0).sum(axis=1) == 1).all())


def make_parts(
    data: MultiTaskData, loss: Loss, folds: Sequence[Fold], *, fit_intercept: bool
) -> list[Part]:
    """One part per fold; a regression subtracts the fold's statistics."""
    wide = prefers_wide(data)
    if loss.is_classification:
        lazy = size_of(data.X) > LARGE
        return [
            _label_part(data, loss, fold, fit_intercept, lazy=lazy) for fold in folds
        ]
    if wide or not loss.is_quadratic:
        return [_rows_part(data, loss, fold, fit_intercept) for fold in folds]
    whole = Moments.of(data, fit_intercept=fit_intercept)
    parts = []
    for fold in folds:
        held = held_out_moments(data, fold.test, whole)
        if fold.leaves_out(data.n_samples):
            rest = held_out_moments(data, fold.train, whole)
        else:
            rest = whole - held
        problem = Problem.of_moments(rest)
        parts.append(_made(problem, moments_evaluator(held, data.unit), fold))
    return parts


def _made(problem: Problem, evaluate: Evaluator, fold: Fold | None = None) -> Part:
    """A part that is ready: one of several folds, or the only one."""
    place = (0, 0) if fold is None else (fold.repeat, fold.number)
    return Part(*place, lambda: (problem, evaluate))


def _rows_part(
    data: MultiTaskData, loss: Loss, fold: Fold, fit_intercept: bool
) -> Part:
    def take() -> tuple[Problem, Evaluator]:
        train = data.take(fold.train)
        problem = Problem.of(train, loss, fit_intercept=fit_intercept)
        return problem, rows_evaluator(data, fold.test, loss)

    return Part(fold.repeat, fold.number, take)


def rows_evaluator(data: MultiTaskData, rows: Sequence[Rows], loss: Loss) -> Evaluator:
    """Errors of a regression on held-out rows; a task may have none of them."""
    tasks = [j for j, index in enumerate(rows) if len(index)]
    held = data.only_tasks(tasks).take([rows[j] for j in tasks]).replaced(units=())

    def evaluate(fit: Fitted) -> dict[str, float]:
        found = margins(held.X, fit.W[:, tasks], fit.intercept[tasks])
        return named_errors(held, found, loss, data.unit)

    return evaluate


def held_out_moments(
    data: MultiTaskData, rows: Sequence[Rows], whole: Moments
) -> Moments:
    """Statistics of some rows; a task may have none of them."""
    padded = [r if len(r) else np.zeros(1, dtype=np.intp) for r in rows]
    held = Moments.of(
        data.take(padded), fit_intercept=whole.fit_intercept, origin=whole
    )
    absent = np.array([len(r) == 0 for r in rows])
    if not absent.any():
        return held
    for values in (held.n, held.x, held.y, held.xx, held.xy, held.yy):
        values[absent[: len(values)]] = 0.0
    return held


def _label_part(
    data: MultiTaskData, loss: Loss, fold: Fold, fit_intercept: bool, *, lazy: bool
) -> Part:
    if any(len(rows) == 0 for rows in fold.test):
        name = data.task_names[[len(rows) for rows in fold.test].index(0)]
        msg = (
            f"task {name!r} has fewer rows than there are folds; "
            "use fewer folds or a validation set"
        )
        raise ValueError(msg)

    def take() -> tuple[Problem, Evaluator]:
        train = data.take(fold.train)
        problem = Problem.of(train, loss, fit_intercept=fit_intercept)
        return problem, labels_evaluator(data.take(fold.test))

    return Part(fold.repeat, fold.number, take) if lazy else _made(*take(), fold)


def validation_part(
    data: MultiTaskData, validation: MultiTaskData, loss: Loss, *, fit_intercept: bool
) -> Part:
    """One part that learns from all of ``data`` and is evaluated on ``validation``."""
    if (validation.n_tasks, validation.n_features) != (data.n_tasks, data.n_features):
        msg = (
            f"the validation set has {validation.n_tasks} tasks and "
            f"{validation.n_features} variables, the training set "
            f"{data.n_tasks} and {data.n_features}; they must agree"
        )
        raise ValueError(msg)
    problem = Problem.of(data, loss, fit_intercept=fit_intercept)
    if loss.is_classification:
        return _made(problem, labels_evaluator(validation))
    if problem.is_wide or not loss.is_quadratic:
        every = [np.arange(len(y)) for y in validation.y]
        return _made(problem, rows_evaluator(validation, every, loss))
    held = Moments.of(validation, fit_intercept=fit_intercept)
    return _made(problem, moments_evaluator(held, data.unit))


def walk(
    method: Method,
    chain: Chain,
    part: Part,
    tol: float | None,
    stopped: Callable[[], bool],
) -> list[dict[str, Any]]:
    """Fit and evaluate the settings of a chain in order; rows of the table."""
    rows: list[dict[str, Any]] = []
    fit: Fitted | None = None
    problem, evaluate = part.open()
    for setting, after in chain.fits():
        if stopped():
            break
        began = perf_counter()
        skipped = method.is_zero(problem, setting)
        if skipped:
            fit = ZeroFit.of(problem)
        else:
            # A descent never leaves zero: after it (or at first) start cold.
            init = fit if fit is not None and fit.W.any() else None
            fit = method.fit(problem, setting, init, tol)
        refits = None
        if method.refits is not None and not skipped:
            refits = method.refits(problem, fit, tol)
        for one in after:
            whole = setting | dict(one)
            found = fit if refits is None else refits.at(whole)
            row = describe(found, evaluate(found), skipped=skipped)
            now = perf_counter()
            place = {"repeat": part.repeat, "fold": part.fold}
            rows.append({**whole, **place, **row, "seconds": now - began})
            began = now
    return rows


def describe(
    fit: Fitted, errors: Mapping[str, float], *, skipped: bool
) -> dict[str, Any]:
    """What the table of a search says about a fit."""
    chosen = fit.W != 0
    return {
        **errors,
        "n_variables": int(chosen.any(axis=1).sum()),
        "n_nonzero": int(chosen.sum()),
        "objective": fit.objective,
        "n_iter": fit.n_iter,
        "converged": fit.converged,
        "skipped": skipped,
    }
