"""What a run is asked to do: plain values that a file can hold."""

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from vstg.model_selection.search import SEARCH_TOL


@dataclass(frozen=True, kw_only=True)
class SearchRequest:
    """A grid search; ``validation`` names stored data to be judged on, or no folds."""

    method: str = "vstg"
    grid: dict[str, list[Any]] = field(default_factory=dict)
    folds: int = 10
    repeats: int = 1
    seed: int = 0
    validation: str | None = None
    loss: str = "squared"
    fit_intercept: bool = False
    measure: str | None = None
    halving: bool = False
    tol: float | None = SEARCH_TOL
    n_jobs: int = 1
    scheduler: str | None = None

    kind = "search"

    @property
    def protocol(self) -> str:
        """What besides data, method, setting, fold and seed decides on a cell."""
        return as_json(
            {
                "loss": self.loss,
                "fit_intercept": self.fit_intercept,
                "tol": self.tol,
                "judged": self.validation or [self.folds, self.repeats],
            }
        )


@dataclass(frozen=True, kw_only=True)
class StabilityRequest:
    """The same fit on many resamples."""

    setting: dict[str, Any]
    n_resamples: int = 100
    scheme: str = "subsample"
    seed: int = 0
    loss: str = "squared"
    fit_intercept: bool = False
    n_jobs: int = 1

    kind = "stability"
    method = "vstg"

    @property
    def protocol(self) -> str:
        """What besides data and seed decides on a resample; their number does not."""
        return as_json(
            {
                "resampled": self.scheme,
                "setting": self.setting,
                "loss": self.loss,
                "fit_intercept": self.fit_intercept,
                "tol": SEARCH_TOL,
            }
        )


@dataclass(frozen=True, kw_only=True)
class ComparisonRequest:
    """Methods on the same splits; ``splits`` names (training, test) data."""

    methods: list[str]
    grids: dict[str, dict[str, list[Any]]]
    splits: list[list[str]]
    folds: int = 5
    seed: int = 0
    loss: str = "squared"
    fit_intercept: bool = False
    n_jobs: int = 1

    kind = "comparison"


@dataclass(frozen=True, kw_only=True)
class FitRequest:
    """One fit with fixed settings, kept to be compared."""

    setting: dict[str, Any]
    loss: str = "squared"
    fit_intercept: bool = False

    kind = "fit"


@dataclass(frozen=True, kw_only=True)
class ReproductionRequest:
    """A table of the paper; ``data_dir`` is a folder with the real data sets."""

    exhibit: str
    effort: str = "full"
    sets: list[str]
    columns: list[str]
    repetitions: int
    data_dir: str | None = None
    n_jobs: int = 1
    scheduler: str | None = None

    kind = "reproduction"


Request = (
    SearchRequest
    | StabilityRequest
    | ComparisonRequest
    | FitRequest
    | ReproductionRequest
)
KINDS: dict[str, type[Request]] = {
    request.kind: request
    for request in (
        SearchRequest,
        StabilityRequest,
        ComparisonRequest,
        FitRequest,
        ReproductionRequest,
    )
}


def as_json(value: Any) -> str:
    """Text that is equal for equal values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=_plain)


def _plain(value: Any) -> Any:
    if hasattr(value, "item"):
        return value.item()
    msg = f"{value!r} of type {type(value).__name__} cannot be stored"
    raise TypeError(msg)


def write_request(request: Request) -> str:
    """The request as the store keeps it."""
    return as_json(asdict(request))


def read_request(kind: str, text: str) -> Request:
    """The request that was written; unknown kinds and fields are refused."""
    if kind not in KINDS:
        msg = f"a run of kind {kind!r} is unknown; this vstg knows {sorted(KINDS)}"
        raise ValueError(msg)
    try:
        return KINDS[kind](**json.loads(text))
    except TypeError as error:
        msg = f"a run of kind {kind!r} has fields that this vstg does not know: {error}"
        raise ValueError(msg) from error
