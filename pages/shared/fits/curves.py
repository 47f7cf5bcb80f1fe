"""Curves of validation error over the sliders, for the settings that are shown."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from os import environ
from threading import Lock
from time import monotonic, sleep

import streamlit as st

from pages.shared.data.catalogue import DataChoice
from pages.shared.fits import cost, live
from pages.shared.state import exact, keys
from pages.shared.state.choices import Choices, SolverChoice, basis_limit
from pages.shared.state.parameters import PARAMS, Interval
from vstg.model_selection.curves import Curve, ValidationPart, error_curve

VARIABLE = "VSTG_CURVES"  # "off": a busy server has none
MOST_SECONDS = 4.0  # of all curves of some settings
PAUSE = 0.25  # seconds
QUICK_FIT = 0.1  # seconds of a fit, estimated, above which there are no curves
MAX_CURVES, MAX_OWN_CURVES = 2000, 400


class TooSlowError(Exception):
    """The curves take too long to compute while a visitor looks at a picture."""


@st.cache_resource(show_spinner=False)
def _memory() -> live.Memory:
    return live.Memory(MAX_CURVES)


@st.cache_resource(scope="session", show_spinner=False)
def _own_memory() -> live.Memory:
    return live.Memory(MAX_OWN_CURVES)


@st.cache_resource(show_spinner=False)
def _turn() -> Lock:
    """One visitor's curves at a time: pictures of others come first."""
    return Lock()


def memory_of(choice: DataChoice) -> live.Memory:
    """Where the curves of these data are kept."""
    return _own_memory() if choice.private else _memory()


def are_allowed() -> bool:
    """Whether this server computes curves."""
    return environ.get(VARIABLE, "").strip().lower() != "off"


def is_quick(choices: Choices) -> bool:
    """Whether some seventy fits are quick enough to follow every picture."""
    one = replace(choices, effort=SolverChoice())
    return cost.estimate_seconds(one) <= QUICK_FIT


def is_tied(choices: Choices) -> bool:
    """Whether μ follows γ1, and is not just equal to it."""
    tied = st.session_state.get(keys.TIE, PARAMS[keys.TIE].default)
    return bool(tied) and choices.settings.mu == choices.settings.gamma1


def values_of(choices: Choices, parameter: str) -> tuple[float, ...]:
    """All positions of a slider, and the value in use where it lies between them."""
    allowed = exact.CONTROLS[parameter].allowed
    assert isinstance(allowed, Interval)
    values = {allowed.value(position) for position in allowed.positions()}
    if parameter == "n_latent":
        values = {value for value in values if value <= basis_limit(choices.data)}
    return tuple(sorted({*values, getattr(choices.settings, parameter)}))


def key(choices: Choices, parameter: str) -> Hashable:
    """What a curve belongs to: the data, its values and what is held."""
    held = replace(choices.settings, **{parameter: 0})
    tied = parameter == "gamma1" and is_tied(choices)
    if tied:
        held = replace(held, mu=0)
    return choices.data, parameter, values_of(choices, parameter), held, tied


def known(choices: Choices, parameter: str) -> Curve | None:
    """Return the curve, if it has been computed."""
    found: Curve | None = memory_of(choices.data).get(key(choices, parameter))
    return found


def compute(choices: Choices, parameter: str, stopped: Callable[[], bool]) -> Curve:
    """The curve, computed now; ``stopped`` is asked before every fit."""
    curve = error_curve(
        held_out(choices.data), choices.settings, parameter,
        values_of(choices, parameter), tied=is_tied(choices), stopped=stopped,
    )  # fmt: skip
    if curve is None:
        raise TooSlowError
    memory_of(choices.data).put(key(choices, parameter), curve)
    return curve


def held_out(choice: DataChoice) -> ValidationPart:
    """The rows that are held out, and the statistics of the others."""
    memory = memory_of(choice)
    found: ValidationPart | None = memory.get(("held out", choice))
    if found is None:
        found = ValidationPart.of(live.load(choice))
        memory.put(("held out", choice), found)
    return found


def watcher() -> Callable[[], bool]:
    """Give way to a newer run of the script, and give up after a while."""
    end = monotonic() + MOST_SECONDS

    def stopped() -> bool:
        live.give_way()
        return monotonic() > end

    return stopped


def take_turn() -> Lock:
    """Wait until nobody else computes curves; a newer run ends the waiting.

    At first comes a pause in which the browser draws the picture: on a small machine
    it would otherwise compete with the fits.
    """
    begin = monotonic() + PAUSE
    while monotonic() < begin:
        live.give_way()
        sleep(0.02)
    turn = _turn()
    while not turn.acquire(timeout=0.05):
        live.give_way()
    return turn
