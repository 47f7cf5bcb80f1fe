"""What a fit says, worked out once for all parts of the page. No Streamlit here."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pages.shared.fits.certainty import SelectionStability
from vstg.data import Array, Dataset, Index, Truth
from vstg.data.designs import margins
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
    errors_on,
    omega_index,
    pattern_adjusted_rand,
    relative_estimation_error,
)
from vstg.plots import FactorFrames, factor_frames
from vstg.plots.matrices.excerpt import BLOCK_CELLS, blocks
from vstg.solvers.result import VSTGResult


@dataclass(frozen=True, eq=False)
class Errors:
    """Errors of the fit on training and test data in the user's units.

    ``train`` and ``test`` are means over the tasks; ``measure`` says of what.
    """

    measure: str
    train: float
    test: float
    test_pooled: float
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

    estimate: FactorFrames
    truth: FactorFrames | None
    present: npt.NDArray[np.bool_]
    groups: tuple[TaskGroup, ...]
    true_groups: tuple[TaskGroup, ...] | None
    agreement: Agreement | None
    importance: VariableImportance
    status: tuple[str, ...]
    task_order: Index
    variable_order: Index
    errors: Errors
    sure: SelectionStability | None = None
    threshold: float = 0.0

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
        numbers = np.full(self.estimate.shape[1], -1, dtype=np.int64)
        for number, group in enumerate(self.proper_groups):
            numbers[list(group.tasks)] = number
        return numbers

    @cached_property
    def nonzero(self) -> npt.NDArray[np.bool_]:
        """Which entries of U are not zero."""
        return self.estimate.U.to_numpy() != 0

    @property
    def n_in_several(self) -> int:
        """Variables that belong to more than one basis."""
        return int((self.nonzero.sum(axis=1) > 1).sum())

    @property
    def shares_bases(self) -> bool:
        """Whether any two groups share a basis."""
        bases = [basis for group in self.proper_groups for basis in group.bases]
        return len(set(bases)) < len(bases)

    def variables_of(self, group: TaskGroup) -> Index:
        """The variables in any of a group's bases; worked out when asked for.

        A thousand groups of ten thousand variables would otherwise be listed.
        """
        return np.flatnonzero(self.nonzero[:, list(group.bases)].any(axis=1))

    def count(self, status: str) -> int:
        """How many variables have a status."""
        return self.status.count(status)


def shown_names(
    data: Dataset, *, paper: bool = False
) -> tuple[Sequence[str], Sequence[str]]:
    """What variables and tasks are called: as in the data, or x0, …, task0, …."""
    train = data.train
    if not paper:
        return train.feature_names, train.task_names
    variables = [f"x{i}" for i in range(train.n_features)]
    return variables, [f"task{j}" for j in range(train.n_tasks)]


def has_names(data: Dataset) -> bool:
    """Whether variables or tasks have names that say something."""
    own, numbered = shown_names(data), shown_names(data, paper=True)
    return any(tuple(a) != tuple(b) for a, b in zip(own, numbered, strict=True))


def find(
    result: VSTGResult, data: Dataset, threshold: float = 0.0, *, paper: bool = False
) -> Findings:
    """Align, group, select and measure; ``paper`` numbers variables and tasks."""
    truth = data.truth
    U, V, present = _aligned(result, data)
    names = shown_names(data, paper=paper)
    importance = variable_importance(U, threshold=threshold)
    true_frames = true_groups = agreement = None
    relevant = None
    if truth is not None:
        true_U, true_V = _pad(truth.U, U.shape[1]), _pad(truth.V.T, U.shape[1]).T
        true_frames = factor_frames(true_U, true_V, *names)
        true_groups = task_groups(_used(true_U, true_V), names=names[1])
        support = task_support(V, threshold, U=U)
        agreement = Agreement(
            pattern_adjusted_rand(true_V, support), omega_index(true_V, support)
        )
        relevant = np.any(truth.U != 0, axis=1)
    return Findings(
        estimate=factor_frames(U, V, *names),
        truth=true_frames,
        present=present,
        groups=task_groups(_used(U, V), threshold, names=names[1]),
        true_groups=true_groups,
        agreement=agreement,
        importance=importance,
        status=_statuses(importance.selected, relevant),
        task_order=order_tasks(_used(U, V), threshold),
        variable_order=order_variables(U),
        errors=_errors(result, data),
        threshold=threshold,
    )


def _aligned(
    result: VSTGResult, data: Dataset
) -> tuple[Array, Array, npt.NDArray[np.bool_]]:
    if data.truth is None:
        V = result.V * data.train.task_units
        return result.U, V, np.ones(result.U.shape[1], dtype=bool)
    matched = align_bases(result.U, result.V, data.truth.U, data.truth.V)
    return matched.U, matched.V, matched.permutation >= 0


def _pad(A: Array, n_columns: int) -> Array:
    """Add columns of zeros up to a number of columns."""
    return np.pad(A, ((0, 0), (0, n_columns - A.shape[1])))


def _used(U: Array, V: Array) -> Array:
    """V without the bases that have no variables: they group nobody."""
    return V * np.any(U != 0, axis=0)[:, None]


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


def _errors(result: VSTGResult, data: Dataset) -> Errors:
    factors = result.U, result.V
    fitted, predicted = (
        margins(part.X, factors, result.intercept) for part in (data.train, data.test)
    )
    train = errors_on(data.train, fitted, loss=data.loss)
    test = errors_on(data.test, predicted, loss=data.loss)
    return Errors(
        measure=test.measure,
        train=train.mean,
        test=test.mean,
        test_pooled=test.pooled,
        train_by_task=train.by_task,
        test_by_task=test.by_task,
        ree=(None if data.truth is None else _estimation_error(data.truth, result)),
    )


def _estimation_error(truth: Truth, result: VSTGResult) -> float:
    """REE; of a large W block by block, so that neither W nor W* is made whole."""
    shape = len(result.U), result.V.shape[1]
    squares = np.zeros(2)
    if shape[0] * shape[1] <= BLOCK_CELLS:
        return relative_estimation_error(truth.W, result.W)
    for block in blocks(*shape):
        true = truth.U[block] @ truth.V
        squares[0] += np.sum((true - result.U[block] @ result.V) ** 2)
        squares[1] += np.sum(true**2)
    return float(np.sqrt(squares[0] / squares[1]))
