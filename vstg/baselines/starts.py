"""The start of the baselines that factor W: eqs. (7)–(8) of the paper."""

import numpy as np

from vstg.data import Array
from vstg.problem import Problem
from vstg.solvers.initial import ridge_coefficients, smooth_coefficients


def start_coefficients(problem: Problem, gamma1: float, gamma2: float) -> Array:
    """Ridge for each task with the strength √(γ1² + γ2²)."""
    strength = float(np.hypot(gamma1, gamma2))
    if problem.loss.is_quadratic:
        return ridge_coefficients(problem.model, strength)
    return smooth_coefficients(problem, strength)
