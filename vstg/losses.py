"""Losses L(y, m) of the margins m = X w + b, summed over the observations of a task.

The factor 1/N_j belongs to the objective. A loss has a bound h ≥ L'' on its curvature
per observation; the fast solver needs nothing else, because then

    L(m) ≤ L(m₀) + L'(m₀)(m − m₀) + h/2 (m − m₀)²

is a squared loss with the working response m₀ − L'(m₀)/h.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import expit

from vstg.data import Array


class Loss(Protocol):
    """A convex smooth loss: everything that a solver needs of it."""

    @property
    def name(self) -> str:
        """Its name in :func:`vstg.solve_vstg`."""

    @property
    def curvature(self) -> float:
        """h: an upper bound of the second derivative in one margin."""

    @property
    def is_quadratic(self) -> bool:
        """Whether the second derivative equals the bound everywhere."""

    @property
    def is_classification(self) -> bool:
        """Whether targets must be labels -1 and +1."""

    def value(self, y: Array, margin: Array) -> float:
        """L(y, m)."""

    def derivative(self, y: Array, margin: Array) -> Array:
        """dL/dm for each observation."""

    def best_constant(self, y: Array) -> float:
        """The best margin of a model without variables."""


@dataclass(frozen=True)
class SquaredLoss:
    r"""Regression, :math:`L(y, m) = \tfrac12 \|y - m\|_2^2`."""

    name = "squared"
    curvature = 1.0
    is_quadratic = True
    is_classification = False

    def value(self, y: Array, margin: Array) -> float:
        """½‖y − m‖²."""
        residual = y - margin
        return 0.5 * float(residual @ residual)

    def derivative(self, y: Array, margin: Array) -> Array:
        """m − y."""
        return margin - y

    def best_constant(self, y: Array) -> float:
        """The mean."""
        return float(y.mean())


@dataclass(frozen=True)
class LogisticLoss:
    r"""Two classes, :math:`L(y, m) = \sum_n \log(1 + e^{-y_n m_n})`, y in {-1, +1}."""

    name = "logistic"
    curvature = 0.25
    is_quadratic = False
    is_classification = True

    def value(self, y: Array, margin: Array) -> float:
        """Σ log(1 + e^{−ym}) without overflow."""
        return float(np.logaddexp(0.0, -y * margin).sum())

    def derivative(self, y: Array, margin: Array) -> Array:
        """−y / (1 + e^{ym})."""
        return -y * expit(-y * margin)

    def best_constant(self, y: Array) -> float:
        """The log odds of the classes."""
        n_positive = float((y > 0).sum())
        return float(np.log(n_positive / (len(y) - n_positive)))


LOSSES: dict[str, Loss] = {loss.name: loss for loss in (SquaredLoss(), LogisticLoss())}


def get_loss(loss: str | Loss) -> Loss:
    """A loss by its name; a loss object is returned unchanged."""
    if not isinstance(loss, str):
        return loss
    if loss not in LOSSES:
        msg = f"loss={loss!r} is unknown; choose one of {sorted(LOSSES)}"
        raise ValueError(msg)
    return LOSSES[loss]
