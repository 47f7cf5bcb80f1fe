"""Lesson 6: where descents from many starts end."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from vstg.data import Array
from vstg.datasets import make_syn
from vstg.inspection import align_bases, task_support
from vstg.metrics import omega_index, relative_estimation_error
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers.solve import solve_problem, starts


@dataclass(frozen=True, eq=False)
class End:
    """Where one start ended; its bases are ordered like the truth's."""

    start: int
    objective: float
    error: float
    agreement: float
    U: Array
    V: Array

    @property
    def kind(self) -> str:
        """ "paper", "turned" or "random": see :func:`vstg.solvers.initial.restart`."""
        return "paper" if self.start == 0 else ("turned", "random")[self.start % 2 == 0]


@dataclass(frozen=True, eq=False)
class Landscape:
    """All ends, lowest objective first, and the truth."""

    ends: tuple[End, ...]
    U: Array
    V: Array

    def of_kind(self, kind: str) -> list[End]:
        """The ends of one kind of start."""
        return [end for end in self.ends if end.kind == kind]

    @property
    def n_distinct(self) -> int:
        """Ends whose objectives differ by more than a thousandth."""
        values = sorted(end.objective for end in self.ends)
        return 1 + sum(b > a * 1.001 for a, b in pairwise(values))


def landscape(
    number: int, n_train: int, strength: float, n_starts: int, seed: int
) -> Landscape:
    """Descend from every start as it is: no race between forms of it."""
    syn = make_syn(number, n_train=n_train, n_test=1, random_state=seed)
    problem = Problem.of(syn.train, "squared", fit_intercept=False)
    settings = Settings.checked(
        n_latent=5, k=2 if number in (2, 4) else 1, gamma1=strength, gamma2=strength / 8
    )
    ends = []
    for place, start in enumerate(starts(problem, settings, None, n_starts, seed)):
        fit = solve_problem(problem, settings, init=start)
        aligned = align_bases(fit.U, fit.V, syn.U, syn.V)
        support = task_support(fit.V, U=fit.U)
        ends.append(
            End(
                place,
                fit.objective,
                relative_estimation_error(syn.W, fit.W),
                omega_index(syn.V, np.where(support, fit.V, 0.0)),
                aligned.U,
                aligned.V,
            )
        )
    return Landscape(tuple(sorted(ends, key=lambda end: end.objective)), syn.U, syn.V)
