"""Lesson 1: each task alone against all together, with few or many observations."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vstg.baselines import solve_lasso, solve_pooled, solve_ridge
from vstg.data import Array, MultiTaskData
from vstg.data.designs import margins
from vstg.datasets import make_syn
from vstg.metrics import rmse_mean_over_tasks
from vstg.problem import Problem
from vstg.solvers import solve_vstg

METHODS = ("ridge", "lasso", "pooled", "vstg")
SIZES = (6, 10, 15, 25, 40, 70, 120)
STRENGTHS = {
    "ridge": (2.0**-5, 2.0**-3, 2.0**-1),
    "lasso": (2.0**-4, 2.0**-3, 2.0**-2, 2.0**-1),
    "pooled": (2.0**-3, 2.0**-1),
    "vstg": (2.0**-3, 2.0**-2, 2.0**-1, 1.0),
}
N_CHECK = 50  # further rows per task, which choose the strength
N_TEST = 150

Fit = Callable[[Problem, float], Array]


@dataclass(frozen=True, eq=False)
class Sharing:
    """Errors of each method by N, and the coefficients behind them."""

    sizes: tuple[int, ...]
    errors: dict[str, Array]
    W: dict[str, list[Array]]
    truth: Array
    noise: float

    def excess(self, method: str, size: int) -> float:
        """How far the error of a method lies above the noise at N = ``size``."""
        return float(self.errors[method][self.sizes.index(size)] - self.noise)


def sharing(number: int, noise: float, seed: int) -> Sharing:
    """Fit all methods at every N; each strength is chosen on ``N_CHECK`` other rows."""
    most = max(SIZES)
    syn = make_syn(
        number, n_train=most, n_test=N_CHECK + N_TEST, noise=noise, random_state=seed
    )
    check = _rows(syn.test, 0, N_CHECK)
    test = _rows(syn.test, N_CHECK, N_CHECK + N_TEST)
    errors: dict[str, list[float]] = {name: [] for name in METHODS}
    found: dict[str, list[Array]] = {name: [] for name in METHODS}
    for size in SIZES:
        part = _rows(syn.train, 0, size)
        problem = Problem.of(part, "squared", fit_intercept=False)
        for name, fit in methods(part, number).items():
            tried = [fit(problem, strength) for strength in STRENGTHS[name]]
            W = min(tried, key=lambda W: error(check, W))
            found[name].append(W)
            errors[name].append(error(test, W))
    curves = {name: np.array(values) for name, values in errors.items()}
    return Sharing(SIZES, curves, found, syn.W, noise)


def methods(data: MultiTaskData, number: int) -> dict[str, Fit]:
    """Each method as a function of the problem and one strength."""
    k = 2 if number in (2, 4) else 1

    def vstg(problem: Problem, strength: float) -> Array:
        return solve_vstg(
            data, n_latent=5, k=k, gamma1=strength, gamma2=strength / 8, tol=1e-2
        ).W

    return {
        "ridge": lambda problem, gamma: solve_ridge(problem, gamma1=gamma).W,
        "lasso": lambda problem, gamma: solve_lasso(problem, gamma1=gamma).W,
        "pooled": lambda problem, gamma: solve_pooled(problem, gamma1=gamma).W,
        "vstg": vstg,
    }


def error(data: MultiTaskData, W: Array) -> float:
    """Mean over tasks of the RMSE."""
    return rmse_mean_over_tasks(data.y, margins(data.X, W, np.zeros(data.n_tasks)))


def _rows(data: MultiTaskData, start: int, stop: int) -> MultiTaskData:
    return data.take([np.arange(start, stop)] * data.n_tasks)
