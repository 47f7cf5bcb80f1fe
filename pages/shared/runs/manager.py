"""The run store and its workers, one for the whole server, and how pages use them."""

from datetime import UTC, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from pages.shared import words
from pages.shared.app.access import flags
from pages.shared.state import keys
from pages.shared.ui.markdown import plain
from vstg.jobs import Manager, Run, Store, StoreError, get_kind
from vstg.jobs.queue.limits import LimitError, server_limits
from vstg.jobs.queue.owners import forget_lost
from vstg.jobs.store.run import DONE


@st.cache_resource(show_spinner=False)
def run_manager() -> Manager:
    """All long work of this server; the store decides what it is."""
    store = Store(flags()["store"])
    if not store.read_only:
        store.purge()
        forget_lost(store)
    return Manager(store, server_limits())


def open_store() -> Store:
    """Return the store, or show an error instead of the page."""
    try:
        store = run_manager().store
        store.n_waiting()  # it may have been moved away since
    except (StoreError, LimitError) as error:
        st.error(sentence(error))
        st.stop()
    if store.read_only:
        st.warning(words.READ_ONLY.format(path=plain(store.path)))
    elif trouble := run_manager().trouble.get(None):
        st.error(sentence(trouble))
    return store


def sentence(error: object) -> str:
    """A message as a sentence: begun with a capital, ended with a stop."""
    text = str(error).strip()
    return plain(f"{text[:1].upper()}{text[1:].rstrip('.')}.")


def act(action: Any, *args: Any, **options: Any) -> Any:
    """Call a function that writes; show any error at the next run of the page."""
    try:
        return action(*args, **options)
    except (StoreError, ValueError) as error:
        st.session_state[keys.ERROR] = sentence(error)
        return None


def say_errors() -> None:
    """Show errors from a button's action."""
    error = st.session_state.pop(keys.ERROR, None)
    if error:
        st.error(error)


def when(run: Run) -> str:
    """Begun at, in the visitor's clock where it is known."""
    moment = datetime.fromtimestamp(run.created, UTC)
    return moment.astimezone(visitors_zone()).strftime("%d %b %H:%M")


def visitors_zone() -> tzinfo:
    """The time zone that the browser names; UTC for a name that nobody knows."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):  # such as Etc/Unknown
        return UTC


def run_label(run: Run) -> str:
    """A run in a list, told apart from others of the same name."""
    name = run.name or get_kind(run.kind).label
    state = "" if run.status == DONE else f" · {words.RUN_STATUS[run.status]}"
    return f"{run.id} · {name} · {when(run)}{state}"
