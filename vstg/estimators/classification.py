"""Labels as targets, whatever the method."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import expit, log_expit, softmax
from sklearn.base import ClassifierMixin
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from vstg.data import Array, read_task_ids
from vstg.estimators.labels import (
    Labels,
    encode_classes,
    encode_outputs,
    encode_tasks,
)
from vstg.estimators.multitask import MultiTaskEstimator


class MultiTaskClassifier(ClassifierMixin, MultiTaskEstimator):
    """Logistic regression of several tasks: labels, decisions and probabilities."""

    _loss = "logistic"
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

    def predict_proba(self, X: Any) -> Array:
        """Return probabilities of the classes, (n, n_classes).

        For a y of several columns: (n, T), of the second class of each column.
        """
        margins, tasks = self._margins(X)
        if self._multioutput:
            return expit(margins)
        if self._one_vs_rest:
            # softmax(log p) is p / Σp, and no sum of zeros for remote rows.
            return softmax(log_expit(margins), axis=1)
        margins = margins.ravel()
        tasks = np.broadcast_to(tasks, margins.shape)
        return self._spread(expit(-margins), expit(margins), tasks, 0.0)

    def predict(self, X: Any) -> Labels:
        """Predict the label of each row: (n,), or (n, T) if fitted on such a y.

        Rows of several tasks may come in any order; a task that was not in the fit is
        refused.
        """
        margins, tasks = self._margins(X)
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
