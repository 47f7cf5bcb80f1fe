"""Eq. (6) of the paper, and how far a point is from optimal."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from numbers import Integral, Real
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.sparse import issparse

from vstg.data import Array, MultiTaskData
from vstg.data.designs import times, transposed_times
from vstg.losses import Loss, weighted_sum
from vstg.penalties import SparseRows, SquaredKSupport

TERMS = ("loss", "l1", "l1_inf", "k_support")


def check_strengths(**strengths: float) -> None:
    """Refuse what is not a finite number ≥ 0."""
    for name, value in strengths.items():
        if not isinstance(value, Real) or isinstance(value, bool):
            msg = f"{name}={value!r} must be a number"
            raise TypeError(msg)
        if not 0.0 <= value < np.inf:
            msg = f"{name}={value!r} must be a finite number, at least 0"
            raise ValueError(msg)


def check_share(**shares: float) -> None:
    """Refuse what is not a number between 0 and 1."""
    check_strengths(**shares)
    for name, value in shares.items():
        if value > 1:
            msg = f"{name}={value} must lie between 0 and 1"
            raise ValueError(msg)


def check_whole(**numbers: int) -> None:
    """Refuse what is not a whole number."""
    for name, value in numbers.items():
        if not isinstance(value, Integral) or isinstance(value, bool):
            msg = f"{name}={value!r} must be a whole number"
            raise TypeError(msg)


def check_n_latent(n_latent: int) -> None:
    """Refuse what is not a whole number ≥ 1."""
    check_whole(n_latent=n_latent)
    if n_latent < 1:
        msg = f"n_latent={n_latent} must be at least 1"
        raise ValueError(msg)


@dataclass(frozen=True)
class Settings:
    """The numbers of VSTG-MTL: K, k, γ1, γ2, μ of eq. (6), and what follows the fit.

    ``cut`` is the relative size below which entries of U and V are set to zero after
    the fit; ``relax`` is the share of the penalties that the refit on the remaining
    support keeps. With ``cut=0`` and ``relax=1`` the fit is the minimiser of eq. (6)
    itself and nothing follows it.
    """

    n_latent: int
    k: int
    gamma1: float
    gamma2: float
    mu: float
    cut: float = 0.0
    relax: float = 1.0

    @classmethod
    def checked(
        cls,
        *,
        n_latent: int,
        k: int,
        gamma1: float,
        gamma2: float,
        mu: float | None = None,
        cut: float = 0.0,
        relax: float = 1.0,
    ) -> Self:
        """Validate; ``mu=None`` means equal to gamma1, as in the paper."""
        check_whole(n_latent=n_latent, k=k)
        check_n_latent(n_latent)
        if not 1 <= k <= n_latent:
            msg = f"k={k} must lie between 1 and n_latent={n_latent}"
            raise ValueError(msg)
        mu = gamma1 if mu is None else mu
        check_strengths(gamma1=gamma1, gamma2=gamma2, mu=mu, cut=cut, relax=relax)
        if cut >= 1:
            msg = f"cut={cut} must be below 1: it is relative to the largest entry"
            raise ValueError(msg)
        if relax > 1:
            msg = f"relax={relax} must lie between 0 (no penalty) and 1 (all of it)"
            raise ValueError(msg)
        if (mu > 0) != (gamma1 + gamma2 > 0):
            # (sU, V/s) would lower the penalty for ever: no minimum is attained.
            free = "V" if mu == 0 else "U"
            msg = (
                f"gamma1={gamma1}, gamma2={gamma2}, mu={mu} leave {free} unpenalised, "
                f"so that {free} grows without bound: give mu > 0 together with "
                "gamma1 > 0 or gamma2 > 0 (or set all three to 0)"
            )
            raise ValueError(msg)
        return cls(
            int(n_latent), int(k), float(gamma1), float(gamma2), float(mu),
            float(cut), float(relax),
        )  # fmt: skip

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        """The settings among ``values``; keys that name no setting are left alone."""
        names = {field.name for field in fields(cls)}
        return cls.checked(**{k: v for k, v in values.items() if k in names})

    def to_mapping(self) -> dict[str, Any]:
        """What :meth:`from_mapping` reads back, without what has its default."""
        values = asdict(self)
        if self.mu == self.gamma1:
            del values["mu"]
        if self.cut == 0:
            del values["cut"]
        if self.relax == 1:
            del values["relax"]
        return values

    def without_refit(self) -> Self:
        """The settings of the fit that the cut and the refit begin with."""
        return replace(self, cut=0.0, relax=1.0) if self.is_refitted else self

    @property
    def is_refitted(self) -> bool:
        """Whether a cut or a refit follows the minimiser of eq. (6)."""
        return self.cut > 0 or self.relax < 1


class Residuals(NamedTuple):
    """Lengths of the gradient mappings of the blocks, relative to those at zero."""

    U: float
    V: float
    intercept: float


class Objective:
    r"""Equation (6) of the paper.

    .. math:: \sum_j \tfrac{1}{N_j} L(y_j, X_j U v_j + b_j) + \gamma_1 \|U\|_1
              + \gamma_2 \|U\|_{1,\infty} + \mu \sum_j (\|v_j\|_k^{sp})^2

    Where rows and tasks have weights, :math:`\tfrac{1}{N_j} L` becomes :math:`a_j
    \sum_i s_{ij} L_{ij} / \sum_i s_{ij}`.
    The intercepts b_j are not in the paper; they are not penalised and zero unless
    asked for. Computed from the data, plainly: the solvers have faster ways, and
    this is what they are checked against.
    """

    def __init__(self, data: MultiTaskData, loss: Loss, settings: Settings) -> None:
        self.data = data
        self.loss = loss
        self.settings = settings
        self.penalty_U = SparseRows(settings.gamma1, settings.gamma2)
        self.penalty_V = SquaredKSupport(settings.mu, settings.k)

    def margins(
        self, U: Array, V: Array, intercept: Array | None = None
    ) -> list[Array]:
        """X_j U v_j + b_j for every task."""
        b = np.zeros(self.data.n_tasks) if intercept is None else intercept
        return [times(X, U @ V[:, j]) + b[j] for j, X in enumerate(self.data.X)]

    def data_loss(self, U: Array, V: Array, intercept: Array | None = None) -> float:
        """Σ_j L_j / N_j, weighted."""
        data, margins = self.data, self.margins(U, V, intercept)
        return sum(
            weighted_sum(self.loss, y, m, data.row_weights(j)) / data.divisors[j]
            for j, (y, m) in enumerate(zip(data.y, margins, strict=True))
        )

    def terms(
        self, U: Array, V: Array, intercept: Array | None = None
    ) -> dict[str, float]:
        """The four terms by name."""
        entries = SparseRows(self.settings.gamma1, 0.0).value(U)
        rows = SparseRows(0.0, self.settings.gamma2).value(U)
        data_loss = self.data_loss(U, V, intercept)
        values = (data_loss, entries, rows, self.penalty_V.value(V))
        return dict(zip(TERMS, values, strict=True))

    def value(self, U: Array, V: Array, intercept: Array | None = None) -> float:
        """The sum of the terms."""
        return sum(self.terms(U, V, intercept).values())

    def gradient_W(
        self, U: Array, V: Array, intercept: Array | None = None
    ) -> tuple[Array, Array]:
        """Gradients of the loss with respect to W (D, T) and to b (T,)."""
        margins = self.margins(U, V, intercept)
        data = self.data
        slopes = [
            data.weighed(j, self.loss.derivative(y, m)) / data.divisors[j]
            for j, (y, m) in enumerate(zip(data.y, margins, strict=True))
        ]
        pairs = zip(self.data.X, slopes, strict=True)
        gradient = [transposed_times(X, s) for X, s in pairs]
        return np.column_stack(gradient), np.array([s.sum() for s in slopes])

    def residuals(
        self, U: Array, V: Array, intercept: Array | None = None
    ) -> Residuals:
        """How far each block is from its optimum, the others fixed.

        For U it is L‖U − prox(U − ∇/L)‖ by its largest row, divided by the largest row
        of U's gradient at zero; for V the same by columns.
        """
        slope, slope_b = self.gradient_W(U, V, intercept)
        null = self.gradient_W(np.zeros_like(U), np.zeros_like(V), intercept)[0]
        rows, data = self.data.divisors, self.data
        heavy = [_weighted(X, data.row_weights(j)) for j, X in enumerate(data.X)]
        spread = [largest_singular(X) ** 2 for X in heavy] / rows
        L_U = self.loss.curvature * sum(
            s * v @ v for s, v in zip(spread, V.T, strict=True)
        )
        seen = np.array([np.linalg.norm(times(X, U), 2) for X in heavy])
        L_V = self.loss.curvature * seen**2 / rows
        move_U = np.zeros_like(U)
        if L_U > 0:
            stepped = self.penalty_U.prox(U - slope @ V.T / L_U, 1 / L_U)
            move_U = L_U * (U - stepped)
        step = np.divide(1.0, L_V, out=np.zeros_like(L_V), where=L_V > 0)
        move_V = L_V * (V - self.penalty_V.prox(V - step * (U.T @ slope), step))
        return Residuals(
            _ratio(np.linalg.norm(move_U, axis=1), np.linalg.norm(null @ V.T, axis=1)),
            _ratio(np.linalg.norm(move_V, axis=0), np.linalg.norm(U.T @ null, axis=0)),
            float(np.abs(slope_b).max()),
        )


def _weighted(X: Any, weight: Array | None) -> Any:
    """X with its rows multiplied by the roots of their weights."""
    if weight is None:
        return X
    root = np.sqrt(weight)[:, None]
    return X.multiply(root).tocsr() if issparse(X) else root * X


def largest_singular(X: Any) -> float:
    """The spectral norm, by the smaller of the two Gram matrices."""
    side = X @ X.T if X.shape[0] <= X.shape[1] else X.T @ X
    gram = side.toarray() if issparse(side) else side
    return float(np.sqrt(np.linalg.norm(np.asarray(gram, dtype=float), 2)))


def _ratio(lengths: Array, scale: Array) -> float:
    top = float(scale.max(initial=0.0))
    return float(lengths.max(initial=0.0)) / top if top > 0 else 0.0
