"""Tasks on one design keep it once."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from vstg.data import DataError, MultiTaskData


def test_multioutput_keeps_the_design_once(shared):
    assert shared.shared_X
    assert shared.n_samples.tolist() == [20] * 4


def test_separate_designs_are_not_shared(data):
    assert not data.shared_X


def test_multioutput_takes_names_from_tables():
    X = pd.DataFrame({"a": [1.0, 2.0]})
    Y = pd.DataFrame({"first": [1, 2], "second": [3, 4]})
    data = MultiTaskData.from_multioutput(X, Y)
    assert data.task_names == ("first", "second")
    assert data.feature_names == ("a",)
    np.testing.assert_array_equal(data.y[1], [3, 4])


@pytest.mark.parametrize(
    "derive",
    [
        lambda data: data.split(random_state=0)[0],
        lambda data: data.split(random_state=0)[1],
        lambda data: data.subset(tasks=["task0", "task2"]),
        lambda data: data.subset(features=["x2"]),
        lambda data: data.take([np.arange(5)] * 4),
        lambda data: data.take([np.arange(5) for _ in range(4)]),
        lambda data: pickle.loads(pickle.dumps(data)),
    ],
    ids=["train", "test", "tasks", "features", "same rows", "equal rows", "pickle"],
)
def test_derived_data_go_on_sharing(shared, derive):
    assert derive(shared).shared_X


def misplaced(array):
    """The same numbers at an odd address, as a message over a network leaves them."""
    room = np.zeros(array.nbytes + 1, dtype=np.uint8)[1:]
    moved = room.view(array.dtype).reshape(array.shape)
    moved[:] = array
    assert not moved.flags.aligned
    return moved


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_arrays_are_aligned_wherever_they_come_from(shared, sparse):
    """Products of others do without BLAS and differ in the last digit."""
    X = csr_array(shared.X[0]) if sparse else misplaced(shared.X[0])
    if sparse:
        X.data = misplaced(X.data)
    else:
        X.flags.writeable = False  # taken without a copy if it were aligned
    direct = MultiTaskData([X] * 4, [misplaced(y) for y in shared.y])
    state = vars(shared) | {"X": (X,) * 4, "y": tuple(map(misplaced, shared.y))}
    arrived = object.__new__(MultiTaskData)
    arrived.__setstate__(state)
    for data in (direct, arrived):
        assert data.shared_X
        arrays = [data.X[0].data if sparse else data.X[0], *data.y]
        assert all(array.flags.aligned for array in arrays)
        assert not any(array.flags.writeable for array in arrays)


def test_different_rows_end_the_sharing(shared):
    rows = [np.array([0, 5 + j]) for j in range(4)]
    taken = shared.take(rows)
    assert not taken.shared_X
    np.testing.assert_array_equal(taken.X[2], shared.X[0][[0, 7]])
    np.testing.assert_array_equal(taken.y[2], shared.y[2][[0, 7]])


def test_one_vs_rest_marks_each_class(classes):
    assert classes.task_names == ("a", "b", "c")
    assert classes.shared_X
    np.testing.assert_array_equal(np.sum(classes.y, axis=0), -1)
    assert [(y > 0).sum() for y in classes.y] == [4, 8, 12]


def test_one_vs_rest_keeps_the_classes_of_the_training_data():
    data = MultiTaskData.one_vs_rest([[1.0], [2.0]], [3, 1], classes=[1, 2, 3])
    assert data.task_names == ("1", "2", "3")
    np.testing.assert_array_equal(data.y[1], [-1, -1])


def test_one_vs_rest_refuses_an_unknown_class():
    with pytest.raises(DataError, match=r"labels \[4\] are not among the classes"):
        MultiTaskData.one_vs_rest([[1.0], [2.0]], [4, 1], classes=[1, 2, 3])
