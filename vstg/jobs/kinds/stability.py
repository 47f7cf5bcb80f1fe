"""Stability runs: the same fit on many resamples, each kept when it is finished."""

import base64
import json
from dataclasses import dataclass
from threading import Event

import numpy as np

from vstg.data import Array
from vstg.jobs.kind import (
    VSTG_SETTING,
    Count,
    FittingRequest,
    Kind,
    Seed,
    Setting,
    as_json,
    check_setting,
)
from vstg.jobs.store.blobs import pack_arrays, read_blobs, save_blob, unpack_arrays
from vstg.jobs.store.chains import Place, RunProgress, Scope, StoredChains
from vstg.jobs.store.run import Run
from vstg.jobs.store.store import Store
from vstg.losses import get_loss
from vstg.model_selection import stability
from vstg.model_selection.search import SEARCH_TOL
from vstg.model_selection.stability import Pattern, Selected, frequencies
from vstg.notation import setting_text
from vstg.solvers import VSTGResult

SURE = 0.9  # of the resamples: such variables are counted in the history


@dataclass(frozen=True, kw_only=True)
class StabilityRequest(FittingRequest):
    """The same fit on many resamples."""

    setting: Setting
    n_resamples: Count = 100
    scheme: str = "subsample"
    seed: Seed = 0
    n_jobs: Count = 1

    kind = "stability"


class StabilityKind(Kind[StabilityRequest]):
    """A stability run: how often each entry is selected on resamples."""

    request = StabilityRequest
    label = "stability"
    unit = "resamples"

    def run(self, store: Store, run: Run, stop: Event) -> None:
        """Fit the resamples that the store does not have."""
        request: StabilityRequest = run.request
        found = stability(
            store.data(run.data),
            n_resamples=request.n_resamples,
            scheme=request.scheme,
            random_state=request.seed,
            n_jobs=request.n_jobs,
            callback=lambda done, total: stop.is_set(),
            storage=StoredResamples(store, run),
            **{**request.fitting, **request.setting},
        )
        n_sure = int((found.variables >= SURE).sum())
        best = {"n_sure": n_sure, "setting": request.setting}
        store.change(run.id, best=as_json(best))

    def read(self, store: Store, run: Run) -> None:
        """Frequencies of the shape of the data."""
        arrays = read_frequencies(store, run)
        if arrays is None:
            return
        shape = (store.data(run.data).n_features,)
        if not arrays["variables"].shape == arrays["kept"].shape == shape:
            msg = "its resamples are not of its data"
            raise ValueError(msg)

    def check(self, request: StabilityRequest) -> None:
        """Reject unknown losses and settings."""
        get_loss(request.loss)
        check_setting(request.setting, needed=VSTG_SETTING)

    def count(self, request: StabilityRequest) -> int:
        """One fit per resample."""
        return request.n_resamples

    def describe(self, request: StabilityRequest) -> str:
        """Number of resamples, and the setting."""
        return f"{request.n_resamples} resamples, {setting_text(request.setting)}"

    def headline(self, run: Run) -> tuple[str, str]:
        """How many variables are nearly always selected."""
        if run.best is None:
            return "–", ""
        return str(run.best["n_sure"]), f"variables selected in {SURE:.0%} or more"

    def scope(self, request: StabilityRequest, data: str, code: str) -> Scope:
        """Return everything that determines a resample, but not how many there are."""
        protocol = {
            "resampled": request.scheme,
            "setting": request.setting,
            **request.fitting,
            "tol": SEARCH_TOL,
        }
        return Scope(data, "vstg", as_json(protocol), request.seed, code)


CHAIN = "resample"  # each is a chain of one cell, its number in place of the fold
REFERENCE = "reference"


class StoredResamples:
    """The :class:`~vstg.model_selection.stability.ResampleStorage` of one run."""

    def __init__(self, store: Store, run: Run) -> None:
        scope = StabilityKind().scope(run.request, run.data, run.code)
        self.chains = StoredChains(store, run, scope, RunProgress(store, run.id))
        self.total = run.request.n_resamples

    def begin(self, reference: VSTGResult) -> None:
        """Keep what the fit on all data selects."""
        run = self.chains.run
        kept = {"kept": reference.U.any(axis=1)}
        save_blob(self.chains.store, run.id, REFERENCE, pack_arrays(kept))
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
    """Both patterns as text, one bit per entry."""
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
    reference = unpack_arrays(read_blobs(store, run.id)[REFERENCE])
    selected = [read_selected(row["judged"]) for row in found]
    return {**frequencies(selected), "kept": reference["kept"]}
