"""The data sets of the paper's experiments, repetition by repetition."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from vstg.data import Array, MultiTaskData
from vstg.datasets import (
    fetch_computer,
    fetch_mnist,
    fetch_parkinsons,
    fetch_school,
    fetch_usps,
    make_syn,
)


@dataclass(frozen=True, eq=False)
class Experiment:
    """One repetition: what is learnt from, chosen on and judged on.

    ``validation`` is None where parameters are chosen by folds of ``train``; ``W`` is
    the truth where it is known.
    """

    train: MultiTaskData
    test: MultiTaskData
    validation: MultiTaskData | None = None
    W: Array | None = None


@dataclass(frozen=True)
class DataSet:
    """A data set, the paper's reading of it or a variant that the paper leaves open.

    Attributes
    ----------
    load : (repetition, where to find files) → Experiment
    measures : columns of an outcome by the name of the paper's measure
    variant_of : the data set whose printed numbers it is held against
    """

    name: str
    label: str
    load: Callable[[int, Mapping[str, Any]], Experiment]
    measures: Mapping[str, str] = field(
        default_factory=lambda: {"rmse": "rmse_mean_over_tasks"}
    )
    loss: str = "squared"
    fit_intercept: bool = False
    variant_of: str | None = None

    @property
    def choice_measure(self) -> str:
        """What the search over settings minimises."""
        return next(iter(self.measures.values()))


def _syn(number: int, repetition: int, where: Mapping[str, Any]) -> Experiment:
    syn = make_syn(number, random_state=repetition)
    return Experiment(syn.train, syn.test, W=syn.W)


def _real(
    fetch: Callable[..., Any],
    options: Mapping[str, Any],
    repetition: int,
    where: Mapping[str, Any],
) -> Experiment:
    found = fetch(random_state=repetition, **options, **where)
    return Experiment(found.train, found.test, found.validation)


SYN_MEASURES = {"rmse": "rmse_mean_over_tasks", "ree": "ree"}
DIGIT_MEASURES = {"er": "multiclass_error_rate"}

_SYN = [
    DataSet(f"syn{n}", f"Syn{n}", partial(_syn, n), SYN_MEASURES) for n in (1, 2, 3, 4)
]


def _digits(name: str, label: str, fetch: Callable[..., Any]) -> DataSet:
    """One digit against nine: without an intercept no method comes near the paper."""
    load = partial(_real, fetch, {})
    return DataSet(name, label, load, DIGIT_MEASURES, "logistic", fit_intercept=True)


def _variant(of: DataSet, name: str, what: str, **changes: Any) -> DataSet:
    """The same data read in another way."""
    return replace(
        of,
        name=f"{of.name}-{name}",
        label=f"{of.label}, {what}",
        variant_of=of.name,
        **changes,
    )


SCHOOL = DataSet("school", "School exam", partial(_real, fetch_school, {}))
PARKINSONS = DataSet("parkinsons", "Parkinson", partial(_real, fetch_parkinsons, {}))
COMPUTER = DataSet("computer", "Computer survey", partial(_real, fetch_computer, {}))
MNIST = _digits("mnist", "MNIST", fetch_mnist)
USPS = _digits("usps", "USPS", fetch_usps)

_FREE = ("intercept", "intercept without penalty")
_PLAIN = ("plain", "no intercept")
_COMPONENTS = ("components", "components scaled, not pixels")
_VARIANTS = [
    _variant(
        SCHOOL,
        "raw",
        "not scaled",
        load=partial(_real, fetch_school, {"scale": False}),
    ),
    _variant(
        SCHOOL,
        *_FREE,
        load=partial(_real, fetch_school, {"bias": False}),
        fit_intercept=True,
    ),
    _variant(PARKINSONS, *_FREE, fit_intercept=True),
    _variant(
        COMPUTER,
        *_FREE,
        load=partial(_real, fetch_computer, {"bias": False}),
        fit_intercept=True,
    ),
    _variant(MNIST, *_PLAIN, fit_intercept=False),
    _variant(USPS, *_PLAIN, fit_intercept=False),
    _variant(
        MNIST,
        *_COMPONENTS,
        load=partial(_real, fetch_mnist, {"scaled": "components"}),
    ),
    _variant(
        USPS,
        *_COMPONENTS,
        load=partial(_real, fetch_usps, {"scaled": "components"}),
    ),
]
_REAL = (SCHOOL, PARKINSONS, COMPUTER, MNIST, USPS)
DATA_SETS: dict[str, DataSet] = {s.name: s for s in (*_SYN, *_REAL, *_VARIANTS)}


def get_data_set(name: str) -> DataSet:
    """A data set by its name."""
    if name not in DATA_SETS:
        msg = f"data set {name!r} is unknown; choose one of {list(DATA_SETS)}"
        raise ValueError(msg)
    return DATA_SETS[name]
