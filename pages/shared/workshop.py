"""The store and its workers, once for the whole server, and how pages use them."""

import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from math import log2
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import streamlit as st

from pages.shared import own, phrases, showing
from pages.shared.choices import MAX_BASES
from pages.shared.plain import plain
from pages.shared.registry import EXPONENTS, PARAMS, to_query
from pages.shared.sources import YOURS, DataChoice
from vstg.jobs import Manager, Run, Store, StoreError
from vstg.jobs.queue.limits import LimitError, server_limits
from vstg.jobs.queue.owners import forget_lost
from vstg.jobs.store.run import DONE

DATA_KEYS = {"source": "data", "size": "size", "seed": "seed", "n_train": "n",
             "noise": "noise"}  # fmt: skip
LEAVE_KEY = "leave_for"

STYLE = Path(__file__).with_name("workshop.css")


def title(name: str, tagline: str) -> None:
    """Name and purpose in one line."""
    st.html(STYLE)
    showing.title(name, tagline)


@st.cache_resource(show_spinner=False)
def flags() -> dict[str, Any]:
    """What ``vstg app`` hands on: ``streamlit run app.py -- --store FILE --login``."""
    parser = ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--store")
    parser.add_argument("--scheduler")
    parser.add_argument("--login", action="store_true")
    parser.add_argument("--admit", action="append", default=[])
    return vars(parser.parse_known_args(sys.argv[1:])[0])


@st.cache_resource(show_spinner=False)
def manager() -> Manager:
    """All long work of this server; the store decides what it is."""
    store = Store(flags()["store"])
    if not store.read_only:
        store.purge()
        forget_lost(store)
    return Manager(store, server_limits())


def open_store() -> Store:
    """The store, or a sentence in place of the page."""
    try:
        store = manager().store
    except (StoreError, LimitError) as error:
        st.error(sentence(error))
        st.stop()
    if store.read_only:
        st.warning(phrases.READ_ONLY.format(path=plain(store.path)))
    elif trouble := manager().trouble.get(None):
        st.error(sentence(trouble))
    return store


def sentence(error: object) -> str:
    """A message as a sentence: begun with a capital, ended with a stop."""
    text = str(error).strip()
    return plain(f"{text[:1].upper()}{text[1:].rstrip('.')}.")


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


def open_in_explore(run: Run, setting: Mapping[str, Any]) -> None:
    """Leave this page for Explore, if it can have the data of the run."""
    record = own.get()
    if run.source_values.get("data") == YOURS and (
        record is None or record.loaded.train.fingerprint != run.data
    ):
        st.session_state["workshop_error"] = phrases.NOT_HERE.format(
            name=plain(run.data_name)
        )
    else:
        st.session_state[LEAVE_KEY] = explore_values(run.source_values, setting)
    st.rerun()


def leave_if_asked() -> None:
    """The first thing on a page: go on to Explore, if that was asked for.

    A page cannot write a parameter that one of its widgets is bound to, nor the state
    of a widget that is drawn. Before it is drawn it can write the latter, and Explore
    takes it over.
    """
    values = st.session_state.pop(LEAVE_KEY, None)
    if values is None:
        return
    for key, value in values.items():
        st.session_state[key] = value
    query = to_query(values)
    free = {key: query[key] for key in query if key not in DATA_KEYS.values()}
    st.switch_page("app.py", query_params=free)


def act(action: Any, *args: Any, **options: Any) -> Any:
    """Call something that writes; what goes wrong is said at the next draw."""
    try:
        return action(*args, **options)
    except (StoreError, ValueError) as error:
        st.session_state["workshop_error"] = sentence(error)
        return None


def say_errors() -> None:
    """What went wrong in a button's action."""
    error = st.session_state.pop("workshop_error", None)
    if error:
        st.error(error)


def when(run: Run) -> str:
    """Begun at, in the visitor's clock where it is known."""
    zone = st.context.timezone
    moment = datetime.fromtimestamp(run.created, UTC)
    if zone:
        moment = moment.astimezone(ZoneInfo(zone))
    return moment.strftime("%d %b %H:%M")


def run_label(run: Run) -> str:
    """A run in a list, told apart from others of the same name."""
    name = run.name or phrases.KIND[run.kind]
    state = "" if run.status == DONE else f" · {phrases.STATUS[run.status]}"
    return f"{run.id} · {name} · {when(run)}{state}"
