"""The baselines that VSTG-MTL is compared with, as estimators."""

import warnings
from collections.abc import Hashable
from inspect import signature
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from vstg.baselines import BaselineResult, get_baseline
from vstg.data import MultiTaskData
from vstg.estimators.classification import MultiTaskClassifier
from vstg.estimators.multitask import MultiTaskEstimator
from vstg.estimators.regression import MultiTaskRegressor
from vstg.problem import Problem


class BaseBaseline(MultiTaskEstimator):
    """A baseline with the interface of scikit-learn; see the two subclasses."""

    result_: BaselineResult

    def __init__(
        self,
        task_column: Hashable = None,
        *,
        method: str = "lasso",
        gamma1: float = 2**-5,
        gamma2: float = 2**-5,
        n_latent: int = 5,
        alpha: float = 0.5,
        fit_intercept: bool = True,
        tol: float | None = None,
        max_iter: int | None = None,
    ) -> None:
        self.task_column = task_column
        self.method = method
        self.gamma1 = gamma1
        self.gamma2 = gamma2
        self.n_latent = n_latent
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    def _solve(self, data: MultiTaskData) -> BaselineResult:
        baseline = get_baseline(self.method)
        options: dict[str, Any] = {
            name: getattr(self, name) for name in baseline.parameters
        }
        stopping = {"tol": self.tol, "max_iter": self.max_iter}
        options |= {name: rule for name, rule in stopping.items() if rule is not None}
        problem = Problem.of(data, self._loss, fit_intercept=self.fit_intercept)
        result = baseline.solve(problem, **options)
        if not result.converged:
            default = signature(baseline.solve).parameters["max_iter"].default
            max_iter = default if self.max_iter is None else self.max_iter
            msg = (
                f"{type(self).__name__}(method={self.method!r}) stopped after "
                f"max_iter={max_iter} iterations, before it converged: raise max_iter, "
                "or tol if less accuracy will do"
            )
            warnings.warn(msg, ConvergenceWarning, stacklevel=3)
        return result

    @classmethod
    def _params_of(cls, result: BaselineResult) -> dict[str, Any]:
        return {"method": result.method, **result.parameters}


class BaselineRegressor(MultiTaskRegressor, BaseBaseline):
    r"""Linear regression of several tasks by one of the baselines.

    Task j predicts :math:`x^T w_j + b_j`, and W minimises
    :math:`\sum_j \frac{1}{2 N_j} \|y_j - X_j w_j - b_j\|_2^2` plus, by ``method``,

    - ``lasso``: :math:`\gamma_1 \|W\|_1`, every task by itself
    - ``l1_trace``: :math:`\gamma_1 \|W\|_1 + \gamma_2 \|W\|_*`
    - ``mmtfl``: :math:`\gamma_1 \|B\|_1 + \gamma_2 \|c\|_2^2`, W = diag(c) B, c ≥ 0
    - ``go_mtl``: :math:`\gamma_1 \|S\|_1 + \gamma_2 \|L\|_F^2`, W = L S of K bases
    - ``l21``: :math:`\gamma_1 \sum_i \|w^i\|_2`, the rows of W
    - ``dirty``: :math:`\gamma_1 \|P\|_1 + \gamma_2 \sum_i \|q^i\|_\infty`, W = P + Q
    - ``clustered``: tasks in K clusters, see :func:`vstg.baselines.solve_clustered`
    - ``pretrained``: one LASSO for all tasks, then one for what each adds, see
      :func:`vstg.baselines.solve_pretrained`
    - ``ridge``: :math:`\gamma_1 \|W\|_F^2`, every task by itself
    - ``pooled``: :math:`\gamma_1 \|W\|_F^2` with equal columns: one model for all

    Parameters
    ----------
    task_column : str or int, optional
        The column of X that names each row's task, by its name in a table or its
        position in an array (from the end if negative). Without it there is one task
        or, if y has two dimensions, one task per column of y.
    method : str
        A name of :data:`vstg.baselines.BASELINES`.
    gamma1, gamma2 : float
        Strengths of the penalties; methods with one of them ignore ``gamma2``.
    n_latent : int
        K of ``go_mtl`` and ``clustered``; the other methods ignore it.
    alpha : float
        How far a task of ``pretrained`` may go its own way, in [0, 1]; the other
        methods ignore it.
    fit_intercept : bool
        Give every task an intercept :math:`b_j`, which is not penalised.
    tol, max_iter : optional
        Stopping rule, by default that of the method.

    Attributes
    ----------
    coef_ : array (n_tasks, n_features), or (n_features,) for a plain y
        W transposed.
    intercept_ : array (n_tasks,), or float for a plain y
    tasks_, feature_names_ : tuple of str
        The tasks and variables, in the order of ``coef_``.
    n_features_in_, feature_names_in_
        What X looked like, the task column included.
    objective_ : float
    n_iter_ : int
    result_ : BaselineResult
        What was found, with the method's own variables in ``result_.factors``.

    See Also
    --------
    vstg.VSTGRegressor : The method of the paper, with the same interface.
    vstg.baselines : The functions behind it.

    Examples
    --------
    >>> from vstg.datasets import make_syn
    >>> from vstg.estimators import BaselineRegressor
    >>> train = make_syn(1, random_state=0).train.to_frame()
    >>> y = train.pop("target")
    >>> model = BaselineRegressor("task", method="go_mtl", gamma1=0.1, gamma2=0.1)
    >>> model.fit(train, y).coef_.shape
    (20, 25)
    >>> sorted(model.result_.factors)
    ['L', 'S']
    """


class BaselineClassifier(MultiTaskClassifier, BaseBaseline):
    r"""Logistic regression of several tasks by one of the baselines.

    Task j has the decision value :math:`m = x^T w_j + b_j`, and W minimises
    :math:`\sum_j \frac{1}{N_j} \sum_n \log(1 + e^{-y_j^n (x_j^n w_j + b_j)})` plus the
    penalty of the ``method``; see :class:`BaselineRegressor`, whose parameters these
    are.

    Parameters
    ----------
    task_column : str or int, optional
        As in :class:`vstg.VSTGClassifier`: without it there is one task, or one per
        class if there are more than two, or one per column if y has several.
    method, gamma1, gamma2, n_latent, alpha, fit_intercept, tol, max_iter
        As in :class:`BaselineRegressor`.

    Attributes
    ----------
    classes_, task_classes_
        The labels, as in :class:`vstg.VSTGClassifier`.
    coef_ : array (n_tasks, n_features)
        W transposed.
    intercept_ : array (n_tasks,)
    tasks_, feature_names_, n_features_in_, feature_names_in_, objective_, n_iter_
        As in :class:`BaselineRegressor`.
    result_ : BaselineResult

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.preprocessing import scale
    >>> from vstg.estimators import BaselineClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = BaselineClassifier(method="l1_trace", gamma1=2**-8, gamma2=2**-8)
    >>> model.fit(scale(X), y).score(scale(X), y) > 0.9
    True
    """
