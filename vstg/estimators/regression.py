"""Regression for several tasks at once, by any method and by VSTG-MTL."""

from collections.abc import Hashable, Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score

from vstg.data import Array, MultiTaskData
from vstg.estimators.base import BaseVSTG
from vstg.estimators.calibration import calibrated
from vstg.estimators.multitask import MultiTaskEstimator, has_holes
from vstg.losses import Loss, get_loss, interval_ends, known_loss, response
from vstg.prediction import Predictor
from vstg.prediction.contents import EstimatorRecord
from vstg.prediction.predictor import Unknown
from vstg.solvers import VSTGResult


class MultiTaskRegressor(RegressorMixin, MultiTaskEstimator):
    """Linear regression of several tasks: prediction and the shape of results."""

    @property
    def _loss(self) -> str:
        """The name of the loss."""
        return "squared"

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that y may have several columns."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def predict(self, X: Any, unknown: Unknown = "error") -> Array:
        """Predict the target of each row: (n,), or (n, T) if fitted on a y (n, T).

        Rows of several tasks may come in any order. A task that was not in the fit is
        an error, or with ``unknown="mean"`` gets the mean of all tasks and a warning.
        """
        margins, _ = self._margins(X, unknown)
        margins = response(self._loss_to_fit(), margins)
        single = self.task_column is None and not self._multioutput
        return margins[:, 0] if single else margins

    def calibrate(
        self, X: Any, y: Any, cv: int | None = None, sample_weight: Any = None
    ) -> Self:
        """Learn how wide prediction intervals must be, by conformal prediction.

        Parameters
        ----------
        X, y : as in :meth:`fit`
            Rows that were not in the fit; or, with ``cv``, the rows of the fit.
        cv : int, optional
            Hold out the rows in so many folds, each predicted by a copy that is fitted
            on the others.
        sample_weight : array-like (n,), optional
            How much the rows count in these fits; as errors they count alike.
        """
        return calibrated(self, X, y, cv, sample_weight)

    def predict_interval(
        self, X: Any, level: float = 0.9, unknown: Unknown = "error"
    ) -> Array:
        """Return lower and upper ends of the prediction intervals: (n, 2) or (n, T, 2).

        About the share ``level`` of new rows has its target between them. A task with
        few rows of calibration has the width of all tasks together; it is infinite
        where even those are too few. With ``unknown="mean"`` rows of tasks that were
        not in the fit have no interval (NaN).
        """
        margins, tasks = self._margins(X, unknown)
        widths = np.append(self.predictor().interval_widths(level), np.nan)[tasks]
        if self.task_column is None and not self._multioutput:
            margins = margins[:, 0]
        return np.stack(interval_ends(self._loss_to_fit(), margins, widths), axis=-1)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R² as in scikit-learn; of missing targets, the mean of R² over the tasks."""
        if not has_holes(y):
            return super().score(X, y, sample_weight)
        predicted, Y = self.predict(X), np.asarray(y, dtype=float)
        there = ~np.isnan(Y)
        weights = (
            np.ones(len(Y)) if sample_weight is None else np.asarray(sample_weight)
        )
        found = [
            r2_score(t[m], p[m], sample_weight=weights[m])
            for t, p, m in zip(Y.T, predicted.T, there.T, strict=True)
            if m.sum() > 1
        ]
        return float(np.mean(found))

    def _loss_to_fit(self) -> str | Loss:
        return self._loss

    def _encode_outputs(self, y: Array) -> tuple[Array, None]:
        self._multioutput = y.ndim == 2
        return np.asarray(y, dtype=float).reshape(len(y), -1), None

    def _encode_column(self, y: Any, tasks: Sequence[str]) -> Any:
        return y

    def _publish(
        self, result: Any, tasks: Sequence[str], features: Sequence[str]
    ) -> None:
        super()._publish(result, tasks, features)
        if self.task_column is None and not self._multioutput:
            self.coef_, self.intercept_ = self.coef_[0], float(result.intercept[0])

    def _assume(self, predictor: Predictor, record: EstimatorRecord) -> Self:
        if predictor.labels is not None:
            msg = "a regressor has no labels"
            raise ValueError(msg)
        n_tasks = len(predictor.task_names)
        if self.task_column is None and not record.multioutput and n_tasks > 1:
            msg = f"{n_tasks} tasks need a task column or several outputs"
            raise ValueError(msg)
        return super()._assume(predictor, record)


class VSTGRegressor(MultiTaskRegressor, BaseVSTG):
    r"""Linear regression that selects variables and groups tasks.

    Task j predicts :math:`x^T w_j + b_j` with :math:`w_j = U v_j`. The matrices
    :math:`U \in R^{D \times K}` and :math:`V \in R^{K \times T}` minimise

    .. math:: \sum_j \frac{1}{2 N_j} \|y_j - X_j U v_j - b_j\|_2^2
              + \gamma_1 \|U\|_1 + \gamma_2 \|U\|_{1,\infty}
              + \mu \sum_j (\|v_j\|_k^{sp})^2,

    so that a row of zeros in U drops a variable from all tasks, and tasks which use
    the same columns of U form a group.

    Parameters
    ----------
    task_column : str or int, optional
        The column of X that names each row's task, by its name in a table or its
        position in an array (from the end if negative). Without it there is one task
        or, if y has two dimensions, one task per column of y.
    loss : {"squared", "huber", "poisson"} or Loss
        What the fit minimises beside the penalties: squared errors; the same up to
        1.345 and absolute errors beyond, for outliers (``vstg.losses.HuberLoss(delta)``
        puts the border elsewhere); the Poisson deviance, for counts, with predictions
        :math:`e^{x^T w_j + b_j}`. An object of your own needs the methods of
        :class:`vstg.losses.Loss`.
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
        Give every task an intercept :math:`b_j`, which is not penalised.
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
    coef_ : array (n_tasks, n_features), or (n_features,) for a plain y
        W transposed.
    intercept_ : array (n_tasks,), or float for a plain y
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
    groups_ : tuple of tuples of str
        The tasks by groups: those of a group use the same columns of U.
    selected_features_ : tuple of str
        The variables that some task uses.
    column_importances_ : array (n_features_in_,)
        Σ_j |w_ij| of the columns of X; the task column counts most.
    objective_ : float
    n_iter_ : int
    result_ : VSTGResult
        Everything that the solver found, with its history.

    See Also
    --------
    VSTGClassifier : The same for classes.
    vstg.TaskKFold : Folds for ``GridSearchCV`` and others, with every task in each.
    vstg.solve_vstg : The function behind it.

    Notes
    -----
    "fast" stops when the gradient mapping of every row of U and every column of V is
    at most ``tol`` times the largest such gradient at zero; "admm" stops when the
    objective changes by at most ``tol`` times its value.

    With a task column, columns are found again by their names, in any order. Without
    one, the order must be that of the fit, as everywhere in scikit-learn.

    The penalties depend on the scales of the variables: bring them to one scale first.

    Examples
    --------
    >>> from vstg import VSTGRegressor
    >>> from vstg.datasets import make_syn
    >>> syn = make_syn(1, random_state=0)
    >>> train = syn.train.to_frame(task="school", target="score")
    >>> y = train.pop("score")
    >>> model = VSTGRegressor("school", n_latent=5, k=1, gamma1=2**-4, gamma2=2**-4)
    >>> model.fit(train, y).coef_.shape
    (20, 25)
    >>> model.predict(train.sample(frac=1.0, random_state=0)).shape
    (1000,)
    >>> model.score(train, y) > 0.5
    True
    """

    def __init__(
        self,
        task_column: Hashable = None,
        *,
        loss: str | Loss = "squared",
        n_latent: int = 5,
        k: int = 3,
        gamma1: float = 2**-5,
        gamma2: float = 2**-5,
        mu: float | None = None,
        cut: float = 0.0,
        relax: float = 1.0,
        fit_intercept: bool = True,
        solver: str = "fast",
        tol: float | None = None,
        max_iter: int | None = None,
        n_init: int = 1,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        super().__init__(
            task_column, n_latent=n_latent, k=k, gamma1=gamma1, gamma2=gamma2, mu=mu,
            cut=cut, relax=relax, fit_intercept=fit_intercept, solver=solver, tol=tol,
            max_iter=max_iter, n_init=n_init, random_state=random_state,
        )  # fmt: skip
        self.loss = loss

    @property
    def _loss(self) -> str:
        return self.loss if isinstance(self.loss, str) else self.loss.name

    def _loss_to_fit(self) -> Loss:
        loss = get_loss(self.loss)
        if loss.is_classification:
            msg = f"loss={loss.name!r} is for labels: use VSTGClassifier"
            raise ValueError(msg)
        return loss

    def _params_to_store(self) -> dict[str, Any]:
        return {**super()._params_to_store(), "loss": self._loss}

    @classmethod
    def _params_of(cls, result: VSTGResult) -> dict[str, Any]:
        params = super()._params_of(result)
        known = known_loss(result.loss)
        if known is not None and known.is_classification:
            return params  # which will be refused
        return {**params, "loss": result.loss}

    @classmethod
    def from_result(
        cls,
        result: VSTGResult,
        data: MultiTaskData,
        *,
        task_column: str | int | None = "task",
    ) -> Self:
        """Make a fitted model of a result of :func:`vstg.solve_vstg`.

        Parameters
        ----------
        result : VSTGResult
        data : MultiTaskData
            What it was fitted on; only the names of tasks and variables are used.
        task_column : str, int or None
            Where :meth:`predict` will find the task; None: predict all tasks.
        """
        return cls._of_result(result, data, task_column)
