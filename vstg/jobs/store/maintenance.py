"""Maintain a store: check it, copy it, shrink it, remove old runs."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import time
from typing import Any

from vstg.jobs.store.files import StoreError, explained
from vstg.jobs.store.run_files import read_run
from vstg.jobs.store.store import SWEEP, UNUSED_DATA, Store


def find_faults(store: Store) -> list[str]:
    """What is wrong with a store, one sentence each; empty if all is well.

    Everything is read: the file's own structure, all data and all results.
    """
    found = [f"the file: {row[0]}" for row in store.query("PRAGMA integrity_check")]
    if found == ["the file: ok"]:
        found = []
    for row in store.query("PRAGMA foreign_key_check"):
        found.append(f"table {row[0]}: row {row[1]} belongs to nothing")
    for row in store.query("SELECT fingerprint FROM data"):
        found += _faults(f"data {row[0][:12]}…", _read_data, store, row[0])
    for run in [*store.runs(), *store.runs(deleted=True)]:
        found += _faults(f"run {run.id}", read_run, store, run)
    return found


def _faults(name: str, reader: Callable[..., None], *args: Any) -> list[str]:
    try:
        reader(*args)
    except (ArithmeticError, LookupError, OSError, TypeError, ValueError) as error:
        return [f"{name}: {error}"]
    return []


def _read_data(store: Store, fingerprint: str) -> None:
    if store.data(fingerprint).fingerprint != fingerprint:
        msg = "they are not what they were when they were stored"
        raise ValueError(msg)


def backup(store: Store, target: Path) -> None:
    """Copy a store, also while others write to it; the copy is complete or not there.

    Never copy the file by other means: see :func:`~vstg.jobs.store.is_store_file`.
    """
    if target.exists():
        msg = f"{target} is there already: name a new file"
        raise StoreError(msg)
    part = target.with_name(f".{target.name}.part")
    part.unlink(missing_ok=True)
    try:
        part.touch(mode=0o600)
        with (
            closing(sqlite3.connect(part)) as copy,
            store.guarded() as connection,
            explained(target),
        ):
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def size_of_content(store: Store) -> int:
    """Bytes in use, without free pages."""
    names = ("page_count", "freelist_count", "page_size")
    with store.guarded() as connection:
        pages, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names
        )
    return (pages - free) * size


def compact(store: Store) -> tuple[int, int]:
    """Remove what no run needs and give free space back; bytes before and after."""
    before = store.path.stat().st_size
    with store.transaction() as connection:
        for statement in SWEEP:
            connection.execute(statement)
        connection.execute(UNUSED_DATA, (None,))
    with store.guarded() as connection:
        # From now on the file of an earlier vstg shrinks by itself, too.
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("VACUUM")
    store.shrink()
    return before, store.path.stat().st_size


def purge_old(
    store: Store, *, days: float | None = None, megabytes: float | None = None
) -> list[int]:
    """Remove runs for good, oldest first; returns their numbers.

    Those that were deleted; those that began more than ``days`` ago; and as many more
    as it takes to bring the store below ``megabytes``. Runs that wait or work stay.
    """
    gone = store.runs(deleted=True)
    ended = [run for run in reversed(store.runs()) if not run.active]
    if days is not None:
        gone += [run for run in ended if run.created < time() - days * 86_400]
    store.remove(gone)
    left = [run for run in ended if run not in gone]
    while megabytes is not None and left and size_of_content(store) > megabytes * 1e6:
        gone.append(left.pop(0))
        store.remove(gone[-1:])
    return sorted(run.id for run in gone)
