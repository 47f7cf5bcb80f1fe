"""Numbers as targets, whatever the method."""

from collections.abc import Sequence
from typing import Any

from sklearn.base import RegressorMixin

from vstg.data import Array
from vstg.estimators.multitask import MultiTaskEstimator


class MultiTaskRegressor(RegressorMixin, MultiTaskEstimator):
    """Linear regression of several tasks: prediction and the shape of results."""

    _loss = "squared"

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that y may have several columns."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def predict(self, X: Any) -> Array:
        """Predict the target of each row: (n,), or (n, T) if fitted on a y (n, T).

        Rows of several tasks may come in any order; a task that was not in the fit is
        refused.
        """
        margins, _ = self._margins(X)
        single = self.task_column is None and not self._multioutput
        return margins[:, 0] if single else margins

    def _encode_outputs(self, y: Array) -> tuple[Array, None]:
        self._multioutput = y.ndim == 2
        return y.reshape(len(y), -1), None

    def _encode_column(self, y: Any, tasks: Sequence[str]) -> Any:
        return y

    def _publish(
        self, result: Any, tasks: Sequence[str], features: Sequence[str]
    ) -> None:
        super()._publish(result, tasks, features)
        if self.task_column is None and not self._multioutput:
            self.coef_, self.intercept_ = self.coef_[0], float(result.intercept[0])
