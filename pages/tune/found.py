"""The result of "Find the settings" for a search's data, as a line of its table."""

from dataclasses import dataclass
from math import log2
from typing import Any

import pandas as pd

from pages.shared.runs import visits
from pages.shared.runs.opening import open_discovery
from vstg.jobs import DiscoveryRequest, Run, SearchRequest, Store
from vstg.jobs.kinds.discovery import read_found
from vstg.model_selection import SearchResult
from vstg.notation import STRENGTHS


@dataclass(frozen=True, eq=False)
class FoundChoice:
    """The setting that a discovery found, and where the figures mark it."""

    run: Run
    setting: dict[str, Any]
    mark: pd.Series

    @property
    def error(self) -> float:
        """Cross-validated, the whole search repeated within each fold."""
        return float(self.mark["error"])

    @property
    def n_variables(self) -> int:
        """Variables kept."""
        return int(self.mark["n_variables"])

    def open(self, store: Store) -> None:
        """Leave for Explore."""
        open_discovery(store, self.run)


def found_choice(store: Store, run: Run, result: SearchResult) -> FoundChoice | None:
    """The newest finding in the same data, fitted and evaluated in the same way."""
    asked: SearchRequest = run.request
    if not result.measure.endswith("mean_over_tasks"):
        return None  # a discovery reports the mean over tasks
    for other in visits.visible_runs(store, "discovery"):
        request: DiscoveryRequest = other.request
        alike = (other.data, request.loss, request.fit_intercept) == (
            run.data, asked.loss, asked.fit_intercept,
        )  # fmt: skip
        if alike and other.best is not None:
            return of_run(store, other, result)
    return None


def of_run(store: Store, run: Run, result: SearchResult) -> FoundChoice | None:
    """The finding of a run, with the closest values of the grid."""
    found = read_found(store, run)
    if found is None or run.best is None:
        return None
    exact = found.result.settings
    mark = {
        name: closest(name, getattr(exact, name), list(result.frame[name]))
        for name in result.parameters
        if hasattr(exact, name)
    }
    mark |= {
        "error": run.best["error"],
        "n_variables": run.best["n_variables"],
        "n_nonzero": int((found.result.W != 0).sum()),
    }
    return FoundChoice(run, exact.to_mapping(), pd.Series(mark))


def closest(name: str, value: float, tried: list[float]) -> float:
    """The value of the grid that a figure has for another one; strengths by ratio."""
    known = sorted({one for one in tried if one == one}) or [value]
    if name in STRENGTHS and value > 0 and known and known[0] > 0:
        return min(known, key=lambda one: abs(log2(one / value)))
    return min(known, key=lambda one: abs(one - value))
