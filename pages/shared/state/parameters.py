"""The controls, declared once: key, default, allowed values and what each one fills.

Widgets, links, presets, runs and the Python code all read this registry. A setting gets
a control by one line in ``PARAMS`` and its words in ``CONTROLS`` (see words.py).
"""

from dataclasses import dataclass
from math import log2
from typing import Any

from pages.shared.state import keys


@dataclass(frozen=True)
class Interval:
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

    def nearest(self, value: float) -> float:
        """The position of the control that comes closest to a value."""
        return min(max(value, self.low), self.high)

    def value(self, control: float) -> float:
        """What a position of the control stands for."""
        return control

    def place(self, value: float) -> float:
        """Where a value lies on the control, also between two positions."""
        return min(max(value, self.low), self.high)

    def positions(self) -> tuple[float, ...]:
        """All positions of the control."""
        count = round((self.high - self.low) / self.step)
        return tuple(self.low + self.step * n for n in range(count + 1))


@dataclass(frozen=True)
class Powers(Interval):
    """Powers of two; the control moves their exponent."""

    def nearest(self, value: float) -> float:
        """The exponent that comes closest to a strength."""
        return self.low if value <= 0 else super().nearest(round(log2(value)))

    def value(self, control: float) -> float:
        """2 to the exponent."""
        return 2.0 ** int(control)

    def place(self, value: float) -> float:
        """The exponent."""
        return self.low if value <= 0 else super().place(log2(value))


@dataclass(frozen=True)
class Percent(Interval):
    """Shares; the control moves their percentage."""

    def nearest(self, value: float) -> float:
        """The position that comes closest to a share."""
        return super().nearest(int(self.step) * round(100 * value / self.step))

    def value(self, control: float) -> float:
        """The share."""
        return control / 100

    def place(self, value: float) -> float:
        """The percentage."""
        return super().place(100 * value)


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

    def nearest(self, value: Any) -> Any:
        """The option itself, or the closest number below it."""
        if value in self.options:
            return value
        return max(
            (one for one in self.options if one <= value), default=self.options[0]
        )

    def value(self, control: Any) -> Any:
        """An option stands for itself."""
        return control


@dataclass(frozen=True)
class Switch:
    """On or off."""

    def read(self, text: str) -> bool:
        """``true`` or ``false``."""
        if text not in ("true", "false"):
            msg = f"{text!r} is neither true nor false"
            raise ValueError(msg)
        return text == "true"

    def nearest(self, value: Any) -> bool:
        """The value itself."""
        return bool(value)

    def value(self, control: bool) -> Any:
        """The position itself."""
        return control


@dataclass(frozen=True)
class Refit(Switch):
    """On is a refit without penalties, off keeps them: ``relax`` of 0 or 1."""

    def nearest(self, value: float) -> bool:
        """On as soon as some of the penalties are left out."""
        return value < 1

    def value(self, control: bool) -> float:
        """The share of the penalties that is kept."""
        return 0.0 if control else 1.0


@dataclass(frozen=True)
class Name:
    """A name that only the data know; empty means none was chosen."""

    def read(self, text: str) -> str:
        """Any text: names that the data do not have are dropped later."""
        return text

    def nearest(self, value: str) -> str:
        """The value itself."""
        return value

    def value(self, control: str | None) -> str | None:
        """The name itself."""
        return control


Allowed = Interval | OneOf | Switch | Name


@dataclass(frozen=True)
class Param:
    """One control, and the field of the record that it fills.

    ``record`` is "data", "settings", "effort" or "view"; a control without a ``field``
    only steers others.
    """

    key: str
    default: Any
    allowed: Allowed
    record: str
    field: str = ""

    def write(self, value: Any) -> str:
        """The value as a link has it."""
        if isinstance(self.allowed, OneOf):
            return self.allowed.label(value)
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, float) and value == int(value):
            return str(int(value))
        return str(value)

    def accepts(self, value: Any) -> bool:
        """Whether the control can have a value; one from a file need not."""
        try:
            self.allowed.read(self.write(value))
        except (ValueError, OverflowError, TypeError):
            return False
        return True


EXPONENTS = (-10, 3)  # the paper's grid: 2^-10 … 2^3
MAX_BASES = 13
SIZES = {"25 × 20": (25, 20, 5), "100 × 60": (100, 60, 5), "500 × 200": (500, 200, 10)}
SYN = ("Syn1", "Syn2", "Syn3", "Syn4")
SHOPS = "Shops"  # a story that needs no paper
YOURS = "Yours"  # where the visitor brought data
STARTS = (1, 2, 5, 10, 20, 50)
THRESHOLDS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3)
THRESHOLD_LABELS = (
    "Treat as zero: exact zeros only",
    *(f"Treat as zero: below {t:.0%}" for t in THRESHOLDS[1:]),
)
TAB_KEYS = ("groups", "variables", "convergence", "tasks", "share")
# A link has what a list shows. What was shown once must still open.
RENAMED: dict[str, dict[str, str]] = {
    keys.ZERO: {
        old: THRESHOLD_LABELS[n]
        for n, old in enumerate(
            ("zero is exact", *(f"zero is < {t:.0%}" for t in THRESHOLDS[1:]))
        )
    },
    keys.TAB: {"Share and take away": "Share and export"},
}

PARAMS: dict[str, Param] = {
    param.key: param
    for param in (
        Param(keys.DATA, "Syn1", OneOf((SHOPS, *SYN)), "data", "source"),
        Param(keys.SIZE, "25 × 20", OneOf(tuple(SIZES)), "data", "size"),
        Param(keys.SEED, 0, Interval(0, 9999), "data", "seed"),
        Param(keys.N_TRAIN, 50, Interval(5, 200, 5), "data", "n_train"),
        Param(keys.NOISE, 1.0, Interval(0.0, 3.0, 0.25), "data", "noise"),
        Param(keys.N_LATENT, 5, Interval(1, MAX_BASES), "settings", "n_latent"),
        Param(keys.K_SUPPORT, 1, Interval(1, MAX_BASES), "settings", "k"),
        Param(keys.GAMMA1, -1, Powers(*EXPONENTS), "settings", "gamma1"),
        Param(keys.GAMMA2, -4, Powers(*EXPONENTS), "settings", "gamma2"),
        Param(keys.TIE, True, Switch(), "settings"),
        Param(keys.MU, -1, Powers(*EXPONENTS), "settings", "mu"),
        Param(keys.CUT, 0, Percent(0, 50, 5), "settings", "cut"),
        Param(keys.REFIT, False, Refit(), "settings", "relax"),
        Param(keys.EXACT, "", Name(), "settings"),  # see exact.py
        Param(
            keys.SOLVER, "fast", OneOf(("fast", "admm"), ("fast", "Algorithm 1")),
            "effort", "solver",
        ),
        Param(keys.STARTS, 1, OneOf(STARTS), "effort", "n_init"),
        Param(
            keys.VIEW, "signed", OneOf(("signed", "magnitude", "pattern")),
            "view", "view",
        ),
        Param(keys.BY_GROUP, True, Switch(), "view", "by_group"),
        Param(keys.BY_SIZE, False, Switch(), "view", "by_size"),
        Param(keys.TRUTH, True, Switch(), "view", "truth"),
        Param(keys.CURVES, True, Switch(), "view", "curves"),
        Param(keys.PAPER, False, Switch(), "view", "paper"),
        # Only in links from before there was a cut, which does this to the model.
        Param(keys.ZERO, 0.0, OneOf(THRESHOLDS, THRESHOLD_LABELS), "view", "zero"),
        Param(keys.VARIABLE, None, Name(), "view", "variable"),
        Param(keys.TASK, None, Name(), "view", "task"),
        # Of a fit that is too large for the picture: how much of it, and which part.
        Param(keys.TOP, 60, OneOf((20, 60, 120, 200)), "view", "top"),
        Param(keys.VARIABLE_PAGE, 1, Interval(1, 100_000), "view", "vpage"),
        Param(keys.FIND, "", Name(), "view", "find"),
        Param(keys.GROUP, "", Name(), "view", "group"),
        Param(keys.TASK_PAGE, 1, Interval(1, 100_000), "view", "tpage"),
    )
}  # fmt: skip
# What Explore opens with: for a visitor without a link, and for readers of the paper.
# Not the defaults: those are what an old link leaves unsaid.
STORY = {
    keys.DATA: SHOPS, keys.N_LATENT: 3, keys.GAMMA1: -3, keys.CUT: 30, keys.REFIT: True,
}  # fmt: skip
OPENING = {keys.CUT: 20, keys.REFIT: True}
DATA_KEYS = tuple(key for key, param in PARAMS.items() if param.record == "data")
