"""The numbers that docs/method.md states are those of the code."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import Lasso, Ridge

from vstg.baselines import solve_lasso, solve_ridge
from vstg.data import MultiTaskData
from vstg.estimators import VSTGRegressor
from vstg.model_selection import PAPER_K, PAPER_N_LATENT, PAPER_STRENGTHS
from vstg.model_selection.search import SEARCH_TOL
from vstg.solvers import admm, fast, solve

PAGE = (Path(__file__).parents[2] / "docs" / "method.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("both residuals ≤ {:g}", admm.RESIDUAL_TOL),
        ("ρ = {:g}", admm.RHO),
        ("at most {} iterations", admm.INNER_MAX_ITER),
        ("≤ `tol` ({})", "1e-5" if solve.SOLVERS["admm"].tol == 1e-5 else "?"),
        ("`tol`\n({})", "1e-4" if solve.SOLVERS["fast"].tol == 1e-4 else "?"),
        ("race for {} iterations", fast.RACE),
        ("residuals of {}", "1e-3" if SEARCH_TOL == 1e-3 else "?"),
        ("K ∈ 3, 5, …, {}", max(PAPER_N_LATENT)),
        ("k ∈ {}", ", ".join(map(str, PAPER_K))),
    ],
)
def test_a_number_of_the_page_is_that_of_the_code(words, value):
    assert words.format(value) in PAGE


def test_the_grid_is_that_of_the_page():
    exponents = np.log2(sorted(PAPER_STRENGTHS))
    np.testing.assert_array_equal(exponents, np.arange(-10, 4))
    assert tuple(PAPER_N_LATENT) == (3, 5, 7, 9, 11, 13)
    assert "2^−10 … 2^3" in PAGE


def test_strengths_translate_to_scikit_learn_as_the_page_says(rng):
    X = rng.normal(size=(30, 4))
    y = X @ rng.normal(size=4) + 0.1 * rng.normal(size=30)
    data = MultiTaskData([X], [y])
    ours = solve_lasso(data, gamma1=0.2, tol=1e-10).W[:, 0]
    theirs = Lasso(alpha=0.2, fit_intercept=False, tol=1e-12).fit(X, y).coef_
    np.testing.assert_allclose(ours, theirs, atol=1e-6)
    ours = solve_ridge(data, gamma1=0.2).W[:, 0]
    theirs = Ridge(alpha=0.2 * 2 * len(y), fit_intercept=False).fit(X, y).coef_
    np.testing.assert_allclose(ours, theirs, atol=1e-8)


def test_solvers_have_no_intercept_by_default_and_estimators_have():
    assert not solve.solve_vstg.__kwdefaults__["fit_intercept"]
    assert VSTGRegressor().fit_intercept
