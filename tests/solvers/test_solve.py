import numpy as np
import pytest

from vstg import solve_vstg
from vstg.datasets import make_syn
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers.initial import factorise, initial_coefficients, restart


@pytest.fixture(scope="module")
def syn():
    return make_syn(4, random_state=3)


CASE = {"n_latent": 5, "k": 1, "gamma1": 2**-6, "gamma2": 2**-6}


def test_restarts_keep_the_best_and_report_all(syn):
    one = solve_vstg(syn.train, **CASE)
    many = solve_vstg(syn.train, n_init=5, **CASE)
    assert len(many.restart_objectives) == 5
    assert many.restart_objectives[0] == one.objective
    assert many.objective == min(many.restart_objectives)
    assert len(set(np.round(many.restart_objectives, 3))) > 1  # the starts differ


def test_the_same_seed_gives_the_same_result(syn):
    first = solve_vstg(syn.train, n_init=3, random_state=7, **CASE)
    again = solve_vstg(syn.train, n_init=3, random_state=7, **CASE)
    np.testing.assert_array_equal(first.U, again.U)
    np.testing.assert_array_equal(first.V, again.V)


@pytest.mark.parametrize("solver", ["fast", "admm"])
def test_a_warm_start_from_the_result_ends_at_once(syn, solver):
    cold = solve_vstg(syn.train, solver=solver, tol=1e-4, **CASE)
    warm = solve_vstg(syn.train, solver=solver, tol=1e-4, init=cold, **CASE)
    assert warm.n_iter < cold.n_iter / 4
    assert warm.objective == pytest.approx(cold.objective, rel=1e-3)


def test_init_as_a_pair_is_the_first_of_several_starts(syn):
    cold = solve_vstg(syn.train, **CASE)
    several = solve_vstg(syn.train, init=(cold.U, cold.V), n_init=2, **CASE)
    assert several.restart_objectives[0] <= cold.objective
    assert len(several.restart_objectives) == 2


@pytest.mark.parametrize("solver", ["fast", "admm"])
def test_a_callback_sees_the_point_and_can_stop(syn, solver):
    seen = []

    def stop_at_second_look(progress):
        seen.append(progress)
        return len(seen) == 2

    result = solve_vstg(
        syn.train, solver=solver, callback=stop_at_second_look, tol=1e-12, **CASE
    )
    assert len(seen) == 2
    assert result.stop_reason == "callback"
    assert not result.converged
    assert result.n_iter == seen[-1].iteration
    np.testing.assert_array_equal(result.U, seen[-1].U)
    assert seen[1].objective < seen[0].objective


def test_an_exception_in_the_callback_passes_through(syn):
    def fail(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_vstg(syn.train, callback=fail, tol=1e-12, **CASE)


@pytest.mark.parametrize("solver", ["fast", "admm"])
def test_running_out_of_iterations_is_said(syn, solver):
    result = solve_vstg(syn.train, solver=solver, max_iter=2, **CASE)
    assert result.stop_reason == "max_iter"
    assert not result.converged
    assert result.n_iter == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"solver": "newton"}, "solver='newton' is unknown; choose one of"),
        ({"n_init": 0}, "n_init=0 must be at least 1"),
        ({"k": 9}, "k=9 must lie between 1 and n_latent=5"),
        ({"loss": "logistic"}, "task"),
        ({"init": (np.zeros((3, 5)), np.zeros((5, 20)))}, "these data with n_latent=5"),
        ({"init": (np.full((25, 5), np.nan), np.zeros((5, 20)))}, "not finite"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(syn, options, message):
    with pytest.raises(ValueError, match=message):
        solve_vstg(syn.train, **(CASE | options))


def test_start_solves_the_normal_equations_of_eq_7(syn):
    settings = Settings.checked(n_latent=5, k=1, gamma1=0.3, gamma2=0.4, mu=1.2)
    problem = Problem.of(syn.train, "squared", fit_intercept=False)
    W = initial_coefficients(problem, settings)
    X, y = syn.train.X[2], syn.train.y[2]
    gradient = X.T @ (X @ W[:, 2] - y) / len(y) + 2 * 1.3 * W[:, 2]
    np.testing.assert_allclose(gradient, 0, atol=1e-9)


def test_logistic_start_is_near_the_optimum_of_eq_7(classification):
    settings = Settings.checked(n_latent=2, k=1, gamma1=0.03, gamma2=0.04, mu=0.12)
    problem = Problem.of(classification, "logistic", fit_intercept=False)
    W = initial_coefficients(problem, settings)
    _, slope, _ = problem.evaluate(W, np.zeros(3))
    _, at_zero, _ = problem.evaluate(0 * W, np.zeros(3))
    gradient = slope + 2 * 0.13 * W
    assert np.abs(gradient).max() < 0.05 * np.abs(at_zero).max()


def test_factors_multiply_to_the_best_approximation(rng):
    W = rng.normal(size=(6, 4))
    U, V = factorise(W, 2)
    singular = np.linalg.svd(W, compute_uv=False)
    assert np.linalg.norm(W - U @ V) == pytest.approx(np.linalg.norm(singular[2:]))
    U, V = factorise(W, 7)
    np.testing.assert_allclose(U @ V, W)
    assert not U[:, 4:].any()


def test_odd_restarts_turn_the_bases_and_keep_the_product(rng):
    W = rng.normal(size=(6, 4))
    U, V = restart(W, 3, 1, rng)
    U0, V0 = factorise(W, 3)
    np.testing.assert_allclose(U @ V, U0 @ V0)
    assert np.abs(U - U0).max() > 0.1


@pytest.mark.parametrize("solver", ["fast", "admm"])
@pytest.mark.parametrize("number", [2, 4])
def test_strong_penalties_give_finite_results(number, solver):
    """Where exactly k bases of a task saturate, the norm has a plateau of weights."""
    data = make_syn(number, random_state=0).train
    for strength in (1.0, 2.0, 4.0):
        options = {"n_latent": 5, "k": 3, "gamma1": strength, "gamma2": strength}
        result = solve_vstg(data, solver=solver, max_iter=40, **options)
        assert np.isfinite(result.W).all()
        assert result.objective <= 0.5 * sum((y @ y) / len(y) for y in data.y)
