"""Other solvers and limits for L2,1, the dirty model, clusters and pretrained LASSO."""

import cvxpy as cp
import numpy as np
import pytest
from sklearn.linear_model import MultiTaskLasso

from vstg.baselines import (
    solve_clustered,
    solve_dirty,
    solve_l21,
    solve_lasso,
    solve_pretrained,
    solve_ridge,
)
from vstg.data import MultiTaskData
from vstg.problem import Problem

BOTH = [("squared", False), ("logistic", True)]


@pytest.fixture
def tasks(regression, classification):
    return {"squared": regression, "logistic": classification}


def least(data, loss, fit_intercept, penalty):
    """The least objective for a penalty on W, by cvxpy."""
    W = cp.Variable((data.n_features, data.n_tasks))
    b = cp.Variable(data.n_tasks) if fit_intercept else np.zeros(data.n_tasks)
    total, rules = penalty(W)
    for j, (X, y) in enumerate(zip(data.X, data.y, strict=True)):
        margin = X @ W[:, j] + b[j]
        if loss == "squared":
            total += cp.sum_squares(y - margin) / (2 * len(y))
        else:
            total += cp.sum(cp.logistic(cp.multiply(-y, margin))) / len(y)
    return cp.Problem(cp.Minimize(total), rules).solve(solver=cp.CLARABEL)


def dirty_penalty(W):
    Q = cp.Variable(W.shape)
    rows = cp.sum(cp.max(cp.abs(Q), axis=1))
    return 0.05 * cp.sum(cp.abs(W - Q)) + 0.08 * rows, []


def cluster_penalty(W):
    """tr W (ηI + M)⁻¹ Wᵀ with a matrix M, as the relaxation is written."""
    eta, T = 0.4, W.shape[1]
    M = cp.Variable((T, T), symmetric=True)
    rules = [M >> 0, np.eye(T) - M >> 0, cp.trace(M) == 2]
    total = sum(cp.matrix_frac(W[i], eta * np.eye(T) + M) for i in range(W.shape[0]))
    return 0.05 * eta * (1 + eta) * total, rules


CASES = [
    (solve_l21, {"gamma1": 0.08}, lambda W: (0.08 * cp.sum(cp.norm(W, axis=1)), [])),
    (solve_dirty, {"gamma1": 0.05, "gamma2": 0.08}, dirty_penalty),
    (solve_clustered, {"n_latent": 2, "gamma1": 0.05, "gamma2": 0.02}, cluster_penalty),
]


@pytest.mark.parametrize(("solve", "strengths", "penalty"), CASES)
@pytest.mark.parametrize(("loss", "fit_intercept"), BOTH)
def test_objective_is_the_least(solve, strengths, penalty, loss, fit_intercept, tasks):
    fit = solve(tasks[loss], loss=loss, fit_intercept=fit_intercept, **strengths)
    best = least(tasks[loss], loss, fit_intercept, penalty)
    assert fit.objective == pytest.approx(best, rel=2e-5)


def test_l21_is_the_multi_task_lasso_of_scikit_learn(rng):
    X, Y = rng.normal(size=(30, 8)), rng.normal(size=(30, 4))
    ours = solve_l21(
        MultiTaskData.from_multioutput(X, Y), gamma1=0.2, fit_intercept=True, tol=1e-10
    )
    theirs = MultiTaskLasso(0.2, tol=1e-12, max_iter=10_000).fit(X, Y)
    np.testing.assert_allclose(ours.W, theirs.coef_.T, atol=1e-6)
    assert (ours.W == 0).all(axis=1).any()


@pytest.mark.parametrize(("loss", "fit_intercept"), BOTH)
def test_limits_are_the_lasso_and_ridge(loss, fit_intercept, tasks):
    options = {"loss": loss, "fit_intercept": fit_intercept, "tol": 1e-10}
    data = tasks[loss]
    T = data.n_tasks
    dirty = solve_dirty(data, gamma1=0.05, gamma2=0.05 * T, **options)
    lasso = solve_lasso(data, gamma1=0.05, **options)
    np.testing.assert_allclose(dirty.W, lasso.W, atol=1e-5)
    assert not dirty.factors["Q"].any()
    ridge = solve_ridge(data, gamma1=0.05, **options)
    for limit in ({"n_latent": T, "gamma1": 0.1}, {"n_latent": 1, "gamma1": 0.0}):
        fit = solve_clustered(data, gamma2=0.05, **limit, **options)
        np.testing.assert_allclose(fit.W, ridge.W, atol=1e-5)
    one = MultiTaskData(data.X[:1], data.y[:1])
    alone = solve_l21(one, gamma1=0.05, **options)
    np.testing.assert_allclose(alone.W, lasso.W[:, :1], atol=1e-5)


SHARED = {"squared": 0.5, "logistic": 0.05}  # γ2, with which some of w are zero


def slopes(data, loss, fit_intercept, fit):
    """The gradient of the loss in W."""
    problem = Problem.of(data, loss, fit_intercept=fit_intercept)
    return problem.evaluate(fit.W, fit.intercept)[1]


def violation(slope, A, strength):
    """How far −slope is from strength · ∂‖A‖_1, by its definition."""
    on = np.abs(slope + strength * np.sign(A))
    off = np.maximum(np.abs(slope) - strength, 0.0)
    return np.where(A != 0, on, off).max()


@pytest.mark.parametrize(("loss", "fit_intercept"), BOTH)
def test_both_stages_of_the_pretrained_lasso_are_optimal(loss, fit_intercept, tasks):
    data, alpha, gamma2 = tasks[loss], 0.4, SHARED[loss]
    options = {"loss": loss, "fit_intercept": fit_intercept, "tol": 1e-10}
    fit = solve_pretrained(data, alpha=alpha, gamma1=0.02, gamma2=gamma2, **options)
    w, B = fit.factors["w"], fit.factors["B"]
    factor = np.where(w == 0, 1 / alpha, 1.0)[:, None]
    assert 0 < (w == 0).sum() < w.size
    assert violation(slopes(data, loss, fit_intercept, fit), B, 0.02 * factor) < 1e-5

    def shared(W):
        return gamma2 * cp.sum(cp.abs(W)), [W[:, 1:] == W[:, :-1]]

    def own(W):
        return 0.02 * cp.sum(factor.T @ cp.abs(W - 0.6 * w[:, None])), []

    best = least(data, loss, fit_intercept, own)
    assert fit.objective == pytest.approx(best, rel=2e-6)
    # With the second stage frozen, what is left is the first.
    frozen = solve_pretrained(data, alpha=0.0, gamma1=1e3, gamma2=gamma2, **options)
    best = least(data, loss, fit_intercept, shared)
    value = frozen.objective + gamma2 * np.abs(frozen.W).sum()
    assert value == pytest.approx(best, rel=2e-6)
    np.testing.assert_allclose(
        frozen.W, np.tile(w[:, None], (1, data.n_tasks)), atol=1e-6
    )


@pytest.mark.parametrize(("loss", "fit_intercept"), BOTH)
def test_limits_of_the_pretrained_lasso(loss, fit_intercept, tasks):
    options = {"loss": loss, "fit_intercept": fit_intercept, "tol": 1e-10}
    data = tasks[loss]
    alone = solve_pretrained(data, alpha=1.0, gamma1=0.05, gamma2=0.01, **options)
    lasso = solve_lasso(data, gamma1=0.05, **options)
    np.testing.assert_allclose(alone.W, lasso.W, atol=1e-6)
    inside = solve_pretrained(
        data, alpha=0.0, gamma1=0.001, gamma2=SHARED[loss], **options
    )
    used = inside.factors["w"] != 0
    assert used.any()
    assert not used.all()
    assert not inside.W[~used].any()
    part = MultiTaskData([X[:, used] for X in data.X], data.y)
    free = solve_pretrained(data, alpha=0.0, gamma1=0.0, gamma2=SHARED[loss], **options)
    best = solve_ridge(part, gamma1=0.0, **options)
    np.testing.assert_allclose(free.W[used], best.W, atol=2e-4)


def test_a_share_outside_its_range_is_refused(regression):
    with pytest.raises(ValueError, match=r"alpha=1\.5 must lie between 0 and 1"):
        solve_pretrained(regression, alpha=1.5, gamma1=0.1, gamma2=0.1)
