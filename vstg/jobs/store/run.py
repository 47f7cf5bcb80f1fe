"""Run: one row of the store."""

import os
import socket
import sqlite3
from dataclasses import dataclass
from functools import cached_property, lru_cache
from time import monotonic, time
from typing import Any

from vstg.jobs.kind import Setting, decode, get_kind, read_request

QUEUED, RUNNING, DONE = "queued", "running", "done"
CANCELLED, FAILED, INTERRUPTED = "cancelled", "failed", "interrupted"
ACTIVE = (QUEUED, RUNNING)
RESUMABLE = (CANCELLED, FAILED, INTERRUPTED)
STATUSES = (*ACTIVE, *RESUMABLE, DONE)
END_OF_TIME = 4e9  # seconds: the year 2096
STALE_SECONDS = 15.0  # without a sign of life a run counts as interrupted

Source = dict[str, str | int | float | bool | None]
# The headline of a result; each kind writes what it shows.
Best = dict[str, str | int | float | Setting | None]


@dataclass(frozen=True)
class Run:
    """One run as the store keeps it."""

    id: int
    kind: str
    name: str
    note: str
    data: str
    data_name: str
    source: str
    request_text: str
    code: str
    status: str
    message: str
    done: int
    total: int
    fitted: int
    best_text: str | None
    created: float
    started: float | None
    past_seconds: float
    heartbeat: float | None
    worker: str | None
    cancel: bool
    deleted: float | None
    owner: str = ""  # of a private run; see vstg.jobs.queue.owners

    @classmethod
    def of_row(cls, row: sqlite3.Row) -> "Run":
        """From the table ``runs``, whose columns stand in the same order."""
        # An old store that may not be written to lacks the last column.
        values = dict(zip(cls.__dataclass_fields__, tuple(row), strict=False))
        return cls(**{**values, "cancel": bool(values["cancel"])})

    @cached_property
    def request(self) -> Any:
        """What was asked for: the request of its kind."""
        return read_request(self.kind, self.request_text)

    @cached_property
    def source_values(self) -> Source:
        """Where the data came from, as the page that started the run wrote it."""
        return decode(self.source, Source)

    @cached_property
    def best(self) -> dict[str, Any] | None:
        """The headline of the result, if there is one: numbers, texts, settings."""
        return None if self.best_text is None else decode(self.best_text, Best)

    @cached_property
    def fault(self) -> str | None:
        """Why the run cannot be shown, such as damage to the store; None if it can."""
        try:
            check_request(self.kind, self.request_text)
            _ = (self.best, self.source_values, self.share, self.seconds)
            if not 0 <= self.created < END_OF_TIME:
                return f"its time is {self.created!r}"
        except (ValueError, TypeError, LookupError, ArithmeticError) as error:
            return str(error)
        return None if self.status in STATUSES else f"its status is {self.status!r}"

    def uses(self, fingerprint: str) -> bool:
        """Whether it needs these data, as its own or for validation or testing."""
        return fingerprint == self.data or fingerprint in self.request_text

    @property
    def active(self) -> bool:
        """Whether it waits or runs."""
        return self.status in ACTIVE

    @property
    def seconds(self) -> float:
        """How long it has worked, over all attempts."""
        if self.status == RUNNING and self.started is not None:
            # A clock may be set back meanwhile.
            return self.past_seconds + max(0.0, time() - self.started)
        return self.past_seconds

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        return min(self.done / self.total, 1.0) if self.total else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Expected, at the pace of the fits so far; None before there is a pace."""
        if self.status != RUNNING or self.started is None or not self.fitted:
            return None
        # A resumed run has just read back what it had: its first fits would seem
        # slow, and all its fits over all its time tell the pace better.
        made = self.done if self.past_seconds > 0.0 else self.fitted
        return self.seconds / made * (self.total - self.done)

    @property
    def is_lost(self) -> bool:
        """Whether it claims to run while its process on this machine is gone.

        Of another machine's process nobody here can tell: see Store.mark_lost.
        """
        if self.status != RUNNING:
            return False
        host, _, number = (self.worker or "").rpartition(":")
        if host != socket.gethostname() or not number.isdecimal():
            return False
        return not process_lives(int(number))


@lru_cache(maxsize=2000)  # pages look at all runs each time they are drawn
def check_request(kind: str, text: str) -> None:
    """Reject a request that means nothing here."""
    get_kind(kind).check(read_request(kind, text))


class Signs:
    """Signs of life of runs, and since when there was no other.

    They are compared with each other, never with our clock: it may be changed, and
    that of another machine may differ.
    """

    def __init__(self) -> None:
        self.heard: dict[int, tuple[float, float]] = {}

    def is_silent(self, run: Run) -> bool:
        """Whether a run has given none for as long as we have watched it."""
        if run.status != RUNNING:
            self.heard.pop(run.id, None)
            return False
        sign, since = self.heard.get(run.id, (None, 0.0))
        if sign is None or sign != run.heartbeat:
            self.heard[run.id] = (run.heartbeat or 0.0, monotonic())
            return False
        return monotonic() - since > STALE_SECONDS


def worker_name() -> str:
    """How this process signs the run it works on."""
    return f"{socket.gethostname()}:{os.getpid()}"


def process_lives(number: int) -> bool:
    """Whether a process of this machine exists and is no leftover."""
    try:
        with open(f"/proc/{number}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        if os.path.isdir("/proc/self"):
            return False
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
