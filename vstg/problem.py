"""A fitting problem: the loss of all tasks as a function of W and the intercepts."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, cast

import numpy as np

from vstg.data import Array, Dataset, MultiTaskData, check_targets
from vstg.data.designs import Index, margins, size_of, transposed_times
from vstg.losses import Loss, SquaredLoss, best_constant, get_loss, weighted_sum
from vstg.statistics import (
    Moments,
    Quadratic,
    RowModel,
    ZeroGradient,
    first_moments,
    gram_quadratic,
)

SMALL = 2**18  # entries of all Gram matrices that are kept whatever the data are
MOST = 2**28  # entries that are never exceeded


@dataclass(frozen=True, eq=False)
class Problem:
    r"""The smooth part of every method.

    .. math:: \sum_j \tfrac{1}{N_j} L(y_j, X_j w_j + b_j)

    or, with weights of rows and tasks, :math:`\sum_j a_j \sum_i s_{ij} L_{ij} /
    \sum_i s_{ij}`. Built once, used by any number of fits, in one of two forms.

    - Gram form: ``model`` is there from the start. For a quadratic loss it says
      everything (the intercept minimised out) and ``data`` is not looked at again, so
      a fold can be made by subtracting statistics. For another loss ``model`` has the
      curvature of its quadratic upper bound: G is h·XᵀX/N, centred with an intercept.
    - Wide form, for many variables on few rows: everything comes from ``data``, one
      pass an evaluation. :meth:`restrict` gives the Gram form of some variables.
    """

    loss: Loss
    fit_intercept: bool
    data: MultiTaskData | None = None
    summed: Quadratic | RowModel | None = None  # None: wide form

    @classmethod
    def of(
        cls,
        data: MultiTaskData,
        loss: str | Loss,
        *,
        fit_intercept: bool,
        allow_constant: bool = True,
        wide: bool | None = None,
    ) -> Self:
        """Check the targets and, in the Gram form, sum the statistics.

        A regression task whose target never changes is well posed, and the small
        tasks of a fold may have one: it is accepted here. Functions that are handed
        data by a user pass ``allow_constant=False``, since there it is probably a
        mistake. ``wide`` chooses the form, by default :func:`prefers_wide`.
        """
        chosen = get_loss(loss)
        check_targets(
            data,
            classification=chosen.is_classification,
            allow_constant=allow_constant,
        )
        check = getattr(chosen, "check_targets", None)
        if check is not None:
            for name, y in zip(data.task_names, data.y, strict=True):
                check(y, name)
        problem = cls(chosen, fit_intercept, data)
        if prefers_wide(data) if wide is None else wide:
            return problem
        return replace(problem, summed=problem._sum_up())

    @classmethod
    def of_dataset(cls, dataset: Dataset) -> Self:
        """The problem of fitting the training rows of a data set."""
        return cls.of(
            dataset.train,
            dataset.loss,
            fit_intercept=dataset.fit_intercept,
            allow_constant=dataset.allow_constant,
        )

    @classmethod
    def of_moments(cls, moments: Moments) -> Self:
        """The squared loss on what ``moments`` were summed over."""
        summed = moments.quadratic()
        return cls(SquaredLoss(), moments.fit_intercept, None, summed)

    def _sum_up(self) -> Quadratic:
        model = Moments.of(
            self.rows_of_data, fit_intercept=self.fit_intercept
        ).quadratic()
        model.G[:] *= self.typical_curvature
        return model

    @property
    def typical_curvature(self) -> float:
        """The bound on the curvature of the loss, or 1 if there is none."""
        return self.loss.curvature if np.isfinite(self.loss.curvature) else 1.0

    @property
    def is_wide(self) -> bool:
        """Whether the problem is in the wide form."""
        return self.summed is None

    @cached_property
    def model(self) -> Quadratic:
        """The statistics; in the wide form summed when first asked for.

        Raises
        ------
        ValueError
            The matrices would not fit: methods that need them are for fewer variables.
        """
        if self.summed is not None:
            # A RowModel comes from restrict and meets the fast solver only, which
            # asks nothing of it that it does not have.
            return cast(Quadratic, self.summed)
        T, D = self.n_tasks, self.n_features
        if gram_entries(self.rows_of_data) > MOST:
            msg = (
                f"{T:,} tasks with {D:,} variables need {T:,} matrices of {D:,} × "
                f"{D:,}, too much for this method: take fewer variables, or VSTG-MTL "
                "with solver='fast', which does without them"
            )
            raise ValueError(msg)
        return self._sum_up()

    @cached_property
    def null(self) -> tuple[float, ZeroGradient]:
        """The loss at W = 0 with its best intercept, and its gradient there."""
        if self.loss.is_quadratic and self.summed is not None:
            return self.summed.constant, ZeroGradient(-self.summed.c)
        pairs = zip(self.rows_of_data.y, self.start_intercept(), strict=True)
        value, slopes = self.slopes([np.full(len(y), b) for y, b in pairs])
        return value, ZeroGradient.of(self.rows_of_data, slopes)

    def in_gram_form(self) -> Self:
        """The same problem with its Gram matrices; see :attr:`model`."""
        return self if self.summed is not None else replace(self, summed=self.model)

    @property
    def n_tasks(self) -> int:
        """T."""
        return self.rows_of_data.n_tasks if self.summed is None else len(self.summed.c)

    @property
    def n_features(self) -> int:
        """D."""
        if self.summed is None:
            return self.rows_of_data.n_features
        return self.summed.c.shape[1]

    @property
    def rows_of_data(self) -> MultiTaskData:
        """The data, where they must be there."""
        assert self.data is not None, "this problem was made of statistics alone"
        return self.data

    def restrict(self, rows: Index) -> Self:
        """The problem with only the variables ``rows``, ready for the fast solver.

        Its model are Gram matrices, or observations where those would be larger. The
        latest restriction is kept, since a start and its descent ask for the same.
        """
        key = rows.tobytes()
        latest: tuple[bytes, Self] | None = self.__dict__.get("latest")
        if latest is None or latest[0] != key:
            latest = None
            self.__dict__.pop("latest", None)  # never two of them in memory
            latest = key, self._restrict(rows)
            self.__dict__["latest"] = latest
        return latest[1]

    def part(self, rows: Index) -> Self:
        """The problem with only the variables ``rows``, from the statistics if kept."""
        if not isinstance(self.summed, Quadratic):
            return self.restrict(rows)
        # A quadratic loss is all in the statistics.
        data = None if self.loss.is_quadratic else self.rows_of_data.columns(rows)
        return replace(self, data=data, summed=self.summed.part(rows))

    def _restrict(self, rows: Index) -> Self:
        data, h = self.rows_of_data.columns(rows), self.typical_curvature
        first = first_moments(data, fit_intercept=self.fit_intercept)
        model: Quadratic | RowModel
        designs = data.X[:1] if data.shared_gram else data.X
        if gram_entries(data) > sum(X.shape[0] for X in designs) * len(rows):
            model = RowModel.of(data, first.x_mean, first.y_mean, h)
        else:
            model = gram_quadratic(data, first, h)
        return type(self)(self.loss, self.fit_intercept, data, model)

    def start_intercept(self) -> Array:
        """b at W = 0."""
        if self.loss.is_quadratic and self.summed is not None:
            return self.summed.y_mean.copy()
        if self.data is None or not self.fit_intercept:
            return np.zeros(self.n_tasks)
        data = self.data
        constants = [
            best_constant(self.loss, y, data.row_weights(j))
            for j, y in enumerate(data.y)
        ]
        return np.array(constants)

    def evaluate(self, W: Array, b: Array) -> tuple[float, Array, Array]:
        """The loss and its gradients with respect to W (D, T) and b (T,).

        A quadratic loss is taken at the best intercept, whatever ``b`` is.
        """
        if self.loss.is_quadratic:
            if self.summed is not None:
                GW, c = self.summed.times(W), self.summed.c.T
                value = self.summed.constant + float((W * (0.5 * GW - c)).sum())
                return value, GW - c, np.zeros(self.n_tasks)
            b = self.best_intercept(W)
        value, slopes = self.slopes(self.margins(W, b))
        gradient = np.column_stack(self.backwards(slopes))
        return value, gradient, np.array([s.sum() for s in slopes])

    def best_intercept(self, W: Array) -> Array:
        """b of the squared loss for given W: the mean of what W leaves over."""
        if not self.fit_intercept:
            return np.zeros(self.n_tasks)
        fitted = self.margins(W, np.zeros(self.n_tasks))
        data = self.rows_of_data
        left = [y - m for y, m in zip(data.y, fitted, strict=True)]
        if not data.weights:
            return np.array([float(r.mean()) for r in left])
        pairs = zip(left, data.weights, strict=True)
        return np.array([float(s @ r / s.sum()) for r, s in pairs])

    def slopes(self, margins: list[Array]) -> tuple[float, list[Array]]:
        """The loss and dL/dm/N_j (weighted) of every observation, task by task."""
        data, value, slopes = self.rows_of_data, 0.0, []
        for j, (y, margin) in enumerate(zip(data.y, margins, strict=True)):
            total = weighted_sum(self.loss, y, margin, data.row_weights(j))
            value += total / data.divisors[j]
            slope = data.weighed(j, self.loss.derivative(y, margin))
            slopes.append(slope / data.divisors[j])
        return value, slopes

    def backwards(self, slopes: list[Array]) -> list[Array]:
        """X_jᵀs_j for every task."""
        data = self.rows_of_data
        if data.shared_X:
            return list(transposed_times(data.X[0], np.column_stack(slopes)).T)
        pairs = zip(data.X, slopes, strict=True)
        return [transposed_times(X, s) for X, s in pairs]

    def margins(self, W: Array, b: Array) -> list[Array]:
        """X_j w_j + b_j for every task of ``data``."""
        return margins(self.rows_of_data.X, W, b)


def gram_entries(data: MultiTaskData) -> int:
    """Numbers in the Gram matrices of all tasks; a shared design has one."""
    return (1 if data.shared_gram else data.n_tasks) * data.n_features**2


def prefers_wide(data: MultiTaskData) -> bool:
    """Whether Gram matrices would be large, and larger than the data themselves."""
    return outgrows(gram_entries(data), size_of(data.X))


def outgrows(gram: int, entries: int) -> bool:
    """:func:`prefers_wide` for numbers in Gram matrices and in the designs."""
    return gram > max(SMALL, entries)
