"""Data as the store keeps them."""

import numpy as np
import pytest
from scipy.sparse import csr_array, issparse

from vstg.data import MultiTaskData
from vstg.jobs.store.blobs import pack_arrays, pack_data, unpack_arrays, unpack_data


def test_data_come_back_equal(syn):
    shared = MultiTaskData.from_multioutput(np.eye(4), np.arange(8.0).reshape(4, 2))
    for data in (syn.train, shared):
        back = unpack_data(pack_data(data))
        assert back.fingerprint == data.fingerprint
        assert back.shared_X == data.shared_X


def few(rng, n_rows):
    """A sparse design of 30 columns."""
    shape = n_rows, 30
    return csr_array(np.where(rng.random(shape) < 0.2, rng.normal(size=shape), 0.0))


def test_sparse_data_come_back_equal_and_sparse(rng):
    X = [few(rng, 4).astype(np.float32), few(rng, 6)]
    y = [rng.normal(size=4), rng.normal(size=6)]
    shared, mixed = [X[0], X[0]], [X[0], X[1].toarray()]
    for designs, targets in ((X, y), (shared, [y[0], y[0] + 1]), (mixed, y)):
        data = MultiTaskData(designs, targets)
        back = unpack_data(pack_data(data))
        assert back.fingerprint == data.fingerprint
        assert back.shared_X == data.shared_X
        kinds = [issparse(design) for design in back.X]
        assert kinds == [issparse(design) for design in designs]


def test_sparse_data_that_point_outside_are_refused(rng):
    data = MultiTaskData([few(rng, 5)], [np.arange(5.0)])
    arrays = unpack_arrays(pack_data(data))
    arrays["X_indices"] = arrays["X_indices"] + 30
    with pytest.raises(ValueError, match="ind"):
        unpack_data(pack_arrays(arrays))
