"""Estimate how long a fit will take, to choose between live and on request."""

from pages.shared.data.catalogue import DataChoice, SyntheticData
from pages.shared.state.choices import Choices
from vstg.data.designs import size_of
from vstg.problem import outgrows, prefers_wide

LIVE_SECONDS = 0.8
# Iterations, and seconds of each: a part that is always there and one for the work.
# Measured; Algorithm 1 needs between 10 and 500 iterations.
FAST_ITERATIONS, FAST_BASE, FAST_UNIT = 120, 2e-4, 1e-9
ADMM_ITERATIONS, ADMM_BASE, ADMM_UNIT = 330, 2e-3, 1.2e-8
# Seconds for each number in the data, on working sets. Measured between 2e-8 where few
# variables matter and 4e-5 where all do and a task has fewer rows than variables.
WIDE_UNIT = 1.3e-6
WIDE_TASK = 1e-3  # seconds for each task of a shared design


def work(n_variables: int, n_tasks: int, n_latent: int) -> float:
    """Multiplications of one sweep: every G_j against every basis."""
    return n_tasks * n_variables**2 * (n_latent + 1.0)


def wide_seconds(data: DataChoice) -> float:
    """Seconds of a start if the fast solver will take working sets, else zero."""
    n_variables, n_tasks = data.shape
    gram = n_tasks * n_variables**2
    if not outgrows(gram, 0):
        return 0.0  # small: no need to look at the data
    if isinstance(data, SyntheticData):
        entries = n_tasks * data.n_train * n_variables
        return WIDE_UNIT * entries if outgrows(gram, entries) else 0.0
    train = data.load().train
    if not prefers_wide(train):
        return 0.0
    return WIDE_UNIT * size_of(train.X) + WIDE_TASK * n_tasks * train.shared_X


def estimate_seconds(choices: Choices) -> float:
    """Expected time of a fit; the truth is within a factor of three or so.

    On wide data it is within a factor of ten: it depends on what is found.
    """
    data, effort = choices.data, choices.effort
    if effort.solver != "admm" and (seconds := wide_seconds(data)):
        return effort.n_init * seconds
    load = work(*data.shape, choices.settings.n_latent) * data.effort
    if effort.solver == "admm":
        one = ADMM_ITERATIONS * (ADMM_BASE + ADMM_UNIT * load)
    else:
        one = FAST_ITERATIONS * (FAST_BASE + FAST_UNIT * load)
    return effort.n_init * one


def is_live(choices: Choices) -> bool:
    """Whether the fit is quick enough to update live."""
    return estimate_seconds(choices) <= LIVE_SECONDS
