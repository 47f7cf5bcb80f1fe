"""A run of the store as a fitted model: its setting, fitted on its data."""

from dataclasses import dataclass
from typing import Any

from pages.shared.fits import live
from vstg.data import MultiTaskData
from vstg.jobs import Run, SearchRequest, Store
from vstg.model_selection.methods import Fitted, get_method
from vstg.problem import Problem
from vstg.solvers.result import VSTGResult
from vstg.tables import Preparation

CHOICES = {"setting": "least error", "one_se": "sparsest within one standard error"}


@dataclass(frozen=True, eq=False)
class StoredFit:
    """The model that a run stands for."""

    name: str
    result: Fitted
    train: MultiTaskData
    loss: str
    preparation: Preparation | None

    @property
    def savable(self) -> VSTGResult | None:
        """What a model file can hold: VSTG-MTL, no baseline."""
        return self.result if isinstance(self.result, VSTGResult) else None


def settings_of(run: Run) -> dict[str, dict[str, Any]]:
    """The settings that a run found or was given, by the name of the choice."""
    best = run.best or {}
    return {name: best[name] for name in CHOICES if isinstance(best.get(name), dict)}


def has_model(run: Run) -> bool:
    """Whether a run stands for a model: a fit, or a search that has ended well."""
    return run.kind in ("fit", "search") and bool(settings_of(run))


def stored_fit(store: Store, run: Run, choice: str = "setting") -> StoredFit:
    """Fit a setting of a run; remembered, for private runs in the session alone."""
    setting = settings_of(run)[choice]
    request: Any = run.request
    method = request.method if isinstance(request, SearchRequest) else "vstg"
    asked = (method, request.loss, request.fit_intercept)
    key = ("stored", run.data, *asked, tuple(sorted(setting.items())))
    memory = live.own_memory() if run.owner else live.memory()
    found = memory.get(key)
    if found is None:
        train = store.data(run.data)
        problem = Problem.of(train, request.loss, fit_intercept=request.fit_intercept)
        found = get_method(method).fit(problem, setting, None, None), train
        memory.put(key, found)
    text = run.source_values.get("preparation")
    preparation = None if text is None else Preparation.from_json(text)
    return StoredFit(run.name or str(run.id), *found, request.loss, preparation)
