"""The methods a search can run, behind one interface."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from vstg.baselines import BASELINES
from vstg.data import Array
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers import VSTGResult, cut_factors, refitted, solve_problem
from vstg.solvers.screening import zero_is_optimal

Setting = Mapping[str, Any]


class Fitted(Protocol):
    """What a search reads off a fit."""

    @property
    def W(self) -> Array:
        """(D, T)."""

    @property
    def intercept(self) -> Array:
        """(T,)."""

    @property
    def objective(self) -> float:
        """What was minimised."""

    @property
    def n_iter(self) -> int:
        """Outer iterations."""

    @property
    def converged(self) -> bool:
        """Whether the stopping rule was met."""


def _never(problem: Problem, setting: Setting) -> bool:
    return False


@dataclass(frozen=True)
class Method:
    """A method with its parameters and how a search goes through them.

    Attributes
    ----------
    parameters : names in a setting; along the last one fits are warm-started
    fit : (problem, setting, init, tol) → fit; ``init`` is a neighbouring fit or None
    is_zero : whether the fit is known to be zero, so that it may be skipped
    refits : (problem, fit, tol) → what gives the fit after the cut and refit of a
        setting; None if the method has none
    needs_k : whether k ≤ n_latent restricts the grid
    """

    name: str
    label: str
    parameters: tuple[str, ...]
    fit: Callable[[Problem, Setting, Any, float | None], Fitted]
    is_zero: Callable[[Problem, Setting], bool] = _never
    needs_k: bool = False
    refits: Callable[[Problem, Any, float | None], "Refits"] | None = None


def vstg_settings(setting: Setting) -> Settings:
    """A row of the grid as checked settings; ``mu`` may be left out."""
    return Settings.checked(**{"mu": None, **setting})


def fit_vstg(
    problem: Problem, setting: Setting, init: Any, tol: float | None
) -> Fitted:
    """VSTG-MTL by the fast solver."""
    return solve_problem(problem, vstg_settings(setting), init=init, tol=tol)


def vstg_is_zero(problem: Problem, setting: Setting) -> bool:
    """The bound of :func:`vstg.solvers.screening.zero_is_optimal`."""
    return zero_is_optimal(problem, vstg_settings(setting))


class Refits:
    """The cuts and refits that follow one fit of VSTG-MTL.

    Cuts that leave the same support share their refit.
    """

    def __init__(self, problem: Problem, fit: VSTGResult, tol: float | None) -> None:
        self.problem, self.fit, self.tol = problem, fit, tol
        self.known: dict[tuple[bytes, bytes, float], VSTGResult] = {}

    def at(self, setting: Setting) -> VSTGResult:
        """The fit after the cut and the refit of ``setting``."""
        settings = vstg_settings(setting)
        if not settings.is_refitted:
            return self.fit
        U, V = cut_factors(self.fit.U, self.fit.V, settings.cut)
        key = (U != 0).tobytes(), (V != 0).tobytes(), settings.relax
        if key not in self.known:
            self.known[key] = refitted(self.fit, self.problem, settings, self.tol)
        return self.known[key]


def _baseline(name: str) -> Method:
    solve = BASELINES[name].solve

    def fit(problem: Problem, setting: Setting, init: Any, tol: float | None) -> Fitted:
        stopping = {} if tol is None else {"tol": tol}
        return solve(problem, init=init, **setting, **stopping)

    baseline = BASELINES[name]
    return Method(name, baseline.label, baseline.parameters, fit)


def _vstg(name: str, label: str, parameters: tuple[str, ...]) -> Method:
    return Method(
        name, label, parameters, fit_vstg, vstg_is_zero, needs_k=True, refits=Refits
    )


METHODS: dict[str, Method] = {
    "vstg": _vstg("vstg", "VSTG-MTL", ("n_latent", "k", "gamma1", "gamma2")),
    # The same fits; a cut and a refit of each are chosen with the rest.
    "vstg_refitted": _vstg(
        "vstg_refitted",
        "VSTG-MTL, refitted",
        ("n_latent", "k", "cut", "relax", "gamma1", "gamma2"),
    ),
    **{name: _baseline(name) for name in BASELINES},
}


def get_method(name: str | Method) -> Method:
    """A method by its name; a method object passes through."""
    if isinstance(name, Method):
        return name
    if name not in METHODS:
        msg = f"method {name!r} is unknown; choose one of {list(METHODS)}"
        raise ValueError(msg)
    return METHODS[name]


@dataclass(frozen=True, eq=False)
class ZeroFit:
    """A fit known to be zero without solving."""

    W: Array
    intercept: Array
    objective: float
    n_iter: int = 0
    converged: bool = True

    @classmethod
    def of(cls, problem: Problem) -> "ZeroFit":
        """Zero coefficients with the best intercepts."""
        W = np.zeros((problem.n_features, problem.n_tasks))
        b = problem.start_intercept()
        return cls(W, b, problem.evaluate(W, b)[0])
