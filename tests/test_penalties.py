import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles import k_support_norm_squared

from vstg.penalties import (
    L1,
    Clusters,
    EntriesOrRows,
    L1Inf,
    RowNorms,
    SparseRows,
    SquaredKSupport,
    k_support_norm,
)

PENALTIES = [
    L1(0.7),
    L1Inf(0.9),
    SparseRows(0.4, 0.8),
    SparseRows(0.0, 0.8),
    SparseRows(0.4, 0.0),
    *[SquaredKSupport(0.6, k) for k in range(1, 7)],
    RowNorms(1.5),
    *[EntriesOrRows(0.7, gamma2) for gamma2 in (0.5, 0.7, 1.9, 9.0)],
    *[Clusters(0.7, 0.2, k) for k in (1, 3, 8)],
]


def fenchel_gap(penalty, point, subgradient):
    """g(p) + g*(s) − <s, p>: zero exactly when s is a subgradient of g at p."""
    inner = np.vdot(subgradient, point)
    return penalty.value(point) + penalty.conjugate(subgradient) - inner


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("step", [1e-3, 0.5, 10.0])
@pytest.mark.parametrize("penalty", PENALTIES, ids=str)
def test_prox_is_certified(penalty, step, scale, rng):
    A = scale * rng.normal(size=(6, 6))
    A[2] = 0.0
    A[:, 3] = A[:, 4]  # ties
    P = penalty.prox(A, step)
    gap = fenchel_gap(penalty, P, (A - P) / step)
    assert abs(gap) <= 1e-9 * max(1.0, scale**2, penalty.value(P))


def test_certificate_sees_a_wrong_prox(rng):
    A = rng.normal(size=(6, 6))
    right, wrong = SquaredKSupport(0.6, 3), SquaredKSupport(0.6, 2)
    P = wrong.prox(A, 0.5)
    assert fenchel_gap(right, P, (A - P) / 0.5) > 1e-3


def test_prox_zeroes_some_entries_and_not_all(rng):
    A = rng.normal(size=(30, 5))
    P = SparseRows(0.5, 1.0).prox(A, 1.0)
    zero_rows = (P == 0).all(axis=1)
    assert zero_rows.any()
    assert not zero_rows.all()
    assert (P[~zero_rows] == 0).any()


def test_prox_of_zero_step_changes_nothing(rng):
    A = rng.normal(size=(4, 5))
    np.testing.assert_array_equal(SquaredKSupport(0.6, 2).prox(A, 0.0), A)
    np.testing.assert_array_equal(SparseRows(0.4, 0.8).prox(A, 0.0), A)


@pytest.mark.parametrize("tiny", [1e-300, 5e-324, 1e-20])
def test_k_support_prox_survives_entries_of_vanishing_size(tiny):
    A = np.array([[1.0], [tiny], [0.5], [tiny], [0.0]])
    P = SquaredKSupport(0.6, 1).prox(A, 0.5)
    without = SquaredKSupport(0.6, 1).prox(A[[0, 2]], 0.5)
    np.testing.assert_allclose(P[[0, 2]], without)
    assert np.abs(P[[1, 3, 4]]).max() <= tiny


@given(
    exponents=st.lists(st.floats(-18, 3), min_size=2, max_size=8),
    k=st.integers(1, 8),
    step=st.sampled_from([1e-6, 1e-2, 1.0, 1e3]),
)
@example(exponents=[1.0, 1.0, 1.0, -3.0, -3.0], k=3, step=1e-6)  # a plateau at k
@example(exponents=[0.0, 0.0, -17.0, -17.5], k=2, step=1e-2)
def test_k_support_prox_is_certified_for_entries_of_any_size(exponents, k, step):
    A = 10.0 ** np.array(exponents)[:, None]
    penalty = SquaredKSupport(0.6, min(k, len(A)))
    P = penalty.prox(A, step)
    assert np.isfinite(P).all()
    gap = fenchel_gap(penalty, P, (A - P) / step)
    scale = max(penalty.value(P), (A**2).sum() / step)
    assert abs(gap) <= 1e-9 * scale


def test_k_support_prox_takes_a_step_for_each_column(rng):
    A, steps = rng.normal(size=(4, 3)), np.array([0.1, 1.0, 5.0])
    penalty = SquaredKSupport(0.6, 2)
    together = penalty.prox(A, steps)
    for j, step in enumerate(steps):
        np.testing.assert_allclose(together[:, j], penalty.prox(A, step)[:, j])


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_proposition_2_1_equals_the_variational_norm(k, rng):
    for w in (rng.normal(size=5), np.array([3.0, 1, 1, 1, 0]), np.zeros(5)):
        assert k_support_norm(w, k) ** 2 == pytest.approx(
            k_support_norm_squared(w, k), rel=1e-6, abs=1e-9
        )


def test_k_support_norm_runs_from_l1_to_l2(rng):
    w = rng.normal(size=7)
    assert k_support_norm(w, 1) == pytest.approx(np.abs(w).sum())
    assert k_support_norm(w, 7) == pytest.approx(np.linalg.norm(w))
    values = [k_support_norm(w, k) for k in range(1, 8)]
    assert (np.diff(values) < 0).all()


@pytest.mark.parametrize("k", [0, 8])
def test_k_outside_the_vector_is_refused(k):
    with pytest.raises(ValueError, match=f"k={k} must lie between 1 and .* 7"):
        k_support_norm(np.ones(7), k)


def test_k_equal_1_shrinks_like_the_squared_l1_norm(rng):
    """The prox of (shift/2)‖·‖_1² is soft thresholding at shift·‖p‖_1."""
    w = rng.normal(size=(6, 1))
    p = SquaredKSupport(0.5, 1).prox(w, 0.8)
    level = 2 * 0.5 * 0.8 * np.abs(p).sum()
    np.testing.assert_allclose(p, np.sign(w) * np.maximum(np.abs(w) - level, 0))


def test_k_equal_K_is_ridge_shrinkage(rng):
    w = rng.normal(size=(6, 2))
    np.testing.assert_allclose(
        SquaredKSupport(0.5, 6).prox(w, 0.8), w / (1 + 2 * 0.5 * 0.8)
    )
