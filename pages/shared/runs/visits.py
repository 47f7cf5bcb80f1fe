"""Who owns which run: those on an uploaded table belong to their visitor alone.

They end with the visit, unless the visitor says that they shall be kept.
"""

import atexit
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock, Timer
from typing import Any

import streamlit as st

from pages.shared import words
from pages.shared.data.catalogue import DataChoice, OwnData
from pages.shared.runs.manager import act, run_manager
from pages.shared.state import keys
from pages.shared.state.choices import control_values
from vstg.jobs import Run, Store, StoreError
from vstg.jobs.queue.owners import forget, forget_process, new_owner
from vstg.tables import Preparation


class Visits:
    """The visitors of this server, and those who may have left.

    Streamlit releases what belongs to a session as soon as its connection breaks, and
    lets the visitor come back for a while. Runs are removed after that while.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.leaving: dict[str, Timer] = {}
        self.lock = Lock()
        atexit.register(self.close)

    def enter(self, owner: str) -> None:
        """Somebody is here, perhaps again."""
        with self.lock:
            timer = self.leaving.pop(owner, None)
        if timer is not None:
            timer.cancel()

    def leave(self, owner: str) -> None:
        """Somebody's connection broke."""
        timer = Timer(grace_seconds(), self.forget, (owner,))
        timer.daemon = True
        with self.lock:
            self.leaving[owner] = timer
        timer.start()

    def forget(self, owner: str) -> None:
        """Remove the visitor's runs; the next start removes what cannot be so now."""
        with suppress(StoreError):
            forget(self.store, owner)

    def close(self) -> None:
        """The server ends, and all visits with it."""
        with suppress(StoreError):
            forget_process(self.store)


def grace_seconds() -> float:
    """How long Streamlit keeps a session whose connection broke."""
    return float(st.get_option("server.disconnectedSessionTTL"))


@st.cache_resource(show_spinner=False)
def visits() -> Visits:
    """One list for the server."""
    return Visits(run_manager().store)


@dataclass(frozen=True)
class Visit:
    """One connection of a visitor."""

    visits: Visits
    owner: str

    def end(self) -> None:
        """The connection broke, or the session ended."""
        self.visits.leave(self.owner)


@st.cache_resource(scope="session", on_release=Visit.end, show_spinner=False)
def visit(owner: str) -> Visit:
    """Made once a connection; Streamlit releases it with the connection."""
    visits().enter(owner)
    return Visit(visits(), owner)


def stay() -> None:
    """On every page: a visitor who has private runs is still here."""
    if keys.OWNER in st.session_state:
        visit(st.session_state[keys.OWNER])


def owner() -> str:
    """The mark of this visitor."""
    if keys.OWNER not in st.session_state:
        st.session_state[keys.OWNER] = new_owner()
    stay()
    return st.session_state[keys.OWNER]


def is_upload(choice: DataChoice) -> bool:
    """Whether the data are a table that the visitor brought."""
    return isinstance(choice, OwnData) and choice.uploaded


def about(choice: DataChoice) -> dict[str, Any]:
    """What a run records of its data: name, origin with all choices, and owner."""
    source = control_values(choice)
    if isinstance(choice, OwnData) and choice.prepared is not None:
        source["preparation"] = Preparation.of(choice.prepared).to_json()
    private = is_upload(choice) and not st.session_state.get(keys.KEEP_RUNS, False)
    return {
        "data_name": choice.name,
        "source": source,
        "owner": owner() if private else "",
    }


def visible_runs(
    store: Store, kind: str | None = None, *, faulty: bool = False
) -> list[Run]:
    """The runs of everybody and those of this visitor, newest first.

    Runs that cannot be read are left out, unless asked for: History deletes them.
    """
    runs = store.runs(kind=kind, visible_to=owner())
    return [run for run in runs if faulty or run.fault is None]


def keep_toggle(choice: DataChoice) -> None:
    """Ask, next to a start button, whether to keep the run after the visit."""
    if not is_upload(choice):
        return
    kept = st.toggle(
        words.KEEP[0], False, key=keys.KEEP_RUNS, help=words.KEEP[1],
        persist_state="session", width="content",
    )  # fmt: skip
    st.caption(words.KEEPS_DATA if kept else words.KEEPS_NOTHING, width="content")


def keep(number: int) -> None:
    """Action of a button: a private run becomes one of everybody's."""
    act(run_manager().store.change, number, owner="")


def forget_mine() -> None:
    """Remove the private runs of this visitor now."""
    if keys.OWNER in st.session_state:
        visits().forget(st.session_state[keys.OWNER])
