"""What a preset says is what its fit shows."""

import numpy as np
import pytest

from pages.explore.results.findings import find
from pages.shared.fits import live
from pages.shared.state.choices import choices
from pages.shared.state.parameters import OPENING
from pages.shared.state.presets import PRESETS


@pytest.fixture(scope="module", autouse=True)
def compiled():
    live.warm_up()


def shown(name, **other):
    """The findings of a preset, some controls moved."""
    chosen = choices({**PRESETS[name].values, **other})
    return find(live.fit(chosen), live.load(chosen.data))


def bases_per_task(factors):
    return (factors.V.to_numpy() != 0).sum(axis=0)


def same_pattern(estimate, true):
    return np.array_equal(estimate.to_numpy() != 0, true.to_numpy() != 0)


def relevant_found(found):
    """How many variables are right, wrong and missed."""
    return tuple(found.count(status) for status in ("right", "wrong", "missed"))


def test_explore_opens_on_the_truth():
    found = shown("fig2")
    assert PRESETS["fig2"].values == OPENING
    assert relevant_found(found) == (20, 0, 0)
    assert len(found.proper_groups) == 5
    assert same_pattern(found.estimate.U, found.truth.U)
    assert same_pattern(found.estimate.V, found.truth.V)
    assert {len(found.variables_of(group)) for group in found.proper_groups} == {4}
    assert {len(group.tasks) for group in found.proper_groups} == {4}


def test_true_matrices_stay_in_their_own_order():
    found = shown("fig2")
    truth = live.load(choices(OPENING).data).truth
    assert np.array_equal(found.truth.U.to_numpy(), truth.U)
    assert np.array_equal(found.truth.V.to_numpy(), truth.V)


def test_overlapping_groups_overlap_in_V():
    found = shown("overlap")
    assert set(bases_per_task(found.estimate)) == {2}
    assert same_pattern(found.estimate.U, found.truth.U)
    assert same_pattern(found.estimate.V, found.truth.V)
    assert len(found.proper_groups) == 4
    assert found.shares_bases


def test_overlap_moves_into_U_with_k_of_1():
    found = shown("overlap", k=1)
    assert set(bases_per_task(found.estimate)) == {1}
    assert not found.shares_bases
    assert found.n_in_several > 0
    assert shown("overlap").n_in_several == 0


def test_k_support_lets_every_task_combine_two_bases():
    found = shown("ksupport")
    assert set(bases_per_task(found.estimate)) == {2}
    assert same_pattern(found.estimate.V, found.truth.V)
    assert found.n_in_several > 0  # bases share variables
    alone = bases_per_task(shown("ksupport", k=1).estimate)
    assert set(alone) == {1}


def test_too_much_gamma2_misses_relevant_variables():
    right, wrong, missed = relevant_found(shown("too_sparse"))
    assert wrong == 0
    assert missed >= 10
    assert right + missed == 20


def test_too_little_keeps_everything_and_predicts_worse():
    found = shown("too_loose")
    assert found.n_selected == 25
    assert bases_per_task(found.estimate).mean() > 4
    assert found.agreement.groups < 0.1
    assert found.errors.test > 1.05 * shown("fig2").errors.test


def test_K_too_small_merges_groups():
    found = shown("too_few")
    assert len(found.proper_groups) < 5
    assert found.count("missed") > 0
    assert found.errors.test > 2 * shown("fig2").errors.test


def test_what_was_lost_is_back_with_enough_bases():
    assert relevant_found(shown("too_few", K=5)) == (20, 0, 0)
