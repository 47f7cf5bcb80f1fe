"""The base of all multi-task estimators: fit, predict, files."""

import warnings
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, is_regressor
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    validate_data,
)

from vstg.data import Array, DataError, MultiTaskData
from vstg.data.designs import row_margins, times
from vstg.data.frames import is_foreign_table, to_pandas
from vstg.estimators.columns import (
    TaskTable,
    align_columns,
    find_task,
    shown,
    task_positions,
)
from vstg.prediction import Predictor
from vstg.prediction.archive import Source
from vstg.prediction.contents import EstimatorRecord, Parts, dump_json, read, read_json
from vstg.prediction.intervals import ConformalScores
from vstg.prediction.predictor import Unknown
from vstg.prediction.rows import typical_values
from vstg.tables import Preparation

PRECISIONS = [np.float64, np.float32]  # that X may be kept in


class MultiTaskEstimator(BaseEstimator):
    """Tasks as a column of X, or as columns of y; see the subclasses."""

    _multioutput: bool
    task_column: Hashable
    coef_: Array
    intercept_: Array | float
    tasks_: tuple[str, ...]
    feature_names_: tuple[str, ...]
    result_: Any
    _means: Array | None
    _preparation: Preparation | None
    _added: Mapping[str, int]
    _scores: ConformalScores | None
    _weights: str

    @property
    def _loss(self) -> str:
        """The name of the loss."""
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that X may be sparse, if it has no task column."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.task_column is None
        return tags

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        task_weights: Mapping[str, float] | None = None,
    ) -> Self:
        """Fit all tasks together.

        Parameters
        ----------
        X : DataFrame or array (n, D), with one column more if ``task_column`` is given;
            without it also a sparse matrix
        y : array-like (n,), or (n, T) without ``task_column``; of several columns
            entries may be missing (NaN), and each task uses the rows that it has
        sample_weight : array-like (n,), optional
            How much each row counts within its task, 0 or more: a row of weight 2
            counts as two rows, one of weight 0 is left out.
        task_weights : dict from names of tasks to numbers above 0, optional
            What the loss of a task is multiplied by; 1 for tasks not named.

        Returns
        -------
        self
        """
        data = self._read(X, y, sample_weight)
        if task_weights is not None:
            data = data.with_weights(data.weights, task_weights)
        self._weights = data.weights_in_words
        self._publish(self._solve(data), data.task_names, data.feature_names)
        self._means, self._preparation = typical_values(data), None
        self._added, self._scores = {}, None
        return self

    def predictor(self) -> Predictor:
        """The fitted model as a :class:`vstg.prediction.Predictor`."""
        check_is_fitted(self)
        columns = getattr(self, "feature_names_in_", None)
        return Predictor(
            self.result_,
            self.tasks_,
            self.feature_names_,
            labels=getattr(self, "task_classes_", None),
            task_column=self.task_column,  # type: ignore[arg-type]  # files check it
            preparation=getattr(self, "_preparation", None),
            means=getattr(self, "_means", None),
            estimator=EstimatorRecord(
                type(self).__name__,
                self._params_to_store(),
                None if columns is None else tuple(str(name) for name in columns),
                self._multioutput,
            ),
            added=getattr(self, "_added", {}),
            scores=getattr(self, "_scores", None),
            weights=getattr(self, "_weights", ""),
        )

    def _params_to_store(self) -> dict[str, Any]:
        """The parameters as a model file keeps them."""
        return self.get_params(deep=False)

    def save(self, target: Source) -> None:
        """Write the fitted model to a model file; see :func:`vstg.save_model`."""
        self.predictor().save(target)

    @classmethod
    def load(cls, source: Source) -> Self:
        """Read a model of this class; see :func:`vstg.load_model`."""
        return read(source, cls._of_parts, [cls.__name__])

    def to_json(self) -> str:
        """Return the content of a model file as one JSON text."""
        return dump_json(self.predictor())

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read a model of this class from the text of :meth:`to_json`."""
        return read_json(text, cls._of_parts, [cls.__name__])

    @classmethod
    def _of_parts(cls, parts: Parts) -> Self:
        return cls.from_predictor(Predictor(**parts))

    @classmethod
    def from_predictor(cls, predictor: Predictor) -> Self:
        """The fitted estimator of a predictor; it predicts variables, not raw rows."""
        predictor = predictor.in_user_units
        record, column = predictor.estimator, predictor.task_column
        if record is None:
            params = cls._params_of(predictor.result)
            one_vs_rest = predictor.labels is not None and predictor.labels.ndim == 1
            several = column is None and len(predictor.task_names) > 1
            record = EstimatorRecord(
                cls.__name__,
                {"task_column": column, **params},
                _columns(predictor.feature_names, column),
                several and not one_vs_rest,
            )
        return cls(**record.params)._assume(predictor, record)

    @classmethod
    def _params_of(cls, result: Any) -> dict[str, Any]:
        """The parameters that a result was fitted with."""
        raise NotImplementedError

    def _assume(self, predictor: Predictor, record: EstimatorRecord) -> Self:
        """Take over a fitted model instead of fitting."""
        if predictor.loss != self._loss:
            msg = (
                f"a {type(self).__name__} has the loss {self._loss!r}, "
                f"and the result {predictor.loss[:40]!r}"
            )
            raise ValueError(msg)
        by_column = self.task_column is not None
        if record.multioutput and by_column:
            msg = "a model with a task column has one output, not one per task"
            raise ValueError(msg)
        self._multioutput = record.multioutput
        features = predictor.feature_names
        self._adopt_columns(record.columns, len(features) + by_column)
        self._publish(predictor.result, predictor.task_names, features)
        self._means, self._preparation = predictor.means, predictor.preparation
        self._added, self._scores = predictor.added, predictor.scores
        self._weights = predictor.weights
        return self

    @property
    def column_importances_(self) -> Array:
        """Σ_j |w_ij| of every column of X, for ``SelectFromModel(importance_getter=)``.

        The task column gets the sum of all others, so that it is always kept.
        """
        check_is_fitted(self)
        sizes = np.abs(np.atleast_2d(self.coef_)).sum(axis=0)
        if self.task_column is None:
            return sizes
        columns = getattr(self, "feature_names_in_", range(self.n_features_in_))
        place = find_task(list(columns), self.task_column)
        assert place is not None, "the task column was there at the fit"
        return np.insert(sizes, place, sizes.sum() + 1.0)

    def _read(self, X: Any, y: Any, sample_weight: Any = None) -> MultiTaskData:
        """Read the data that :meth:`fit` learns from."""
        read = self._read_plain if self.task_column is None else self._read_task_table
        return read(X, y, sample_weight)

    def _solve(self, data: MultiTaskData) -> Any:
        """Return a result with W, intercept, objective and n_iter."""
        raise NotImplementedError

    def _publish(
        self, result: Any, tasks: Sequence[str], features: Sequence[str]
    ) -> None:
        self.result_ = result
        self.coef_, self.intercept_ = result.W.T, result.intercept
        self.tasks_, self.feature_names_ = tuple(tasks), tuple(features)
        self.n_iter_, self.objective_ = result.n_iter, result.objective
        used = np.asarray(result.W.any(axis=1))
        self.selected_features_ = tuple(np.array(self.feature_names_, object)[used])

    def _read_plain(self, X: Any, y: Any, sample_weight: Any) -> MultiTaskData:
        """One task, or one task per column of y, on one table."""
        X, y = (to_pandas(v) if is_foreign_table(v) else v for v in (X, y))
        names = list(y.columns) if isinstance(y, pd.DataFrame) else None
        if has_holes(y):
            X = validate_data(self, X, accept_sparse="csr", dtype=PRECISIONS)
            y = pd.DataFrame(y).to_numpy()
            check_consistent_length(X, y)
        else:
            X, y = validate_data(
                self,
                X,
                y,
                accept_sparse="csr",
                dtype=PRECISIONS,
                multi_output=True,
                y_numeric=is_regressor(self),
            )
        weights = checked_weights(sample_weight, X)
        if weights is not None and not weights.all():
            kept = np.flatnonzero(weights)
            X, y, weights = X[kept], y[kept], weights[kept]
        targets, class_names = self._encode_outputs(y)
        return MultiTaskData.from_multioutput(
            X,
            targets,
            task_names=names if self._multioutput else class_names,
            feature_names=getattr(self, "feature_names_in_", None),
            weights=weights,
        )

    def _read_task_table(self, X: Any, y: Any, sample_weight: Any) -> MultiTaskData:
        """The tasks that the rows of a long table name."""
        table = TaskTable.of(X, self.task_column)
        y = column_or_1d(y, warn=True)
        check_consistent_length(table.design, y)
        weights = checked_weights(sample_weight, table.design)
        if weights is not None and not weights.all():
            kept = np.flatnonzero(weights)
            table, y, weights = table.rows(kept), y[kept], weights[kept]
        tasks = table.tasks()
        target = self._encode_column(y, tasks)
        self._multioutput = False
        self._adopt_columns(table.columns, table.n_columns)
        return MultiTaskData.from_arrays(
            table.design, target, tasks, feature_names=table.feature_names,
            weights=weights,
        )  # fmt: skip

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

    def _margins(self, X: Any, unknown: Unknown = "error") -> tuple[Array, np.ndarray]:
        """X w + b of each row's task (n,) and that task, or of all tasks (n, T).

        With ``unknown="mean"`` a task that was not in the fit has the position -1.
        """
        check_is_fitted(self)
        coef, intercept = np.atleast_2d(self.coef_), np.atleast_1d(self.intercept_)
        if self.task_column is None:
            if isinstance(X, pd.DataFrame) and X.empty and X.shape[1]:
                return np.empty((0, len(coef))), np.arange(len(coef))
            X = validate_data(
                self, X, accept_sparse="csr", dtype=PRECISIONS, reset=False
            )
            return times(X, coef.T) + intercept, np.arange(len(coef))
        columns = getattr(self, "feature_names_in_", None)
        aligned = align_columns(X, columns, self.n_features_in_)
        table = TaskTable.of(aligned, self.task_column)
        if table.design.empty:
            return np.empty(0), np.empty(0, dtype=np.intp)
        design = table.values(self.feature_names_)
        if unknown == "error":
            j = task_positions(table.tasks(), self.tasks_)
            return row_margins(design, j, coef.T, intercept), j
        place = {name: j for j, name in enumerate(self.tasks_)}
        strange = sorted({name for name in table.tasks() if name not in place})
        j = np.array([place.get(name, -1) for name in table.tasks()], dtype=np.intp)
        if strange:
            msg = f"tasks {shown(strange)} were not in the fit: their rows get the mean"
            warnings.warn(msg, stacklevel=3)
            w, b = self.predictor().mean_task
            coef, intercept = np.vstack([coef, w]), np.append(intercept, b)
        return row_margins(design, j, coef.T, intercept), j


def checked_weights(sample_weight: Any, X: Any) -> Array | None:
    """One number of 0 or more per row of X, not all 0; None if there are none."""
    if sample_weight is None:
        return None
    found = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
    weights = np.asarray(found, dtype=float)
    if not weights.any():
        msg = "all sample weights are 0: there is no row to learn from"
        raise DataError(msg)
    return weights


def has_holes(y: Any) -> bool:
    """Whether y has several columns and some of their entries are missing."""
    try:
        given = np.asarray(y)
    except ValueError:  # rows of different lengths, which will be said elsewhere
        return False
    return given.ndim == 2 and given.shape[1] > 1 and bool(pd.isna(given).any())


def _columns(
    names: tuple[str, ...], task_column: str | int | None
) -> tuple[str, ...] | None:
    """The columns of X that a model without a table would have been fitted on."""
    if isinstance(task_column, str):
        if task_column in names:
            msg = f"task_column={task_column!r} is the name of a variable"
            raise ValueError(msg)
        return (task_column, *names)
    made_up = names == tuple(f"x{i}" for i in range(len(names)))
    return None if made_up or task_column is not None else names
