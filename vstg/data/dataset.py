"""Dataset: training and test data, their truth if known, and how to fit them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from vstg.data.multitask import MultiTaskData
from vstg.data.values import Array

ProblemKind = Literal["regression", "classification"]


@dataclass(frozen=True, eq=False)
class Factors:
    """Coefficients as a product: U has one row per variable, V one column per task."""

    U: Array
    V: Array

    @property
    def W(self) -> Array:
        """The coefficients U V."""
        return self.U @ self.V


@dataclass(frozen=True, eq=False)
class Truth(Factors):
    """The factors that synthetic data were drawn from: W = U V, and the noise."""

    noise: float

    @property
    def relevant(self) -> np.ndarray:
        """Which variables have a non-zero row in U."""
        return np.any(self.U != 0, axis=1)

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Tasks with the same non-zeros in V, in order of first appearance."""
        groups: dict[bytes, list[int]] = {}
        for j, pattern in enumerate((self.V != 0).T):
            groups.setdefault(pattern.tobytes(), []).append(j)
        return tuple(tuple(tasks) for tasks in groups.values())

    @property
    def basis_tasks(self) -> tuple[tuple[int, ...], ...]:
        """The tasks that use each basis; a task is in several where groups overlap."""
        return tuple(tuple(np.flatnonzero(row).tolist()) for row in self.V)


@dataclass(frozen=True, eq=False)
class Dataset:
    """Tasks to learn from, rows to test on, and how they should be fitted.

    Attributes
    ----------
    name : str
    train, test : MultiTaskData
    validation : MultiTaskData or None
        Rows to choose settings on; None where folds of ``train`` are used instead.
    truth : Truth or None
        What the data were drawn from, where that is known.
    loss : str
        The loss that suits the targets: "squared" or "logistic" (labels -1 and +1).
    fit_intercept : bool
        Whether every task is given an intercept.
    allow_constant : bool
        Whether a task may have a single target value, as a person's ratings in the
        computer survey do.
    scale : (D,) array or None
        What each variable was divided by; None if nothing was done to the variables.
    options : dict
        The choices that give the same data again, such as ``random_state``.
    source, citation : str
        Where the data come from, and whom to cite.
    """

    name: str
    train: MultiTaskData
    test: MultiTaskData
    validation: MultiTaskData | None = None
    truth: Truth | None = None
    loss: str = "squared"
    fit_intercept: bool = False
    allow_constant: bool = False
    scale: Array | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    citation: str = ""

    @property
    def is_classification(self) -> bool:
        """Whether the targets are labels."""
        return self.loss == "logistic"

    @property
    def kind(self) -> ProblemKind:
        """ "regression" or "classification"."""
        return "classification" if self.is_classification else "regression"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.description})"

    @property
    def description(self) -> str:
        """Name and sizes in one line."""
        rows = f"{self.train.n_rows} + {self.test.n_rows} rows"
        shape = f"{self.train.n_tasks} tasks, {self.train.n_features} variables"
        return f"{self.name}: {shape}, {rows}"
