"""The data and settings of a run as controls have them, and back."""

from collections.abc import Mapping
from dataclasses import asdict
from math import log2
from typing import Any

import streamlit as st

from pages.shared.data import own
from pages.shared.data.sources import YOURS, DataChoice
from pages.shared.state.choices import MAX_BASES
from pages.shared.state.parameters import EXPONENTS, PARAMS, to_query

DATA_KEYS = {"source": "data", "size": "size", "seed": "seed", "n_train": "n",
             "noise": "noise"}  # fmt: skip


def source_of(choice: DataChoice) -> dict[str, Any]:
    """The data of a choice as controls have them; kept with a run."""
    return {DATA_KEYS[name]: value for name, value in asdict(choice).items()}


def data_query() -> dict[str, str]:
    """The data that are chosen, for the address of another page."""
    keys = DATA_KEYS.values()
    # Before a page has drawn its controls for the first time, its address has them.
    given = {key: st.query_params[key] for key in keys if key in st.query_params}
    state = {key: st.session_state[key] for key in keys if key in st.session_state}
    if not given and not state:  # a page without these controls
        return {key: value for key, value in own.explore_query().items() if key in keys}
    return {key: given[key] for key in given if key not in state} | to_query(state)


def note_in_address(key: str, value: str) -> None:
    """Write what is shown into the address, once that has the data.

    On the first run of a page Streamlit knows the values of the data's controls and
    not yet their place in the address: to write anything then resets them.
    """
    chosen = to_query({name: st.session_state.get(name) for name in DATA_KEYS.values()})
    if all(name in st.query_params for name in chosen):
        st.query_params[key] = value


def data_name(choice: DataChoice) -> str:
    """Short enough for a table."""
    record = own.get()
    if choice.private and record is not None:
        return record.name
    return f"{choice.source}, {choice.size}, seed {choice.seed}"


def explore_values(
    source: Mapping[str, Any], setting: Mapping[str, Any]
) -> dict[str, Any]:
    """The controls of Explore with these data and exactly this setting."""
    values = {key: source[key] for key in DATA_KEYS.values() if key in source}
    values = {key: value for key, value in values.items() if is_allowed(key, value)}
    values |= {
        "K": min(setting["n_latent"], MAX_BASES),
        "k": min(setting["k"], MAX_BASES),
        "g1": exponent(setting["gamma1"]),
        "g2": exponent(setting["gamma2"]),
        "tie": setting.get("mu") is None,
    }
    if setting.get("mu") is not None:
        values["mu"] = exponent(setting["mu"])
    return values


def exponent(strength: float) -> int:
    """The position of the slider that comes next to a strength."""
    low, high = EXPONENTS
    return low if strength <= 0 else min(max(round(log2(strength)), low), high)


def is_allowed(key: str, value: Any) -> bool:
    """Whether a control can have a value; one from a file need not."""
    if key == "data" and value == YOURS:
        return True
    try:
        PARAMS[key].allowed.read(PARAMS[key].write(value))
    except (ValueError, OverflowError, TypeError):
        return False
    return True


def explore_query(source: Mapping[str, Any], setting: Mapping[str, Any]) -> dict:
    """The address of Explore with these data and exactly this setting."""
    return to_query(explore_values(source, setting))
