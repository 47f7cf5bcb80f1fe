"""How sure a selection is: the same fit on many subsamples."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event
from typing import Any

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from vstg.data import Array, MultiTaskData
from vstg.inspection import align_bases, task_support
from vstg.losses import Loss, get_loss
from vstg.model_selection.methods import vstg_settings
from vstg.model_selection.search import SEARCH_TOL
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers import VSTGResult, solve_problem

SCHEMES = ("subsample", "bootstrap")


@dataclass(frozen=True, eq=False)
class Stability:
    """Frequencies over the resamples.

    Attributes
    ----------
    variables : (D,) how often a variable is selected
    U, V : (D, K), (K, T) how often an entry is not zero, bases aligned to ``reference``
    co_membership : (T, T) how often two tasks have the same bases
    sharing : (T, T) how often two tasks share at least one basis
    n_selected : (B,) variables selected in each resample
    reference : the fit on all data
    """

    variables: Array
    U: Array
    V: Array
    co_membership: Array
    sharing: Array
    n_selected: Array
    reference: VSTGResult
    scheme: str
    n_resamples: int
    cancelled: bool

    def frame(self, feature_names: tuple[str, ...]) -> pd.DataFrame:
        """Variables with their frequency, surest first."""
        table = pd.DataFrame(
            {
                "variable": feature_names,
                "frequency": self.variables,
                "selected": self.reference.U.any(axis=1),
            }
        )
        return table.sort_values("frequency", ascending=False, kind="stable")

    def expected_false(self, threshold: float) -> float:
        """Bound on the false variables among the sure ones: :func:`expected_false`."""
        return expected_false(
            self.n_selected, len(self.variables), self.scheme, threshold
        )


def expected_false(
    n_selected: Array, n_features: int, scheme: str, threshold: float
) -> float:
    r"""Bound on the expected number of false variables at or above ``threshold``.

    Meinshausen and Bühlmann (2010): :math:`q^2 / ((2\pi - 1) D)`, q the mean number
    selected in a subsample of half the data. It holds for subsamples and
    :math:`\pi > 1/2`, if false variables are exchangeable and no worse than
    guessing; NaN where it does not apply.
    """
    if scheme != "subsample" or not 0.5 < threshold <= 1.0:
        return float("nan")
    q = float(n_selected.mean())
    return q**2 / ((2 * threshold - 1) * n_features)


def stability(
    data: MultiTaskData,
    *,
    loss: str | Loss = "squared",
    fit_intercept: bool = False,
    n_resamples: int = 100,
    scheme: str = "subsample",
    random_state: int = 0,
    tol: float | None = SEARCH_TOL,
    n_jobs: int = 1,
    callback: Callable[[int, int], bool | None] | None = None,
    **setting: Any,
) -> Stability:
    """Fit VSTG-MTL on resamples of every task and count what is selected.

    Parameters
    ----------
    scheme : "subsample" (half of each task's rows without replacement) or "bootstrap"
    n_jobs : threads; the result does not depend on it
    callback : called with (resamples done, in all); a true answer ends there
    setting : n_latent, k, gamma1, gamma2 and perhaps mu
    """
    if scheme not in SCHEMES:
        msg = f"scheme={scheme!r} is unknown; choose one of {list(SCHEMES)}"
        raise ValueError(msg)
    if n_resamples < 1:
        msg = f"n_resamples={n_resamples} must be at least 1"
        raise ValueError(msg)
    loss, settings = get_loss(loss), vstg_settings(setting)
    whole = Problem.of(data, loss, fit_intercept=fit_intercept)
    reference = solve_problem(whole, settings, tol=tol)
    seeds = np.random.SeedSequence(random_state).spawn(n_resamples)
    stop = Event()

    def run(seed: np.random.SeedSequence) -> "Counts | None":
        if stop.is_set():
            return None
        part = resample(data, scheme, np.random.default_rng(seed), loss)
        problem = Problem.of(
            part, loss, fit_intercept=fit_intercept, allow_constant=loss.is_quadratic
        )
        return count(problem, settings, tol, reference)

    found: list[Counts] = []
    with threadpool_limits(1), ThreadPoolExecutor(n_jobs) as executor:
        for counts in executor.map(run, seeds):
            if counts is None:
                continue
            found.append(counts)
            if callback is not None and callback(len(found), n_resamples):
                stop.set()
    return summarise(found, reference, scheme, cancelled=stop.is_set())


@dataclass(frozen=True, eq=False)
class Counts:
    """What one resample selects."""

    U: Array
    V: Array
    co_membership: Array
    sharing: Array


def count(
    problem: Problem, settings: Settings, tol: float | None, reference: VSTGResult
) -> Counts:
    """Fit a resample and read off its patterns."""
    fit = solve_problem(problem, settings, tol=tol)
    aligned = align_bases(fit.U, fit.V, reference.U, reference.V)
    patterns = task_support(fit.V, U=fit.U).astype(float)
    shared = patterns.T @ patterns
    sizes = np.diag(shared)
    same = (shared == sizes[:, None]) & (shared == sizes[None, :]) & (sizes > 0)
    U, V = (aligned.U != 0).astype(float), (aligned.V != 0).astype(float)
    return Counts(U, V, same.astype(float), (shared > 0).astype(float))


def summarise(
    found: list[Counts], reference: VSTGResult, scheme: str, *, cancelled: bool
) -> Stability:
    """Means over the resamples."""
    return Stability(
        variables=np.mean([c.U.any(axis=1) for c in found], axis=0),
        U=np.mean([c.U for c in found], axis=0),
        V=np.mean([c.V for c in found], axis=0),
        co_membership=np.mean([c.co_membership for c in found], axis=0),
        sharing=np.mean([c.sharing for c in found], axis=0),
        n_selected=np.array([c.U.any(axis=1).sum() for c in found]),
        reference=reference,
        scheme=scheme,
        n_resamples=len(found),
        cancelled=cancelled,
    )


def resample(
    data: MultiTaskData, scheme: str, rng: np.random.Generator, loss: Loss
) -> MultiTaskData:
    """Rows drawn within each task (and class); a shared design keeps being shared."""
    if data.shared_X:
        labels = np.column_stack(data.y) if loss.is_classification else None
        rows = draw(len(data.y[0]), labels, scheme, rng)
        return data.take([rows] * data.n_tasks)
    return data.take(
        [
            draw(len(y), y[:, None] if loss.is_classification else None, scheme, rng)
            for y in data.y
        ]
    )


def draw(
    n_rows: int, labels: Array | None, scheme: str, rng: np.random.Generator
) -> np.ndarray:
    """Row numbers of one resample; every class keeps at least one row."""
    strata = [np.arange(n_rows)]
    if labels is not None:
        codes = np.unique(labels, axis=0, return_inverse=True)[1].ravel()
        strata = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
    drawn = [
        rng.choice(rows, size=len(rows))
        if scheme == "bootstrap"
        else rng.choice(rows, size=(len(rows) + 1) // 2, replace=False)
        for rows in strata
    ]
    return np.sort(np.concatenate(drawn))
