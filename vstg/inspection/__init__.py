"""What a factorisation W = U V says: variables, groups of tasks, overlaps."""

from vstg.inspection.alignment import Alignment, align_bases
from vstg.inspection.factorisations import refactored
from vstg.inspection.groups import (
    TaskGroup,
    group_overlaps,
    order_tasks,
    task_groups,
    task_support,
)
from vstg.inspection.meaning import Meaning
from vstg.inspection.recovery import TruthRecovery, recover_truth, recovery_frame
from vstg.inspection.variables import (
    VariableImportance,
    decompose,
    decomposition_frame,
    order_variables,
    selected_variables,
    variable_importance,
    variables_frame,
)

__all__ = [
    "Alignment",
    "Meaning",
    "TaskGroup",
    "TruthRecovery",
    "VariableImportance",
    "align_bases",
    "decompose",
    "decomposition_frame",
    "group_overlaps",
    "order_tasks",
    "order_variables",
    "recover_truth",
    "recovery_frame",
    "refactored",
    "selected_variables",
    "task_groups",
    "task_support",
    "variable_importance",
    "variables_frame",
]
