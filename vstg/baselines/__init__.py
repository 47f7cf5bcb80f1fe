"""Methods to compare with, each a function from data to a result."""

from vstg.baselines.clustered import solve_clustered
from vstg.baselines.dirty import solve_dirty
from vstg.baselines.go_mtl import solve_go_mtl
from vstg.baselines.interface import BaselineCallback, BaselineProgress, BaselineResult
from vstg.baselines.l1_trace import solve_l1_trace
from vstg.baselines.l21 import solve_l21
from vstg.baselines.lasso import solve_lasso
from vstg.baselines.mmtfl import solve_mmtfl
from vstg.baselines.pretrained import solve_pretrained
from vstg.baselines.registry import BASELINES, Baseline, get_baseline
from vstg.baselines.ridge import solve_pooled, solve_ridge

__all__ = [
    "BASELINES",
    "Baseline",
    "BaselineCallback",
    "BaselineProgress",
    "BaselineResult",
    "get_baseline",
    "solve_clustered",
    "solve_dirty",
    "solve_go_mtl",
    "solve_l1_trace",
    "solve_l21",
    "solve_lasso",
    "solve_mmtfl",
    "solve_pooled",
    "solve_pretrained",
    "solve_ridge",
]
