"""Other factors of the same W: the product is certain, the counts are compared."""

from itertools import combinations

import numpy as np
import pytest

from vstg.datasets import make_syn
from vstg.inspection import refactored
from vstg.inspection.factorisations import FORMS, n_nonzero
from vstg.solvers import solve_vstg


def sparse_factors(seed, D=12, K=4, T=9, share=0.5):
    rng = np.random.default_rng(seed)
    U = rng.normal(size=(D, K)) * (rng.random((D, K)) < share)
    V = rng.normal(size=(K, T)) * (rng.random((K, T)) < share)
    return U, V


def assert_same_product(found, U, V):
    W = U @ V
    np.testing.assert_allclose(found[0] @ found[1], W, atol=1e-10 * np.abs(W).max())


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(6))
def test_the_product_stays(form, seed):
    U, V = sparse_factors(seed)
    found = refactored(U, V, form)
    assert_same_product(found, U, V)
    assert found[0].shape[1] == np.linalg.matrix_rank(U @ V)


@pytest.mark.parametrize("form", FORMS)
def test_the_product_of_a_fit_stays(form):
    syn = make_syn(2, random_state=3)
    fit = solve_vstg(syn.train, n_latent=6, k=2, gamma1=2**-5, gamma2=2**-5)
    assert_same_product(refactored(fit.U, fit.V, form), fit.U, fit.V)


@pytest.mark.parametrize("form", FORMS)
def test_bases_that_are_idle_or_repeated_are_left_out(form):
    U, V = sparse_factors(1)
    twice = np.column_stack([U, U[:, 0], np.ones(len(U))])
    wide = np.vstack([V, V[1], np.zeros(V.shape[1])])
    found = refactored(twice, wide, form)
    assert_same_product(found, twice, wide)
    assert found[0].shape[1] == np.linalg.matrix_rank(twice @ wide) < 6


@pytest.mark.parametrize("form", FORMS)
def test_nothing_stays_nothing(form):
    U, V = refactored(np.zeros((3, 2)), np.ones((2, 4)), form)
    assert U.shape == (3, 0)
    assert V.shape == (0, 4)


def test_bases_are_the_sparsest_tasks_or_variables_that_span_the_others():
    U, V = sparse_factors(5, D=7, K=3, T=7)
    W = U @ V
    left, right = refactored(U, V, "tasks")
    sizes = np.count_nonzero(W, axis=0)
    lightest = min(
        sum(sizes[list(some)])
        for some in combinations(range(7), 3)
        if np.linalg.matrix_rank(W[:, some], tol=1e-9) == 3
    )
    assert np.count_nonzero(left) == lightest
    pure = [j for j in range(7) if np.count_nonzero(right[:, j]) == 1]
    assert len(pure) >= 3
    over, under = refactored(V.T, U.T, "variables")
    np.testing.assert_allclose(under.T, left)
    np.testing.assert_allclose(over.T, right)


@pytest.mark.parametrize("number", [1, 3])
def test_what_shears_have_hidden_is_found_again(number):
    truth = make_syn(number, random_state=0).truth
    rng = np.random.default_rng(0)
    M = np.eye(5) + 0.5 * rng.normal(size=(5, 5))
    U, V = truth.U @ M, np.linalg.solve(M, truth.V)
    assert n_nonzero((U, V)) > 2 * n_nonzero((truth.U, truth.V))
    found = refactored(U, V, "sparse")
    assert_same_product(found, U, V)
    assert n_nonzero(found) <= n_nonzero((truth.U, truth.V))


@pytest.mark.parametrize("seed", range(4))
def test_sparse_has_no_more_non_zeros_than_any_other_form(seed):
    U, V = sparse_factors(seed)
    count = n_nonzero(refactored(U, V, "sparse"))
    assert count <= min(n_nonzero(refactored(U, V, f)) for f in ("tasks", "variables"))
    if np.linalg.matrix_rank(U @ V) == U.shape[1]:
        assert count <= n_nonzero((U, V))


def test_an_unknown_form_is_named():
    with pytest.raises(ValueError, match="'dense' is unknown"):
        refactored(np.eye(2), np.eye(2), "dense")
