"""Solvers of eq. (6): the paper's Algorithm 1 and a fast block descent."""

from vstg.solvers.result import Callback, Progress, VSTGResult
from vstg.solvers.solve import SOLVERS, solve_problem, solve_vstg

__all__ = [
    "SOLVERS",
    "Callback",
    "Progress",
    "VSTGResult",
    "solve_problem",
    "solve_vstg",
]
