"""A fitted model in the user's units, with the names that belong to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from vstg.baselines import BaselineResult
from vstg.data import Array, Index
from vstg.data.values import check_units
from vstg.objective import Settings
from vstg.prediction.contents import EstimatorRecord
from vstg.prediction.intervals import ConformalScores
from vstg.prediction.schema import Labels
from vstg.solvers import VSTGResult
from vstg.tables import Preparation, Rule, TableError, Transform
from vstg.tables.table import listed

UNNAMED = ("-1", "+1")  # labels of targets that were never called otherwise


@dataclass(frozen=True, eq=False)
class FittedModel:
    """Coefficients, names, units, and how the columns of a table become variables.

    Attributes
    ----------
    result : VSTGResult or BaselineResult
        What was fitted, by any method; in the units of the fit.
    task_names, feature_names : tuple of str
        The tasks and the variables, in the order of the coefficients.
    name : str
        What to call the model.
    labels : array (T, 2) or (T,), optional
        The labels that -1 and +1 stand for in each task, or the class that each task
        tells from the rest.
    task_column : str, int or None
        The column that names the task of a row; None if every row is predicted for
        every task.
    preparation : Preparation, optional
        How columns of the table become variables. Without it they are the variables.
    means : (D,) array, optional
        Means of the variables in the training rows, to start a typical row from.
    task_means : (T, D) array, optional
        The same of each task, unless there are very many.
    units : tuple of float
        What the target of each task was divided by for the fit; empty for nothing.
        ``U``, ``V``, ``W`` and ``intercept`` are in the user's units.
    evaluation : dict
        How good the model was when it was saved: ``measure``, ``rows`` it was
        evaluated on, ``error`` (mean over tasks), ``pooled``, and the errors of plain
        models by their names.
    estimator : EstimatorRecord, optional
        What an estimator needs to come back from the file as it was.
    added : dict
        Tasks that were not in the fit but added later, and the rows each was given.
    scores : ConformalScores, optional
        Errors of rows that were not in the fit, from which intervals are made.
    weights : str
        How rows and tasks were weighted in the fit, in words; empty if not.
    """

    result: VSTGResult | BaselineResult
    task_names: tuple[str, ...]
    feature_names: tuple[str, ...]
    name: str = ""
    labels: Labels | None = None
    task_column: str | int | None = "task"
    preparation: Preparation | None = None
    means: Array | None = field(default=None, repr=False)
    units: tuple[float, ...] = field(default=(), repr=False)
    task_means: Array | None = field(default=None, repr=False)
    evaluation: Mapping[str, float | str] = field(default_factory=dict, repr=False)
    estimator: EstimatorRecord | None = field(default=None, repr=False)
    added: Mapping[str, int] = field(default_factory=dict, repr=False)
    scores: ConformalScores | None = field(default=None, repr=False)
    weights: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        check_units(self.units, len(self.task_names))
        prepared = self.preparation
        if prepared is not None and prepared.transform.keep != self.feature_names:
            msg = (
                f"the preparation gives the variables "
                f"{listed(prepared.transform.keep)}, and the model {self.name} has "
                f"{listed(self.feature_names)}: they do not belong together"
            )
            raise TableError(msg)

    @property
    def U(self) -> Array | None:
        """(D, K), if the model has the factors W = U V."""
        return self.result.U if isinstance(self.result, VSTGResult) else None

    @property
    def V(self) -> Array | None:
        """(K, T), if the model has the factors W = U V."""
        own = self.in_user_units.result
        return own.V if isinstance(own, VSTGResult) else None

    @cached_property
    def W(self) -> Array:
        """Coefficients (D, T)."""
        return self.in_user_units.result.W

    @property
    def intercept(self) -> Array:
        """(T,)."""
        return self.in_user_units.result.intercept

    @cached_property
    def in_user_units(self) -> Self:
        """Return the same model with a result in the units of the user's targets."""
        if not self.units:
            return self
        result, units = self.result, np.array(self.units)
        parts = {"V": result.V} if isinstance(result, VSTGResult) else {"W": result.W}
        parts["intercept"] = result.intercept
        scaled: Any = {name: part * units for name, part in parts.items()}
        return replace(self, result=replace(result, **scaled), units=())

    @property
    def loss(self) -> str:
        """ "squared" or "logistic"."""
        return self.result.loss

    @property
    def settings(self) -> Settings | None:
        """The settings of VSTG-MTL; None for another method."""
        return self.result.settings if isinstance(self.result, VSTGResult) else None

    @property
    def method(self) -> str:
        """The name of the method."""
        return "vstg" if isinstance(self.result, VSTGResult) else self.result.method

    @property
    def is_classification(self) -> bool:
        """Whether labels are predicted."""
        return self.loss == "logistic"

    @cached_property
    def transform(self) -> Transform:
        """Turns columns of the table into variables; identity without a preparation."""
        if self.preparation is not None:
            return self.preparation.transform
        names = self.feature_names
        return Transform(tuple(Rule(name, "number") for name in names), names)

    @cached_property
    def used(self) -> Index:
        """The variables that some task uses, as rows of W."""
        return np.flatnonzero(self.W.any(axis=1))

    @cached_property
    def reader(self) -> Transform:
        """Turns columns of new rows into the variables that the model uses."""
        names = self.feature_names
        return replace(self.transform, keep=tuple(names[i] for i in self.used))

    @property
    def basis_reader(self) -> Transform:
        """The same with the variables of all bases, for tasks yet to be fitted."""
        U = self.W if self.U is None else self.U
        names = self.feature_names
        keep = tuple(names[i] for i in np.flatnonzero(U.any(axis=1)))
        return replace(self.transform, keep=keep)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that new rows must have, besides the task."""
        return self.reader.columns

    @property
    def task_name(self) -> str | None:
        """The column that names the task of a row, by its name."""
        column, record = self.task_column, self.estimator
        if isinstance(column, int) and record is not None and record.columns:
            return record.columns[column]
        if record is not None and record.columns and column not in record.columns:
            # A ColumnTransformer puts the name of a step before that of a column.
            behind = [n for n in record.columns if n.endswith(f"__{column}")]
            return behind[0] if behind else None if column is None else str(column)
        return None if column is None else str(column)

    @cached_property
    def mean_task(self) -> tuple[Array, float]:
        """Coefficients (D,) and intercept of the mean prediction of all fitted tasks.

        Raises
        ------
        TableError
            The tasks predict in different units or have different labels.
        """
        if len(set(self.units)) > 1 or len(set(self.label_pairs)) > 1:
            msg = (
                "the tasks of this model have different units or labels, so that a "
                "task without rows has no mean prediction"
            )
            raise TableError(msg)
        n_fitted = len(self.task_names) - len(self.added)
        W, b = self.W[:, :n_fitted], self.intercept[:n_fitted]
        return W.mean(axis=1), float(b.mean())

    def interval_widths(self, level: float) -> Array:
        """Half the width of the prediction interval of every task, (T,).

        Raises
        ------
        TableError
            The model predicts labels, or has no errors of rows that it has not seen.
        """
        if self.is_classification:
            msg = "intervals are for numbers: a label has a probability instead"
            raise TableError(msg)
        if self.scores is None:
            msg = (
                "this model has no errors on held-out rows, which intervals need: fit "
                "it again with vstg fit or on Explore, or calibrate the estimator"
            )
            raise TableError(msg)
        return self.scores.widths(level)

    @cached_property
    def label_pairs(self) -> tuple[tuple[str, str], ...]:
        """The labels of each task as text, for -1 and for +1."""
        if self.labels is None or self.labels.ndim == 1:
            given = None if self.preparation is None else self.preparation.labels
            return (given or UNNAMED,) * len(self.task_names)
        return tuple((str(minus), str(plus)) for minus, plus in self.labels)
