"""Losses L(y, m) of the margins m = X w + b, summed over the observations of a task.

The factor 1/N_j belongs to the objective. A loss has a bound h ≥ L'' on its curvature
per observation, so that

    L(m) ≤ L(m₀) + L'(m₀)(m − m₀) + h/2 (m − m₀)²

is a squared loss with the working response m₀ − L'(m₀)/h. The fast solver needs nothing
else, but takes fewer steps with a loss that also knows ``second_derivative(y, m)``, L''
at the margins, and ``upper_curvature(y, m)``, the least h for which the line above
holds there. A loss whose margins are not what it predicts has ``response(m)``; one
that is not scored by RMSE or the share of wrong labels names its ``measure``, one of
:data:`vstg.metrics.MEASURES`; one that is minus a log likelihood, with no spread of the
noise to estimate beside, has ``is_likelihood``. Where rows have weights,
``values(y, m)``, L of every observation, saves a call per row.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, xlogy

from vstg.data import Array

HUBER_DELTA = 1.345  # 95 % as efficient as the mean for normal errors of sd 1


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
    measure = "rmse"
    curvature = 1.0
    is_quadratic = True
    is_classification = False

    def value(self, y: Array, margin: Array) -> float:
        """½‖y − m‖²."""
        residual = y - margin
        return 0.5 * float(residual @ residual)

    def values(self, y: Array, margin: Array) -> Array:
        """½(y − m)² of every observation."""
        return 0.5 * (y - margin) ** 2

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
    measure = "error_rate"
    is_likelihood = True
    curvature = 0.25
    is_quadratic = False
    is_classification = True

    def value(self, y: Array, margin: Array) -> float:
        """Σ log(1 + e^{−ym}) without overflow."""
        return float(self.values(y, margin).sum())

    def values(self, y: Array, margin: Array) -> Array:
        """log(1 + e^{−ym}) of every observation."""
        return np.logaddexp(0.0, -y * margin)

    def derivative(self, y: Array, margin: Array) -> Array:
        """−y / (1 + e^{ym})."""
        return -y * expit(-y * margin)

    def second_derivative(self, y: Array, margin: Array) -> Array:
        """p(1 − p)."""
        return expit(margin) * expit(-margin)

    def upper_curvature(self, y: Array, margin: Array) -> Array:
        """tanh(m/2)/(2m): the parabola that touches at m and at −m lies above."""
        m = np.maximum(np.abs(margin), 1e-4)
        return np.tanh(0.5 * m) / (2.0 * m)

    def best_constant(self, y: Array) -> float:
        """The log odds of the classes."""
        n_positive = float((y > 0).sum())
        return float(np.log(n_positive / (len(y) - n_positive)))


@dataclass(frozen=True)
class HuberLoss:
    r"""Regression with outliers: ½r² for residuals |r| ≤ δ, δ|r| − ½δ² beyond.

    ``delta`` is in the units of the target as it is fitted. By name it is "huber", and
    with another threshold for example "huber:2.5".
    """

    delta: float = HUBER_DELTA
    measure = "mae"  # a mean of squares would be about the outliers alone
    curvature = 1.0
    is_quadratic = False
    is_classification = False

    def __post_init__(self) -> None:
        if not 0.0 < self.delta < np.inf:
            msg = f"Huber's threshold {self.delta:g} must be above 0 and finite"
            raise ValueError(msg)

    @property
    def name(self) -> str:
        """With the threshold, unless that is the default."""
        return "huber" if self.delta == HUBER_DELTA else f"huber:{self.delta!r}"

    def value(self, y: Array, margin: Array) -> float:
        """Σ ½r² or δ|r| − ½δ²."""
        return float(self.values(y, margin).sum())

    def values(self, y: Array, margin: Array) -> Array:
        """½r² or δ|r| − ½δ² of every observation."""
        r = np.abs(y - margin)
        small = np.minimum(r, self.delta)
        return small * (r - 0.5 * small)

    def derivative(self, y: Array, margin: Array) -> Array:
        """The residual m − y, clipped at ±δ."""
        return np.clip(margin - y, -self.delta, self.delta)

    def second_derivative(self, y: Array, margin: Array) -> Array:
        """1 within δ, else 0."""
        return (np.abs(y - margin) <= self.delta).astype(float)

    def upper_curvature(self, y: Array, margin: Array) -> Array:
        """min(1, δ/|r|): the parabola that touches at r and at −r lies above."""
        return self.delta / np.maximum(np.abs(y - margin), self.delta)

    def best_constant(self, y: Array) -> float:
        """The Huber mean: the slope is increasing, so bisection finds its zero."""
        low, high = float(y.min()), float(y.max())
        for _ in range(200):
            middle = 0.5 * (low + high)
            if self.derivative(y, np.full(len(y), middle)).sum() < 0:
                low = middle
            else:
                high = middle
        return 0.5 * (low + high)


@dataclass(frozen=True)
class PoissonLoss:
    r"""Counts, :math:`L(y, m) = \sum_n e^{m_n} - y_n m_n + y_n \log y_n - y_n`.

    Half the deviance, so that it is never negative; the mean is :math:`e^m`.
    """

    name = "poisson"
    measure = "deviance"
    is_likelihood = True
    curvature = np.inf  # no bound holds everywhere: local curvature must do
    is_quadratic = False
    is_classification = False

    def value(self, y: Array, margin: Array) -> float:
        """Half the deviance."""
        return float(self.values(y, margin).sum())

    def values(self, y: Array, margin: Array) -> Array:
        """Half the deviance of every observation."""
        with np.errstate(over="ignore"):
            terms = np.exp(margin) - y * margin + xlogy(y, y) - y
        return np.maximum(terms, 0.0)

    def derivative(self, y: Array, margin: Array) -> Array:
        """e^m − y."""
        with np.errstate(over="ignore"):
            return np.exp(margin) - y

    def second_derivative(self, y: Array, margin: Array) -> Array:
        """e^m."""
        with np.errstate(over="ignore"):
            return np.exp(margin)

    def upper_curvature(self, y: Array, margin: Array) -> Array:
        """There is none."""
        return np.full(len(y), np.inf)

    def best_constant(self, y: Array) -> float:
        """The logarithm of the mean; for zeros alone as if half a count were there."""
        return float(np.log(max(float(y.sum()), 0.5) / len(y)))

    def check_targets(self, y: Array, task: str) -> None:
        """Refuse targets that are not counts."""
        if y.min() < 0:
            msg = f"task {task!r} has the target {y.min():g}; counts are 0 or more"
            raise ValueError(msg)

    def response(self, margin: Array) -> Array:
        """The expected count e^m."""
        return np.exp(margin)


LOSSES: dict[str, Loss] = {
    loss.name: loss
    for loss in (SquaredLoss(), LogisticLoss(), HuberLoss(), PoissonLoss())
}


def weighted_sum(
    loss: Loss, y: Array, margin: Array, weights: Array | None = None
) -> float:
    """Σ_n s_n L(y_n, m_n), with s = 1 if there are no weights."""
    if weights is None:
        return loss.value(y, margin)
    known = getattr(loss, "values", None)
    if known is None:
        rows = zip(y[:, None], margin[:, None], strict=True)
        return float(weights @ np.array([loss.value(*row) for row in rows]))
    return float(weights @ known(y, margin))


def best_constant(loss: Loss, y: Array, weights: Array | None = None) -> float:
    """The best margin of a model without variables, for weighted rows.

    With weights it is where Σ_n s_n L' vanishes, which never falls as the margin grows.
    """
    if weights is None:
        return loss.best_constant(y)

    def slope(constant: float) -> float:
        return float(weights @ loss.derivative(y, np.full(len(y), constant)))

    middle = loss.best_constant(y)
    low, high = middle - 1.0, middle + 1.0
    while slope(low) > 0:
        low -= high - low
    while slope(high) < 0:
        high += high - low
    return float(brentq(slope, low, high, xtol=1e-15 * (1.0 + abs(middle))))


def second_derivative(loss: Loss, y: Array, margin: Array) -> Array:
    """L'' of every observation; the bound on it for a loss that does not know more."""
    known = getattr(loss, "second_derivative", None)
    return np.full(len(y), loss.curvature) if known is None else known(y, margin)


def upper_curvature(loss: Loss, y: Array, margin: Array) -> Array:
    """h of every observation, such that the parabola touching at m lies above L."""
    known = getattr(loss, "upper_curvature", None)
    return np.full(len(y), loss.curvature) if known is None else known(y, margin)


def check_bounded(loss: Loss, method: str) -> None:
    """Refuse a loss without a bound on its curvature where a method needs one."""
    if not np.isfinite(loss.curvature):
        msg = (
            f"{method} needs a loss of bounded curvature, which {loss.name!r} is not; "
            "use VSTG-MTL with solver='fast'"
        )
        raise ValueError(msg)


def response(loss: str | Loss, margin: Array) -> Array:
    """What a margin predicts: itself, unless the loss says otherwise."""
    known = getattr(known_loss(loss), "response", None)
    return margin if known is None else known(margin)


def interval_ends(
    loss: str | Loss, margin: Array, widths: Array
) -> tuple[Array, Array]:
    """What margins predict minus and plus half a width; counts are not negative."""
    predicted = response(loss, margin)
    lower = predicted - widths
    counts = measure_of(loss) == "deviance"
    return np.maximum(lower, 0.0) if counts else lower, predicted + widths


def measure_of(loss: str | Loss) -> str:
    """How predictions are scored, as :data:`vstg.metrics.MEASURES` calls it."""
    chosen = known_loss(loss)
    labels = chosen is not None and chosen.is_classification
    return getattr(chosen, "measure", "error_rate" if labels else "rmse")


def is_likelihood(loss: Loss) -> bool:
    """Whether its value is minus a log likelihood."""
    return getattr(loss, "is_likelihood", loss.is_classification)


def get_loss(loss: str | Loss) -> Loss:
    """A loss by its name; a loss object is returned unchanged."""
    if not isinstance(loss, str):
        return loss
    name, _, threshold = loss.partition(":")
    if name == "huber" and threshold:
        try:
            return HuberLoss(float(threshold))
        except ValueError as error:
            msg = f"loss={loss[:40]!r} is unknown; a threshold is given as 'huber:2.5'"
            raise ValueError(msg) from error
    if loss not in LOSSES:
        msg = f"loss={loss[:40]!r} is unknown; choose one of {sorted(LOSSES)}"
        raise ValueError(msg)
    return LOSSES[loss]


def known_loss(loss: str | Loss) -> Loss | None:
    """The same; None for the name of somebody's own loss, as a result may have it."""
    try:
        return get_loss(loss)
    except ValueError:
        return None
