"""Validation error along one setting while the others are held: a curve per slider.

A curve is a small search: its fits are cells of ``search_grid`` on the same part. It is
meant to be quick rather than exact, so that it can be drawn while somebody looks at a
fit: one part of the rows is held out, neighbouring values start from each other.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from vstg.data import Dataset
from vstg.losses import get_loss
from vstg.model_selection.evaluation import Part, measures_of, walk
from vstg.model_selection.folds import TaskKFold
from vstg.model_selection.grid import AFTER, Chain
from vstg.model_selection.methods import get_method
from vstg.model_selection.runners import make_all_parts
from vstg.model_selection.search import SEARCH_TOL
from vstg.objective import Settings

CURVE_PARAMETERS = ("n_latent", "k", "gamma1", "gamma2", "mu", "cut")
N_SPLITS = 5  # one fifth of the rows is held out where there is no validation set
TIE = 1e-4  # relative: errors closer than the fits' tolerance are equal


@dataclass(frozen=True, eq=False)
class ValidationPart:
    """Rows that no fit sees: the part of a search, and what is measured on it."""

    part: Part
    measure: str

    @classmethod
    def of(cls, data: Dataset) -> "ValidationPart":
        """The validation set of some data, or else one fifth of the training rows."""
        loss = get_loss(data.loss)
        cv = data.validation or TaskKFold(N_SPLITS)
        parts = make_all_parts(data.train, loss, cv, fit_intercept=data.fit_intercept)
        return cls(parts[0], measures_of(loss)[0])


@dataclass(frozen=True)
class Curve:
    """Errors on held-out rows at increasing values of one setting."""

    parameter: str
    values: tuple[float, ...]
    errors: tuple[float, ...]

    def at(self, value: float) -> float:
        """The error at one of the values."""
        return self.errors[self.values.index(value)]

    def least(self, now: float) -> float:
        """The value of least error; of several, the nearest to ``now`` in order."""
        bound = min(self.errors) * (1 + TIE)
        places = [n for n, error in enumerate(self.errors) if error <= bound]
        here = int(np.searchsorted(self.values, now))
        return self.values[min(places, key=lambda n: abs(n - here))]


def at_value(
    settings: Settings, parameter: str, value: float, *, tied: bool
) -> Settings:
    """The settings with another value of one of them.

    ``tied`` lets μ follow γ1. A K below k lowers k as well.
    """
    changed: dict[str, Any] = {parameter: value}
    if parameter == "gamma1" and tied:
        changed["mu"] = value
    if parameter == "n_latent":
        changed["k"] = min(settings.k, int(value))
    return replace(settings, **changed)


def error_curve(
    held_out: ValidationPart,
    settings: Settings,
    parameter: str,
    values: Sequence[float],
    *,
    tied: bool = False,
    tol: float | None = SEARCH_TOL,
    stopped: Callable[[], bool] = lambda: False,
) -> Curve | None:
    """The validation error at every value of one setting, the others held.

    Parameters
    ----------
    parameter : one of ``CURVE_PARAMETERS``
    values : of that setting; a k above K is left out
    tied : whether μ is equal to γ1 wherever γ1 goes
    stopped : asked before every fit; a true answer gives no curve
    """
    if parameter not in CURVE_PARAMETERS:
        msg = f"parameter={parameter!r} must be one of {list(CURVE_PARAMETERS)}"
        raise ValueError(msg)
    ordered = sorted({*values})
    if parameter == "k":
        ordered = [value for value in ordered if value <= settings.n_latent]
    found: list[float] = []
    for chain in curve_chains(settings, parameter, ordered, tied=tied):
        rows = walk(get_method("vstg"), chain, held_out.part, tol, stopped)
        if len(rows) < len(chain):
            return None
        found += [row[held_out.measure] for row in rows]
    if parameter == "k":
        found.reverse()
    return Curve(parameter, tuple(ordered), tuple(found))


def curve_chains(
    settings: Settings, parameter: str, values: Sequence[float], *, tied: bool
) -> list[Chain]:
    """The fits of a curve, weak penalties first: what became zero does not return.

    Fits with different K cannot start from each other, and one fit serves all cuts.
    """
    if parameter == "cut":
        every = tuple(_after(replace(settings, cut=value)) for value in values)
        return [_chain(settings, "gamma2", (settings.gamma2,), every)]
    if parameter == "n_latent":
        return [
            _chain(one, "n_latent", (one.n_latent,), (_after(one),))
            for one in (at_value(settings, "n_latent", v, tied=tied) for v in values)
        ]
    if parameter == "k":
        values = values[::-1]  # the penalty of a larger k is weaker
    free = ("mu",) if parameter == "gamma1" and tied else ()
    return [_chain(settings, parameter, tuple(values), (_after(settings),), free)]


def _after(settings: Settings) -> tuple[tuple[str, Any], ...]:
    return ("cut", settings.cut), ("relax", settings.relax)


def _chain(
    settings: Settings,
    parameter: str,
    values: tuple[Any, ...],
    after: tuple[tuple[tuple[str, Any], ...], ...],
    free: tuple[str, ...] = (),
) -> Chain:
    """A chain along a parameter; ``free`` settings follow the others."""
    moving = {parameter, *free, *AFTER}
    fixed = tuple((n, v) for n, v in asdict(settings).items() if n not in moving)
    return Chain(fixed, parameter, values, (after,) * len(values))
