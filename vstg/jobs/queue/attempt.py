"""One attempt at a run: work on it, watch for cancellation, record its end."""

import os
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

NICENESS = "15"  # a slider that moves is served first; VSTG_NICE changes it


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
    """Describe an error in one line."""
    words = " ".join(str(error).split())
    if isinstance(error, MemoryError):
        return "there was not enough memory: try fewer threads, or a smaller table"
    if isinstance(error, (ValueError, StoreError)) and words:
        return words
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def usable_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def default_threads() -> int:
    """Use all cores: a job gives way by its priority, not by idling."""
    return max(1, usable_cores())


def single_threaded_environment() -> dict[str, str]:
    """Keep BLAS and numba from starting threads of their own beside the job's."""
    names = ("OMP", "OPENBLAS", "MKL", "NUMBA", "VECLIB_MAXIMUM", "BLIS")
    return {f"{name}_NUM_THREADS": "1" for name in names}


def give_way() -> None:
    """Lower this process's priority, where the system has such a thing."""
    with suppress(OSError, AttributeError, ValueError):
        os.nice(int(os.environ.get("VSTG_NICE", NICENESS)))
