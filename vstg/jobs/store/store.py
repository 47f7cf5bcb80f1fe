"""The run store: one SQLite file that several processes can share."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from time import time
from typing import Any, Self

from vstg.bounded import clean_text
from vstg.data import MultiTaskData
from vstg.jobs.kind import as_json, write_request
from vstg.jobs.store import run as status
from vstg.jobs.store.blobs import pack_data, unpack_data
from vstg.jobs.store.code import code_version
from vstg.jobs.store.files import (
    StoreError,
    connect,
    default_path,
    explained,
    identity,
    store_error,
)
from vstg.jobs.store.run import Run, Signs, worker_name
from vstg.jobs.store.schema import CHANGES, at_once

KEEP_DELETED_SECONDS = 7 * 24 * 3600.0
SHORT = 500  # characters of a name
LONGEST = {"note": 10_000, "message": 10_000}

# What no run needs any more.
SWEEP = (
    "DELETE FROM chains WHERE id NOT IN (SELECT chain FROM run_chains)",
    "DELETE FROM scopes WHERE id NOT IN (SELECT scope FROM chains)",
)
# All such data, or one. A request may name more than the run's own, as for validation.
UNUSED_DATA = (
    "DELETE FROM data WHERE (?1 IS NULL OR fingerprint = ?1) AND NOT EXISTS "
    "(SELECT 1 FROM runs WHERE runs.data = fingerprint "
    "OR instr(runs.request, fingerprint))"
)


class Store:
    """Runs, the cells they evaluated and the data they used.

    Parameters
    ----------
    path : by default the file named in the environment variable VSTG_STORE
    create : whether to make a new store where there is none
    """

    def __init__(self, path: str | Path | None = None, *, create: bool = True) -> None:
        self.path = default_path() if path is None else Path(path)
        self.connection, self.read_only = connect(self.path, create=create)
        self.identity = identity(self.path)
        self.lock = RLock()
        self.signs = Signs()

    def close(self) -> None:
        """Close the file."""
        with self.lock:
            self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def guarded(self) -> Iterator[sqlite3.Connection]:
        """The connection for this thread alone; every failure is explained.

        A file that was moved away could still be written, and nobody would find it.
        """
        with self.lock, explained(self.path):
            if identity(self.path) != self.identity:
                raise store_error(self.path, "moved")
            yield self.connection

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Keep all that is written inside, or nothing of it."""
        if self.read_only:
            raise store_error(self.path, "readonly database")
        with self.guarded() as connection, at_once(connection):
            yield connection

    def write(self, sql: str, *values: Any) -> sqlite3.Cursor:
        """Run one statement that changes the store."""
        with self.transaction() as connection:
            return connection.execute(sql, values)

    def query(self, sql: str, *values: Any) -> list[sqlite3.Row]:
        """Rows of a SELECT."""
        with self.guarded() as connection:
            return connection.execute(sql, values).fetchall()

    # Data

    def add_data(self, data: MultiTaskData) -> str:
        """Keep the data and return their fingerprint; equal data are kept once."""
        if not self.query("SELECT 1 FROM data WHERE fingerprint = ?", data.fingerprint):
            content = pack_data(data)
            sql = "INSERT OR IGNORE INTO data VALUES (?, ?)"
            self.write(sql, data.fingerprint, content)
        return data.fingerprint

    def data(self, fingerprint: str) -> MultiTaskData:
        """Data that were kept."""
        found = self.query(
            "SELECT content FROM data WHERE fingerprint = ?", fingerprint
        )
        if not found:
            msg = f"the run store {self.path} has no data {fingerprint[:12]}…"
            raise StoreError(msg)
        return unpack_data(found[0]["content"])

    # Runs

    def add_run(
        self,
        request: Any,
        data: MultiTaskData,
        *,
        data_name: str = "",
        name: str = "",
        source: dict[str, Any] | None = None,
        run_status: str = status.QUEUED,
        owner: str = "",
    ) -> int:
        """Put a run at the end of the queue, and return its number.

        With the status "running" it is this process's own and in no queue. With an
        owner it is private; see :mod:`vstg.jobs.queue.owners`.
        """
        fingerprint = self.add_data(data)
        own = time() if run_status == status.RUNNING else None
        cursor = self.write(
            "INSERT INTO runs (kind, name, data, data_name, source, request, code,"
            " status, created, started, heartbeat, worker, owner)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            request.kind, clean_text(name, SHORT), fingerprint,
            clean_text(data_name, SHORT), as_json(source or {}),
            write_request(request), code_version(), run_status, time(),
            own, own, worker_name() if own else None, owner,
        )  # fmt: skip
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def runs(
        self,
        *,
        kind: str | None = None,
        deleted: bool = False,
        active: bool = False,
        visible_to: str | None = None,
    ) -> list[Run]:
        """All runs, newest first; deleted ones only if asked for.

        ``active`` leaves out those that neither wait nor run, ``visible_to`` the
        private runs of others than this owner. What is left out is not read: between
        two rows another thread may have its turn, and the store waits meanwhile.
        """
        found = self.query(
            "SELECT * FROM runs WHERE (deleted IS NULL) = ?1 "
            "AND (?2 IS NULL OR kind = ?2) AND (?3 IS NULL OR owner IN ('', ?3)) "
            "AND (NOT ?4 OR status IN ('queued', 'running')) ORDER BY id DESC",
            not deleted, kind, visible_to, active,
        )  # fmt: skip
        return [Run.of_row(row) for row in found]

    def n_waiting(self) -> int:
        """Count the runs that wait for a worker."""
        return sum(run.status == status.QUEUED for run in self.runs(active=True))

    def run(self, number: int) -> Run:
        """One run, deleted or not."""
        found = self.query("SELECT * FROM runs WHERE id = ?", number)
        if not found:
            msg = f"the run store {self.path} has no run {number}"
            raise StoreError(msg)
        return Run.of_row(found[0])

    def change(self, number: int, **values: Any) -> None:
        """Set columns of a run, such as its name or note."""
        unknown = set(values) - set(CHANGES)
        if unknown:
            msg = f"a run has no {sorted(unknown)} to change"
            raise ValueError(msg)
        with self.transaction() as connection:
            for column, value in values.items():
                if isinstance(value, str) and column != "best":
                    value = clean_text(value, LONGEST.get(column, SHORT))
                connection.execute(CHANGES[column], (value, number))

    def delete(self, numbers: Iterable[int]) -> None:
        """Hide runs; :meth:`restore` brings them back for a week."""
        with self.transaction() as connection:
            connection.executemany(
                "UPDATE runs SET deleted = ?, cancel = 1 WHERE id = ?",
                [(time(), number) for number in numbers],
            )

    def restore(self, numbers: Iterable[int]) -> None:
        """Undo :meth:`delete`."""
        with self.transaction() as connection:
            connection.executemany(
                "UPDATE runs SET deleted = NULL, cancel = 0 WHERE id = ?",
                [(number,) for number in numbers],
            )

    def purge(self, *, older_than: float = KEEP_DELETED_SECONDS) -> int:
        """Remove for good what was deleted long ago; return the number of runs."""
        before = time() - older_than
        gone = [run for run in self.runs(deleted=True) if (run.deleted or 0) < before]
        self.remove(gone)
        return len(gone)

    def remove(self, runs: Sequence[Run]) -> None:
        """Remove runs for good, with the results and data that no other run needs.

        What is removed is overwritten in the file, and a process that works on one of
        the runs finds it gone and stops.
        """
        if not runs:
            return
        marks = [row[0] for row in self.query("SELECT fingerprint FROM data")]
        used = [(mark,) for mark in marks if any(run.uses(mark) for run in runs)]
        with self.transaction() as connection:
            connection.executemany(
                "DELETE FROM runs WHERE id = ?", [(run.id,) for run in runs]
            )
            for statement in SWEEP:
                connection.execute(statement)
            # Only theirs: others may be waiting for the run that will use them.
            connection.executemany(UNUSED_DATA, used)
        self.shrink()

    def shrink(self) -> None:
        """Return free pages to the disk, including those still in the log.

        A file made before vstg could do so keeps its size until it is compacted.
        """
        with suppress(StoreError), self.guarded() as connection:
            # A script runs to its end; execute would free a single page.
            connection.executescript("PRAGMA incremental_vacuum")
            connection.executescript("PRAGMA wal_checkpoint(TRUNCATE)")

    # Work

    def claim(self, number: int | None = None) -> Run | None:
        """Take a queued run, the oldest by default; no two processes get the same."""
        with self.transaction() as connection:
            found = connection.execute(
                "SELECT id FROM runs WHERE status = ? AND deleted IS NULL "
                "AND (? IS NULL OR id = ?) ORDER BY id LIMIT 1",
                (status.QUEUED, number, number),
            ).fetchone()
            if found is None:
                return None
            now = time()
            connection.execute(
                "UPDATE runs SET status = ?, worker = ?, started = ?, heartbeat = ?, "
                "message = '', done = 0, fitted = 0 WHERE id = ?",
                (status.RUNNING, worker_name(), now, now, found["id"]),
            )
        return self.run(found["id"])

    def beat(self, number: int) -> bool:
        """Record that the worker is alive; return whether it should stop."""
        self.write("UPDATE runs SET heartbeat = ? WHERE id = ?", time(), number)
        return self.run(number).cancel

    def wanted(self, number: int) -> bool:
        """Whether a run is still there and nobody asked it to stop."""
        found = self.query("SELECT cancel FROM runs WHERE id = ?", number)
        return bool(found) and not found[0]["cancel"]

    def finish(self, number: int, ended: str, message: str = "") -> None:
        """Write how a running run ended, and how long this attempt took."""
        text = clean_text(message, LONGEST["message"])
        until = None if ended == status.INTERRUPTED else time()
        self.write(
            "UPDATE runs SET status = ?, message = ?, cancel = 0, worker = NULL, "
            "seconds = seconds + MAX(0, COALESCE(?, heartbeat, started) - started) "
            "WHERE id = ? AND status = ?",
            ended, text, until, number, status.RUNNING,
        )  # fmt: skip

    def cancel(self, number: int) -> None:
        """Ask a run to stop; a waiting run is cancelled at once."""
        self.write(
            "UPDATE runs SET cancel = (status = 'running'), status = CASE status "
            "WHEN 'queued' THEN 'cancelled' ELSE status END WHERE id = ?",
            number,
        )

    def resume(self, number: int) -> None:
        """Put a run that ended early back into the queue."""
        self.write(
            "UPDATE runs SET status = ?, cancel = 0, message = '' WHERE id = ? "
            "AND status NOT IN (?, ?)",
            status.QUEUED, number, *status.ACTIVE,
        )  # fmt: skip

    def mark_lost(self, message: str) -> list[int]:
        """Mark runs as interrupted if their process is gone."""
        if self.read_only:
            return []
        active = self.runs(active=True)
        lost = [run.id for run in active if run.is_lost or self.signs.is_silent(run)]
        for number in lost:
            self.finish(number, status.INTERRUPTED, message)
        return lost
