"""Structures to begin with: solutions of eq. (6), cut at several sizes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from vstg.data import Array
from vstg.discovery.local_search import MOST_BASES, FittedStructure
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers import VSTGResult, solve_problem
from vstg.solvers.refit import cut_factors
from vstg.solvers.solve import starts

FIT_TOL = 1e-3  # candidates are fitted again: a few digits do
CUTS = (0.1, 0.15, 0.2, 0.3)
# Strengths are in units of the data, see `unit`; weakest first, for warm starts. More
# bases are tried only where fewer are all in use.
DEFAULT_GRID: Mapping[str, Sequence[float]] = {
    "n_latent": (6, 9, 12),
    "k": (1, 2, 3),
    "strength": (2.0**-6.5, 2.0**-4.5),
}


def unit(problem: Problem) -> float:
    """How strong a penalty is in these data: strengths scale with it.

    If y is multiplied by s, penalties s^{4/3} times as strong give s times the same W:
    the loss grows with s², the penalty (over the scale between U and V) with s^{2/3}.
    """
    size = float(problem.null[1].squared_rows().sum()) / problem.n_tasks
    return max(size, 1e-300) ** (2 / 3) * problem.typical_curvature ** (-1 / 3)


def sizes(problem: Problem, grid: Mapping[str, Sequence[Any]]) -> list[int]:
    """The values of K in the grid that these data can have, fewest bases first."""
    most = min(problem.n_features, problem.n_tasks, MOST_BASES)
    return sorted({min(int(K), most) for K in grid["n_latent"]})


def chains(
    problem: Problem, grid: Mapping[str, Sequence[Any]], n_latent: int
) -> list[list[Settings]]:
    """The settings of the grid with K bases: by k, chains of growing strength."""
    scale = unit(problem)
    exact = [scale * strength for strength in sorted(grid["strength"])]
    rounded = dict.fromkeys(2.0 ** float(np.round(np.log2(g))) for g in exact)
    return [
        [
            Settings.checked(n_latent=n_latent, k=k, gamma1=g, gamma2=g / 2)
            for g in rounded
        ]
        for k in sorted({min(int(k), n_latent) for k in grid["k"]})
    ]


def fits(
    problem: Problem,
    chain: Sequence[Settings],
    n_starts: int,
    seed: int,
    stopped: Callable[[], bool],
    first: FittedStructure | None = None,
) -> Iterator[VSTGResult]:
    """Solutions of eq. (6) along a chain, from every start, ``first`` if given."""
    init = None if first is None else with_bases(first, chain[0].n_latent)
    for start in starts(problem, chain[0], init, n_starts, seed):
        point: Any = start
        for settings in chain:
            if stopped():
                return
            fit = solve_problem(problem, settings, init=point, tol=FIT_TOL)
            if not fit.W.any():
                break
            point = fit
            yield fit


def with_bases(structure: FittedStructure, n_latent: int) -> tuple[Array, Array]:
    """U and V with K bases, those that are too few zero."""
    more = max(0, n_latent - structure.n_bases)
    U = np.pad(structure.U, ((0, 0), (0, more)))[:, :n_latent]
    V = np.pad(structure.V, ((0, more), (0, 0)))[:n_latent]
    return U, V


def cut_structures(fit: VSTGResult, cuts: Sequence[float]) -> Iterator[FittedStructure]:
    """The fit without its small entries, for every size of small; not yet refitted."""
    for cut in cuts:
        U, V = cut_factors(fit.U, fit.V, cut)
        alive = U.any(axis=0)
        if alive.any():
            origin = replace(fit.settings, cut=cut, relax=0.0)
            yield FittedStructure(U[:, alive], V[alive], 0.0, origin)
