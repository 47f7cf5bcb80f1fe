import numpy as np
import pytest
from scipy.optimize import check_grad

from vstg.losses import LogisticLoss, SquaredLoss, get_loss

CASES = [
    (SquaredLoss(), np.array([1.0, -2.0, 0.5, 3.0])),
    (LogisticLoss(), np.array([1.0, -1.0, -1.0, 1.0])),
]


@pytest.mark.parametrize(("loss", "y"), CASES, ids=["squared", "logistic"])
def test_derivative_is_that_of_the_value(loss, y, rng):
    at = rng.normal(size=4)
    error = check_grad(lambda m: loss.value(y, m), lambda m: loss.derivative(y, m), at)
    assert error < 1e-6


@pytest.mark.parametrize(("loss", "y"), CASES, ids=["squared", "logistic"])
def test_quadratic_model_lies_above_and_touches(loss, y, rng):
    at = rng.normal(size=4)
    for scale in (0.01, 1.0, 30.0):
        move = scale * rng.normal(size=4)
        model = loss.value(y, at) + loss.derivative(y, at) @ move
        model += 0.5 * loss.curvature * move @ move
        assert model >= loss.value(y, at + move) - 1e-9
    half_curvature = 0.49 * loss.curvature
    zero, move = np.zeros(4), np.full(4, 1e-2)
    too_flat = loss.value(y, zero) + loss.derivative(y, zero) @ move
    assert too_flat + half_curvature * move @ move < loss.value(y, move)


@pytest.mark.parametrize(("loss", "y"), CASES, ids=["squared", "logistic"])
def test_best_constant_has_no_slope(loss, y):
    constant = loss.best_constant(y)
    assert loss.derivative(y, np.full(4, constant)).sum() == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("size", [1.0, 1e2, 1e4])
def test_logistic_loss_is_stable_for_large_margins(size):
    y, margin = np.array([1.0, 1.0]), np.array([size, -size])
    loss = LogisticLoss()
    expected = np.log1p(np.exp(-size)) + size + np.log1p(np.exp(-size))
    assert loss.value(y, margin) == pytest.approx(expected, rel=1e-14)
    slope = loss.derivative(y, margin)
    assert slope[0] == pytest.approx(-np.exp(-size) / (1 + np.exp(-size)), rel=1e-12)
    assert slope[1] == pytest.approx(-1 / (1 + np.exp(-size)))


def test_unknown_loss_is_refused_with_the_choices():
    with pytest.raises(ValueError, match=r"'hinge' is unknown.*logistic.*squared"):
        get_loss("hinge")
