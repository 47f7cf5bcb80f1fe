"""Runs that belong to one visitor of a server, and end with the visit.

The owner of a run is a mark that names the process and the visit; runs without one
belong to everybody who uses the store.
"""

import sqlite3
from secrets import token_hex
from time import time

from vstg.jobs.store.run import Run, process_lives, worker_name
from vstg.jobs.store.store import Store

FOREIGN_SECONDS = 7 * 24 * 3600.0  # nobody here can tell whether another host lives
# A restarted container has the host and the number of the process before it.
PROCESS = f"{worker_name()}:{token_hex(8)}"


def new_owner() -> str:
    """A mark that nobody can guess."""
    return f"{PROCESS}:{token_hex(16)}"


def forget(store: Store, owner: str) -> int:
    """Remove the runs of an owner with all they left; returns how many there were.

    Data that other runs use stay. What is removed is overwritten in the file, and a
    process that works on one of the runs finds it gone and stops.
    """
    if not owner or store.read_only:
        return 0
    mine = [run for run in store.runs() if run.owner == owner]
    mine += [run for run in store.runs(deleted=True) if run.owner == owner]
    if mine:
        with store.transaction() as connection:
            _remove(connection, owner, mine)
        store.shrink()  # the log still has the pages as they were written
    return len(mine)


def _remove(connection: sqlite3.Connection, owner: str, runs: list[Run]) -> None:
    connection.execute("DELETE FROM runs WHERE owner = ?", (owner,))
    connection.execute(
        "DELETE FROM chains WHERE id NOT IN (SELECT chain FROM run_chains)"
    )
    connection.execute("DELETE FROM scopes WHERE id NOT IN (SELECT scope FROM chains)")
    found = connection.execute("SELECT fingerprint FROM data").fetchall()
    used = [row[0] for row in found if any(run.uses(row[0]) for run in runs)]
    connection.executemany(
        "DELETE FROM data WHERE fingerprint = ? AND NOT EXISTS (SELECT 1 FROM runs "
        "WHERE runs.data = fingerprint OR instr(runs.request, fingerprint))",
        [(mark,) for mark in used],
    )


def forget_process(store: Store) -> int:
    """Remove the private runs of all visitors of this process."""
    runs = [*store.runs(), *store.runs(deleted=True)]
    mine = {run.owner for run in runs if run.owner.startswith(f"{PROCESS}:")}
    return sum(forget(store, owner) for owner in mine)


def forget_lost(store: Store) -> int:
    """Remove the runs whose owner's server has ended without doing so."""
    runs = [*store.runs(), *store.runs(deleted=True)]
    lost = {run.owner for run in runs if run.owner and is_lost(run)}
    return sum(forget(store, owner) for owner in lost)


def is_lost(run: Run) -> bool:
    """Whether the server of the owner is gone."""
    process, _, _ = run.owner.rpartition(":")
    if process == PROCESS:
        return False
    host, number = process.rsplit(":", 2)[:2]
    own_host, own_number = worker_name().rsplit(":", 1)
    if host != own_host:
        return time() - run.created > FOREIGN_SECONDS
    return number == own_number or not process_lives(int(number))
