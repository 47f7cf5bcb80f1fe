"""How sure a finding is: the same search on both halves of the rows, many times.

Complementary pairs (Shah and Samworth, 2013): the rows of every task are split in two
halves at random, and both are searched.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from vstg.data import Array, MultiTaskData
from vstg.discovery.explore import Explorer
from vstg.discovery.structure import FittedStructure
from vstg.objective import Settings


@dataclass(frozen=True, eq=False)
class Certainty:
    """Shares of the halves.

    Attributes
    ----------
    variables : (D,) share that keeps a variable; NaN if nothing was searched
    together : (T, T) share in which two tasks are in one group
    n_halves : how many were searched
    """

    variables: Array
    together: Array
    n_halves: int

    @classmethod
    def none(cls, data: MultiTaskData) -> "Certainty":
        """Nothing is known."""
        unknown = np.full(data.n_features, np.nan)
        return cls(unknown, np.full((data.n_tasks, data.n_tasks), np.nan), 0)

    @classmethod
    def of(cls, found: list[FittedStructure], data: MultiTaskData) -> "Certainty":
        """Count what the halves have found."""
        if not found:
            return cls.none(data)
        kept = np.mean([one.U.any(axis=1) for one in found], axis=0)
        together = np.mean([same_group(one.V) for one in found], axis=0)
        return cls(kept, together, len(found))

    def cohesion(self, tasks: Any) -> float:
        """How often two tasks of a group are in one group; of a lone task, how often
        it is alone."""
        inside = np.asarray(tasks, dtype=int)
        if len(inside) == 1:
            others = np.delete(self.together[inside[0]], inside[0])
            return float(1.0 - others.max(initial=0.0))
        block = self.together[np.ix_(inside, inside)]
        return float(block[np.triu_indices(len(inside), 1)].mean())


def same_group(V: Array) -> Array:
    """(T, T) whether two tasks use the same bases."""
    used = (V != 0).T
    return (used[:, None, :] == used[None, :, :]).all(axis=2).astype(float)


def halves(
    data: MultiTaskData, rng: np.random.Generator, *, labels: bool
) -> list[MultiTaskData]:
    """The rows of every task (and class) in two halves; a lone row is in both."""
    parts: list[list[Any]] = [[], []]
    drawn: dict[Any, list[Any]] = {}
    for X, y in zip(data.X, data.y, strict=True):
        key = id(X) if data.shared_X and not labels else len(drawn)
        if key not in drawn:
            drawn[key] = split_rows(y, rng, labels)
        for part, rows in zip(parts, drawn[key], strict=True):
            part.append(rows)
    return [data.take(rows) for rows in parts]


def split_rows(y: Array, rng: np.random.Generator, labels: bool) -> list[Any]:
    """Row numbers of two halves."""
    classes = [y > 0, y <= 0] if labels else [np.ones(len(y), dtype=bool)]
    parts: list[list[Any]] = [[], []]
    for members in classes:
        order = rng.permutation(np.flatnonzero(members))
        middle = (len(order) + int(rng.integers(2))) // 2
        cut = [order[:middle], order[middle:]]
        for part, rows in zip(parts, cut, strict=True):
            part.append(rows if len(rows) else order)
    return [np.sort(np.concatenate(part)) for part in parts]


def search_half(
    explorer: Explorer, half: MultiTaskData, weight: float, settings: Settings
) -> FittedStructure:
    """The structure of one half, at the settings that led to the finding."""
    return explorer.structures(half, (weight,), [settings])[weight]
