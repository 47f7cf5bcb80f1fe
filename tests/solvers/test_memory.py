"""No matrix larger than the data: what a fit allocates, counted."""

import tracemalloc

import numpy as np
import pytest
from scipy import sparse

from vstg import MultiTaskData, solve_vstg

STRONG = {"n_latent": 3, "k": 1, "gamma1": 2.0, "gamma2": 2.0, "mu": 0.5}


@pytest.fixture(scope="module", autouse=True)
def loaded():
    """Kernels and their libraries are no part of a fit."""
    for D in (2, 600):
        X = np.random.default_rng(0).normal(size=(9, D))
        for loss in ("squared", "logistic"):
            labels = np.where(X[:, :2] > np.median(X[:, :2], axis=0), 1.0, -1.0)
            data = MultiTaskData.from_multioutput(X, labels)
            solve_vstg(data, loss=loss, n_latent=2, k=1)
            apart = MultiTaskData([X, X + 1], list(labels.T))
            solve_vstg(apart, loss=loss, n_latent=2, k=1)


def extra(data, **options):
    """Largest memory of a fit beyond the data, in bytes."""
    tracemalloc.start()
    try:
        result = solve_vstg(data, **{**STRONG, **options})
        return result, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_wide_tasks_on_small_data_take_no_matrices(rng):
    X = [rng.normal(size=(20, 200)) for _ in range(50)]
    data = MultiTaskData(X, [x[:, :3].sum(axis=1) + rng.normal(size=20) for x in X])
    result, bytes_used = extra(data)
    assert result.W.any()
    assert bytes_used <= 2 * sum(x.nbytes for x in X)


def test_matrices_as_large_as_the_data_are_kept_once(rng):
    X = [rng.normal(size=(620, 600)) for _ in range(4)]
    data = MultiTaskData(X, [x[:, :3].sum(axis=1) + rng.normal(size=620) for x in X])
    result, bytes_used = extra(data, gamma1=0.1, gamma2=0.1)
    assert result.form.startswith("Gram")
    assert result.W.any()
    assert bytes_used <= 2 * sum(x.nbytes for x in X)


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_many_outputs_of_a_wide_design_take_no_table_of_all(rng, loss, fit_intercept):
    D, T = 20_000, 400
    X = rng.normal(size=(30, D))
    Y = X[:, :5] @ rng.normal(size=(5, T)) + rng.normal(size=(30, T))
    if loss == "logistic":
        Y = np.where(np.median(Y, axis=0) < Y, 1.0, -1.0)
    data = MultiTaskData.from_multioutput(X, Y)
    result, bytes_used = extra(data, loss=loss, fit_intercept=fit_intercept)
    assert result.U.any()
    assert bytes_used <= 8 * D * T / 2


def test_sparse_tasks_take_no_table_of_all(rng):
    D, T = 20_000, 60
    X = [
        sparse.random_array((40, D), density=0.005, rng=rng, format="csr")
        for _ in range(T)
    ]
    data = MultiTaskData(X, [x[:, :200].sum(axis=1) + 0 for x in X])
    _, bytes_used = extra(data, gamma1=1e-3, gamma2=1e-3, mu=1e-3, max_iter=3)
    assert bytes_used <= 8 * D * T / 2
