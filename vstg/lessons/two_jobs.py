"""Lesson 11: the penalty that chooses best shrinks too much; a refit does the rest."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from vstg.data import Array
from vstg.datasets import make_syn
from vstg.metrics import rmse_mean_over_tasks
from vstg.solvers import solve_vstg

STRENGTHS = tuple(2.0**e for e in range(-6, 3))
KINDS = ("shrunken", "refitted")
CUT = 0.1


@dataclass(frozen=True, eq=False)
class TwoJobs:
    """Errors and wrong entries along γ1, for the fit and for its refit."""

    strengths: tuple[float, ...]
    errors: dict[str, Array]
    wrong: dict[str, Array]
    size: Array
    noise: float

    def best(self, kind: str) -> int:
        """The place of the lowest test error."""
        return int(self.errors[kind].argmin())


def two_jobs(number: int, n_train: int, seed: int) -> TwoJobs:
    """Fit along γ1, once as eq. (6) says, once cut and without shrinkage."""
    syn = make_syn(number, n_train=n_train, n_test=200, random_state=seed)
    errors: dict[str, list[float]] = {kind: [] for kind in KINDS}
    wrong: dict[str, list[int]] = {kind: [] for kind in KINDS}
    size = []
    for strength in STRENGTHS:
        plain: dict[str, Any] = {"n_latent": 5, "k": 2 if number in (2, 4) else 1,
                 "gamma1": strength, "gamma2": strength / 8}  # fmt: skip
        for kind in KINDS:
            more: dict[str, Any] = (
                {"cut": CUT, "relax": 0.0} if kind == "refitted" else {}
            )
            fit = solve_vstg(syn.train, **plain, **more)
            errors[kind].append(
                rmse_mean_over_tasks(syn.test.y, fit.decision(syn.test))
            )
            wrong[kind].append(int(((fit.W != 0) != (syn.W != 0)).sum()))
            if kind == "shrunken":
                size.append(np.linalg.norm(fit.W) / np.linalg.norm(syn.W))
    return TwoJobs(
        STRENGTHS,
        {kind: np.array(values) for kind, values in errors.items()},
        {kind: np.array(values) for kind, values in wrong.items()},
        np.array(size),
        1.0,
    )
