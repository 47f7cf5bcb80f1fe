"""The data behind the figures of a search, as tables."""

from collections.abc import Sequence

import numpy as np
import pandas as pd


def keep_best(summary: pd.DataFrame, share: float) -> pd.DataFrame:
    """The given share of settings with the lowest errors, at least one."""
    n_kept = max(1, int(np.ceil(share * len(summary))))
    return summary.nsmallest(n_kept, "error")


def keep_between(
    summary: pd.DataFrame, ranges: dict[str, tuple[float, float]]
) -> pd.DataFrame:
    """The settings within all ranges, including both ends."""
    kept = np.ones(len(summary), dtype=bool)
    for name, (low, high) in ranges.items():
        values = summary[name].to_numpy(dtype=float)
        kept &= (values >= low) & (values <= high)
    return summary[kept]


def best_so_far(
    frame: pd.DataFrame, parameters: Sequence[str], measure: str, n_folds: int
) -> pd.DataFrame:
    """Lowest mean error after each evaluated cell, in the order of evaluation.

    A setting counts, with its mean error, once it was evaluated on ``n_folds`` folds: a
    mean over fewer folds is not comparable. Until then the error is missing.
    """
    key = frame.groupby(list(parameters), sort=False, dropna=False).ngroup()
    seen = frame.groupby(key).cumcount() + 1
    means = frame.groupby(key)[measure].cumsum() / seen
    curve = means.where(seen == n_folds).cummin().ffill()
    return pd.DataFrame({"cells": np.arange(1, len(frame) + 1), "error": curve})


def error_by(summary: pd.DataFrame, parameter: str) -> pd.DataFrame:
    """The best setting for each value of a parameter: ``error`` and ``se``."""
    best = summary.loc[summary.groupby(parameter)["error"].idxmin()]
    return best[[parameter, "error", "se"]].sort_values(parameter, ignore_index=True)


def parameter_importance(
    summary: pd.DataFrame, parameters: Sequence[str]
) -> pd.DataFrame:
    r"""Share of the variance of the error that each parameter explains alone.

    :math:`\mathrm{Var}(E[e \mid p]) / \mathrm{Var}(e)` over the settings at hand, on
    ranks of the error so that a few very bad settings do not dominate. The rest is due
    to parameters acting together.
    """
    ranks = summary["error"].rank()
    total = float(ranks.var(ddof=0))
    shares = {}
    for name in parameters:
        groups = ranks.groupby(summary[name])
        means, sizes = groups.mean(), groups.size()
        between = float(((means - ranks.mean()) ** 2 * sizes).sum() / len(ranks))
        shares[name] = between / total if total > 0 else 0.0
    table = pd.DataFrame({"parameter": list(shares), "share": list(shares.values())})
    return table.sort_values("share", ascending=False, ignore_index=True)


def pareto_front(summary: pd.DataFrame, sparsity: str = "n_variables") -> pd.DataFrame:
    """Settings that no other beats in both error and sparsity, sparsest first."""
    ordered = summary.sort_values([sparsity, "error"], kind="stable")
    best_before = ordered["error"].cummin().shift(fill_value=np.inf)
    return ordered[ordered["error"] < best_before]


def error_grid(
    summary: pd.DataFrame, fixed: dict[str, object], rows: str, columns: str
) -> pd.DataFrame:
    """Errors with one row per value of one parameter and one column per of another."""
    chosen = summary
    for name, value in fixed.items():
        chosen = chosen[chosen[name] == value]
    return chosen.pivot_table(index=rows, columns=columns, values="error").sort_index()
