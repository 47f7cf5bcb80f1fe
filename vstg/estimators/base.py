"""Parameters and solver that the two VSTG estimators share."""

import warnings
from collections.abc import Hashable, Sequence
from dataclasses import asdict
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_scalar

from vstg.data import MultiTaskData
from vstg.estimators.multitask import MultiTaskEstimator
from vstg.estimators.new_tasks import transferred
from vstg.losses import Loss
from vstg.objective import Settings
from vstg.prediction import Predictor
from vstg.prediction.schema import Labels
from vstg.problem import Problem
from vstg.solvers import SOLVERS, VSTGResult, solve_problem


class BaseVSTG(MultiTaskEstimator):
    """VSTG-MTL with the interface of scikit-learn; see the two subclasses."""

    def __init__(
        self,
        task_column: Hashable = None,
        *,
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
        self.task_column = task_column
        self.n_latent = n_latent
        self.k = k
        self.gamma1 = gamma1
        self.gamma2 = gamma2
        self.mu = mu
        self.cut = cut
        self.relax = relax
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state

    def _loss_to_fit(self) -> str | Loss:
        """Return the name of the loss, or the user's own loss."""
        return self._loss

    def _check_stopping(self) -> None:
        counts = {"n_init": self.n_init, "max_iter": self.max_iter}
        for name, count in counts.items():
            if count is not None or name == "n_init":
                check_scalar(count, name, Integral, min_val=1)
        if self.tol is not None:
            check_scalar(self.tol, "tol", Real, min_val=0)

    def _solve(self, data: MultiTaskData) -> VSTGResult:
        self._check_stopping()
        settings = Settings.checked(
            n_latent=self.n_latent,
            k=self.k,
            gamma1=self.gamma1,
            gamma2=self.gamma2,
            mu=self.mu,
            cut=self.cut,
            relax=self.relax,
        )
        problem = Problem.of(
            data, self._loss_to_fit(), fit_intercept=self.fit_intercept
        )
        result = solve_problem(
            problem,
            settings,
            solver=self.solver,
            tol=None if self.tol is None else float(self.tol),
            max_iter=self.max_iter,
            n_init=self.n_init,
            random_state=self.random_state,
        )
        if not result.converged:
            default = SOLVERS[self.solver].max_iter
            max_iter = default if self.max_iter is None else self.max_iter
            msg = (
                f"{type(self).__name__} stopped after max_iter={max_iter} iterations, "
                "before it converged: raise max_iter, or tol if less accuracy will do"
            )
            warnings.warn(msg, ConvergenceWarning, stacklevel=3)
        return result

    def transfer(
        self, X: Any, y: Any, *, sample_weight: Any = None, mu: float | None = None
    ) -> Self:
        """Return a fitted copy with new tasks, each from a few rows of its own.

        The bases ``U_`` stay as they are; every new task is given its column of ``V_``
        and its intercept, see :func:`vstg.solvers.fit_task`. The known tasks do not
        change.

        Parameters
        ----------
        X : as in :meth:`fit`; the task column names the new tasks
        y : array-like (n,), or (n, T) if fitted on such a y: a column per new task
        sample_weight : array-like (n,), optional
            How much each row counts.
        mu : float, optional
            Strength of the penalty on a column of ``V_``, by default that of the fit.
        """
        return transferred(self, X, y, mu, sample_weight)

    def _publish(
        self, result: VSTGResult, tasks: Sequence[str], features: Sequence[str]
    ) -> None:
        super()._publish(result, tasks, features)
        self.U_, self.V_ = result.U, result.V
        groups: dict[bytes, list[str]] = {}
        for name, used in zip(tasks, (result.V != 0).T, strict=True):
            groups.setdefault(used.tobytes(), []).append(name)
        self.groups_ = tuple(tuple(names) for names in groups.values())

    @classmethod
    def _params_of(cls, result: VSTGResult) -> dict[str, Any]:
        return {
            **asdict(result.settings),
            "fit_intercept": result.fit_intercept,
            "solver": result.solver,
        }

    @classmethod
    def _of_result(
        cls,
        result: VSTGResult,
        data: MultiTaskData,
        task_column: str | int | None,
        labels: Labels | None = None,
    ) -> Self:
        """Make a fitted estimator from a result and the data it was fitted on."""
        shape = (data.n_features, data.n_tasks)
        if result.W.shape != shape:
            msg = f"the result has W of shape {result.W.shape}, and the data {shape}"
            raise ValueError(msg)
        names = data.task_names, data.feature_names
        return cls.from_predictor(
            Predictor(result, *names, labels=labels, task_column=task_column)
        )
