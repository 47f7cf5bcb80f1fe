"""Cells of a search in the store: written chain by chain, read as they come."""

import hashlib
import json
import sqlite3
from typing import Any

import pandas as pd

from vstg.jobs.requests import SearchRequest, as_json
from vstg.jobs.runs import Run
from vstg.jobs.store import Store
from vstg.model_selection.grid import Chain
from vstg.model_selection.methods import get_method
from vstg.model_selection.result import SearchResult
from vstg.model_selection.runners import Piece, Rows


def chain_key(chain: Chain) -> str:
    """A digest of the settings of a chain in their order.

    A fit starts from the one before, so that a cell is the same only within the same
    chain.
    """
    text = as_json([chain.fixed, chain.parameter, chain.values])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class StoredCells:
    """The :class:`~vstg.model_selection.runners.Storage` of one run."""

    def __init__(self, store: Store, run: Run) -> None:
        assert isinstance(run.request, SearchRequest)
        self.store, self.run = store, run
        request = run.request
        self.scope = scope_of(
            store, (run.data, request.method, request.protocol, request.seed, run.code)
        )
        self.done = 0
        found = store.query(
            "SELECT id, chain, repeat, fold FROM chains WHERE scope = ?", self.scope
        )
        self.known = {(r["chain"], r["repeat"], r["fold"]): r["id"] for r in found}

    def begin(self, total: int) -> None:
        """A round begins: write how many cells there are to judge."""
        self.store.change(self.run.id, total=total)

    def load(self, piece: Piece) -> Rows | None:
        """The rows of a finished chain, which from now on belongs to this run too."""
        number = self.known.get((chain_key(piece.chain), piece.repeat, piece.fold))
        if number is None:
            return None
        found = self.store.query(
            "SELECT judged FROM cells WHERE chain = ? ORDER BY position", number
        )
        rows = [json.loads(row["judged"]) for row in found]
        with self.store.transaction() as connection:
            self._link(connection, piece, number, len(rows), fitted=0)
        return rows

    def save(self, piece: Piece, rows: Rows) -> None:
        """Write a finished chain with its cells in one transaction."""
        key = (chain_key(piece.chain), piece.repeat, piece.fold)
        settings = piece.chain.settings()
        cells = [
            (position, as_json(setting), json.dumps(row, default=_plain))
            for position, (setting, row) in enumerate(zip(settings, rows, strict=True))
        ]
        with self.store.transaction() as connection:
            # Another process may have judged the same chain for a run of its own.
            connection.execute(
                "INSERT OR IGNORE INTO chains (scope, chain, repeat, fold) "
                "VALUES (?, ?, ?, ?)",
                (self.scope, *key),
            )
            number = connection.execute(
                "SELECT id FROM chains WHERE scope = ? AND chain = ? AND repeat = ? "
                "AND fold = ?",
                (self.scope, *key),
            ).fetchone()["id"]
            connection.executemany(
                "INSERT OR IGNORE INTO cells VALUES (?, ?, ?, ?)",
                [(number, *cell) for cell in cells],
            )
            self._link(connection, piece, number, len(rows), fitted=len(rows))
        self.known[key] = number

    def _link(
        self,
        connection: sqlite3.Connection,
        piece: Piece,
        number: int,
        n_cells: int,
        *,
        fitted: int,
    ) -> None:
        connection.execute(
            "INSERT OR REPLACE INTO run_chains (run, chain, number_of_round, place) "
            "VALUES (?, ?, ?, ?)",
            (self.run.id, number, piece.number_of_round, piece.place),
        )
        self.done += n_cells
        connection.execute(
            "UPDATE runs SET done = ?, fitted = fitted + ? WHERE id = ?",
            (self.done, fitted, self.run.id),
        )


def scope_of(store: Store, key: tuple[str, str, str, int, str]) -> int:
    """The number of (data, method, protocol, seed, code), made if it is new."""
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


CELLS_OF_RUN = (
    "SELECT run_chains.id AS mark, number_of_round, place, position, judged "
    "FROM run_chains JOIN cells ON cells.chain = run_chains.chain "
    "WHERE run_chains.run = ? AND run_chains.id > ?"
)


def new_rows(
    store: Store, number: int, after: int = 0
) -> tuple[list[tuple[tuple[int, int, int], dict[str, Any]]], int]:
    """Rows of a run written since the mark ``after``, with their places; a new mark."""
    found = store.query(CELLS_OF_RUN, number, after)
    rows = []
    for cell in found:
        row = json.loads(cell["judged"])
        row["round"] = cell["number_of_round"]
        place = (cell["number_of_round"], cell["place"], cell["position"])
        rows.append((place, row))
    return rows, max((cell["mark"] for cell in found), default=after)


def stored_result(store: Store, run: Run) -> SearchResult:
    """The search as far as it is, in the order of the grid."""
    rows, _ = new_rows(store, run.id)
    ordered = sorted(rows, key=lambda item: item[0])
    return search_result(run, pd.DataFrame([row for _, row in ordered]))


def search_result(run: Run, frame: pd.DataFrame) -> SearchResult:
    """The frame of a run with what its request says about it."""
    request = run.request
    assert isinstance(request, SearchRequest)
    names = get_method(request.method).parameters
    parameters = (*names, *(name for name in request.grid if name == "mu"))
    measure = request.measure or (
        "rmse_mean_over_tasks"
        if request.loss == "squared"
        else "error_rate_mean_over_tasks"
    )
    return SearchResult(
        frame, request.method, parameters, measure, run.status != "done", run.seconds
    )


def _plain(value: Any) -> Any:
    return value.item()
