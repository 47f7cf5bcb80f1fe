"""Weights in folds, searches, comparisons and discovery."""

import numpy as np
import pytest
from weighted import TASK_WEIGHTS, draw, draw_weights, pair

from vstg import discover
from vstg.data import MultiTaskData
from vstg.discovery.criterion import Evidence, n_counted
from vstg.losses import get_loss
from vstg.metrics import error_rate_mean_over_tasks, errors_on, rmse_mean_over_tasks
from vstg.model_selection import search_grid
from vstg.model_selection.evaluation import make_parts
from vstg.model_selection.folds import Fold, TaskKFold
from vstg.model_selection.yardsticks import plain_models
from vstg.objective import Settings
from vstg.solvers.solve import solve_problem

GRID = {"n_latent": (2,), "k": (1,), "gamma1": (0.02, 0.1), "gamma2": (0.02,)}
SETTINGS = Settings.checked(n_latent=2, k=1, gamma1=0.05, gamma2=0.02)


def positions(rows, weights):
    """Where the copies of some rows stand among all the copies."""
    begins = np.concatenate([[0], np.cumsum(weights).astype(int)])
    return np.concatenate([np.arange(begins[n], begins[n + 1]) for n in rows])


@pytest.mark.parametrize("loss", ["squared", "logistic", "huber"])
@pytest.mark.parametrize("form", ["dense", "shared"])
def test_fits_and_errors_of_a_fold_are_those_of_repeated_rows(rng, loss, form):
    weighted, plain = pair(rng, loss, form, n_rows=40)
    fold = TaskKFold(3).folds(weighted, stratify=loss == "logistic")[0]
    pairs = [
        [positions(r, w) for r, w in zip(rows, weighted.weights, strict=True)]
        for rows in (fold.train, fold.test)
    ]
    copies = Fold(0, 0, *map(tuple, pairs))
    found = []
    for data, one in ((weighted, fold), (plain, copies)):
        part = make_parts(data, get_loss(loss), [one], fit_intercept=True)[0]
        problem, evaluate = part.open()
        fit = solve_problem(problem, SETTINGS, tol=1e-10, max_iter=3000)
        found.append((fit, evaluate(fit)))
    np.testing.assert_allclose(found[0][0].W, found[1][0].W, atol=1e-7)
    assert found[0][1].keys() == found[1][1].keys()
    for name, error in found[0][1].items():
        assert error == pytest.approx(found[1][1][name], abs=1e-7)


def test_a_search_differs_by_its_weights(rng):
    weighted, _ = pair(rng, "squared", n_rows=40)
    one = search_grid(weighted, "vstg", GRID, cv=3)
    other = search_grid(weighted.with_weights(), "vstg", GRID, cv=3)
    name = "rmse_mean_over_tasks"
    assert (np.abs(one.frame[name] - other.frame[name]) > 1e-4).all()
    valid = search_grid(weighted, "vstg", GRID, cv=weighted)
    again = search_grid(
        weighted.with_weights([2 * w for w in weighted.weights], TASK_WEIGHTS),
        "vstg", GRID, cv=weighted,
    )  # fmt: skip
    np.testing.assert_allclose(valid.frame[name], again.frame[name], rtol=1e-9)


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_errors_count_rows_and_tasks_as_their_weights_say(rng, loss):
    weighted, plain = pair(rng, loss)
    W = rng.normal(size=(6, 4))
    one, other = (
        errors_on(data, [x @ w for x, w in zip(data.X, W.T, strict=True)], loss=loss)
        for data in (weighted, plain)
    )
    np.testing.assert_allclose(one.by_task, other.by_task)
    assert one.pooled == pytest.approx(other.pooled)
    by_hand = np.dot(TASK_WEIGHTS, other.by_task) / sum(TASK_WEIGHTS)
    assert one.mean == pytest.approx(by_hand)
    measure = {"squared": rmse_mean_over_tasks, "logistic": error_rate_mean_over_tasks}
    found = [x @ w for x, w in zip(weighted.X, W.T, strict=True)]
    unweighted = measure[loss](weighted.y, found)
    assert unweighted != pytest.approx(one.mean)


def test_plain_models_are_weighted_too(rng):
    weighted, plain = pair(rng, "squared")
    one, other = plain_models(weighted), plain_models(plain)
    mean = "mean of each task"
    np.testing.assert_allclose(one[mean].intercept, other[mean].intercept)


def test_evidence_has_as_many_rows_as_were_observed(rng):
    X, y = draw(rng, "squared")
    s = [one + 1.0 for one in draw_weights(rng, y)]
    data = MultiTaskData(X, y, weights=s, task_weights=TASK_WEIGHTS)
    thousand = MultiTaskData(
        X, y, weights=[1000 * one for one in s], task_weights=TASK_WEIGHTS
    )
    assert n_counted(data).sum() == pytest.approx(data.n_rows)
    one, other = (
        Evidence.of_squares(some, fit_intercept=True) for some in (data, thousand)
    )
    np.testing.assert_allclose(one.A, other.A)
    assert one.base == pytest.approx(other.base)
    w = np.zeros(6)
    around = [v - np.average(v, weights=u) for v, u in zip(y, s, strict=True)]
    heavy = [a * u for a, u in zip(TASK_WEIGHTS, s, strict=True)]
    mean = np.concatenate(heavy).mean()
    total = sum(float(u / mean @ r**2) for u, r in zip(heavy, around, strict=True))
    assert one.base + w @ one.A[0] @ w == pytest.approx(total)


def test_discover_sees_what_the_heavy_rows_say(rng):
    """Rows of two regimes: the weights decide which of two variables is found."""
    X = [rng.normal(size=(60, 6)) for _ in range(4)]
    first = np.arange(60) < 30
    y = [np.where(first, x[:, 0], x[:, 1]) * 2 + 0.1 * rng.normal(size=60) for x in X]
    names = [f"x{i}" for i in range(6)]
    for heavy, variable in ((first, "x0"), (~first, "x1")):
        s = np.where(heavy, 1.0, 1e-6)
        data = MultiTaskData(X, y, None, names, weights=[s] * 4)
        found = discover(data, n_resamples=0)
        used = found.result.W.any(axis=1)
        assert [name for name, one in zip(names, used, strict=True) if one] == [
            variable
        ]
