"""Theorem 1 against numbers worked out by hand, and its freedom of scale."""

from math import log, sqrt

import numpy as np
import pytest

from vstg import MultiTaskData, solve_vstg
from vstg.theory import excess_risk_bound

# Second moments diag(9, 16)/2 and diag(4, 4)/2.
X = [[[3.0, 0.0], [0.0, 4.0]], [[2.0, 0.0], [0.0, 2.0]]]
DATA = MultiTaskData(X, [[1.0, 2.0], [0.0, 1.0]])
U = np.array([[1.0, -0.5], [0.0, 0.25]])
V = np.array([[3.0, 1.0], [4.0, 0.0]])


def test_every_number_of_a_small_example_by_hand():
    bound = excess_risk_bound(DATA, U, V, k=1, c1=2.0, c2=3.0, delta=0.1)
    assert (bound.n_samples, bound.n_tasks, bound.n_latent) == (2.0, 2, 2)
    assert bound.mean_trace == pytest.approx((12.5 + 4.0) / 2)
    assert bound.mean_top_eigenvalue == pytest.approx((8.0 + 2.0) / 2)
    assert bound.alpha1 == pytest.approx(1.75)
    assert bound.alpha2 == pytest.approx(1.25)
    assert bound.beta == pytest.approx(7.0)  # k = 1 is the l1 norm
    assert bound.representation == pytest.approx(2 * 7 * 2 * sqrt(8.25 / 4))
    assert bound.weights == pytest.approx(3 * 7 * sqrt(2 * 5.0 / 2))
    assert bound.confidence == pytest.approx(sqrt(8 * log(20) / 4))
    parts = (bound.representation, bound.weights, bound.confidence)
    assert bound.total == pytest.approx(sum(parts))
    assert bound.is_vacuous


def test_beta_is_the_k_support_norm_of_the_longest_column():
    assert excess_risk_bound(DATA, U, V, k=2).beta == pytest.approx(5.0)  # l2 at k = K


def test_condition_and_the_scale_that_meets_it():
    bound = excess_risk_bound(DATA, U, V, k=2)
    assert not bound.applies  # 1.75² > 2
    assert bound.scale == pytest.approx(sqrt(2) / 1.75)
    moved = bound.rescaled()
    assert moved.applies
    assert moved.alpha1**2 == pytest.approx(2.0)
    assert moved.beta == pytest.approx(5.0 * 1.75 / sqrt(2))
    assert moved.total > bound.total  # what the condition costs
    assert moved.alpha1 * moved.beta == pytest.approx(bound.alpha1 * bound.beta)
    assert moved.rescaled().total == pytest.approx(moved.total)


def test_a_model_within_the_condition_gains_by_rescaling():
    bound = excess_risk_bound(DATA, U / 4, V, k=2)
    assert bound.applies
    assert bound.scale > 1
    assert bound.rescaled().total < bound.total


@pytest.mark.parametrize("s", [0.1, 7.0])
def test_the_rescaled_bound_depends_on_the_product_only(s):
    one = excess_risk_bound(DATA, U, V, k=1).rescaled()
    other = excess_risk_bound(DATA, s * U, V / s, k=1).rescaled()
    assert other.total == pytest.approx(one.total)
    assert other.alpha2 == pytest.approx(one.alpha2)


def test_frame_holds_both_scales():
    bound = excess_risk_bound(DATA, U, V, k=1)
    frame = bound.frame
    assert frame.loc["total", "as_given"] == bound.total
    assert frame.loc["weights", "rescaled"] == bound.rescaled().weights
    np.testing.assert_allclose(frame.iloc[:3].sum(), frame.loc["total"])


def test_zero_model_leaves_the_third_term():
    bound = excess_risk_bound(DATA, 0 * U, V, k=1)
    assert bound.applies
    assert bound.scale == np.inf
    assert bound.rescaled().total == bound.confidence


def test_unequal_sizes(regression, rng):
    U, V = rng.normal(size=(5, 2)), rng.normal(size=(2, 4))
    n = regression.n_samples
    assert len(set(n)) > 1
    bound = excess_risk_bound(regression, U, V, k=1, delta=0.05)
    by_hand = sqrt(8 * log(40) * sum(1 / n) / regression.n_tasks**2)
    assert bound.confidence == pytest.approx(by_hand)
    safe = excess_risk_bound(regression, U, V, k=1, sizes="smallest")
    assert safe.n_samples == n.min()
    assert safe.total > bound.total


def test_covariances_are_second_moments_unless_centred(regression, rng):
    U, V = rng.normal(size=(5, 2)), rng.normal(size=(2, 4))
    for centred in (False, True):
        bound = excess_risk_bound(regression, U, V, k=1, centred=centred)
        covariances = [
            np.cov(X.T, bias=True) if centred else X.T @ X / len(X)
            for X in regression.X
        ]
        traces = [np.trace(C) for C in covariances]
        tops = [np.linalg.eigvalsh(C)[-1] for C in covariances]
        assert bound.mean_trace == pytest.approx(np.mean(traces))
        assert bound.mean_top_eigenvalue == pytest.approx(np.mean(tops))


def test_shared_design_gives_the_same_numbers(rng):
    X, Y = rng.normal(size=(9, 3)), rng.normal(size=(9, 2))
    shared = MultiTaskData.from_multioutput(X, Y)
    apart = MultiTaskData([X, X.copy()], list(Y.T))
    U, V = rng.normal(size=(3, 2)), rng.normal(size=(2, 2))
    assert shared.shared_X
    assert not apart.shared_X
    assert excess_risk_bound(shared, U, V, k=1) == excess_risk_bound(apart, U, V, k=1)


def test_stronger_penalties_tighten_the_bound(regression):
    # What the paper concludes from the theorem: large γ1 and μ lower α1 and β.
    totals = []
    for gamma in (2**-8, 2**-4, 2**-1):
        settings = {"n_latent": 2, "k": 1, "gamma1": gamma, "gamma2": gamma}
        fit = solve_vstg(regression, fit_intercept=True, **settings)
        bound = excess_risk_bound(regression, fit.U, fit.V, k=1, centred=True)
        totals.append(bound.rescaled().total)
    assert totals == sorted(totals, reverse=True)
    assert totals[0] > 1.01 * totals[-1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"delta": 1.0}, "delta=1.0 must lie between 0 and 1"),
        ({"delta": float("nan")}, "delta=nan"),
        ({"c1": -1.0}, "c1=-1.0 must be a finite number"),
        ({"c2": float("inf")}, "c2=inf"),
        ({"sizes": "mean"}, "sizes='mean' is unknown"),
        ({"k": 3}, "k=3 must lie between 1 and"),
        ({"U": U.T[:1]}, r"U has the shape \(1, 2\).* need \(2, K\) and \(K, 2\)"),
        ({"V": V[:, :1]}, r"V \(2, 1\)"),
    ],
)
def test_refusals(change, message):
    arguments = {"U": U, "V": V, "k": 1} | change
    with pytest.raises(ValueError, match=message):
        excess_risk_bound(DATA, **arguments)
