"""Structures to begin with: solutions of eq. (6), cut at several sizes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from vstg.discovery.structure import MOST_BASES, FittedStructure
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers import VSTGResult, solve_problem
from vstg.solvers.refit import cut_factors
from vstg.solvers.solve import starts

FIT_TOL = 1e-3  # candidates are fitted again: a few digits do
CUTS = (0.1, 0.15, 0.2, 0.3)
# Strengths are in units of the data, see `unit`; weakest first, for warm starts.
DEFAULT_GRID: Mapping[str, Sequence[float]] = {
    "n_latent": (4, 6),
    "k": (1, 2, 3),
    "strength": (2.0**-6.5, 2.0**-5, 2.0**-3.5),
}


def unit(problem: Problem) -> float:
    """How strong a penalty is in these data: strengths scale with it.

    If y is multiplied by s, penalties s^{4/3} times as strong give s times the same W:
    the loss grows with s², the penalty (over the scale between U and V) with s^{2/3}.
    """
    size = float(problem.null[1].squared_rows().sum()) / problem.n_tasks
    return max(size, 1e-300) ** (2 / 3) * problem.loss.curvature ** (-1 / 3)


def chains(problem: Problem, grid: Mapping[str, Sequence[Any]]) -> list[list[Settings]]:
    """The settings of the grid in chains of growing strength, powers of 2."""
    scale = unit(problem)
    found = []
    most = min(problem.n_features, problem.n_tasks)
    sizes = sorted({min(int(K), most, MOST_BASES) for K in grid["n_latent"]})
    for n_latent, k in product(sizes, grid["k"]):
        if k > n_latent:
            continue
        exact = [scale * strength for strength in sorted(grid["strength"])]
        rounded = [2.0 ** float(np.round(np.log2(gamma))) for gamma in exact]
        found.append(
            [
                Settings.checked(n_latent=n_latent, k=k, gamma1=g, gamma2=g / 2)
                for g in dict.fromkeys(rounded)
            ]
        )
    return found


def fits(
    problem: Problem,
    chain: Sequence[Settings],
    n_starts: int,
    seed: int,
    stopped: Callable[[], bool],
) -> Iterator[VSTGResult]:
    """Solutions of eq. (6) along a chain, from every start."""
    for start in starts(problem, chain[0], None, n_starts, seed):
        point: Any = start
        for settings in chain:
            if stopped():
                return
            fit = solve_problem(problem, settings, init=point, tol=FIT_TOL)
            if not fit.W.any():
                break
            point = fit
            yield fit


def cut_structures(fit: VSTGResult, cuts: Sequence[float]) -> Iterator[FittedStructure]:
    """The fit without its small entries, for every size of small; not yet refitted."""
    for cut in cuts:
        U, V = cut_factors(fit.U, fit.V, cut)
        alive = U.any(axis=0)
        if alive.any():
            origin = replace(fit.settings, cut=cut, relax=0.0)
            yield FittedStructure(U[:, alive], V[alive], 0.0, origin)
