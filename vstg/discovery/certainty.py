"""How certain a finding is: the same search on many random halves of the rows.

Complementary pairs (Shah and Samworth, 2013), drawn and summed up as
:func:`vstg.model_selection.stability` does for a fit.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vstg.data import Array, MultiTaskData
from vstg.discovery.candidate_search import CandidateSearch
from vstg.discovery.local_search import FittedStructure
from vstg.model_selection.certainty import (
    ConsensusGroup,
    StabilityIndex,
    bound_in_words,
    cohesion,
    consensus_groups,
    pair_bounds,
    stability_index,
)
from vstg.model_selection.stability import Selected, resample
from vstg.objective import Settings

# One start at the finding and two others: cheaper than the search on all rows, and
# still free to end elsewhere.
N_STARTS = 3
N_TRIED = 4


@dataclass(frozen=True, eq=False)
class Certainty:
    """The variables and groups that the halves select.

    Attributes
    ----------
    selected : (M, D) which variables each half keeps
    together : (T, T) share in which two tasks are in one group; NaN without halves
    """

    selected: Array
    together: Array

    @classmethod
    def of(cls, found: list[FittedStructure], data: MultiTaskData) -> "Certainty":
        """Count what the halves have found."""
        selections = [Selected(*one.support) for one in found]
        selected = [one.U.any(axis=1) for one in selections]
        same = [one.task_pairs()[0] for one in selections]
        return cls(
            np.array(selected, dtype=bool).reshape(-1, data.n_features),
            np.mean(same, axis=0)
            if same
            else np.full((data.n_tasks, data.n_tasks), np.nan),
        )

    @property
    def n_halves(self) -> int:
        """How many halves were searched."""
        return len(self.selected)

    @property
    def variables(self) -> Array:
        """(D,) share of the halves that keeps a variable; NaN without halves."""
        if self.n_halves == 0:
            return np.full(self.selected.shape[1], np.nan)
        return self.selected.mean(axis=0)

    @property
    def index(self) -> StabilityIndex:
        """One number for the selection of variables, with its interval."""
        return stability_index(self.selected)

    @property
    def groups(self) -> list[ConsensusGroup]:
        """The groups of tasks that the halves agree on."""
        return consensus_groups(self.together) if self.n_halves else []

    def cohesion(self, tasks: tuple[int, ...]) -> float:
        """How often two tasks of a group are in one group."""
        return cohesion(self.together, tasks)

    def bounds(self, threshold: float) -> str:
        """Say what is known about the number of false variables, if anything."""
        n_sure = int((self.variables >= threshold).sum())
        return bound_in_words(pair_bounds(self.selected, threshold), n_sure, threshold)


def search_half(
    finder: CandidateSearch,
    data: MultiTaskData,
    seed: Any,
    half: int,
    finding: FittedStructure,
    settings: Settings,
    weight: float,
) -> FittedStructure:
    """The structure of one half of the rows, at the settings that led to the finding.

    Both halves of a pair come from one ``seed``.
    """
    rng = np.random.default_rng(seed)
    part = resample(data, "pairs", rng, finder.loss, half=half)
    few = replace(finder, n_starts=N_STARTS, n_tried=N_TRIED)
    chain = [settings]
    pool = few.candidates(finder.easy_problem(part), [chain], finding)
    return few.improved(part, pool, (weight,))[weight]
