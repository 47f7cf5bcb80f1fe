"""A table of the paper as a run: piece by piece into the store."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from threading import Event
from typing import Any

import numpy as np
import pandas as pd

from vstg.jobs import runs as status
from vstg.jobs.content import code_version, pack_arrays, unpack_arrays
from vstg.jobs.pieces import Counter, piece_names, read_pieces, save_piece
from vstg.jobs.place import runner_at
from vstg.jobs.requests import ReproductionRequest, as_json
from vstg.jobs.runs import Run
from vstg.jobs.store import Store
from vstg.reproduction import get_effort, get_exhibit, run_piece
from vstg.reproduction.exhibits import PieceOfTable, pieces
from vstg.reproduction.experiment import Outcome
from vstg.reproduction.protocol import Effort
from vstg.reproduction.results import Key, Results, versions

Notify = Callable[[PieceOfTable, Outcome], None]


def pieces_of(request: ReproductionRequest) -> list[PieceOfTable]:
    """What a request consists of."""
    return pieces(request.sets, request.columns, request.repetitions)


def do_reproduction(
    store: Store, run: Run, stop: Event, notify: Notify | None = None
) -> None:
    """Every piece that is not yet stored; progress is counted in fits."""
    request = run.request
    assert isinstance(request, ReproductionRequest)
    effort, work = get_effort(request.effort), pieces_of(request)
    adopt(store, run, {piece.name for piece in work})
    known = piece_names(store, run.id)
    sizes = {piece.name: size_of(piece, effort) for piece in work}
    counter = Counter(store, run.id, sum(sizes.values()))
    done = sum(sizes[name] for name in known)
    counter.reach(done, fitted=False)
    where = {} if request.data_dir is None else {"data_dir": request.data_dir}
    with runner_at(request.scheduler) as runner:
        for piece in work:
            if piece.name in known:
                continue
            size = sizes[piece.name]
            outcome = run_piece(
                piece.data,
                piece.column,
                piece.repetition,
                effort,
                where=where,
                n_jobs=request.n_jobs,
                runner=runner,
                stop=stop,
                report=fits_counter(counter, done, size),
            )
            if outcome is None:
                return
            save_piece(store, run.id, piece.name, pack(outcome))
            done += size
            counter.reach(done)
            if notify is not None:
                notify(piece, outcome)
    store.change(run.id, best=as_json({"exhibit": request.exhibit}))


def adopt(store: Store, run: Run, wanted: set[str]) -> None:
    """Take over what other runs of the same protocol and code have finished."""
    missing = wanted - piece_names(store, run.id)
    for other in store.runs(kind=run.kind):
        same = other.code == run.code and other.id != run.id
        assert isinstance(other.request, ReproductionRequest)
        assert isinstance(run.request, ReproductionRequest)
        if not (missing and same and other.request.effort == run.request.effort):
            continue
        for name, content in read_pieces(store, other.id).items():
            if name in missing:
                save_piece(store, run.id, name, content)
                missing.remove(name)


def size_of(piece: PieceOfTable, effort: Effort) -> int:
    """Fits of a piece, about: where there are validation rows, there are no folds."""
    n_parts = 1 if piece.data.entry.has_validation else None
    return effort.n_fits(piece.column, n_parts)


def fits_counter(counter: Counter, before: int, size: int) -> Callable[[int], None]:
    """Writes the fits of a piece as they are made, now and then."""

    def report(n_fits: int) -> None:
        reached = before + min(n_fits, size)
        if reached - counter.done >= max(size // 20, 1):
            counter.reach(reached)

    return report


def pack(outcome: Outcome) -> bytes:
    """A piece as the store keeps it."""
    about = {name: value for name, value in asdict(outcome).items() if name != "W"}
    about |= {"setting": outcome.setting, "errors": outcome.errors}
    return pack_arrays({"about": np.array(as_json(about)), "W": outcome.W})


def read_outcomes(store: Store, run: Run) -> dict[tuple[str, str, int], dict[str, Any]]:
    """Finished pieces by data set, column and repetition, each with its W."""
    found = {}
    for name, content in read_pieces(store, run.id).items():
        data, column, repetition = name.split("/")
        arrays = unpack_arrays(content)
        about = json.loads(str(arrays["about"]))
        found[data, column, int(repetition)] = about | {"W": arrays["W"]}
    return found


def outcomes_frame(found: dict[Key, dict[str, Any]]) -> pd.DataFrame:
    """One row a finished piece."""
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
    request = run.request
    assert isinstance(request, ReproductionRequest)
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
        assert isinstance(run.request, ReproductionRequest)
        if run.code == code_version() and essence(run.request) == wanted:
            return run
    return None


def essence(request: ReproductionRequest) -> ReproductionRequest:
    """What decides on the numbers: not where they are computed."""
    return replace(request, n_jobs=1, scheduler=None, data_dir=None)


def begin(store: Store, request: ReproductionRequest) -> Run:
    """The run of a request: resumed if the store has it, or else a new one."""
    run = find_run(store, request)
    if run is not None and run.status == status.DONE:
        return run
    if run is not None:
        store.resume(run.id)
        claimed = store.claim(run.id)
        assert claimed is not None
        return claimed
    first = pieces_of(request)[0]
    where = {} if request.data_dir is None else {"data_dir": request.data_dir}
    data = first.data.load(first.repetition, where).train
    number = store.add_run(
        request,
        data,
        data_name=request.exhibit,
        name=request.exhibit,
        run_status=status.RUNNING,
    )
    return store.run(number)
