"""The interface of every kind of run, and the list of all kinds.

A kind is one module of :mod:`vstg.jobs.kinds`. Store, queue and pages know none of them
by name: they ask the entry of :data:`KINDS`.
"""

import json
from dataclasses import asdict, dataclass, fields
from math import isfinite
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

import msgspec

from vstg.bounded import clean_text

if TYPE_CHECKING:
    from vstg.jobs.store.chains import Scope
    from vstg.jobs.store.run import Run
    from vstg.jobs.store.store import Store

R = TypeVar("R")

# Types of the fields of requests: what JSON from a store or a file may hold.
MOST = 2**53  # beyond it JavaScript and floats lose whole numbers
Number = int | float | None
Setting = dict[str, Number]
Grid = dict[str, list[Number]]
Count = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
Seed = Annotated[int, msgspec.Meta(gt=-MOST, lt=MOST)]


@dataclass(frozen=True, kw_only=True)
class FittingRequest:
    """The fields of every request that fits models."""

    loss: str = "squared"
    fit_intercept: bool = False

    @property
    def fitting(self) -> dict[str, Any]:
        """Return loss and intercept as the library's functions take them."""
        return {"loss": self.loss, "fit_intercept": self.fit_intercept}


class Kind(Generic[R]):
    """A kind of run.

    Attributes
    ----------
    request : a frozen dataclass of plain values; its ``kind`` is the name in the store
    label : what users call it
    unit : what its progress is counted in
    """

    request: type[R]
    label: str
    unit = "fits"

    def run(self, store: "Store", run: "Run", stop: Event) -> None:
        """Do the work in a worker process; keep every finished part in the store.

        When ``stop`` is set, return soon. Called again it does what is missing.
        """
        raise NotImplementedError

    def read(self, store: "Store", run: "Run") -> None:
        """Read all results that pages read; ValueError if they cannot be used.

        A run from a file is shown to everybody only after this has passed.
        """
        raise NotImplementedError

    def check(self, request: R) -> None:
        """Reject (ValueError) a request whose names or values mean nothing here."""

    def count(self, request: R) -> int:
        """How many fits it takes at most; see :mod:`vstg.jobs.queue.limits`."""
        return 1

    def describe(self, request: R) -> str:
        """Describe the request in a few words, for a list of runs."""
        raise NotImplementedError

    def headline(self, run: "Run") -> tuple[str, str]:
        """Describe the result by a number and a few words, for a list of runs."""
        return "–", ""

    def data(self, request: R) -> set[str]:
        """Fingerprints of the data that the request names besides the run's own."""
        return set()

    def here(self, request: R) -> R:
        """Return the request without addresses and folders of another machine."""
        return request

    def scope(self, request: R, data: str, code: str) -> "Scope | None":
        """What the chains of a run have in common; None if its results have none."""
        return None


KINDS: dict[str, Kind[Any]] = {}


def register(kind: Kind[Any]) -> None:
    """Add a kind to the list."""
    KINDS[kind.request.kind] = kind


def get_kind(name: str) -> Kind[Any]:
    """Return a kind by its name in the store."""
    if name not in KINDS:
        msg = f"a run of kind {name!r} is unknown; this vstg knows {sorted(KINDS)}"
        raise ValueError(msg)
    return KINDS[name]


def as_json(value: Any) -> str:
    """Return text that is equal for equal values, and valid Unicode."""
    text = json.dumps(
        value,
        sort_keys=True,
        separators=(",", ":"),
        default=_plain,
        ensure_ascii=False,
    )
    return clean_text(text)


def _plain(value: Any) -> Any:
    if hasattr(value, "item"):
        return value.item()
    msg = f"{value!r} of type {type(value).__name__} cannot be stored"
    raise TypeError(msg)


def write_request(request: Any) -> str:
    """Return the request as the store keeps it."""
    return as_json(asdict(request))


def read_request(kind: str, text: str) -> Any:
    """Read a request; unknown kinds, fields and types are rejected."""
    request = get_kind(kind).request
    given = decode(text, dict[str, msgspec.Raw])
    unknown = sorted(set(given) - {field.name for field in fields(request)})
    if unknown:
        msg = (
            f"a run of kind {kind!r} has fields that this vstg does not know: {unknown}"
        )
        raise ValueError(msg)
    return decode(text, request)


def decode(text: str | bytes, kind: Any) -> Any:
    """Read JSON of exactly this type; ValueError says what is wrong where."""
    try:
        return msgspec.json.decode(text, type=kind)
    except (RecursionError, UnicodeEncodeError) as error:
        msg = "it is not the JSON that vstg writes"
        raise ValueError(msg) from error


def check_setting(setting: Setting, needed: tuple[str, ...] = ()) -> None:
    """Reject anything that is not a setting of a method."""
    for name, value in setting.items():
        _need(name in SETTING, "setting", name)
        if value is not None:
            _need(isinstance(value, SETTING[name]), name, value)
            _need(isfinite(value) and 0 <= value < MOST, name, value)
    for name in needed:
        _need(setting.get(name) is not None, name, None)


SETTING: dict[str, Any] = {
    "n_latent": int, "k": int, "gamma1": int | float, "gamma2": int | float,
    "mu": int | float, "cut": int | float, "relax": int | float,
    "alpha": int | float,
}  # fmt: skip
VSTG_SETTING = ("n_latent", "k", "gamma1", "gamma2")


def _need(good: bool, name: str, value: Any) -> None:
    if not good:
        msg = f"its {name} cannot be {str(value)[:60]!r}"
        raise ValueError(msg)
