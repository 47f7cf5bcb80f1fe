"""Losses beside the paper's two: fitted to their optimum and scored as regressions."""

import cvxpy as cp
import numpy as np
import pytest
from sklearn.linear_model import PoissonRegressor
from sklearn.metrics import mean_poisson_deviance

from vstg import MultiTaskData, solve_vstg
from vstg.baselines import solve_ridge
from vstg.losses import HuberLoss, PoissonLoss, get_loss
from vstg.metrics import errors_on
from vstg.model_selection import METHODS, search_grid

SETTINGS = {"n_latent": 2, "k": 1, "gamma1": 0.01, "gamma2": 0.01, "mu": 0.01}


@pytest.fixture(scope="module")
def outliers():
    """Two tasks of one group; every tenth target is far off."""
    rng = np.random.default_rng(0)
    X = [rng.normal(size=(60, 4)) for _ in range(2)]
    w = np.array([1.0, -2.0, 0.0, 0.0])
    y = [x @ w + 0.1 * rng.normal(size=60) for x in X]
    for target in y:
        target[::10] += 50.0
    return MultiTaskData(X, y)


@pytest.fixture(scope="module")
def counts():
    """Two tasks of one group with Poisson targets."""
    rng = np.random.default_rng(0)
    X = [rng.normal(size=(80, 4)) for _ in range(2)]
    w = np.array([0.8, -0.6, 0.0, 0.0])
    return MultiTaskData(X, [rng.poisson(np.exp(1 + x @ w)).astype(float) for x in X])


def block_of_U(data, settings, V, b, losses):
    U = cp.Variable((data.n_features, len(V)))
    total = sum(
        losses(y, X @ U @ v + shift) / len(y)
        for X, y, v, shift in zip(data.X, data.y, V.T, b, strict=True)
    )
    total += settings.gamma1 * cp.sum(cp.abs(U))
    total += settings.gamma2 * cp.sum(cp.max(cp.abs(U), axis=1))
    return cp.Problem(cp.Minimize(total)).solve(solver=cp.CLARABEL)


@pytest.mark.parametrize("name", ["huber", "poisson"])
def test_an_interior_point_method_cannot_improve_U(name, outliers, counts):
    data = {"huber": outliers, "poisson": counts}[name]
    result = solve_vstg(data, loss=name, fit_intercept=True, tol=1e-6, **SETTINGS)
    assert result.converged
    assert result.n_iter < 60
    losses = {
        "huber": lambda y, m: 0.5 * cp.sum(cp.huber(y - m, HuberLoss().delta)),
        "poisson": lambda y, m: (
            cp.sum(cp.exp(m) - cp.multiply(y, m) - 1.0)
            + PoissonLoss().value(y, np.zeros(len(y)))
        ),
    }  # fmt: skip
    found = block_of_U(data, result.settings, result.V, result.intercept, losses[name])
    rest = result.history["k_support"][-1]
    assert result.objective - rest == pytest.approx(found, rel=1e-5)


def test_huber_is_scored_by_absolute_errors_and_finds_what_least_squares_misses(
    outliers,
):
    grid = {"n_latent": [2], "k": [1], "gamma1": [0.01], "gamma2": [0.01, 0.1]}
    found = search_grid(outliers, "vstg", grid, 4, loss=HuberLoss(), fit_intercept=True)
    assert found.measure == "mae_mean_over_tasks"
    # A tenth of the rows is 50 off, and the others hardly.
    assert found.summary()["error"].min() == pytest.approx(5.0, abs=0.5)
    by_squares = search_grid(
        outliers, "vstg", grid, 4, loss="huber", fit_intercept=True,
        measure="rmse_mean_over_tasks",
    )  # fmt: skip
    assert by_squares.summary()["error"].min() == pytest.approx(50 * 0.1**0.5, rel=0.2)
    w = np.array([1.0, -2.0, 0.0, 0.0])
    robust = solve_vstg(outliers, loss="huber", fit_intercept=True, **SETTINGS)
    squares = solve_vstg(outliers, fit_intercept=True, **SETTINGS)
    assert np.abs(robust.W.T - w).max() < 0.1
    assert np.abs(squares.W.T - w).max() > 0.3


def test_counts_are_scored_by_their_deviance(counts):
    grid = {"n_latent": [2], "k": [1], "gamma1": [0.01], "gamma2": [0.01]}
    found = search_grid(counts, "vstg", grid, counts, loss="poisson", tol=1e-6)
    assert found.measure == "deviance_mean_over_tasks"
    result = solve_vstg(counts, loss="poisson", tol=1e-6, **SETTINGS)
    means = [np.exp(m) for m in result.decision(counts)]
    pairs = list(zip(counts.y, means, strict=True))
    deviance = np.mean([mean_poisson_deviance(y, m) for y, m in pairs])
    rmse = np.mean([np.sqrt(((y - m) ** 2).mean()) for y, m in pairs])
    row = found.frame.iloc[0]
    assert row["deviance_mean_over_tasks"] == pytest.approx(deviance, rel=1e-3)
    assert row["rmse_mean_over_tasks"] == pytest.approx(rmse, rel=1e-3)


def test_what_a_loss_cannot_do_is_said(counts):
    with pytest.raises(ValueError, match="bounded curvature"):
        solve_vstg(counts, loss="poisson", solver="admm")
    with pytest.raises(ValueError, match="counts are 0 or more"):
        solve_vstg(MultiTaskData(counts.X, [-y for y in counts.y]), loss="poisson")
    with pytest.raises(ValueError, match=r"'huber:2\.5'"):
        solve_vstg(counts, loss="huber:wide")
    with pytest.raises(ValueError, match="must be above 0"):
        HuberLoss(0.0)


def test_a_threshold_is_part_of_the_name(outliers):
    """So every place that keeps the name of a loss keeps its threshold."""
    assert get_loss("huber") == HuberLoss()
    assert get_loss(HuberLoss(2.5).name) == HuberLoss(2.5)
    narrow = solve_vstg(outliers, loss="huber:0.1", fit_intercept=True, **SETTINGS)
    same = solve_vstg(outliers, loss=HuberLoss(0.1), fit_intercept=True, **SETTINGS)
    assert narrow.loss == same.loss == "huber:0.1"
    np.testing.assert_array_equal(narrow.W, same.W)


@pytest.mark.filterwarnings("error")
def test_a_task_of_zeros_alone_is_predicted_as_nearly_zero(counts):
    """Rare counts leave such tasks in folds."""
    data = MultiTaskData([*counts.X, counts.X[0]], [*counts.y, 0 * counts.y[0]])
    result = solve_vstg(
        data, loss="poisson", fit_intercept=True, allow_constant=True, **SETTINGS
    )
    assert result.converged
    assert np.exp(result.decision(data)[2]).max() < 1e-3
    alone = solve_vstg(counts, loss="poisson", fit_intercept=True, **SETTINGS)
    assert result.objective == pytest.approx(alone.objective, rel=1e-2)


def test_ridge_of_counts_is_that_of_scikit_learn(counts):
    found = solve_ridge(counts, gamma1=0.05, loss="poisson", fit_intercept=True)
    assert found.converged
    for j, (X, y) in enumerate(zip(counts.X, counts.y, strict=True)):
        other = PoissonRegressor(alpha=0.1, tol=1e-10).fit(X, y)
        np.testing.assert_allclose(found.W[:, j], other.coef_, atol=1e-6)
        assert found.intercept[j] == pytest.approx(other.intercept_, abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("loss", ["huber", "poisson"])
def test_every_method_knows_every_loss(method, loss, outliers, counts):
    """And does better than the constant of each task."""
    data = {"huber": outliers, "poisson": counts}[loss]
    grid = {name: [0.02] for name in METHODS[method].parameters}
    grid |= {name: [2] for name in grid if name == "n_latent"}
    grid |= {name: [1] for name in grid if name == "k"}
    found = search_grid(data, method, grid, 3, loss=loss, fit_intercept=True)
    chosen = get_loss(loss)
    nothing = [np.full(len(y), chosen.best_constant(y)) for y in data.y]
    assert found.best_error < 0.9 * errors_on(data, nothing, loss=loss).mean
