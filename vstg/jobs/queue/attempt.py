"""One attempt at a run: watched while it works, and its end written."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from time import monotonic

from vstg.jobs.kind import get_kind
from vstg.jobs.store import run as status
from vstg.jobs.store.code import code_version
from vstg.jobs.store.files import StoreError
from vstg.jobs.store.run import Run
from vstg.jobs.store.store import Store

LOOK_SECONDS = 0.2  # between looks whether to cancel
BEAT_SECONDS = 3.0


@contextmanager
def attempt(store: Store, run: Run) -> Iterator[Event]:
    """Work on a run that this process has claimed; its end is written to the store.

    Gives the event that is set when somebody cancels. An exception makes the run
    fail with its message, Ctrl-C cancels it; both are passed on.
    """
    try:
        with watched(store.path, run.id) as stop:
            yield stop
    except KeyboardInterrupt:
        store.finish(run.id, status.CANCELLED)
        raise
    except BaseException as error:
        store.finish(run.id, status.FAILED, message_of(error))
        raise
    store.finish(run.id, status.CANCELLED if stop.is_set() else status.DONE)


def do_run(store: Store, run: Run, stop: Event) -> None:
    """Do what a run asks until it is finished or ``stop`` is set."""
    if run.code != code_version():
        msg = (
            "vstg has changed since this run began, and its results would not fit "
            "together: start it again"
        )
        raise ValueError(msg)
    get_kind(run.kind).run(store, run, stop)


@contextmanager
def watched(path: Path, number: int) -> Iterator[Event]:
    """An event that is set when somebody cancels; signs of life meanwhile."""
    stop, over = Event(), Event()

    def watch() -> None:
        with suppress(StoreError), Store(path, create=False) as store:
            beat_at = monotonic()
            while not over.wait(LOOK_SECONDS):
                with suppress(StoreError):
                    if not store.wanted(number):
                        stop.set()
                    if monotonic() - beat_at > BEAT_SECONDS:
                        store.beat(number)
                        beat_at = monotonic()

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield stop
    finally:
        over.set()
        thread.join()


def message_of(error: BaseException) -> str:
    """What went wrong, in one line."""
    words = " ".join(str(error).split())
    if isinstance(error, (ValueError, StoreError)) and words:
        return words
    return f"{type(error).__name__}: {words}" if words else type(error).__name__
