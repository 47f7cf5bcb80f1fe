"""Multi-task data from tables and stacked arrays, and back."""

import re

import numpy as np
import pandas as pd
import pytest
from drawn import multi_task_data
from hypothesis import given

from vstg.data import DataError, MultiTaskData, read_task_ids


def test_from_frame_keeps_tasks_in_order_of_appearance():
    frame = pd.DataFrame(
        {"school": [7, 2, 7, 2], "score": [1.0, 2, 3, 4], "a": [1, 2, 3, 4]}
    )
    data = MultiTaskData.from_frame(frame, task="school", target="score")
    assert data.task_names == ("7", "2")
    assert data.feature_names == ("a",)
    np.testing.assert_array_equal(data.y[0], [1, 3])
    np.testing.assert_array_equal(data.X[1][:, 0], [2, 4])


def test_from_frame_takes_only_the_features_asked_for(data):
    frame = data.to_frame().assign(comment="text")
    again = MultiTaskData.from_frame(
        frame, task="task", target="target", features=["size", "age"]
    )
    assert again.feature_names == ("size", "age")
    np.testing.assert_array_equal(again.X[1], data.X[1][:, [2, 0]])


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({}, {"task": "scool"}, "columns ['scool'] are not in the table; its columns"),
        (
            {},
            {"target": "task"},
            "column 'task' cannot be both the task and the target",
        ),
        ({}, {"features": ["age", "target"]}, "features ['target'] are the task or"),
        ({"sex": "male"}, {}, "column 'sex' is not numeric, it contains 'male'"),
        ({"age": np.nan}, {}, "task 'north', column 'age', row 100 is nan"),
        (
            {"target": np.inf},
            {},
            "task 'north', target column 'target', row 100 is inf",
        ),
        ({"task": 0.5}, {}, "column 'task' holds 0.5: task ids must be whole numbers"),
        ({"task": None}, {}, "column 'task', row 100 has no task"),
    ],
)
def test_malformed_tables_are_refused(data, change, options, message):
    frame = data.to_frame().assign(**change)
    frame.index += 100
    columns = {"task": "task", "target": "target", **options}
    with pytest.raises(DataError, match=re.escape(message)):
        MultiTaskData.from_frame(frame, **columns)


def test_repeated_columns_of_a_table_are_refused(data):
    frame = data.to_frame()
    frame.columns = ["task", "target", "age", "age", "size"]
    with pytest.raises(DataError, match=r"column names \['age'\] occur more than once"):
        MultiTaskData.from_frame(frame, task="task", target="target")


@pytest.mark.parametrize(
    ("ids", "names"),
    [
        ([3, 1], ("3", "1")),
        ([3.0, 1.0], ("3", "1")),
        (["b", "a"], ("b", "a")),
        (pd.Categorical(["b", "a"], categories=["a", "b", "c"]), ("b", "a")),
        (pd.array([3, 1], dtype="Int64"), ("3", "1")),
        (np.array([3, "a"], dtype=object), ("3", "a")),
    ],
    ids=["int", "whole float", "text", "category", "nullable", "mixed"],
)
def test_task_ids_become_names(ids, names):
    assert read_task_ids(ids) == names


def test_ids_that_read_the_same_are_refused():
    with pytest.raises(DataError, match="several ids that read '1'"):
        read_task_ids(np.array([1, "1"], dtype=object))


def test_standardised_task_ids_are_refused():
    ids = np.array([1, 1, 2, 3])
    with pytest.raises(DataError, match="was a scaler run over the task column"):
        read_task_ids((ids - ids.mean()) / ids.std())


def test_from_arrays_agrees_with_from_frame(data):
    frame = data.to_frame()
    stacked = MultiTaskData.from_arrays(
        frame[["age", "income", "size"]], frame["target"], frame["task"]
    )
    assert stacked.fingerprint == data.fingerprint


@pytest.mark.parametrize(
    ("X", "y", "tasks", "message"),
    [
        ([[1.0], [2.0]], [1, 2], ["a"], "X has 2 rows, y has 2 and tasks has 1"),
        ([[1.0], [np.nan]], [1, 2], ["a", "b"], "task 'b', column 'x0', row 1 is nan"),
        ([[1.0], [2.0]], [1, np.nan], ["a", "b"], "task 'b', target, row 1 is nan"),
    ],
)
def test_malformed_stacks_are_refused(X, y, tasks, message):
    with pytest.raises(DataError, match=message):
        MultiTaskData.from_arrays(X, y, tasks)


@given(data=multi_task_data())
def test_to_frame_and_back_changes_nothing(data):
    frame = data.to_frame()
    again = MultiTaskData.from_frame(frame, task="task", target="target")
    assert again.fingerprint == data.fingerprint
    assert len(frame) == data.n_rows


def test_to_frame_refuses_a_name_that_is_taken(data):
    with pytest.raises(DataError, match="choose other names"):
        data.to_frame(task="age")
