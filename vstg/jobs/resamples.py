"""Resamples of a stability run in the store: each is kept when it is finished."""

import base64
import json

import numpy as np

from vstg.data import Array
from vstg.jobs.chains import Place, StoredChains
from vstg.jobs.content import pack_arrays, unpack_arrays
from vstg.jobs.pieces import read_pieces, save_piece
from vstg.jobs.requests import StabilityRequest
from vstg.jobs.runs import Run
from vstg.jobs.store import Store
from vstg.model_selection.stability import Pattern, Selected, frequencies
from vstg.solvers import VSTGResult

CHAIN = "resample"  # each is a chain of one cell, its number in place of the fold
REFERENCE = "reference"


class StoredResamples:
    """The :class:`~vstg.model_selection.stability.ResampleStorage` of one run."""

    def __init__(self, store: Store, run: Run) -> None:
        assert isinstance(run.request, StabilityRequest)
        self.chains = StoredChains(store, run)
        self.total = run.request.n_resamples

    def begin(self, reference: VSTGResult) -> None:
        """Keep what the fit on all data selects."""
        run = self.chains.run
        kept = {"kept": reference.U.any(axis=1)}
        save_piece(self.chains.store, run.id, REFERENCE, pack_arrays(kept))
        self.chains.begin(self.total)

    def load(self, number: int) -> Selected | None:
        """A finished resample, which from now on belongs to this run too."""
        found = self.chains.take((CHAIN, 0, number), Place(0, number))
        return None if found is None else read_selected(found[0])

    def save(self, number: int, selected: Selected) -> None:
        """Write a finished resample in one transaction."""
        cell = (str(number), write_selected(selected))
        self.chains.add((CHAIN, 0, number), Place(0, number), [cell])


def write_selected(selected: Selected) -> str:
    """Both patterns as text, a bit an entry."""
    patterns = {"U": selected.U, "V": selected.V}
    return json.dumps(
        {name: [*pattern.shape, _text(pattern)] for name, pattern in patterns.items()}
    )


def _text(pattern: Pattern) -> str:
    return base64.b64encode(np.packbits(pattern).tobytes()).decode("ascii")


def read_selected(text: str) -> Selected:
    """What :func:`write_selected` wrote."""
    found = json.loads(text)
    return Selected(_pattern(*found["U"]), _pattern(*found["V"]))


def _pattern(n_rows: int, n_columns: int, text: str) -> Pattern:
    bits = np.frombuffer(base64.b64decode(text), dtype=np.uint8)
    flat = np.unpackbits(bits, count=n_rows * n_columns)
    return flat.reshape(n_rows, n_columns).astype(bool)


def read_frequencies(store: Store, run: Run) -> dict[str, Array] | None:
    """Frequencies over the resamples so far, and ``kept``; None before the first."""
    found = store.query(
        "SELECT judged FROM run_chains JOIN cells ON cells.chain = run_chains.chain "
        "WHERE run = ? ORDER BY place",
        run.id,
    )
    if not found:
        return None
    reference = unpack_arrays(read_pieces(store, run.id)[REFERENCE])
    selected = [read_selected(row["judged"]) for row in found]
    return {**frequencies(selected), "kept": reference["kept"]}
