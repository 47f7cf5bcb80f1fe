"""MMTFL and GO-MTL: optimality of each block, best scales, limits."""

import cvxpy as cp
import numpy as np
import pytest
from oracles import losses_cvxpy

from vstg.baselines import solve_go_mtl, solve_lasso, solve_mmtfl
from vstg.datasets import make_syn
from vstg.kernels.go_mtl import best_shear_l1_ridge, solve_positive
from vstg.problem import Problem

SETTINGS = [(loss, b) for loss in ("squared", "logistic") for b in (False, True)]
each_setting = pytest.mark.parametrize(("loss", "fit_intercept"), SETTINGS)
each_number = pytest.mark.parametrize("number", [1, 2, 3, 4])


@pytest.fixture
def tasks(regression, classification):
    return {"squared": regression, "logistic": classification}


def best_value(data, loss, fit_intercept, W, penalty, limits=()):
    """min Σ_j L_j/N_j + penalty over one block and the intercepts, by cvxpy."""
    b = cp.Variable(data.n_tasks)
    margins = [X @ W[:, j] + b[j] for j, X in enumerate(data.X)]
    limits = [*limits] if fit_intercept else [*limits, b == 0]
    problem = cp.Problem(
        cp.Minimize(losses_cvxpy(data, loss, margins) + penalty), limits
    )
    return problem.solve(solver=cp.CLARABEL, tol_gap_rel=1e-10, tol_gap_abs=1e-10)


@each_setting
def test_blocks_of_mmtfl_are_optimal(loss, fit_intercept, tasks):
    data = tasks[loss]
    result = solve_mmtfl(
        data, loss=loss, fit_intercept=fit_intercept, gamma1=0.05, gamma2=0.05,
        tol=1e-7,
    )  # fmt: skip
    c, B = result.factors["c"], result.factors["B"]
    assert result.W.any()
    assert c.min() >= 0
    free = cp.Variable(B.shape)
    penalty = 0.05 * cp.sum(cp.abs(free)) + 0.05 * c @ c
    value = best_value(data, loss, fit_intercept, cp.diag(c) @ free, penalty)
    assert result.objective == pytest.approx(value, rel=1e-6)
    free = cp.Variable(len(c))
    penalty = 0.05 * np.abs(B).sum() + 0.05 * cp.sum_squares(free)
    W = cp.diag(free) @ B
    value = best_value(data, loss, fit_intercept, W, penalty, [free >= 0])
    assert result.objective == pytest.approx(value, rel=1e-6)


@each_setting
def test_blocks_of_go_mtl_are_optimal(loss, fit_intercept, tasks):
    data = tasks[loss]
    result = solve_go_mtl(
        data, loss=loss, fit_intercept=fit_intercept, n_latent=2, gamma1=0.05,
        gamma2=0.05, tol=1e-7,
    )  # fmt: skip
    L, S = result.factors["L"], result.factors["S"]
    assert result.W.any()
    free = cp.Variable(S.shape)
    penalty = 0.05 * cp.sum(cp.abs(free)) + 0.05 * (L**2).sum()
    value = best_value(data, loss, fit_intercept, L @ free, penalty)
    assert result.objective == pytest.approx(value, rel=1e-6)
    free = cp.Variable(L.shape)
    penalty = 0.05 * np.abs(S).sum() + 0.05 * cp.sum_squares(free)
    value = best_value(data, loss, fit_intercept, free @ S, penalty)
    assert result.objective == pytest.approx(value, rel=1e-6)


@each_number
def test_mmtfl_splits_each_row_at_its_best(number):
    data = make_syn(number, random_state=0).train
    result = solve_mmtfl(data, gamma1=0.2, gamma2=0.1)
    size = np.abs(result.W).sum(axis=1)
    np.testing.assert_allclose(
        result.factors["c"], np.cbrt(0.2 * size / (2 * 0.1)), rtol=1e-2, atol=1e-12
    )
    penalty = 3 * np.cbrt(0.2**2 * 0.1 / 4) * (size ** (2 / 3)).sum()
    assert result.history["penalty"][-1] == pytest.approx(penalty, rel=1e-4)


@each_number
def test_mmtfl_removes_variables_for_all_tasks(number):
    syn = make_syn(number, random_state=0)
    result = solve_mmtfl(syn.train, gamma1=1.0, gamma2=0.5)
    gone = ~result.W.any(axis=1)
    assert 0 < gone.sum() < 25
    np.testing.assert_array_equal(gone, result.factors["c"] == 0)


@each_number
def test_go_mtl_has_at_most_k_bases_and_best_scales(number):
    data = make_syn(number, random_state=0).train
    result = solve_go_mtl(data, n_latent=4, gamma1=0.1, gamma2=0.1, tol=1e-6)
    L, S = result.factors["L"], result.factors["S"]
    assert np.linalg.matrix_rank(result.W) == 4
    a, b = 0.1 * np.abs(S).sum(axis=1), 0.1 * (L**2).sum(axis=0)
    np.testing.assert_allclose(a, 2 * b, rtol=1e-3)  # s = 1 minimises s·a + b/s²
    assert 0 < (S == 0).mean() < 1


@pytest.mark.parametrize("solve", [solve_mmtfl, solve_go_mtl])
def test_only_the_product_of_the_strengths_counts(solve):
    """γ1²γ2 fixes the penalty on W once the factors share their scale at best."""
    problem = Problem.of(
        make_syn(3, random_state=2).train, "squared", fit_intercept=False
    )
    size = {"n_latent": 4} if solve is solve_go_mtl else {}
    one = solve(problem, gamma1=0.1, gamma2=0.4, tol=1e-7, **size)
    two = solve(problem, gamma1=0.4, gamma2=0.025, tol=1e-7, **size)
    assert two.objective == pytest.approx(one.objective, rel=1e-6)
    np.testing.assert_allclose(two.W, one.W, atol=1e-3)
    assert one.W.any()


@pytest.mark.parametrize("n_latent", [4, 5, 9])
def test_go_mtl_takes_more_bases_than_the_rank_allows(n_latent, regression):
    result = solve_go_mtl(
        regression, n_latent=n_latent, gamma1=0.02, gamma2=0.02, fit_intercept=True
    )
    assert result.converged
    assert result.factors["L"].shape == (5, n_latent)
    assert result.factors["S"].shape == (n_latent, 4)
    less = solve_go_mtl(
        regression, n_latent=1, gamma1=0.02, gamma2=0.02, fit_intercept=True
    )
    assert result.objective < less.objective


def test_mmtfl_begins_where_it_is_told(regression):
    """From c = 1 and the LASSO's W the objective is the LASSO's plus γ2·D."""
    lasso = solve_lasso(regression, gamma1=0.1)
    start = {"c": np.ones(5), "B": lasso.W}
    result = solve_mmtfl(regression, gamma1=0.1, gamma2=0.1, init=start)
    assert result.history["objective"][0] <= lasso.objective + 0.1 * 5
    elsewhere = solve_mmtfl(regression, gamma1=0.1, gamma2=0.1)
    assert result.history["objective"][0] != elsewhere.history["objective"][0]


@pytest.mark.parametrize("solve", [solve_mmtfl, solve_go_mtl])
def test_never_worse_than_zero(solve, classification):
    size = {"n_latent": 2} if solve is solve_go_mtl else {}
    for gamma in 2.0 ** np.arange(-4, 4):
        result = solve(
            classification, loss="logistic", fit_intercept=True,
            gamma1=gamma, gamma2=gamma, **size,
        )  # fmt: skip
        zero = solve_lasso(
            classification, loss="logistic", fit_intercept=True, gamma1=1e6
        )
        assert result.objective <= zero.objective * (1 + 1e-12)


@pytest.mark.parametrize("solve", [solve_mmtfl, solve_go_mtl])
def test_a_start_of_zeros_is_replaced(solve, regression):
    """Zero is stationary: a path that reached it would never leave it."""
    size = {"n_latent": 2} if solve is solve_go_mtl else {}
    zero = solve(regression, gamma1=1e4, gamma2=1e4, **size)
    assert not zero.W.any()
    cold = solve(regression, gamma1=0.05, gamma2=0.05, **size)
    warm = solve(regression, gamma1=0.05, gamma2=0.05, init=zero, **size)
    assert cold.W.any()
    np.testing.assert_array_equal(warm.W, cold.W)


@pytest.mark.parametrize(
    ("solve", "free", "gammas"),
    [
        (solve_mmtfl, "c", (0.1, 0.0)),
        (solve_mmtfl, "B", (0.0, 0.1)),
        (solve_go_mtl, "L", (0.1, 0.0)),
        (solve_go_mtl, "S", (0.0, 0.1)),
    ],
)
def test_one_penalty_alone_is_refused(solve, free, gammas, regression):
    size = {"n_latent": 2} if solve is solve_go_mtl else {}
    with pytest.raises(ValueError, match=f"leave {free} unpenalised"):
        solve(regression, gamma1=gammas[0], gamma2=gammas[1], **size)


@pytest.mark.parametrize(
    ("n_latent", "error"), [(0, ValueError), (2.0, TypeError), (True, TypeError)]
)
def test_bad_n_latent_is_refused(n_latent, error, regression):
    with pytest.raises(error, match=f"n_latent={n_latent}"):
        solve_go_mtl(regression, n_latent=n_latent, gamma1=0.1, gamma2=0.1)


def test_negative_c_is_refused(regression):
    start = {"c": -np.ones(5), "B": np.ones((5, 4))}
    with pytest.raises(ValueError, match="negative value in c"):
        solve_mmtfl(regression, gamma1=0.1, gamma2=0.1, init=start)


def test_best_shear_minimises_its_line(rng):
    for _ in range(50):
        a, b = rng.normal(size=(2, 7))
        b[0] = 0.0
        gamma, slope, curvature = rng.uniform(0.1, 2.0, size=3)
        slope -= 1.0

        def line(t, a=a, b=b, gamma=gamma, slope=slope, curvature=curvature):
            return gamma * np.abs(a - t * b).sum() + slope * t + curvature * t * t / 2

        t = best_shear_l1_ridge(a, b, gamma, slope, curvature)
        assert line(t) <= min(line(t + d) for d in (-1e-4, 1e-4, -0.1, 0.1, -5, 5))


def test_solve_positive_solves(rng):
    A = rng.normal(size=(9, 6))
    H, x = A.T @ A, rng.normal(size=6)
    g = x.copy()
    solve_positive(H.copy(), g)
    np.testing.assert_allclose(H @ g, x, atol=1e-9)
