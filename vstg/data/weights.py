"""Weights of rows and of tasks: how much each counts in eq. (6)."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from vstg.data.values import Array, DataError, Index, as_target, freeze


class Weighing:
    r"""How much the rows and tasks of some data count: s_ij and a_j of eq. (6).

    .. math:: \sum_j a_j \frac{1}{\sum_i s_{ij}} \sum_i s_{ij} L(y_{ij}, m_{ij})
    """

    X: tuple[Any, ...]
    y: tuple[Array, ...]
    weights: tuple[Array, ...]
    task_weights: tuple[float, ...]

    @property
    def has_weights(self) -> bool:
        """Whether rows or tasks differ in how much they count."""
        return bool(self.weights or self.task_weights)

    @property
    def weights_in_words(self) -> str:
        """What counts more or less than once; empty if nothing does."""
        parts = []
        if self.weights:
            low = min(float(one.min()) for one in self.weights)
            high = max(float(one.max()) for one in self.weights)
            parts.append(f"rows weighted from {low:.4g} to {high:.4g}")
        if self.task_weights:
            low, high = min(self.task_weights), max(self.task_weights)
            parts.append(f"tasks weighted from {low:.4g} to {high:.4g}")
        return "; ".join(parts)

    @property
    def shared_rows(self) -> bool:
        """Whether all tasks have one design, kept once, with one weight per row."""
        same = all(one is self.weights[0] for one in self.weights)
        return same and all(X is self.X[0] for X in self.X)

    @property
    def shared_gram(self) -> bool:
        """Whether the rows weigh the same in the loss of every task."""
        return self.shared_rows and len(set(self.task_weights)) <= 1

    @property
    def weight_sums(self) -> Array:
        """Σ_i s_ij of each task, (T,); N_j without weights of rows."""
        if not self.weights:
            return np.array([len(y) for y in self.y], dtype=float)
        return np.array([one.sum() for one in self.weights])

    @cached_property
    def divisors(self) -> Array:
        """What the weighted loss of each task is divided by in eq. (6), (T,).

        Σ_i s_ij / a_j; without weights N_j.
        """
        return self.weight_sums / self.task_factors

    @property
    def task_factors(self) -> Array:
        """The weight a_j of every task, (T,)."""
        return np.array(self.task_weights or [1.0] * len(self.y))

    def row_weights(self, j: int) -> Array | None:
        """s_ij of the rows of task j; None if all are one."""
        return self.weights[j] if self.weights else None

    def weighed(self, j: int, values: Array) -> Array:
        """Values of the rows of task j, each multiplied by the weight of its row."""
        return self.weights[j] * values if self.weights else values


def check_weights(
    weights: Sequence[Any], y: Sequence[Array], where: Sequence[str]
) -> tuple[Array, ...]:
    """The weights of the rows of every task, read-only; none if all are one.

    Tasks with equal weights share them, so that statistics of a shared design
    with shared weights are summed once.
    """
    if len(weights) not in (0, len(y)):
        msg = f"weights has {len(weights)} entries for {len(y)} tasks: give one each"
        raise DataError(msg)
    weights = list(weights)  # held, so that no two have one identity
    known: dict[bytes, Array] = {}
    seen: dict[int, Array] = {}
    for raw, target, place in zip(weights, y, where, strict=False):
        if id(raw) in seen and len(seen[id(raw)]) == len(target):
            continue
        values = as_target(raw, where=f"{place}weights: ")
        if len(values) != len(target):
            msg = f"{place}there are {len(values)} weights for {len(target)} rows"
            raise DataError(msg)
        bad = ~np.isfinite(values) | (values < 0)
        if bad.any():
            n = int(np.argmax(bad))
            msg = f"{place}row {n} has the weight {values[n]}: give a number ≥ 0"
            raise DataError(msg)
        if not values.any():
            msg = f"{place}all weights are 0: leave the task out"
            raise DataError(msg)
        seen[id(raw)] = known.setdefault(values.tobytes(), freeze(values))
    if all((one == 1).all() for one in known.values()):
        return ()
    return tuple(seen[id(raw)] for raw in weights)


def check_task_weights(
    weights: Sequence[float] | Mapping[str, float], names: Sequence[str]
) -> tuple[float, ...]:
    """One positive number per task, none if all are one; by position or by name.

    Tasks that a mapping does not name have the weight 1.
    """
    if isinstance(weights, Mapping):
        unknown = [name for name in weights if str(name) not in names]
        if unknown:
            msg = f"task weights for {unknown[:5]}: there are no such tasks"
            raise DataError(msg)
        by_name = {str(name): value for name, value in weights.items()}
        weights = [by_name.get(name, 1.0) for name in names]
    try:
        found = tuple(float(weight) for weight in weights)
    except (TypeError, ValueError) as error:
        msg = f"task weights {list(weights)[:5]}: give one positive number per task"
        raise DataError(msg) from error
    if len(found) not in (0, len(names)):
        msg = f"there are {len(found)} task weights for {len(names)} tasks"
        raise DataError(msg)
    for name, weight in zip(names, found, strict=False):
        if not 0 < weight < np.inf:
            msg = (
                f"task {name!r} has the weight {weight:g}: give a positive number, "
                "or leave the task out"
            )
            raise DataError(msg)
    return () if all(weight == 1 for weight in found) else found


def rows_that_count(weights: Sequence[Array]) -> list[Index] | None:
    """The rows with a weight above zero by task; None if that is all of them."""
    if all(one.all() for one in weights):
        return None
    return [np.flatnonzero(one) for one in weights]
