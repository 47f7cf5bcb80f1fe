"""Fits of Syn1 on a coarse grid, for an Explore that works without a server."""

from dataclasses import dataclass
from itertools import product

from vstg.data import Array
from vstg.datasets import SyntheticDataset, make_syn
from vstg.inspection import task_groups
from vstg.metrics import errors_on
from vstg.solvers import solve_vstg

LATENTS = (1, 2, 3, 4, 5, 6)
EXPONENTS = (-6, -5, -4, -3, -2, -1, 0, 1)  # of γ1 and of γ2, powers of two
CUT = 0.1  # entries below this share of the largest become zero


@dataclass(frozen=True, eq=False)
class GridFit:
    """One fit: its factors, the group of every task (-1 for none), and its errors."""

    U: Array
    V: Array
    groups: tuple[int, ...]
    train_error: float
    test_error: float


@dataclass(frozen=True, eq=False)
class FitGrid:
    """All fits; ``fits`` runs over cut, K, γ1 and γ2, the last fastest."""

    syn: SyntheticDataset
    latents: tuple[int, ...]
    exponents: tuple[int, ...]
    fits: tuple[GridFit, ...]


def fit_grid(
    latents: tuple[int, ...] = LATENTS,
    exponents: tuple[int, ...] = EXPONENTS,
    *,
    seed: int = 0,
) -> FitGrid:
    """Fit Syn1 with k = 1 at every K, γ1 and γ2: as eq. (6), then cut and refitted."""
    syn = make_syn(1, random_state=seed)
    fits = tuple(
        _fit(syn, K, 2.0**g1, 2.0**g2, cut)
        for cut, K, g1, g2 in product((False, True), latents, exponents, exponents)
    )
    return FitGrid(syn, latents, exponents, fits)


def _fit(
    syn: SyntheticDataset, K: int, gamma1: float, gamma2: float, cut: bool
) -> GridFit:
    found = solve_vstg(
        syn.train, n_latent=K, k=1, gamma1=gamma1, gamma2=gamma2,
        cut=CUT if cut else 0.0, relax=0.0 if cut else 1.0,
    )  # fmt: skip
    groups = [-1] * syn.train.n_tasks
    proper = [group for group in task_groups(found.V) if not group.empty]
    for number, group in enumerate(proper):
        for task in group.tasks:
            groups[task] = number
    train, test = (
        errors_on(part, [X @ w for X, w in zip(part.X, found.W.T, strict=True)]).mean
        for part in (syn.train, syn.test)
    )
    return GridFit(found.U, found.V, tuple(groups), train, test)
