"""Whose runs are whose: those on an uploaded table are their visitor's alone.

They end with the visit, unless the visitor says that they shall be kept.
"""

import atexit
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock, Timer
from typing import Any

import streamlit as st

from pages.shared import phrases
from pages.shared.data import own
from pages.shared.data.sources import DataChoice
from pages.shared.runs.manager import act, run_manager
from pages.shared.state.mapping import data_name, source_of
from vstg.jobs import Run, Store, StoreError
from vstg.jobs.queue.owners import forget, forget_process, new_owner
from vstg.tables import Preparation

OWNER_KEY, KEEP_KEY = "visitor", "keep_runs"


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
    if OWNER_KEY in st.session_state:
        visit(st.session_state[OWNER_KEY])


def owner() -> str:
    """The mark of this visitor."""
    if OWNER_KEY not in st.session_state:
        st.session_state[OWNER_KEY] = new_owner()
    stay()
    return st.session_state[OWNER_KEY]


def is_upload(choice: DataChoice) -> bool:
    """Whether the data are a table that the visitor brought."""
    record = own.get()
    return choice.private and record is not None and record.uploaded


def about(choice: DataChoice) -> dict[str, Any]:
    """What a run records of its data: name, origin with all choices, and owner."""
    source = source_of(choice)
    record = own.get()
    if choice.private and record is not None and record.prepared is not None:
        source["preparation"] = Preparation.of(record.prepared).to_json()
    private = is_upload(choice) and not st.session_state.get(KEEP_KEY, False)
    return {
        "data_name": data_name(choice),
        "source": source,
        "owner": owner() if private else "",
    }


def visible_runs(store: Store, kind: str | None = None) -> list[Run]:
    """The runs of everybody and those of this visitor, newest first."""
    return store.runs(kind=kind, visible_to=owner())


def keep_toggle(choice: DataChoice) -> None:
    """Beside a start button: shall the run and its data outlive the visit?"""
    if not is_upload(choice):
        return
    kept = st.toggle(
        phrases.KEEP[0], False, key=KEEP_KEY, help=phrases.KEEP[1],
        persist_state="session", width="content",
    )  # fmt: skip
    st.caption(phrases.KEEPS_DATA if kept else phrases.KEEPS_NOTHING, width="content")


def keep(number: int) -> None:
    """Action of a button: a private run becomes one of everybody's."""
    act(run_manager().store.change, number, owner="")


def forget_mine() -> None:
    """Remove the private runs of this visitor now."""
    if OWNER_KEY in st.session_state:
        visits().forget(st.session_state[OWNER_KEY])
