"""Multi-task data: what is accepted and what is refused."""

import re

import numpy as np
import pandas as pd
import pytest

from vstg.data import DataError, MultiTaskData


def test_sizes_and_default_names_are_reported(rng):
    data = MultiTaskData(
        X=[rng.normal(size=(n, 2)) for n in (3, 5)], y=[[1, 2, 3], range(5)]
    )
    assert (data.n_tasks, data.n_features, data.n_rows) == (2, 2, 8)
    assert data.n_samples.tolist() == [3, 5]
    assert data.task_names == ("task0", "task1")
    assert data.feature_names == ("x0", "x1")
    assert repr(data) == "MultiTaskData(n_tasks=2, n_features=2, n_rows=8)"


def test_arrays_are_float_contiguous_and_read_only():
    data = MultiTaskData(
        X=[np.asfortranarray([[1, 2], [3, 4]], dtype="uint8")], y=[[1, 2]]
    )
    assert data.X[0].dtype == data.y[0].dtype == np.float64
    assert data.X[0].flags.c_contiguous
    with pytest.raises(ValueError, match="read-only"):
        data.X[0][0, 0] = 9.0
    with pytest.raises(ValueError, match="read-only"):
        data.y[0][0] = 9.0


def test_the_callers_arrays_stay_writeable_and_apart(rng):
    X, y = rng.normal(size=(3, 2)), rng.normal(size=3)
    data = MultiTaskData(X=[X], y=[y])
    before = data.X[0].copy()
    X[0, 0] = 99.0
    np.testing.assert_array_equal(data.X[0], before)
    assert y.flags.writeable


def test_tasks_of_a_three_dimensional_array_stay_apart(rng):
    X = rng.normal(size=(3, 4, 2))
    data = MultiTaskData(X=X, y=np.zeros((3, 4)))
    np.testing.assert_array_equal(np.stack(data.X), X)


def test_tables_lend_their_column_names():
    table = pd.DataFrame({"age": [1, 2], "member": [True, False]})
    data = MultiTaskData(X=[table, table.copy()], y=[[0, 1], [1, 0]])
    assert data.feature_names == ("age", "member")
    np.testing.assert_array_equal(data.X[1], [[1, 1], [2, 0]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": [], "y": []}, "X has 0 tasks and y has 0"),
        ({"X": [[[1.0]]], "y": [[1.0], [2.0]]}, "X has 1 tasks and y has 2"),
        ({"X": [[[1.0]]], "y": [[1.0, 2.0]]}, "task 'task0', X has 1 rows and y has 2"),
        ({"X": [np.ones((0, 2))], "y": [[]]}, "task 'task0', there are no rows"),
        ({"X": [np.ones((2, 0))], "y": [[1, 2]]}, "task 'task0', X has 0 columns"),
        (
            {"X": [np.ones((1, 2)), np.ones((1, 3))], "y": [[1], [1]]},
            "task 'task1', X has 3 columns and the first task 2",
        ),
        ({"X": [[[1, 2], [3]]], "y": [[1, 2]]}, "X has rows of different lengths"),
        ({"X": [[1, 2]], "y": [[1, 2]]}, "task 'task0', X has shape (2,)"),
        ({"X": [[[1], [2]]], "y": [[[1], [2]]]}, "task 'task0', y has shape (2, 1)"),
        (
            {"X": [[[1.0]]] * 2, "y": [[1], [2]], "task_names": ["a", "a"]},
            "task names ['a'] occur more than once",
        ),
        (
            {"X": [[[1.0, 2.0]]], "y": [[1]], "feature_names": ["b", "b"]},
            "feature names ['b'] occur more than once",
        ),
        (
            {"X": [[[1.0]]], "y": [[1]], "feature_names": ["b", "c"]},
            "there are 2 feature names for 1 features",
        ),
        (
            {"X": [[[1.0]]], "y": [[1]], "task_names": "a"},
            "task names must be a list of names, not the text 'a'",
        ),
        (
            {"X": [[["1.5"]]], "y": [[1]]},
            "task 'task0', column '0' is not numeric, it contains '1.5'",
        ),
        ({"X": [[[1j]]], "y": [[1]]}, "column '0' is not numeric"),
        ({"X": [[[1.0]]], "y": [["yes"]]}, "target is not numeric, it contains 'yes'"),
        (
            {
                "X": [
                    pd.DataFrame({"a": [1], "b": [2]}),
                    pd.DataFrame({"b": [1], "a": [2]}),
                ],
                "y": [[1], [1]],
            },
            "task 'task1', X has the columns ['b', 'a'] and the first table ['a', 'b']",
        ),
    ],
)
def test_malformed_data_are_refused(arguments, message):
    with pytest.raises(DataError, match=re.escape(message)):
        MultiTaskData(**arguments)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_bad_value_is_named_by_task_column_and_row(data, value):
    X = [np.array(design) for design in data.X]
    X[0][3, 0] = value
    message = (
        f"task 'north', column 'age', row 3 is {value}: "
        "drop the row or fill the value before building the data"
    )
    with pytest.raises(DataError, match=re.escape(message)):
        MultiTaskData(X, data.y, data.task_names, data.feature_names)


def test_a_bad_target_is_named_by_task_and_row(data):
    y = [np.array(target) for target in data.y]
    y[2][1] = np.nan
    with pytest.raises(DataError, match="task 'west', target, row 1 is nan"):
        MultiTaskData(data.X, y, data.task_names)


def test_a_missing_object_is_a_missing_value():
    X = np.array([[1, None], [2, 3]], dtype=object)
    with pytest.raises(DataError, match="task 'task0', column 'x1', row 0 is nan"):
        MultiTaskData([X], [[1, 2]])


def test_sparse_targets_are_refused_with_the_remedy():
    scipy_sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(DataError, match=r"pass Y\.toarray\(\)"):
        MultiTaskData.from_multioutput(np.eye(3), scipy_sparse.eye(3))
