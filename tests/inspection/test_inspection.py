"""Reading variables and groups off a factorisation."""

import numpy as np
import pytest
from factors_by_hand import U, V

from vstg import inspection
from vstg.datasets import make_syn


def test_selected_variables_are_the_nonzero_rows():
    assert inspection.selected_variables(U).tolist() == [0, 1, 3]


def test_threshold_is_a_share_of_the_largest_entry():
    assert inspection.selected_variables(U, 0.1).tolist() == [0, 1]
    assert inspection.selected_variables(1000 * U, 0.1).tolist() == [0, 1]


def test_importance_is_row_maximum_and_row_sum():
    importance = inspection.variable_importance(U)
    np.testing.assert_allclose(importance.row_max, [2, 3, 0, 0.1])
    np.testing.assert_allclose(importance.row_l1, [2, 4, 0, 0.1])


def test_most_important_variable_comes_first():
    assert inspection.order_variables(U).tolist() == [1, 0, 3, 2]


def test_equal_maxima_are_ordered_by_sum_then_position():
    tied = np.array([[1.0, 0], [1, 1], [1, 0]])
    assert inspection.order_variables(tied).tolist() == [1, 0, 2]


def test_variables_frame_names_and_sorts():
    frame = inspection.variables_frame(U, ["age", "size", "sex", "id"])
    assert frame.index.tolist() == ["size", "age", "id", "sex"]
    assert frame.loc["size", "n_bases"] == 2
    assert frame["selected"].tolist() == [True, True, True, False]


def test_decomposition_adds_up_to_the_coefficient():
    terms = inspection.decompose(U, V, 1, 1)
    np.testing.assert_allclose(terms, [2.0, 3.0, 0.0])
    assert terms.sum() == pytest.approx((U @ V)[1, 1])
    frame = inspection.decomposition_frame(U, V, 1, 1)
    np.testing.assert_allclose(frame["u"] * frame["v"], frame["term"])


@pytest.mark.parametrize("threshold", [-0.1, 1.0])
def test_impossible_thresholds_are_refused(threshold):
    with pytest.raises(ValueError, match="must be at least 0 and below 1"):
        inspection.selected_variables(U, threshold)
    with pytest.raises(ValueError, match="must be at least 0 and below 1"):
        inspection.task_groups(V, threshold)


def test_wrong_number_of_names_is_refused():
    with pytest.raises(ValueError, match="there are 2 task names for 5 tasks"):
        inspection.task_groups(V, names=["a", "b"])


# Groups


def test_tasks_of_one_pattern_form_one_group():
    groups = inspection.task_groups(V, names=list("abcde"))
    assert [group.task_names for group in groups] == [
        ("a", "b"),
        ("d",),
        ("c",),
        ("e",),
    ]
    assert [group.bases for group in groups] == [(0, 1), (1,), (2,), ()]
    assert [group.empty for group in groups] == [False, False, False, True]


def test_threshold_is_relative_to_each_task():
    scale = np.array([1.0, 1e6, 1, 1e-6, 1])
    groups = inspection.task_groups(V * scale, 0.5)
    assert [group.bases for group in groups] == [(0,), (1,), (2,), ()]
    assert [group.tasks for group in groups] == [(0, 1), (3,), (2,), (4,)]


def test_groups_list_the_variables_of_their_bases():
    groups = inspection.task_groups(V, U=U, feature_names=["age", "size", "sex", "id"])
    assert [group.variable_names for group in groups] == [
        ("age", "size"),
        ("size",),
        ("id",),
        (),
    ]


def test_variables_are_unknown_without_U():
    assert inspection.task_groups(V)[0].variables is None


def test_a_basis_without_variables_does_not_make_a_group():
    without = U.copy()
    without[:, 2] = 0.0
    groups = inspection.task_groups(V, U=without)
    assert groups[-1].empty
    assert groups[-1].tasks == (2, 4)


def test_overlaps_count_common_bases():
    groups = inspection.task_groups(V)
    expected = [[2, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
    np.testing.assert_array_equal(inspection.group_overlaps(groups), expected)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_groups_of_the_true_V_are_the_true_groups(number):
    syn = make_syn(number, n_train=1, n_test=1, random_state=0)
    groups = inspection.task_groups(syn.V, U=syn.U)
    assert tuple(group.tasks for group in groups) == syn.groups
    overlaps = inspection.group_overlaps(groups)
    neighbours = np.diagonal(overlaps, offset=1)
    assert set(neighbours) == {int(number in (2, 4))}
