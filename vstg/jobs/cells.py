"""Cells of a search in the store: written chain by chain, read as they come."""

import hashlib
import json
from typing import Any

import pandas as pd

from vstg.jobs.chains import ChainKey, Place, StoredChains
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
        self.chains = StoredChains(store, run)
        self.settings: dict[str, list[str]] = {}  # of chains, the same on every fold

    def begin(self, total: int) -> None:
        """A round begins: write how many cells there are to judge."""
        self.chains.begin(total)

    def load(self, piece: Piece) -> Rows | None:
        """The rows of a finished chain, which from now on belongs to this run too."""
        found = self.chains.take(key_of(piece), place_of(piece))
        return None if found is None else [json.loads(text) for text in found]

    def save(self, piece: Piece, rows: Rows) -> None:
        """Write a finished chain with its cells in one transaction."""
        key = key_of(piece)
        if key[0] not in self.settings:
            self.settings[key[0]] = [as_json(s) for s in piece.chain.settings()]
        judged = [encode(row) for row in rows]
        cells = list(zip(self.settings[key[0]], judged, strict=True))
        self.chains.add(key, place_of(piece), cells)


def key_of(piece: Piece) -> ChainKey:
    """Under what a piece is kept."""
    return chain_key(piece.chain), piece.repeat, piece.fold


def place_of(piece: Piece) -> Place:
    """Where the rows of a piece stand."""
    return Place(piece.number_of_round, piece.place)


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


encode = json.JSONEncoder(default=_plain).encode  # made once: a search has many rows
