"""Compare a fit with plain models, which are fitted once per data set."""

from collections.abc import Callable, Mapping
from typing import Any

from pages.shared.data.catalogue import DataChoice
from pages.shared.fits import live
from vstg.data import Dataset
from vstg.metrics import errors_on
from vstg.model_selection.yardsticks import Yardsticks, are_quick, plain_models, scored

ROWS = "test rows"
PlainModels = Mapping[str, Any]
Plain = Callable[[], PlainModels]


def is_quick(data: Dataset) -> bool:
    """Whether the plain models are fitted while a visitor waits."""
    return are_quick(data.train)


def plain_models_of(choice: DataChoice, data: Dataset) -> Plain:
    """What gives the plain models of some data, fitted once.

    A page asks for it; a download may then call it outside of the page's own run.
    """
    memory, key = live.memory_of(choice), ("plain", choice)

    def plain() -> PlainModels:
        found = memory.get(key)
        if found is None:
            found = fitted(data)
            memory.put(key, found)
        return found

    return plain


def fitted(data: Dataset) -> PlainModels:
    """The plain models of some data; knows nothing of the session."""
    options: Any = {"loss": data.loss, "fit_intercept": data.fit_intercept}
    return plain_models(data.train, **options)


def against(choice: DataChoice, data: Dataset, result: Any) -> Yardsticks:
    """Fit and plain models on the test rows."""
    return beside(plain_models_of(choice, data)(), data, result)


def beside(plain: PlainModels, data: Dataset, result: Any) -> Yardsticks:
    """The same, with plain models that are there."""
    return scored(result, plain, data.test, loss=data.loss)


def evaluation(choice: DataChoice, data: Dataset, result: Any) -> dict[str, Any]:
    """What a model file says of a fit: errors, and plain models if they are shown."""
    if data.truth is None and is_quick(data):
        return against(choice, data, result).to_dict(ROWS)
    return errors_of(result, data)


def errors_of(result: Any, data: Dataset) -> dict[str, float | str]:
    """The errors alone, which take no time."""
    errors = errors_on(data.test, result.decision(data.test), loss=data.loss)
    return {
        "measure": errors.measure, "rows": ROWS, "error": errors.mean,
        "pooled": errors.pooled,
    }  # fmt: skip
