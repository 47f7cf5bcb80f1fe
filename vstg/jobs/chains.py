"""Finished chains in the store: written whole, shared by the runs that need them."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from vstg.jobs.requests import Request, SearchRequest, StabilityRequest
from vstg.jobs.runs import Run
from vstg.jobs.store import Store

ScopeKey = tuple[str, str, str, int, str]  # data, method, protocol, seed, code
ChainKey = tuple[str, int, int]  # digest of the settings, repeat, fold


@dataclass(frozen=True)
class Place:
    """Where a chain stands in the table of a run."""

    number_of_round: int
    place: int


class StoredChains:
    """The chains of one scope, of which a run takes and adds some."""

    def __init__(self, store: Store, run: Run) -> None:
        self.store, self.run = store, run
        self.scope = scope_of(store, scope_key(run.data, run.request, run.code))
        self.done = 0
        found = store.query(
            "SELECT id, chain, repeat, fold FROM chains WHERE scope = ?", self.scope
        )
        self.known = {(r["chain"], r["repeat"], r["fold"]): r["id"] for r in found}

    def begin(self, total: int) -> None:
        """Write how many cells there are to judge."""
        self.store.change(self.run.id, total=total)

    def take(self, key: ChainKey, place: Place) -> list[str] | None:
        """What was judged of a chain, which from now on belongs to this run too."""
        number = self.known.get(key)
        if number is None:
            return None
        found = self.store.query(
            "SELECT judged FROM cells WHERE chain = ? ORDER BY position", number
        )
        with self.store.transaction() as connection:
            self._link(connection, place, number, len(found), fitted=0)
        return [row["judged"] for row in found]

    def add(
        self, key: ChainKey, place: Place, cells: Sequence[tuple[str, str]]
    ) -> None:
        """Write a finished chain with its cells (setting, judged) in one go."""
        with self.store.transaction() as connection:
            number = write_chain(connection, self.scope, key, cells)
            self._link(connection, place, number, len(cells), fitted=len(cells))
        self.known[key] = number

    def _link(
        self,
        connection: sqlite3.Connection,
        place: Place,
        number: int,
        n_cells: int,
        *,
        fitted: int,
    ) -> None:
        connection.execute(
            "INSERT OR REPLACE INTO run_chains (run, chain, number_of_round, place) "
            "VALUES (?, ?, ?, ?)",
            (self.run.id, number, place.number_of_round, place.place),
        )
        self.done += n_cells
        connection.execute(
            "UPDATE runs SET done = ?, fitted = fitted + ? WHERE id = ?",
            (self.done, fitted, self.run.id),
        )


def write_chain(
    connection: sqlite3.Connection,
    scope: int,
    key: ChainKey,
    cells: Sequence[tuple[str, str]],
) -> int:
    """Write a chain unless it is there; its number.

    Another process may have judged the same chain for a run of its own.
    """
    connection.execute(
        "INSERT OR IGNORE INTO chains (scope, chain, repeat, fold) VALUES (?, ?, ?, ?)",
        (scope, *key),
    )
    number = connection.execute(
        "SELECT id FROM chains WHERE scope = ? AND chain = ? AND repeat = ? "
        "AND fold = ?",
        (scope, *key),
    ).fetchone()["id"]
    connection.executemany(
        "INSERT OR IGNORE INTO cells VALUES (?, ?, ?, ?)",
        [(number, position, *cell) for position, cell in enumerate(cells)],
    )
    return int(number)


def has_chains(request: Request) -> bool:
    """Whether a run of this kind is made of chains."""
    return isinstance(request, (SearchRequest, StabilityRequest))


def scope_key(data: str, request: Request, code: str) -> ScopeKey:
    """What all chains of a run have in common."""
    assert isinstance(request, (SearchRequest, StabilityRequest))
    return data, request.method, request.protocol, request.seed, code


def scope_of(store: Store, key: ScopeKey) -> int:
    """The number of a scope, made if it is new."""
    with store.transaction() as connection:
        connection.execute(
            "INSERT OR IGNORE INTO scopes (data, method, protocol, seed, code) "
            "VALUES (?, ?, ?, ?, ?)",
            key,
        )
        found = connection.execute(
            "SELECT id FROM scopes WHERE data = ? AND method = ? AND protocol = ? "
            "AND seed = ? AND code = ?",
            key,
        ).fetchone()
    return int(found["id"])
