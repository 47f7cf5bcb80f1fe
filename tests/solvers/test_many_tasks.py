"""Thousands of tasks: threads change nothing, and no start is too small."""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from vstg import MultiTaskData, solve_vstg
from vstg.datasets import make_syn
from vstg.kernels import MEMORY
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers import many_tasks, solve_problem
from vstg.solvers.descent import descend_on

PENALTIES = (0.4, 0.3, 0.05, 2)


def model_of(form, rng, n_tasks=37):
    """A quadratic model of small tasks, in one of its forms."""
    X = [rng.normal(size=(6 + j % 3, 9)) for j in range(n_tasks)]
    if form.startswith("shared"):
        X = [X[0]] * n_tasks
    y = [x[:, :3].sum(axis=1) + 0.1 * rng.normal(size=len(x)) for x in X]
    data = MultiTaskData(X, y)
    if form.endswith("observations"):
        wide = Problem.of(data, "squared", fit_intercept=True, wide=True)
        return wide.restrict(np.arange(9)).model
    return Problem.of(data, "squared", fit_intercept=True).model


def descend(run, model):
    """Twelve iterations from one start: U, V and the history."""
    rng = np.random.default_rng(1)
    U, Vt = rng.normal(size=(9, 3)), rng.normal(size=(len(model.c), 3))
    past, history = np.empty((MEMORY + 1, U.size + Vt.size)), np.empty((12, 6))
    run(U, Vt, *PENALTIES, 0.0, 12, past, 0, 0, history)
    return U, Vt, history


@pytest.mark.parametrize(
    "form", ["Gram", "shared", "observations", "shared observations"]
)
def test_the_number_of_threads_changes_nothing(form, rng, monkeypatch):
    model = model_of(form, rng)
    found = []
    for n_threads in (1, 2, 3, 8):
        monkeypatch.setattr(many_tasks, "allowed_threads", lambda n=n_threads: n)
        found.append(descend(lambda *a: many_tasks.descend_many(model, *a), model))
    for other in found[1:]:
        for one, same in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one, same)
    assert found[0][2][-1, :4].sum() < 0.9 * found[0][2][0, :4].sum()  # it did move
    once = descend(lambda *a: descend_on(model, *a), model)
    for one, compiled in zip(found[0], once, strict=True):
        np.testing.assert_allclose(one, compiled, rtol=1e-6, atol=1e-9)


def test_threads_are_those_that_blas_may_use(monkeypatch):
    with threadpool_limits(1):  # as in a search, which has threads of its own
        assert many_tasks.allowed_threads() == 1
    for blas, allowed in ((1, 1), (3, 3), (64, many_tasks.N_SPANS)):
        pools = [("openmp", 1), ("blas", blas), ("blas", 64)]
        found = [{"user_api": api, "num_threads": n} for api, n in pools]
        monkeypatch.setattr(many_tasks, "threadpool_info", lambda found=found: found)
        assert many_tasks.allowed_threads() == allowed


def test_many_tasks_are_fitted_on_spans(rng, monkeypatch):
    calls = []
    monkeypatch.setattr("vstg.solvers.descent.MANY", 20)
    monkeypatch.setattr(
        "vstg.solvers.descent.descend_many",
        lambda *a: calls.append(1) or many_tasks.descend_many(*a),
    )
    data = make_syn(1, random_state=0).train
    options = {"n_latent": 4, "k": 1, "gamma1": 0.3, "gamma2": 0.1}
    spread = solve_vstg(data, **options)
    assert calls
    monkeypatch.setattr("vstg.solvers.descent.MANY", 10**9)
    assert spread.objective == pytest.approx(solve_vstg(data, **options).objective)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_units_do_not_decide_whether_anything_is_found(loss, wide):
    """γ/s and μs² are γ and μ in other units: (sU, V/s) costs the same."""
    syn = make_syn(1, random_state=0).train
    y = [np.where(y > np.median(y), 1.0, -1.0) for y in syn.y]
    data = syn if loss == "squared" else MultiTaskData(syn.X, y)
    problem = Problem.of(data, loss, fit_intercept=True, wide=wide)
    gamma, mu = (0.3, 0.3) if loss == "squared" else (0.05, 0.05)
    found = [
        solve_units(problem, gamma / s, mu * s**2).objective for s in (1.0, 3e1, 1e3)
    ]
    nothing = problem.null[0]
    assert found[0] < 0.9 * nothing
    assert max(found) < 0.5 * (found[0] + nothing)


def solve_units(problem, gamma, mu):
    settings = Settings(n_latent=4, k=1, gamma1=gamma, gamma2=gamma, mu=mu)
    return solve_problem(problem, settings)
