"""Lesson 8: the three terms of Theorem 1, and the true excess error."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vstg.data import Array
from vstg.datasets import make_syn
from vstg.solvers import solve_vstg
from vstg.theory import RiskBound, excess_risk_bound

AXES = ("N", "T", "K", "alpha1", "beta")
ALONG = {
    "N": (10, 15, 20, 30, 50, 75, 100, 150, 200),
    "T": (5, 10, 15, 20, 30, 40, 60, 80),
    "K": (1, 2, 3, 4, 5, 6, 8, 10),
}
FACTORS = tuple(float(f) for f in np.geomspace(1 / 32, 2, 25))
TERMS = ("representation", "weights", "confidence")


@dataclass(frozen=True)
class Setting:
    """A model on Syn1: observations, tasks, bases, and the scale s of (sU, V/s).

    Without a scale, s is such that α1² = K: the theorem applies with the least bound.
    """

    N: int = 50
    T: int = 20
    K: int = 5
    scale: float | None = None
    seed: int = 0


@dataclass(frozen=True, eq=False)
class MeasuredBound:
    """The bound of one fitted model and its true excess error."""

    bound: RiskBound
    excess: float


@dataclass(frozen=True, eq=False)
class BoundCurve:
    """Terms along one quantity, the rest fixed."""

    axis: str
    at: Array
    terms: dict[str, Array]
    applies: npt.NDArray[np.bool_]
    excess: Array
    here: float

    @property
    def total(self) -> Array:
        """The bound."""
        return np.sum([self.terms[name] for name in TERMS], axis=0)


def measure(setting: Setting) -> MeasuredBound:
    """Fit, evaluate the theorem, and compare with the truth.

    With x ~ N(0, I) the excess of the squared error of task j over its best possible
    value is ½‖w_j − w*_j‖²; the mean over tasks is returned, without any estimate.
    """
    syn = make_syn(
        1, n_train=setting.N, n_test=1, n_tasks=setting.T, random_state=setting.seed
    )
    fit = solve_vstg(
        syn.train, n_latent=setting.K, k=1, gamma1=0.25, gamma2=2.0**-5, tol=1e-3
    )
    bound = excess_risk_bound(syn.train, fit.U, fit.V, k=1)
    scaled = bound.rescaled(setting.scale)
    excess = 0.5 * float(((fit.W - syn.W) ** 2).sum(axis=0).mean())
    return MeasuredBound(scaled, excess)


def bound_curve(setting: Setting, axis: str) -> BoundCurve:
    """Refit along N, T or K; along α1 and β the fitted model stays."""
    if axis in ALONG:
        at = np.array(sorted({*ALONG[axis], getattr(setting, axis)}), dtype=float)
        found = [measure(replace(setting, **{axis: int(value)})) for value in at]
        here = float(getattr(setting, axis))
    else:
        model = measure(setting)
        factors = np.array(FACTORS)
        values = model.bound.alpha1 if axis == "alpha1" else model.bound.beta
        at = values * factors
        found = [
            MeasuredBound(along(model.bound, axis, f), model.excess) for f in factors
        ]
        here = values
    terms = {n: np.array([getattr(m.bound, n) for m in found]) for n in TERMS}
    applies = np.array([m.bound.applies for m in found])
    excess = np.array([m.excess for m in found])
    return BoundCurve(axis, at, terms, applies, excess, here)


def along(bound: RiskBound, axis: str, factor: float) -> RiskBound:
    """α1 grows with U while W stays, so β shrinks; β alone grows with V."""
    if axis == "alpha1":
        return bound.rescaled(factor)
    return replace(bound, beta=bound.beta * factor)
