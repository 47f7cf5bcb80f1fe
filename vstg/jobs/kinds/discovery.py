"""Discoveries: find settings, variables and groups, and how certain they are."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Annotated

import msgspec
import numpy as np

from vstg.data import Array
from vstg.discovery import Discovery, DiscoveryProgress, discover
from vstg.jobs.kind import Count, FittingRequest, Kind, Seed, as_json
from vstg.jobs.kinds.search import error_text
from vstg.jobs.store.blobs import pack_arrays, read_blobs, unpack_arrays, write_blob
from vstg.jobs.store.chains import RunProgress
from vstg.jobs.store.run import Run
from vstg.jobs.store.store import Store
from vstg.losses import get_loss, measure_of
from vstg.notation import counted, measure_text
from vstg.prediction import Predictor
from vstg.solvers import VSTGResult

MODEL, CERTAINTY = "model", "certainty"
FOLDS = "folds of the search"
MOST_FITS = 2000  # of a discovery without resamples; a limit, not a measurement


@dataclass(frozen=True, kw_only=True)
class DiscoveryRequest(FittingRequest):
    """A search for the settings in the units of the data, as Explore shows them."""

    folds: Count = 5
    n_resamples: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 25
    seed: Seed = 0
    n_jobs: Count = 1

    kind = "discovery"


class DiscoveryKind(Kind[DiscoveryRequest]):
    """The settings that cross-validation finds."""

    request = DiscoveryRequest
    label = "found settings"

    def run(self, store: Store, run: Run, stop: Event) -> None:
        """Run the search; it takes seconds, so that it is kept only as a whole."""
        request: DiscoveryRequest = run.request
        data = store.data(run.data)
        found = discover(
            data,
            random_state=request.seed,
            cv=request.folds,
            n_resamples=request.n_resamples,
            **request.fitting,
            standardize=False,
            n_jobs=request.n_jobs,
            callback=DiscoveryCounter(store, run),
            stop=stop,
        )
        if found.cancelled:
            return
        with store.transaction() as connection:
            model = replace(
                Predictor.of(found.result, data),
                evaluation=evaluation(found, request.loss),
            )
            write_blob(connection, run.id, MODEL, model.to_bytes())
            write_blob(connection, run.id, CERTAINTY, pack_certainty(found))
        best = {
            "setting": found.result.settings.to_mapping(),
            "error": found.error,
            "n_variables": len(found.kept),
            "n_groups": sum(bool(group.bases) for group in found.groups),
        }
        store.change(run.id, best=as_json(best))

    def read(self, store: Store, run: Run) -> None:
        """A model and frequencies of the shape of the data."""
        found = read_found(store, run)
        if found is None:
            return
        data = store.data(run.data)
        D, T = data.n_features, data.n_tasks
        shapes = found.result.W.shape, found.variables.shape, found.together.shape
        if shapes != ((D, T), (D,), (T, T)):
            msg = "its model is not of its data"
            raise ValueError(msg)

    def check(self, request: DiscoveryRequest) -> None:
        """Reject unknown losses."""
        get_loss(request.loss)

    def count(self, request: DiscoveryRequest) -> int:
        """The search on all rows, in each fold, and on both halves of each pair."""
        return MOST_FITS * (1 + request.folds) + 20 * request.n_resamples

    def describe(self, request: DiscoveryRequest) -> str:
        """Describe the folds and halves."""
        return f"{request.folds} folds, {2 * request.n_resamples} halves of the rows"

    def headline(self, run: Run) -> tuple[str, str]:
        """The cross-validated error, and what was found."""
        if run.best is None:
            return "–", ""
        found = (("n_variables", "variable"), ("n_groups", "group"))
        text = ", ".join(counted(run.best[name], noun) for name, noun in found)
        return error_text(run.request.loss, run.best["error"]), text


class DiscoveryCounter:
    """Write the progress of a discovery into the store."""

    def __init__(self, store: Store, run: Run) -> None:
        self.store, self.run = store, run
        self.progress: RunProgress | None = None

    def __call__(self, now: DiscoveryProgress) -> None:
        """So much is done."""
        if self.progress is None:
            self.progress = RunProgress(self.store, self.run.id, total=now.total)
        with self.store.transaction() as connection:
            self.progress.add(connection, now.done - self.progress.done, fitted=True)


@dataclass(frozen=True, eq=False)
class FoundModel:
    """The result of a discovery, as the store keeps it.

    ``variables`` (D,) and ``together`` (T, T) are shares of the ``n_halves``;
    ``evaluation`` has its error and those of plain models, for runs that kept them.
    """

    result: VSTGResult
    variables: Array
    together: Array
    n_halves: int
    summary: str
    repeatable: bool
    evaluation: Mapping[str, float | str] = field(default_factory=dict)


def evaluation(found: Discovery, loss: str) -> dict[str, float | str]:
    """The errors on the folds of the search, of the model and of plain ones."""
    numbers = {"error": found.error, **found.baselines}
    finite = {name: v for name, v in numbers.items() if np.isfinite(v)}
    return {"measure": measure_text(measure_of(loss)), "rows": FOLDS, **finite}


def pack_certainty(found: Discovery) -> bytes:
    """Pack the certainty of the finding, and its description."""
    return pack_arrays(
        {
            "variables": found.certainty.variables,
            "together": found.certainty.together,
            "n_halves": np.array(found.certainty.n_halves),
            "summary": np.array(found.summary()),
            "repeatable": np.array(found.repeatable),
        }
    )


def read_found(store: Store, run: Run) -> FoundModel | None:
    """Return the finding of a run; None before its end."""
    blobs = read_blobs(store, run.id)
    if MODEL not in blobs or CERTAINTY not in blobs:
        return None
    model = Predictor.load(blobs[MODEL])
    result = model.result
    if not isinstance(result, VSTGResult):
        msg = "its model is of another method"
        raise ValueError(msg)
    arrays = unpack_arrays(blobs[CERTAINTY])
    return FoundModel(
        result,
        arrays["variables"],
        arrays["together"],
        int(arrays["n_halves"]),
        str(arrays["summary"]),
        bool(arrays["repeatable"]),
        model.evaluation,
    )
