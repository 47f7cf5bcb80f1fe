"""A quadratic model cut into spans: runs of tasks that one thread works on.

A span holds views: writing into its ``Vt`` and residuals writes into the whole.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from vstg.data import Array
from vstg.data.designs import Index
from vstg.kernels.blocks import (
    gram_row_sums,
    model_gradient,
    model_loss,
    move_row,
    times_U,
)
from vstg.kernels.rows import (
    gradients,
    move_residuals,
    pass_tasks,
    residuals,
    row_loss,
    row_sums,
)
from vstg.kernels.shared import (
    sum_products,
    sum_residuals,
    sweep_shared,
    sweep_shared_rows,
)
from vstg.kernels.tasks import TASK_STEPS, pass_V
from vstg.statistics import Quadratic, RowModel

Model = Quadratic | RowModel


class Span(Protocol):
    """What the descent asks of a run of tasks."""

    def refresh(self, U: Array) -> None:
        """Compute the residuals from scratch."""

    def loss(self, U: Array) -> float:
        """The loss up to a constant."""

    def gradients(self) -> Array:
        """The gradient of the loss with respect to every w_j of the span."""

    def sums(self, i: int, g: Array, H: Array) -> None:
        """This span's part of the gradient and curvature of row i of U."""

    def move(self, i: int, change: Array) -> None:
        """Update the residuals after a change of row i of U."""

    def solve(self, U: Array, mu: float, k: int) -> tuple[float, float]:
        """Update every v_j; returns the largest residual of a task, and its scale."""


class Spans(Protocol):
    """What the descent asks of a model that it cuts into spans."""

    @property
    def left_out(self) -> float:
        """The loss minus the sum of the losses of its spans."""

    def new_residuals(self) -> Array:
        """An empty array for the residuals of all tasks."""

    def span(self, low: int, high: int, Vt: Array, residuals: Array) -> Span:
        """The tasks from ``low`` to ``high``."""

    def sweep_shared(
        self, U: Array, Vt: Array, residuals: Array, Bt: Array, *rest: Any
    ) -> float:
        """One pass over the rows of U if all tasks have one design.

        The residuals are left to the pass over V.
        """


def spans_of(model: Model) -> Spans:
    """The way to cut a model, by its form."""
    return RowSpans(model) if isinstance(model, RowModel) else GramSpans(model)


@dataclass(frozen=True, eq=False)
class GramSpan:
    """Tasks on Gram matrices; see ``vstg.kernels.blocks``."""

    G: Array
    c: Array
    Vt: Array
    R: Array

    @cached_property
    def diagonal(self) -> Array:
        """G_j[i, i], together: within G they are far from each other."""
        return np.einsum("jii->ji", self.G).copy()

    def refresh(self, U: Array) -> None:
        """See :class:`Span`."""
        model_gradient(self.G, self.c, U, self.Vt, self.R)

    def loss(self, U: Array) -> float:
        """See :class:`Span`."""
        return float(model_loss(self.c, U, self.Vt, self.R))

    def gradients(self) -> Array:
        """See :class:`Span`."""
        return self.R

    def sums(self, i: int, g: Array, H: Array) -> None:
        """See :class:`Span`."""
        gram_row_sums(self.diagonal, self.R, self.Vt, i, g, H)

    def move(self, i: int, change: Array) -> None:
        """See :class:`Span`."""
        move_row(self.G, self.Vt, i, change, self.R)

    def solve(self, U: Array, mu: float, k: int) -> tuple[float, float]:
        """See :class:`Span`."""
        D, K = U.shape
        GUt, vectors, matrices = np.empty((K, D)), np.empty((7, K)), np.empty((3, K, K))
        return pass_V(
            self.G, self.c, U, self.Vt, self.R, mu, k, TASK_STEPS,
            GUt, vectors, matrices,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class GramSpans:
    """A model on Gram matrices; its residuals are G_j w_j − c_j."""

    model: Quadratic

    @property
    def left_out(self) -> float:
        """See :class:`Spans`."""
        return self.model.constant

    def new_residuals(self) -> Array:
        """See :class:`Spans`."""
        return np.empty_like(self.model.c)

    def span(self, low: int, high: int, Vt: Array, residuals: Array) -> Span:
        """See :class:`Spans`."""
        own = slice(low, high)
        G = self.model.G if self.model.is_shared else self.model.G[own]
        return GramSpan(G, self.model.c[own], Vt[own], residuals[own])

    def sweep_shared(
        self, U: Array, Vt: Array, residuals: Array, Bt: Array, *rest: Any
    ) -> float:
        """See :class:`Spans`."""
        K = U.shape[1]
        G, S, GUt = self.model.G[0], np.empty((K, K)), np.empty_like(Bt)
        sum_products(Vt, S)
        times_U(G, U, GUt)
        return float(sweep_shared(G, GUt, Bt, S, U, *rest))


@dataclass(frozen=True, eq=False)
class RowSpan:
    """Tasks on observations; see ``vstg.kernels.rows``."""

    Z: Array
    first: Index
    ends: Index
    weight: Array
    squares: Array
    y: Array
    Vt: Array
    E: Array

    def refresh(self, U: Array) -> None:
        """See :class:`Span`."""
        residuals(self.Z, self.first, self.ends, self.y, U, self.Vt, self.E)

    def loss(self, U: Array) -> float:
        """See :class:`Span`."""
        return float(row_loss(self.ends, self.weight, self.E))

    def gradients(self) -> Array:
        """See :class:`Span`."""
        return gradients(self.Z, self.first, self.ends, self.weight, self.E)

    def sums(self, i: int, g: Array, H: Array) -> None:
        """See :class:`Span`."""
        row_sums(
            self.Z, self.first, self.ends, self.weight, self.squares, self.Vt, self.E,
            i, g, H,
        )  # fmt: skip

    def move(self, i: int, change: Array) -> None:
        """See :class:`Span`."""
        move_residuals(self.Z, self.first, self.ends, self.Vt, i, change, self.E)

    def solve(self, U: Array, mu: float, k: int) -> tuple[float, float]:
        """See :class:`Span`."""
        K = U.shape[1]
        P = np.empty((K, int(np.diff(self.ends).max())))
        vectors, matrices = np.empty((7, K)), np.empty((3, K, K))
        return pass_tasks(
            self.Z, self.first, self.ends, self.weight, self.y, U, self.Vt, self.E,
            mu, k, TASK_STEPS, P, vectors, matrices,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class RowSpans:
    """A model on observations; its residuals are y_j − X_j w_j."""

    model: RowModel
    left_out = 0.0  # residuals tell the whole loss

    def new_residuals(self) -> Array:
        """See :class:`Spans`."""
        return np.empty_like(self.model.y)

    def span(self, low: int, high: int, Vt: Array, residuals: Array) -> Span:
        """See :class:`Spans`."""
        own, model = slice(low, high), self.model
        return RowSpan(
            model.Z, model.first[own], model.ends[low : high + 1], model.weight[own],
            model.squares[own], model.y, Vt[own], residuals,
        )  # fmt: skip

    def sweep_shared(
        self, U: Array, Vt: Array, residuals: Array, Bt: Array, *rest: Any
    ) -> float:
        """See :class:`Spans`."""
        K, model = U.shape[1], self.model
        S, Ft = np.empty((K, K)), np.empty((K, model.Z.shape[1]))
        sum_products(Vt, S)
        sum_residuals(Vt, model.ends, residuals, Ft)
        squares, weight = model.squares[0], model.weight[0]
        return float(sweep_shared_rows(model.Z, squares, weight, Ft, S, U, *rest))
