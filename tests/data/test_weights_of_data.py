"""Data with weights: how they are given, kept, and rejected."""

import pickle

import numpy as np
import pytest

from vstg.data import DataError, MultiTaskData, target_spreads
from vstg.jobs.store.blobs import pack_data, unpack_data


@pytest.fixture
def parts(rng):
    X = [rng.normal(size=(n, 3)) for n in (5, 7)]
    y = [rng.normal(size=n) for n in (5, 7)]
    return X, y, [rng.integers(1, 4, size=n).astype(float) for n in (5, 7)]


def test_tables_arrays_and_outputs_carry_them(parts):
    X, y, s = parts
    data = MultiTaskData(X, y, ["a", "b"], weights=s, task_weights={"b": 2})
    assert data.task_weights == (1.0, 2.0)
    frame = data.to_frame()
    back = MultiTaskData.from_frame(
        frame, task="task", target="target", weight="weight", task_weights=(1, 2)
    )
    assert back.fingerprint == data.fingerprint
    stacked = MultiTaskData.from_arrays(
        np.concatenate(X), np.concatenate(y), ["a"] * 5 + ["b"] * 7,
        weights=np.concatenate(s), task_weights={"b": 2.0},
    )  # fmt: skip
    assert stacked.fingerprint == data.fingerprint
    Y = np.column_stack([y[0], y[0][::-1]])
    shared = MultiTaskData.from_multioutput(X[0], Y, weights=s[0])
    assert shared.shared_rows
    each = MultiTaskData.from_multioutput(X[0], Y, weights=np.stack([s[0], s[1][:5]]).T)
    assert each.shared_X
    assert not each.shared_rows
    Y[0, 0] = np.nan
    holes = MultiTaskData.from_multioutput(X[0], Y, weights=s[0])
    np.testing.assert_array_equal(holes.weights[0], s[0][1:])
    np.testing.assert_array_equal(holes.weights[1], s[0])


def test_parts_keep_theirs(parts):
    X, y, s = parts
    data = MultiTaskData(X, y, weights=s, task_weights=(1.0, 3.0))
    rows = data.take([[0, 2], [6]])
    np.testing.assert_array_equal(rows.weights[0], s[0][[0, 2]])
    assert rows.task_weights == (1.0, 3.0)
    one = data.subset(tasks=[1], features=[0])
    np.testing.assert_array_equal(one.weights[0], s[1])
    assert one.task_weights == (3.0,)
    for same in (data.scaled([2.0, 2.0]), data.columns(np.array([1]))):
        assert same.weights == data.weights
    assert not data.with_weights().has_weights


@pytest.mark.parametrize("shared", [False, True])
def test_copies_are_equal_and_still_share(parts, shared):
    X, y, s = parts
    if shared:
        X, y, s = [X[0]] * 2, [y[0], y[1][:5]], [s[0]] * 2
    data = MultiTaskData(X, y, weights=s, task_weights=(1.0, 3.0))
    for copy in (pickle.loads(pickle.dumps(data)), unpack_data(pack_data(data))):
        assert copy.fingerprint == data.fingerprint
        assert copy.shared_rows == shared
        assert not copy.weights[0].flags.writeable


def test_the_fingerprint_tells_weighted_data_from_others(parts):
    X, y, s = parts
    plain = MultiTaskData(X, y)
    other = [s[0], s[1][::-1]]
    every = [
        plain,
        MultiTaskData(X, y, weights=s),
        MultiTaskData(X, y, weights=other),
        MultiTaskData(X, y, task_weights=(1.0, 2.0)),
        MultiTaskData(X, y, weights=s, task_weights=(1.0, 2.0)),
    ]
    assert len({data.fingerprint for data in every}) == len(every)
    ones = MultiTaskData(X, y, weights=[np.ones(5), np.ones(7)], task_weights=(1, 1))
    assert ones.fingerprint == plain.fingerprint
    assert not ones.has_weights


def test_rows_of_weight_zero_are_left_out(parts):
    X, y, s = parts
    s[0][2] = 0.0
    data = MultiTaskData(X, y, weights=s, groups=[np.arange(5), np.arange(7)])
    assert data.n_samples.tolist() == [4, 7]
    np.testing.assert_array_equal(data.groups[0], [0, 1, 3, 4])
    np.testing.assert_array_equal(data.X[0], np.delete(X[0], 2, axis=0))


def test_spreads_count_rows_by_their_weights(parts):
    X, y, s = parts
    weighted = target_spreads(MultiTaskData(X, y, weights=s))
    rows = [np.repeat(np.arange(len(one)), one.astype(int)) for one in s]
    plain = MultiTaskData(X, y).take(rows)
    np.testing.assert_allclose(weighted, target_spreads(plain))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([[1, 2, 3, 4, 5]], "weights has 1 entries for 2 tasks"),
        ([[1, 2], [1] * 7], "task 'a', there are 2 weights for 5 rows"),
        ([[1, 2, -3, 4, 5], [1] * 7], "task 'a', row 2 has the weight -3.0"),
        ([[1, 2, np.nan, 4, 5], [1] * 7], "row 2 has the weight nan"),
        ([[1] * 5, [0] * 7], "task 'b', all weights are 0: leave the task out"),
    ],
)
def test_wrong_weights_are_named(parts, weights, message):
    with pytest.raises(DataError, match=message):
        MultiTaskData(*parts[:2], ["a", "b"], weights=weights)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ((1.0,), "1 task weights for 2 tasks"),
        ((1.0, 0.0), "task 'b' has the weight 0: give a positive number"),
        ({"c": 1.0}, r"\['c'\]: there are no such tasks"),
        (("x", 1.0), "give one positive number per task"),
    ],
)
def test_wrong_task_weights_are_named(parts, weights, message):
    with pytest.raises(DataError, match=message):
        MultiTaskData(*parts[:2], ["a", "b"], task_weights=weights)


def test_the_weight_is_no_variable(parts):
    X, y, s = parts
    frame = MultiTaskData(X, y, weights=s).to_frame()
    data = MultiTaskData.from_frame(
        frame, task="task", target="target", weight="weight"
    )
    assert "weight" not in data.feature_names
    with pytest.raises(DataError, match="cannot be the weight and the task"):
        MultiTaskData.from_frame(frame, task="task", target="target", weight="task")
