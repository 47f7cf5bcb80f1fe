"""The table of a search and what is chosen from it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd


@dataclass(frozen=True, eq=False)
class SearchProgress:
    """How far a search has come; given to its callback."""

    done: int
    total: int
    best: dict[str, Any]
    best_error: float
    seconds: float

    @property
    def seconds_left(self) -> float:
        """Expected, at the pace so far."""
        if self.done == 0:
            return np.inf
        return self.seconds / self.done * (self.total - self.done)


@dataclass(frozen=True, eq=False)
class SearchResult:
    """One row per setting and fold, and the choices that follow from it.

    Attributes
    ----------
    frame : parameters, ``repeat``, ``fold``, the errors, ``n_variables``,
        ``n_nonzero`` (of W), ``objective``, ``n_iter``, ``converged``, ``skipped``
        (zero by proof, not fitted), ``seconds``, ``round`` (of halving)
    measure : the column that is minimised
    cancelled : whether the search was stopped before its end
    """

    frame: pd.DataFrame
    method: str
    parameters: tuple[str, ...]
    measure: str
    cancelled: bool
    seconds: float

    def summary(self) -> pd.DataFrame:
        """Mean error, its standard error and sparsity by setting, best first.

        Only settings evaluated on the largest number of folds: after a halving or a
        cancelled search the others lack some.
        """
        return self._summary.copy()

    @cached_property
    def _summary(self) -> pd.DataFrame:
        if self.frame.empty:
            return self.frame
        groups = self.frame.groupby(list(self.parameters), sort=False, dropna=False)
        table = groups.agg(
            error=(self.measure, "mean"),
            sd=(self.measure, "std"),
            n_folds=(self.measure, "size"),
            n_variables=("n_variables", "mean"),
            n_nonzero=("n_nonzero", "mean"),
        ).reset_index()
        table = table[table["n_folds"] == table["n_folds"].max()]
        table["se"] = table.pop("sd") / np.sqrt(table["n_folds"])
        return table.sort_values("error", kind="stable", ignore_index=True)

    @property
    def best(self) -> dict[str, Any]:
        """The setting of the least mean error."""
        return self._setting(self._checked_summary().iloc[0])

    @property
    def one_se(self) -> dict[str, Any]:
        """The sparsest setting within one standard error of the best.

        Sparsest: fewest variables, then fewest non-zero coefficients (means over the
        folds), then least error. Its strengths may be smaller than those of the best:
        other parameters make a model sparse too. With one fold there is no standard
        error and this is the best.
        """
        table = self._checked_summary()
        spread = table["se"].iloc[0] if np.isfinite(table["se"].iloc[0]) else 0.0
        near = table[table["error"] <= table["error"].iloc[0] + spread]
        order = ["n_variables", "n_nonzero", "error"]
        return self._setting(near.sort_values(order, kind="stable").iloc[0])

    @property
    def best_error(self) -> float:
        """The least mean error."""
        return float(self._checked_summary()["error"].iloc[0])

    def _checked_summary(self) -> pd.DataFrame:
        if self.frame.empty:
            msg = (
                "the search was cancelled before its first fit; nothing to choose from"
            )
            raise ValueError(msg)
        return self._summary

    def _setting(self, row: pd.Series) -> dict[str, Any]:
        counts = {"n_latent", "k"}
        return {
            name: int(row[name]) if name in counts else _plain(row[name])
            for name in self.parameters
        }


def _plain(value: Any) -> float | None:
    return None if value is None or np.isnan(value) else float(value)
