"""Live fits: remembered by settings, and stopped when nobody waits for them."""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from time import monotonic
from typing import Any

import streamlit as st

from pages.shared.data.catalogue import DataChoice, OwnData
from pages.shared.state import keys
from pages.shared.state.choices import Choices, SolverChoice
from vstg.data import Dataset
from vstg.datasets import make_syn
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers.result import Callback, Progress, VSTGResult
from vstg.solvers.solve import solve_problem

MAX_RESULTS = 400  # of 25 × 20 a result has some 30 kB
MAX_OWN_RESULTS = 50
PATIENCE = 4.0  # seconds that a page may wait for a fit without a word


class Memory:
    """The last results of the server, by what they belong to."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.items: OrderedDict[Hashable, Any] = OrderedDict()
        self.lock = Lock()

    def get(self, key: Hashable) -> Any:
        """What is remembered, or None."""
        with self.lock:
            if key in self.items:
                self.items.move_to_end(key)
            return self.items.get(key)

    def put(self, key: Hashable, item: Any) -> None:
        """Remember; the item unused longest is forgotten."""
        with self.lock:
            self.items[key] = item
            self.items.move_to_end(key)
            while len(self.items) > self.size:
                self.items.popitem(last=False)


@st.cache_resource(show_spinner=False)
def memory() -> Memory:
    """Return the memory that all visitors share: results depend only on settings."""
    return Memory(MAX_RESULTS)


@st.cache_resource(scope="session", show_spinner=False)
def own_memory() -> Memory:
    """What belongs to one visitor: results of private data, and their statistics."""
    return Memory(MAX_OWN_RESULTS)


def memory_of(choice: DataChoice) -> Memory:
    """Where the results of these data are kept."""
    return own_memory() if choice.private else memory()


@st.cache_resource(max_entries=16, show_spinner=False)
def _load(choice: DataChoice) -> Dataset:
    return choice.load()


def load(choice: DataChoice) -> Dataset:
    """The data of a choice, drawn once; a table is there already."""
    return choice.load() if isinstance(choice, OwnData) else _load(choice)


@st.cache_resource(max_entries=16, show_spinner=False)
def _problem(choice: DataChoice) -> Problem:
    return Problem.of_dataset(load(choice))


def problem(choice: DataChoice) -> Problem:
    """The statistics of the training data, summed once."""
    if not isinstance(choice, OwnData):
        return _problem(choice)
    memory = memory_of(choice)
    made = memory.get(choice)
    if made is None:
        made = Problem.of_dataset(load(choice))
        memory.put(choice, made)
    return made


def solve(
    of_data: Problem,
    settings: Settings,
    effort: SolverChoice,
    callback: Callback | None = None,
) -> VSTGResult:
    """The fit of some settings."""
    return solve_problem(
        of_data,
        settings,
        solver=effort.solver,
        n_init=effort.n_init,
        callback=callback,
    )


class TooLongError(Exception):
    """A fit turned out to be too slow to update live."""


def give_way() -> None:
    """Give way to a newer run of the script.

    Looking at the session's state is where Streamlit ends a run that has been
    overtaken, by an exception that passes through the solver.
    """
    st.session_state.get(keys.DATA)


def stop_if_stale(progress: Progress) -> None:
    """The same between two iterations of a fit."""
    give_way()


def watcher(patience: float) -> Callback:
    """Give way to a newer run, and give up where the page would seem frozen.

    How long a fit takes is a guess, and on wide data a bad one.
    """
    end = monotonic() + patience

    def watch(progress: Progress) -> None:
        stop_if_stale(progress)
        if monotonic() > end:
            raise TooLongError

    return watch


@st.cache_resource(show_spinner=False)
def warm_up() -> None:
    """Load the compiled solver before the first fit is timed."""
    tiny = make_syn(1, n_train=3, n_test=1, random_state=0)
    of_data = Problem.of(tiny.train, "squared", fit_intercept=False)
    solve(of_data, Settings(2, 1, 1.0, 1.0, 1.0), SolverChoice())


def remembered(choices: Choices) -> VSTGResult | None:
    """The result of these settings, if they have been fitted."""
    return memory_of(choices.data).get(choices.fit_key)


def fit(choices: Choices) -> VSTGResult:
    """The result of these settings, fitted now if need be, or TooLongError."""
    result = remembered(choices)
    if result is None:
        warm_up()
        result = solve(
            problem(choices.data), choices.settings, choices.effort, watcher(PATIENCE)
        )
        memory_of(choices.data).put(choices.fit_key, result)
    return result
