import numpy as np
import pytest
from oracles import best_U, best_V

from vstg import MultiTaskData, solve_vstg
from vstg.datasets import make_syn
from vstg.losses import get_loss
from vstg.objective import Objective

STRENGTHS = {"gamma1": 0.05, "gamma2": 0.03, "mu": 0.02}
KINDS = {"squared": "regression", "logistic": "classification"}


@pytest.fixture(params=KINDS)
def case(request):
    """(loss, small data)."""
    return request.param, request.getfixturevalue(KINDS[request.param])


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_both_blocks_are_optimal_at_the_result(case, k, fit_intercept):
    name, data = case
    result = solve_vstg(
        data, loss=name, n_latent=3, k=k, tol=1e-7, max_iter=20_000,
        fit_intercept=fit_intercept, **STRENGTHS,
    )  # fmt: skip
    b = result.intercept
    residuals = Objective(data, get_loss(name), result.settings).residuals(
        result.U, result.V, b
    )
    assert result.converged
    assert np.abs(result.W).max() > 0.1
    assert residuals.U < 1e-5
    assert residuals.V < 1e-5
    assert not fit_intercept or residuals.intercept < 1e-5


def test_an_interior_point_method_cannot_improve_either_block(case):
    name, data = case
    result = solve_vstg(
        data, loss=name, n_latent=3, k=2, tol=1e-8, max_iter=20_000, **STRENGTHS
    )
    objective = Objective(data, get_loss(name), result.settings)
    b = np.zeros(data.n_tasks)
    _, with_best_U = best_U(data, name, result.settings, result.V, b)
    _, with_best_V = best_V(data, name, result.settings, result.U, b)
    penalty_U = objective.penalty_U.value(result.U)
    penalty_V = objective.penalty_V.value(result.V)
    assert result.objective - penalty_V == pytest.approx(with_best_U, rel=1e-6)
    assert result.objective - penalty_U == pytest.approx(with_best_V, rel=1e-6)


@pytest.mark.parametrize("fit_intercept", [False, True])
def test_the_objective_never_rises(case, fit_intercept):
    name, data = case
    result = solve_vstg(
        data, loss=name, n_latent=3, k=2, tol=1e-8, fit_intercept=fit_intercept,
        **STRENGTHS,
    )  # fmt: skip
    objective = result.history["objective"]
    assert len(objective) > 5
    assert np.diff(objective).max() <= 1e-10 * objective[0]
    value = Objective(data, get_loss(name), result.settings).value(
        result.U, result.V, result.intercept
    )
    assert result.objective == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_true_variables_and_coefficients_are_found(kind):
    syn = make_syn(kind, n_train=200, noise=0.1, random_state=1)
    result = solve_vstg(syn.train, n_latent=5, k=1, gamma1=2**-5, gamma2=2**-2)
    error = np.linalg.norm(result.W - syn.W) / np.linalg.norm(syn.W)
    kept = (result.U != 0).any(axis=1)
    relevant = (syn.U != 0).any(axis=1)
    assert kept[relevant].all()
    assert kept[~relevant].sum() <= 1
    assert error < 0.1


def test_k_1_prefers_fewer_bases_to_a_task_than_k_K():
    syn = make_syn(1, random_state=0)
    strengths = {"n_latent": 5, "gamma1": 2**-3, "gamma2": 2**-3}
    sparse = solve_vstg(syn.train, k=1, **strengths)
    dense = solve_vstg(syn.train, k=5, **strengths)
    assert (sparse.V == 0).sum() > (dense.V == 0).sum()


def test_permuting_tasks_and_variables_permutes_the_result(case, rng):
    name, data = case
    options = {"loss": name, "n_latent": 2, "k": 1, "tol": 1e-9, "max_iter": 50_000}
    tasks, features = (rng.permutation(n) for n in (data.n_tasks, data.n_features))
    assert (tasks != np.arange(len(tasks))).any()
    turned = MultiTaskData(
        [data.X[j][:, features] for j in tasks], [data.y[j] for j in tasks]
    )
    plain = solve_vstg(data, **options, **STRENGTHS)
    permuted = solve_vstg(turned, **options, **STRENGTHS)
    assert permuted.objective == pytest.approx(plain.objective, rel=1e-7)
    np.testing.assert_allclose(permuted.W, plain.W[features][:, tasks], atol=1e-4)


@pytest.mark.parametrize("k", [1, 3])
def test_one_task_with_a_heavy_hand_on_U_is_zero_and_with_a_light_one_is_not(k, rng):
    X = rng.normal(size=(40, 6))
    data = MultiTaskData([X], [X[:, 0] + 0.1 * rng.normal(size=40)])
    heavy = solve_vstg(data, n_latent=3, k=k, gamma1=5.0, gamma2=5.0)
    light = solve_vstg(data, n_latent=3, k=k, gamma1=1e-3, gamma2=1e-3)
    assert not heavy.U.any()
    assert not heavy.V.any()
    assert heavy.converged
    assert light.W[0, 0] > 0.9


def test_without_penalties_it_is_least_squares(regression):
    result = solve_vstg(
        regression, n_latent=5, k=1, gamma1=0.0, gamma2=0.0, mu=0.0, tol=1e-8,
        max_iter=50_000,
    )  # fmt: skip
    for j, (X, y) in enumerate(zip(regression.X, regression.y, strict=True)):
        expected = np.linalg.lstsq(X, y, rcond=None)[0]
        np.testing.assert_allclose(result.W[:, j], expected, atol=1e-3)


def test_constant_columns_and_more_bases_than_rank_are_harmless(regression):
    padded = MultiTaskData(
        [np.column_stack([X, np.zeros(len(X))]) for X in regression.X], regression.y
    )
    result = solve_vstg(padded, n_latent=9, k=2, fit_intercept=True, **STRENGTHS)
    assert result.U.shape == (6, 9)
    assert not result.U[5].any()
    assert np.isfinite(result.W).all()
    assert result.converged


def test_a_task_with_nothing_to_explain_gets_zero_coefficients(rng):
    X = [rng.normal(size=(30, 4)) for _ in range(3)]
    y = [X[0] @ [1, 2, 0, 0], X[1] @ [1, 2, 0, 0], np.zeros(30)]
    result = solve_vstg(
        MultiTaskData(X, y),
        n_latent=2,
        k=1,
        gamma1=0.1,
        gamma2=0.1,
        allow_constant=True,
    )
    assert not result.V[:, 2].any()
    assert result.V[:, 0].any()


def test_a_target_of_one_value_is_refused_unless_allowed(regression):
    y = [*regression.y[:-1], np.full(17, 3.0)]
    with pytest.raises(ValueError, match="task3"):
        solve_vstg(MultiTaskData(regression.X, y))


def test_logistic_intercept_follows_unbalanced_classes(rng):
    X = rng.normal(size=(300, 3))
    margin = 2 * X[:, 0] - 3
    y = np.where(rng.uniform(size=300) < 1 / (1 + np.exp(-margin)), 1.0, -1.0)
    data = MultiTaskData([X], [y])
    result = solve_vstg(
        data, loss="logistic", n_latent=1, k=1, gamma1=1e-3, gamma2=1e-3,
        fit_intercept=True,
    )  # fmt: skip
    assert -4.5 < result.intercept[0] < -1.5
    assert 1 < result.W[0, 0] < 3
