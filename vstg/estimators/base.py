"""What the VSTG estimators have in common: parameters, the solver, files."""

import warnings
from collections.abc import Hashable, Sequence
from numbers import Integral, Real
from typing import Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_scalar
from sklearn.utils.validation import check_is_fitted

from vstg.data import MultiTaskData
from vstg.estimators.archive import Source, pack, write
from vstg.estimators.labels import Labels
from vstg.estimators.multitask import MultiTaskEstimator
from vstg.estimators.state import describe, dump_json, read_json, read_model
from vstg.objective import Settings
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
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state

    def save(self, target: Source) -> None:
        """Write the fitted model to a model file; see :func:`vstg.save_model`."""
        check_is_fitted(self)
        write(pack(*describe(self)), target)

    @classmethod
    def load(cls, source: Source) -> Self:
        """Read a model of this class; see :func:`vstg.load_model`."""
        return read_model(source, cls)

    def to_json(self) -> str:
        """Return the content of a model file as one JSON text."""
        check_is_fitted(self)
        return dump_json(self)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read a model of this class from the text of :meth:`to_json`."""
        return read_json(text, cls)

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
        )
        problem = Problem.of(data, self._loss, fit_intercept=self.fit_intercept)
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

    def _publish(
        self, result: VSTGResult, tasks: Sequence[str], features: Sequence[str]
    ) -> None:
        super()._publish(result, tasks, features)
        self.U_, self.V_ = result.U, result.V

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
        """Become fitted without fitting."""
        if result.loss != self._loss:
            msg = (
                f"a {type(self).__name__} has the loss {self._loss!r}, "
                f"and the result {result.loss[:40]!r}"
            )
            raise ValueError(msg)
        by_column = self.task_column is not None
        if multioutput and by_column:
            msg = "a model with a task column has one output, not one a task"
            raise ValueError(msg)
        self._multioutput = multioutput
        self._adopt_columns(columns, len(features) + by_column)
        self._publish(result, tasks, features)
        return self

    @classmethod
    def _for_result(
        cls, result: VSTGResult, data: MultiTaskData, task_column: str | int | None
    ) -> tuple[Self, tuple[str, ...] | None]:
        """An estimator with the settings of a result, and the columns it expects."""
        shape = (data.n_features, data.n_tasks)
        if result.W.shape != shape:
            msg = f"the result has W of shape {result.W.shape}, and the data {shape}"
            raise ValueError(msg)
        settings = result.settings
        model = cls(
            task_column,
            n_latent=settings.n_latent,
            k=settings.k,
            gamma1=settings.gamma1,
            gamma2=settings.gamma2,
            mu=settings.mu,
            fit_intercept=result.fit_intercept,
            solver=result.solver,
        )
        names = data.feature_names
        if isinstance(task_column, str):
            if task_column in names:
                msg = f"task_column={task_column!r} is the name of a variable"
                raise ValueError(msg)
            return model, (task_column, *names)
        made_up = names == tuple(f"x{i}" for i in range(len(names)))
        return model, None if made_up or task_column is not None else names
