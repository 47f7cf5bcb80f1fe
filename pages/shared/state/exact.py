"""Settings between or beyond the positions of the sliders, typed or in a link.

``K=20 g1=0.3`` is such a text. A value holds as long as its slider stands at the
position closest to it. Moving the slider discards it.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict
from math import inf, isfinite
from typing import Any

from pages.shared.state import keys
from pages.shared.state.parameters import PARAMS, Param
from vstg.objective import Settings

MOST_BASES = 100  # that a picture can show
MOST_CHARACTERS = 200
CONTROLS: dict[str, Param] = {
    param.field: param
    for param in PARAMS.values()
    if param.record == "settings" and param.field
}
SHORT = {field: param.key for field, param in CONTROLS.items()} | {"relax": "relax"}
NAMES = {
    **{short: field for field, short in SHORT.items()},
    **{field: field for field in SHORT},
    "γ1": "gamma1", "γ₁": "gamma1", "γ2": "gamma2", "γ₂": "gamma2", "μ": "mu",
}  # fmt: skip
NUMBER = re.compile(
    r"(?P<base>\d{1,20}(\.\d{0,20})?|\.\d{1,20})"
    r"((\^|\*\*)(?P<power>-?\d{1,3})|e(?P<ten>[-+]?\d{1,3})|(?P<percent>%))?",
    re.ASCII | re.IGNORECASE,
)
SAMPLE = asdict(Settings(MOST_BASES, 1, 1.0, 1.0, 1.0))


def number(text: str) -> float:
    """The number of a text such as 20, 0.3, 1e-4, 2^-5 or 12%."""
    text = text.strip().replace("⁻", "-")
    match = NUMBER.fullmatch(text)
    if match is None:
        msg = f"{text!r} is not a number"
        raise ValueError(msg)
    try:
        base = float(f"{match['base']}e{match['ten'] or 0}")
        value = base ** int(match["power"] or 1) / (100 if match["percent"] else 1)
    except (OverflowError, ZeroDivisionError):
        value = inf
    if not isfinite(value):
        msg = f"{text!r} is not a finite number"
        raise ValueError(msg)
    return value


def read_one(part: str) -> tuple[str, Any]:
    """A setting and its value; ValueError explains anything else."""
    name, _, text = part.partition("=")
    field = NAMES.get(name.strip())
    if field is None or not text:
        msg = f"{part!r} does not name a setting; write for example g1=0.3"
        raise ValueError(msg)
    value = number(text)
    if field in ("n_latent", "k"):
        if value != int(value):
            msg = f"{part!r}: {SHORT[field]} is a whole number"
            raise ValueError(msg)
        value = int(value)
    if field == "n_latent" and value > MOST_BASES:
        msg = f"{part!r}: a picture shows at most K = {MOST_BASES}"
        raise ValueError(msg)
    Settings.checked(**{**SAMPLE, field: value})  # raises a sentence
    return field, value


def read(text: str) -> tuple[dict[str, Any], list[str]]:
    """The settings in a text, and what is wrong with the rest of it."""
    if len(text) > MOST_CHARACTERS:
        return {}, [f"more than {MOST_CHARACTERS} characters"]
    joined = re.sub(r"\s*=\s*", "=", text)
    found, wrong = {}, []
    for part in re.split(r"[\s,;]+", joined):
        try:
            if part:
                field, value = read_one(part)
                found[field] = value
        except ValueError as error:
            wrong.append(str(error))
    return found, wrong


def write(values: Mapping[str, Any]) -> str:
    """The text that ``read`` reads back, in the order of the controls."""
    return " ".join(f"{SHORT[f]}={values[f]!r}" for f in CONTROLS if f in values)


def positions(values: Mapping[str, Any]) -> dict[str, Any]:
    """Where the sliders of some settings stand."""
    found = {CONTROLS[f].key: CONTROLS[f].allowed.nearest(v) for f, v in values.items()}
    return found | ({keys.TIE: False} if "mu" in values else {})


def in_force(state: Mapping[str, Any]) -> dict[str, Any]:
    """The typed settings whose sliders have not been moved since."""
    typed, _ = read(state.get(keys.EXACT) or "")
    return {
        field: value for field, value in typed.items() if stands(state, field, value)
    }


def stands(state: Mapping[str, Any], field: str, value: Any) -> bool:
    """Whether the sliders are where they show a value."""
    return all(
        state.get(key, PARAMS[key].default) == position
        for key, position in positions({field: value}).items()
    )
