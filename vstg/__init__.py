"""Variable selection and task grouping for multi-task learning (VSTG-MTL, KDD 2018)."""

from vstg.data import MultiTaskData
from vstg.estimators import VSTGClassifier, VSTGRegressor, load_model, save_model
from vstg.solvers import solve_vstg

__version__ = "0.1.0"

__all__ = [
    "MultiTaskData",
    "VSTGClassifier",
    "VSTGRegressor",
    "load_model",
    "save_model",
    "solve_vstg",
]
