"""Predictor: a fitted model with everything needed to predict the user's rows."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO
from typing import Any, Literal, Self

import numpy as np
import pandas as pd
from scipy.special import expit

from vstg.baselines import BaselineResult
from vstg.data import Array, Index, MultiTaskData
from vstg.data.designs import row_margins
from vstg.losses import interval_ends, response
from vstg.prediction.archive import Source, write
from vstg.prediction.contents import dump, read
from vstg.prediction.model import FittedModel
from vstg.prediction.new_tasks import Transfer, transfer
from vstg.prediction.rows import (
    FALLBACK,
    MEAN_OF_TASKS,
    NOT_PREDICTED,
    as_pandas,
    known_positions,
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
from vstg.tables import Preparation, Table
from vstg.tables.table import listed

TEMPLATE_ROWS = 3
AS_FITTED = "as fitted"  # the task column of the model itself

Row = Mapping[str, float | str]
Unknown = Literal["error", "mean"]


@dataclass(frozen=True, eq=False)
class Predictor(FittedModel):
    """Predicts rows of a table: coefficients, names, and how the table was prepared.

    :meth:`save` writes one file, which :meth:`load`, ``vstg predict``, the Predict page
    and :func:`vstg.load_model` read.
    """

    @classmethod
    def of(
        cls,
        result: VSTGResult | BaselineResult,
        train: MultiTaskData,
        *,
        name: str = "",
        preparation: Preparation | None = None,
    ) -> Self:
        """Make the predictor of a fit on ``train``, with its preparation if any.

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
            weights=train.weights_in_words,
        ).prepared_by(preparation)

    def predict(
        self,
        rows: pd.DataFrame,
        task_column: str | None = AS_FITTED,
        *,
        unknown: Unknown = "error",
        level: float | None = None,
    ) -> pd.DataFrame:
        """Predict rows of the user's table, in its own units and categories.

        Parameters
        ----------
        rows : DataFrame
            Columns are found by their names; others are ignored.
        task_column : str or None
            The column that names the task of a row, by default that of the model.
            None predicts every row for every task, one column each.
        unknown : {"error", "mean"}
            What to do with a task that the model does not know: an error, or the mean
            of the predictions for all fitted tasks, marked in the column ``fallback``.
        level : float, optional
            The share of new rows that a prediction interval is to cover, such as 0.9.

        Returns
        -------
        DataFrame
            ``prediction`` (of counts the mean, called ``expected count``) and, for
            labels, the probability of the second one; with a ``level`` also ``lower``
            and ``upper``. The index is that of ``rows``.

        Raises
        ------
        TableError
            A column is missing, a value cannot be used, or a task is unknown.
        """
        rows = as_pandas(rows)
        X, _ = self.reader.new_rows(rows, "the table")
        return self._predicted(X, rows, task_column, "the table", unknown, level)

    def transfer(
        self,
        rows: Any,
        target: str,
        *,
        task_column: str | None = AS_FITTED,
        task: str | None = None,
        mu: float | None = None,
        name: str = "the table",
    ) -> Transfer:
        """Add tasks that were not in the fit, from a few rows with known targets.

        The bases U stay as they are; each new task is given its v and its intercept
        (:func:`vstg.solvers.fit_task`). Rows of tasks that the model knows are unused.

        Parameters
        ----------
        rows : DataFrame
            Rows of the user's table, in its units and categories.
        target : str
            The column with the targets.
        task_column : str or None
            The column that names the task of a row, by default that of the model.
        task : str, optional
            The task of all rows, where there is no such column; by default ``target``.
        mu : float, optional
            Strength of the penalty on v, by default that of the fit.
        name : str
            What to call the table in messages.
        """
        return transfer(
            self, rows, target, task_column=self._column(task_column), task=task, mu=mu,
            name=name,
        )  # fmt: skip

    def _column(self, task_column: str | None) -> str | None:
        return self.task_name if task_column == AS_FITTED else task_column

    def doubts(
        self,
        rows: pd.DataFrame,
        name: str,
        task_column: str | None = AS_FITTED,
        *,
        unknown: Unknown = "error",
    ) -> pd.Series:
        """Say why each row cannot be predicted; empty where it can.

        TableError if a whole column is missing; ``name`` is the table's.
        """
        column = self._column(task_column) if unknown == "error" else None
        return row_doubts(self.reader, rows, column, self.task_names, name)

    def predict_table(
        self,
        table: Table,
        task_column: str | None = AS_FITTED,
        *,
        unknown: Unknown = "error",
        level: float | None = None,
    ) -> tuple[pd.DataFrame, tuple[str, ...]]:
        """Do as :meth:`predict`, and return the rows with remarks as well.

        Rows that lack a value or have an unknown task are left without a prediction,
        and the column ``not predicted`` says why; TableError if all rows are such.
        """
        doubts = self.doubts(table.frame, table.name, task_column, unknown=unknown)
        good = (doubts == "").to_numpy()
        rows = table.frame[good] if good.any() else table.frame
        X, notes = self.reader.new_rows(rows, table.name)
        new = self._predicted(X, rows, task_column, table.name, unknown, level)
        if not good.all():
            new = new.reindex(table.frame.index).assign(**{NOT_PREDICTED: doubts})
            notes = (*notes, left_out(doubts))
        used = {*self.columns, self._column(task_column)}
        extra = [name for name in table.frame.columns if name not in used]
        if extra:
            kept = f"columns that the model does not use are kept: {listed(extra)}"
            notes = (*notes, kept)
        taken = [name for name in new.columns if name in table.frame.columns]
        beside = table.frame.drop(columns=taken)
        return pd.concat([beside, new], axis=1).rename_axis("row"), notes

    def _predicted(
        self,
        X: Array,
        rows: pd.DataFrame,
        task_column: str | None,
        name: str,
        unknown: Unknown,
        level: float | None = None,
    ) -> pd.DataFrame:
        task_column = self._column(task_column)
        new: dict[str, Any] = {}
        W = self.W[self.used]
        if task_column is None:
            every = X @ W + self.intercept
            if self.labels is not None and self.labels.ndim == 1:
                new["prediction"] = self.labels[every.argmax(axis=1)]
            for j, task in enumerate(self.task_names):
                j_only = np.full(len(X), j)
                new |= self._columns_of(every[:, j], j_only, f" {task}")
                if level is not None:
                    new |= self._bounds(every[:, j], j_only, level, f" {task}")
        else:
            find = task_positions if unknown == "error" else known_positions
            tasks = find(rows, task_column, self.task_names, name)
            strange, b = tasks < 0, self.intercept
            if strange.any():  # their model comes last, where position -1 points
                w, constant = self.mean_task
                W, b = np.column_stack([W, w[self.used]]), np.append(b, constant)
            margins = row_margins(X, tasks, W, b)
            new = self._columns_of(margins, np.maximum(tasks, 0), "")
            if level is not None:
                new |= self._bounds(margins, tasks, level)
            if strange.any():
                new[FALLBACK] = np.where(strange, MEAN_OF_TASKS, "")
        return pd.DataFrame(new, index=rows.index)

    def _bounds(
        self, margins: Array, tasks: Index, level: float, ending: str = ""
    ) -> dict[str, Array]:
        """Ends of the prediction intervals; none for the position -1."""
        widths = np.append(self.interval_widths(level), np.nan)[tasks]
        lower, upper = interval_ends(self.loss, margins, widths)
        return {f"lower{ending}": lower, f"upper{ending}": upper}

    def _columns_of(
        self, margins: Array, tasks: Index, ending: str
    ) -> dict[str, Array | Labels]:
        """Predictions as columns of a table."""
        if not self.is_classification:
            name = "expected count" if self.loss == "poisson" else "prediction"
            return {f"{name}{ending}": response(self.loss, margins)}
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
        """Return rows to fill in: a typical one for each of the first tasks."""
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
        """Return the decision value of one row, and what every variable adds to it.

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
        """Return the content of the model file."""
        return dump(self)

    def save(self, target: Source) -> None:
        """Write a model file; an existing one is replaced completely or not at all."""
        write(self.to_bytes(), target)

    @classmethod
    def load(
        cls, source: Source | bytes, preparation: Preparation | None = None
    ) -> Self:
        """Read a model file, written by any part of this vstg or an older one.

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
        """Return the same model with a preparation, if one is given."""
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
