"""The search among supports: least squares, monotone moves, the criterion."""

import numpy as np
import pytest
from scipy.special import expit

from vstg import MultiTaskData
from vstg.datasets import make_syn
from vstg.discovery.criterion import ComplexityPrices, Evidence
from vstg.discovery.local_search import FittedStructure, StructureSearch, all_patterns
from vstg.losses import LogisticLoss


@pytest.fixture(scope="module")
def syn():
    return make_syn(3, random_state=1, n_features=12, n_tasks=8, n_latent=3)


def search_on(syn, weight=1.0):
    evidence = Evidence.of_squares(syn.train, fit_intercept=False)
    prices = ComplexityPrices.of(evidence, weight, syn.train.n_features)
    return StructureSearch(evidence, prices)


def residual_squares(data, W, b=None):
    shift = np.zeros(data.n_tasks) if b is None else b
    rows = zip(data.X, data.y, W.T, shift, strict=True)
    return sum(float(((y - X @ w - s) ** 2).sum()) for X, y, w, s in rows)


@pytest.mark.parametrize("fit_intercept", [False, True])
def test_evidence_is_the_residual_sum_of_squares(syn, rng, fit_intercept):
    data = MultiTaskData([X + 3.0 for X in syn.train.X], syn.train.y)
    evidence = Evidence.of_squares(data, fit_intercept=fit_intercept)
    W = rng.normal(size=syn.W.shape)
    fit = sum(
        w @ A @ w - 2 * b @ w
        for A, b, w in zip(evidence.A, evidence.b, W.T, strict=True)
    )
    means = zip(data.X, data.y, W.T, strict=True)
    best = np.array([(y - X @ w).mean() for X, y, w in means])
    expected = residual_squares(data, W, best if fit_intercept else None)
    assert evidence.base + fit == pytest.approx(expected, rel=1e-9)


def test_a_variable_that_never_changes_in_a_task_is_not_fitted_there(syn):
    """0.1 has no exact mean: what centring leaves of it is not zero."""
    X = [X.copy() for X in syn.train.X]
    X[0][:, :] = 0.1
    X[1][:, 2] = 0.1
    evidence = Evidence.of_squares(MultiTaskData(X, syn.train.y), fit_intercept=True)
    assert not evidence.A[0].any() and not evidence.b[0].any()
    assert not evidence.A[1, 2].any() and not evidence.A[1, :, 2].any()
    assert (np.diagonal(evidence.A[2]) > 0).all()
    search = StructureSearch(evidence, ComplexityPrices.of(evidence, 1.0, 12))
    n_features, n_tasks = syn.W.shape
    only = np.zeros((n_features, 1), dtype=bool)
    only[2] = True
    start = FittedStructure(only.astype(float), np.ones((1, n_tasks)), 0.0)
    fit = search.fitted(start, only, np.ones((1, n_tasks), dtype=bool))
    assert not fit.V[0, :2].any()
    assert np.isfinite(fit.V).all() and fit.V[0, 2:].all()


def test_deviance_of_labels_is_exact_to_second_order(rng):
    X = [rng.normal(size=(60, 3)) for _ in range(2)]
    y = [np.where(rng.random(60) < 0.4, 1.0, -1.0) for _ in range(2)]
    data = MultiTaskData(X, y)
    W, b = rng.normal(size=(3, 2)) / 2, np.array([0.1, -0.3])
    # The intercept is over, so begin where it is best for this W.
    for j in range(2):
        for _ in range(50):
            p = expit(X[j] @ W[:, j] + b[j])
            b[j] += ((y[j] > 0) - p).sum() / (p * (1 - p)).sum()
    evidence = Evidence.around(data, W, b, LogisticLoss())
    step = rng.normal(size=W.shape)

    def approximate(V):
        return evidence.base + sum(
            v @ A @ v - 2 * c @ v
            for A, c, v in zip(evidence.A, evidence.b, V.T, strict=True)
        )

    def exact(V):
        total, start = 0.0, b.copy()
        for j in range(2):
            for _ in range(50):
                p = expit(X[j] @ V[:, j] + start[j])
                start[j] += ((y[j] > 0) - p).sum() / (p * (1 - p)).sum()
            margin = X[j] @ V[:, j] + start[j]
            total += 2 * np.logaddexp(0.0, -y[j] * margin).sum()
        return total

    errors = [abs(approximate(W + h * step) - exact(W + h * step)) for h in (0.1, 0.05)]
    assert approximate(W) == pytest.approx(exact(W), rel=1e-9)
    assert errors[1] < errors[0] / 5  # third order: an eighth


def test_the_fit_on_the_full_support_is_least_squares(syn):
    search = search_on(syn)
    D, T = syn.W.shape
    start = FittedStructure(np.eye(D), np.ones((D, T)), 0.0)
    found = search.fitted(start, np.eye(D, dtype=bool), np.ones((D, T), dtype=bool))
    pairs = zip(syn.train.X, syn.train.y, strict=True)
    W = np.column_stack([np.linalg.lstsq(X, y, rcond=None)[0] for X, y in pairs])
    np.testing.assert_allclose(found.U @ found.V, W, atol=1e-5)


def test_every_move_keeps_the_fit_it_claims_and_lowers_the_score(syn):
    search = search_on(syn)
    rng = np.random.default_rng(0)
    start = FittedStructure(rng.normal(size=(12, 4)), rng.normal(size=(4, 8)), 0.0)
    start = search.fitted(start, *start.support)
    end = search.simplify(search.descend(start))
    assert search.score(end) < search.score(start)
    squares = residual_squares(syn.train, end.U @ end.V)
    assert search.evidence.base + end.fit == pytest.approx(squares)


def test_the_truth_is_where_its_own_descent_ends(syn):
    search = search_on(syn)
    truth = FittedStructure(syn.U.copy(), syn.V.copy(), 0.0)
    end = search.descend(search.fitted(truth, *truth.support))
    assert end.key == truth.key
    # Neither an entry more nor one less would have been as good.
    free_U, free_V = truth.support
    more = free_U.copy()
    more[-1, 0] = True
    assert not free_U[-1, 0]
    assert search.score(search.fitted(end, more, free_V)) > search.score(end)


def test_no_price_at_all_for_nothing(syn):
    search = search_on(syn)
    empty = FittedStructure.empty(12, 8)
    assert search.prices(*empty.support) == 0.0
    assert search.best([], 3).n_bases == 0


def test_patterns_are_all_small_sets():
    patterns, places = all_patterns(4, 2)
    assert len(patterns) == 1 + 4 + 6
    assert all(places[p.tobytes()] == place for place, p in enumerate(patterns))
