import numpy as np
import pytest

from vstg.kernels import shear_bases
from vstg.penalties import SparseRows, SquaredKSupport

STRENGTHS = (0.3, 0.2, 0.1, 2)


def penalty(U, Vt):
    gamma1, gamma2, mu, k = STRENGTHS
    return SparseRows(gamma1, gamma2).value(U) + SquaredKSupport(mu, k).value(Vt.T)


def test_shears_keep_the_product_and_lower_the_penalty_by_what_they_say(rng):
    U, Vt = rng.normal(size=(12, 4)), rng.normal(size=(9, 4))
    product, before = U @ Vt.T, penalty(U, Vt)
    gain = shear_bases(U, Vt, *STRENGTHS)
    np.testing.assert_allclose(U @ Vt.T, product, atol=1e-12)
    assert gain > 0.01 * before
    assert penalty(U, Vt) == pytest.approx(before - gain)


def test_shears_undo_a_mixing_of_sparse_bases(rng):
    U, Vt = np.kron(np.eye(3), np.ones((4, 1))), np.kron(np.eye(3), np.ones((3, 1)))
    best = penalty(U, Vt)
    mix = np.eye(3) + 0.2 * rng.normal(size=(3, 3))
    U, Vt = U @ mix, Vt @ np.linalg.inv(mix).T
    mixed = penalty(U, Vt)
    for _ in range(30):
        shear_bases(U, Vt, *STRENGTHS)
    assert penalty(U, Vt) - best < 0.2 * (mixed - best)


def test_zero_bases_are_left_alone():
    U, Vt = np.zeros((5, 2)), np.zeros((4, 2))
    assert shear_bases(U, Vt, *STRENGTHS) == 0.0
    assert not U.any()
    assert not Vt.any()


def test_bases_that_share_nothing_gain_nothing_by_a_shear():
    U, Vt = np.kron(np.eye(3), np.ones((4, 1))), np.kron(np.eye(3), np.ones((3, 1)))
    before = penalty(U, Vt)
    for r, s in ((0, 1), (1, 0), (0, 2)):
        for t in (-2.0, -0.1, 0.1, 2.0):
            sheared_U, sheared_Vt = U.copy(), Vt.copy()
            sheared_U[:, r] += t * U[:, s]
            sheared_Vt[:, s] -= t * Vt[:, r]
            assert penalty(sheared_U, sheared_Vt) > before
    assert shear_bases(U, Vt, *STRENGTHS) == 0.0
