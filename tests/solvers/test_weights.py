"""Weights of rows and tasks: repeated rows, dropped rows, and eq. (6) as written."""

import numpy as np
import pytest
from oracles import best_U, best_V, objective_by_loops
from weighted import FORMS, TASK_WEIGHTS, draw, draw_weights, pair, repeated

from vstg.baselines import BASELINES
from vstg.data import MultiTaskData
from vstg.losses import LOSSES, best_constant, get_loss, weighted_sum
from vstg.objective import Objective, Settings
from vstg.problem import Problem
from vstg.solvers import fit_task, smooth, solve_vstg
from vstg.solvers.many_tasks import descend_many
from vstg.solvers.solve import solve_problem

SETTINGS = Settings.checked(n_latent=3, k=1, gamma1=0.05, gamma2=0.02)
EXACT = {"tol": 1e-10, "max_iter": 3000}


def fitted(data, loss, *, wide=None, fit_intercept=True, settings=SETTINGS):
    problem = Problem.of(data, loss, fit_intercept=fit_intercept, wide=wide)
    return solve_problem(problem, settings, **EXACT)


def same(one, other, atol=1e-8):
    assert one.converged
    assert other.converged
    assert one.objective == pytest.approx(other.objective, abs=1e-10)
    np.testing.assert_allclose(one.W, other.W, atol=atol)
    np.testing.assert_allclose(one.intercept, other.intercept, atol=atol)


@pytest.mark.parametrize("loss", sorted(LOSSES))
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("wide", [False, True])
def test_whole_weights_are_repeated_rows_and_zero_ones_are_dropped(
    rng, loss, form, wide
):
    weighted, plain = pair(rng, loss, form)
    one = fitted(weighted, loss, wide=wide)
    same(one, fitted(plain, loss, wide=wide))
    assert one.W.any()
    objective = Objective(weighted, get_loss(loss), SETTINGS)
    value = objective.value(one.U, one.V, one.intercept)
    assert one.objective == pytest.approx(value, abs=1e-12)
    if np.isfinite(objective.loss.curvature):
        assert max(objective.residuals(one.U, one.V, one.intercept)) < 1e-5


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_more_variables_than_rows(rng, loss):
    """Restricted to a working set, whose model are the observations."""
    weighted, plain = pair(rng, loss, n_rows=12, n_features=60)
    settings = Settings.checked(n_latent=2, k=1, gamma1=0.15, gamma2=0.1)
    one = fitted(weighted, loss, wide=True, settings=settings)
    same(one, fitted(plain, loss, wide=True, settings=settings))
    assert one.W.any()


@pytest.mark.parametrize("form", ["dense", "shared"])
@pytest.mark.parametrize("wide", [False, True])
def test_the_rough_model_of_large_problems(rng, monkeypatch, form, wide):
    monkeypatch.setattr(smooth, "MOST", 0)
    sizes = {"n_rows": 12, "n_features": 40} if wide else {}
    weighted, plain = pair(rng, "logistic", form, **sizes)
    results = [solve_vstg_rough(data, wide) for data in (weighted, plain)]
    assert results[0].objective == pytest.approx(results[1].objective, rel=1e-7)


def solve_vstg_rough(data, wide):
    problem = Problem.of(data, "logistic", fit_intercept=True, wide=wide)
    settings = Settings.checked(n_latent=2, k=1, gamma1=0.1, gamma2=0.05)
    return solve_problem(problem, settings, tol=1e-6, max_iter=2000)


def test_thousands_of_tasks_on_threads(rng, monkeypatch):
    from vstg.solvers import descent

    weighted, plain = pair(rng, "squared")
    before = fitted(weighted, "squared")
    monkeypatch.setattr(descent, "MANY", 0)
    calls = []

    def counted(*arguments):
        calls.append(1)
        return descend_many(*arguments)

    monkeypatch.setattr(descent, "descend_many", counted)
    same(fitted(weighted, "squared"), before)
    same(fitted(plain, "squared"), before)
    assert calls


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_cut_and_refit_and_algorithm_1(rng, loss):
    weighted, plain = pair(rng, loss)
    for options in ({"cut": 0.2, "relax": 0.0}, {"solver": "admm", "tol": 1e-9}):
        both = [
            solve_vstg(
                data, loss=loss, fit_intercept=True, n_latent=2, k=1,
                gamma1=0.05, gamma2=0.02, **{"tol": 1e-10, **options},
            )
            for data in (weighted, plain)
        ]  # fmt: skip
        np.testing.assert_allclose(both[0].W, both[1].W, atol=1e-6)
        assert both[0].objective == pytest.approx(both[1].objective, abs=1e-8)


@pytest.mark.parametrize("loss", ["squared", "logistic"])
@pytest.mark.parametrize("scale", [0.01, 30.0])
def test_only_ratios_within_a_task_matter(rng, loss, scale):
    X, y = draw(rng, loss)
    s = [1.0 + rng.random(len(one)) for one in y]
    scaled = [scale * one if j == 1 else one for j, one in enumerate(s)]
    one, other = (MultiTaskData(X, y, weights=w) for w in (s, scaled))
    same(fitted(one, loss), fitted(other, loss))


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_the_objective_is_the_sum_as_written(rng, loss):
    weighted, _ = pair(rng, loss)
    U, V = rng.normal(size=(6, 3)), rng.normal(size=(3, 4))
    b = rng.normal(size=4)
    value = Objective(weighted, get_loss(loss), SETTINGS).value(U, V, b)
    by_hand = objective_by_loops(weighted, loss, SETTINGS, U, V, b)
    assert value == pytest.approx(by_hand, rel=1e-6)
    problem = Problem.of(weighted, loss, fit_intercept=False)
    slope = problem.evaluate(U @ V, np.zeros(4))[1]
    step = 1e-6 * rng.normal(size=slope.shape)
    rise = [problem.evaluate(U @ V + t * step, np.zeros(4))[0] for t in (1, -1)]
    assert (rise[0] - rise[1]) / 2 == pytest.approx((slope * step).sum(), rel=1e-5)


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_a_weight_multiplies_the_loss_of_its_task(rng, loss):
    X, y = draw(rng, loss)
    b = rng.normal(size=4)
    U, V = rng.normal(size=(6, 3)), rng.normal(size=(3, 4))
    alone = []
    for j in range(4):
        one = MultiTaskData([X[j]], [y[j]])
        at = U, V[:, [j]], b[[j]]
        alone.append(Objective(one, get_loss(loss), SETTINGS).data_loss(*at))
    whole = MultiTaskData(X, y, task_weights=TASK_WEIGHTS)
    value = Objective(whole, get_loss(loss), SETTINGS).data_loss(U, V, b)
    assert value == pytest.approx(np.dot(TASK_WEIGHTS, alone))


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_neither_block_can_do_better_says_an_interior_point_method(rng, loss):
    weighted, _ = pair(rng, loss)
    found = fitted(weighted, loss, fit_intercept=False)
    b = np.zeros(4)
    penalty_V = Objective(weighted, get_loss(loss), SETTINGS).terms(found.U, found.V)
    of_U = best_U(weighted, loss, SETTINGS, found.V, b)[1]
    of_V = best_V(weighted, loss, SETTINGS, found.U, b)[1]
    assert of_U + penalty_V["k_support"] == pytest.approx(found.objective, rel=1e-6)
    fixed = penalty_V["l1"] + penalty_V["l1_inf"]
    assert of_V + fixed == pytest.approx(found.objective, rel=1e-6)


@pytest.mark.parametrize("method", sorted(BASELINES))
@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_methods_to_compare_with(rng, method, loss):
    weighted, plain = pair(rng, loss)
    solve = BASELINES[method].solve
    strengths = {"gamma1": 0.05, "gamma2": 0.05, "n_latent": 2, "alpha": 0.5}
    options = {name: strengths[name] for name in BASELINES[method].parameters}
    options |= {"loss": loss, "fit_intercept": True}
    one, other = (solve(data, tol=1e-9, **options) for data in (weighted, plain))
    assert one.objective == pytest.approx(other.objective, rel=1e-7)
    np.testing.assert_allclose(one.W, other.W, atol=2e-4)
    unweighted = solve(weighted.with_weights(), tol=1e-9, **options)
    assert abs(unweighted.objective - one.objective) > 1e-3


@pytest.mark.parametrize("loss", ["squared", "logistic", "poisson"])
def test_a_new_task(rng, loss):
    X, y = draw(rng, loss)
    result = solve_vstg(
        MultiTaskData(X[1:], y[1:]), loss=loss, n_latent=3, k=2, gamma1=0.02,
        gamma2=0.02, fit_intercept=True,
    )  # fmt: skip
    s = draw_weights(rng, y[:1])
    one = fit_task(result, X[0], y[0], weights=s[0])
    many = repeated(X[:1], y[:1], s)
    other = fit_task(result, many[0][0], many[1][0])
    np.testing.assert_allclose(one.v, other.v, atol=1e-7)
    assert one.objective == pytest.approx(other.objective, abs=1e-9)


class Cubed:
    """A loss of somebody else's, without values of single rows."""

    name = "cubed"
    curvature = np.inf
    is_quadratic = False
    is_classification = False

    def value(self, y, margin):
        return float((np.abs(y - margin) ** 3).sum())

    def derivative(self, y, margin):
        return 3 * (margin - y) * np.abs(margin - y)

    def best_constant(self, y):
        return float(y.mean())


@pytest.mark.parametrize("loss", [*LOSSES.values(), Cubed()], ids=lambda one: one.name)
def test_sums_and_constants_of_weighted_rows(rng, loss):
    _, y = draw(rng, loss.name)
    y, s = y[0], 0.1 + rng.random(len(y[0]))
    margin = rng.normal(size=len(y))
    alone = [loss.value(y[[n]], margin[[n]]) for n in range(len(y))]
    assert weighted_sum(loss, y, margin, s) == pytest.approx(s @ alone)
    best = best_constant(loss, y, s)
    assert abs(s @ loss.derivative(y, np.full(len(y), best))) < 1e-9
