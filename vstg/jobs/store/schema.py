"""The tables of a run store, and how they are created and updated."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

VERSION = 2  # 2: runs have an owner
APPLICATION_ID = 0x76737467  # "vstg", so that other databases are not taken for ours

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


@contextmanager
def at_once(connection: sqlite3.Connection) -> Iterator[None]:
    """Keep all that is written inside, or nothing of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # SQLite may have rolled back already, as it does on a full disk.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def create(connection: sqlite3.Connection) -> None:
    """Make the tables, unless another process does so at the same moment."""
    with at_once(connection):
        n_tables = connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
        if n_tables[0] == 0:
            for statement in TABLES.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")


def update(connection: sqlite3.Connection) -> None:
    """Give a file of version 1 the column that it lacks, unless another just did."""
    with at_once(connection):
        if connection.execute("PRAGMA user_version").fetchone()[0] == 1:
            connection.execute(
                "ALTER TABLE runs ADD COLUMN owner TEXT NOT NULL DEFAULT ''"
            )
            connection.execute(f"PRAGMA user_version = {VERSION}")
