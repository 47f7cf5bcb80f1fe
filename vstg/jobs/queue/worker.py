"""The worker process: ``python -m vstg.jobs.queue.worker STORE``.

It is asked for work line by line, answers each with one line of JSON, and ends with
the process that started it, whose end closes its standard input.
"""

import json
import os
import sys
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

from vstg.jobs.queue.attempt import attempt, do_run, give_way, message_of
from vstg.jobs.store.files import StoreError
from vstg.jobs.store.run import RUNNING
from vstg.jobs.store.store import Store

STORE_FAILED = 4  # exit code: how a run ended could not be written


def work_once(store: Store) -> dict[str, object]:
    """Take the oldest run that waits and work on it; says how it ended."""
    run = store.claim()
    if run is None:
        return {"run": None}
    message = ""
    try:
        with attempt(store, run) as stop:
            do_run(store, run, stop)
    except Exception as error:
        message = message_of(error)
    ended = ending(store, run.id)
    return {"run": run.id, "status": ended, "message": message}


def ending(store: Store, number: int) -> str | None:
    """How a run ended, as it is written; None if that could not be written."""
    try:
        found = store.run(number).status
    except StoreError:
        return None
    return None if found == RUNNING else found


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
            with Store(path, create=False) as store:
                answer = work_once(store)
        except StoreError as error:
            answer = {"run": None, "status": None, "message": str(error)}
        print(json.dumps(answer), flush=True)
        if answer.get("message") and answer.get("status") is None:
            return STORE_FAILED


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
