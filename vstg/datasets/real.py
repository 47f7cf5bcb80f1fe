"""What the real data sets have in common: the record, the scaling, the draws."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from vstg.data import Array, MultiTaskData
from vstg.data.values import seal

Kind = Literal["regression", "classification"]


@dataclass(frozen=True, eq=False)
class RealDataset:
    """One repetition of an experiment on a real data set.

    Attributes
    ----------
    name : str
    kind : {"regression", "classification"}
        Classification tasks have the labels -1 and +1.
    train, test : MultiTaskData
    validation : MultiTaskData or None
        Rows to choose parameters on, where the paper draws them.
    scale : (D,) array
        By what each variable was divided; ones without scaling.
    allow_constant : bool
        Whether a task's target may be one value throughout, as a person's ratings
        in the computer survey are. Pass it on to the solver.
    options : dict
        The choices that were made, ``random_state`` among them.
    source, citation : str
        Where the data come from, and whom to cite.
    """

    name: str
    kind: Kind
    train: MultiTaskData
    test: MultiTaskData
    validation: MultiTaskData | None
    scale: Array
    source: str
    citation: str
    allow_constant: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def loss(self) -> str:
        """The loss that suits the data: "squared" or "logistic"."""
        return "squared" if self.kind == "regression" else "logistic"

    def __repr__(self) -> str:
        rows = f"{self.train.n_rows} + {self.test.n_rows} rows"
        shape = f"{self.train.n_tasks} tasks, {self.train.n_features} variables"
        return f"{type(self).__name__}({self.name}: {shape}, {rows})"


def scale_by_training_maximum(
    train: MultiTaskData, *others: MultiTaskData
) -> tuple[Array, list[MultiTaskData]]:
    """Divide every variable by its largest absolute value in the training rows.

    This is the paper's scaling into [-1, 1]. It changes continuous variables only: a
    0/1 or -1/+1 variable is divided by 1, and so is one that is zero in all training
    rows. Returns the divisors and all data, training data first.
    """
    designs = {id(X): X for X in train.X}
    largest = np.max([np.abs(X).max(axis=0) for X in designs.values()], axis=0)
    scale = seal(divisors(largest))
    return scale, [_divided(data, scale) for data in (train, *others)]


def divisors(largest: Array) -> Array:
    """What to divide variables by, given their largest values: nothing by zero."""
    return np.where(largest > 0, largest, 1.0)


def _divided(data: MultiTaskData, scale: Array) -> MultiTaskData:
    designs = {id(X): seal(X / scale) for X in data.X}
    return MultiTaskData(
        [designs[id(X)] for X in data.X],
        data.y,
        data.task_names,
        data.feature_names,
    )


def finish(
    parts: Sequence[MultiTaskData | None], *, scale: bool, **record: Any
) -> RealDataset:
    """Scale the parts (training, validation or None, test) if asked, and record."""
    given = [part for part in parts if part is not None]
    applied = seal(np.ones(given[0].n_features))
    if scale:
        applied, given = scale_by_training_maximum(*given)
    options = {**record.pop("options", {}), "scale": scale}
    return RealDataset(
        train=given[0],
        validation=given[1] if len(given) > 2 else None,
        test=given[-1],
        scale=applied,
        options=options,
        **record,
    )


def with_bias(X: Array) -> Array:
    """X with a last column of ones."""
    return np.column_stack([X, np.ones(len(X))])
