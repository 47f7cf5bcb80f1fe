"""Below every slider of the model: the validation error at all of its positions."""

from html import escape
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.explore import words
from pages.explore.picture.stage import FIELDS, slider_of
from pages.shared.fits import curves
from pages.shared.state import exact, keys
from pages.shared.state.choices import Choices
from vstg.model_selection.curves import Curve
from vstg.notation import SYMBOLS, measure_text, number_text, value_text
from vstg.plots.sparkline import curve_html


class Curves:
    """The places below the sliders, filled at first with what is known."""

    def __init__(self) -> None:
        self.places: dict[str, DeltaGenerator] = {}
        self.legend: DeltaGenerator | None = None
        self.missing: list[str] = []

    def keep_place(self, key: str) -> None:
        """Of the curve of a slider; below their switch, of the legend."""
        if key == keys.CURVES:
            self.legend = st.empty()
        else:
            self.places[FIELDS[key]] = st.empty()

    def begin(self, chosen: Choices) -> None:
        """The curves that are known; where one is not, the last one, faded."""
        if not chosen.view.curves:
            return
        if not curves.are_allowed():
            self.say(words.CURVES_OFF)
            return
        if not curves.is_quick(chosen):
            self.say(words.CURVES_SLOW)
            return
        self.say(words.CURVES_LEGEND)
        for field, place in self.places.items():
            curve = curves.known(chosen, field)
            if curve is None:
                self.missing.append(field)
            place.html(drawn(chosen, field, curve or last(chosen, field), curve))
            keep(chosen, field, curve)

    def finish(self, chosen: Choices) -> None:
        """The others, once the picture is there; a newer run of the page ends this."""
        if not self.missing:
            return
        turn = curves.take_turn()
        try:
            stopped = curves.watcher()
            for field in self.missing:
                curve = curves.compute(chosen, field, stopped)
                keep(chosen, field, curve)
                self.places[field].html(drawn(chosen, field, curve, curve))
        except curves.TooSlowError:
            self.say(words.CURVES_SLOW)
        except (ValueError, ArithmeticError):
            self.say(words.CURVES_FAILED)
        finally:
            turn.release()

    def say(self, sentence: str) -> None:
        """The line below the sliders."""
        if self.legend is not None:
            self.legend.html(f'<p class="vstg-legend">{sentence}</p>')


def keep(chosen: Choices, field: str, curve: Curve | None) -> None:
    """What to show faded while the next curve is computed."""
    kept: dict[str, Any] = st.session_state.setdefault(keys.EXPLORE_CURVES, {})
    if curve is not None:
        kept[field] = (chosen.data, curve)


def last(chosen: Choices, field: str) -> Curve | None:
    """The last curve below this slider, if it is of the same data."""
    data, curve = st.session_state.get(keys.EXPLORE_CURVES, {}).get(field, (None, None))
    return curve if data == chosen.data else None


def drawn(
    chosen: Choices, field: str, curve: Curve | None, current: Curve | None
) -> str:
    """The picture; one that is not of these settings marks nothing."""
    allowed = slider_of(field)
    now = getattr(chosen.settings, field)
    marked = curve is not None and curve is current and now in curve.values
    return curve_html(
        [allowed.place(value) for value in curve.values] if curve else [],
        curve.errors if curve else [],
        span=(allowed.low, allowed.high),
        now=allowed.place(now) if marked else None,
        least=allowed.place(curve.least(now)) if marked and curve else None,
        label=in_words(chosen, field, curve) if marked and curve else words.CURVE_SOON,
        stale=not marked,
        key=exact.CONTROLS[field].key,
        play=words.PLAY.format(symbol=SYMBOLS[field]),
    )


def in_words(chosen: Choices, field: str, curve: Curve) -> str:
    """The curve as a sentence."""
    now = getattr(chosen.settings, field)
    least = curve.least(now)
    measure = curves.held_out(chosen.data).measure
    return words.CURVE.format(
        symbol=escape(SYMBOLS[field]),
        first=written(field, curve.values[0]),
        last=written(field, curve.values[-1]),
        measure=measure_text(measure),
        now=written(field, now),
        error=number_text(curve.at(now)),
        least=written(field, least),
        lowest=number_text(curve.at(least)),
    )


def written(field: str, value: float) -> str:
    """A value as its slider shows it."""
    return f"{value:.0%}" if field == "cut" else value_text(field, value)
