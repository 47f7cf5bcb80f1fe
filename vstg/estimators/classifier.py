"""Classification for several tasks at once."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from vstg.data import MultiTaskData
from vstg.estimators.base import BaseVSTG
from vstg.estimators.classification import MultiTaskClassifier
from vstg.estimators.labels import Labels, check_labels
from vstg.solvers import VSTGResult


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
        which need not be those of the others. Without a task column there is one
        task, or one task a class if there are more than two (one against the rest),
        or one task a column if y has several.
    n_latent : int
        K, the number of columns of U. More than the tasks need is no harm.
    k : int
        The k of the k-support norm, at most ``n_latent``: small values make groups
        apart, large ones let tasks share.
    gamma1, gamma2 : float
        Strengths of sparsity by entries and by whole rows of U.
    mu : float, optional
        Strength of the penalty on V; equal to ``gamma1`` by default.
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
        All that the solver found, with its history.

    See Also
    --------
    VSTGRegressor : The same for numbers, with notes on stopping and on columns.
    vstg.solve_vstg : The function beneath.

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
        model, columns = cls._for_result(result, data, task_column)
        labels = np.array((-1, 1) if classes is None else classes)
        one_vs_rest = len(labels) != 2
        if not one_vs_rest:
            labels = np.tile(labels, (data.n_tasks, 1))
        several = task_column is None and data.n_tasks > 1
        return model._assume(
            result,
            data.task_names,
            data.feature_names,
            columns=columns,
            multioutput=several and not one_vs_rest,
            labels=labels,
        )

    def _assume(
        self,
        result: VSTGResult,
        tasks: Sequence[str],
        features: Sequence[str],
        *,
        columns: Sequence[str] | None,
        multioutput: bool,
        labels: Labels | None = None,
    ) -> Self:
        on_one_table = self.task_column is None and not multioutput
        self.task_classes_ = check_labels(labels, len(tasks), one_vs_rest=on_one_table)
        if on_one_table and len(tasks) > 1 and not self._one_vs_rest:
            msg = f"{len(tasks)} tasks need a task column or several outputs"
            raise ValueError(msg)
        return super()._assume(
            result, tasks, features, columns=columns, multioutput=multioutput
        )
