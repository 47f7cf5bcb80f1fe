"""The synthetic problems have the structure the paper gives them."""

import numpy as np
import pytest

from vstg.datasets import make_syn

ALL = [1, 2, 3, 4]


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.mark.parametrize(
    ("number", "n_irrelevant", "n_variables_a_basis"),
    [(1, 5, 4), (2, 5, 4), (3, 7, 6), (4, 7, 6)],
)
def test_last_variables_are_irrelevant(number, n_irrelevant, n_variables_a_basis):
    syn = make_syn(number, random_state=0)
    assert syn.U.shape == (25, 5)
    expected = np.arange(25) < 25 - n_irrelevant
    np.testing.assert_array_equal(syn.relevant, expected)
    np.testing.assert_array_equal((syn.U != 0).sum(axis=0), n_variables_a_basis)
    assert np.all(syn.W[~syn.relevant] == 0)


@pytest.mark.parametrize("number", [1, 2])
def test_orthogonal_bases_have_no_variable_in_common(number):
    U = make_syn(number, random_state=0).U
    gram = U.T @ U
    np.testing.assert_array_equal(gram, np.diag(np.diag(gram)))
    np.testing.assert_array_equal(np.flatnonzero(U[:, 2]), [8, 9, 10, 11])


@pytest.mark.parametrize("number", [3, 4])
def test_correlated_bases_share_half_their_variables_with_the_next(number):
    support = make_syn(number, random_state=0).U != 0
    np.testing.assert_array_equal(np.flatnonzero(support[:, 1]), np.arange(3, 9))
    shared = [np.sum(support[:, r] & support[:, r + 1]) for r in range(4)]
    assert shared == [3, 3, 3, 3]
    assert not np.any(support[:, 0] & support[:, 2])


@pytest.mark.parametrize("number", [1, 3])
def test_disjoint_groups_have_four_tasks_and_one_basis(number):
    syn = make_syn(number, random_state=0)
    blocks = tuple(tuple(range(4 * r, 4 * r + 4)) for r in range(5))
    assert syn.groups == blocks
    assert syn.basis_tasks == blocks


@pytest.mark.parametrize("number", [2, 4])
def test_overlapping_blocks_use_two_neighbouring_bases(number):
    syn = make_syn(number, random_state=0)
    bases = [np.flatnonzero(v).tolist() for v in syn.V.T]
    assert bases == [[r, r + 1] for r in [0, 1, 2, 3, 3] for _ in range(4)]
    assert [len(group) for group in syn.groups] == [4, 4, 4, 8]
    assert [len(tasks) for tasks in syn.basis_tasks] == [4, 8, 8, 12, 8]


@pytest.mark.parametrize("number", ALL)
def test_values_have_the_distributions_of_the_paper(number):
    sizes = {"n_features": 2500, "n_tasks": 500, "n_train": 1, "n_test": 1}
    syn = make_syn(number, **sizes, random_state=0)
    u, v = syn.U[syn.U != 0], syn.V[syn.V != 0]
    assert u.mean() == pytest.approx(1.0, abs=0.02)
    assert u.std() == pytest.approx(0.25, abs=0.02)
    assert v.min() >= 1.0
    assert v.max() <= 1.5
    assert v.mean() == pytest.approx(1.25, abs=0.02)
    assert v.std() == pytest.approx(0.5 / np.sqrt(12), abs=0.01)


def test_observations_follow_the_linear_model():
    syn = make_syn(1, n_train=4000, noise=0.5, random_state=0)
    X, y = syn.train.X[3], syn.train.y[3]
    residual = y - X @ syn.W[:, 3]
    assert residual.std() == pytest.approx(0.5, abs=0.02)
    np.testing.assert_allclose(X.T @ X / len(X), np.eye(25), atol=0.1)


def test_without_noise_the_targets_are_the_model():
    syn = make_syn(4, noise=0.0, random_state=0)
    np.testing.assert_allclose(syn.test.y[7], syn.test.X[7] @ syn.W[:, 7])


def test_paper_sizes_by_default():
    syn = make_syn(1, random_state=0)
    assert (syn.train.n_tasks, syn.train.n_features) == (20, 25)
    assert set(syn.train.n_samples) == {50}
    assert set(syn.test.n_samples) == {100}


@pytest.mark.parametrize("number", ALL)
def test_same_seed_same_problem_and_other_seed_another(number):
    first, again = make_syn(number, random_state=3), make_syn(number, random_state=3)
    other = make_syn(number, random_state=4)
    assert first.train.fingerprint == again.train.fingerprint
    assert first.train.fingerprint != other.train.fingerprint
    assert first.train.fingerprint != first.test.subset().fingerprint


@pytest.mark.parametrize("changed", [{"n_train": 7}, {"n_test": 9}, {"noise": 5.0}])
def test_truth_depends_on_the_seed_only(changed):
    plain, other = make_syn(2, random_state=1), make_syn(2, random_state=1, **changed)
    np.testing.assert_array_equal(plain.W, other.W)


def test_fewer_rows_are_the_first_of_more_rows():
    few, many = make_syn(2, n_train=7, random_state=1), make_syn(2, random_state=1)
    np.testing.assert_array_equal(few.train.X[5], many.train.X[5][:7])
    np.testing.assert_allclose(few.train.y[5], many.train.y[5][:7])


def test_tasks_have_observations_of_their_own():
    train = make_syn(1, random_state=0).train
    assert not train.shared_X
    assert not np.array_equal(train.X[0], train.X[1])


def test_a_generator_gives_a_new_problem_at_every_call(rng):
    assert not np.array_equal(
        make_syn(1, random_state=rng).W, make_syn(1, random_state=rng).W
    )


@pytest.mark.parametrize("number", ALL)
def test_larger_problems_keep_the_proportions(number):
    syn = make_syn(number, n_features=250, n_tasks=203, n_latent=10, random_state=0)
    assert np.linalg.matrix_rank(syn.W) == 10
    assert 0.6 <= syn.relevant.mean() <= 0.8
    sizes = [len(tasks) for tasks in syn.basis_tasks]
    assert min(sizes) >= 20
    assert all(len(np.flatnonzero(v)) in (1, 2) for v in syn.V.T)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"number": 5}, "number=5 must be 1, 2, 3 or 4"),
        ({"number": 1, "n_features": 4}, "n_features=4 is too few for n_latent=5"),
        ({"number": 3, "n_features": 8}, "n_features=8 is too few for n_latent=5"),
        ({"number": 1, "n_tasks": 4}, "n_tasks=4 must be at least n_latent=5"),
        ({"number": 2, "n_latent": 1}, "n_latent=1 must be at least 2"),
        ({"number": 1, "n_latent": 0}, "n_latent=0 must be at least 1"),
        ({"number": 1, "n_train": 0}, "n_train=0 and n_test=100 must be at least 1"),
        ({"number": 1, "noise": -1.0}, "noise=-1.0 must not be negative"),
    ],
)
def test_impossible_sizes_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        make_syn(**options)
