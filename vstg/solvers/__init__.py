"""Solvers of eq. (6): the paper's Algorithm 1 and a fast block descent."""

from vstg.solvers.new_task import TaskFit, fit_task
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
    "TaskFit",
    "VSTGResult",
    "cut_and_refit",
    "cut_factors",
    "fit_task",
    "refitted",
    "solve_all",
    "solve_problem",
    "solve_vstg",
]
