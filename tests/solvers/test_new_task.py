"""A task that was not in the fit, on the bases of those that were."""

import numpy as np
import pytest
from oracles import best_V
from scipy.sparse import csr_array

from vstg.data import DataError, MultiTaskData
from vstg.datasets import make_syn
from vstg.losses import get_loss
from vstg.penalties import SquaredKSupport
from vstg.solvers import fit_task, solve_vstg

SETTING = {"n_latent": 4, "k": 2, "gamma1": 0.1, "gamma2": 0.05}


def labelled(data):
    return MultiTaskData(data.X, [np.where(y > 0, 1.0, -1.0) for y in data.y])


def fitted(loss, **options):
    train = make_syn(1, random_state=0, n_features=10, n_tasks=6, n_train=30).train
    if loss == "logistic":
        train = labelled(train)
    if loss == "poisson":
        counts = [np.floor(np.exp(0.5 * y / y.std())) for y in train.y]
        train = MultiTaskData(train.X, counts)
    known = train.subset(tasks=list(range(5)))
    result = solve_vstg(known, loss=loss, **(SETTING | options))
    return result, train.X[5], train.y[5]


@pytest.mark.parametrize("loss", ["squared", "logistic"])
@pytest.mark.parametrize("n", [2, 7, 30])
def test_it_is_the_v_step_of_the_paper(loss, n):
    result, X, y = fitted(loss)
    if len(set(y[:n])) == 1:
        y = np.where(np.arange(len(y)) % 2 == 0, 1.0, -1.0)
    one = MultiTaskData([X[:n]], [y[:n]])
    best, value = best_V(one, loss, result.settings, result.U, np.zeros(1))
    found = fit_task(result, X[:n], y[:n])
    assert found.converged
    assert found.intercept == 0
    assert found.objective == pytest.approx(value, abs=1e-8)
    np.testing.assert_allclose(found.v, best[:, 0], atol=1e-3)
    np.testing.assert_allclose(found.w, result.U @ found.v)


@pytest.mark.parametrize("loss", ["squared", "logistic", "huber", "poisson"])
def test_with_an_intercept_no_gradient_is_left(loss):
    result, X, y = fitted(loss, fit_intercept=True)
    y = y + (0.0 if loss == "logistic" else 3.0)
    found = fit_task(result, X, y)
    assert found.converged
    Z, kind = X @ result.U, get_loss(loss)
    slope = kind.derivative(y, Z @ found.v + found.intercept) / len(y)
    assert abs(slope.sum()) < 1e-7
    # v is a fixed point of prox(v − step ∇), whatever the step.
    penalty = SquaredKSupport(result.settings.mu, result.settings.k)
    for step in (0.01, 1.0):
        moved = penalty.prox((found.v - step * Z.T @ slope)[:, None], step)[:, 0]
        np.testing.assert_allclose(moved, found.v, atol=1e-6)


def test_a_known_task_comes_back_as_it_was():
    train = make_syn(1, random_state=0, n_features=10, n_tasks=6, n_train=30).train
    result = solve_vstg(train, fit_intercept=True, tol=1e-10, **SETTING)
    for j in range(6):
        found = fit_task(result, train.X[j], train.y[j])
        np.testing.assert_allclose(found.v, result.V[:, j], atol=1e-6)
        assert found.intercept == pytest.approx(result.intercept[j], abs=1e-6)


def test_sparse_rows_and_more_or_less_penalty():
    result, X, y = fitted("squared")
    dense = fit_task(result, X, y)
    np.testing.assert_allclose(fit_task(result, csr_array(X), y).v, dense.v, atol=1e-9)
    assert abs(fit_task(result, X, y, mu=1e6).v).max() < 1e-4
    assert fit_task(result, X, y, mu=0.0).objective < dense.objective


def test_bases_that_are_all_zero_leave_the_constant():
    result, X, y = fitted("squared", gamma1=50.0, fit_intercept=True)
    assert not result.U.any()
    found = fit_task(result, X, y)
    assert not found.v.any()
    assert found.intercept == pytest.approx(y.mean())


def test_what_cannot_be_fitted_is_explained():
    result, X, y = fitted("logistic")
    with pytest.raises(DataError, match="only the label"):
        fit_task(result, X, np.ones(len(y)))
    with pytest.raises(DataError, match="is nan"):
        fit_task(result, X, np.where(np.arange(len(y)) == 1, np.nan, y))
    with pytest.raises(ValueError, match="mu=-1"):
        fit_task(result, X, y, mu=-1)
