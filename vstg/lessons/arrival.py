"""Lesson 13: a task that was not in the fit, with a few rows of its own."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from vstg.baselines import solve_pooled, solve_ridge
from vstg.data import Array
from vstg.datasets import make_syn
from vstg.solvers import fit_task, solve_vstg

ROWS = (2, 5, 10, 20, 40)
METHODS = ("bases", "alone", "pooled")
RIDGE = tuple(2.0**e for e in (-5, -3, -1, 0))


@dataclass(frozen=True, eq=False)
class Arrival:
    """Errors of the new task by its number of rows, averaged over all tasks."""

    rows: tuple[int, ...]
    errors: dict[str, Array]
    noise: float


def arrival(number: int, seed: int) -> Arrival:
    """Leave every fourth task out in turn; it comes back with a few of its rows.

    The strength of the ridge is the best on the test rows: more than it could know.
    """
    syn = make_syn(number, n_train=50, n_test=200, random_state=seed)
    train = syn.train
    found: dict[str, list[list[float]]] = {name: [] for name in METHODS}
    settings: dict[str, Any] = {
        "n_latent": 5,
        "k": 1,
        "gamma1": 0.25,
        "gamma2": 2.0**-5,
    }
    for j in range(0, train.n_tasks, 4):
        known = train.subset(tasks=[i for i in range(train.n_tasks) if i != j])
        fit = solve_vstg(known, **settings)
        pooled = solve_pooled(known, gamma1=0.5).W[:, 0]
        X, y = np.asarray(syn.test.X[j]), syn.test.y[j]
        curves: dict[str, list[float]] = {name: [] for name in METHODS}
        for n in ROWS:
            few = train.subset(tasks=[j]).take([np.arange(n)])
            tried = [solve_ridge(few, gamma1=g).W[:, 0] for g in RIDGE]
            own = {
                "bases": fit_task(fit, few.X[0], few.y[0]).w,
                "alone": min(tried, key=lambda w: _error(X, y, w)),
                "pooled": pooled,
            }
            for name, w in own.items():
                curves[name].append(_error(X, y, w))
        for name in METHODS:
            found[name].append(curves[name])
    means = {name: np.mean(found[name], axis=0) for name in METHODS}
    return Arrival(ROWS, means, 1.0)


def _error(X: Array, y: Array, w: Array) -> float:
    return float(np.sqrt(np.mean((y - X @ w) ** 2)))
