"""Regularisation paths: one parameter varies, the others are fixed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from vstg.data import MultiTaskData
from vstg.losses import Loss
from vstg.model_selection.grid import PAPER_STRENGTHS
from vstg.model_selection.methods import vstg_settings
from vstg.problem import Problem
from vstg.solvers import VSTGResult, refitted, solve_problem

PATH_PARAMETERS = ("gamma1", "gamma2", "mu")


@dataclass(frozen=True, eq=False)
class Path:
    """Fits along increasing values of one parameter, for a slider."""

    parameter: str
    values: tuple[float, ...]
    results: tuple[VSTGResult, ...]

    def at(self, value: float) -> VSTGResult:
        """The fit whose value is nearest on a logarithmic scale."""
        ratios = np.abs(np.log(np.asarray(self.values) / value))
        return self.results[int(ratios.argmin())]

    def frame(self) -> pd.DataFrame:
        """One row per value: objective, sparsity of U and V, variables, iterations."""
        rows = [
            {
                self.parameter: value,
                "objective": result.objective,
                "n_variables": int(result.U.any(axis=1).sum()),
                "n_bases": int((result.U.any(axis=0) & result.V.any(axis=1)).sum()),
                "nonzero_U": int((result.U != 0).sum()),
                "nonzero_V": int((result.V != 0).sum()),
                "n_iter": result.n_iter,
                "converged": result.converged,
            }
            for value, result in zip(self.values, self.results, strict=True)
        ]
        return pd.DataFrame(rows)


def regularisation_path(
    data: MultiTaskData,
    parameter: str = "gamma2",
    values: Sequence[float] = PAPER_STRENGTHS,
    *,
    loss: str | Loss = "squared",
    fit_intercept: bool = False,
    tol: float | None = None,
    callback: Callable[[int, int], bool | None] | None = None,
    **setting: Any,
) -> Path:
    """Fit VSTG-MTL along ``parameter``, each fit started from the previous one.

    Parameters
    ----------
    parameter : "gamma1", "gamma2" or "mu"; along gamma1, mu is equal to it unless given
    values : fitted from weak to strong, whatever their order
    setting : the other parameters of :func:`vstg.solve_vstg`
    callback : called with (fits done, fits in all); a true answer ends the path
    """
    if parameter not in PATH_PARAMETERS:
        msg = f"parameter={parameter!r} must be one of {list(PATH_PARAMETERS)}"
        raise ValueError(msg)
    ordered = tuple(sorted(float(value) for value in values))
    if not ordered or ordered[0] <= 0:
        msg = f"values={list(values)} must be positive numbers, at least one"
        raise ValueError(msg)
    defaults = {"n_latent": 5, "k": 3, "gamma1": 2**-5, "gamma2": 2**-5}
    problem = Problem.of(data, loss, fit_intercept=fit_intercept)
    results: list[VSTGResult] = []
    before: VSTGResult | None = None
    for value in ordered:
        chosen = vstg_settings(defaults | setting | {parameter: value})
        fit = solve_problem(problem, chosen.without_refit(), init=before, tol=tol)
        before = fit if fit.U.any() else None
        results.append(
            refitted(fit, problem, chosen, tol) if chosen.is_refitted else fit
        )
        if callback is not None and callback(len(results), len(ordered)):
            break
    return Path(parameter, ordered[: len(results)], tuple(results))
