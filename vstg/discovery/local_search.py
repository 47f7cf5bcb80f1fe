"""Search over structures: descend in an information criterion by local moves.

A structure is the support of U and V. Its moves: give tasks and whole groups other
bases, drop and add entries of U, drop a basis, merge two, take from a basis its part
of another. Each step is accepted only
if deviance plus price falls after a least squares fit, so the search ends.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from vstg.data import Array
from vstg.discovery.criterion import ComplexityPrices, Evidence
from vstg.kernels.supports import (
    assign_patterns,
    edit_entries,
    entry_system,
    fit_support,
    pattern_fits,
)
from vstg.objective import Settings

Mask = npt.NDArray[np.bool_]

MOST_BASES = 12  # of a structure: all small patterns of a task are tried
PER_TASK = 3  # bases in a pattern that is tried
ROUNDS = 20  # of alternating least squares
ENOUGH = 0.02  # of the deviance: a round that gains less is the last one
SMALL = 0.1  # of the largest entry: dropped from a basis that was sheared
N_SIMPLIFIED = 3  # of the ends of the search, the best
GAIN = 0.1  # of the deviance: less than this is no gain, since fits are that exact


@dataclass(frozen=True, eq=False)
class FittedStructure:
    """Factors fitted on their own support, and how well they fit.

    ``origin`` has the settings of eq. (6) whose cut solution the search came from.
    """

    U: Array
    V: Array
    fit: float
    origin: Settings | None = None

    @classmethod
    def empty(cls, n_features: int, n_tasks: int) -> "FittedStructure":
        """Return the structure without variables and bases."""
        return cls(np.zeros((n_features, 0)), np.zeros((0, n_tasks)), 0.0)

    @property
    def n_bases(self) -> int:
        """Bases in use."""
        return self.U.shape[1]

    @property
    def support(self) -> tuple[Mask, Mask]:
        """Where U and V are not zero."""
        return self.U != 0, self.V != 0

    @property
    def key(self) -> tuple[tuple[bytes, bytes], ...]:
        """Equal for equal supports, in whatever order the bases come."""
        free_U, free_V = self.support
        pairs = zip(free_U.T, free_V, strict=True)
        return tuple(sorted((u.tobytes(), v.tobytes()) for u, v in pairs))


@dataclass(frozen=True, eq=False)
class StructureSearch:
    """The search on given rows at given prices."""

    evidence: Evidence
    prices: ComplexityPrices

    def score(self, structure: FittedStructure) -> float:
        """Deviance plus price: lower is better."""
        price = self.prices(*structure.support)
        return self.evidence.deviance(structure.fit) + price

    def best(
        self, structures: Iterable[FittedStructure], n_tried: int
    ) -> FittedStructure:
        """Descend from the ``n_tried`` best of ``structures``, keep the best end."""
        nothing = FittedStructure.empty(self.evidence.n_features, self.evidence.n_tasks)
        ranked = sorted(structures, key=self.score)[:n_tried]
        different = {end.key: end for end in map(self.descend, ranked)}
        ends = sorted(different.values(), key=self.score)[:N_SIMPLIFIED]
        return min([nothing, *map(self.simplify, ends)], key=self.score)

    def refitted(self, pool: Iterable[FittedStructure]) -> list[FittedStructure]:
        """Fit each structure by least squares, whatever the prices."""
        return [self.fitted(one, *one.support) for one in pool]

    def descend(self, structure: FittedStructure, n_steps: int = 12) -> FittedStructure:
        """Reassign the tasks and edit U in turn, while the score falls."""
        for _ in range(n_steps):
            if structure.n_bases == 0:
                break
            moved = self.edit(self.reassign(structure))
            if self.score(moved) >= self.score(structure) - GAIN:
                break
            structure = moved
        return structure

    def simplify(self, structure: FittedStructure, n_tried: int = 4) -> FittedStructure:
        """Drop, merge and shear bases, while the score falls."""
        while True:
            simpler = [
                *self.with_one_dropped(structure),
                *self.with_two_merged(structure),
                *self.with_one_sheared(structure),
            ]
            limit = self.score(structure) - GAIN
            trials = sorted(simpler, key=self.score)[:n_tried]
            ends = (self.descend(trial) for trial in trials)
            better = next((end for end in ends if self.score(end) < limit), None)
            if better is None:
                return structure
            structure = better

    def with_one_dropped(self, structure: FittedStructure) -> Iterator[FittedStructure]:
        """Yield the structure without each of its bases."""
        free_U, free_V = structure.support
        for r in range(structure.n_bases):
            rest = np.arange(structure.n_bases) != r
            yield self.fitted(structure, free_U[:, rest], free_V[rest], rest)

    def with_two_merged(self, structure: FittedStructure) -> Iterator[FittedStructure]:
        """Yield the structure with each pair of bases merged."""
        free_U, free_V = structure.support
        for r in range(structure.n_bases):
            rest = np.arange(structure.n_bases) != r
            for s in range(r):
                U, V = structure.U.copy(), structure.V.copy()
                both_U, both_V = free_U.copy(), free_V.copy()
                both_U[:, s] |= free_U[:, r]
                both_V[s] |= free_V[r]
                P, sigma, Qt = np.linalg.svd(
                    U[:, [r, s]] @ V[[r, s]], full_matrices=False
                )
                U[:, s], V[s] = P[:, 0], sigma[0] * Qt[0]
                merged = replace(structure, U=U, V=V)
                yield self.fitted(merged, both_U[:, rest], both_V[rest], rest)

    def with_one_sheared(self, structure: FittedStructure) -> Iterator[FittedStructure]:
        """Subtract from each basis a part of another that all its tasks use.

        Then u_r − c u_s and v^s + c v^r give the same W for every c, at no other
        support of V: the c of the smallest l1 norm finds the sparse basis among them.
        """
        free_U, free_V = structure.support
        for r, s in permutations(range(structure.n_bases), 2):
            if (free_V[r] & ~free_V[s]).any() or not (
                free_U[:, r] & free_U[:, s]
            ).any():
                continue
            U, V = structure.U.copy(), structure.V.copy()
            c = least_l1(U[:, r], U[:, s])
            U[:, r] -= c * U[:, s]
            V[s] += c * V[r]
            size = np.abs(U[:, r])
            sheared = free_U.copy()
            sheared[:, r] = size > SMALL * size.max()
            yield self.fitted(replace(structure, U=U, V=V), sheared, free_V)

    def reassign(self, structure: FittedStructure) -> FittedStructure:
        """Give single tasks and whole groups other bases, with U fixed."""
        n_latent = structure.n_bases
        free_U, free_V = structure.support
        most = max(PER_TASK, int(free_V.sum(axis=0).max()))
        patterns, places = all_patterns(n_latent, min(most, n_latent))
        fits = pattern_fits(self.evidence.A, self.evidence.b, structure.U, patterns)
        costs = fits / self.evidence.variance(structure.fit)
        costs += patterns.sum(axis=1) * self.prices.task[:, None]
        chosen = np.array([places[pattern.tobytes()] for pattern in free_V.T.copy()])
        assign_patterns(costs, chosen, self.prices.group_price(n_latent), 20)
        return self.fitted(structure, free_U, patterns[chosen].T.copy())

    def edit(self, structure: FittedStructure) -> FittedStructure:
        """Drop and add entries of U, with V fixed."""
        if structure.n_bases == 0:
            return structure
        free_U, free_V = structure.support
        everywhere = np.ones_like(free_U)
        evidence = self.evidence
        rows, bases, H, g = entry_system(
            evidence.A, evidence.b, everywhere, structure.V
        )
        on = free_U[rows, bases]
        variance = evidence.variance(structure.fit)
        price = self.prices.entry, self.prices.variable
        edit_entries(H, g, rows, on, variance, *price, free_U.size)
        edited = np.zeros_like(free_U)
        edited[rows[on], bases[on]] = True
        return self.fitted(structure, edited, free_V)

    def fitted(
        self,
        start: FittedStructure,
        free_U: Mask,
        free_V: Mask,
        bases: Mask | None = None,
    ) -> FittedStructure:
        """Fit a support by least squares, starting from the factors of ``start``."""
        U = start.U if bases is None else start.U[:, bases]
        V = start.V if bases is None else start.V[bases]
        alive = free_U.any(axis=0) & free_V.any(axis=1)
        free_U, free_V = free_U[:, alive], free_V[alive]
        U = np.where(free_U, U[:, alive], 0.0)
        V = np.where(free_V, V[alive], 0.0)
        if not alive.any():
            return replace(start, U=U, V=V, fit=0.0)
        # An entry that was just added begins small, or least squares cannot start.
        U[free_U & (U == 0)] = 1e-3 * float(np.abs(U).max() or 1.0)
        fit = fit_support(
            self.evidence.A, self.evidence.b, free_U, free_V, U, V,
            ROUNDS, ENOUGH * self.evidence.variance(start.fit),
        )  # fmt: skip
        return replace(start, U=U, V=V, fit=float(fit))


def least_l1(x: Array, y: Array) -> float:
    """Return the c that minimises the l1 norm of x − c y: a weighted median of x/y."""
    inside = y != 0
    ratio, weight = x[inside] / y[inside], np.abs(y[inside])
    order = np.argsort(ratio)
    place = np.searchsorted(np.cumsum(weight[order]), weight.sum() / 2.0)
    return float(ratio[order][place])


@lru_cache(maxsize=64)
def all_patterns(n_latent: int, most: int) -> tuple[Mask, dict[bytes, int]]:
    """Sets of up to ``most`` of ``n_latent`` bases (m, K), and the place of each."""
    codes = np.arange(2**n_latent)[:, None] >> np.arange(n_latent)
    patterns = (codes & 1).astype(bool)
    patterns = np.ascontiguousarray(patterns[patterns.sum(axis=1) <= most])
    return patterns, {p.tobytes(): place for place, p in enumerate(patterns)}
