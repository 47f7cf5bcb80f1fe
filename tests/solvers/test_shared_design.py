"""One design for all tasks is kept once, and changes no result."""

import numpy as np
import pytest

from vstg import MultiTaskData
from vstg.baselines import BASELINES
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers import solve_problem
from vstg.solvers.descent import descend_on
from vstg.statistics import RowModel

SETTINGS = Settings(n_latent=2, k=1, gamma1=0.05, gamma2=0.05, mu=0.05)
STRENGTHS = {"gamma1": 0.1, "gamma2": 0.1, "n_latent": 2, "alpha": 0.5}


def pair(rng, loss, shape=(30, 6)):
    """The same data with one design, and with a copy of it for each task."""
    X = rng.normal(size=shape) + 0.5
    Y = X[:, :3] @ rng.normal(size=(3, 4)) + 0.3 * rng.normal(size=(len(X), 4))
    if loss == "logistic":
        Y = np.where(np.median(Y, axis=0) < Y, 1.0, -1.0)
    shared = MultiTaskData.from_multioutput(X, Y)
    apart = MultiTaskData([X.copy() for _ in range(4)], list(Y.T))
    assert shared.shared_X
    assert not apart.shared_X
    return shared, apart


@pytest.fixture(params=["squared", "logistic"])
def loss(request):
    return request.param


@pytest.mark.parametrize("wide", [False, True])
def test_vstg_finds_the_same(rng, loss, wide):
    shape = (12, 40) if wide else (30, 6)
    problems = [
        Problem.of(data, loss, fit_intercept=True, wide=wide)
        for data in pair(rng, loss, shape)
    ]
    once, each = (solve_problem(problem, SETTINGS, tol=1e-6) for problem in problems)
    assert once.W.any()
    assert once.objective == pytest.approx(each.objective, rel=1e-6)
    np.testing.assert_allclose(once.W, each.W, atol=1e-3)


@pytest.mark.parametrize("name", BASELINES)
def test_baselines_find_the_same(rng, loss, name):
    baseline = BASELINES[name]
    options = {key: STRENGTHS[key] for key in baseline.parameters}
    once, each = (
        baseline.solve(Problem.of(data, loss, fit_intercept=True), **options)
        for data in pair(rng, loss)
    )
    assert once.W.any()
    assert once.objective == pytest.approx(each.objective, rel=1e-5)


@pytest.mark.parametrize("which", [0, 1])
def test_matrices_and_observations_give_the_same_steps(rng, which):
    data = pair(rng, "squared", (15, 9))[which]
    problem = Problem.of(data, "squared", fit_intercept=True, wide=False)
    model = problem.model
    rows = RowModel.of(data, model.x_mean, model.y_mean, 1.0)
    W = rng.normal(size=(9, 4))
    np.testing.assert_allclose(rows.times(W), model.times(W))
    np.testing.assert_allclose(rows.c, model.c, atol=1e-12)
    np.testing.assert_allclose(rows.ridge(0.1), model.ridge(0.1), atol=1e-8)
    assert rows.constant == pytest.approx(model.constant)
    U, Vt = rng.normal(size=(9, 2)), rng.normal(size=(4, 2))
    found = []
    for form in (model, rows):
        at = U.copy(), Vt.copy()
        history, past = np.empty((7, 6)), np.empty((6, U.size + Vt.size))
        descend_on(form, *at, 0.1, 0.1, 0.1, 1, 0.0, 7, past, 0, 0, history)
        found.append((*at, history))
    assert found[0][0].any()
    for by_matrices, by_rows in zip(*found, strict=True):
        np.testing.assert_allclose(by_rows, by_matrices, atol=1e-8)
