"""Find and open the file of a run store, and explain its errors."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from platformdirs import user_data_path

from vstg.jobs.store import schema

NAME = "runs.sqlite"  # unless VSTG_STORE says otherwise
WAIT_SECONDS = 30.0  # for another process to finish its transaction
MEMORY = Path(":memory:")  # a store without a file, for a trial
BESIDE = ("", "-wal", "-shm", "-journal")  # SQLite keeps these next to its file


class StoreError(OSError):
    """The run store cannot do what was asked; the message is for the user."""


SQLITE = {  # by the words of its errors
    "disk is full": (
        "the run store {path} cannot grow: the disk is full. What was finished before "
        "is kept; free some space and resume"
    ),
    "disk i/o error": (
        "the run store {path} cannot be written: the disk reports an error or a "
        "limit. What was finished before is kept; look at the disk and resume"
    ),
    "readonly database": (
        "the run store {path} is read-only: runs can be looked at, not started or "
        "changed. Allow writing, or name another file in VSTG_STORE"
    ),
    "unable to open": (
        "the run store {path} cannot be opened: its folder is missing or not "
        "accessible. Name another file in VSTG_STORE"
    ),
    "is locked": (
        "the run store {path} has been held by another process for "
        f"{WAIT_SECONDS:.0f} seconds. Try again, or end that process"
    ),
    "not a database": (
        "{path} is not a run store. Name another file in VSTG_STORE, or move this "
        "one away: a new store is made where there is none"
    ),
    "malformed": (
        "the run store {path} is damaged, perhaps truncated by a copy. Restore a copy, "
        "or move it away: a new store is made where there is none"
    ),
}
SENTENCES = SQLITE | {
    "moved": (
        "the run store {path} was moved, deleted or replaced while it was in use. Put "
        "it back, or restart vstg to begin with what is there now"
    ),
    "missing": "there is no run store {path}",
}


def store_error(path: Path, sign: str) -> StoreError:
    """The error for a known reason."""
    return StoreError(SENTENCES[sign].format(path=path))


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into sentences that say what to do."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        text = str(error).lower()
        for sign in SQLITE:
            if sign in text:
                raise store_error(path, sign) from error
        msg = f"the run store {path} failed: {error}"
        raise StoreError(msg) from error


def default_path() -> Path:
    """The file named in VSTG_STORE, or one in the user's data folder.

    On Linux that is ``~/.local/share/vstg`` or the folder in XDG_DATA_HOME, where
    stores were once on every system: one that is there is still used.
    """
    named = os.environ.get("VSTG_STORE")
    if named:
        return Path(os.path.expanduser(named))
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    earlier = Path(base) / "vstg" / NAME
    if earlier.exists():
        return earlier
    return user_data_path("vstg", appauthor=False) / NAME


Identity = tuple[int, int]  # device and inode
opened_here: set[Path] = set()  # absolute paths; a store is opened once or twice


def identity(path: str | Path) -> Identity | None:
    """Which file a path leads to, by whatever name; None if there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def is_store_file(path: str | Path) -> bool:
    """Whether a path leads to a run store that this process uses, or to its log.

    Such a file must not be opened by other means: when a process closes any of its
    descriptors of a file, the system drops all locks that it has on it, SQLite's too,
    and another process may then delete the log with what was written last.
    """
    wanted = identity(path)
    stores = opened_here | {default_path().absolute()}
    names = [store.with_name(store.name + end) for store in stores for end in BESIDE]
    return wanted is not None and wanted in map(identity, names)


def connect(path: Path, *, create: bool) -> tuple[sqlite3.Connection, bool]:
    """A connection to a checked store, and whether it is read-only.

    The only place that opens the file. Write-ahead logging lets others read while
    one process writes, and a transaction that was committed survives the end of the
    process, however it comes. Without ``create`` there must be a store already.
    """
    with explained(path):
        if path == MEMORY:
            return prepared(sqlite3.connect(":memory:"), path, read_only=False), False
        there = exists(path)
        if not (there or create):
            raise store_error(path, "missing")
        read_only = there and not os.access(path, os.W_OK)
        if not read_only:
            make_folder(path)
            make_private(path)
        # Without a writable folder SQLite cannot share its log; nobody writes then.
        frozen = "" if os.access(path.parent, os.W_OK) else "&immutable=1"
        mode = f"ro{frozen}" if read_only else "rw"
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            timeout=WAIT_SECONDS,
            check_same_thread=False,
            uri=True,
        )
        prepared(connection, path, read_only=read_only)
    opened_here.add(path.absolute())
    return connection, read_only


def prepared(
    connection: sqlite3.Connection, path: Path, *, read_only: bool
) -> sqlite3.Connection:
    """The connection, set up and checked, or closed again."""
    try:
        connection.isolation_level = None
        connection.row_factory = sqlite3.Row
        # One damaged text must not hide all the other rows.
        connection.text_factory = lambda content: content.decode("utf-8", "replace")
        prepare(connection, path, read_only=read_only)
    except BaseException:
        connection.close()
        raise
    return connection


def prepare(connection: sqlite3.Connection, path: Path, *, read_only: bool) -> None:
    """Check the version; make the tables of a new file, and update an old one."""
    connection.execute("PRAGMA foreign_keys = ON")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > schema.VERSION:
        msg = (
            f"the run store {path} was written by a newer vstg (its format is "
            f"{version}, this one knows {schema.VERSION}): update vstg, or name "
            "another file in VSTG_STORE"
        )
        raise StoreError(msg)
    if version == 0 and not read_only:
        # Before the first page is written: free pages can be given back later.
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    if not read_only:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA secure_delete = ON")  # what is deleted is gone
    if version == 0:
        schema.create(connection)
    found = connection.execute("PRAGMA application_id").fetchone()[0]
    if found != schema.APPLICATION_ID:
        raise store_error(path, "not a database")
    if version == 1 and not read_only:
        schema.update(connection)


def exists(path: Path) -> bool:
    """Whether there is a file, if its folder may be looked into."""
    try:
        return path.exists()
    except PermissionError as error:
        raise store_error(path, "unable to open") from error


def make_folder(path: Path) -> None:
    """The folder of the store."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise store_error(path, "unable to open") from error


def make_private(path: Path) -> None:
    """Let only the current user read a new file, and with it SQLite's log."""
    with suppress(OSError):  # SQLite says better what is wrong
        path.touch(mode=0o600, exist_ok=True)
