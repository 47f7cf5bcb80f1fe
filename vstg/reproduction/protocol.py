"""How thoroughly to search: the paper's whole grid, a coarse search, or a quick one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from vstg.model_selection import get_method, paper_grid
from vstg.model_selection.grid import (
    AFTER,
    PAPER_K,
    REFIT_CUTS,
    REFIT_SHARES,
    Grid,
    check_grid,
    expand,
)
from vstg.model_selection.search import HALVING_KEEP, rungs

COUNTS = ("gamma1", "gamma2", "n_latent")  # what a coarse pass thins out
WALK = 3  # rounds of neighbours that a walk takes, about
REFITS: Grid = {"cut": REFIT_CUTS, "relax": REFIT_SHARES}


@dataclass(frozen=True)
class Effort:
    """How thoroughly a table is measured.

    Attributes
    ----------
    stride : every so many values of γ1, γ2 and K of the paper's grid are tried
    halving : whether bad settings are given up after a few folds
    refine : whether to walk from the best coarse setting to its best neighbour, and on
        from there, until no neighbour is better
    """

    name: str
    label: str
    n_repetitions: int = 10
    n_folds: int = 10
    stride: int = 1
    halving: bool = False
    refine: bool = False

    def grid(self, column: "TableColumn") -> Grid:
        """The settings of the (first) pass."""
        return {
            name: values[:: self.stride] if name in COUNTS else values
            for name, values in distinct_grid(column).items()
        }

    def n_fits(self, column: "TableColumn", n_parts: int | None = None) -> int:
        """How many models a piece evaluates, about, refits included.

        ``n_parts`` is 1 on a validation set.
        """
        n_parts = n_parts or self.n_folds
        method = get_method(column.method)
        n = len(expand(method, check_grid(method, self.grid(column))))
        if not self.halving:
            return n * n_parts
        total, used = 0, 0
        for reached in rungs(n_parts):
            total += n * (reached - used)
            n, used = max(1, int(np.ceil(HALVING_KEEP * n))), reached
        names = [name for name in COUNTS if name in method.parameters]
        n_near = 3 ** len(names) * prod(map(len, column.after.values()))
        return total + self.refine * WALK * n_near * n_parts


@dataclass(frozen=True)
class TableColumn:
    """A column of a table: a method with the k that the paper gives it.

    ``after`` has the cuts and shares of the penalties with which every fit is refitted;
    none in the paper.
    """

    name: str
    label: str
    method: str
    k: tuple[int, ...] = PAPER_K
    after: Grid = field(default_factory=dict)


EFFORTS: dict[str, Effort] = {
    effort.name: effort
    for effort in (
        Effort("full", "the paper's protocol"),
        Effort(
            "coarse",
            "every third value, bad settings given up early, then from neighbour to "
            "neighbour",
            stride=3,
            halving=True,
            refine=True,
        ),
        Effort("quick", "two repetitions on a thin grid", 2, 5, stride=3),
    )
}
COLUMNS: dict[str, TableColumn] = {
    column.name: column
    for column in (
        TableColumn("lasso", "LASSO", "lasso"),
        TableColumn("l1_trace", "L1+trace", "l1_trace"),
        TableColumn("mmtfl", "MMTFL", "mmtfl"),
        TableColumn("go_mtl", "GO-MTL", "go_mtl"),
        TableColumn("vstg_k1", "VSTG-MTL k=1", "vstg", (1,)),
        TableColumn("vstg_k3", "VSTG-MTL k=3", "vstg", (3,)),
        TableColumn("vstg_opt", "VSTG-MTL k=opt", "vstg"),
        TableColumn("l21", "L2,1", "l21"),
        TableColumn("dirty", "Dirty model", "dirty"),
        TableColumn("clustered", "Clustered MTL", "clustered"),
        TableColumn("pretrained", "Pretrained LASSO", "pretrained"),
        TableColumn("vstg_refitted", "VSTG-MTL, refitted", "vstg", (1, 3), REFITS),
    )
}


def get_effort(name: str) -> Effort:
    """Return an effort by its name."""
    if name not in EFFORTS:
        msg = f"effort {name!r} is unknown; choose one of {list(EFFORTS)}"
        raise ValueError(msg)
    return EFFORTS[name]


def distinct_grid(column: TableColumn) -> Grid:
    """Return the paper's grid without settings that give the same problem.

    MMTFL and GO-MTL penalise one factor by its norm and the other by its square: what
    scale does to the factors it undoes, and W depends on γ1²γ2 alone. Of the 14 × 14
    pairs 40 are distinct; they stand here as γ1 = 1 with γ2 from 2^-30 to 2^9.
    """
    grid = {**paper_grid(column.method, k=column.k), **column.after}
    if column.method not in ("mmtfl", "go_mtl"):
        return grid
    products = {g1**2 * g2 for g1 in grid["gamma1"] for g2 in grid["gamma2"]}
    return {**grid, "gamma1": (1.0,), "gamma2": tuple(sorted(products))}


def neighbours(
    column: TableColumn, setting: Mapping[str, Any]
) -> dict[str, Sequence[Any]]:
    """The values next to a setting on the paper's grid, itself in the middle.

    Every neighbour is cut and refitted in every way: that costs little.
    """
    found: dict[str, Sequence[Any]] = {}
    for name, values in distinct_grid(column).items():
        if name in AFTER:
            found[name] = values
            continue
        if name not in COUNTS:
            found[name] = (setting[name],)
            continue
        place = list(values).index(setting[name])
        found[name] = tuple(values[max(place - 1, 0) : place + 2])
    if "k" in found:  # a neighbour with K below k does not exist
        found["n_latent"] = tuple(K for K in found["n_latent"] if setting["k"] <= K)
    return found
