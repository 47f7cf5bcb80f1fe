"""Methods compared over repeated experiments: means, signed ranks, the best one."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtr

from vstg.data import Array

EXACT_UP_TO = 200  # pairs; beyond, the normal approximation is as good
DIGITS = 12  # differences equal to so many digits, as parts of the largest, are ties


class SignedRank(NamedTuple):
    """A paired test of two methods: p-value, and who has the smaller values.

    ``direction`` is -1 if the first has, +1 if the second has, 0 if neither.
    """

    p_value: float
    direction: int
    n_pairs: int


@dataclass(frozen=True, eq=False)
class Comparison:
    """One measure of several methods over repetitions.

    Attributes
    ----------
    values : DataFrame, one row per repetition and one column per method
    p_values : DataFrame, method by method
        Two-sided Wilcoxon signed-rank tests, 1 on the diagonal; nan where two methods
        have no repetition in common.
    p_holm : DataFrame
        The same, corrected by Holm for the number of pairs.
    summary : DataFrame, one row per method
        ``mean``, ``sd``, ``n`` repetitions, ``text`` ("1.0456 ± 0.0228"), ``is_best``
        and ``p_rival``, the largest p-value against another method.
    alpha : float
    """

    values: pd.DataFrame
    p_values: pd.DataFrame
    p_holm: pd.DataFrame
    summary: pd.DataFrame
    alpha: float

    @property
    def best(self) -> Hashable | None:
        """The method that is significantly better than every other, if there is one."""
        winners = self.summary.index[self.summary["is_best"]]
        return winners[0] if len(winners) else None

    @property
    def smallest_p(self) -> float:
        """2^(1−n), the least p-value of n repetitions; five cannot reach 5 %."""
        return float(2.0 ** (1 - len(self.values)))


def signed_rank_test(a: Array, b: Array) -> SignedRank:
    r"""Wilcoxon's signed-rank test of paired values, two-sided.

    With the differences :math:`d_i = a_i - b_i` and the ranks :math:`r_i` of
    :math:`|d_i|`, the statistic is :math:`R = \sum_{d_i > 0} r_i`. If signs are random
    each of the :math:`2^n` patterns is as likely, and p is the share of those with R
    as far from its mean :math:`\sum r_i / 2`.

    Notes
    -----
    Pairs with a missing value are left out, and so are zero differences, as Wilcoxon
    did. Equal differences share the mean of their ranks, and the distribution is that
    of these very ranks, exact with ties too (normal beyond 200 pairs). Differences are
    compared to twelve digits: 0.3 − 0.2 and 0.2 − 0.1 are a tie.
    """
    d = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    d = d[~np.isnan(d)]
    n_pairs = len(d)
    if n_pairs == 0:
        return SignedRank(np.nan, 0, 0)
    d = np.round(d / (np.abs(d).max() or 1.0), DIGITS)
    d = d[d != 0.0]
    if len(d) == 0:
        return SignedRank(1.0, 0, n_pairs)
    # Mean ranks of ties are halves: doubled, all ranks are whole numbers.
    ranks = np.rint(2.0 * pd.Series(np.abs(d)).rank()).astype(np.int64)
    excess = 2 * int(ranks[d > 0].sum()) - int(ranks.sum())
    tail = _exact_tail if len(d) <= EXACT_UP_TO else _normal_tail
    return SignedRank(tail(ranks, abs(excess)), int(np.sign(excess)), n_pairs)


def _exact_tail(ranks: np.ndarray, excess: int) -> float:
    """P(|2R − Σr| ≥ excess) under random signs."""
    total = int(ranks.sum())
    shares = np.zeros(total + 1)
    shares[0] = 1.0
    for rank in ranks:  # each rank is in R or not, with probability ½
        moved = np.zeros_like(shares)
        moved[rank:] = shares[:-rank]
        shares = 0.5 * (shares + moved)
    far = np.abs(2 * np.arange(total + 1) - total) >= excess
    return min(1.0, float(shares[far].sum()))


def _normal_tail(ranks: np.ndarray, excess: int) -> float:
    """The same, with the variance Σr² of 2R − Σr."""
    return float(2.0 * ndtr(-excess / np.sqrt(float((ranks**2).sum()))))


def holm_correction(p_values: Array) -> Array:
    r"""Holm's p-values, which keep the chance of any false claim at α.

    Sorted, :math:`\tilde p_{(i)} = \max_{l \le i} \min(1, (m - l + 1) p_{(l)})`; nan
    stays nan and does not count.
    """
    p = np.asarray(p_values, dtype=float)
    adjusted = np.full(p.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(factors * p[order]))
    return adjusted


def compare_methods(
    frame: pd.DataFrame,
    *,
    method: str = "method",
    repetition: str = "repetition",
    value: str = "value",
    lower_is_better: bool = True,
    alpha: float = 0.05,
    digits: int = 4,
) -> Comparison:
    """Compare methods on one measure, as Tables 1 and 2 of the paper do.

    Parameters
    ----------
    frame : DataFrame
        One row per method and repetition. Repetitions with the same name are paired:
        all methods must have been run on the same data.
    method, repetition, value : names of the columns
    lower_is_better : bool
        Whether the measure is an error.
    alpha : float
        Level of the tests.
    digits : int
        Decimals of ``text``.

    Notes
    -----
    A method is best (bold in the paper) if it is significantly better than every
    other, each by its own test at ``alpha``. That claim is an intersection of claims
    and needs no correction; to single out pairs, use ``p_holm``. A method on its own
    is never best. Missing values are left out pair by pair, and ``n`` shows how many
    remain.
    """
    if not 0.0 < alpha < 1.0:
        msg = f"alpha={alpha!r} must lie between 0 and 1"
        raise ValueError(msg)
    values = _pivot(frame, method, repetition, value)
    p_values, p_holm, directions = _test_pairs(values)
    towards = -1 if lower_is_better else 1
    beats = (p_values < alpha) & (directions == towards)
    wins = beats.sum(axis=1)
    apart = p_values.where(~np.eye(len(p_values), dtype=bool))
    summary = pd.DataFrame(
        {
            "mean": values.mean(),
            "sd": values.std(ddof=1),
            "n": values.notna().sum(),
            "is_best": (wins == len(wins) - 1) & (len(wins) > 1),
            "p_rival": apart.max(axis=1),
        }
    )
    texts = [
        format_mean(mean, sd, digits)
        for mean, sd in zip(summary["mean"], summary["sd"], strict=True)
    ]
    summary.insert(3, "text", texts)
    return Comparison(values, p_values, p_holm, summary, alpha)


def format_mean(mean: float, sd: float, digits: int = 4) -> str:
    """ "1.0456 ± 0.0228", without the second part for a single repetition."""
    if np.isnan(mean):
        return "–"
    if np.isnan(sd):
        return f"{mean:.{digits}f}"
    return f"{mean:.{digits}f} ± {sd:.{digits}f}"


def _pivot(
    frame: pd.DataFrame, method: str, repetition: str, value: str
) -> pd.DataFrame:
    """One row per repetition, one column per method in order of appearance."""
    missing = [name for name in (method, repetition, value) if name not in frame]
    if missing:
        msg = f"columns {missing} are not in the frame; it has {list(frame.columns)}"
        raise ValueError(msg)
    if frame.empty:
        msg = "the frame has no rows: give one per method and repetition"
        raise ValueError(msg)
    twice = frame.duplicated([method, repetition])
    if twice.any():
        row = frame[twice].iloc[0]
        msg = (
            f"method {row[method]} has several values in repetition "
            f"{row[repetition]}: compare one measure at a time"
        )
        raise ValueError(msg)
    if np.isinf(frame[value].to_numpy(dtype=float, na_value=np.nan)).any():
        msg = f"column {value!r} has infinite values: leave out failed runs"
        raise ValueError(msg)
    wide = frame.pivot(index=repetition, columns=method, values=value)
    return wide[frame[method].unique()].astype(float)


def _test_pairs(
    values: pd.DataFrame,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """p-values, Holm's, and directions of all pairs, method by method."""
    methods = values.columns
    rows, columns = np.triu_indices(len(methods), k=1)
    array = values.to_numpy()
    tests = [
        signed_rank_test(array[:, first], array[:, second])
        for first, second in zip(rows, columns, strict=True)
    ]
    raw = np.array([test.p_value for test in tests], dtype=float)
    p, holm = np.ones((2, len(methods), len(methods)))
    for matrix, entries in ((p, raw), (holm, holm_correction(raw))):
        matrix[rows, columns] = matrix[columns, rows] = entries
    direction = np.zeros((len(methods), len(methods)), dtype=int)
    direction[rows, columns] = [test.direction for test in tests]
    direction -= direction.T
    across = methods.rename(None)
    return (
        pd.DataFrame(p, index=methods, columns=across),
        pd.DataFrame(holm, index=methods, columns=across),
        pd.DataFrame(direction, index=methods, columns=across),
    )
