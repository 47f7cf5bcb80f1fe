"""Designs kept sparse or in float32 give what dense float64 ones give."""

import pickle
import tracemalloc

import numpy as np
import pytest
from scipy.sparse import csc_array, csr_array, csr_matrix
from scipy.sparse import random as random_sparse

from vstg import MultiTaskData, VSTGRegressor, load_model, save_model, solve_vstg
from vstg.baselines import solve_lasso, solve_ridge
from vstg.data import DataError
from vstg.losses import get_loss
from vstg.objective import Objective, Settings
from vstg.problem import Problem
from vstg.solvers import solve_problem

SETTINGS = Settings(n_latent=2, k=1, gamma1=0.02, gamma2=0.02, mu=0.02)


def designs(rng, shape=(30, 60), n_tasks=3, density=0.3):
    return [
        random_sparse(*shape, density=density, random_state=rng, format="csr")
        for _ in range(n_tasks)
    ]


def targets(rng, X, loss):
    y = [x[:, :4] @ rng.uniform(1, 2, size=4) + 0.1 * rng.normal(size=30) for x in X]
    if loss == "logistic":
        return [np.where(target > np.median(target), 1.0, -1.0) for target in y]
    return y


@pytest.fixture(params=["squared", "logistic"])
def loss(request):
    return request.param


def forms(rng, loss):
    """The same data dense, sparse and in single precision."""
    X = designs(rng)
    y = targets(rng, X, loss)
    dense = MultiTaskData([x.toarray() for x in X], y)
    single = MultiTaskData([x.toarray().astype(np.float32) for x in X], y)
    return dense, MultiTaskData(X, y), single


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_fits_agree(rng, loss, wide, fit_intercept):
    found = []
    for data in forms(rng, loss):
        problem = Problem.of(data, loss, fit_intercept=fit_intercept, wide=wide)
        found.append(solve_problem(problem, SETTINGS, tol=1e-5))
    dense, sparse, single = found
    assert dense.W.any()
    assert sparse.objective == pytest.approx(dense.objective, rel=1e-6)
    assert single.objective == pytest.approx(dense.objective, rel=1e-4)
    np.testing.assert_allclose(sparse.W, dense.W, atol=1e-3)
    np.testing.assert_allclose(single.W, dense.W, atol=1e-2)


def test_the_objective_and_its_residuals_read_sparse_data(rng, loss):
    dense, sparse, _ = forms(rng, loss)
    U, V, b = rng.normal(size=(60, 2)), rng.normal(size=(2, 3)), rng.normal(size=3)
    first, second = (
        Objective(data, get_loss(loss), SETTINGS) for data in (dense, sparse)
    )
    assert first.value(U, V, b) == pytest.approx(second.value(U, V, b))
    np.testing.assert_allclose(first.residuals(U, V, b), second.residuals(U, V, b))


def test_baselines_read_sparse_data(rng, loss):
    dense, sparse, _ = forms(rng, loss)
    for solve in (solve_lasso, solve_ridge):
        first, second = (
            solve(data, gamma1=0.05, loss=loss, fit_intercept=True)
            for data in (dense, sparse)
        )
        assert first.objective == pytest.approx(second.objective, rel=1e-6)


def test_what_is_read_only_is_not_copied(rng):
    X = rng.normal(size=(5, 3)).astype(np.float32)
    X.flags.writeable = False
    sparse = csr_array(np.eye(5, 3))
    for part in (sparse.data, sparse.indices, sparse.indptr):
        part.flags.writeable = False
    data = MultiTaskData([X, sparse], [np.arange(5.0)] * 2)
    assert data.X[0] is X
    assert np.shares_memory(data.X[1].data, sparse.data)
    mine = csr_array(np.eye(5, 3))
    kept = MultiTaskData([mine], [np.arange(5.0)])
    mine.data[0] = 7.0
    assert kept.X[0][0, 0] == 1.0


@pytest.mark.parametrize("kind", [csr_array, csc_array, csr_matrix])
def test_rows_columns_pickles_and_fingerprints(rng, kind):
    X = designs(rng)
    data = MultiTaskData([kind(x) for x in X], targets(rng, X, "squared"))
    part = data.take([[4, 2], [0], [7, 7, 1]]).subset(features=["x3", "x1"])
    np.testing.assert_array_equal(
        part.X[0].toarray(), X[0].toarray()[[4, 2]][:, [3, 1]]
    )
    np.testing.assert_array_equal(part.X[2].toarray()[0], part.X[2].toarray()[1])
    again = pickle.loads(pickle.dumps(data))
    assert again.fingerprint == data.fingerprint
    assert not again.X[0].data.flags.writeable
    other = MultiTaskData([2 * x for x in X], data.y)
    assert other.fingerprint != data.fingerprint


def test_precision_does_not_change_the_fingerprint(rng):
    X = rng.normal(size=(6, 2)).astype(np.float32)
    data = [MultiTaskData([x], [np.arange(6.0)]) for x in (X, X.astype(float))]
    assert data[0].X[0].dtype == np.float32
    assert data[0].fingerprint == data[1].fingerprint


def test_a_bad_value_is_named(rng):
    X = csr_array(np.array([[0.0, 1.0], [np.nan, 0.0]]))
    with pytest.raises(DataError, match="task 'task0', column 'x0', row 1 is nan"):
        MultiTaskData([X], [[1.0, 2.0]])
    with pytest.raises(DataError, match="a sparse matrix of complex128"):
        MultiTaskData([csr_array(np.eye(2) * 1j)], [[1.0, 2.0]])
    data = MultiTaskData([csr_array(np.eye(2))], [[1.0, 2.0]])
    with pytest.raises(DataError, match="has no table"):
        data.to_frame()


def test_an_estimator_takes_and_predicts_sparse_tables(rng, tmp_path):
    X = designs(rng, n_tasks=1)[0]
    Y = X[:, :3] @ rng.normal(size=(3, 2)) + 1.0
    model = VSTGRegressor(n_latent=2, k=1, gamma1=0.01, gamma2=0.01)
    by_dense = model.fit(X.toarray(), Y).predict(X.toarray())
    by_sparse = model.fit(X, Y).predict(X)
    np.testing.assert_allclose(by_sparse, by_dense, atol=1e-2)
    save_model(model, tmp_path / "model.npz")
    again = load_model(tmp_path / "model.npz")
    np.testing.assert_array_equal(again.predict(X), by_sparse)
    assert again.result_.form == model.result_.form
    with pytest.raises(DataError, match="no place for a task column"):
        VSTGRegressor(0).fit(X, Y[:, 0])


def test_a_sparse_design_is_never_made_dense():
    rng = np.random.default_rng(0)
    X = [20 * x for x in designs(rng, (300, 20_000), n_tasks=3, density=0.002)]
    y = [x[:, :9] @ np.ones(9) + 0.1 * rng.normal(size=300) for x in X]
    data = MultiTaskData(X, y)
    options = {"n_latent": 2, "k": 1, "gamma1": 0.1, "gamma2": 0.1}
    assert solve_vstg(data, **options).U.any()
    tracemalloc.start()
    solve_vstg(data, **options)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < X[0].shape[0] * X[0].shape[1] * 8 / 4  # of one task, dense
