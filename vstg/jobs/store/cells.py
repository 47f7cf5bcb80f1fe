"""Cells of a grid search in the store: written chain by chain, read as they come."""

import hashlib
import json
from typing import Any

from vstg.jobs.kind import as_json
from vstg.jobs.store.blobs import write_blob
from vstg.jobs.store.chains import ChainKey, Place, RunProgress, Scope, StoredChains
from vstg.jobs.store.run import Run
from vstg.jobs.store.store import Store
from vstg.model_selection.grid import Chain
from vstg.model_selection.runners import Piece, Rows
from vstg.model_selection.search import SEARCH_TOL


def search_scope(
    data: str,
    method: str,
    code: str,
    *,
    seed: int,
    loss: str,
    fit_intercept: bool,
    folds: int,
    repeats: int = 1,
    validation: str | None = None,
    tol: float | None = SEARCH_TOL,
) -> Scope:
    """All that decides on a cell besides its setting and fold."""
    protocol = {
        "loss": loss,
        "fit_intercept": fit_intercept,
        "tol": tol,
        "judged": validation or [folds, repeats],
    }
    return Scope(data, method, as_json(protocol), seed, code)


def chain_key(chain: Chain) -> str:
    """A digest of the settings of a chain in their order.

    A fit starts from the one before, so that a cell is the same only within the same
    chain.
    """
    after = [chain.after] if chain.after else []
    text = as_json([chain.fixed, chain.parameter, chain.values, *after])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class StoredCells:
    """The :class:`~vstg.model_selection.runners.Storage` of a run that is a search."""

    def __init__(self, store: Store, run: Run, scope: Scope) -> None:
        self.chains = StoredChains(store, run, scope, RunProgress(store, run.id))
        self.settings: dict[str, list[str]] = {}  # of chains, the same on every fold

    def begin(self, total: int) -> None:
        """A round begins: write how many cells there are to evaluate."""
        self.chains.begin(total)

    def load(self, piece: Piece) -> Rows | None:
        """The rows of a finished chain, which from now on belongs to this run too."""
        found = self.chains.take(key_of(piece), self.place_of(piece))
        return None if found is None else [json.loads(text) for text in found]

    def save(self, piece: Piece, rows: Rows) -> None:
        """Write a finished chain with its cells in one transaction."""
        key = key_of(piece)
        if key[0] not in self.settings:
            self.settings[key[0]] = [as_json(s) for s in piece.chain.settings()]
        results = [encode(row) for row in rows]
        cells = list(zip(self.settings[key[0]], results, strict=True))
        self.chains.add(key, self.place_of(piece), cells)

    def place_of(self, piece: Piece) -> Place:
        """Where the rows of a chain stand in the table of the run."""
        return Place(piece.number_of_round, piece.place)


class PassingCells(StoredCells):
    """The same for a search that is one part of a run, such as a method to compare.

    Its chains are kept until the part is finished, so that a run that is killed loses
    no finished chain; the result of the part then takes their place.
    """

    def __init__(
        self, store: Store, run: Run, scope: Scope, progress: RunProgress | None = None
    ) -> None:
        self.chains = StoredChains(store, run, scope, progress)
        self.settings = {}
        self.n_rounds = 0

    def begin(self, total: int) -> None:
        """A round of this part begins; the total is that of the whole run."""
        self.n_rounds += 1

    def place_of(self, piece: Piece) -> Place:
        """Searches that follow each other in one part have rounds of their own."""
        return Place(self.n_rounds, piece.place)

    def finish(self, name: str, content: bytes, progress: RunProgress, n: int) -> None:
        """Keep the result of the part in place of its chains, and count it."""
        with self.chains.store.transaction() as connection:
            write_blob(connection, self.chains.run.id, name, content)
            self.chains.drop(connection)
            progress.add(connection, n, fitted=True)


def key_of(piece: Piece) -> ChainKey:
    """Under what the rows of a chain are kept."""
    return chain_key(piece.chain), piece.repeat, piece.fold


def _plain(value: Any) -> Any:
    return value.item()


encode = json.JSONEncoder(default=_plain).encode  # made once: a search has many rows

CELLS_OF_RUN = (
    "SELECT run_chains.id AS mark, number_of_round, place, position, judged "
    "FROM run_chains JOIN cells ON cells.chain = run_chains.chain "
    "WHERE run_chains.run = ? AND run_chains.id > ?"
)


def new_rows(
    store: Store, run: int, after: int = 0
) -> tuple[list[tuple[tuple[int, int, int], dict[str, Any]]], int]:
    """Rows of a run written since the mark ``after``, with their places; a new mark."""
    found = store.query(CELLS_OF_RUN, run, after)
    rows = []
    for cell in found:
        row = json.loads(cell["judged"])
        row["round"] = cell["number_of_round"]
        place = (cell["number_of_round"], cell["place"], cell["position"])
        rows.append((place, row))
    return rows, max((cell["mark"] for cell in found), default=after)
