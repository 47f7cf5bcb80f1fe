"""Errors of predictions and recovery of a known truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vstg import metrics
from vstg.datasets import make_syn

SUPPORTS = arrays(bool, (3, 6))

# One task of one row and one of three: pooled and mean over tasks differ.
TARGETS = [[1.0], [1.0, 2.0, 3.0]]
PREDICTIONS = [[3.0], [1.0, 2.0, 0.0]]
LABELS = [[1], [1, -1, 1]]
DECISIONS = [[-0.2], [0.3, -5.0, 0.1]]


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_rmse_is_given_for_each_task():
    np.testing.assert_allclose(
        metrics.rmse_by_task(TARGETS, PREDICTIONS), [2.0, np.sqrt(3.0)]
    )


def test_pooled_rmse_weighs_observations_alike():
    expected = np.sqrt((4 + 9) / 4)
    assert metrics.rmse_pooled(TARGETS, PREDICTIONS) == pytest.approx(expected)


def test_mean_over_tasks_weighs_tasks_alike():
    expected = (2 + np.sqrt(3)) / 2
    assert metrics.rmse_mean_over_tasks(TARGETS, PREDICTIONS) == pytest.approx(expected)


def test_error_rates_pool_or_average():
    np.testing.assert_allclose(metrics.error_rate_by_task(LABELS, DECISIONS), [1, 0])
    assert metrics.error_rate_pooled(LABELS, DECISIONS) == pytest.approx(0.25)
    assert metrics.error_rate_mean_over_tasks(LABELS, DECISIONS) == pytest.approx(0.5)


def test_a_decision_of_zero_means_the_negative_class():
    y, decisions = [[1, -1, -1, -1]], [np.zeros(4)]
    assert metrics.error_rate_pooled(y, decisions) == pytest.approx(0.25)
    np.testing.assert_allclose(metrics.error_rate_by_task(y, decisions), [0.25])


def test_largest_decision_value_wins():
    y = [[1, -1, -1, -1], [-1, 1, -1, 1], [-1, -1, 1, -1]]
    decisions = [[-0.1, 0.9, 0, 0], [-0.5, 0.8, -1, 1], [-0.9, 0.7, 2, 3]]
    # Row 0 is right though every value is negative; rows 1 and 3 are wrong.
    assert metrics.multiclass_error_rate(y, decisions) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([[1, 1], [1, -1]], r"row 0 is \+1 in 2 tasks"),
        ([[1, -1], [-1, -1]], r"row 1 is \+1 in 0 tasks"),
        ([[1, -1], [-1]], "the tasks have different numbers of rows"),
    ],
)
def test_multiclass_error_needs_one_class_a_row(y, message):
    with pytest.raises(ValueError, match=message):
        metrics.multiclass_error_rate(y, y)


@pytest.mark.parametrize(
    ("y", "predictions", "message"),
    [
        ([], [], "there are 0 targets and 0 predictions"),
        ([[1.0]], [[1.0], [2.0]], "there are 1 targets and 2 predictions"),
        ([[1.0], [1.0, 2.0]], [[1.0], [1.0]], "task 1 has targets of shape"),
        ([[1.0, 2.0]], [[[1.0], [2.0]]], "task 0 has targets of shape"),
    ],
)
def test_predictions_that_do_not_fit_are_refused(y, predictions, message):
    with pytest.raises(ValueError, match=message):
        metrics.rmse_pooled(y, predictions)


def test_relative_estimation_error_is_the_paper_formula():
    W_true = np.array([[3.0, 0.0], [0.0, 4.0]])
    W = np.array([[3.0, 0.0], [0.0, 1.0]])
    assert metrics.relative_estimation_error(W_true, W) == pytest.approx(3 / 5)
    assert metrics.relative_estimation_error(W_true, 0 * W) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("W_true", "message"),
    [(np.zeros((2, 2)), "W_true is zero"), (np.ones((2, 3)), "the truth has shape")],
)
def test_meaningless_estimation_errors_are_refused(W_true, message):
    with pytest.raises(ValueError, match=message):
        metrics.relative_estimation_error(W_true, np.ones((2, 2)))


def test_support_recovery_counts_hits():
    recovery = metrics.support_recovery([[1, 2, 0, 0]], [[5, 0, 6, 7]])
    assert recovery.precision == pytest.approx(1 / 3)
    assert recovery.recall == pytest.approx(1 / 2)
    assert recovery.f1 == pytest.approx(2 / 5)


@pytest.mark.parametrize(
    ("true", "found", "precision", "recall", "f1"),
    [([0], [0], 1, 1, 1), ([1], [0], 1, 0, 0), ([0], [1], 0, 1, 0)],
)
def test_recovery_is_defined_where_nothing_is_found(true, found, precision, recall, f1):
    recovery = metrics.support_recovery(true, found)
    assert (recovery.precision, recovery.recall, recovery.f1) == (precision, recall, f1)


def test_keeping_all_variables_recovers_no_irrelevant_one():
    syn = make_syn(1, n_train=1, n_test=1, random_state=0)
    everything = np.ones((25, 3))
    kept = metrics.variable_recovery(syn.U, everything)
    removed = metrics.irrelevant_recovery(syn.U, everything)
    assert (kept.recall, kept.precision) == (1.0, pytest.approx(0.8))
    assert (removed.recall, removed.f1) == (0.0, 0.0)
    assert metrics.irrelevant_recovery(syn.U, syn.U[:, ::-1]).f1 == 1.0


def test_pairs_of_tasks_are_recovered_with_overlap():
    V_true = np.array([[1, 1, 0], [0, 1, 1]])  # pairs 0-1 and 1-2
    V = np.array([[1, 1, 0], [0, 0, 1]])  # pair 0-1
    recovery = metrics.task_pair_recovery(V_true, V)
    assert (recovery.n_true, recovery.n_found, recovery.n_hits) == (2, 1, 1)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_truth_is_recovered_whatever_the_order_of_its_bases(number):
    V = make_syn(number, n_train=1, n_test=1, random_state=0).V
    shuffled = -2.0 * V[[3, 0, 4, 1, 2]]
    assert metrics.task_pair_recovery(V, shuffled).f1 == 1.0
    assert metrics.omega_index(V, shuffled) == pytest.approx(1.0)
    assert metrics.pattern_adjusted_rand(V, shuffled) == pytest.approx(1.0)


def test_omega_sees_a_lost_overlap_that_patterns_do_not():
    V_true = np.array([[1, 1, 1, 1], [0, 0, 1, 1]])  # group 2 overlaps group 1
    V = np.array([[1, 1, 0, 0], [0, 0, 1, 1]])  # the groups are disjoint
    assert metrics.pattern_adjusted_rand(V_true, V) == pytest.approx(1.0)
    assert metrics.omega_index(V_true, V) < 0.5


def test_omega_equals_adjusted_rand_for_disjoint_groups(rng):
    first, second = rng.integers(0, 3, size=(2, 30))
    V_true, V = np.eye(3)[:, first], np.eye(3)[:, second]
    assert metrics.omega_index(V_true, V) != pytest.approx(1.0)
    # A pair of tasks then shares no basis or one, and the two formulae coincide.
    assert metrics.omega_index(V_true, V) == pytest.approx(
        metrics.pattern_adjusted_rand(V_true, V), abs=1e-12
    )


def test_unrelated_groups_score_about_nothing(rng):
    V_true, V = rng.random((2, 4, 200)) < 0.4
    assert metrics.omega_index(V_true, V) == pytest.approx(0.0, abs=0.02)


@given(V=SUPPORTS, order=st.permutations(range(3)))
def test_group_scores_do_not_see_the_order_of_bases(V, order):
    assert metrics.omega_index(V, V[order]) == pytest.approx(1.0)
    assert metrics.task_pair_recovery(V, V[order]).f1 == 1.0
    assert metrics.pattern_adjusted_rand(V, V[order]) == pytest.approx(1.0)


def test_one_task_has_no_pairs_to_miss():
    V_true, V = np.array([[1.0], [0.0]]), np.array([[0.0], [1.0]])
    assert metrics.omega_index(V_true, V) == 1.0
    assert metrics.task_pair_recovery(V_true, V).f1 == 1.0
