"""From rows to structures: candidates of eq. (6), then the search among supports."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any

import numpy as np

from vstg.baselines import solve_ridge
from vstg.data import Array, MultiTaskData
from vstg.data.designs import margins
from vstg.discovery.candidates import CUTS, FIT_TOL, chains, cut_structures, fits, sizes
from vstg.discovery.criterion import ComplexityPrices, Evidence, counts
from vstg.discovery.local_search import FittedStructure, StructureSearch
from vstg.losses import Loss, weighted_sum
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers.refit import refit

MOST_VARIABLES = 150  # with Gram matrices of their own in the search among supports
RIDGE = 2.0**-8  # of the fit that other losses are expanded around
EXPANSIONS = 2  # of such a loss around the structure found
ANY = Settings(1, 1, 2.0**-5, 2.0**-5, 2.0**-5, relax=0.0)


@dataclass(frozen=True, eq=False)
class CandidateSearch:
    """The search with everything but the rows and the weights.

    ``tick`` is called after every fit; ``stop`` ends the search at the next one.
    """

    loss: Loss
    fit_intercept: bool
    grid: Mapping[str, Sequence[Any]]
    n_starts: int
    n_tried: int
    seed: int
    tick: Callable[[], None] = lambda: None
    stop: Event = field(default_factory=Event)

    def problem(self, data: MultiTaskData) -> Problem:
        """The fitting problem of some rows; small parts may have constant targets."""
        constant = not self.loss.is_classification
        return Problem.of(
            data, self.loss, fit_intercept=self.fit_intercept, allow_constant=constant
        )

    def easy_problem(self, data: MultiTaskData) -> Problem:
        """Make the problem of the candidates; other losses to second order.

        Around a ridge regression of each task. Least squares is many times as quick
        as any other loss, and candidates are only the beginning of the search.
        """
        problem = self.problem(data)
        if self.loss.is_quadratic or data.n_features > MOST_VARIABLES:
            return problem
        return self.around_ridge(data).as_problem()

    def count(self, data: MultiTaskData) -> int:
        """Count the fits of one search, if the fewest bases are enough."""
        problem = self.problem(data)
        fewest = sizes(problem, self.grid)[0]
        return self.n_starts * sum(len(c) for c in chains(problem, self.grid, fewest))

    def structures(
        self, data: MultiTaskData, weights: Sequence[float]
    ) -> dict[float, FittedStructure]:
        """Return the best structure for every weight of the prices.

        Candidates have more bases only if the heaviest weight keeps all of fewer.
        """
        problem = self.easy_problem(data)
        pool: list[FittedStructure] = []
        found: dict[float, FittedStructure] = {}
        for n_latent in sizes(problem, self.grid):
            walks = chains(problem, self.grid, n_latent)
            pool += self.candidates(problem, walks)
            found = self.improved(data, pool, weights)
            if found[max(weights)].n_bases < n_latent or self.stop.is_set():
                break
        return found

    def candidates(
        self,
        problem: Problem,
        walks: Sequence[Sequence[Settings]],
        first: FittedStructure | None = None,
    ) -> list[FittedStructure]:
        """Return distinct supports of solutions of eq. (6), cut at several sizes.

        ``first`` is the start before the others, if there is one.
        """
        pool: dict[Any, FittedStructure] = {}
        effort = self.n_starts, self.seed, self.stop.is_set
        for chain in walks:
            for fit in fits(problem, chain, *effort, first):
                for structure in cut_structures(fit, CUTS):
                    pool.setdefault(structure.key, structure)
                self.tick()
        return list(pool.values())

    def improved(
        self,
        data: MultiTaskData,
        pool: Sequence[FittedStructure],
        weights: Sequence[float],
    ) -> dict[float, FittedStructure]:
        """Improve the candidates, and return the best structure for every weight."""
        if not pool:
            nothing = FittedStructure.empty(data.n_features, data.n_tasks)
            return dict.fromkeys(weights, nothing)
        rows = variables_of(pool)
        part = data if len(rows) == data.n_features else data.columns(rows)
        small = [replace(one, U=one.U[rows]) for one in pool if one.U[rows].any()]
        found = self.choose(part, small, weights, data.n_features)
        for weight, one in found.items():
            U = np.zeros((data.n_features, one.n_bases))
            U[rows] = one.U
            found[weight] = replace(one, U=U)
        return found

    def choose(
        self,
        data: MultiTaskData,
        pool: Sequence[FittedStructure],
        weights: Sequence[float],
        n_features: int,
    ) -> dict[float, FittedStructure]:
        """Return, for every weight, the structure with the best score."""
        if self.loss.is_quadratic:
            evidence = Evidence.of_squares(data, fit_intercept=self.fit_intercept)
            return search(evidence, pool, weights, n_features, self.n_tried)
        first = self.around_ridge(data)
        found = search(first, pool, weights, n_features, self.n_tried)
        for weight, one in found.items():
            prices = ComplexityPrices.of(first, weight, n_features)
            found[weight] = self.expanded(data, pool, one, weight, prices)
        return found

    def around_ridge(self, data: MultiTaskData) -> Evidence:
        """Expand twice the loss to second order around a ridge per task."""
        fit = solve_ridge(self.problem(data), gamma1=RIDGE, tol=FIT_TOL)
        return Evidence.around(data, fit.W, fit.intercept, self.loss)

    def expanded(
        self,
        data: MultiTaskData,
        pool: Sequence[FittedStructure],
        one: FittedStructure,
        weight: float,
        prices: ComplexityPrices,
    ) -> FittedStructure:
        """Search again around the structure found, while the exact score falls.

        The loss is a quadratic only around a fit, and another one around the fit of
        the structure that it leads to.
        """
        best, least = one, np.inf
        for _ in range(EXPANSIONS + 1):
            W, b = self.coefficients(data, one, FIT_TOL)
            rows = zip(data.y, margins(data.X, W, b), counts(data), strict=True)
            value = 2.0 * sum(weighted_sum(self.loss, *row) for row in rows)
            evidence = Evidence.around(data, W, b, self.loss)
            score = evidence.deviance_of(value) + prices(*one.support)
            if score >= least:
                break
            best, least = one, score
            among = StructureSearch(evidence, prices)
            one = among.best(among.refitted([best, *pool]), self.n_tried)
        return best

    def coefficients(
        self,
        data: MultiTaskData,
        structure: FittedStructure,
        tol: float | None = None,
    ) -> tuple[Array, Array]:
        """Refit a structure on some rows, and return W and the intercepts."""
        settings = structure.origin or ANY
        run = refit(
            self.problem(data),
            replace(settings, n_latent=max(structure.n_bases, 1), k=1, relax=0.0),
            structure.U if structure.n_bases else np.zeros((data.n_features, 1)),
            structure.V if structure.n_bases else np.zeros((1, data.n_tasks)),
            tol=tol,
        )
        return run.U @ run.V, run.intercept


def search(
    evidence: Evidence,
    pool: Sequence[FittedStructure],
    weights: Sequence[float],
    n_features: int,
    n_tried: int,
) -> dict[float, FittedStructure]:
    """Refit the pool once for all weights, and search from the best of each."""
    searches = {
        weight: StructureSearch(
            evidence, ComplexityPrices.of(evidence, weight, n_features)
        )
        for weight in weights
    }
    refitted = searches[weights[0]].refitted(pool)
    return {w: among.best(refitted, n_tried) for w, among in searches.items()}


def variables_of(pool: Sequence[FittedStructure]) -> np.ndarray:
    """Return all variables if they are few, else those most candidates use."""
    n_features = len(pool[0].U)
    if n_features <= MOST_VARIABLES:
        return np.arange(n_features)
    uses = sum((one.U.any(axis=1).astype(int) for one in pool), np.zeros(n_features))
    often = np.argsort(-uses, kind="stable")[:MOST_VARIABLES]
    return np.sort(often[uses[often] > 0])
