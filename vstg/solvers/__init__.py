"""Solvers of eq. (6): the paper's Algorithm 1 and a fast block descent."""

from vstg.solvers.refit import cut_and_refit, cut_factors
from vstg.solvers.result import Callback, Progress, SolverRun, VSTGResult
from vstg.solvers.solve import (
    SOLVERS,
    refitted,
    solve_all,
    solve_problem,
    solve_vstg,
)

__all__ = [
    "SOLVERS",
    "Callback",
    "Progress",
    "SolverRun",
    "VSTGResult",
    "cut_and_refit",
    "cut_factors",
    "refitted",
    "solve_all",
    "solve_problem",
    "solve_vstg",
]
