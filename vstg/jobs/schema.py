"""The tables of the run store, how a file is opened, and errors in words."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SCHEMA_VERSION = 2  # 2: runs have an owner
APPLICATION_ID = 0x76737467  # "vstg", so that other databases are not taken for ours
WAIT_SECONDS = 30.0  # for another process to finish its transaction

TABLES = """
CREATE TABLE data (
    fingerprint TEXT PRIMARY KEY,
    content BLOB NOT NULL
);
CREATE TABLE scopes (
    id INTEGER PRIMARY KEY,
    data TEXT NOT NULL,
    method TEXT NOT NULL,
    protocol TEXT NOT NULL,
    seed INTEGER NOT NULL,
    code TEXT NOT NULL,
    UNIQUE (data, method, protocol, seed, code)
);
CREATE TABLE chains (
    id INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL REFERENCES scopes (id) ON DELETE CASCADE,
    chain TEXT NOT NULL,
    repeat INTEGER NOT NULL,
    fold INTEGER NOT NULL,
    UNIQUE (scope, chain, repeat, fold)
);
CREATE TABLE cells (
    chain INTEGER NOT NULL REFERENCES chains (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    setting TEXT NOT NULL,
    judged TEXT NOT NULL,
    PRIMARY KEY (chain, position)
) WITHOUT ROWID;
CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    note TEXT NOT NULL DEFAULT '',
    data TEXT NOT NULL,
    data_name TEXT NOT NULL,
    source TEXT NOT NULL,
    request TEXT NOT NULL,
    code TEXT NOT NULL,
    status TEXT NOT NULL,
    message TEXT NOT NULL DEFAULT '',
    done INTEGER NOT NULL DEFAULT 0,
    total INTEGER NOT NULL DEFAULT 0,
    fitted INTEGER NOT NULL DEFAULT 0,
    best TEXT,
    created REAL NOT NULL,
    started REAL,
    seconds REAL NOT NULL DEFAULT 0,
    heartbeat REAL,
    worker TEXT,
    cancel INTEGER NOT NULL DEFAULT 0,
    deleted REAL,
    owner TEXT NOT NULL DEFAULT ''
);
CREATE TABLE run_chains (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    chain INTEGER NOT NULL REFERENCES chains (id) ON DELETE CASCADE,
    number_of_round INTEGER NOT NULL,
    place INTEGER NOT NULL,
    UNIQUE (run, number_of_round, place)
);
CREATE INDEX chains_of_runs ON run_chains (chain);
CREATE TABLE pieces (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    content BLOB NOT NULL,
    UNIQUE (run, name)
);
"""


class StoreError(OSError):
    """The run store cannot do what was asked; the message is for the user."""


# Written out, so that no statement is ever put together from words.
CHANGES = {
    "name": "UPDATE runs SET name = ? WHERE id = ?",
    "note": "UPDATE runs SET note = ? WHERE id = ?",
    "message": "UPDATE runs SET message = ? WHERE id = ?",
    "status": "UPDATE runs SET status = ? WHERE id = ?",
    "total": "UPDATE runs SET total = ? WHERE id = ?",
    "best": "UPDATE runs SET best = ? WHERE id = ?",
    "cancel": "UPDATE runs SET cancel = ? WHERE id = ?",
    "owner": "UPDATE runs SET owner = ? WHERE id = ?",
}
ADD_RUN = """
INSERT INTO runs (kind, name, note, data, data_name, code, status, message,
    done, total, fitted, created, source, request, best, seconds)
VALUES (:kind, :name, :note, :data, :data_name, :code, :status, :message,
    :done, :total, :fitted, :created, :source, :request, :best, :seconds)
"""

SENTENCES = {
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
        "the run store {path} is damaged, perhaps cut short by a copy. Restore a copy, "
        "or move it away: a new store is made where there is none"
    ),
}


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into sentences that say what to do."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        text = str(error).lower()
        for sign, sentence in SENTENCES.items():
            if sign in text:
                raise StoreError(sentence.format(path=path)) from error
        msg = f"the run store {path} failed: {error}"
        raise StoreError(msg) from error


def default_path() -> Path:
    """The file named in VSTG_STORE, or one in the user's data folder."""
    named = os.environ.get("VSTG_STORE")
    if named:
        return Path(os.path.expanduser(named))
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "vstg" / "runs.sqlite"


def connect(path: Path) -> tuple[sqlite3.Connection, bool]:
    """A connection to a checked store, made if there is none, and if it is read-only.

    Write-ahead logging lets readers go on while one process writes, and a transaction
    that was committed survives the end of the process, however it comes.
    """
    with in_words(path):
        read_only = exists(path) and not os.access(path, os.W_OK)
        if not read_only:
            make_folder(path)
            make_private(path)
        # Without a writable folder SQLite cannot share its log; nobody writes then.
        frozen = "" if os.access(path.parent, os.W_OK) else "&immutable=1"
        mode = f"ro{frozen}" if read_only else "rwc"
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            timeout=WAIT_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            uri=True,
        )
        try:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA foreign_keys = ON")
            prepare(connection, path, read_only=read_only)
        except BaseException:
            connection.close()
            raise
    return connection, read_only


def exists(path: Path) -> bool:
    """Whether there is a file, if its folder may be looked into."""
    try:
        return path.exists()
    except PermissionError as error:
        raise StoreError(SENTENCES["unable to open"].format(path=path)) from error


def make_folder(path: Path) -> None:
    """The folder of the store."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(SENTENCES["unable to open"].format(path=path)) from error


def make_private(path: Path) -> None:
    """A new file is its user's alone; SQLite gives its log the same rights."""
    with suppress(OSError):  # SQLite says better what is wrong
        path.touch(mode=0o600, exist_ok=True)


def prepare(connection: sqlite3.Connection, path: Path, *, read_only: bool) -> None:
    """Check the version; make the tables of a new file."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA_VERSION:
        msg = (
            f"the run store {path} was written by a newer vstg (its format is "
            f"{version}, this one knows {SCHEMA_VERSION}): update vstg, or name "
            "another file in VSTG_STORE"
        )
        raise StoreError(msg)
    if not read_only:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA secure_delete = ON")  # what is deleted is gone
    if version == 0:
        create(connection)
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StoreError(SENTENCES["not a database"].format(path=path))
    if version == 1 and not read_only:
        update(connection)


def update(connection: sqlite3.Connection) -> None:
    """Give a file of version 1 the column that it lacks, unless another just did."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] == 1:
            connection.execute(
                "ALTER TABLE runs ADD COLUMN owner TEXT NOT NULL DEFAULT ''"
            )
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def create(connection: sqlite3.Connection) -> None:
    """Make the tables, unless another process does so at the same moment."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        n_tables = connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
        if n_tables[0] == 0:
            for statement in TABLES.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
