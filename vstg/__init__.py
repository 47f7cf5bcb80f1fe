"""Variable selection and task grouping for multi-task learning (VSTG-MTL, KDD 2018)."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vstg.data import MultiTaskData
    from vstg.discovery import discover
    from vstg.estimators import VSTGClassifier, VSTGRegressor, load_model, save_model
    from vstg.model_selection import TaskKFold
    from vstg.solvers import solve_vstg

__version__ = "0.1.0"

__all__ = [
    "MultiTaskData",
    "TaskKFold",
    "VSTGClassifier",
    "VSTGRegressor",
    "discover",
    "load_model",
    "save_model",
    "solve_vstg",
]


def __getattr__(name: str) -> Any:
    # Each brings libraries along for which the others, and readers, need not wait.
    if name not in __all__:
        msg = f"module 'vstg' has no attribute {name!r}"
        raise AttributeError(msg)
    homes = {
        "MultiTaskData": "data",
        "TaskKFold": "model_selection",
        "discover": "discovery",
        "solve_vstg": "solvers",
    }
    home = homes.get(name, "estimators")
    return getattr(import_module(f"vstg.{home}"), name)
