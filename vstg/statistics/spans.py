"""Some of the tasks of a quadratic model, as one thread works on them.

A span holds views: writing into its ``Vt`` and residuals writes into the whole.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from vstg.data import Array
from vstg.data.designs import Index
from vstg.kernels.blocks import gram_row_sums, model_gradient, model_loss, move_row
from vstg.kernels.rows import (
    move_residuals,
    pass_tasks,
    residuals,
    row_loss,
    row_sums,
)
from vstg.kernels.tasks import TASK_STEPS, pass_V


class Span(Protocol):
    """What the descent asks of some tasks."""

    def refresh(self, U: Array) -> None:
        """Residuals afresh."""

    def loss(self, U: Array) -> float:
        """The loss but for a constant."""

    def sums(self, i: int, g: Array, H: Array) -> None:
        """This span's part of the gradient and curvature of row i of U."""

    def move(self, i: int, change: Array) -> None:
        """Bring residuals up to date after a change of row i of U."""

    def solve(self, U: Array, mu: float, k: int) -> tuple[float, float]:
        """Update every v_j; returns the largest residual of a task, and its scale."""


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
