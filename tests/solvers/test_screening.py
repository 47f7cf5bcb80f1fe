import numpy as np
import pytest

from vstg.datasets import make_syn
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers import solve_problem
from vstg.solvers.screening import zero_is_optimal


def settings(strength, **change):
    values = {"n_latent": 3, "k": 2, "gamma1": strength, "gamma2": strength}
    return Settings.checked(**(values | change))


@pytest.mark.parametrize(
    ("name", "loss"), [("regression", "squared"), ("classification", "logistic")]
)
def test_no_start_beats_zero_where_the_bound_says_so(name, loss, request):
    data = request.getfixturevalue(name)
    problem = Problem.of(data, loss, fit_intercept=False)
    strengths = 2.0 ** np.arange(-6, 8)
    proven = [zero_is_optimal(problem, settings(s)) for s in strengths]
    assert any(proven)
    assert not all(proven)
    assert proven == sorted(proven)  # once zero, zero for every larger strength
    weakest = settings(strengths[proven.index(True)])
    result = solve_problem(problem, weakest, n_init=20)
    assert not result.W.any()


def test_the_bound_is_not_too_far_from_the_truth():
    """Within a factor of 16 of the strength at which fits become zero."""
    problem = Problem.of(
        make_syn(1, random_state=0).train, "squared", fit_intercept=False
    )
    strengths = 2.0 ** np.arange(-4, 10)
    proven = [zero_is_optimal(problem, settings(s, n_latent=5)) for s in strengths]
    is_zero = [
        not solve_problem(problem, settings(s, n_latent=5)).W.any() for s in strengths
    ]
    assert 0 <= proven.index(True) - is_zero.index(True) <= 4


def test_nothing_is_claimed_without_penalties(regression):
    problem = Problem.of(regression, "squared", fit_intercept=False)
    free = Settings.checked(n_latent=2, k=1, gamma1=0.0, gamma2=0.0, mu=0.0)
    assert not zero_is_optimal(problem, free)
