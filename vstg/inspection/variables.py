"""Variables: which are selected, how much they matter, what they contribute."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from vstg.data import Array, Index
from vstg.data.values import check_names


@dataclass(frozen=True, eq=False)
class VariableImportance:
    r"""Importance of each variable i, read from its row of U.

    Attributes
    ----------
    row_max : (D,) array
        :math:`\max_r |u_{ir}|`, what the l1,inf penalty measures.
    row_l1 : (D,) array
        :math:`\sum_r |u_{ir}|`, what the l1 penalty measures.
    selected : (D,) bool array
        Whether the variable is in the model.
    """

    row_max: Array
    row_l1: Array
    selected: npt.NDArray[np.bool_]


def variable_importance(U: Array, *, threshold: float = 0.0) -> VariableImportance:
    r"""Return the importance of every variable.

    Variable i is selected if :math:`\max_r |u_{ir}| > t \max_{hr} |u_{hr}|` with t
    the ``threshold``; by default any row that is not exactly zero is selected.
    """
    check_threshold(threshold)
    size = np.abs(np.asarray(U, dtype=np.float64))
    row_max = size.max(axis=1, initial=0.0)
    limit = threshold * row_max.max(initial=0.0)
    return VariableImportance(row_max, size.sum(axis=1), row_max > limit)


def selected_variables(U: Array, threshold: float = 0.0) -> Index:
    """Return the positions of the selected variables, see variable_importance."""
    return np.flatnonzero(variable_importance(U, threshold=threshold).selected)


def order_variables(U: Array) -> Index:
    """Return all variables, the most important first.

    By the largest entry of the row, then by the row's sum, then by position.
    """
    importance = variable_importance(U)
    return np.lexsort((-importance.row_l1, -importance.row_max))


def variables_frame(
    U: Array, feature_names: Sequence[str] | None = None, *, threshold: float = 0.0
) -> pd.DataFrame:
    """Return one row per variable, the most important first.

    Columns: ``max`` and ``l1`` (see :class:`VariableImportance`), ``n_bases`` (how
    many bases use it) and ``selected``.
    """
    importance = variable_importance(U, threshold=threshold)
    names = check_names(feature_names, len(U), kind="feature", default="x")
    frame = pd.DataFrame(
        {
            "max": importance.row_max,
            "l1": importance.row_l1,
            "n_bases": (np.asarray(U) != 0).sum(axis=1),
            "selected": importance.selected,
        },
        index=pd.Index(names, name="variable"),
    )
    return frame.iloc[order_variables(U)]


def decompose(U: Array, V: Array, i: int, j: int) -> Array:
    r"""Return the terms :math:`u_{ir} v_{rj}`, whose sum over r is :math:`w_{ij}`."""
    return np.asarray(U)[i] * np.asarray(V)[:, j]


def decomposition_frame(U: Array, V: Array, i: int, j: int) -> pd.DataFrame:
    """Return one row per basis r with ``u``, ``v`` and their product ``term``."""
    terms = decompose(U, V, i, j)
    return pd.DataFrame(
        {"u": np.asarray(U)[i], "v": np.asarray(V)[:, j], "term": terms},
        index=pd.RangeIndex(len(terms), name="basis"),
    )


def check_threshold(threshold: float) -> None:
    """Reject a threshold that is not a share of the largest value."""
    if not 0.0 <= threshold < 1.0:
        msg = (
            f"threshold={threshold} must be at least 0 and below 1: "
            "it is a share of the largest value"
        )
        raise ValueError(msg)
