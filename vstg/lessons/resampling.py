"""Lesson 12: the fit repeated on random halves of the rows, one after another."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from vstg.data import Array
from vstg.datasets import make_syn
from vstg.solvers import solve_vstg

N_HALVES = 24
SETTINGS: dict[str, Any] = {
    "n_latent": 5, "k": 1, "gamma1": 0.5, "gamma2": 0.5, "cut": 0.1, "relax": 0.0
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Resampling:
    """What each half selects, and what all rows select."""

    selected: Array  # (halves, variables), 0 or 1
    whole: Array
    relevant: Array

    def share(self, count: int) -> Array:
        """How often each variable was selected in the first ``count`` halves."""
        return np.asarray(self.selected[:count].mean(axis=0))

    def among(self, low: float, high: float) -> int:
        """Variables that the whole fit selects and that many of the halves do."""
        share = self.share(len(self.selected))
        return int(((self.whole > 0) & (share >= low) & (share <= high)).sum())


def resampling(number: int, n_train: int, seed: int) -> Resampling:
    """Fit all rows, then ``N_HALVES`` random halves of every task's rows."""
    syn = make_syn(number, n_train=n_train, n_test=1, random_state=seed)
    rng = np.random.default_rng(seed)
    chosen = []
    for _ in range(N_HALVES):
        rows = [rng.permutation(n_train)[: n_train // 2] for _ in range(len(syn.W.T))]
        chosen.append(_selected(syn.train.take(rows)))
    relevant = (syn.W != 0).any(axis=1).astype(float)
    return Resampling(np.array(chosen), _selected(syn.train), relevant)


def _selected(data: Any) -> Array:
    W = solve_vstg(data, **SETTINGS).W
    return np.asarray((W != 0).any(axis=1), dtype=float)
