"""The process that works: ``python -m vstg.jobs.worker STORE``.

It is asked for work line by line, answers each with one line of JSON, and ends with
the process that started it, whose end closes its standard input.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic

from vstg.jobs import runs as status
from vstg.jobs.budget import give_way
from vstg.jobs.schema import StoreError
from vstg.jobs.store import Store
from vstg.jobs.work import do

LOOK_SECONDS = 0.2  # between looks whether to cancel
BEAT_SECONDS = 3.0
STORE_FAILED = 4  # exit code: how a run ended could not be written


@contextmanager
def watched(path: Path, number: int) -> Iterator[Event]:
    """An event that is set when somebody cancels; signs of life meanwhile."""
    stop, over = Event(), Event()

    def watch() -> None:
        with suppress(StoreError), Store(path) as store:
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


def work_once(path: Path, store: Store) -> dict[str, object]:
    """Take the oldest run that waits and work on it; says how it ended."""
    run = store.claim()
    if run is None:
        return {"run": None}
    ended, message = status.DONE, ""
    try:
        with watched(path, run.id) as stop:
            do(store, run, stop)
        if stop.is_set():
            ended = status.CANCELLED
    except Exception as error:
        ended, message = status.FAILED, describe(error)
    try:
        store.finish(run.id, ended, message)
    except StoreError as error:
        return {"run": run.id, "status": None, "message": message or str(error)}
    return {"run": run.id, "status": ended, "message": message}


def describe(error: Exception) -> str:
    """What went wrong, in one line."""
    words = " ".join(str(error).split())
    if isinstance(error, (ValueError, StoreError)) and words:
        return words
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def end_with_parent(questions: SimpleQueue[str]) -> None:
    """Pass on lines of standard input; when it closes, end at once."""
    for line in sys.stdin:
        questions.put(line)
    os._exit(0)  # committed transactions stay; whatever else was under way does not


def main(path: Path) -> int:
    """Answer until the input ends."""
    give_way()
    questions: SimpleQueue[str] = SimpleQueue()
    Thread(target=end_with_parent, args=(questions,), daemon=True).start()
    while True:
        questions.get()
        try:
            with Store(path) as store:
                answer = work_once(path, store)
        except StoreError as error:
            answer = {"run": None, "status": None, "message": str(error)}
        print(json.dumps(answer), flush=True)
        if answer.get("message") and answer.get("status") is None:
            return STORE_FAILED


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
