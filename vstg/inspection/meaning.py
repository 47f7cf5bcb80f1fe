"""What a model says in words: effects, names of bases, sentences about groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from vstg.data import Array, MultiTaskData
from vstg.data.designs import column_means, sums_of_squares
from vstg.inspection.groups import TaskGroup, task_groups
from vstg.notation import number_text

SMALL = 0.05  # of the largest effect: not worth a word
MIXED = 0.25  # share of tasks with the other sign that makes signs mixed
NAMED = 4  # variables in one direction, and tasks of a group
IN_NAME = 2  # variables that name a basis
NO_DIFFERENCE = "no variable distinguishes them"


@dataclass(frozen=True, eq=False)
class Meaning:
    """Effects of the variables on the target, in the user's units.

    Attributes
    ----------
    U : (D, K) array
    effects : (D, T) array
        The change of the target with one standard deviation of a variable, the others
        fixed; for a 0/1 variable with the step from 0 to 1.
    per_unit : (D, T) array
        The same with one unit of the variable, as the user's table has it.
    names, task_names : tuple of str
    groups : tuple of TaskGroup
    target, tasks : str
        What the target and several tasks are called.
    labels : bool
        Whether the target is the log-odds of a label.
    """

    U: Array
    effects: Array
    per_unit: Array
    names: tuple[str, ...]
    task_names: tuple[str, ...]
    groups: tuple[TaskGroup, ...]
    target: str = "the target"
    tasks: str = "tasks"
    labels: bool = False

    @classmethod
    def of(
        cls,
        U: Array,
        V: Array,
        train: MultiTaskData,
        *,
        scale: Array | None = None,
        threshold: float = 0.0,
        target: str = "the target",
        task: str = "task",
        labels: bool = False,
    ) -> Self:
        """Read off U and V, which is in the user's units of the target.

        ``scale`` (D,) is what the user's variables were divided by; ``task`` is the
        name of the column that names the task.
        """
        W = np.asarray(U) @ np.asarray(V)
        spread, binary = spreads(train)
        steps = np.where(binary, 1.0, spread)
        scale = np.ones(len(W)) if scale is None else scale
        groups = task_groups(
            V, threshold, names=train.task_names, U=U, feature_names=train.feature_names
        )
        return cls(
            np.asarray(U) * steps[:, None],
            W * steps[:, None],
            W / scale[:, None],
            train.feature_names,
            train.task_names,
            groups,
            target,
            plural(task),
            labels,
        )

    def basis_name(self, basis: int) -> str:
        """A basis by its weightiest variables."""
        weights = np.abs(self.U[:, basis])
        order = [i for i in np.argsort(-weights, kind="stable") if weights[i] > 0]
        if not order:
            return "nothing"
        more = len(order) - IN_NAME
        name = ", ".join(self.names[i] for i in order[:IN_NAME])
        return f"{name} and {more} more" if more > 0 else name

    def mean_effects(self, group: TaskGroup) -> Array:
        """The mean effect of each variable over the tasks of a group, (D,)."""
        return self.effects[:, list(group.tasks)].mean(axis=1)

    def sentence(self, group: TaskGroup) -> str:
        """A group in words."""
        who = self.members(group)
        if group.empty:
            return f"{who}: no variable helps; {self.target} is predicted by its mean."
        rising, falling, mixed = self.directions(group)
        rises, falls = ("is likelier", "is less likely") if self.labels else (
            "rises", "falls")  # fmt: skip
        parts = []
        if rising:
            parts.append(f"{rises} with {joined(self.named(rising))}")
        if falling:
            parts.append(f"{falls} with {joined(self.named(falling))}")
        if mixed:
            parts.append(
                f"goes up in some and down in others with {joined(self.named(mixed))}"
            )
        return f"{who}: {self.target} {', '.join(parts) or 'hardly changes'}."

    def members(self, group: TaskGroup) -> str:
        """How many tasks a group has, and the names of the first."""
        first = group.task_names[:NAMED]
        shown = ("; " if any("," in name for name in first) else ", ").join(first)
        more = len(group.tasks) - NAMED
        names = f"{shown} and {more} more" if more > 0 else shown
        if len(group.tasks) == 1:
            return shown
        return f"{len(group.tasks)} {self.tasks} ({names})"

    def directions(self, group: TaskGroup) -> tuple[list[int], list[int], list[int]]:
        """Variables with which the target rises, falls or both, the largest first."""
        mine = self.effects[:, list(group.tasks)]
        size = np.abs(mine).mean(axis=1)
        order = np.argsort(-size, kind="stable")
        found: tuple[list[int], list[int], list[int]] = ([], [], [])
        for i in order[size[order] > SMALL * size.max(initial=0.0)].tolist():
            up = float((mine[i] > 0).mean())
            place = 2 if MIXED <= up <= 1 - MIXED else int(up < MIXED)
            found[place].append(i)
        return found

    def named(self, variables: Sequence[int]) -> list[str]:
        """Names of variables, the first of many."""
        names = [self.names[i] for i in variables[:NAMED]]
        more = len(variables) - NAMED
        return [*names, f"{more} more"] if more > 0 else names

    def difference(self, first: TaskGroup, second: TaskGroup) -> str:
        """What distinguishes two groups: the variable whose mean effects differ most.

        Effects are those of one standard deviation.
        """
        one, other = self.mean_effects(first), self.mean_effects(second)
        i = int(np.abs(one - other).argmax())
        if one[i] == other[i]:
            return NO_DIFFERENCE
        values = f"{signed(one[i])} against {signed(other[i])}"
        return f"{self.names[i]}: {values}"

    def frame(self) -> pd.DataFrame:
        """One row per group and variable with the mean effects over its tasks."""
        rows = []
        for number, group in enumerate(g for g in self.groups if not g.empty):
            tasks = list(group.tasks)
            size = np.abs(self.effects[:, tasks]).mean(axis=1)
            for i in np.argsort(-size, kind="stable"):
                if size[i] > 0:
                    rows.append(
                        {
                            "group": number + 1,
                            "variable": self.names[i],
                            "per unit": self.per_unit[i, tasks].mean(),
                            "per standard deviation": self.effects[i, tasks].mean(),
                            "lowest": self.effects[i, tasks].min(),
                            "highest": self.effects[i, tasks].max(),
                        }
                    )
        columns = [
            "group", "variable", "per unit", "per standard deviation", "lowest",
            "highest",
        ]  # fmt: skip
        return pd.DataFrame(rows, columns=columns)


def spreads(train: MultiTaskData) -> tuple[Array, Array]:
    """The standard deviation of each variable over all rows, and whether it is 0/1."""
    designs = train.X[:1] if train.shared_X else train.X
    n = sum(X.shape[0] for X in designs)
    mean = sum(X.shape[0] * column_means(X) for X in designs) / n
    squares = sum(sums_of_squares(X, mean) for X in designs)
    zero = np.zeros(train.n_features)
    power = sum(sums_of_squares(X, zero) for X in designs) / n
    low = np.min([_lowest(X) for X in designs], axis=0)
    # Values in [0, 1] whose squares have the same mean are 0 and 1.
    binary = (low >= 0) & (np.abs(power - mean) <= 1e-12) & (power <= 1.0)
    return np.sqrt(np.maximum(squares / n, 0.0)), binary


def _lowest(X: Array) -> Array:
    low = X.min(axis=0)
    return low.toarray().ravel() if hasattr(low, "toarray") else np.asarray(low)


def joined(names: Sequence[str]) -> str:
    """``a, b and c``."""
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def signed(value: float) -> str:
    """A number with its sign."""
    return number_text(value) if value <= 0 else f"+{number_text(value)}"


def plural(name: str) -> str:
    """Several of what a column names: ``states`` for ``state``; else ``tasks``."""
    name = name.lower()  # a column in capitals is not a shout
    if not name.isalpha() or not name.isascii() or name.endswith("s"):
        return "tasks"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}s"
