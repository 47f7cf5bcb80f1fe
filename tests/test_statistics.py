import numpy as np
import pytest

from vstg.data import MultiTaskData
from vstg.losses import get_loss
from vstg.problem import Problem
from vstg.statistics import Moments


def halves(data):
    """Even and odd rows of every task."""
    even = [np.arange(0, n, 2) for n in data.n_samples]
    odd = [np.arange(1, n, 2) for n in data.n_samples]
    return data.take(even), data.take(odd)


@pytest.mark.parametrize("fit_intercept", [False, True])
def test_subtracting_a_part_leaves_the_rest(regression, fit_intercept):
    part, rest = halves(regression)
    whole = Moments.of(regression, fit_intercept=fit_intercept)
    by_subtraction = whole - Moments.of(part, fit_intercept=fit_intercept, origin=whole)
    directly = Moments.of(rest, fit_intercept=fit_intercept)
    found, expected = by_subtraction.quadratic(), directly.quadratic()
    np.testing.assert_allclose(found.G, expected.G, atol=1e-12)
    np.testing.assert_allclose(found.c, expected.c, atol=1e-12)
    np.testing.assert_allclose(found.x_mean, expected.x_mean, atol=1e-12)
    assert found.constant == pytest.approx(expected.constant)


def test_subtraction_survives_means_far_from_zero(regression):
    far = MultiTaskData(
        [X + 1e6 for X in regression.X], [y - 1e6 for y in regression.y]
    )
    part, rest = halves(far)
    whole = Moments.of(far, fit_intercept=True)
    found = (whole - Moments.of(part, fit_intercept=True, origin=whole)).quadratic()
    expected = Moments.of(halves(regression)[1], fit_intercept=True).quadratic()
    np.testing.assert_allclose(found.G, expected.G, rtol=1e-7)
    assert rest.n_rows > 0


@pytest.mark.parametrize("fit_intercept", [False, True])
def test_shared_design_gives_the_same_statistics(rng, fit_intercept):
    X, Y = rng.normal(size=(12, 3)) + 1, rng.normal(size=(12, 4))
    shared = MultiTaskData.from_multioutput(X, Y)
    apart = MultiTaskData([X.copy() for _ in range(4)], list(Y.T))
    assert shared.shared_X
    assert not apart.shared_X
    once = Moments.of(shared, fit_intercept=fit_intercept).quadratic()
    each = Moments.of(apart, fit_intercept=fit_intercept).quadratic()
    assert once.G.shape == (1, 3, 3)  # kept once
    np.testing.assert_allclose(once.each, each.G)
    np.testing.assert_allclose(once.c, each.c, atol=1e-14)
    assert once.constant == pytest.approx(each.constant)


def test_squared_loss_with_intercept_is_the_loss_at_the_best_intercept(regression, rng):
    problem = Problem.of(regression, "squared", fit_intercept=True)
    W = rng.normal(size=(5, 4))
    b = problem.model.intercept(W)
    value, slope, _ = problem.evaluate(W, b)
    loss = get_loss("squared")
    pairs = zip(regression.X, regression.y, W.T, b, strict=True)
    residuals = [(X @ w + bj - y, X, y) for X, y, w, bj in pairs]
    expected = sum(loss.value(0 * r, r) / len(r) for r, _, _ in residuals)
    assert value == pytest.approx(expected)
    assert [r.sum() for r, _, _ in residuals] == pytest.approx([0] * 4, abs=1e-9)
    np.testing.assert_allclose(
        slope, np.column_stack([X.T @ r / len(r) for r, X, _ in residuals])
    )


def test_logistic_gradient_agrees_between_shared_and_separate_designs(rng):
    X, labels = rng.normal(size=(20, 3)), rng.integers(3, size=20)
    shared = MultiTaskData.one_vs_rest(X, labels)
    apart = MultiTaskData([X.copy() for _ in range(3)], shared.y)
    W, b = rng.normal(size=(3, 3)), rng.normal(size=3)
    once = Problem.of(shared, "logistic", fit_intercept=True).evaluate(W, b)
    each = Problem.of(apart, "logistic", fit_intercept=True).evaluate(W, b)
    assert once[0] == pytest.approx(each[0])
    np.testing.assert_allclose(once[1], each[1])
    np.testing.assert_allclose(once[2], each[2])
