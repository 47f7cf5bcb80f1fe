"""The grids that searches and comparisons offer, and how long their fits take."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from pages.shared import words
from pages.shared.state.parameters import EXPONENTS
from vstg.model_selection import PAPER_K, PAPER_N_LATENT
from vstg.model_selection.grid import AFTER, ALPHAS, check_grid, expand
from vstg.model_selection.methods import get_method

CUTS, SHARES = (0.0, 0.1, 0.2, 0.3), (0.0,)  # after each fit of the refitted method
COARSE_K, COARSE_N_LATENT, COARSE_STEP = (1, 3), (3, 5, 9), 3
# Seconds of a fit within a search, for each D·T·K; measured, good to a factor of two.
UNIT = {"vstg": 2.4e-6, "vstg_refitted": 3.6e-6, "go_mtl": 8e-6, "clustered": 1.5e-6}
UNIT_PLAIN = {"lasso": 3e-5, "l1_trace": 3e-5, "mmtfl": 1.2e-5, "dirty": 1.3e-5}
UNIT_OTHER = 6e-6


def fit_seconds(shape: tuple[int, int], method: str, n_latent: int) -> float:
    """Expected time of one fit within a search, squared loss."""
    n_variables, n_tasks = shape
    unit = UNIT.get(method, 0.0) * n_latent or UNIT_PLAIN.get(method, UNIT_OTHER)
    return unit * n_variables * n_tasks


def is_vstg(method: str) -> bool:
    """Whether Explore can show what a method fits."""
    return get_method(method).refits is not None


def n_after(grid: Mapping[str, Sequence[Any]]) -> int:
    """How many settings share one fit: they differ in what follows it."""
    return prod(len(grid[name]) for name in AFTER if name in grid)


def grid_seconds(
    shape: tuple[int, int], method: str, grid: Mapping[str, Sequence[Any]]
) -> float:
    """Expected time of all fits of a grid on one fold."""
    chosen = get_method(method)
    settings = expand(chosen, check_grid(chosen, grid))
    total = sum(fit_seconds(shape, method, s.get("n_latent", 1)) for s in settings)
    return total / n_after(grid)


def strengths(low: int, high: int, step: int) -> tuple[float, ...]:
    """Powers of two from low to high; both ends if the step allows."""
    return tuple(2.0**e for e in range(low, high + 1, step))


def ready_grid(name: str, limit: int) -> dict[str, Any]:
    """The paper's grid or a coarse one, K as far as the data allow."""
    coarse = name == "coarse"
    n_latent = COARSE_N_LATENT if coarse else PAPER_N_LATENT
    values = strengths(*EXPONENTS, COARSE_STEP if coarse else 1)
    return {
        "n_latent": tuple(n for n in n_latent if n <= limit) or (limit,),
        "k": tuple(COARSE_K if coarse else PAPER_K),
        "gamma1": values,
        "gamma2": values,
        "cut": CUTS,
        "relax": SHARES,
        "alpha": ALPHAS,
    }


def threads_words(count: int) -> str:
    """On what this machine works."""
    return words.ONE_THREAD if count == 1 else words.THREADS_WHERE.format(n=count)
