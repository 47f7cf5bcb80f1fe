"""How good a fit is beside plain models, which are fitted once for some data."""

from dataclasses import replace
from typing import Any

from pages.shared.data.catalogue import DataChoice
from pages.shared.fits import live
from vstg.data import Dataset
from vstg.metrics import errors_on
from vstg.model_selection.yardsticks import Yardsticks, are_quick, plain_models, scored
from vstg.prediction import Predictor

ROWS = "test rows"


def is_quick(data: Dataset) -> bool:
    """Whether the plain models are fitted while a visitor waits."""
    return are_quick(data.train)


def against(choice: DataChoice, data: Dataset, result: Any) -> Yardsticks:
    """Fit and plain models on the test rows."""
    memory, key = live.memory_of(choice), ("plain", choice)
    plain = memory.get(key)
    if plain is None:
        plain = fitted(data)
        memory.put(key, plain)
    return scored(result, plain, data.test, loss=data.loss)


def fitted(data: Dataset) -> dict[str, Any]:
    """The plain models of some data; knows nothing of the session."""
    options: Any = {"loss": data.loss, "fit_intercept": data.fit_intercept}
    return dict(plain_models(data.train, **options))


def evaluated(model: Predictor, data: Dataset, plain: dict[str, Any]) -> Predictor:
    """The model with its errors and those of plain models, for its file."""
    found = scored(model.result, plain, data.test, loss=data.loss)
    return replace(model, evaluation=found.to_dict(ROWS))


def errors_of(result: Any, data: Dataset) -> dict[str, float | str]:
    """The errors alone, which take no time."""
    errors = errors_on(data.test, result.decision(data.test), loss=data.loss)
    return {
        "measure": errors.measure, "rows": ROWS, "error": errors.mean,
        "pooled": errors.pooled,
    }  # fmt: skip
