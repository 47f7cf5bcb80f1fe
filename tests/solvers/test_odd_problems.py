"""Problems of odd scale and shape: a fit that has converged is optimal by blocks."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from vstg import solve_vstg
from vstg.kernels import possible_gains
from vstg.losses import get_loss
from vstg.objective import Objective

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "bench_odd.py"
spec = spec_from_file_location("bench_odd", SCRIPT)
odd = module_from_spec(spec)
spec.loader.exec_module(odd)
PROBLEMS = odd.problems()
TOL = 1e-4  # the default of the fast solver


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.filterwarnings("ignore:Solution may be inaccurate")
def test_an_interior_point_method_gains_next_to_nothing(name):
    data, loss, options = PROBLEMS[name]
    result = solve_vstg(data, loss=loss, **odd.SETTINGS | options)
    assert result.converged
    assert result.W.any()
    by_U, by_V = odd.shares(data, loss, result)
    assert by_U <= TOL
    assert by_V <= TOL


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_the_bound_is_never_below_what_a_block_gains(loss):
    data = odd.tasks(labels=loss == "logistic")
    rng = np.random.default_rng(3)
    for n_iter in (1, 3):
        result = solve_vstg(data, loss=loss, max_iter=n_iter, **odd.SETTINGS)
        for shift in (0.0, 0.05):
            U = result.U + shift * rng.normal(size=result.U.shape)
            objective = Objective(data, get_loss(loss), result.settings)
            s, terms = result.settings, objective.terms(U, result.V)
            slope = objective.gradient_W(U, result.V)[0]
            bounds = possible_gains(
                np.ascontiguousarray(slope.T), np.ascontiguousarray(U),
                np.ascontiguousarray(result.V.T), s.gamma1, s.gamma2, s.mu, s.k,
                np.array(list(terms.values())), np.empty(U.shape[::-1]),
                np.empty((3, U.shape[1])),
            )  # fmt: skip
            value = sum(terms.values())
            best_U = odd.best_with_U(data, loss, s, result.V, 1.0) + terms["k_support"]
            best_V = odd.best_with_V(data, loss, s, U, 1.0)
            best_V += terms["l1"] + terms["l1_inf"]
            assert bounds[0] >= value - best_U - 1e-9
            assert bounds[1] >= value - best_V - 1e-9


@pytest.mark.parametrize("unit", [1e-8, 1e8])
def test_units_of_columns_do_not_change_the_fit(unit):
    """With strengths that follow the units the iterates are the same."""
    plain = odd.tasks()
    scaled = odd.tasks(scales=unit)
    one = solve_vstg(plain, **odd.SETTINGS)
    other = solve_vstg(
        scaled, **odd.SETTINGS | {"gamma1": 0.02 * unit, "gamma2": 0.02 * unit},
        init=(one.U / unit, one.V),
    )  # fmt: skip
    assert other.converged
    assert other.objective <= one.objective * (1 + 1e-12)
    np.testing.assert_allclose(other.W * unit, one.W, atol=1e-3)


@pytest.mark.filterwarnings("ignore:Solution may be inaccurate")
def test_an_unfinished_fit_is_told_apart():
    data, loss, options = PROBLEMS["separable, γ = 1e-5"]
    result = solve_vstg(data, loss=loss, max_iter=4, **odd.SETTINGS | options)
    assert not result.converged
    assert max(odd.shares(data, loss, result)) > TOL


def test_separable_labels_take_tens_of_iterations():
    data, loss, options = PROBLEMS["separable, γ = 1e-5"]
    assert solve_vstg(data, loss=loss, **odd.SETTINGS | options).n_iter <= 60
