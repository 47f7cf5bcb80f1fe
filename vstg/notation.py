"""How symbols, settings, numbers and durations are written, wherever they appear."""

import math
from collections.abc import Mapping
from typing import Any

SYMBOLS = {
    "n_latent": "K",
    "k": "k",
    "gamma1": "γ₁",
    "gamma2": "γ₂",
    "mu": "μ",
    "cut": "cut",
    "relax": "relax",
    "alpha": "α",
}
STRENGTHS = ("gamma1", "gamma2", "mu")  # usually powers of two
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def counted(number: int, noun: str) -> str:
    """``1 variable``, ``2,000 variables``."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def power(value: float) -> str:
    """``2⁻⁵`` for a power of two, digits for any other number."""
    exponent = math.log2(value) if value > 0 else math.nan
    if not exponent.is_integer():
        return f"{value:.3g}"
    return f"2{str(int(exponent)).translate(RAISED)}"


def value_text(name: str, value: float) -> str:
    """The value of a parameter as people write it."""
    return power(value) if name in STRENGTHS else f"{value:g}"


def setting_text(setting: Mapping[str, Any]) -> str:
    """``K = 5, k = 1, γ₁ = 2⁻², γ₂ = 2⁻⁴``."""
    return ", ".join(
        f"{symbol} = {value_text(name, setting[name])}"
        for name, symbol in SYMBOLS.items()
        if setting.get(name) is not None
    )


def setting_flags(setting: Mapping[str, Any]) -> str:
    """The same as options of ``vstg fit``: ``--k 1 --gamma1 2^-4`` and so on."""
    return " ".join(
        f"--{name.replace('_', '-')} {flag_value(value)}"
        for name, value in setting.items()
        if value is not None
    )


def flag_value(value: float) -> str:
    """A number that the command line reads back unchanged; powers of two as such."""
    mantissa, exponent = math.frexp(value)
    if mantissa == 0.5 and exponent < 1:
        return f"2^{exponent - 1}"
    return repr(int(value) if float(value).is_integer() else float(value))


MEASURE_NAMES = {
    "rmse": "RMSE",
    "mae": "mean absolute error",
    "deviance": "mean deviance",
    "error_rate": "error rate",
    "multiclass_error_rate": "error rate",
}


def measure_text(measure: str) -> str:
    """What a column of errors holds, short enough for an axis."""
    for ending in ("_mean_over_tasks", "_pooled"):
        measure = measure.removesuffix(ending)
    return MEASURE_NAMES.get(measure, measure)


def number_text(value: float) -> str:
    """Three to five significant digits."""
    if value == 0:
        return "0"
    if abs(value) >= 1e5 or abs(value) < 1e-3:
        return f"{value:.2e}"
    if abs(value) >= 1e4:
        return f"{value:,.0f}"
    if not abs(value) < 1:  # also what is not a number
        return f"{value:.4g}"
    return f"{value:.{2 - math.floor(math.log10(abs(value)))}f}"


def decimal_text(value: float, digits: int = 2) -> str:
    """A number with a fixed number of decimals, for a sentence; a typographic minus."""
    return f"{value + 0.0:.{digits}f}".replace("-", "−")


def duration(seconds: float) -> str:
    """A measured time: ``24 ms``, ``4.2 s``, ``2 min 05 s``, ``2 h 30 min``."""
    if 0 < seconds < 0.9995:
        return f"{max(1e3 * seconds, 1):.0f} ms"
    if seconds < 99.5:
        return f"{seconds:.1f} s" if 0 < seconds < 9.95 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 100:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"


def rough_duration(seconds: float) -> str:
    """An estimated time, with no more digits than an estimate deserves."""
    if seconds < 10:
        return f"{max(round(seconds), 1)} s"
    if seconds < 90:
        return f"{round(seconds, -1):.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h"
