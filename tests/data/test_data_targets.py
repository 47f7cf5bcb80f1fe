"""Targets that nothing can be learnt from."""

import numpy as np
import pytest

from vstg.data import (
    DataError,
    MultiTaskData,
    check_classification,
    check_targets,
    constant_tasks,
)


@pytest.fixture
def constant():
    return MultiTaskData(
        [np.ones((3, 1)), np.ones((3, 1)), np.ones((1, 1))],
        [[1, 2, 3], [7, 7, 7], [5]],
        ["north", "south", "single"],
    )


def test_a_constant_target_is_named(constant):
    assert constant_tasks(constant) == ("south",)
    with pytest.raises(
        DataError, match="task 'south' has the target 7 in all its 3 rows"
    ):
        check_targets(constant)


def test_a_constant_target_can_be_allowed(constant):
    check_targets(constant, allow_constant=True)


def test_varied_targets_pass(data, classes):
    check_targets(data)
    check_targets(classes, classification=True)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, 1, 1], r"task 'north' has the labels \[0, 1\]: .* exactly -1 and \+1"),
        ([1, 2, 3], r"task 'north' has the labels \[1, 2, 3\]"),
        ([0.5, -1, 1], r"task 'north' has the labels \[-1, 0.5, 1\]"),
        ([1, 1, 1], r"task 'north' has only the label \+1 in its 3 rows"),
        ([-1, -1, -1], "task 'north' has only the label -1 in its 3 rows"),
    ],
)
def test_labels_other_than_both_signs_are_refused(labels, message):
    data = MultiTaskData([np.ones((3, 1))], [labels], ["north"])
    with pytest.raises(DataError, match=message):
        check_targets(data, classification=True)


def test_many_labels_are_shortened():
    data = MultiTaskData([np.ones((9, 1))], [range(9)])
    with pytest.raises(DataError, match=r"labels \[0, 1, 2, 3, 4, \.\.\.\]"):
        check_classification(data)
