"""Lesson 9: four ways to fail, and what stability shows of them."""

from dataclasses import dataclass

import numpy as np

from vstg.baselines import solve_ridge
from vstg.data import Array, MultiTaskData
from vstg.data.designs import margins
from vstg.metrics import rmse_mean_over_tasks
from vstg.model_selection import Stability, stability
from vstg.solvers import VSTGResult

CASES = ("healthy", "unrelated", "singles", "collinear", "tiny")
D, T, K = 20, 15, 5
N_RESAMPLES = 24
RIDGE = tuple(2.0**e for e in (-5, -3, -1, 0))


@dataclass(frozen=True, eq=False)
class Case:
    """A problem, its fit, and how stable the fit is under resampling."""

    name: str
    W_true: Array
    fit: VSTGResult
    stability: Stability
    error: float
    alone: float

    @property
    def kept(self) -> Array:
        """How often each variable is selected."""
        return self.stability.variables

    @property
    def certainty_variables(self) -> float:
        """Mean of |2f − 1|: 1 if all subsamples agree, 0 if by the toss of a coin."""
        return float(np.abs(2 * self.stability.variables - 1).mean())


def truth(name: str, rng: np.random.Generator) -> Array:
    """Coefficients: blocks of three tasks with three variables, unless it must fail."""
    W = np.zeros((D, T))
    if name == "unrelated":  # every task has variables of its own choice
        for j in range(T):
            W[rng.choice(D, size=4, replace=False), j] = rng.normal(0.0, 1.2, size=4)
        return W
    per_group = 1 if name == "singles" else T // K
    for group in range(T // per_group):
        first = (group * 3) % 15
        tasks = slice(group * per_group, (group + 1) * per_group)
        weights = rng.normal(1.0, 0.25, size=(3, 1))
        if name == "singles":  # signs differ from task to task: nothing to borrow
            weights = weights * rng.choice([-1.0, 1.0], size=(3, 1))
        W[first : first + 3, tasks] = weights * rng.uniform(1.0, 1.5, size=per_group)
    return W


def draw(name: str, W: Array, n: int, rng: np.random.Generator) -> MultiTaskData:
    """Normal designs; in "collinear" variables 3 to 14 copy one of the first three."""
    X, y = [], []
    for w in W.T:
        rows = rng.standard_normal((n, D))
        if name == "collinear":
            for i in range(3, 15):
                rows[:, i] = 0.98 * rows[:, i % 3] + 0.2 * rows[:, i]
        X.append(rows)
        y.append(rows @ w + rng.standard_normal(n))
    return MultiTaskData(X, y)


def failure(name: str, seed: int, n_train: int = 40) -> Case:
    """Fit one of :data:`CASES`; "tiny" has six observations per task."""
    rng = np.random.default_rng([seed, CASES.index(name)])
    W = truth(name, rng)
    train = draw(name, W, 6 if name == "tiny" else n_train, rng)
    test = draw(name, W, 200, rng)
    found = stability(
        train, n_resamples=N_RESAMPLES, random_state=seed,
        n_latent=K, k=1, gamma1=0.5, gamma2=0.5,
    )  # fmt: skip
    fit = found.reference
    alone = [solve_ridge(train, gamma1=gamma).W for gamma in RIDGE]
    return Case(
        name, W, fit, found, _error(test, fit.W), min(_error(test, w) for w in alone)
    )


def _error(data: MultiTaskData, W: Array) -> float:
    return rmse_mean_over_tasks(data.y, margins(data.X, W, np.zeros(data.n_tasks)))
