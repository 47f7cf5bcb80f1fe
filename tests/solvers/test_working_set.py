"""Wide data: what the working set leaves out is proved to be zero."""

import tracemalloc

import numpy as np
import pytest

from vstg import MultiTaskData
from vstg.kernels import prox_rows
from vstg.losses import get_loss
from vstg.metrics import error_rate_mean_over_tasks, rmse_mean_over_tasks
from vstg.model_selection import TaskKFold, search_grid
from vstg.objective import Objective, Settings
from vstg.penalties import SparseRows
from vstg.problem import Problem, prefers_wide
from vstg.solvers import solve_problem, solve_vstg

SETTINGS = Settings(n_latent=3, k=1, gamma1=0.1, gamma2=0.15, mu=0.1)


def wide_tasks(seed=0, n_features=150, n_tasks=6, n_rows=25, loss="squared", shift=0.0):
    """Few rows, many variables; tasks of three groups, each on two variables."""
    rng = np.random.default_rng(seed)
    W = np.zeros((n_features, n_tasks))
    for j in range(n_tasks):
        W[7 * (j % 3) : 7 * (j % 3) + 2, j] = rng.uniform(1.5, 2.5, size=2)
    X = [rng.normal(size=(n_rows + j, n_features)) + shift for j in range(n_tasks)]
    pairs = zip(X, W.T, strict=True)
    y = [x @ w + 0.3 * rng.normal(size=len(x)) + shift for x, w in pairs]
    if loss == "logistic":
        y = [np.where(target > np.median(target), 1.0, -1.0) for target in y]
    return MultiTaskData(X, y), W


@pytest.fixture(params=["squared", "logistic"])
def loss(request):
    return request.param


def test_the_dual_ball_holds_exactly_the_rows_whose_prox_is_zero(rng):
    g = rng.normal(size=(4000, 4))
    gamma1, gamma2 = 0.7, 0.9
    excess = np.maximum(np.abs(g) - gamma1, 0.0).sum(axis=1)
    stays = ~prox_rows(-g, gamma1, gamma2).any(axis=1)
    assert 100 < stays.sum() < 3900
    np.testing.assert_array_equal(excess <= gamma2, stays)
    penalty = SparseRows(gamma1, gamma2)
    assert all(
        (penalty.conjugate(row[None]) == 0.0) == zero
        for row, zero in zip(g[:300], stays[:300], strict=True)
    )


@pytest.mark.parametrize("fit_intercept", [False, True])
def test_all_rows_are_optimal_by_an_independent_look(loss, fit_intercept):
    data, _ = wide_tasks(loss=loss, shift=0.5 if fit_intercept else 0.0)
    problem = Problem.of(data, loss, fit_intercept=fit_intercept, wide=True)
    assert problem.is_wide
    result = solve_problem(problem, SETTINGS, tol=1e-6, max_iter=20_000)
    residuals = Objective(data, get_loss(loss), SETTINGS).residuals(
        result.U, result.V, result.intercept
    )
    assert result.converged
    assert "certified" in result.form
    assert 0 < result.U.any(axis=1).sum() < data.n_features
    assert max(residuals.U, residuals.V) < 1e-4
    assert not fit_intercept or residuals.intercept < 1e-4


def test_both_forms_agree_on_the_solution(loss):
    data, _ = wide_tasks(seed=1, loss=loss)
    gram = Problem.of(data, loss, fit_intercept=True, wide=False)
    wide = Problem.of(data, loss, fit_intercept=True, wide=True)
    options = {"tol": 1e-7, "max_iter": 20_000}
    by_gram = solve_problem(gram, SETTINGS, **options)
    by_set = solve_problem(wide, SETTINGS, **options)
    again = solve_problem(wide, SETTINGS, init=by_gram, **options)
    assert again.objective == pytest.approx(by_gram.objective, rel=1e-6)
    assert by_set.objective <= by_gram.objective * (1 + 1e-3)
    assert by_gram.form.startswith("Gram matrices 150 × 150")


def test_the_objective_never_rises_and_is_that_of_the_point(loss):
    data, _ = wide_tasks(seed=2, loss=loss)
    problem = Problem.of(data, loss, fit_intercept=True, wide=True)
    result = solve_problem(problem, SETTINGS, tol=1e-5)
    objective = result.history["objective"]
    assert np.diff(objective).max() <= 1e-9 * objective[0]
    assert np.diff(result.history["seconds"]).min() >= 0.0
    value = Objective(data, get_loss(loss), SETTINGS).value(
        result.U, result.V, result.intercept
    )
    assert result.objective == pytest.approx(value, rel=1e-9)


def test_evaluation_without_matrices_is_the_same(loss, rng):
    data, _ = wide_tasks(n_features=30, loss=loss)
    forms = [
        Problem.of(data, loss, fit_intercept=True, wide=wide) for wide in (False, True)
    ]
    W, b = rng.normal(size=(30, 6)), rng.normal(size=6)
    (value, slope, slope_b), other = (problem.evaluate(W, b) for problem in forms)
    assert value == pytest.approx(other[0])
    np.testing.assert_allclose(slope, other[1], atol=1e-10)
    np.testing.assert_allclose(slope_b, other[2], atol=1e-10)
    np.testing.assert_allclose(forms[1].model.G, forms[0].model.G)


def test_true_variables_are_found_among_many():
    data, W = wide_tasks(n_features=2000, n_tasks=9, n_rows=60)
    assert prefers_wide(data)
    result = solve_vstg(data, n_latent=3, k=1, gamma1=0.2, gamma2=0.5)
    np.testing.assert_array_equal(result.U.any(axis=1), W.any(axis=1))


def test_no_matrix_of_all_variables_is_made():
    data, _ = wide_tasks(n_features=3000, n_tasks=5, n_rows=30)
    size = sum(X.nbytes for X in data.X)
    solve_vstg(data, n_latent=3, k=1, gamma1=0.3, gamma2=0.5)
    tracemalloc.start()
    solve_vstg(data, n_latent=3, k=1, gamma1=0.3, gamma2=0.5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < size  # with the data themselves: less than twice the data


def test_a_heavy_hand_gives_zero_and_a_stopped_run_says_so():
    data, _ = wide_tasks(n_features=400)
    problem = Problem.of(data, "squared", fit_intercept=False, wide=True)
    zero = solve_problem(problem, Settings(3, 1, 50.0, 50.0, 50.0))
    assert not zero.U.any()
    assert zero.converged
    seen = []

    def stop(progress):
        seen.append(progress)
        return True

    stopped = solve_problem(problem, SETTINGS, tol=1e-12, callback=stop)
    assert stopped.stop_reason == "callback"
    assert seen[0].U.shape == (400, 3)
    np.testing.assert_array_equal(stopped.U, seen[0].U)
    short = solve_problem(problem, SETTINGS, tol=1e-12, max_iter=3)
    assert short.stop_reason == "max_iter"


def test_methods_that_need_the_matrices_refuse_what_does_not_fit(rng):
    X = rng.normal(size=(2, 9000))
    data = MultiTaskData([X, X.copy(), X.copy(), X.copy()], [[1.0, 2.0]] * 4)
    with pytest.raises(ValueError, match="4 matrices of 9,000 × 9,000, too much"):
        solve_vstg(data, solver="admm")


def test_several_starts_and_warm_ones():
    data, _ = wide_tasks(n_features=400, seed=3)
    problem = Problem.of(data, "squared", fit_intercept=False, wide=True)
    one = solve_problem(problem, SETTINGS)
    several = solve_problem(problem, SETTINGS, n_init=3)
    warm = solve_problem(problem, SETTINGS, init=one)
    assert several.restart_objectives[0] == one.objective
    assert several.objective == min(several.restart_objectives)
    assert warm.n_iter < one.n_iter
    assert warm.objective <= one.objective * (1 + 1e-6)


def test_a_search_on_wide_data_judges_as_one_on_matrices_would(loss):
    data, _ = wide_tasks(n_features=1200, n_tasks=6, n_rows=40, loss=loss)
    grid = {"n_latent": (3,), "k": (1,), "gamma1": (0.2,), "gamma2": (0.2, 0.4)}
    assert prefers_wide(data)
    search = search_grid(data, "vstg", grid, cv=2, loss=loss, fit_intercept=True)
    fold = TaskKFold(2).folds(data, stratify=loss == "logistic")[0]
    fit = solve_vstg(
        data.take(fold.train), loss=loss, n_latent=3, k=1, gamma1=0.2, gamma2=0.2,
        fit_intercept=True, tol=1e-3,
    )  # fmt: skip
    test = data.take(fold.test)
    measure = rmse_mean_over_tasks if loss == "squared" else error_rate_mean_over_tasks
    assert len(search.frame) == 4
    assert search.frame[search.measure][0] == pytest.approx(
        measure(test.y, fit.decision(test))
    )
