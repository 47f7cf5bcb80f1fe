"""What a fit says, worked out once for all parts of the page. No Streamlit here."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pages.shared.sources import Loaded
from vstg.data import Array
from vstg.inspection import (
    TaskGroup,
    align_bases,
    order_tasks,
    order_variables,
    task_groups,
    task_support,
    variable_importance,
)
from vstg.inspection.variables import VariableImportance
from vstg.metrics import (
    error_rate_by_task,
    error_rate_pooled,
    omega_index,
    pattern_adjusted_rand,
    relative_estimation_error,
    rmse_by_task,
    rmse_pooled,
)
from vstg.plots import Factors, factor_frames
from vstg.solvers.result import VSTGResult

Index = npt.NDArray[np.intp]
MEASURES = {
    "squared": ("RMSE", rmse_pooled, rmse_by_task),
    "logistic": ("error rate", error_rate_pooled, error_rate_by_task),
}


@dataclass(frozen=True, eq=False)
class Errors:
    """Errors of the fit on training and test data; ``measure`` says which."""

    measure: str
    train: float
    test: float
    train_by_task: Array
    test_by_task: Array
    ree: float | None


@dataclass(frozen=True)
class Agreement:
    """How well the groups agree with the true ones; 1 is perfect, 0 is chance.

    ``groups`` asks which tasks have the same pattern (adjusted Rand index),
    ``overlaps`` how many bases every two tasks share (omega index).
    """

    groups: float
    overlaps: float


@dataclass(frozen=True, eq=False)
class Findings:
    """A fit with its bases in the order of the truth, and what can be read off it.

    ``estimate`` and ``truth`` have as many bases as the larger of both; a basis that
    one of them lacks is zero there. ``present`` marks the bases of the estimate.
    """

    estimate: Factors
    truth: Factors | None
    present: npt.NDArray[np.bool_]
    groups: tuple[TaskGroup, ...]
    true_groups: tuple[TaskGroup, ...] | None
    agreement: Agreement | None
    importance: VariableImportance
    status: tuple[str, ...]
    task_order: Index
    variable_order: Index
    errors: Errors

    @property
    def n_selected(self) -> int:
        """Variables that are in the model."""
        return int(self.importance.selected.sum())

    @property
    def proper_groups(self) -> tuple[TaskGroup, ...]:
        """The groups that use a basis."""
        return tuple(group for group in self.groups if not group.empty)

    @property
    def group_of_task(self) -> npt.NDArray[np.int64]:
        """The number of each task's group, -1 for tasks without a basis."""
        numbers = np.full(self.estimate.W.shape[1], -1, dtype=np.int64)
        for number, group in enumerate(self.proper_groups):
            numbers[list(group.tasks)] = number
        return numbers

    def count(self, status: str) -> int:
        """How many variables have a status."""
        return self.status.count(status)


def find(result: VSTGResult, data: Loaded, threshold: float = 0.0) -> Findings:
    """Align, group, select and measure."""
    train, truth = data.train, data.truth
    U, V, present = _aligned(result, data)
    names = (train.feature_names, train.task_names)
    importance = variable_importance(U, threshold=threshold)
    true_frames = true_groups = agreement = None
    relevant = None
    if truth is not None:
        true_U, true_V = _pad(truth.U, U.shape[1]), _pad(truth.V.T, U.shape[1]).T
        true_frames = factor_frames(true_U, true_V, *names)
        true_groups = task_groups(true_V, names=train.task_names, U=true_U)
        support = task_support(V, threshold, U=U)
        agreement = Agreement(
            pattern_adjusted_rand(true_V, support), omega_index(true_V, support)
        )
        relevant = np.any(truth.U != 0, axis=1)
    return Findings(
        estimate=factor_frames(U, V, *names),
        truth=true_frames,
        present=present,
        groups=task_groups(
            V,
            threshold,
            names=train.task_names,
            U=U,
            feature_names=train.feature_names,
        ),
        true_groups=true_groups,
        agreement=agreement,
        importance=importance,
        status=_statuses(importance.selected, relevant),
        task_order=_order_tasks(U, V, threshold),
        variable_order=order_variables(U),
        errors=_errors(result, data),
    )


def _aligned(
    result: VSTGResult, data: Loaded
) -> tuple[Array, Array, npt.NDArray[np.bool_]]:
    if data.truth is None:
        return result.U, result.V, np.ones(result.U.shape[1], dtype=bool)
    matched = align_bases(result.U, result.V, data.truth.U, data.truth.V)
    return matched.U, matched.V, matched.permutation >= 0


def _pad(A: Array, n_columns: int) -> Array:
    """Add columns of zeros up to a number of columns."""
    return np.pad(A, ((0, 0), (0, n_columns - A.shape[1])))


def _order_tasks(U: Array, V: Array, threshold: float) -> Index:
    # A basis without variables groups nobody.
    return order_tasks(V * np.any(U != 0, axis=0)[:, None], threshold)


def _statuses(
    selected: npt.NDArray[np.bool_], relevant: npt.NDArray[np.bool_] | None
) -> tuple[str, ...]:
    if relevant is None:
        return tuple("selected" if kept else "dropped" for kept in selected)
    words = {
        (True, True): "right",
        (True, False): "wrong",
        (False, True): "missed",
        (False, False): "dropped",
    }
    return tuple(
        words[bool(kept), bool(true)]
        for kept, true in zip(selected, relevant, strict=True)
    )


def _errors(result: VSTGResult, data: Loaded) -> Errors:
    fitted, predicted = result.decision(data.train), result.decision(data.test)
    measure, pooled, by_task = MEASURES[data.loss]
    return Errors(
        measure=measure,
        train=pooled(data.train.y, fitted),
        test=pooled(data.test.y, predicted),
        train_by_task=by_task(data.train.y, fitted),
        test_by_task=by_task(data.test.y, predicted),
        ree=(
            None
            if data.truth is None
            else relative_estimation_error(data.truth.W, result.W)
        ),
    )
