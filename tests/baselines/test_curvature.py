"""Quadratic models of a loss: the bound bounds, the local one follows."""

import numpy as np
import pytest

from vstg.baselines import solve_lasso
from vstg.baselines.curvature import local_curvature, second_derivative, upper_curvature
from vstg.losses import LogisticLoss
from vstg.problem import Problem


def model_value(curvature, slope_W, slope_b, d_W, d_b):
    """First and second order of the model, task by task from its definition."""
    total = float((slope_W * d_W).sum() + slope_b @ d_b)
    for j, (G, x_mean, h) in enumerate(
        zip(curvature.G, curvature.x_mean, curvature.h, strict=True)
    ):
        d = d_W[:, j]
        total += 0.5 * d @ G @ d + 0.5 * h * (d_b[j] + x_mean @ d) ** 2
    return total


@pytest.fixture
def problem(classification):
    return Problem.of(classification, "logistic", fit_intercept=True)


@pytest.fixture
def point(problem, rng):
    shape = (problem.n_features, problem.n_tasks)
    return rng.normal(size=shape), rng.normal(size=problem.n_tasks)


@pytest.mark.parametrize("size", [1e-2, 1.0, 10.0])
def test_upper_model_lies_above_the_loss(problem, point, size, rng):
    W, b = point
    value, slope_W, slope_b = problem.evaluate(W, b)
    for _ in range(20):
        d_W, d_b = size * rng.normal(size=W.shape), size * rng.normal(size=b.shape)
        bound = model_value(upper_curvature(problem), slope_W, slope_b, d_W, d_b)
        assert problem.evaluate(W + d_W, b + d_b)[0] <= value + bound + 1e-12


def test_local_model_has_the_second_order_of_the_loss(problem, point, rng):
    W, b = point
    value, slope_W, slope_b = problem.evaluate(W, b)
    curvature = local_curvature(problem, W, b, least=0.0)
    d_W, d_b = 1e-2 * rng.normal(size=W.shape), 1e-2 * rng.normal(size=b.shape)
    change = problem.evaluate(W + d_W, b + d_b)[0] - value
    first = float((slope_W * d_W).sum() + slope_b @ d_b)
    model = model_value(curvature, slope_W, slope_b, d_W, d_b)
    assert abs(change - model) < 0.05 * abs(change - first)


def test_full_caution_gives_the_upper_model(problem, point):
    cautious, upper = local_curvature(problem, *point, 1.0), upper_curvature(problem)
    np.testing.assert_allclose(cautious.G, upper.G, atol=1e-12)
    np.testing.assert_allclose(cautious.x_mean, upper.x_mean, atol=1e-12)
    np.testing.assert_allclose(cautious.h, upper.h, atol=1e-12)


def test_second_derivative_of_the_logistic_loss(rng):
    y, m = np.array([-1.0, 1.0, 1.0]), np.array([0.3, -2.0, 4.0])
    p = 1 / (1 + np.exp(-m))
    np.testing.assert_allclose(
        second_derivative(LogisticLoss(), y, m), p * (1 - p), atol=1e-6
    )


def test_weakly_penalised_logistic_fit_converges_in_few_steps(problem):
    result = solve_lasso(problem, gamma1=1e-4, tol=1e-8)
    assert result.converged
    assert result.n_iter < 60
