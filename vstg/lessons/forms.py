"""Lesson 10: the same W from other factors."""

from typing import Any, get_args

import numpy as np

from vstg.data import Array, Factors
from vstg.datasets import make_syn
from vstg.inspection import refactored
from vstg.inspection.factorisations import Form
from vstg.solvers import solve_vstg

SETTINGS: dict[str, Any] = {
    "n_latent": 5, "k": 2, "gamma1": 0.25, "gamma2": 2.0**-5, "cut": 0.1, "relax": 0.0
}  # fmt: skip


ROUNDING = 1e-12  # of the largest entry: a product of mixed factors has no exact zeros


class WrittenForm(Factors):
    """One way to write W."""

    @property
    def W(self) -> Array:
        """The product; an entry that is only rounding is zero."""
        W = self.U @ self.V
        return np.where(np.abs(W) > ROUNDING * np.abs(W).max(), W, 0.0)

    @property
    def n_nonzero(self) -> int:
        """Entries of U and V that are not zero."""
        return int(np.count_nonzero(self.U) + np.count_nonzero(self.V))


def forms(number: int, seed: int) -> dict[str, WrittenForm]:
    """A fit, its W in the other sparse forms, and mixed by a random matrix."""
    data = make_syn(number, n_train=50, n_test=1, random_state=seed).train
    fit = solve_vstg(data, **SETTINGS)
    used = fit.U.any(axis=0) & fit.V.any(axis=1)
    U, V = fit.U[:, used], fit.V[used]
    found = {"fitted": WrittenForm(U, V)}
    for form in get_args(Form):
        found[form] = WrittenForm(*refactored(U, V, form))
    R = np.random.default_rng(seed).normal(size=(len(V), len(V)))
    found["mixed"] = WrittenForm(U @ R, np.asarray(np.linalg.inv(R) @ V, float))
    return found
