"""Splits, subsets and rows of multi-task data."""

import numpy as np
import pytest

from vstg.data import DataError, MultiTaskData, check_classification


@pytest.mark.parametrize(
    ("n_samples", "n_train"), [(2, 1), (3, 2), (22, 16), (251, 188)]
)
def test_split_gives_three_quarters_rounded_down(n_samples, n_train):
    data = MultiTaskData([np.ones((n_samples, 1))], [np.arange(n_samples)])
    train, test = data.split(random_state=0)
    assert train.n_rows == n_train
    assert sorted([*train.y[0], *test.y[0]]) == list(range(n_samples))


@pytest.mark.parametrize("test_size", [0.01, 0.5, 0.9, 0.99])
def test_split_keeps_every_task_in_both_parts(data, test_size):
    train, test = data.split(test_size, random_state=0)
    assert train.task_names == test.task_names == data.task_names
    assert train.n_samples.min() >= 1
    np.testing.assert_array_equal(train.n_samples + test.n_samples, data.n_samples)


def test_split_depends_on_the_seed_only(data):
    first = data.split(random_state=1)[0].fingerprint
    assert first == data.split(random_state=1)[0].fingerprint
    assert first != data.split(random_state=2)[0].fingerprint


def test_split_keeps_rows_and_targets_together(shared):
    train, _ = shared.split(random_state=0)
    rows = [np.flatnonzero((shared.X[0] == x).all(axis=1))[0] for x in train.X[0]]
    np.testing.assert_array_equal(train.y[3], shared.y[3][rows])


def test_stratified_split_keeps_the_shares_of_shared_classes(classes):
    train, test = classes.split(random_state=0, stratify=True)
    assert [(y > 0).sum() for y in train.y] == [3, 6, 9]
    assert [(y > 0).sum() for y in test.y] == [1, 2, 3]


@pytest.mark.parametrize("seed", range(5))
def test_stratified_split_trains_on_a_rare_label(rng, seed):
    y = np.r_[np.ones(2), -np.ones(40)]
    data = MultiTaskData([rng.normal(size=(42, 2)), rng.normal(size=(42, 2))], [y, -y])
    train, _ = data.split(0.75, random_state=seed, stratify=True)
    assert train.n_samples.tolist() == [10, 10]
    check_classification(train)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test_size": 0.0}, "test_size=0.0 must lie between 0 and 1"),
        ({"test_size": 1.0}, "test_size=1.0 must lie between 0 and 1"),
        ({"stratify": True}, "stratify needs labels -1 and .1"),
    ],
)
def test_impossible_splits_are_refused(data, options, message):
    with pytest.raises(DataError, match=message):
        data.split(**options, random_state=0)


def test_a_task_of_one_row_cannot_be_split():
    data = MultiTaskData([[[1.0]]], [[1.0]], ["north"])
    with pytest.raises(DataError, match="task 'north' has 1 row and cannot be in both"):
        data.split(random_state=0)


def test_subset_takes_names_or_numbers_in_the_order_given(data):
    part = data.subset(tasks=["west", 0], features=[2, "age"])
    assert part.task_names == ("west", "north")
    assert part.feature_names == ("size", "age")
    np.testing.assert_array_equal(part.X[1], data.X[0][:, [2, 0]])
    np.testing.assert_array_equal(part.y[0], data.y[2])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tasks": ["nord"]}, r"tasks \['nord'\] are not in the data; there are"),
        ({"tasks": [3]}, r"tasks \[3\] are not in the data"),
        ({"features": ["height"]}, r"features \['height'\] are not in the data"),
        ({"tasks": []}, "at least one task"),
    ],
)
def test_unknown_parts_are_refused(data, options, message):
    with pytest.raises(DataError, match=message):
        data.subset(**options)


def test_take_accepts_positions_and_masks(data):
    masks = [np.arange(n) < 2 for n in data.n_samples]
    by_mask, by_position = data.take(masks), data.take([[0, 1]] * 3)
    assert by_mask.fingerprint == by_position.fingerprint
    np.testing.assert_array_equal(by_mask.y[1], data.y[1][:2])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[0], [0]], "rows has 2 entries and there are 3 tasks"),
        ([[0], [], [0]], "task 'south', there are no rows"),
        ([np.ones(9, dtype=bool)] * 3, "a mask of 9 rows does not fit a task of 4"),
    ],
)
def test_impossible_rows_are_refused(data, rows, message):
    with pytest.raises(DataError, match=message):
        data.take(rows)
