"""How long a fit will take, well enough to choose between live and on request."""

from pages.shared.choices import DataChoice, ModelChoice
from pages.shared.sources import find_source

LIVE_SECONDS = 0.8
# Iterations, and seconds of each: a part that is always there and one for the work.
# Measured; Algorithm 1 needs between 10 and 500 iterations.
FAST_ITERATIONS, FAST_BASE, FAST_UNIT = 120, 2e-4, 1e-9
ADMM_ITERATIONS, ADMM_BASE, ADMM_UNIT = 330, 2e-3, 1.2e-8


def work(n_variables: int, n_tasks: int, n_latent: int) -> float:
    """Multiplications of one sweep: every G_j against every basis."""
    return n_tasks * n_variables**2 * (n_latent + 1.0)


def estimate_seconds(data: DataChoice, model: ModelChoice) -> float:
    """Expected time of a fit; the truth is within a factor of three or so."""
    n_variables, n_tasks = data.shape
    load = work(n_variables, n_tasks, model.n_latent) * find_source(data.source).effort
    if model.solver == "admm":
        one = ADMM_ITERATIONS * (ADMM_BASE + ADMM_UNIT * load)
    else:
        one = FAST_ITERATIONS * (FAST_BASE + FAST_UNIT * load)
    return model.n_init * one


def is_live(data: DataChoice, model: ModelChoice) -> bool:
    """Whether the fit follows a slider."""
    return estimate_seconds(data, model) <= LIVE_SECONDS


def in_words(seconds: float) -> str:
    """A rough time as people say it."""
    if seconds < 10:
        return f"{max(round(seconds), 1)} s"
    if seconds < 90:
        return f"{round(seconds, -1):.0f} s"
    return f"{seconds / 60:.0f} min"
