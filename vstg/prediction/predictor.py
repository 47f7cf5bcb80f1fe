"""A fitted model with all that is needed to predict rows of the user's table."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import BytesIO
from typing import Any, Self

import numpy as np
import pandas as pd
from scipy.special import expit

from vstg.baselines import BaselineResult
from vstg.data import Array, Index, MultiTaskData
from vstg.data.designs import row_margins
from vstg.data.values import check_units
from vstg.objective import Settings
from vstg.prediction.archive import Source, write
from vstg.prediction.contents import EstimatorRecord, dump, read
from vstg.prediction.rows import (
    NOT_PREDICTED,
    as_pandas,
    left_out,
    row_doubts,
    short,
    task_means,
    task_positions,
    typical_row,
    typical_values,
)
from vstg.prediction.schema import Labels
from vstg.solvers import VSTGResult
from vstg.tables import Preparation, Rule, Table, TableError, Transform
from vstg.tables.table import listed

TEMPLATE_ROWS = 3
UNNAMED = ("-1", "+1")  # labels of targets that were never called otherwise
AS_FITTED = "as fitted"  # the task column of the model itself

Row = Mapping[str, float | str]


@dataclass(frozen=True, eq=False)
class Predictor:
    """Predicts rows of a table: coefficients, names, and how the table was prepared.

    :meth:`save` writes one file, which :meth:`load`, ``vstg predict``, the Predict page
    and :func:`vstg.load_model` read.

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
    estimator : EstimatorRecord, optional
        What an estimator needs to come back from the file as it was.
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
    estimator: EstimatorRecord | None = field(default=None, repr=False)

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

    @classmethod
    def of(
        cls,
        result: VSTGResult | BaselineResult,
        train: MultiTaskData,
        *,
        name: str = "",
        preparation: Preparation | None = None,
    ) -> Self:
        """The predictor of a fit on ``train``, prepared from a table or not.

        Without a preparation, the task of a row is in the column ``task`` (or
        ``task_``, if ``task`` is a variable).
        """
        column = "task"
        while column in train.feature_names:
            column += "_"
        return cls(
            result,
            train.task_names,
            train.feature_names,
            name,
            task_column=column,
            means=typical_values(train),
            units=train.units,
            task_means=task_means(train),
        ).prepared_by(preparation)

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
        """The same model with a result that predicts the user's targets itself."""
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
        """Columns of the table into variables; without a preparation as they are."""
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
        """Columns of new rows into the variables that are used; others may lack."""
        names = self.feature_names
        return replace(self.transform, keep=tuple(names[i] for i in self.used))

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
        return None if column is None else str(column)

    @cached_property
    def label_pairs(self) -> tuple[tuple[str, str], ...]:
        """The labels of each task as text, for -1 and for +1."""
        if self.labels is None or self.labels.ndim == 1:
            given = None if self.preparation is None else self.preparation.labels
            return (given or UNNAMED,) * len(self.task_names)
        return tuple((str(minus), str(plus)) for minus, plus in self.labels)

    def predict(
        self, rows: pd.DataFrame, task_column: str | None = AS_FITTED
    ) -> pd.DataFrame:
        """Predict rows of the user's table, in its own units and categories.

        Parameters
        ----------
        rows : DataFrame
            Columns are found by their names; others are ignored.
        task_column : str or None
            The column that names the task of a row, by default that of the model.
            None predicts every row for every task, one column each.

        Returns
        -------
        DataFrame
            ``prediction`` and, for labels, the probability of the second one; the
            index is that of ``rows``.

        Raises
        ------
        TableError
            A column is missing, a value cannot be used, or a task is unknown.
        """
        rows = as_pandas(rows)
        X, _ = self.reader.new_rows(rows, "the table")
        return self._predicted(X, rows, task_column, "the table")

    def doubts(
        self, rows: pd.DataFrame, name: str, task_column: str | None = AS_FITTED
    ) -> pd.Series:
        """Why each row cannot be predicted, in words; empty where it can.

        TableError if a whole column is missing; ``name`` is the table's.
        """
        column = self.task_name if task_column == AS_FITTED else task_column
        return row_doubts(self.reader, rows, column, self.task_names, name)

    def predict_table(
        self, table: Table, task_column: str | None = AS_FITTED
    ) -> tuple[pd.DataFrame, tuple[str, ...]]:
        """:meth:`predict` with the rows beside the predictions, and remarks.

        Rows that lack a value or have an unknown task are left without a prediction,
        and the column ``not predicted`` says why; TableError if all rows are such.
        """
        doubts = self.doubts(table.frame, table.name, task_column)
        good = (doubts == "").to_numpy()
        rows = table.frame[good] if good.any() else table.frame
        X, notes = self.reader.new_rows(rows, table.name)
        new = self._predicted(X, rows, task_column, table.name)
        if not good.all():
            new = new.reindex(table.frame.index).assign(**{NOT_PREDICTED: doubts})
            notes = (*notes, left_out(doubts))
        column = self.task_name if task_column == AS_FITTED else task_column
        used = {*self.columns, column}
        extra = [name for name in table.frame.columns if name not in used]
        if extra:
            kept = f"columns that the model does not know are kept: {listed(extra)}"
            notes = (*notes, kept)
        taken = [name for name in new.columns if name in table.frame.columns]
        beside = table.frame.drop(columns=taken)
        return pd.concat([beside, new], axis=1).rename_axis("row"), notes

    def _predicted(
        self, X: Array, rows: pd.DataFrame, task_column: str | None, name: str
    ) -> pd.DataFrame:
        if task_column == AS_FITTED:
            task_column = self.task_name
        new: dict[str, Any] = {}
        W = self.W[self.used]
        if task_column is None:
            every = X @ W + self.intercept
            if self.labels is not None and self.labels.ndim == 1:
                new["prediction"] = self.labels[every.argmax(axis=1)]
            for j, task in enumerate(self.task_names):
                j_only = np.full(len(X), j)
                new |= self._columns_of(every[:, j], j_only, f" {task}")
        else:
            tasks = task_positions(rows, task_column, self.task_names, name)
            margins = row_margins(X, tasks, W, self.intercept)
            new = self._columns_of(margins, tasks, "")
        return pd.DataFrame(new, index=rows.index)

    def _columns_of(
        self, margins: Array, tasks: Index, ending: str
    ) -> dict[str, Array | Labels]:
        """Predictions as columns of a table."""
        if not self.is_classification:
            return {f"prediction{ending}": margins}
        pairs = np.array(self.label_pairs)
        chosen = np.where(margins > 0, pairs[tasks, 1], pairs[tasks, 0])
        second = {self.label_pairs[j][1] for j in np.unique(tasks)}
        of = f" of {second.pop()}" if len(second) == 1 else " of the second label"
        return {
            f"prediction{ending}": chosen,
            f"probability{of}{ending}": expit(margins),
        }

    @cached_property
    def typical(self) -> dict[str, float | str]:
        """A value of every column: the mean of the training rows, the commonest level.

        Where no means are known, the value that the preparation makes zero.
        """
        return self.typical_of(None)

    def typical_of(self, task: int | None) -> dict[str, float | str]:
        """The same of one task, where its own means are known."""
        means = np.zeros(len(self.feature_names)) if self.means is None else self.means
        if task is not None and self.task_means is not None:
            means = self.task_means[task]
        by_name = dict(zip(self.feature_names, means.tolist(), strict=True))
        return typical_row(self.reader, by_name)

    def template(self) -> pd.DataFrame:
        """Rows to be filled in: a typical one for each of the first tasks."""
        column = self.task_name
        tasks = range(len(self.task_names) if column else 1)[:TEMPLATE_ROWS]
        rows = [self.typical_of(j if column else None) for j in tasks]
        values = {name: [short(row[name]) for row in rows] for name in self.columns}
        if column is None:
            first = next(iter(values), None)
            table = pd.DataFrame(values, index=range(len(rows)))
            return table if first is None else table.set_index(first)
        names = [self.task_names[j] for j in tasks]
        return pd.DataFrame(values, index=pd.Index(names, name=column))

    def contributions(self, row: Row, task: int | str) -> tuple[float, pd.DataFrame]:
        """The decision value of one row, and what every variable adds to it.

        The table has one row per variable that is used, and one for the intercept, the
        largest contributions first. ``value`` and ``weight`` are in the user's units:
        a variable adds ``weight`` × (``value`` − ``from``), where ``from`` is the value
        that the preparation makes zero, such as the mean.
        """
        j = self.task_names.index(task) if isinstance(task, str) else task
        X, _ = self.reader.new_rows(pd.DataFrame([row], index=[1]), "this row")
        weights, (shift, scale) = self.W[self.used, j], self.reader.origins
        parts = X[0] * weights
        table = pd.DataFrame(
            {
                "value": X[0] * scale + shift,
                "from": shift,
                "weight": weights / scale,
                "contribution": parts,
            },
            index=pd.Index(self.reader.keep, name="variable"),
        )
        table.loc["intercept"] = [1.0, 0.0, self.intercept[j], self.intercept[j]]
        total = float(parts.sum() + self.intercept[j])
        return total, table.sort_values("contribution", key=np.abs, ascending=False)

    def to_bytes(self) -> bytes:
        """The content of the model file."""
        return dump(self)

    def save(self, target: Source) -> None:
        """Write a model file; an existing one is replaced at once, never in part."""
        write(self.to_bytes(), target)

    @classmethod
    def load(
        cls, source: Source | bytes, preparation: Preparation | None = None
    ) -> Self:
        """Read a model file, written by whatever part of vstg, now or earlier.

        Parameters
        ----------
        source : path, binary stream or bytes
        preparation : Preparation, optional
            That of an older model, whose file did not yet contain it.

        Raises
        ------
        ModelFileError
            The file is damaged, foreign, of a newer format, too large, or its parts do
            not fit each other. Nothing in a file is ever run.
        TableError
            The preparation belongs to another model.
        """
        stream = BytesIO(source) if isinstance(source, bytes) else source
        return read(stream, lambda parts: cls(**parts)).prepared_by(preparation)

    def prepared_by(self, preparation: Preparation | None) -> Self:
        """The same model with a preparation, if one is given."""
        if preparation is None:
            return self
        labels, n_tasks = self.labels, len(self.task_names)
        if preparation.recipe.layout == "classes" and n_tasks > 2:
            labels = np.array(self.task_names)
        elif preparation.labels is not None:
            labels = np.tile(np.array(preparation.labels), (n_tasks, 1))
        return replace(
            self,
            preparation=preparation,
            labels=labels,
            task_column=preparation.recipe.task,
            estimator=None,  # it knew another task column
        )
