"""Reading variables, groups and overlaps off a factorisation."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vstg import inspection
from vstg.datasets import make_syn

# Four variables, three bases, five tasks; only task 2 uses the last basis, and
# task 4 uses none.
U = np.array([[2.0, 0, 0], [-1, 3, 0], [0, 0, 0], [0, 0, 0.1]])
V = np.array([[1.0, -2, 0, 0, 0], [0.5, 1, 0, 2, 0], [0, 0, 4, 0, 0]])

DEGENERATE = {
    "zero": (np.zeros((4, 3)), np.zeros((3, 5))),
    "zero U": (np.zeros((4, 3)), np.ones((3, 5))),
    "one task": (np.ones((4, 3)), np.ones((3, 1))),
    "one basis": (np.ones((4, 1)), np.ones((1, 5))),
    "one of each": (np.ones((1, 1)), np.ones((1, 1))),
    "tiny": (np.full((4, 3), 1e-300), np.full((3, 5), 1e-300)),
    "many tasks": (np.ones((4, 3)), np.arange(600.0).reshape(3, 200)),
}
degenerate = pytest.mark.parametrize(
    ("U", "V"), DEGENERATE.values(), ids=DEGENERATE.keys()
)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


# Variables


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
    frame = inspection.overlaps_frame(groups)
    assert frame.loc["bases 0, 1", "basis 1"] == 1
    assert frame.index.tolist() == ["bases 0, 1", "basis 1", "basis 2", "no basis"]


def test_groups_frame_has_one_row_a_group():
    frame = inspection.groups_frame(inspection.task_groups(V, U=U))
    assert frame["n_tasks"].sum() == 5
    assert frame.loc["bases 0, 1", "tasks"] == "task0, task1"
    assert frame["n_variables"].tolist() == [2, 1, 1, 0]


def test_groups_frame_leaves_unknown_variables_out():
    frame = inspection.groups_frame(inspection.task_groups(V))
    assert frame["n_variables"].isna().all()


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_groups_of_the_true_V_are_the_true_groups(number):
    syn = make_syn(number, n_train=1, n_test=1, random_state=0)
    groups = inspection.task_groups(syn.V, U=syn.U)
    assert tuple(group.tasks for group in groups) == syn.groups
    overlaps = inspection.group_overlaps(groups)
    neighbours = np.diagonal(overlaps, offset=1)
    assert set(neighbours) == {int(number in (2, 4))}


# Alignment


@st.composite
def bases_rearranged(draw):
    """A random factorisation and the same with bases permuted, flipped, scaled."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_latent = draw(st.integers(1, 6))
    order = np.array(draw(st.permutations(range(n_latent))))
    signs = rng.choice([-1.0, 1.0], size=n_latent)
    scales = 10.0 ** rng.uniform(-3, 3, size=n_latent)
    U, V = rng.normal(size=(12, n_latent)), rng.normal(size=(n_latent, 9))
    moved_U = (U * signs * scales)[:, order]
    moved_V = (V * (signs / scales)[:, None])[order]
    return U, V, moved_U, moved_V, order, scales


@given(case=bases_rearranged())
def test_alignment_undoes_order_and_sign(case):
    U, V, moved_U, moved_V, order, scales = case
    aligned = inspection.align_bases(moved_U, moved_V, U, V)
    np.testing.assert_array_equal(aligned.permutation, np.argsort(order))
    np.testing.assert_allclose(aligned.U, U * scales, rtol=1e-10)
    np.testing.assert_allclose(aligned.V, V / scales[:, None], rtol=1e-10)
    np.testing.assert_allclose(aligned.similarity, 1.0)


@pytest.mark.parametrize("n_latent", [2, 5, 8])
def test_alignment_leaves_W_unchanged(rng, n_latent):
    syn = make_syn(2, n_train=1, n_test=1, random_state=0)
    U, V = rng.normal(size=(25, n_latent)), rng.normal(size=(n_latent, 20))
    aligned = inspection.align_bases(U, V, syn.U, syn.V)
    np.testing.assert_allclose(aligned.U @ aligned.V, U @ V, atol=1e-12)
    assert aligned.U.shape[1] == max(n_latent, 5)


def test_bases_without_a_partner_come_last(rng):
    syn = make_syn(1, n_train=1, n_test=1, random_state=0)
    order = [4, 1, 0, 3, 2]
    extra_U = np.column_stack([rng.normal(size=25), syn.U[:, order]])
    extra_V = np.vstack([rng.normal(size=20), syn.V[order]])
    aligned = inspection.align_bases(extra_U, extra_V, syn.U, syn.V)
    assert aligned.permutation.tolist() == [3, 2, 5, 4, 1, 0]
    np.testing.assert_allclose(aligned.U[:, :5], syn.U)
    assert aligned.similarity[5] == 0.0


def test_missing_bases_leave_their_place_empty():
    syn = make_syn(1, n_train=1, n_test=1, random_state=0)
    kept = [3, 1]
    aligned = inspection.align_bases(syn.U[:, kept], syn.V[kept], syn.U, syn.V)
    assert aligned.permutation.tolist() == [-1, 1, -1, 0, -1]
    np.testing.assert_allclose(aligned.U[:, 3], syn.U[:, 3])
    assert np.all(aligned.U[:, [0, 2, 4]] == 0)


def test_alignment_refuses_other_shapes():
    with pytest.raises(ValueError, match="must factor a matrix of one shape"):
        inspection.align_bases(U, V, U[:3], V)


# Order of tasks


def test_tasks_of_a_group_stand_together(rng):
    syn = make_syn(2, n_train=1, n_test=1, random_state=0)
    shuffled = rng.permutation(20)
    order = shuffled[inspection.order_tasks(syn.V[:, shuffled])]
    assert sorted(order[:4]) == [0, 1, 2, 3]
    assert sorted(order[4:8]) == [4, 5, 6, 7]
    assert sorted(order[12:]) == list(range(12, 20))


def test_tasks_without_a_basis_come_last():
    assert inspection.order_tasks(V)[-1] == 4


def test_dense_tasks_are_ordered_by_similarity(rng):
    angle = np.linspace(0.05, 1.5, 30)
    shuffled = rng.permutation(30)
    dense = np.vstack([np.cos(angle), np.sin(angle)]) * rng.uniform(0.1, 10, size=30)
    order = shuffled[inspection.order_tasks(dense[:, shuffled])]
    np.testing.assert_array_equal(np.abs(np.diff(order)), 1)


def test_sign_does_not_part_similar_tasks():
    dense = np.array([[1.0, 0.1, -1.0, -0.1], [0.1, 1.0, 0.1, 1.0]])
    order = inspection.order_tasks(dense).tolist()
    assert abs(order.index(0) - order.index(2)) == 1
    assert abs(order.index(1) - order.index(3)) == 1


# Recovery


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_truth_recovers_itself_in_any_order(number):
    syn = make_syn(number, n_train=1, n_test=1, random_state=0)
    order = [2, 4, 0, 1, 3]
    found = inspection.recover_truth(-syn.U[:, order], -syn.V[order], syn.U, syn.V)
    assert found.omega == found.adjusted_rand == pytest.approx(1.0)
    assert found.estimation_error == pytest.approx(0.0, abs=1e-12)
    assert (inspection.recovery_frame(found) == 1.0).all(axis=None)


def test_threshold_forgives_small_entries(rng):
    syn = make_syn(1, n_train=1, n_test=1, random_state=0)
    U = syn.U + 1e-3 * rng.normal(size=syn.U.shape)
    V = syn.V + 1e-3 * rng.normal(size=syn.V.shape)
    strict = inspection.recover_truth(U, V, syn.U, syn.V)
    lenient = inspection.recover_truth(U, V, syn.U, syn.V, threshold=0.05)
    assert strict.irrelevant.recall == 0.0
    assert strict.V_entries.precision == pytest.approx(0.2)
    assert (inspection.recovery_frame(lenient) == 1.0).all(axis=None)
    assert lenient.adjusted_rand == pytest.approx(1.0)


@pytest.mark.parametrize("n_latent", [3, 7])
def test_recovery_compares_unequal_numbers_of_bases(rng, n_latent):
    syn = make_syn(1, n_train=1, n_test=1, random_state=0)
    U, V = rng.normal(size=(25, n_latent)), rng.normal(size=(n_latent, 20))
    found = inspection.recover_truth(U, V, syn.U, syn.V)
    assert found.variables.recall == 1.0
    assert found.U_entries.n_found == 25 * n_latent
    assert found.U_entries.n_true == 20


# Degenerate input


@degenerate
def test_every_task_is_in_one_group(U, V):
    groups = inspection.task_groups(V, U=U)
    members = sorted(j for group in groups for j in group.tasks)
    assert members == list(range(V.shape[1]))
    assert inspection.group_overlaps(groups).shape == (len(groups), len(groups))
    assert len(inspection.groups_frame(groups)) == len(groups)


@degenerate
def test_orders_are_permutations(U, V):
    assert sorted(inspection.order_tasks(V)) == list(range(V.shape[1]))
    assert sorted(inspection.order_variables(U)) == list(range(U.shape[0]))


@degenerate
def test_variables_frame_survives(U, V):
    frame = inspection.variables_frame(U)
    assert isinstance(frame, pd.DataFrame)
    assert frame["selected"].sum() == np.any(U != 0, axis=1).sum()


@degenerate
def test_alignment_with_itself_keeps_the_product(U, V):
    aligned = inspection.align_bases(U, V, U, V)
    np.testing.assert_allclose(aligned.U @ aligned.V, U @ V)
    assert sorted(aligned.permutation) == list(range(U.shape[1]))


def test_zero_estimate_recovers_nothing_but_the_irrelevant():
    syn = make_syn(1, n_train=1, n_test=1, random_state=0)
    found = inspection.recover_truth(0 * syn.U, 0 * syn.V, syn.U, syn.V)
    assert found.estimation_error == pytest.approx(1.0)
    assert found.variables.recall == 0.0
    assert found.irrelevant.recall == 1.0
    assert found.task_pairs.f1 == 0.0
