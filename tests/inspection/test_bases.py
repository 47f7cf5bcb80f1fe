"""Bases brought into line, tasks into order, and the truth found again."""

import numpy as np
import pytest
from factors_by_hand import U, V
from hypothesis import given
from hypothesis import strategies as st

from vstg import inspection
from vstg.datasets import make_syn


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
