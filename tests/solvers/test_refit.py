"""Cut and refit: certificates on the support, independent solvers, limits."""

from dataclasses import replace

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.sparse import csr_array

from tests.oracles import losses_cvxpy
from vstg import MultiTaskData, solve_vstg
from vstg.datasets import make_syn
from vstg.losses import get_loss
from vstg.objective import Objective, Settings
from vstg.problem import Problem
from vstg.solvers import cut_factors, solve_problem
from vstg.solvers.refit import refit

SETTINGS = Settings(n_latent=3, k=2, gamma1=0.05, gamma2=0.05, mu=0.05, relax=0.0)
TIGHT = {"tol": 1e-9, "max_iter": 20_000}


def grouped_tasks(seed=0, D=8, T=6, n=40, loss="squared", shift=0.0, shared=False):
    """Tasks of two groups with variables of their own, and noise."""
    rng = np.random.default_rng(seed)
    U, V = np.zeros((D, 2)), np.zeros((2, T))
    U[:3, 0], U[2:6, 1] = 1.0, -1.0
    V[0, : T // 2 + 1], V[1, T // 2 :] = 1.5, 1.0
    X = [rng.normal(size=(n + (0 if shared else j), D)) + shift for j in range(T)]
    X = [X[0]] * T if shared else X
    pairs = zip(X, (U @ V).T, strict=True)
    y = [x @ w + rng.normal(size=len(x)) + shift for x, w in pairs]
    if loss == "logistic":
        y = [np.where(t - shift + rng.normal(size=len(t)) > 0, 1.0, -1.0) for t in y]
    return MultiTaskData(X, y)


def a_support(data, K=3, seed=1):
    """A point whose zeros are scattered; every basis is used."""
    rng = np.random.default_rng(seed)
    D, T = data.n_features, data.n_tasks
    U = rng.normal(size=(D, K)) * (rng.random((D, K)) < 0.6)
    V = rng.normal(size=(K, T)) * (rng.random((K, T)) < 0.6)
    U[0], V[:, 0] = 1.0, 1.0
    return U, V


def gradients(data, loss, run):
    """Slopes of the loss on the support of U and V and in b, from the data."""
    slope, slope_b = Objective(data, get_loss(loss), SETTINGS).gradient_W(
        run.U, run.V, run.intercept
    )
    return (slope @ run.V.T)[run.U != 0], (run.U.T @ slope)[run.V != 0], slope_b


FORMS = ("gram", "shared", "wide", "rows", "sparse")


def problem_in(form, loss, fit_intercept):
    """A problem and its data in each form that the refit knows."""
    shift = 0.7 if fit_intercept else 0.0
    n = 150 if loss == "logistic" else 40
    data = grouped_tasks(loss=loss, shift=shift, shared=form == "shared", n=n)
    if form == "sparse":
        rng = np.random.default_rng(3)
        X = [x * (rng.random(x.shape) < 0.7) for x in data.X]
        data = MultiTaskData([csr_array(x) for x in X], data.y)
    if form == "rows":  # more variables on the support than observations of a task
        data = grouped_tasks(D=60, n=45, loss=loss, shift=shift)
    wide = form in ("wide", "rows")
    return data, Problem.of(data, loss, fit_intercept=fit_intercept, wide=wide)


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_the_loss_is_stationary_on_the_support(loss, form, fit_intercept):
    if loss == "logistic" and form == "rows":
        pytest.skip("so many entries separate the labels")
    data, problem = problem_in(form, loss, fit_intercept)
    U, V = a_support(data)
    run = refit(problem, SETTINGS, U, V, **TIGHT)
    assert run.stop_reason == "tolerance"
    assert not run.U[U == 0].any()
    assert not run.V[V == 0].any()
    slopes_U, slopes_V, slope_b = gradients(data, loss, run)
    assert slopes_U.size > 5
    assert np.abs(slopes_U).max() < 1e-6
    assert np.abs(slopes_V).max() < 1e-6
    if fit_intercept:
        assert np.abs(slope_b).max() < 1e-7
    value = Objective(data, get_loss(loss), SETTINGS).data_loss(
        run.U, run.V, run.intercept
    )
    assert run.objective == pytest.approx(value, rel=1e-9)


def test_a_point_that_is_not_refitted_is_not_stationary():
    data, problem = problem_in("gram", "squared", False)
    once = refit(problem, SETTINGS, *a_support(data), max_iter=1)
    assert np.abs(gradients(data, "squared", once)[0]).max() > 1e-4


def block_optimum(data, loss, kept, U, V, b, block):
    """The least objective over one factor on its support, by an interior point."""
    free = (U if block == "U" else V) != 0
    moving = cp.Variable(free.shape)
    left, right = (moving, V) if block == "U" else (U, moving)
    margins = [(X @ left) @ right[:, j] + b[j] for j, X in enumerate(data.X)]
    value = losses_cvxpy(data, loss, margins)
    limits = [cp.multiply(1.0 - free, moving) == 0]
    rest = 0.0
    if block == "U":
        value += kept.gamma1 * cp.sum(cp.abs(moving))
        value += kept.gamma2 * cp.sum(cp.max(cp.abs(moving), axis=1))
        rest = Objective(data, get_loss(loss), kept).penalty_V.value(V)
    else:
        theta = cp.Variable(free.shape)
        pairs = np.ndindex(*free.shape)
        terms = [cp.quad_over_lin(moving[at], theta[at]) for at in pairs]
        value += kept.mu * cp.sum(terms)
        limits += [theta >= 0, theta <= 1, cp.sum(theta, axis=0) <= kept.k]
        rest = Objective(data, get_loss(loss), kept).penalty_U.value(U)
    problem = cp.Problem(cp.Minimize(value), limits)
    problem.solve(solver=cp.CLARABEL)
    return problem.value + rest


@pytest.mark.parametrize("relax", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_no_block_can_be_lowered_by_another_solver(loss, relax):
    data = grouped_tasks(D=5, T=4, loss=loss, n=50)
    chosen = replace(SETTINGS, relax=relax)
    share = replace(chosen, gamma1=0.05 * relax, gamma2=0.05 * relax, mu=0.05 * relax)
    problem = Problem.of(data, loss, fit_intercept=False)
    run = refit(problem, chosen, *a_support(data), **TIGHT)
    reached = Objective(data, get_loss(loss), share).value(run.U, run.V)
    assert run.objective == pytest.approx(reached, rel=1e-9)
    for block in "UV":
        least = block_optimum(data, loss, share, run.U, run.V, run.intercept, block)
        assert reached <= least + 1e-6


def test_a_general_minimiser_from_the_same_point_ends_no_lower():
    data, problem = problem_in("gram", "squared", False)
    U, V = a_support(data)
    free_U, free_V = U != 0, V != 0
    objective = Objective(data, get_loss("squared"), SETTINGS)

    def unpack(x):
        A, B = np.zeros_like(U), np.zeros_like(V)
        A[free_U], B[free_V] = np.split(x, [free_U.sum()])
        return A, B

    def value(x):
        A, B = unpack(x)
        slope, _ = objective.gradient_W(A, B)
        flat = np.concatenate([(slope @ B.T)[free_U], (A.T @ slope)[free_V]])
        return objective.data_loss(A, B), flat

    start = np.concatenate([U[free_U], V[free_V]])
    other = minimize(value, start, jac=True, options={"gtol": 1e-9, "maxiter": 5000})
    run = refit(problem, SETTINGS, U, V, **TIGHT)
    assert run.objective == pytest.approx(other.fun, rel=1e-6)


@pytest.mark.parametrize("relax", [0.0, 0.3])
@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_the_objective_never_rises_from_the_point_of_the_cut(loss, relax):
    data = grouped_tasks(loss=loss)
    chosen = replace(SETTINGS, relax=relax)
    share = replace(chosen, gamma1=0.05 * relax, gamma2=0.05 * relax, mu=0.05 * relax)
    U, V = a_support(data)
    problem = Problem.of(data, loss, fit_intercept=False)
    run = refit(problem, chosen, U, V, **TIGHT)
    values = run.history["objective"]
    assert values[0] <= Objective(data, get_loss(loss), share).value(U, V)
    assert (np.diff(values) <= 1e-12 * values[0]).all()


def test_a_full_support_without_penalties_is_least_squares_of_each_task():
    data = grouped_tasks(D=4, T=3, n=30, shift=0.5)
    chosen = Settings(3, 1, 0.1, 0.1, 0.1, relax=0.0)
    rng = np.random.default_rng(0)
    start = rng.normal(size=(4, 3)), rng.normal(size=(3, 3))
    problem = Problem.of(data, "squared", fit_intercept=True)
    run = refit(problem, chosen, *start, **TIGHT)
    for j, (X, y) in enumerate(zip(data.X, data.y, strict=True)):
        exact = np.linalg.lstsq(np.column_stack([X, np.ones(len(X))]), y)[0]
        np.testing.assert_allclose((run.U @ run.V)[:, j], exact[:-1], atol=1e-6)
        assert run.intercept[j] == pytest.approx(exact[-1], abs=1e-6)


def test_without_cut_and_with_all_penalties_the_fit_is_as_it_was():
    data = make_syn(1, random_state=0).train
    setting = {"n_latent": 5, "k": 2, "gamma1": 2**-4, "gamma2": 2**-4}
    plain = solve_vstg(data, **setting)
    same = solve_vstg(data, cut=0.0, relax=1.0, **setting)
    np.testing.assert_array_equal(plain.U, same.U)
    np.testing.assert_array_equal(plain.V, same.V)
    assert not same.refit_history
    # A full refit at the fit's own penalties finds nothing to do.
    settings = Settings.checked(**setting)
    problem = Problem.of(data, "squared", fit_intercept=False)
    fit = solve_problem(problem, settings, tol=1e-7)
    again = refit(problem, settings, fit.U, fit.V, tol=1e-7)
    assert again.objective == pytest.approx(fit.objective, rel=1e-8)


def test_the_result_says_what_was_done():
    data = make_syn(1, random_state=20).train
    setting = {"n_latent": 5, "k": 1, "gamma1": 2**-3, "gamma2": 2**-4}
    plain = solve_vstg(data, **setting)
    found = solve_vstg(data, **setting, cut=0.2, relax=0.0, n_init=2)
    assert found.settings.is_refitted
    assert found.converged
    assert len(found.restart_objectives) == 2
    objective = Objective(data, get_loss("squared"), found.settings)
    assert found.objective == pytest.approx(objective.value(found.U, found.V))
    last = found.refit_history["loss"][-1]
    assert last == pytest.approx(objective.data_loss(found.U, found.V))
    fitted = cut_factors(plain.U, plain.V, 0.2)
    assert last < objective.data_loss(*fitted)
    assert plain.objective < found.objective
    assert (plain.U != 0).sum() > (found.U != 0).sum()
    # The answer of the synthetic truth: 20 variables, a basis for each of 20 tasks.
    np.testing.assert_array_equal(found.U.any(axis=1), np.arange(25) < 20)
    assert ((found.V != 0).sum(axis=0) == 1).all()


def test_each_basis_keeps_its_share_of_the_length():
    data, problem = problem_in("gram", "squared", False)
    U, V = a_support(data)
    run = refit(problem, SETTINGS, U, V)
    ratio = np.linalg.norm(U, axis=0) / np.linalg.norm(V, axis=1)
    kept = np.linalg.norm(run.U, axis=0) / np.linalg.norm(run.V, axis=1)
    np.testing.assert_allclose(kept, ratio)


def test_labels_that_a_task_separates_keep_some_penalty():
    rng = np.random.default_rng(0)
    X = [rng.normal(size=(20, 3)) for _ in range(3)]
    y = [np.where(x[:, 0] > 0, 1.0, -1.0) for x in X]
    data = MultiTaskData(X, y)
    problem = Problem.of(data, "logistic", fit_intercept=False)
    U, V = a_support(data, K=2)
    chosen = Settings(2, 1, 0.05, 0.05, 0.05, relax=0.0)
    run = refit(problem, chosen, U, V)
    tenth = refit(problem, replace(chosen, relax=0.1), U, V)
    np.testing.assert_array_equal(run.U, tenth.U)
    assert run.history["l1"][-1] > 0
    assert np.abs(run.U @ run.V).max() < 100


def cut_by_loops(U, V, cut):
    """The definition, entry by entry."""
    U, V = U.copy(), V.copy()
    D, K = U.shape
    for r in range(K):
        top = max(abs(U[i, r]) for i in range(D))
        for i in range(D):
            if abs(U[i, r]) < cut * top:
                U[i, r] = 0.0
    for j in range(V.shape[1]):
        adds = [abs(V[r, j]) * np.sqrt((U[:, r] ** 2).sum()) for r in range(K)]
        for r in range(K):
            if adds[r] < cut * max(adds):
                V[r, j] = 0.0
    for r in range(K):
        if not U[:, r].any() or not V[r].any():
            U[:, r], V[r] = 0.0, 0.0
    return U, V


@st.composite
def factors(draw):
    """U and V with zeros, of any small shape."""
    D, K, T = (draw(st.integers(1, 5)) for _ in range(3))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    density = draw(st.sampled_from([0.0, 0.3, 0.7, 1.0]))
    U = rng.normal(size=(D, K)) * (rng.random((D, K)) < density)
    V = rng.normal(size=(K, T)) * (rng.random((K, T)) < density)
    return U, V


@given(factors(), st.sampled_from([0.0, 0.1, 0.5, 0.99]))
def test_the_cut_is_its_definition_and_cutting_again_changes_nothing(both, cut):
    found = cut_factors(*both, cut)
    for got, expected in zip(found, cut_by_loops(*both, cut), strict=True):
        np.testing.assert_array_equal(got, expected)
    for once, twice in zip(found, cut_factors(*found, cut), strict=True):
        np.testing.assert_array_equal(once, twice)


@settings(deadline=None, max_examples=60)
@given(
    factors(),
    st.sampled_from(["squared", "logistic"]),
    st.booleans(),
    st.sampled_from([0.0, 0.5]),
    st.integers(2, 6),
)
def test_odd_shapes_stay_on_their_support_and_never_rise(both, loss, free, relax, n):
    U, V = both
    (D, K), T = U.shape, V.shape[1]
    rng = np.random.default_rng(D + 7 * K + 31 * T)
    X = [rng.normal(size=(n, D)) for _ in range(T)]
    labels = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    y = [labels if loss == "logistic" else rng.normal(size=n) for _ in range(T)]
    data = MultiTaskData(X, y)
    problem = Problem.of(data, loss, fit_intercept=free, allow_constant=True)
    chosen = Settings(K, 1, 0.1, 0.1, 0.1, relax=relax)
    run = refit(problem, chosen, U, V, max_iter=40)
    assert np.isfinite(run.U).all()
    assert np.isfinite(run.V).all()
    assert not run.U[U == 0].any()
    assert not run.V[V == 0].any()
    values = run.history["objective"]
    assert (np.diff(values) <= 1e-9 * abs(values[0])).all()
    if not (U.any(axis=0) & V.any(axis=1)).any():
        assert not run.U.any()
        assert values[-1] == pytest.approx(problem.null[0])
