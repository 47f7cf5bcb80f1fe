"""Find settings of eq. (6), with a cut and a refit, that reproduce a structure."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from vstg.discovery.candidates import CUTS
from vstg.discovery.local_search import FittedStructure
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers import VSTGResult, refitted, solve_problem
from vstg.solvers.refit import cut_factors, refit


def settings_for(
    problem: Problem, structure: FittedStructure, start: Settings
) -> tuple[VSTGResult, bool]:
    """Return the model with settings, and whether these lead to its support.

    They do if eq. (6), solved from the model's own U and V, cut and refitted, ends on
    the same support. Then the model is a solution like any other, only its start was
    found by the search.
    """
    if structure.n_bases == 0:
        return nothing(problem, start), True
    first: VSTGResult | None = None
    for settings in likely(structure, start):
        fit = solve_problem(problem, settings, init=(structure.U, structure.V))
        first = fit if first is None else first
        for cut in cuts_of(structure):
            factors = cut_factors(fit.U, fit.V, cut)
            if FittedStructure(*factors, 0.0).key == structure.key:
                chosen = replace(settings, cut=cut, relax=0.0)
                return refitted(fit, problem, chosen, None), True
    assert first is not None
    settings = replace(first.settings, cut=cuts_of(structure)[0], relax=0.0)
    run = refit(problem, settings, structure.U, structure.V)
    cut_fit = refitted(first, problem, settings, None)
    return replace(cut_fit, U=run.U, V=run.V, intercept=run.intercept), False


def cuts_of(structure: FittedStructure) -> list[float]:
    """Cuts to try, that of the origin first."""
    cut = structure.origin.cut if structure.origin is not None else CUTS[0]
    return list(dict.fromkeys((cut, *CUTS, 0.05)))


def likely(structure: FittedStructure, start: Settings) -> Iterator[Settings]:
    """Settings to try: those of the origin, then weaker and stronger ones."""
    k = int((structure.V != 0).sum(axis=0).max())
    for factor in (1.0, 0.5, 2.0, 0.25, 0.125):
        yield Settings.checked(
            n_latent=structure.n_bases,
            k=k,
            gamma1=factor * start.gamma1,
            gamma2=factor * start.gamma2,
        )


def nothing(problem: Problem, start: Settings) -> VSTGResult:
    """The model without variables: penalties that leave nothing."""
    U, V = np.zeros((problem.n_features, 1)), np.zeros((1, problem.n_tasks))
    settings = replace(start, n_latent=1, k=1, relax=0.0, cut=CUTS[0])
    result = solve_problem(
        problem, replace(settings, cut=0.0, relax=1.0), init=(U, V), max_iter=1
    )
    run = refit(problem, settings, U, V)
    return replace(
        result, U=U, V=V, intercept=run.intercept, settings=settings,
        converged=True, stop_reason="tolerance",
    )  # fmt: skip
