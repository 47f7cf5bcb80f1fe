"""Curves of validation error: cells of a search, and fits made one by one."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from vstg.datasets import make_syn
from vstg.metrics import rmse_mean_over_tasks
from vstg.model_selection import search_grid
from vstg.model_selection.curves import (
    CURVE_PARAMETERS,
    Curve,
    ValidationPart,
    at_value,
    error_curve,
)
from vstg.model_selection.folds import TaskKFold
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers import solve_problem

SETTINGS = Settings(4, 2, 2**-3, 2**-4, 2**-3, cut=0.1, relax=0.0)
STRENGTHS = [2.0**e for e in (-8, -4, -2, 0, 3)]
VALUES = {
    "n_latent": [1, 3, 4, 6],
    "k": [1, 2, 4, 9],
    "gamma1": STRENGTHS,
    "gamma2": STRENGTHS,
    "mu": STRENGTHS,
    "cut": [0.0, 0.1, 0.3, 0.5],
}


@pytest.fixture(scope="module")
def data():
    return make_syn(1, n_train=30, n_test=1, random_state=2)


@pytest.fixture(scope="module")
def held_out(data):
    return ValidationPart.of(data)


@pytest.mark.parametrize("parameter", ["n_latent", "gamma2", "cut"])
def test_curve_is_a_column_of_a_search(data, held_out, parameter):
    curve = error_curve(held_out, SETTINGS, parameter, VALUES[parameter])
    grid = {name: [value] for name, value in asdict(SETTINGS).items()}
    values = [v for v in VALUES[parameter] if parameter != "n_latent" or v >= 2]
    cv = TaskKFold(5)
    table = search_grid(data.train, grid=grid | {parameter: values}, cv=cv).frame
    errors = table[table.fold == 0].set_index(parameter)["rmse_mean_over_tasks"]
    assert [curve.at(v) for v in values] == [errors[v] for v in values]


def single_fit_error(data, settings):
    """The error on the first fold, from its rows and a fit of its own."""
    fold = TaskKFold(5).folds(data.train)[0]
    train, test = data.train.take(fold.train), data.train.take(fold.test)
    problem = Problem.of(train, "squared", fit_intercept=False)
    fit = solve_problem(problem, settings, tol=1e-5)
    return rmse_mean_over_tasks(test.y, fit.decision(test))


# Along γ2 it is the search above: its warm starts end in other minima than cold ones.
@pytest.mark.parametrize(
    ("parameter", "tied"),
    [("gamma1", True), *((p, False) for p in CURVE_PARAMETERS if p != "gamma2")],
)
def test_curve_agrees_with_single_fits(data, held_out, parameter, tied):
    values = VALUES[parameter]
    curve = error_curve(held_out, SETTINGS, parameter, values, tied=tied, tol=1e-5)
    single = [
        single_fit_error(data, at_value(SETTINGS, parameter, value, tied=tied))
        for value in curve.values
    ]
    np.testing.assert_allclose(
        curve.errors, single, rtol=5e-2
    )  # other minima, within a few percent


def test_k_ends_at_the_number_of_bases(held_out):
    assert error_curve(held_out, SETTINGS, "k", [1, 4, 5, 13]).values == (1, 4)


def test_mu_follows_only_where_it_is_tied():
    assert at_value(SETTINGS, "gamma1", 2.0, tied=True).mu == 2.0
    assert at_value(SETTINGS, "gamma1", 2.0, tied=False).mu == SETTINGS.mu
    assert at_value(SETTINGS, "n_latent", 1, tied=True).k == 1


def test_least_is_the_nearest_of_equals():
    curve = Curve("n_latent", (1, 2, 3, 4, 5), (2.0, 1.0, 1.0, 1.0 + 1e-9, 1.5))
    assert [curve.least(now) for now in (1, 3, 4, 5)] == [2, 3, 4, 4]


def test_stopped_curve_is_none(held_out):
    answers = iter([False, False, True])
    found = error_curve(
        held_out, SETTINGS, "gamma2", STRENGTHS, stopped=lambda: next(answers)
    )
    assert found is None


def test_unknown_parameter_is_named(held_out):
    with pytest.raises(ValueError, match="parameter='relax' must be one of"):
        error_curve(held_out, SETTINGS, "relax", [0.0])


def test_validation_rows_are_used_where_there_are_some(data):
    with_rows = replace(data, validation=data.test)
    curve = error_curve(ValidationPart.of(with_rows), SETTINGS, "cut", [0.1])
    problem = Problem.of(data.train, "squared", fit_intercept=False)
    fit = solve_problem(problem, SETTINGS, tol=1e-3)
    error = rmse_mean_over_tasks(data.test.y, fit.decision(data.test))
    assert curve.errors[0] == pytest.approx(error)
