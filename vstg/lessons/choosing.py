"""Lesson 7: a path along one parameter, with its cross-validation error."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from vstg.data import Array
from vstg.datasets import SyntheticDataset, make_syn
from vstg.metrics import relative_estimation_error, rmse_mean_over_tasks
from vstg.model_selection import TaskKFold, regularisation_path, search_grid
from vstg.solvers import VSTGResult, solve_vstg

STRENGTHS = tuple(2.0**e for e in range(-9, 4))
COUNTS = {"n_latent": tuple(range(1, 9)), "k": tuple(range(1, 6))}
PARAMETERS = ("gamma1", "gamma2", "n_latent", "k")
BASE: dict[str, Any] = {"n_latent": 5, "k": 2, "gamma1": 2.0**-2, "gamma2": 2.0**-4}
N_FOLDS = 5


@dataclass(frozen=True, eq=False)
class Choosing:
    """Fits along one parameter and their errors."""

    parameter: str
    values: tuple[float, ...]
    fits: tuple[VSTGResult, ...]
    cv_error: Array
    cv_se: Array
    train_error: Array
    truth_error: Array
    best: int
    one_se: int
    truth: SyntheticDataset

    @property
    def n_variables(self) -> Array:
        """Selected variables of each fit."""
        return np.array([fit.U.any(axis=1).sum() for fit in self.fits])


def choosing(parameter: str, number: int, n_train: int, seed: int) -> Choosing:
    """Vary ``parameter`` with the others at ``BASE``; evaluate with five folds."""
    syn = make_syn(number, n_train=n_train, n_test=1, random_state=seed)
    values = path_values(parameter)
    fits = path_fits(syn, parameter, values)
    grid = {name: [value] for name, value in base(parameter).items()}
    search = search_grid(
        syn.train, "vstg", grid | {parameter: list(values)}, TaskKFold(N_FOLDS)
    )
    table = search.summary().set_index(parameter).loc[list(values)]
    return Choosing(
        parameter,
        values,
        fits,
        table["error"].to_numpy(),
        table["se"].to_numpy(),
        np.array([_train_error(syn, fit) for fit in fits]),
        np.array([relative_estimation_error(syn.W, fit.W) for fit in fits]),
        values.index(search.best[parameter]),
        values.index(search.one_se[parameter]),
        syn,
    )


def base(parameter: str) -> dict[str, Any]:
    """The other parameters: k stays at 1 on the way over K, which begins at 1."""
    rest = {name: value for name, value in BASE.items() if name != parameter}
    if parameter == "n_latent":
        rest["k"] = 1
    return rest


def path_values(parameter: str) -> tuple[float, ...]:
    """The stops of the path, from flexible to strict for the strengths."""
    return STRENGTHS if parameter in ("gamma1", "gamma2") else COUNTS[parameter]


def path_fits(
    syn: SyntheticDataset, parameter: str, values: tuple[float, ...]
) -> tuple[VSTGResult, ...]:
    """Warm-started along a strength, one by one along a count."""
    rest = base(parameter)
    if parameter in ("gamma1", "gamma2"):
        return regularisation_path(syn.train, parameter, values, **rest).results
    return tuple(
        solve_vstg(syn.train, **{**rest, parameter: int(value)}) for value in values
    )


def _train_error(syn: SyntheticDataset, fit: VSTGResult) -> float:
    return rmse_mean_over_tasks(syn.train.y, fit.decision(syn.train))
