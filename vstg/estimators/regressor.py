"""Regression for several tasks at once."""

from collections.abc import Sequence
from typing import Self

from vstg.data import MultiTaskData
from vstg.estimators.base import BaseVSTG
from vstg.estimators.labels import Labels
from vstg.estimators.regression import MultiTaskRegressor
from vstg.solvers import VSTGResult


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
        or, if y has two dimensions, one task a column of y.
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
    objective_ : float
    n_iter_ : int
    result_ : VSTGResult
        All that the solver found, with its history.

    See Also
    --------
    VSTGClassifier : The same for classes.
    vstg.solve_vstg : The function beneath.

    Notes
    -----
    "fast" stops when the gradient mapping of every row of U and every column of V is
    at most ``tol`` times the largest such gradient at zero; "admm" stops when the
    objective changes by at most ``tol`` times its value.

    With a task column, columns are found again by their names, in any order. Without
    one, the order must be that of the fit, as everywhere in scikit-learn.

    The penalties see the variables as they are: bring them to one scale first.

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
        model, columns = cls._for_result(result, data, task_column)
        names = (data.task_names, data.feature_names)
        multioutput = task_column is None and data.n_tasks > 1
        return model._assume(result, *names, columns=columns, multioutput=multioutput)

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
        if labels is not None:
            msg = "a regressor has no labels"
            raise ValueError(msg)
        if self.task_column is None and not multioutput and len(tasks) > 1:
            msg = f"{len(tasks)} tasks need a task column or several outputs"
            raise ValueError(msg)
        return super()._assume(
            result, tasks, features, columns=columns, multioutput=multioutput
        )
