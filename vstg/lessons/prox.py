"""Lesson 4: proximal operators of a row with two entries, by the library's own."""

from dataclasses import dataclass

import numpy as np

from vstg.data import Array
from vstg.penalties import L1, L1Inf, Penalty, SparseRows, SquaredKSupport

OPERATORS = ("l1", "l1_inf", "both", "ksp")
REACH, STEP = 3.0, 0.1  # inputs from −3 to 3 on a lattice


@dataclass(frozen=True)
class Operator:
    """One of the operators at given strengths; the row is a column for "ksp"."""

    name: str
    gamma1: float
    gamma2: float
    mu: float
    k: int

    def penalty(self) -> Penalty:
        """The penalty whose prox it is."""
        kinds: dict[str, Penalty] = {
            "l1": L1(self.gamma1),
            "l1_inf": L1Inf(self.gamma2),
            "both": SparseRows(self.gamma1, self.gamma2),
            "ksp": SquaredKSupport(self.mu, self.k),
        }
        return kinds[self.name]

    def __call__(self, rows: Array) -> Array:
        """prox of every row, with step 1."""
        penalty = self.penalty()
        if self.name == "ksp":
            return np.asarray(penalty.prox(rows.T, 1.0)).T
        return penalty.prox(rows, 1.0)


def ticks() -> Array:
    """The lattice on one axis."""
    count = round(2 * REACH / STEP) + 1
    return np.round(np.linspace(-REACH, REACH, count), 10)


def lattice(operator: Operator) -> Array:
    """prox of every point of the lattice, (n, n, 2); first index is the first entry."""
    at = ticks()
    points = np.stack(np.meshgrid(at, at, indexing="ij"), axis=-1)
    return operator(points.reshape(-1, 2)).reshape(points.shape)


def curve(operator: Operator, second: float) -> Array:
    """First entry of the prox of (a, ``second``) for every a of the lattice."""
    at = ticks()
    return operator(np.column_stack([at, np.full(len(at), second)]))[:, 0]
