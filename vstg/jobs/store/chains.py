"""Finished chains in the store: written whole, shared by the runs that need them."""

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from vstg.jobs.store.run import Run
from vstg.jobs.store.store import Store

ChainKey = tuple[str, int, int]  # digest of the settings, repeat, fold
Cell = tuple[str, str]  # setting and what came of it, as JSON


class Scope(NamedTuple):
    """Everything that chains of one search have in common."""

    data: str
    method: str
    protocol: str
    seed: int
    code: str


class Place(NamedTuple):
    """The position of a chain in the table of a run."""

    number_of_round: int
    place: int


class RunProgress:
    """Count what a run has finished, in the transactions that store it.

    ``limit`` is what may be counted for now: the number of fits that a part of a run
    takes may only be estimated.
    """

    def __init__(self, store: Store, run: int, total: int | None = None) -> None:
        self.store, self.run, self.done = store, run, 0
        self.limit = total
        if total is not None:
            store.change(run, total=total)

    def add(self, connection: sqlite3.Connection, n: int, *, fitted: bool) -> None:
        """So many more are finished: just made, or found in the store."""
        if self.limit is not None:
            n = max(0, min(n, self.limit - self.done))
        self.done += n
        connection.execute(
            "UPDATE runs SET done = ?, fitted = fitted + ? WHERE id = ?",
            (self.done, n if fitted else 0, self.run),
        )


class StoredChains:
    """The chains of one scope, of which a run takes and adds some.

    Without ``progress`` the chains are not counted.
    """

    def __init__(
        self, store: Store, run: Run, scope: Scope, progress: RunProgress | None
    ) -> None:
        self.store, self.run, self.progress = store, run, progress
        self.scope = scope
        found = store.query(
            "SELECT chains.id, chain, repeat, fold FROM chains "
            "JOIN scopes ON scopes.id = scope WHERE data = ? AND method = ? "
            "AND protocol = ? AND seed = ? AND code = ?",
            *scope,
        )
        self.known = {(r["chain"], r["repeat"], r["fold"]): r["id"] for r in found}

    def begin(self, total: int) -> None:
        """Write how many cells there are to evaluate."""
        self.store.change(self.run.id, total=total)

    def take(self, key: ChainKey, place: Place) -> list[str] | None:
        """The results of a chain, which from now on belongs to this run too."""
        number = self.known.get(key)
        if number is None:
            return None
        with self.store.transaction() as connection:
            found = connection.execute(
                "SELECT judged FROM cells WHERE chain = ? ORDER BY position", (number,)
            ).fetchall()
            if not found:  # another process has removed it meanwhile
                return None
            self._link(connection, place, number, len(found), fitted=False)
        return [row["judged"] for row in found]

    def add(self, key: ChainKey, place: Place, cells: Sequence[Cell]) -> None:
        """Write a finished chain with its cells in one transaction."""
        with self.store.transaction() as connection:
            number = write_chain(connection, self.scope, key, cells)
            self._link(connection, place, number, len(cells), fitted=True)
        self.known[key] = number

    def _link(
        self,
        connection: sqlite3.Connection,
        place: Place,
        chain: int,
        n_cells: int,
        *,
        fitted: bool,
    ) -> None:
        link_chain(connection, self.run.id, chain, place)
        if self.progress is not None:
            self.progress.add(connection, n_cells, fitted=fitted)

    def drop(self, connection: sqlite3.Connection) -> None:
        """Remove them from the run, and from the store where no other needs them."""
        connection.execute("DELETE FROM run_chains WHERE run = ?", (self.run.id,))
        connection.execute(
            "DELETE FROM chains WHERE scope = ? "
            "AND id NOT IN (SELECT chain FROM run_chains)",
            (scope_number(connection, self.scope),),
        )


def link_chain(
    connection: sqlite3.Connection, run: int, chain: int, place: Place
) -> None:
    """Make a chain one of a run's."""
    connection.execute(
        "INSERT OR REPLACE INTO run_chains (run, chain, number_of_round, place) "
        "VALUES (?, ?, ?, ?)",
        (run, chain, *place),
    )


def write_chain(
    connection: sqlite3.Connection, scope: Scope, key: ChainKey, cells: Sequence[Cell]
) -> int:
    """Write a chain unless it is there; its number.

    Another process may have evaluated the same chain for a run of its own.
    """
    in_scope = (scope_number(connection, scope), *key)
    connection.execute(
        "INSERT OR IGNORE INTO chains (scope, chain, repeat, fold) VALUES (?, ?, ?, ?)",
        in_scope,
    )
    number = connection.execute(
        "SELECT id FROM chains WHERE scope = ? AND chain = ? AND repeat = ? "
        "AND fold = ?",
        in_scope,
    ).fetchone()["id"]
    connection.executemany(
        "INSERT OR IGNORE INTO cells VALUES (?, ?, ?, ?)",
        [(number, position, *cell) for position, cell in enumerate(cells)],
    )
    return int(number)


def scope_number(connection: sqlite3.Connection, scope: Scope) -> int:
    """The number of a scope, made if it is new.

    In the transaction that uses it: a scope without chains is swept away.
    """
    connection.execute(
        "INSERT OR IGNORE INTO scopes (data, method, protocol, seed, code) "
        "VALUES (?, ?, ?, ?, ?)",
        scope,
    )
    found = connection.execute(
        "SELECT id FROM scopes WHERE data = ? AND method = ? AND protocol = ? "
        "AND seed = ? AND code = ?",
        scope,
    ).fetchone()
    return int(found["id"])
