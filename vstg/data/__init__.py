"""Multi-task data: one design matrix and one target per task, checked once."""

from vstg.data.dataset import Dataset, Factors, Truth
from vstg.data.multitask import MultiTaskData
from vstg.data.tables import read_task_ids
from vstg.data.targets import (
    check_classification,
    check_targets,
    constant_tasks,
    target_spreads,
)
from vstg.data.values import Array, DataError, Index

__all__ = [
    "Array",
    "DataError",
    "Dataset",
    "Factors",
    "Index",
    "MultiTaskData",
    "Truth",
    "check_classification",
    "check_targets",
    "constant_tasks",
    "read_task_ids",
    "target_spreads",
]
