"""The fingerprint sees the content and nothing else."""

import pickle

import numpy as np
import pytest
from drawn import multi_task_data
from hypothesis import given

from vstg.data import MultiTaskData


@given(data=multi_task_data())
def test_fingerprint_depends_on_content_only(data):
    copies = MultiTaskData(
        [X.tolist() for X in data.X],
        [list(y) for y in data.y],
        list(data.task_names),
        data.feature_names,
    )
    assert copies.fingerprint == data.fingerprint
    assert pickle.loads(pickle.dumps(data)).fingerprint == data.fingerprint


def test_fingerprint_does_not_see_sharing_or_the_sign_of_zero():
    X = np.array([[0.0], [1.0]])
    shared = MultiTaskData([X, X], [[1, 2], [3, 4]])
    apart = MultiTaskData([X, [[-0.0], [1.0]]], [[1, 2], [3, 4]])
    assert shared.shared_X
    assert not apart.shared_X
    assert shared.fingerprint == apart.fingerprint


@pytest.mark.parametrize(
    "change",
    [
        lambda d: {"y": [d.y[0] + 1e-12, *d.y[1:]]},
        lambda d: {"X": [*d.X[:2], np.array(d.X[2])[::-1]]},
        lambda d: {"task_names": ["north", "south", "east"]},
        lambda d: {"feature_names": ["age", "size", "income"]},
    ],
    ids=["target", "design", "task name", "feature order"],
)
def test_fingerprint_sees_every_change(data, change):
    content = {
        "X": data.X,
        "y": data.y,
        "task_names": data.task_names,
        "feature_names": data.feature_names,
    }
    changed = MultiTaskData(**{**content, **change(data)})
    assert changed.fingerprint != data.fingerprint


def test_unpickled_data_are_read_only(data):
    again = pickle.loads(pickle.dumps(data))
    assert not again.X[0].flags.writeable
    assert not again.y[0].flags.writeable
