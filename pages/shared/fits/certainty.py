"""How certain the variables and groups of a fit are: refit halves of the rows."""

from dataclasses import dataclass

import numpy as np

from pages.shared.fits import cost, live
from pages.shared.state.choices import Choices
from vstg.data import Array
from vstg.losses import get_loss
from vstg.model_selection.certainty import cohesion
from vstg.model_selection.search import SEARCH_TOL
from vstg.model_selection.stability import frequencies, resample, select
from vstg.problem import Problem
from vstg.solvers.result import VSTGResult

N_HALVES = 50  # both halves of 25 random splits
MOST_SECONDS = 10.0  # a button may take this long


@dataclass(frozen=True, eq=False)
class SelectionStability:
    """Shares of the halves: of each variable (D,), and of each two tasks (T, T)."""

    variables: Array
    together: Array
    n_halves: int

    def of_group(self, tasks: tuple[int, ...]) -> float:
        """How often two of these tasks are in one group."""
        return cohesion(self.together, tasks)


def known(choices: Choices) -> SelectionStability | None:
    """Return the stability of this fit, if it has been computed."""
    sure: SelectionStability | None = live.memory_of(choices.data).get(key(choices))
    return sure


def keep(choices: Choices, sure: SelectionStability) -> None:
    """Show this stability with the fit from now on."""
    live.memory_of(choices.data).put(key(choices), sure)


def key(choices: Choices) -> tuple[object, ...]:
    """Where the memory has it."""
    return ("sureness", *choices.fit_key)


def is_quick(choices: Choices) -> bool:
    """Whether the halves can be fitted while a visitor waits."""
    return N_HALVES * cost.estimate_seconds(choices) / 2 <= MOST_SECONDS


def find_out(choices: Choices) -> None:
    """Action of a button: fit the halves, each from the fit that is shown."""
    result = live.remembered(choices)
    if result is not None:
        keep(choices, on_halves(choices, result))


def on_halves(choices: Choices, result: VSTGResult) -> SelectionStability:
    """Complementary pairs: both halves of random splits of each task's rows."""
    data = live.load(choices.data)
    loss = get_loss(data.loss)
    seeds = np.random.SeedSequence(0).spawn(N_HALVES // 2)
    init = result if result.U.any() else None
    found = []
    for number in range(N_HALVES):
        rng = np.random.default_rng(seeds[number // 2])
        part = resample(data.train, "pairs", rng, loss, half=number % 2)
        problem = Problem.of(part, loss, fit_intercept=data.fit_intercept)
        found.append(select(problem, result.settings, SEARCH_TOL, result, init))
    shares = frequencies(found)
    return SelectionStability(shares["variables"], shares["co_membership"], N_HALVES)
