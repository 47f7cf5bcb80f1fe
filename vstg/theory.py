"""Theorem 1 of the paper: how far the expected error can lie above the best one."""

from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np
import pandas as pd

from vstg.data import Array, MultiTaskData
from vstg.penalties import k_support_norm

Sizes = Literal["harmonic", "smallest"]

# α1² = K after rescaling holds up to the rounding of a square root.
SLACK = 1e-12


@dataclass(frozen=True)
class RiskBound:
    r"""The upper bound of Theorem 1 and its terms.

    .. math:: c_1 \beta K \sqrt{\frac{\|\hat C\|_1}{NT}}
              + c_2 \beta \sqrt{\frac{K \|\hat C\|_\infty}{N}}
              + \sqrt{\frac{8 \ln(2/\delta)}{NT}}
              \quad\text{if}\quad \alpha_1^2 \le K

    Attributes
    ----------
    n_samples : float
        N, the common number of observations; see :func:`excess_risk_bound`.
    n_tasks, n_latent : int
        T and K.
    mean_trace : float
        :math:`\|\hat C\|_1`, the mean over tasks of the trace of the covariance.
    mean_top_eigenvalue : float
        :math:`\|\hat C\|_\infty`, the mean over tasks of its largest eigenvalue.
    alpha1, alpha2 : float
        :math:`\|U\|_1` and :math:`\|U\|_{1,\infty}`; the latter is in no term.
    beta : float
        The largest :math:`\|v_j\|_k^{sp}`.
    c1, c2, delta : float
    """

    n_samples: float
    n_tasks: int
    n_latent: int
    mean_trace: float
    mean_top_eigenvalue: float
    alpha1: float
    alpha2: float
    beta: float
    c1: float
    c2: float
    delta: float

    @property
    def representation(self) -> float:
        """First term: the price of learning U, shared by all NT observations."""
        spread = self.mean_trace / (self.n_samples * self.n_tasks)
        return self.c1 * self.beta * self.n_latent * float(np.sqrt(spread))

    @property
    def weights(self) -> float:
        """Second term: the price of learning v_j from the N observations of a task."""
        spread = self.n_latent * self.mean_top_eigenvalue / self.n_samples
        return self.c2 * self.beta * float(np.sqrt(spread))

    @property
    def confidence(self) -> float:
        """Third term: the price of holding with probability 1 − δ."""
        n_rows = self.n_samples * self.n_tasks
        return float(np.sqrt(8.0 * np.log(2.0 / self.delta) / n_rows))

    @property
    def total(self) -> float:
        """The bound."""
        return self.representation + self.weights + self.confidence

    @property
    def applies(self) -> bool:
        """Whether α1² ≤ K, as the theorem requires."""
        return self.alpha1**2 <= self.n_latent * (1.0 + SLACK)

    @property
    def is_vacuous(self) -> bool:
        """Whether the bound says nothing: the theorem's loss is at most 1 anyway."""
        return self.total >= 1.0

    @property
    def scale(self) -> float:
        """s = √K / α1, for which (sU, V/s) has α1² = K; infinite if U = 0."""
        if self.alpha1 == 0.0:
            return np.inf
        return float(np.sqrt(self.n_latent)) / self.alpha1

    def rescaled(self, s: float | None = None) -> Self:
        r"""The bound for (sU, V/s), which has the same W; by default with α1² = K.

        Among all s that satisfy the condition, the default has the least
        :math:`\beta' = \beta / s = \alpha_1 \beta / \sqrt K`. The product
        :math:`\alpha_1 \beta` does not depend on s, so it is what the bound really
        measures. For a model with α1² > K the theorem applies only at the price of
        β' > β; a model with α1² < K gets a smaller bound at no cost.
        """
        if s is None and self.alpha1 == 0.0:  # W = 0, whatever V is
            return replace(self, beta=0.0)
        s = self.scale if s is None else s
        return replace(
            self,
            alpha1=s * self.alpha1,
            alpha2=s * self.alpha2,
            beta=self.beta / s,
        )

    @property
    def frame(self) -> pd.DataFrame:
        """The terms and their sum for the model as given, and rescaled."""
        bounds = {"as_given": self, "rescaled": self.rescaled()}
        terms = ("representation", "weights", "confidence", "total")
        columns = {
            name: [getattr(bound, term) for term in terms]
            for name, bound in bounds.items()
        }
        return pd.DataFrame(columns, index=pd.Index(terms, name="term"))


def excess_risk_bound(
    data: MultiTaskData,
    U: Array,
    V: Array,
    *,
    k: int,
    c1: float = 1.0,
    c2: float = 1.0,
    delta: float = 0.05,
    centred: bool = False,
    sizes: Sizes = "harmonic",
) -> RiskBound:
    r"""Evaluate Theorem 1 on the training data for a model W = U V.

    Parameters
    ----------
    data : MultiTaskData
        What the model was fitted on; only the designs are used.
    U, V : (D, K) and (K, T) arrays
    k : int
        The k of the k-support norm.
    c1, c2 : float
        The universal constants, whose values the theorem does not give.
    delta : float
        The bound holds with probability 1 − ``delta``.
    centred : bool
        Centre the covariances at the means. By default they are second moments,
        :math:`\hat\Sigma(X_j) = X_j^T X_j / N_j`: the proof bounds sums of the rows
        :math:`x_j^n` themselves, in a model without an intercept. With an intercept
        the rows that matter are the centred ones.
    sizes : {"harmonic", "smallest"}
        The N of tasks of unequal size. With the weight :math:`1/(T N_j)` of eq. (6)
        on each observation the third term has :math:`\sum_j 1/(T^2 N_j)` for
        :math:`1/(NT)`, which is the harmonic mean; in the others it is exact if all
        covariances are alike. The smallest N_j is the safe choice.

    Notes
    -----
    The theorem fixes α1 and β before the data are seen. Here they are read from a
    fitted model, as the smallest values that would have admitted it, so the bound
    compares models rather than certifying one. The loss must be scaled to [0, 1].
    """
    U, V = _check_factors(data, U, V)
    _check_constants(c1=c1, c2=c2, delta=delta)
    traces, tops = _spectra(data, centred)
    return RiskBound(
        n_samples=_common_size(data, sizes),
        n_tasks=data.n_tasks,
        n_latent=U.shape[1],
        mean_trace=float(traces.mean()),
        mean_top_eigenvalue=float(tops.mean()),
        alpha1=float(np.abs(U).sum()),
        alpha2=float(np.abs(U).max(axis=1).sum()),
        beta=max(k_support_norm(v, k) for v in V.T),
        c1=float(c1),
        c2=float(c2),
        delta=float(delta),
    )


def _spectra(data: MultiTaskData, centred: bool) -> tuple[Array, Array]:
    """Trace and largest eigenvalue of each task's covariance."""
    known: dict[int, tuple[float, float]] = {}
    for X in data.X:
        if id(X) not in known:  # tasks may share a design
            rows = X - X.mean(axis=0) if centred else X
            top = float(np.linalg.norm(rows, 2)) ** 2
            known[id(X)] = (float((rows**2).sum()) / len(X), top / len(X))
    traces, tops = zip(*(known[id(X)] for X in data.X), strict=True)
    return np.array(traces), np.array(tops)


def _common_size(data: MultiTaskData, sizes: Sizes) -> float:
    n = data.n_samples.astype(float)
    if sizes == "harmonic":
        return float(1.0 / np.mean(1.0 / n))
    if sizes == "smallest":
        return float(n.min())
    msg = f"sizes={sizes!r} is unknown; choose 'harmonic' or 'smallest'"
    raise ValueError(msg)


def _check_factors(data: MultiTaskData, U: Array, V: Array) -> tuple[Array, Array]:
    U, V = np.asarray(U, dtype=float), np.asarray(V, dtype=float)
    D, T = data.n_features, data.n_tasks
    fits = U.ndim == V.ndim == 2 and U.shape[1] == V.shape[0]
    if not fits or U.shape[0] != D or V.shape[1] != T:
        msg = (
            f"U has the shape {U.shape} and V {V.shape}; these data need "
            f"({D}, K) and (K, {T})"
        )
        raise ValueError(msg)
    return U, V


def _check_constants(*, c1: float, c2: float, delta: float) -> None:
    for name, constant in (("c1", c1), ("c2", c2)):
        if not 0.0 <= constant < np.inf:
            msg = f"{name}={constant!r} must be a finite number, at least 0"
            raise ValueError(msg)
    if not 0.0 < delta < 1.0:
        msg = f"delta={delta!r} must lie between 0 and 1"
        raise ValueError(msg)
