"""Classification for several tasks at once, by any method and by VSTG-MTL."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from scipy.special import expit, log_expit, softmax
from sklearn.base import ClassifierMixin
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from vstg.data import Array, DataError, MultiTaskData, read_task_ids
from vstg.data.tables import group_rows
from vstg.estimators.base import BaseVSTG
from vstg.estimators.columns import shown
from vstg.estimators.multitask import MultiTaskEstimator, has_holes
from vstg.prediction import Predictor
from vstg.prediction.contents import EstimatorRecord
from vstg.prediction.predictor import Unknown
from vstg.prediction.schema import Labels, check_labels
from vstg.solvers import VSTGResult


def find_pair(y: Labels | list[Any], where: str) -> Labels:
    """Return the two labels in sorted order: the second one becomes +1."""
    found = np.unique(y)
    if len(found) == 1:
        msg = (
            f"{where} has one class only, {found[0]!s}, in its {len(y)} rows: "
            "leave it out or add rows of another class"
        )
        raise DataError(msg)
    if len(found) > 2:
        msg = (
            f"{where} has the {len(found)} classes {shown(found.tolist())}, not two: "
            "scikit-learn's OneVsRestClassifier(VSTGClassifier(task_column)) sets each "
            "class against the others in every task"
        )
        raise DataError(msg)
    return found


def encode_tasks(y: Labels, tasks: Sequence[str]) -> tuple[Array, Labels]:
    """Return -1 or +1 for each row, and the pair of labels of each task (T, 2)."""
    names, rows = group_rows(tasks)
    pairs = np.array(
        [find_pair(y[i], f"task {n!r}") for n, i in zip(names, rows, strict=True)]
    )
    target = np.empty(len(y))
    for (_, positive), index in zip(pairs, rows, strict=True):
        target[index] = np.where(y[index] == positive, 1.0, -1.0)
    return target, pairs


def encode_outputs(Y: Labels) -> tuple[Array, Labels]:
    """Return -1 and +1 for each entry of Y (n, T), and the pair of each column.

    Missing labels stay NaN.
    """
    there = ~pd.isna(Y)
    columns = enumerate(zip(Y.T, there.T, strict=True))
    pairs = [find_pair(y[m].tolist(), f"column {j} of y") for j, (y, m) in columns]
    given = np.array(pairs)
    return np.where(there, np.where(given[:, 1] == Y, 1.0, -1.0), np.nan), given


def encode_classes(y: Labels) -> tuple[Array, Labels]:
    """Return targets (n, T) of a plain y: one task for two classes, else one per class.

    The labels are a pair (1, 2) in the former case and the classes (T,) in the latter.
    """
    classes = np.unique(y)
    if len(classes) <= 2:
        pair = find_pair(y, "y")
        return np.where(y[:, None] == pair[1], 1.0, -1.0), pair[None, :]
    return np.where(y[:, None] == classes, 1.0, -1.0), classes


class MultiTaskClassifier(ClassifierMixin, MultiTaskEstimator):
    """Logistic regression of several tasks: labels, decisions and probabilities."""

    @property
    def _loss(self) -> str:
        """The name of the loss."""
        return "logistic"

    classes_: Labels
    task_classes_: Labels

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that y may have several columns of labels."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_label = True
        return tags

    def decision_function(self, X: Any) -> Array:
        """Return decision values: above zero for the second class of a pair.

        Shape (n,) for two classes in all, (n, n_classes) for more, (n, T) for a y of
        several columns. Classes that a row's task does not have are at -inf.
        """
        margins, tasks = self._margins(X)
        if self.task_column is None:
            return margins if margins.shape[1] > 1 else margins[:, 0]
        if len(self.classes_) == 2:
            return margins
        return self._spread(-margins, margins, tasks, -np.inf)

    def predict_proba(self, X: Any, unknown: Unknown = "error") -> Array:
        """Return probabilities of the classes, (n, n_classes).

        For a y of several columns: (n, T), of the second class of each column. Unknown
        tasks are treated as in :meth:`predict`.
        """
        margins, tasks = self._margins(X, unknown)
        if self._multioutput:
            return expit(margins)
        if self._one_vs_rest:
            # softmax(log p) is p / Σp, and no sum of zeros for remote rows.
            return softmax(log_expit(margins), axis=1)
        margins = margins.ravel()
        tasks = np.broadcast_to(tasks, margins.shape)
        return self._spread(expit(-margins), expit(margins), tasks, 0.0)

    def predict(self, X: Any, unknown: Unknown = "error") -> Labels:
        """Predict the label of each row: (n,), or (n, T) if fitted on such a y.

        Rows of several tasks may come in any order. A task that was not in the fit is
        an error, or with ``unknown="mean"`` gets the mean of all tasks and a warning.
        """
        margins, tasks = self._margins(X, unknown)
        if self._one_vs_rest:
            return self.classes_[margins.argmax(axis=1)]
        labels = self.task_classes_[tasks, (margins > 0).astype(int)]
        single = self.task_column is None and not self._multioutput
        return labels[:, 0] if single else labels

    @property
    def _one_vs_rest(self) -> bool:
        return self.task_classes_.ndim == 1

    def _spread(
        self, first: Array, second: Array, tasks: np.ndarray, elsewhere: float
    ) -> Array:
        """Put values of a row's two classes into the columns of ``classes_``."""
        place = np.searchsorted(self.classes_, self.task_classes_)[tasks]
        values = np.full((len(first), len(self.classes_)), elsewhere)
        rows = np.arange(len(first))
        values[rows, place[:, 0]] = first
        values[rows, place[:, 1]] = second
        return values

    def _encode_outputs(self, y: Labels) -> tuple[Array, Sequence[str] | None]:
        if not has_holes(y):
            check_classification_targets(y)
        self._multioutput = y.ndim == 2 and y.shape[1] > 1
        if self._multioutput:
            targets, self.task_classes_ = encode_outputs(y)
            return targets, None
        targets, self.task_classes_ = encode_classes(column_or_1d(y, warn=True))
        if self._one_vs_rest:
            return targets, read_task_ids(self.task_classes_, name="y")
        return targets, None

    def _encode_column(self, y: Labels, tasks: Sequence[str]) -> Array:
        check_classification_targets(y)
        target, self.task_classes_ = encode_tasks(y, tasks)
        return target

    def _publish(
        self, result: Any, tasks: Sequence[str], features: Sequence[str]
    ) -> None:
        super()._publish(result, tasks, features)
        if self._multioutput:
            self.classes_ = np.arange(len(tasks))
        else:
            self.classes_ = np.unique(self.task_classes_)

    def _assume(self, predictor: Predictor, record: EstimatorRecord) -> Self:
        labels, n_tasks = predictor.labels, len(predictor.task_names)
        if labels is None and predictor.estimator is None:
            labels = np.tile((-1, 1), (n_tasks, 1))
        on_one_table = self.task_column is None and not record.multioutput
        self.task_classes_ = check_labels(labels, n_tasks, one_vs_rest=on_one_table)
        if on_one_table and n_tasks > 1 and not self._one_vs_rest:
            msg = f"{n_tasks} tasks need a task column or several outputs"
            raise ValueError(msg)
        return super()._assume(predictor, record)


class VSTGClassifier(MultiTaskClassifier, BaseVSTG):
    r"""Logistic regression that selects variables and groups tasks.

    Task j has the decision value :math:`m = x^T w_j + b_j` with :math:`w_j = U v_j`,
    and :math:`1 / (1 + e^{-m})` is the probability of the second of its two classes.
    The matrices :math:`U \in R^{D \times K}` and :math:`V \in R^{K \times T}` minimise

    .. math:: \sum_j \frac{1}{N_j} \sum_n \log(1 + e^{-y_j^n (x_j^n U v_j + b_j)})
              + \gamma_1 \|U\|_1 + \gamma_2 \|U\|_{1,\infty}
              + \mu \sum_j (\|v_j\|_k^{sp})^2,

    where :math:`y_j^n` is -1 for the first class and +1 for the second.

    Parameters
    ----------
    task_column : str or int, optional
        The column of X that names each row's task, by its name in a table or its
        position in an array (from the end if negative). Each task has two classes,
        which need not be those of the others; for more, wrap the estimator in
        scikit-learn's ``OneVsRestClassifier``. Without a task column there is one
        task, or one task per class if there are more than two (one against the
        rest), or one task per column if y has several.
    n_latent : int
        K, the number of columns of U. More than the tasks need does no harm.
    k : int
        The k of the k-support norm, at most ``n_latent``: small values separate the
        groups of tasks, large ones let tasks share bases.
    gamma1, gamma2 : float
        Strengths of sparsity by entries and by whole rows of U.
    mu : float, optional
        Strength of the penalty on V; equal to ``gamma1`` by default.
    cut : float
        After the fit, entries of U and V below this share of the largest are set to
        zero; 0 keeps all.
    relax : float
        The share of the penalties that the refit on what is left keeps, from 0 (none)
        to 1 (no refit, the minimiser itself).
    fit_intercept : bool
        Give every task an intercept :math:`b_j`, which is not penalised. Classes of
        unequal size need it.
    solver : {"fast", "admm"}
        Block descent, or the algorithm of the paper as printed.
    tol : float, optional
    max_iter : int, optional
        Stopping rule, by default that of the solver; see Notes.
    n_init : int
        Number of starts; the result with the least objective is kept.
    random_state : int, Generator or None
        Draws the second and further starts.

    Attributes
    ----------
    classes_ : array
        All labels, sorted; the numbers of the columns if y had several.
    task_classes_ : array (n_tasks, 2), or (n_tasks,) for one against the rest
        The two labels of each task, or the one that a task tells from the rest.
    coef_ : array (n_tasks, n_features)
        W transposed.
    intercept_ : array (n_tasks,)
    U_ : array (n_features, n_latent)
    V_ : array (n_latent, n_tasks)
    tasks_ : tuple of str
        The tasks, in the order of ``coef_``.
    feature_names_ : tuple of str
        The variables, in the order of the columns of ``coef_``.
    n_features_in_ : int
        Number of columns of X, the task column among them.
    feature_names_in_ : array (n_features_in_,) of str
        Names of the columns of X, if it was a table.
    objective_ : float
    n_iter_ : int
    result_ : VSTGResult
        Everything that the solver found, with its history.

    See Also
    --------
    VSTGRegressor : The same for numbers, with notes on stopping and on columns.
    vstg.solve_vstg : The function behind it.

    Notes
    -----
    Stopping and columns are as in :class:`VSTGRegressor`. Probabilities of more than
    two classes against the rest are those of the tasks, divided by their sum.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.preprocessing import scale
    >>> from vstg import VSTGClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = VSTGClassifier(n_latent=2, k=1, gamma1=2**-8, gamma2=2**-8)
    >>> model.fit(scale(X), y).tasks_
    ('0', '1', '2')
    >>> model.score(scale(X), y) > 0.9
    True
    """

    @classmethod
    def from_result(
        cls,
        result: VSTGResult,
        data: MultiTaskData,
        *,
        task_column: str | int | None = "task",
        classes: Sequence[Any] | None = None,
    ) -> Self:
        """Make a fitted model of a result of :func:`vstg.solve_vstg`.

        Parameters
        ----------
        result : VSTGResult
        data : MultiTaskData
            What it was fitted on; only the names of tasks and variables are used.
        task_column : str, int or None
            Where :meth:`predict` will find the task; None: predict all tasks.
        classes : sequence, optional
            The labels that stand for -1 and +1 in all tasks (by default -1 and 1), or
            the label of each task of data from :meth:`MultiTaskData.one_vs_rest`.
        """
        labels = np.array((-1, 1) if classes is None else classes)
        if len(labels) == 2:
            labels = np.tile(labels, (data.n_tasks, 1))
        return cls._of_result(result, data, task_column, labels)
