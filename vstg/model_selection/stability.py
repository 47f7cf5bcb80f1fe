"""How stable a selection is: the same fit on many resamples."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd
from threadpoolctl import threadpool_limits

from vstg.data import Array, MultiTaskData
from vstg.data.selection import draw_by_name
from vstg.inspection import align_bases
from vstg.losses import Loss, get_loss
from vstg.model_selection.certainty import (
    ConsensusGroup,
    StabilityIndex,
    bound_in_words,
    consensus_groups,
    pair_bounds,
    stability_index,
    subsample_bound,
)
from vstg.model_selection.methods import vstg_settings
from vstg.model_selection.search import SEARCH_TOL
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers import VSTGResult, refitted, solve_problem

SCHEMES = ("subsample", "bootstrap", "pairs")
Pattern = npt.NDArray[np.bool_]


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
    selected : (B, D) which variables each resample selects
    reference : the fit on all data
    """

    variables: Array
    U: Array
    V: Array
    co_membership: Array
    sharing: Array
    n_selected: Array
    selected: Array
    reference: VSTGResult
    scheme: str
    n_resamples: int
    cancelled: bool

    def frame(self, feature_names: tuple[str, ...]) -> pd.DataFrame:
        """Variables with their frequency, most frequent first."""
        table = pd.DataFrame(
            {
                "variable": feature_names,
                "frequency": self.variables,
                "selected": self.reference.U.any(axis=1),
            }
        )
        return table.sort_values("frequency", ascending=False, kind="stable")

    def expected_false(self, threshold: float) -> float:
        """Bound on the false variables at or above ``threshold``."""
        return expected_false(
            self.n_selected, len(self.variables), self.scheme, threshold
        )

    @property
    def index(self) -> StabilityIndex:
        """One number for the whole selection: :func:`stability_index`."""
        return stability_index(self.selected)

    @property
    def groups(self) -> list[ConsensusGroup]:
        """The groups of tasks that the resamples agree on."""
        return consensus_groups(self.co_membership)

    def bounds(self, threshold: float) -> str:
        """A sentence on what is known about false variables, if anything."""
        if self.scheme == "pairs":
            known = pair_bounds(self.selected, threshold)
        else:
            known = [self.expected_false(threshold)]
        return bound_in_words(
            known, int((self.variables >= threshold).sum()), threshold
        )


def expected_false(
    n_selected: Array, n_features: int, scheme: str, threshold: float
) -> float:
    """:func:`subsample_bound`; NaN for a bootstrap, to which it does not apply."""
    if scheme not in ("subsample", "pairs"):
        return float("nan")
    return subsample_bound(float(n_selected.mean()), n_features, threshold)


@dataclass(frozen=True, eq=False)
class Selected:
    """What one resample selects: where U and V are not zero, bases aligned."""

    U: Pattern
    V: Pattern

    def task_pairs(self) -> tuple[Pattern, Pattern]:
        """(T, T) pairs of tasks with the same bases, and with one in common."""
        # A basis whose column of U is zero adds nothing to W, so no task uses it.
        used = (self.V & np.any(self.U, axis=0, keepdims=True).T).astype(float)
        shared = used.T @ used
        sizes = np.diag(shared)
        same = (shared == sizes[:, None]) & (shared == sizes[None, :]) & (sizes > 0)
        return same, shared > 0


class ResampleStorage(Protocol):
    """Keeps finished resamples, so that none is fitted twice.

    Resample ``number`` is the same whatever the number of resamples asked for.
    """

    def begin(self, reference: VSTGResult) -> None:
        """The fit on all data, before the first resample."""

    def load(self, number: int) -> Selected | None:
        """A resample that is already finished."""

    def save(self, number: int, selected: Selected) -> None:
        """Keep a finished resample."""


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
    storage: ResampleStorage | None = None,
    **setting: Any,
) -> Stability:
    """Fit VSTG-MTL on resamples of every task and count what is selected.

    Parameters
    ----------
    scheme : "subsample" (half of each task's rows without replacement), "bootstrap", or
        "pairs": complementary pairs, both halves of each of ``n_resamples / 2`` random
        splits, each fitted from the fit on all rows
    n_jobs : threads; the result does not depend on it
    callback : called with (resamples done, in all); a true answer ends there
    storage : keeps every finished resample and gives back those that it has
    setting : n_latent, k, gamma1, gamma2 and perhaps mu, cut and relax
    """
    check_options(scheme, n_resamples)
    loss, settings = get_loss(loss), vstg_settings(setting)

    def problem_of(part: MultiTaskData) -> Problem:
        return Problem.of(part, loss, fit_intercept=fit_intercept)

    whole = problem_of(data)
    fit = solve_problem(whole, settings.without_refit(), tol=tol)
    reference = refitted(fit, whole, settings, tol) if settings.is_refitted else fit
    paired = scheme == "pairs"
    seeds = np.random.SeedSequence(random_state).spawn(n_resamples)
    stop = Event()

    def run(number: int) -> Selected | None:
        if stop.is_set():
            return None
        # Both halves of a pair come from one draw.
        rng = np.random.default_rng(seeds[number // 2 if paired else number])
        part = resample(data, scheme, rng, loss, half=number % 2)
        init = fit if paired and fit.U.any() else None
        return select(problem_of(part), settings, tol, reference, init)

    found = finished(storage, reference, n_resamples)
    todo = [number for number in range(n_resamples) if number not in found]
    with threadpool_limits(1), ThreadPoolExecutor(n_jobs) as executor:
        for number, selected in zip(todo, executor.map(run, todo), strict=True):
            if selected is None:
                continue
            found[number] = selected
            if storage is not None:
                storage.save(number, selected)
            if callback is not None and callback(len(found), n_resamples):
                stop.set()
    return summarise(list(found.values()), reference, scheme, cancelled=stop.is_set())


def check_options(scheme: str, n_resamples: int) -> None:
    """Reject options that cannot be drawn."""
    if scheme not in SCHEMES:
        msg = f"scheme={scheme!r} is unknown; choose one of {list(SCHEMES)}"
        raise ValueError(msg)
    if n_resamples < 1:
        msg = f"n_resamples={n_resamples} must be at least 1"
        raise ValueError(msg)
    if scheme == "pairs" and n_resamples % 2:
        msg = f"n_resamples={n_resamples} must be even: each pair is two resamples"
        raise ValueError(msg)


def finished(
    storage: ResampleStorage | None, reference: VSTGResult, n_resamples: int
) -> dict[int, Selected]:
    """The resamples that need not be fitted, by number."""
    if storage is None:
        return {}
    storage.begin(reference)
    known = {number: storage.load(number) for number in range(n_resamples)}
    return {number: one for number, one in known.items() if one is not None}


def select(
    problem: Problem,
    settings: Settings,
    tol: float | None,
    reference: VSTGResult,
    init: VSTGResult | None = None,
) -> Selected:
    """Fit a resample; returns its patterns of zeros."""
    fit = solve_problem(problem, settings, tol=tol, init=init)
    aligned = align_bases(fit.U, fit.V, reference.U, reference.V)
    return Selected(aligned.U != 0, aligned.V != 0)


def frequencies(found: list[Selected]) -> dict[str, Array]:
    """Means over the resamples, by the names that :class:`Stability` gives them."""
    pairs = [one.task_pairs() for one in found]
    return {
        "variables": np.mean([one.U.any(axis=1) for one in found], axis=0),
        "U": np.mean([one.U for one in found], axis=0),
        "V": np.mean([one.V for one in found], axis=0),
        "co_membership": np.mean([same for same, _ in pairs], axis=0),
        "sharing": np.mean([shared for _, shared in pairs], axis=0),
        "n_selected": np.array([one.U.any(axis=1).sum() for one in found]),
        "selected": np.array([one.U.any(axis=1) for one in found]),
    }


def summarise(
    found: list[Selected], reference: VSTGResult, scheme: str, *, cancelled: bool
) -> Stability:
    """The frequencies over the resamples, with their origin."""
    return Stability(
        **frequencies(found),
        reference=reference,
        scheme=scheme,
        n_resamples=len(found),
        cancelled=cancelled,
    )


def resample(
    data: MultiTaskData,
    scheme: str,
    rng: np.random.Generator,
    loss: Loss,
    *,
    half: int = 0,
) -> MultiTaskData:
    """Rows drawn within each task (and class); a shared design stays shared."""
    if data.shared_X:
        labels = np.column_stack(data.y) if loss.is_classification else None
        rows = draw(len(data.y[0]), labels, scheme, rng, half)
        return data.take([rows] * data.n_tasks)

    def draw_task(j: int) -> np.ndarray:
        labels = data.y[j][:, None] if loss.is_classification else None
        return draw(len(data.y[j]), labels, scheme, rng, half)

    return data.take(draw_by_name(data.task_names, draw_task))


def draw(
    n_rows: int,
    labels: Array | None,
    scheme: str,
    rng: np.random.Generator,
    half: int = 0,
) -> np.ndarray:
    """Row numbers of one resample; every class keeps at least one row."""
    strata = [np.arange(n_rows)]
    if labels is not None:
        codes = np.unique(labels, axis=0, return_inverse=True)[1].ravel()
        strata = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
    return np.sort(np.concatenate([_drawn(r, scheme, rng, half) for r in strata]))


def _drawn(
    rows: np.ndarray, scheme: str, rng: np.random.Generator, half: int
) -> np.ndarray:
    if scheme == "bootstrap":
        return rng.choice(rows, size=len(rows))
    if scheme == "subsample":
        return rng.choice(rows, size=(len(rows) + 1) // 2, replace=False)
    order = rng.permutation(rows)
    middle = (len(rows) + int(rng.integers(2))) // 2  # which half an odd row joins
    part = order[:middle] if half == 0 else order[middle:]
    return part if len(part) else order  # a lone row is in both halves
