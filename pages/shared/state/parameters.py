"""The state of the page, declared once.

A parameter has a key (the widget's and the URL's), a default and what it may be.
Widgets, links, presets, the Python snippet and the check of a link read it from here.
"""

from dataclasses import dataclass
from typing import Any

EXPONENTS = (-10, 3)  # the paper's grid: 2^-10 … 2^3


@dataclass(frozen=True)
class Span:
    """Numbers from ``low`` to ``high`` in steps."""

    low: float
    high: float
    step: float = 1

    def read(self, text: str) -> float:
        """The number written in a link; ValueError if it is none of these."""
        kind = int if isinstance(self.step, int) else float
        value = kind(text)
        if not self.low <= value <= self.high:
            msg = f"{value} is not between {self.low} and {self.high}"
            raise ValueError(msg)
        return value


@dataclass(frozen=True)
class OneOf:
    """One of some words or numbers, written in a link as they are shown."""

    options: tuple[Any, ...]
    labels: tuple[str, ...] = ()

    def label(self, option: Any) -> str:
        """How an option is shown."""
        if not self.labels:
            return str(option)
        return self.labels[self.options.index(option)]

    def read(self, text: str) -> Any:
        """The option that has this label; ValueError if there is none."""
        for option in self.options:
            if self.label(option) == text:
                return option
        msg = f"{text!r} is none of {self.options}"
        raise ValueError(msg)


@dataclass(frozen=True)
class Switch:
    """On or off."""

    def read(self, text: str) -> bool:
        """``true`` or ``false``."""
        if text not in ("true", "false"):
            msg = f"{text!r} is neither true nor false"
            raise ValueError(msg)
        return text == "true"


@dataclass(frozen=True)
class Name:
    """A name that only the data know; empty means none was chosen."""

    def read(self, text: str) -> str:
        """Any text: names that the data do not have are dropped later."""
        return text


Allowed = Span | OneOf | Switch | Name


@dataclass(frozen=True)
class Param:
    """One parameter of the page."""

    key: str
    default: Any
    allowed: Allowed

    def write(self, value: Any) -> str:
        """The value as a link has it."""
        if isinstance(self.allowed, OneOf):
            return self.allowed.label(value)
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, float) and value == int(value):
            return str(int(value))
        return str(value)


SIZES = {"25 × 20": (25, 20, 5), "100 × 60": (100, 60, 5), "500 × 200": (500, 200, 10)}
THRESHOLDS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3)
THRESHOLD_LABELS = ("zero is exact", *(f"zero is < {t:.0%}" for t in THRESHOLDS[1:]))
SYN = ("Syn1", "Syn2", "Syn3", "Syn4")
TAB_KEYS = ("groups", "variables", "convergence", "tasks", "share")

PARAMS: dict[str, Param] = {
    param.key: param
    for param in (
        Param("data", "Syn1", OneOf(SYN)),
        Param("size", "25 × 20", OneOf(tuple(SIZES))),
        Param("seed", 0, Span(0, 9999)),
        Param("n", 50, Span(5, 200, 5)),
        Param("noise", 1.0, Span(0.0, 3.0, 0.25)),
        Param("K", 5, Span(1, 13)),
        Param("k", 1, Span(1, 13)),
        Param("g1", -1, Span(*EXPONENTS)),
        Param("g2", -4, Span(*EXPONENTS)),
        Param("tie", True, Switch()),
        Param("mu", -1, Span(*EXPONENTS)),
        Param("solver", "fast", OneOf(("fast", "admm"), ("fast", "Algorithm 1"))),
        Param("starts", 1, OneOf((1, 2, 5, 10, 20, 50))),
        Param("view", "signed", OneOf(("signed", "magnitude", "pattern"))),
        Param("by_group", True, Switch()),
        Param("by_size", False, Switch()),
        Param("truth", True, Switch()),
        Param("zero", 0.0, OneOf(THRESHOLDS, THRESHOLD_LABELS)),
        Param("var", None, Name()),
        Param("task", None, Name()),
        # Of a fit that is too large for the picture: how much of it, and which part.
        Param("top", 60, OneOf((20, 60, 120, 200))),
        Param("vpage", 1, Span(1, 100_000)),
        Param("find", "", Name()),
        Param("group", "", Name()),
        Param("tpage", 1, Span(1, 100_000)),
    )
}


@dataclass(frozen=True)
class BadValue:
    """A value in a link that cannot be."""

    key: str
    value: str
    used: str


def check_link(query: dict[str, str]) -> list[BadValue]:
    """The values of a link that are not possible, and what is used instead."""
    bad = []
    for key, text in query.items():
        param = PARAMS.get(key)
        if param is None:
            continue
        try:
            param.allowed.read(text)
        except (ValueError, OverflowError):
            bad.append(BadValue(key, text, param.write(param.default)))
    return bad


def to_query(values: dict[str, Any]) -> dict[str, str]:
    """The link's parameters for a state: only what differs from the defaults."""
    return {
        key: PARAMS[key].write(value)
        for key, value in values.items()
        if key in PARAMS and value is not None and value != PARAMS[key].default
    }
