"""What all multi-task estimators have in common: read, solve, publish, predict."""

from collections.abc import Hashable, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.validation import check_is_fitted, validate_data

from vstg.data import Array, MultiTaskData
from vstg.data.designs import times
from vstg.estimators.columns import TaskTable, align_columns, task_positions

PRECISIONS = [np.float64, np.float32]  # that X may be kept in


class MultiTaskEstimator(BaseEstimator):
    """Tasks as a column of X, or as columns of y; see the subclasses."""

    _loss: ClassVar[str]
    _multioutput: bool
    task_column: Hashable
    coef_: Array
    intercept_: Array | float

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that X may be sparse, if it has no task column."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.task_column is None
        return tags

    def fit(self, X: Any, y: Any) -> Self:
        """Fit all tasks together.

        Parameters
        ----------
        X : DataFrame or array (n, D), with one column more if ``task_column`` is given;
            without it also a sparse matrix
        y : array-like (n,), or (n, T) without ``task_column``

        Returns
        -------
        self
        """
        data = self._read(X, y)
        self._publish(self._solve(data), data.task_names, data.feature_names)
        return self

    def _read(self, X: Any, y: Any) -> MultiTaskData:
        """What :meth:`fit` learns from."""
        read = self._read_plain if self.task_column is None else self._read_task_table
        return read(X, y)

    def _solve(self, data: MultiTaskData) -> Any:
        """A result with W, intercept, objective and n_iter."""
        raise NotImplementedError

    def _publish(
        self, result: Any, tasks: Sequence[str], features: Sequence[str]
    ) -> None:
        self.result_ = result
        self.coef_, self.intercept_ = result.W.T, result.intercept
        self.tasks_, self.feature_names_ = tuple(tasks), tuple(features)
        self.n_iter_, self.objective_ = result.n_iter, result.objective

    def _read_plain(self, X: Any, y: Any) -> MultiTaskData:
        """One task, or one task a column of y, on one table."""
        names = list(y.columns) if isinstance(y, pd.DataFrame) else None
        X, y = validate_data(
            self,
            X,
            y,
            accept_sparse="csr",
            dtype=PRECISIONS,
            multi_output=True,
            y_numeric=self._loss == "squared",
        )
        targets, class_names = self._encode_outputs(y)
        return MultiTaskData.from_multioutput(
            X,
            targets,
            task_names=names if self._multioutput else class_names,
            feature_names=getattr(self, "feature_names_in_", None),
        )

    def _read_task_table(self, X: Any, y: Any) -> MultiTaskData:
        """The tasks that the rows of a long table name."""
        table = TaskTable.of(X, self.task_column)
        y = column_or_1d(y, warn=True)
        check_consistent_length(table.design, y)
        tasks = table.tasks()
        target = self._encode_column(y, tasks)
        self._multioutput = False
        self._adopt_columns(table.columns, table.n_columns)
        return MultiTaskData.from_arrays(
            table.design, target, tasks, feature_names=table.feature_names
        )

    def _encode_outputs(self, y: Any) -> tuple[Array, Sequence[str] | None]:
        """Targets (n, T) of the solver and names for the tasks; sets _multioutput."""
        raise NotImplementedError

    def _encode_column(self, y: Any, tasks: Sequence[str]) -> Any:
        """The target of the solver for each row of a long table."""
        raise NotImplementedError

    def _adopt_columns(self, columns: Sequence[str] | None, n_columns: int) -> None:
        """Remember what X looked like, under the names of scikit-learn."""
        self.n_features_in_ = n_columns
        if columns is not None:
            self.feature_names_in_ = np.array(columns, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _margins(self, X: Any) -> tuple[Array, np.ndarray]:
        """X w + b of each row's task (n,) and that task, or of all tasks (n, T)."""
        check_is_fitted(self)
        coef, intercept = np.atleast_2d(self.coef_), np.atleast_1d(self.intercept_)
        if self.task_column is None:
            X = validate_data(
                self, X, accept_sparse="csr", dtype=PRECISIONS, reset=False
            )
            return times(X, coef.T) + intercept, np.arange(len(coef))
        columns = getattr(self, "feature_names_in_", None)
        aligned = align_columns(X, columns, self.n_features_in_)
        table = TaskTable.of(aligned, self.task_column)
        design = table.values(self.feature_names_)
        j = task_positions(table.tasks(), self.tasks_)
        found = intercept[j]
        order = np.argsort(j, kind="stable")
        present, begins = np.unique(j[order], return_index=True)
        for task, rows in zip(present, np.split(order, begins[1:]), strict=True):
            found[rows] += design[rows] @ coef[task]
        return found, j
