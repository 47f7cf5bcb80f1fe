"""Run the queue of a store in a bounded number of worker processes."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from math import inf
from pathlib import Path
from threading import Condition, Thread
from time import monotonic
from typing import Any

from vstg.data import MultiTaskData
from vstg.jobs.queue.attempt import single_threaded_environment
from vstg.jobs.queue.limits import WorkLimits
from vstg.jobs.store.files import StoreError
from vstg.jobs.store.store import Store

LOST = "The process that worked on it ended. What was finished is kept: resume."
LOOK_SECONDS = 0.5  # between looks at a run that is waited for
IDLE_SECONDS = 5.0  # between looks for runs that other processes put in the queue


class Manager:
    """Runs the queue of a store in as many processes as its limits allow.

    Processes, not threads: a search holds Python's lock between its fits, and a
    process can be given a low priority, so that pages stay quick. Everything that is
    known of a run is in the store, so that it does not matter which page, tab or
    server looks at it.
    """

    def __init__(self, store: Store, limits: WorkLimits | None = None) -> None:
        self.store = store
        self.limits = WorkLimits() if limits is None else limits
        self.changed = Condition()
        self.closed = False
        self.n_waiting = 1  # look at the queue at once: runs may wait from before
        self.trouble: dict[int | None, str] = {}
        self.processes: list[subprocess.Popen] = []
        self.threads = [
            Thread(target=self._serve, daemon=True, name=f"jobs-{number}")
            for number in range(self.limits.jobs)
        ]
        if not store.read_only:
            for thread in self.threads:
                thread.start()

    def submit(self, request: Any, data: MultiTaskData, **about: Any) -> int:
        """Put a run into the queue; returns its number, or LimitError."""
        self.limits.check(request, data)
        self.limits.check_queue(self.store)
        number = self.store.add_run(request, data, **about)
        self._wake()
        return number

    def resume(self, number: int) -> None:
        """Resume a run that ended early; one from a file may be beyond the limits."""
        run = self.store.run(number)
        self.limits.check(run.request, self.store.data(run.data))
        self.limits.check_queue(self.store)
        self.trouble.pop(number, None)
        self.store.resume(number)
        self._wake()

    def cancel(self, number: int) -> None:
        """Ask a run to stop; what it has is kept."""
        self.store.cancel(number)
        with self.changed:
            self.changed.notify_all()

    def wait(self, number: int, timeout: float | None = None) -> bool:
        """Wait until a run neither waits nor runs; false after ``timeout``."""
        deadline = inf if timeout is None else monotonic() + timeout
        with self.changed:
            while self.store.run(number).active:
                left = deadline - monotonic()
                if left <= 0.0:
                    return False
                # Another process may end the run, which tells nobody here.
                self.changed.wait(min(left, LOOK_SECONDS))
        return True

    def close(self) -> None:
        """End the workers; runs under way are interrupted and can be resumed."""
        with self.changed:
            self.closed = True
            self.changed.notify_all()
        for process in self.processes:
            process.kill()
        for thread in self.threads:
            if thread.is_alive():
                thread.join()

    def _wake(self) -> None:
        with self.changed:
            self.n_waiting += 1
            self.changed.notify_all()

    def _serve(self) -> None:
        """One slot: ask its process for work as long as there is any."""
        process: subprocess.Popen | None = None
        lost: str | None = None
        while self._is_needed():
            try:
                self.store.mark_lost(LOST)
                waiting = self.store.n_waiting() > 0
            except StoreError as error:
                self.trouble[None] = lost = str(error)
                continue
            if lost is not None and self.trouble.get(None) == lost:
                del self.trouble[None]  # the store is there again
            if waiting:
                process = self._ask(process)
        if process is not None:
            end(process)

    def _is_needed(self) -> bool:
        """Wait for a call or for a while; false when all is over."""
        with self.changed:
            self.changed.wait_for(
                lambda: self.closed or self.n_waiting > 0, IDLE_SECONDS
            )
            self.n_waiting = 0
            return not self.closed

    def _ask(self, process: subprocess.Popen | None) -> subprocess.Popen | None:
        """Have one run done, in a new process if there is none."""
        if process is None or process.poll() is not None:
            process = start_worker(self.store.path)
            self.processes = [p for p in self.processes if p.poll() is None]
            self.processes.append(process)
        answer = ask(process)
        if answer is None:
            end(process)
        self._note(answer)
        with suppress(StoreError):
            self.store.mark_lost(LOST)
        self._wake()  # there may be more to do, and somebody may wait for this
        return process

    def _note(self, answer: dict[str, Any] | None) -> None:
        """Remember what could not be written to the store."""
        if answer is None or answer.get("status") is not None:
            return
        if answer.get("message"):
            self.trouble[answer["run"]] = answer["message"]


def start_worker(path: Path) -> subprocess.Popen:
    """A process that works on a store; it ends when this process ends."""
    return subprocess.Popen(
        [sys.executable, "-m", "vstg.jobs.queue.worker", str(path.absolute())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | single_threaded_environment(),
        text=True,
        start_new_session=True,  # Ctrl-C is for the server, which then ends us
    )


def ask(process: subprocess.Popen) -> dict[str, Any] | None:
    """Let the process do one run; None if it ended without an answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write("next\n")
        process.stdin.flush()
        line = process.stdout.readline()
    except (OSError, ValueError):
        return None
    return json.loads(line) if line else None


def end(process: subprocess.Popen) -> None:
    """Close the pipes and wait."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
