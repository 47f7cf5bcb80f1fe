"""The result of ``discover``, in tables and in sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from vstg.data import Array, MultiTaskData
from vstg.discovery.certainty import Certainty
from vstg.inspection import task_groups
from vstg.losses import measure_of
from vstg.notation import measure_text
from vstg.solvers import VSTGResult

SURE = 0.9  # share of the halves from which on a variable counts as sure


@dataclass(frozen=True)
class DiscoveryProgress:
    """The progress of a discovery, passed to its callback."""

    done: int
    total: int
    seconds: float
    best: None = (
        None  # a search says here what leads; nothing is compared before the end
    )

    @property
    def seconds_left(self) -> float:
        """The expected remaining time, at the pace so far."""
        if self.done == 0:
            return np.inf
        return self.seconds / self.done * (self.total - self.done)


@dataclass(frozen=True)
class FoundGroup:
    """Tasks that use the same bases.

    ``cohesion`` is how often, over halves of the rows, two of the tasks are found in
    one group (NaN without resamples). Tasks without bases use no variable at all.
    """

    tasks: tuple[str, ...]
    bases: tuple[int, ...]
    variables: tuple[str, ...]
    cohesion: float


@dataclass(frozen=True, eq=False)
class Discovery:
    """Variables and groups found in data, the model, and how certain they are.

    Attributes
    ----------
    result : VSTGResult
        The refitted model in the units of the data. Its settings (with ``cut`` and
        ``relax``) hold for the data as they were fitted: divided by ``scale``, if the
        data were given without a statement on their units.
    variables : DataFrame
        ``variable``, ``kept``, ``importance`` (mean over the tasks of the change of the
        prediction with one standard deviation of the variable), ``frequency`` (share of
        the halves that keep it), the most important first.
    groups : tuple of FoundGroup
    error : float
        Cross-validated, by the measure of the loss, averaged over tasks. The whole
        search was repeated within each fold.
    baselines : dict
        The same error of plain models.
    test_error : float or None
        On the test rows of a :class:`vstg.data.Dataset`.
    search : DataFrame
        One row per weight of the prices, from
        :func:`vstg.discovery.held_out_errors.compare_weights`.
    certainty : Certainty
    repeatable : bool
        Whether ``solve_vstg`` with the settings, started from U and V of the result,
        finds the same support by itself.
    scale : tuple of arrays
        What variables and targets were divided by for the fit.
    cancelled : bool
    """

    result: VSTGResult
    variables: pd.DataFrame
    groups: tuple[FoundGroup, ...]
    error: float
    baselines: Mapping[str, float]
    test_error: float | None
    search: pd.DataFrame
    certainty: Certainty
    repeatable: bool
    scale: tuple[Array, Array]
    cancelled: bool
    seconds: float

    @property
    def n_bases(self) -> int:
        """Bases in use."""
        return int((self.result.U != 0).any(axis=0).sum())

    @property
    def kept(self) -> tuple[str, ...]:
        """Names of the variables in the model, the most important first."""
        return tuple(self.variables.loc[self.variables["kept"], "variable"])

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as values that JSON can represent."""
        return {
            "variables": list(self.kept),
            "groups": [
                {
                    "tasks": list(group.tasks),
                    "bases": list(group.bases),
                    "variables": list(group.variables),
                    "cohesion": number(group.cohesion),
                }
                for group in self.groups
            ],
            "n_bases": self.n_bases,
            "error": number(self.error),
            "test_error": number(self.test_error),
            "baselines": {k: number(v) for k, v in self.baselines.items()},
            "frequency": {
                name: number(share)
                for name, share in zip(
                    self.variables["variable"],
                    self.variables["frequency"].to_numpy(dtype=float),
                    strict=True,
                )
            },
            "stability": number(self.certainty.index.value),
            "settings": self.result.settings.to_mapping(),
        }

    def summary(self) -> str:
        """Describe the finding in a few plain sentences."""
        sentences = [self._variables_in_words()]
        if self.n_bases:
            sentences += [self._groups_in_words(), *self._certainty_in_words()]
        sentences += self._error_in_words()
        if self.cancelled:
            sentences.append(
                "The search was cancelled: this is what was found by then."
            )
        return "\n".join(sentences)

    def _variables_in_words(self) -> str:
        n_all = len(self.variables)
        if not self.n_bases:
            return (
                f"None of the {n_all} variables was found to predict the target: "
                "the data look like noise, or have too few rows to tell."
            )
        some = "All" if len(self.kept) == n_all else f"{len(self.kept)} of the"
        return f"{some} {n_all} variables matter: {listed(self.kept)}."

    def _groups_in_words(self) -> str:
        proper = [group for group in self.groups if group.bases]
        idle = [name for g in self.groups if not g.bases for name in g.tasks]
        n_tasks = sum(len(group.tasks) for group in proper)
        groups = "one group" if len(proper) == 1 else f"{len(proper)} groups"
        bases = "one basis" if self.n_bases == 1 else f"{self.n_bases} bases"
        text = f"The {n_tasks} tasks form {groups} on {bases}"
        text += ", some of them shared by groups." if overlapping(proper) else "."
        for group in proper:
            text += f"\n  {listed(group.tasks)}: {listed(group.variables)}"
        if idle:
            text += f"\nNo variable helps to predict {listed(idle)}."
        return text

    def _certainty_in_words(self) -> list[str]:
        if not self.certainty.n_halves:
            return []
        kept = self.variables[self.variables["kept"]]
        unsure = kept.loc[kept["frequency"] < SURE, "variable"]
        text = (
            f"Searched again on {self.certainty.n_halves} random halves of the rows, "
        )
        if unsure.empty:
            text += f"every one of these variables was kept in {SURE:.0%} or more"
        else:
            text += f"{listed(unsure)} were kept in fewer than {SURE:.0%}"
        pairs = [g.cohesion for g in self.groups if g.bases and len(g.tasks) > 1]
        if pairs:
            text += (
                f"; two tasks of a group stayed together in {min(pairs):.0%} or more"
            )
        return [text + ".", *self._agreement_in_words()]

    def _agreement_in_words(self) -> list[str]:
        sure = self.certainty
        said = [sure.bounds(SURE)]
        if np.isfinite(sure.index.value):
            said.insert(
                0,
                f"The stability of the selection is {sure.index.value:.2f} "
                f"(95 % interval {sure.index.low:.2f} to "
                f"{min(sure.index.high, 1.0):.2f}; 1 if all halves select the same).",
            )
        found = {g.tasks for g in task_groups(self.result.V) if not g.empty}
        busy = {j for tasks in found for j in tasks}
        agreed = {g.tasks for g in sure.groups if busy.intersection(g.tasks)}
        if agreed != found:
            groups = "one group" if len(agreed) == 1 else f"{len(agreed)} groups"
            said.append(
                f"Halves of the rows find {groups} instead: "
                "more rows are needed to tell the tasks apart reliably."
            )
        return said

    def _error_in_words(self) -> list[str]:
        if not np.isfinite(self.error):
            return []
        name = measure_text(measure_of(self.result.loss))
        text = f"The cross-validated {name} is {self.error:.4g}"
        if self.baselines:
            others = (f"{v:.4g} ({k})" for k, v in self.baselines.items())
            text += f"; plain models have {', '.join(others)}"
        return [text + "."]


def number(value: float | None) -> float | None:
    """Return a number that JSON can represent, or None."""
    return None if value is None or not np.isfinite(value) else float(value)


def listed(names: Sequence[str] | pd.Series, most: int = 12) -> str:
    """List names for a sentence, the first ones if there are many."""
    shown = [str(name) for name in names[:most]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def overlapping(groups: Sequence[FoundGroup]) -> bool:
    """Whether any two groups share a basis."""
    bases = [r for group in groups for r in group.bases]
    return len(set(bases)) < len(bases)


def variables_table(
    result: VSTGResult, data: MultiTaskData, spread: Array, certainty: Certainty
) -> pd.DataFrame:
    """Return one row per variable, the most important first."""
    table = pd.DataFrame(
        {
            "variable": list(data.feature_names),
            "kept": (result.U != 0).any(axis=1),
            "importance": np.abs(result.W).mean(axis=1) * spread,
            "frequency": certainty.variables,
        }
    )
    order = ["kept", "importance", "frequency"]
    table = table.sort_values(order, ascending=False, kind="stable")
    return table.reset_index(drop=True)


def found_groups(
    result: VSTGResult, data: MultiTaskData, certainty: Certainty
) -> tuple[FoundGroup, ...]:
    """Return the groups of tasks, the largest first."""
    found = task_groups(
        result.V, names=data.task_names, U=result.U, feature_names=data.feature_names
    )
    ordered = sorted(found, key=lambda g: (g.empty, -len(g.tasks), g.tasks))
    return tuple(
        FoundGroup(
            group.task_names,
            group.bases,
            group.variable_names,
            certainty.cohesion(group.tasks),
        )
        for group in ordered
    )
