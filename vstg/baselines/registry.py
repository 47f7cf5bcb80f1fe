"""All baselines by name, for searches and tables."""

from collections.abc import Callable
from dataclasses import dataclass

from vstg.baselines.clustered import solve_clustered
from vstg.baselines.dirty import solve_dirty
from vstg.baselines.go_mtl import solve_go_mtl
from vstg.baselines.interface import BaselineResult
from vstg.baselines.l1_trace import solve_l1_trace
from vstg.baselines.l21 import solve_l21
from vstg.baselines.lasso import solve_lasso
from vstg.baselines.mmtfl import solve_mmtfl
from vstg.baselines.pretrained import solve_pretrained
from vstg.baselines.ridge import solve_pooled, solve_ridge


@dataclass(frozen=True)
class Baseline:
    """A method to compare with.

    Attributes
    ----------
    name : key in :data:`BASELINES`
    label : what tables call it
    parameters : names of the values that ``solve`` needs
    solve : ``solve(data_or_problem, *, <parameters>, loss, fit_intercept, init, ...)``
    is_convex : whether every start ends at the same objective
    """

    name: str
    label: str
    parameters: tuple[str, ...]
    solve: Callable[..., BaselineResult]
    is_convex: bool


BASELINES: dict[str, Baseline] = {
    baseline.name: baseline
    for baseline in (
        Baseline("lasso", "LASSO", ("gamma1",), solve_lasso, True),
        Baseline("l1_trace", "L1+trace", ("gamma1", "gamma2"), solve_l1_trace, True),
        Baseline("mmtfl", "MMTFL", ("gamma1", "gamma2"), solve_mmtfl, False),
        Baseline(
            "go_mtl", "GO-MTL", ("n_latent", "gamma1", "gamma2"), solve_go_mtl, False
        ),
        Baseline("l21", "L2,1", ("gamma1",), solve_l21, True),
        Baseline("dirty", "Dirty model", ("gamma1", "gamma2"), solve_dirty, True),
        Baseline(
            "clustered",
            "Clustered MTL",
            ("n_latent", "gamma1", "gamma2"),
            solve_clustered,
            True,
        ),
        Baseline(
            "pretrained",
            "Pretrained LASSO",
            ("alpha", "gamma1", "gamma2"),
            solve_pretrained,
            True,
        ),
        Baseline("ridge", "Ridge", ("gamma1",), solve_ridge, True),
        Baseline("pooled", "Pooled ridge", ("gamma1",), solve_pooled, True),
    )
}


def get_baseline(name: str) -> Baseline:
    """A baseline by its name."""
    if name not in BASELINES:
        msg = f"baseline {name!r} is unknown; choose one of {sorted(BASELINES)}"
        raise ValueError(msg)
    return BASELINES[name]
