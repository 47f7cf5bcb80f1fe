r"""What may follow the fit: small entries are cut, the others fitted again.

The penalties of eq. (6) do two jobs: they choose the entries of U and V that are not
zero, and they shrink them. The refit undoes the second: on the support that the fit
chose (without entries that are small beside the others) it minimises

.. math:: \sum_j \tfrac{1}{N_j} L(y_j, X_j U v_j + b_j) + \varphi \left( \gamma_1
          \|U\|_1 + \gamma_2 \|U\|_{1,\infty} + \mu \sum_j (\|v_j\|_k^{sp})^2 \right)

with :math:`\varphi` = ``relax``, from the point where the fit ended, never rising.
"""

from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from vstg.data import Array
from vstg.kernels import descend_free, descend_free_rows
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers.descent import (
    Descent,
    MajorisedDescent,
    Model,
    QuadraticDescent,
)
from vstg.solvers.initial import Start
from vstg.solvers.result import Run
from vstg.statistics import RowModel

REFIT_TOL = 1e-4
REFIT_ITER = 500
# The share of the penalties that a refit keeps where some task's labels are separated:
# the loss alone has no minimum there.
LEAST_SHARE = 0.1
CHECK = 20  # iterations after which that is looked for
CERTAIN = 30.0  # a margin that no data of ordinary size can ask for


def cut_factors(U: Array, V: Array, cut: float) -> Start:
    """U and V without their small entries, and without bases that are then idle.

    An entry of U is small beside the largest of its basis; one of V by what its basis
    adds, |v_rj|·‖u_r‖, beside the largest of its task. Small means less than ``cut``
    times as large. Cutting twice is cutting once.
    """
    sizes = np.abs(U)
    U = np.where(sizes < cut * sizes.max(axis=0, initial=0.0), 0.0, U)
    sizes = np.abs(V) * np.linalg.norm(U, axis=0)[:, None]
    V = np.where(sizes < cut * sizes.max(axis=0, initial=0.0), 0.0, V)
    idle = ~(U.any(axis=0) & V.any(axis=1))
    U[:, idle], V[idle] = 0.0, 0.0
    return U, V


def cut_and_refit(
    problem: Problem,
    settings: Settings,
    fit: Any,
    *,
    tol: float | None = None,
) -> Run:
    """Cut ``fit``, which minimises eq. (6), and refit it, as ``settings`` say."""
    U, V = cut_factors(fit.U, fit.V, settings.cut)
    return refit(problem, settings, U, V, fit.intercept, tol=tol)


def refit(
    problem: Problem,
    settings: Settings,
    U: Array,
    V: Array,
    intercept: Array | None = None,
    *,
    tol: float | None = None,
    max_iter: int = REFIT_ITER,
) -> Run:
    """Minimise the loss and the share ``settings.relax`` of the penalties on a support.

    Parameters
    ----------
    U, V : where to begin; entries that are zero stay zero
    intercept : where the intercepts begin, if the loss does not tell their best value
    tol : stops as the fast solver does, by the gradients of the free entries

    Notes
    -----
    Without penalties each basis keeps the ratio ‖u_r‖/‖v^r‖ with which it came. A loss
    that is not quadratic may then have no minimum, if it can separate the labels of a
    task: a tenth of the penalties is kept where this shows.
    """
    tol = REFIT_TOL if tol is None else tol
    U, V = cut_factors(U, V, 0.0)  # without idle bases
    rows, bases = np.flatnonzero(U.any(axis=1)), np.flatnonzero(U.any(axis=0))
    if not len(bases):
        return nothing_left(problem, U, V)
    if len(rows) < len(U):
        problem = problem.part(rows)
    start = U[np.ix_(rows, bases)], V[bases]

    def begin(share: float) -> OnSupport:
        kept = share_of(settings, share, n_latent=len(bases))
        kind = QuadraticOnSupport if problem.loss.is_quadratic else MajorisedOnSupport
        return kind(
            problem, kept, start, tol=tol, began=perf_counter(), intercept=intercept
        )

    found = begin(settings.relax)
    if settings.relax < LEAST_SHARE and not problem.loss.is_quadratic:
        found.advance(min(CHECK, max_iter))
        if has_no_minimum(found):
            found = begin(LEAST_SHARE)
    if found.reason != "tolerance":
        found.advance(max_iter - len(found.terms))
    U, V = np.zeros_like(U), np.zeros_like(V)
    factors = found.factors()
    if not found.is_penalised:  # then nothing says how long u_r is beside v^r
        factors = keep_ratios(*start, *factors)
    U[np.ix_(rows, bases)], V[bases] = factors
    return replace(found.as_run(found.intercept), U=U, V=V)


def nothing_left(problem: Problem, U: Array, V: Array) -> Run:
    """The run of an empty support: zero, with its best intercept."""
    names = ("objective", "loss", "l1", "l1_inf", "k_support", "seconds")
    loss = problem.null[0]
    history = dict.fromkeys(names, np.zeros(1)) | {
        "objective": np.array([loss]),
        "loss": np.array([loss]),
    }
    b = problem.start_intercept()
    return Run(np.zeros_like(U), np.zeros_like(V), b, history, "tolerance")


def keep_ratios(U: Array, V: Array, new_U: Array, new_V: Array) -> Start:
    """The new factors with each basis as long in U beside V as in (U, V)."""
    lengths = [
        (np.linalg.norm(A, axis=0), np.linalg.norm(B, axis=1))
        for A, B in ((U, V), (new_U, new_V))
    ]
    (u, v), (new_u, new_v) = lengths
    alive = (u > 0) & (v > 0) & (new_u > 0) & (new_v > 0)
    scale = np.ones(len(u))
    scale[alive] = np.sqrt(u * new_v / np.where(alive, v * new_u, 1.0))[alive]
    return new_U * scale, new_V / scale[:, None]


def has_no_minimum(found: "OnSupport") -> bool:
    """Whether a task has all its labels right, or a probability that is as good as 1.

    Then its loss without penalties falls for ever as v_j grows, or nearly so.
    """
    problem = found.problem
    margins = problem.margins(found.U @ found.Vt.T, found.b)
    pairs = zip(problem.rows_of_data.y, margins, strict=True)
    return any((y * m > 0).all() or np.abs(m).max() > CERTAIN for y, m in pairs)


def share_of(settings: Settings, share: float, *, n_latent: int) -> Settings:
    """The settings with a share of their penalties."""
    strengths = ("gamma1", "gamma2", "mu")
    kept = {name: share * getattr(settings, name) for name in strengths}
    return replace(settings, n_latent=n_latent, **kept)


class OnSupport(Descent):
    """Moves only the entries that are not zero where the descent begins."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.free_U, self.free_Vt = self.U != 0, self.Vt != 0

    @property
    def is_penalised(self) -> bool:
        """Whether a share of the penalties is kept."""
        return self.settings.mu > 0

    def drop_dead_bases(self) -> None:
        """Leave the bases as they are: the support is given."""

    def iterate(
        self, model: Model, n_iter: int, past: Array, filled: int, history: Array
    ) -> tuple[int, int, bool]:
        """See :meth:`Descent.iterate`."""
        free = self.U, self.Vt, self.free_U, self.free_Vt
        rest = *self.penalties, self.tol, n_iter, past, filled, history
        if isinstance(model, RowModel):
            return descend_free_rows(
                model.Z, model.first, model.ends, model.weight, model.squares,
                model.y, model.c, *free, *rest,
            )  # fmt: skip
        return descend_free(model.G, model.c, model.constant, *free, *rest)


class QuadraticOnSupport(OnSupport, QuadraticDescent):
    """On the loss itself."""


class MajorisedOnSupport(OnSupport, MajorisedDescent):
    """On upper models of a smooth loss."""
