"""Tables of the paper, measured again and stored entry by entry."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from threading import Event
from typing import Any

import numpy as np
import pandas as pd

from vstg.data import Dataset, MultiTaskData
from vstg.jobs.kind import Count, Kind, as_json
from vstg.jobs.queue.cluster import runner_at
from vstg.jobs.queue.manager import LOST
from vstg.jobs.store import run as status
from vstg.jobs.store.blobs import (
    blob_names,
    pack_arrays,
    read_blobs,
    save_blob,
    unpack_arrays,
)
from vstg.jobs.store.cells import PassingCells, search_scope
from vstg.jobs.store.chains import RunProgress
from vstg.jobs.store.code import code_version
from vstg.jobs.store.run import Run
from vstg.jobs.store.store import Store
from vstg.model_selection.runners import Runner
from vstg.reproduction import get_effort, get_exhibit, run_piece
from vstg.reproduction.exhibits import (
    PieceOfTable,
    check_columns,
    check_sets,
    pieces,
)
from vstg.reproduction.experiment import Outcome
from vstg.reproduction.protocol import Effort
from vstg.reproduction.results import Key, Results, versions

Notify = Callable[[PieceOfTable, Outcome], None]


@dataclass(frozen=True, kw_only=True)
class ReproductionRequest:
    """A table of the paper; ``data_dir`` is a folder with the real data sets."""

    exhibit: str
    effort: str = "full"
    sets: list[str]
    columns: list[str]
    repetitions: Count
    data_dir: str | None = None
    n_jobs: Count = 1
    scheduler: str | None = None

    kind = "reproduction"

    @property
    def where(self) -> dict[str, Any]:
        """Where to look for real data."""
        return {} if self.data_dir is None else {"data_dir": self.data_dir}


class ReproductionKind(Kind[ReproductionRequest]):
    """A table of the paper."""

    request = ReproductionRequest
    label = "the paper's tables"

    def run(
        self, store: Store, run: Run, stop: Event, notify: Notify | None = None
    ) -> None:
        """Every entry that is not yet stored; progress is counted in fits."""
        request: ReproductionRequest = run.request
        effort, work = get_effort(request.effort), entries_of(request)
        adopt(store, run, {entry.name for entry in work})
        known = blob_names(store, run.id)
        sizes = {entry.name: size_of(entry, effort) for entry in work}
        progress = RunProgress(store, run.id, total=sum(sizes.values()))
        with store.transaction() as connection:
            n_known = sum(size for name, size in sizes.items() if name in known)
            progress.add(connection, n_known, fitted=False)
        with runner_at(request.scheduler) as runner:
            for entry in work:
                if entry.name in known:
                    continue
                progress.limit = progress.done + sizes[entry.name]
                outcome = measure(store, run, entry, progress, runner, stop)
                if outcome is None:
                    return
                if notify is not None:
                    notify(entry, outcome)
        store.change(run.id, best=as_json({"exhibit": request.exhibit}))

    def read(self, store: Store, run: Run) -> None:
        """Its outcomes as the page shows them."""
        results_of(store, run)

    def check(self, request: ReproductionRequest) -> None:
        """Reject unknown tables, protocols, data sets and columns."""
        get_effort(request.effort)
        exhibit = get_exhibit(request.exhibit)
        check_sets(exhibit, request.sets)
        check_columns(exhibit, request.columns)

    def describe(self, request: ReproductionRequest) -> str:
        """Table and data sets."""
        return f"{request.exhibit}: {', '.join(request.sets)}"

    def here(self, request: ReproductionRequest) -> ReproductionRequest:
        """Drop the cluster and the folder of another machine."""
        return replace(request, scheduler=None, data_dir=None)


def entries_of(request: ReproductionRequest) -> list[PieceOfTable]:
    """What a request consists of."""
    return pieces(request.sets, request.columns, request.repetitions)


def measure(
    store: Store,
    run: Run,
    entry: PieceOfTable,
    progress: RunProgress,
    runner: Runner | None,
    stop: Event,
) -> Outcome | None:
    """One entry of the table, kept chain by chain; None if it was stopped."""
    request: ReproductionRequest = run.request
    effort = get_effort(request.effort)
    made: list[PassingCells] = []

    def storage_of(dataset: Dataset) -> PassingCells:
        validation = dataset.validation
        scope = search_scope(
            dataset.train.fingerprint,
            entry.column.method,
            run.code,
            seed=entry.repetition,
            loss=dataset.loss,
            fit_intercept=dataset.fit_intercept,
            folds=effort.n_folds,
            validation=None if validation is None else validation.fingerprint,
        )
        made.append(PassingCells(store, run, scope, progress))
        return made[-1]

    outcome = run_piece(
        entry.data,
        entry.column,
        entry.repetition,
        effort,
        where=request.where,
        n_jobs=request.n_jobs,
        runner=runner,
        stop=stop,
        storage_of=storage_of,
    )
    if outcome is not None:
        assert progress.limit is not None
        left = progress.limit - progress.done
        made[0].finish(entry.name, pack(outcome), progress, left)
    return outcome


def adopt(store: Store, run: Run, wanted: set[str]) -> None:
    """Take over what other runs of the same protocol and code have finished."""
    missing = wanted - blob_names(store, run.id)
    for other in store.runs(kind=run.kind):
        same = other.code == run.code and other.id != run.id and other.fault is None
        if not (missing and same and other.request.effort == run.request.effort):
            continue
        for name, content in read_blobs(store, other.id).items():
            if name in missing:
                save_blob(store, run.id, name, content)
                missing.remove(name)


def size_of(entry: PieceOfTable, effort: Effort) -> int:
    """Fits of an entry, about: where there are validation rows, there are no folds."""
    n_parts = 1 if entry.data.entry.has_validation else None
    return effort.n_fits(entry.column, n_parts)


def pack(outcome: Outcome) -> bytes:
    """An outcome as the store keeps it."""
    about = {name: value for name, value in asdict(outcome).items() if name != "W"}
    about |= {"setting": outcome.setting, "errors": outcome.errors}
    return pack_arrays({"about": np.array(as_json(about)), "W": outcome.W})


def read_outcomes(store: Store, run: Run) -> dict[tuple[str, str, int], dict[str, Any]]:
    """Finished entries by data set, column and repetition, each with its W."""
    found = {}
    for name, content in read_blobs(store, run.id).items():
        data, column, repetition = name.split("/")
        arrays = unpack_arrays(content)
        about = json.loads(str(arrays["about"]))
        found[data, column, int(repetition)] = about | {"W": arrays["W"]}
    return found


def outcomes_frame(found: dict[Key, dict[str, Any]]) -> pd.DataFrame:
    """One row per finished entry."""
    rows = []
    for (data, column, repetition), about in found.items():
        rows.append(
            {
                "data": data,
                "column": column,
                "repetition": repetition,
                **about["errors"],
                **about["setting"],
                **{
                    name: about[name]
                    for name in ("choice_error", "n_variables", "n_fits", "seconds")
                },
            }
        )
    return pd.DataFrame(rows)


def results_of(store: Store, run: Run, command: str = "") -> Results | None:
    """What a run has so far as a results folder holds it; None before anything."""
    request: ReproductionRequest = run.request
    found = read_outcomes(store, run)
    if not found:
        return None
    outcomes = outcomes_frame(found)
    effort = get_effort(request.effort)
    about = {
        "exhibit": request.exhibit,
        "effort": effort.name,
        "effort_label": effort.label,
        "repetitions": int(outcomes["repetition"].max()) + 1,
        "complete": run.status == status.DONE,
        "command": command,
        "n_fits": int(outcomes["n_fits"].sum()),
        "seconds": float(outcomes["seconds"].sum()),
        "n_jobs": request.n_jobs,
        "code": run.code,
        "versions": versions(),
    }
    coefficients = {key: about["W"] for key, about in found.items()}
    return Results(get_exhibit(request.exhibit), outcomes, about, coefficients)


def find_run(store: Store, request: ReproductionRequest) -> Run | None:
    """A run of the same table by the same code, finished or not; the newest."""
    wanted = essence(request)
    for run in store.runs(kind=request.kind):
        same = run.code == code_version() and run.fault is None
        if same and essence(run.request) == wanted:
            return run
    return None


def essence(request: ReproductionRequest) -> ReproductionRequest:
    """Return the fields that determine the numbers, not where they are computed."""
    return replace(request, n_jobs=1, scheduler=None, data_dir=None)


def begin(store: Store, request: ReproductionRequest) -> Run:
    """Return the run of a request: resumed if the store has it, otherwise new."""
    store.mark_lost(LOST)
    run = find_run(store, request)
    if run is not None and run.status == status.DONE:
        return run
    if run is not None:
        store.resume(run.id)
        claimed = store.claim(run.id)
        if claimed is None:
            msg = f"run {run.id} of {store.path} measures this already: wait for it"
            raise ValueError(msg)
        return claimed
    number = store.add_run(
        request,
        first_data(request),
        data_name=request.exhibit,
        name=request.exhibit,
        run_status=status.RUNNING,
    )
    return store.run(number)


def first_data(request: ReproductionRequest) -> MultiTaskData:
    """The training data of the first entry, which stand for all in the store."""
    first = entries_of(request)[0]
    return first.data.load(first.repetition, request.where).train
