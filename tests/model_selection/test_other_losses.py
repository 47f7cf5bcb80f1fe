"""Losses beside the paper's two: fitted to their optimum and scored as regressions."""

import cvxpy as cp
import numpy as np
import pytest

from vstg import MultiTaskData, discover, solve_vstg
from vstg.losses import HuberLoss, PoissonLoss, response
from vstg.model_selection import search_grid

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


def test_huber_is_scored_by_rmse_and_finds_what_least_squares_misses(outliers):
    grid = {"n_latent": [2], "k": [1], "gamma1": [0.01], "gamma2": [0.01, 0.1]}
    found = search_grid(outliers, "vstg", grid, 4, loss=HuberLoss(), fit_intercept=True)
    assert found.measure == "rmse_mean_over_tasks"
    assert 10 < found.summary()["error"].min() < 30  # not a share of wrong signs
    w = np.array([1.0, -2.0, 0.0, 0.0])
    robust = solve_vstg(outliers, loss="huber", fit_intercept=True, **SETTINGS)
    squares = solve_vstg(outliers, fit_intercept=True, **SETTINGS)
    assert np.abs(robust.W.T - w).max() < 0.1
    assert np.abs(squares.W.T - w).max() > 0.3


def test_counts_are_scored_by_their_means(counts):
    grid = {"n_latent": [2], "k": [1], "gamma1": [0.01], "gamma2": [0.01]}
    found = search_grid(counts, "vstg", grid, 4, loss="poisson", fit_intercept=True)
    result = solve_vstg(counts, loss="poisson", fit_intercept=True, **SETTINGS)
    margins = [X @ result.W + result.intercept for X in counts.X]
    means = [response("poisson", m[:, j]) for j, m in enumerate(margins)]
    rmse = np.mean(
        [np.sqrt(((y - m) ** 2).mean()) for y, m in zip(counts.y, means, strict=True)]
    )
    assert found.summary()["error"].min() == pytest.approx(rmse, rel=0.4)


def test_what_a_loss_cannot_do_is_said(counts):
    with pytest.raises(ValueError, match="bounded curvature"):
        solve_vstg(counts, loss="poisson", solver="admm")
    with pytest.raises(ValueError, match="counts are 0 or more"):
        solve_vstg(MultiTaskData(counts.X, [-y for y in counts.y]), loss="poisson")
    with pytest.raises(ValueError, match="only zeros"):
        solve_vstg(
            MultiTaskData(counts.X, [0 * y for y in counts.y]),
            loss="poisson", allow_constant=True,
        )  # fmt: skip
    with pytest.raises(ValueError, match="discover knows"):
        discover(counts, loss="poisson")
