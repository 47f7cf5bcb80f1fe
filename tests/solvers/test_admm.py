import numpy as np
import pytest
from oracles import best_U, best_V

from vstg import solve_vstg
from vstg.objective import Objective, Settings
from vstg.penalties import SparseRows
from vstg.problem import Problem
from vstg.solvers.admm import Copies, QuadraticZ1, SmoothZ1, update_U, update_V
from vstg.solvers.fista import fista

SETTINGS = Settings.checked(n_latent=3, k=2, gamma1=0.1, gamma2=0.08, mu=0.06)
KINDS = {"squared": "regression", "logistic": "classification"}


@pytest.fixture(params=KINDS)
def case(request, rng):
    """(loss, data, problem without intercept, U, V)."""
    data = request.getfixturevalue(KINDS[request.param])
    problem = Problem.of(data, request.param, fit_intercept=False)
    U = rng.normal(size=(data.n_features, 3))
    return request.param, data, problem, U, rng.normal(size=(3, data.n_tasks))


def z1_solver(problem, V, rho, residual_tol):
    b = np.zeros(problem.n_tasks)
    return {
        "squared": lambda: QuadraticZ1(problem.model, V, rho),
        "logistic": lambda: SmoothZ1(problem, V, b, rho, residual_tol),
    }[problem.loss.name]()


def exact_prox_U(problem, U, V):
    """The U-step by FISTA with the composed prox: no splitting at all."""
    penalty = SparseRows(SETTINGS.gamma1, SETTINGS.gamma2)
    b = np.zeros(problem.n_tasks)
    curvature = [np.linalg.norm(X, 2) ** 2 / len(X) for X in problem.data.X]
    L = problem.loss.curvature * sum(
        c * v @ v for c, v in zip(curvature, V.T, strict=True)
    )

    def gradient(at):
        return problem.evaluate(at @ V, b)[1] @ V.T

    return fista(gradient, penalty.prox, U, L, tol=1e-13, max_iter=100_000).x


def test_admm_and_the_exact_prox_agree_on_the_U_step(case):
    _, _, problem, U, V = case
    found = update_U(
        U, Copies.at(U), z1_solver(problem, V, 2.0, 1e-9), SETTINGS,
        residual_tol=1e-9, max_iter=100_000,
    )  # fmt: skip
    expected = exact_prox_U(problem, U, V)
    assert found.converged
    np.testing.assert_allclose(found.U, expected, atol=1e-7)
    np.testing.assert_array_equal(found.U == 0, expected == 0)
    assert (expected == 0).any()
    assert (expected != 0).any()


def test_U_step_agrees_with_an_interior_point_method(case):
    name, data, problem, U, V = case
    found = update_U(
        U, Copies.at(U), z1_solver(problem, V, 2.0, 1e-8), SETTINGS,
        residual_tol=1e-8, max_iter=100_000,
    )  # fmt: skip
    expected, _ = best_U(data, name, SETTINGS, V, np.zeros(data.n_tasks))
    np.testing.assert_allclose(found.U, expected, atol=2e-5)


def test_V_step_agrees_with_an_interior_point_method(case):
    name, data, problem, U, V = case
    b = np.zeros(data.n_tasks)
    found = update_V(problem, SETTINGS, U, V, b)
    expected, value = best_V(data, name, SETTINGS, U, b)
    objective = Objective(data, problem.loss, SETTINGS)
    penalty_U = objective.penalty_U.value(U)
    assert objective.value(U, found) - penalty_U == pytest.approx(value, rel=1e-6)
    np.testing.assert_allclose(found, expected, atol=1e-4)


def test_the_l1_copy_is_returned_because_it_has_exact_zeros(case):
    _, _, problem, U, V = case
    found = update_U(U, Copies.at(U), z1_solver(problem, V, 2.0, 0.01), SETTINGS)
    assert (found.U == 0).any()
    average = found.copies
    plain = (average.Z1 + average.Z2 + average.Z3) / 3
    assert not (plain[found.U == 0] == 0).all()


def test_residuals_end_below_the_papers_bound(case):
    _, _, problem, U, V = case
    found = update_U(U, Copies.at(U), z1_solver(problem, V, 2.0, 0.01), SETTINGS)
    primal, dual, _ = found.residuals[-1]
    assert found.converged
    assert max(primal, dual) <= 0.01
    assert max(found.residuals[0][:2]) > 0.01


def test_U_step_says_when_it_ran_out_of_iterations(case):
    _, _, problem, U, V = case
    found = update_U(
        U, Copies.at(U), z1_solver(problem, V, 2.0, 1e-12), SETTINGS,
        residual_tol=1e-12, max_iter=3,
    )  # fmt: skip
    assert not found.converged
    assert found.n_iter == 3


@pytest.mark.parametrize("fit_intercept", [False, True])
def test_algorithm_1_with_tight_tolerances_ends_at_an_optimum_of_both_blocks(
    case, fit_intercept
):
    name, data, problem, _, _ = case
    result = solve_vstg(
        data, loss=name, solver="admm", n_latent=3, k=2,
        gamma1=0.05, gamma2=0.03, mu=0.02, tol=1e-7, max_iter=3000,
        residual_tol=1e-4, fit_intercept=fit_intercept,
    )  # fmt: skip
    objective = Objective(data, problem.loss, result.settings)
    b = result.intercept if fit_intercept else None
    residuals = objective.residuals(result.U, result.V, b)
    assert result.converged
    assert residuals.U < 1e-3
    assert residuals.V < 1e-3
    assert result.objective == pytest.approx(objective.value(result.U, result.V, b))
    assert np.linalg.matrix_rank(result.W) >= 1
    assert (result.intercept != 0).all() == fit_intercept


def test_history_names_terms_and_inner_residuals(regression):
    result = solve_vstg(regression, solver="admm", n_latent=2, k=1)
    terms = [result.history[name] for name in ("loss", "l1", "l1_inf", "k_support")]
    np.testing.assert_allclose(sum(terms), result.history["objective"])
    inner = result.inner_history
    assert inner["outer"][-1] == result.n_iter
    last = inner["outer"] == result.n_iter
    assert inner["primal_residual"][last][-1] <= 0.01
    assert inner["dual_residual"][last][-1] <= 0.01
    assert (np.diff(inner["seconds"]) >= 0).all()
