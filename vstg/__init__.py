"""Variable selection and task grouping for multi-task learning (VSTG-MTL, KDD 2018)."""

from vstg.data import MultiTaskData
from vstg.solvers import solve_vstg

__version__ = "0.1.0"

__all__ = ["MultiTaskData", "solve_vstg"]
