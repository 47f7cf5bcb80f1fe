"""The start of the baselines that factor W, after eqs. (7)–(8) of the paper."""

import numpy as np

from vstg.data import Array
from vstg.problem import Problem
from vstg.solvers.initial import smooth_coefficients

SHARE = 1 / 8  # a start as strongly shrunk as the solution loses bases it needs


def start_coefficients(problem: Problem, gamma1: float, gamma2: float) -> Array:
    """Ridge for each task, of a strength that depends on γ1²γ2 alone.

    So do the methods: with the best scale between the factors, their penalty is a
    function of W times (γ1²γ2)^{1/3}. The paper's √(γ1² + γ2²) would not respect that;
    when one strength is large and the other small, it starts next to zero and stays.
    """
    strength = SHARE * float(np.cbrt(gamma1**2 * gamma2))
    if problem.loss.is_quadratic:
        return problem.model.ridge(strength)
    return smooth_coefficients(problem, strength)
