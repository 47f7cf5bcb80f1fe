"""What every baseline promises, whatever it minimises."""

import inspect

import numpy as np
import pytest

from vstg.baselines import BASELINES, BaselineResult, get_baseline
from vstg.data import MultiTaskData
from vstg.losses import get_loss
from vstg.penalties import Clusters
from vstg.problem import Problem
from vstg.statistics import Moments

STRENGTHS = {"gamma1": 0.05, "gamma2": 0.04, "n_latent": 3, "alpha": 0.5}
METHODS = list(BASELINES.values())
SETTINGS = [("squared", False), ("squared", True), ("logistic", True)]

each_method = pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
each_setting = pytest.mark.parametrize(("loss", "fit_intercept"), SETTINGS)


def strengths(method, **changes):
    """Moderate values for what the method needs."""
    return {name: {**STRENGTHS, **changes}[name] for name in method.parameters}


@pytest.fixture
def tasks(regression, classification):
    """Data by loss."""
    return {"squared": regression, "logistic": classification}


def penalty_by_hand(method, result):
    """The penalty as its formula reads."""
    f, p = result.factors, result.parameters
    if method.name == "lasso":
        return p["gamma1"] * np.abs(f["W"]).sum()
    if method.name == "l1_trace":
        sigma = np.linalg.svd(f["W"], compute_uv=False)
        return p["gamma1"] * np.abs(f["W"]).sum() + p["gamma2"] * sigma.sum()
    if method.name == "mmtfl":
        return p["gamma1"] * np.abs(f["B"]).sum() + p["gamma2"] * (f["c"] ** 2).sum()
    if method.name == "go_mtl":
        return p["gamma1"] * np.abs(f["S"]).sum() + p["gamma2"] * (f["L"] ** 2).sum()
    if method.name == "l21":
        return p["gamma1"] * np.sqrt((f["W"] ** 2).sum(axis=1)).sum()
    if method.name == "dirty":
        rows = np.abs(f["Q"]).max(axis=1).sum()
        return p["gamma1"] * np.abs(f["P"]).sum() + p["gamma2"] * rows
    if method.name == "clustered":
        return Clusters(p["gamma1"], p["gamma2"], p["n_latent"]).value(f["W"])
    if method.name == "pretrained":
        factor = np.where(f["w"] == 0, 1 / p["alpha"], 1.0)
        return p["gamma1"] * factor @ np.abs(f["B"]).sum(axis=1)
    return p["gamma1"] * (result.W**2).sum()


def coefficients_by_hand(method, factors):
    if method.name == "mmtfl":
        return np.diag(factors["c"]) @ factors["B"]
    if method.name == "go_mtl":
        return factors["L"] @ factors["S"]
    if method.name == "dirty":
        return factors["P"] + factors["Q"]
    if method.name == "pretrained":
        return 0.5 * factors["w"][:, None] + factors["B"]
    if method.name == "pooled":
        return np.tile(factors["w"][:, None], (1, factors["n_tasks"]))
    return factors["W"]


@each_method
@each_setting
def test_objective_is_the_loss_of_the_data_plus_the_penalty(
    method, loss, fit_intercept, tasks
):
    data = tasks[loss]
    result = method.solve(
        data, loss=loss, fit_intercept=fit_intercept, **strengths(method)
    )
    by_hand = sum(
        get_loss(loss).value(y, m) / len(y)
        for y, m in zip(data.y, result.decision(data), strict=True)
    )
    by_hand += penalty_by_hand(method, result)
    assert result.objective == pytest.approx(by_hand, rel=1e-10)
    assert result.history["objective"][-1] == result.objective
    W = coefficients_by_hand(method, {**result.factors, "n_tasks": data.n_tasks})
    np.testing.assert_allclose(result.W, W, atol=1e-14)


@each_method
@each_setting
def test_result_is_complete(method, loss, fit_intercept, tasks):
    data = tasks[loss]
    result = method.solve(
        data, loss=loss, fit_intercept=fit_intercept, **strengths(method)
    )
    assert isinstance(result, BaselineResult)
    assert (result.method, result.loss) == (method.name, loss)
    assert dict(result.parameters) == strengths(method)
    assert result.W.shape == (data.n_features, data.n_tasks)
    assert result.W.any()
    assert np.isfinite(result.W).all()
    assert result.converged
    assert result.stop_reason == "tolerance"
    assert result.intercept.shape == (data.n_tasks,)
    assert result.intercept.any() == fit_intercept
    for values in result.history.values():
        assert len(values) == result.n_iter
        assert np.isfinite(values).all()


@each_method
@each_setting
def test_objective_never_rises(method, loss, fit_intercept, tasks):
    seen = []
    result = method.solve(
        tasks[loss], loss=loss, fit_intercept=fit_intercept, tol=0.0, max_iter=60,
        callback=lambda progress: seen.append(progress.objective),
        **strengths(method),
    )  # fmt: skip
    assert (np.diff(result.history["objective"]) <= 1e-12 * result.objective).all()
    assert result.converged == (result.history["residual"][-1] <= 0.0)
    if method.name != "l1_trace":  # which keeps the best point of a splitting
        assert (np.diff(seen) <= 1e-12 * result.objective).all()


@each_method
@each_setting
def test_a_problem_gives_what_its_data_give(method, loss, fit_intercept, tasks):
    data = tasks[loss]
    options = {"loss": loss, "fit_intercept": fit_intercept}
    problem = Problem.of(data, loss, fit_intercept=fit_intercept)
    one = method.solve(data, **options, **strengths(method))
    two = method.solve(problem, **strengths(method))
    np.testing.assert_array_equal(one.W, two.W)
    np.testing.assert_array_equal(one.intercept, two.intercept)


@each_method
def test_statistics_suffice_for_the_squared_loss(method, regression):
    moments = Moments.of(regression, fit_intercept=True)
    one = method.solve(Problem.of_moments(moments), **strengths(method))
    two = method.solve(regression, fit_intercept=True, **strengths(method))
    np.testing.assert_allclose(one.W, two.W, atol=1e-12)
    np.testing.assert_allclose(one.intercept, two.intercept, atol=1e-12)


@each_method
@each_setting
def test_warm_start_from_the_result_stays(method, loss, fit_intercept, tasks):
    options = {"loss": loss, "fit_intercept": fit_intercept, **strengths(method)}
    cold = method.solve(tasks[loss], **options)
    factors = {name: array.copy() for name, array in cold.factors.items()}
    warm = method.solve(tasks[loss], init=cold, **options)
    assert warm.n_iter <= cold.n_iter
    assert warm.objective == pytest.approx(cold.objective, rel=2e-5)
    for name, array in factors.items():
        np.testing.assert_array_equal(cold.factors[name], array)


@pytest.mark.parametrize(
    "method", [m for m in METHODS if m.is_convex], ids=lambda m: m.name
)
@each_setting
def test_start_does_not_matter_for_convex_methods(method, loss, fit_intercept, tasks):
    options = {"loss": loss, "fit_intercept": fit_intercept, "tol": 1e-9}
    other = method.solve(
        tasks[loss], **options, **strengths(method, gamma1=0.3, gamma2=0.001)
    )
    cold = method.solve(tasks[loss], **options, **strengths(method))
    warm = method.solve(tasks[loss], init=other, **options, **strengths(method))
    assert np.abs(other.W - cold.W).max() > 1e-2
    np.testing.assert_allclose(warm.W, cold.W, atol=2e-4)


@each_method
@each_setting
def test_order_of_tasks_does_not_matter(method, loss, fit_intercept, tasks):
    data = tasks[loss]
    order = np.arange(data.n_tasks)[::-1]
    turned = MultiTaskData([data.X[j] for j in order], [data.y[j] for j in order])
    options = {"loss": loss, "fit_intercept": fit_intercept, "tol": 1e-9}
    one = method.solve(data, **options, **strengths(method))
    two = method.solve(turned, **options, **strengths(method))
    assert two.objective == pytest.approx(one.objective, rel=1e-7)
    np.testing.assert_allclose(two.W, one.W[:, order], atol=2e-4)


@each_method
@each_setting
def test_one_task_and_a_zero_column(method, loss, fit_intercept, tasks):
    data = tasks[loss]
    X = np.column_stack([data.X[0], np.zeros(len(data.X[0]))])
    one = MultiTaskData([X], [data.y[0]])
    result = method.solve(
        one, loss=loss, fit_intercept=fit_intercept, **strengths(method)
    )
    assert result.converged
    assert result.W[-1, 0] == 0.0
    assert result.W[:-1].any()


@each_method
@each_setting
def test_strong_penalty_leaves_nothing_or_next_to_nothing(
    method, loss, fit_intercept, tasks
):
    options = {"loss": loss, "fit_intercept": fit_intercept}
    result = method.solve(
        tasks[loss], **options, **strengths(method, gamma1=1e4, gamma2=1e4)
    )
    assert np.abs(result.W).max() < 1e-2
    assert result.converged
    if method.name not in ("ridge", "pooled", "clustered"):  # smooth at zero
        assert not result.W.any()


@each_method
def test_without_any_penalty_the_squared_loss_is_least(method, regression):
    zero = strengths(method, gamma1=0.0, gamma2=0.0, n_latent=5)
    result = method.solve(regression, tol=1e-8, max_iter=5000, **zero)
    if method.name == "pooled":
        rows = [X / np.sqrt(len(X)) for X in regression.X]
        target = [y / np.sqrt(len(y)) for y in regression.y]
        best = np.linalg.lstsq(np.vstack(rows), np.concatenate(target), rcond=None)[0]
        best = np.tile(best[:, None], (1, regression.n_tasks))
    else:
        pairs = zip(regression.X, regression.y, strict=True)
        best = np.stack([np.linalg.lstsq(X, y, rcond=None)[0] for X, y in pairs], 1)
    np.testing.assert_allclose(result.W, best, atol=1e-5)


@each_method
def test_callback_stops(method, classification):
    result = method.solve(
        classification, loss="logistic", callback=lambda progress: True, tol=0.0,
        **strengths(method),
    )  # fmt: skip
    assert (result.n_iter, result.stop_reason) == (1, "callback")
    assert not result.converged


@each_method
@pytest.mark.parametrize("value", [-0.1, np.nan, np.inf])
def test_strengths_out_of_range_are_refused(method, value, regression):
    with pytest.raises(ValueError, match=r"gamma1=.* must be a finite number"):
        method.solve(regression, **strengths(method, gamma1=value))


@each_method
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"gamma1": "big"}, TypeError, "gamma1='big' must be a number"),
        ({"loss": "hinge"}, ValueError, "loss='hinge' is unknown; choose one of"),
        ({"tol": -1.0}, ValueError, "tol=-1.0 must be a number, at least 0"),
        ({"max_iter": 0}, ValueError, "max_iter=0 must be a whole number"),
        ({"init": {"Q": 1}}, ValueError, r"init has \['Q'\], but this method starts"),
        ({"init": 3}, ValueError, "init has int, but this method starts from"),
    ],
)
def test_bad_arguments_are_refused_with_a_sentence(
    method, options, error, message, regression
):
    with pytest.raises(error, match=message):
        method.solve(regression, **{**strengths(method), **options})


@each_method
def test_start_of_another_size_is_refused(method, regression, classification):
    result = method.solve(classification, loss="logistic", **strengths(method))
    with pytest.raises(ValueError, match=r"of shape .* this problem needs"):
        method.solve(regression, init=result, **strengths(method))


@each_method
def test_start_that_is_not_finite_is_refused(method, regression):
    result = method.solve(regression, **strengths(method))
    name = next(iter(result.factors))
    broken = {**result.factors, name: np.full_like(result.factors[name], np.nan)}
    with pytest.raises(ValueError, match=f"values in {name} that are not finite"):
        method.solve(regression, init=broken, **strengths(method))


@each_method
def test_registry_knows_what_solve_needs(method):
    parameters = inspect.signature(method.solve).parameters
    needed = {n for n, p in parameters.items() if p.default is p.empty} - {"data"}
    assert needed == set(method.parameters)
    assert get_baseline(method.name) is method


def test_unknown_baseline_is_refused():
    with pytest.raises(ValueError, match="baseline 'lars' is unknown; choose one of"):
        get_baseline("lars")
