"""Variable selection and task grouping for multi-task learning (VSTG-MTL, KDD 2018)."""

from typing import TYPE_CHECKING, Any

from vstg.data import MultiTaskData
from vstg.solvers import solve_vstg

if TYPE_CHECKING:
    from vstg.estimators import VSTGClassifier, VSTGRegressor, load_model, save_model

__version__ = "0.1.0"

__all__ = [
    "MultiTaskData",
    "VSTGClassifier",
    "VSTGRegressor",
    "load_model",
    "save_model",
    "solve_vstg",
]


def __getattr__(name: str) -> Any:
    # Estimators bring scikit-learn along, which a solver alone need not wait for.
    if name in __all__:
        from vstg import estimators

        return getattr(estimators, name)
    msg = f"module 'vstg' has no attribute {name!r}"
    raise AttributeError(msg)
