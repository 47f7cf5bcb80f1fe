"""Index, groups and bounds over resamples, against their definitions and limits."""

from itertools import combinations

import numpy as np
import pytest

from vstg.datasets import make_syn
from vstg.model_selection import stability
from vstg.model_selection.certainty import (
    bound_in_words,
    consensus_groups,
    pairs_bound,
    stability_index,
    subsample_bound,
)
from vstg.model_selection.stability import draw

SETTING = {
    "n_latent": 5, "k": 1, "gamma1": 2**-3, "gamma2": 2**-4, "cut": 0.2, "relax": 0.0,
}  # fmt: skip


@pytest.fixture(scope="module")
def syn():
    return make_syn(1, random_state=0, n_train=80, noise=0.5)


@pytest.fixture(scope="module")
def found(syn):
    return stability(syn.train, scheme="pairs", n_resamples=10, **SETTING)


def test_the_index_is_kunchevas_where_all_selections_are_of_one_size(rng):
    D, q, M = 12, 4, 6
    Z = np.zeros((M, D), dtype=bool)
    for row in Z:
        row[rng.choice(D, q, replace=False)] = True
    overlaps = [(a & b).sum() for a, b in combinations(Z, 2)]
    expected = np.mean([(o * D - q * q) / (q * (D - q)) for o in overlaps])
    assert stability_index(Z).value == pytest.approx(expected)


def test_the_index_has_its_limits(rng):
    same = np.tile(np.arange(20) < 7, (5, 1))
    assert stability_index(same) == (1.0, 1.0, 1.0)
    random = stability_index(rng.random((400, 30)) < 0.3)
    assert random.low < 0 < random.high
    assert np.isnan(stability_index(np.ones((5, 3))).value)
    assert np.isnan(stability_index(same[:1]).value)


def test_the_interval_covers_the_index_of_many_more_selections(rng):
    p = np.where(np.arange(40) < 10, 0.8, 0.1)
    limit = stability_index(rng.random((100_000, 40)) < p).value
    drawn = [stability_index(rng.random((60, 40)) < p) for _ in range(300)]
    covered = np.mean([one.low <= limit <= one.high for one in drawn])
    assert 0.9 < covered < 0.99


def test_groups_are_the_blocks_of_the_co_membership():
    co = np.full((6, 6), 0.1)
    co[:3, :3], co[3:5, 3:5] = 0.9, 0.7
    groups = consensus_groups(co)
    assert [group.tasks for group in groups] == [(0, 1, 2), (3, 4), (5,)]
    np.testing.assert_allclose([g.cohesion for g in groups], [0.9, 0.7, 0.9])
    assert consensus_groups(np.ones((1, 1)))[0].tasks == (0,)


def test_the_bounds_are_those_of_their_papers():
    assert subsample_bound(10, 1000, 0.9) == pytest.approx(100 / (0.8 * 1000))
    # Unimodality halves the bound at thresholds up to 3/4, but for terms in 1/B.
    loose, tight = subsample_bound(10, 1000, 0.7), pairs_bound(10, 1000, 0.7, 10**9)
    assert tight == pytest.approx(loose / 2)
    both = [pairs_bound(10, 1000, t, 10**9) for t in (0.75, 0.75 + 1e-12)]
    assert both[0] == pytest.approx(both[1])
    assert np.isnan(pairs_bound(20, 25, 0.9, 50))  # far too many are selected
    assert np.isnan(subsample_bound(1, 25, 0.5))


def test_a_bound_that_says_nothing_is_called_that():
    assert "No bound" in bound_in_words([20.0, float("nan")], 20, 0.9)
    assert "at most 0.4" in bound_in_words([0.4], 10, 0.9)
    assert "No variable" in bound_in_words([0.4], 0, 0.9)


def test_halves_complement_each_other():
    for n in (2, 7, 8):
        first, second = (
            draw(n, None, "pairs", np.random.default_rng(3), half) for half in (0, 1)
        )
        assert sorted([*first, *second]) == list(range(n))
        assert abs(len(first) - len(second)) <= 1
    labels = np.array([[1.0], [1.0], [-1.0]])
    halves = [draw(3, labels, "pairs", np.random.default_rng(0), h) for h in (0, 1)]
    assert all(2 in half for half in halves)  # the only row of its class


def test_pairs_with_cut_and_refit_find_the_truth_and_are_sure(syn, found):
    relevant = syn.U.any(axis=1)
    assert found.variables[relevant].min() == 1.0
    assert found.variables[~relevant].max() < 0.5
    assert [group.tasks for group in found.groups] == [
        tuple(range(4 * g, 4 * g + 4)) for g in range(5)
    ]
    assert min(group.cohesion for group in found.groups) > 0.8
    assert found.index.value > 0.8
    assert found.selected.shape == (10, 25)
    assert "No bound" in found.bounds(0.9)


def test_pairs_are_asked_for_in_even_numbers(syn):
    with pytest.raises(ValueError, match="even"):
        stability(syn.train, scheme="pairs", n_resamples=3, **SETTING)
