"""Export runs to a file, and import them into a store.

A file comes from elsewhere, and a run that is imported appears in everybody's history.
So every value has a type that is checked while the file is read, texts are cleaned, and
the runs are imported into a store made for the purpose and read as the pages will.
"""

import base64
import gzip
import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from vstg.bounded import Bounds, clean_text, run_bounded
from vstg.jobs.kind import (
    MOST,
    as_json,
    check_setting,
    decode,
    get_kind,
    read_request,
    write_request,
)
from vstg.jobs.store import run as status
from vstg.jobs.store.blobs import pack_data, read_blobs, unpack_data, write_blob
from vstg.jobs.store.chains import Place, link_chain, write_chain
from vstg.jobs.store.files import MEMORY, StoreError
from vstg.jobs.store.run import Run, Source
from vstg.jobs.store.schema import ADD_RUN
from vstg.jobs.store.store import LONGEST, SHORT, Store
from vstg.tables import Preparation

FORMAT, VERSION = "vstg-runs", 1
FOREIGN = "it was not written by vstg"
MAX_BYTES = 500_000_000  # unpacked
MAX_RATIO = 100  # unpacked to packed, of large files; ours reach about 20
BOUNDS = Bounds(memory=2**31)  # half of it is what Arrow reserves and does not use

Text = Annotated[str, Meta(max_length=100_000)]
JSONText = Annotated[str, Meta(max_length=2**24)]
Whole = Annotated[int, Meta(ge=0, lt=MOST)]
Moment = Annotated[float, Meta(ge=0, lt=status.END_OF_TIME)]


class FileOfChain(msgspec.Struct):
    """A chain in a run file."""

    key: tuple[str, Whole, Whole]
    place: tuple[Whole, Whole]
    cells: list[tuple[str, str]]


class FileOfRun(msgspec.Struct):
    """A run in a run file; ``pieces`` are its blobs."""

    kind: Text
    name: Text
    note: Text
    data: Text
    data_name: Text
    code: Annotated[str, Meta(max_length=100)]
    status: Literal["queued", "running", "done", "cancelled", "failed", "interrupted"]
    message: Text
    done: Whole
    total: Whole
    fitted: Whole
    created: Moment
    source: JSONText
    request: JSONText
    best: Text | None
    seconds: Moment
    chains: list[FileOfChain]
    pieces: dict[str, bytes]  # base64


class Header(msgspec.Struct):
    """The part of a run file that says whether the rest can be read."""

    format: Literal["vstg-runs"]
    version: Whole


class FileOfRuns(Header):
    """Runs with the data they need, by fingerprint."""

    data: dict[str, bytes]  # base64
    runs: list[FileOfRun]


def export_runs(store: Store, numbers: Iterable[int]) -> bytes:
    """Runs with their cells, results and data as one compressed file."""
    runs = [store.run(number) for number in numbers]
    needed: set[str] = set()
    for run in runs:
        needed |= {run.data, *get_kind(run.kind).data(run.request)}
    packed = {mark: _text(pack_data(store.data(mark))) for mark in sorted(needed)}
    exported = [_export(store, run) for run in runs]
    content = {"format": FORMAT, "version": VERSION, "data": packed, "runs": exported}
    return gzip.compress(json.dumps(content).encode(), compresslevel=3, mtime=0)


def _export(store: Store, run: Run) -> dict[str, Any]:
    kept = (
        "kind", "name", "note", "data", "data_name", "code", "status", "message",
        "done", "total", "fitted", "created", "source", "seconds",
    )  # fmt: skip
    scope = get_kind(run.kind).scope(run.request, run.data, run.code)
    blobs = read_blobs(store, run.id).items()
    return {name: getattr(run, name) for name in kept} | {
        "request": run.request_text,
        "best": run.best_text,
        "chains": [] if scope is None else _export_chains(store, run),
        "pieces": {name: _text(content) for name, content in blobs},
    }


def _export_chains(store: Store, run: Run) -> list[dict[str, Any]]:
    chains: dict[int, dict[str, Any]] = {}
    for row in store.query(
        "SELECT run_chains.id AS mark, chains.chain, repeat, fold, number_of_round, "
        "place, setting, judged FROM run_chains "
        "JOIN chains ON chains.id = run_chains.chain "
        "JOIN cells ON cells.chain = chains.id "
        "WHERE run = ? ORDER BY mark, position",
        run.id,
    ):
        chain = {
            "key": [row["chain"], row["repeat"], row["fold"]],
            "place": [row["number_of_round"], row["place"]],
            "cells": [],
        }
        cells = chains.setdefault(row["mark"], chain)["cells"]
        cells.append([row["setting"], row["judged"]])
    return list(chains.values())


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def import_runs(store: Store, content: bytes) -> list[int]:
    """Add the runs of a file and return their numbers; all are added, or none."""
    checked = run_bounded(
        checked_file, content, name="the file of runs", bounds=BOUNDS, error=ValueError
    )
    return add_all(store, decode(checked, FileOfRuns))


def checked_file(content: bytes) -> bytes:
    """The runs of a file as JSON, once they have been read as the pages will.

    Called in a bounded process, which a hostile file cannot leave.
    """
    try:
        found = read_file(content)
        with Store(MEMORY) as trial:
            for number in add_all(trial, found):
                read_run(trial, trial.run(number))
    except (
        ArithmeticError, AttributeError, EOFError, LookupError, RecursionError,
        TypeError, ValueError, StoreError,
    ) as error:  # fmt: skip
        reason = clean_text(str(error), 300)
        msg = f"the file holds no runs that can be read: {reason}"
        raise ValueError(msg) from error
    return msgspec.json.encode(found)


def read_run(store: Store, run: Run) -> None:
    """Read all of a run that pages read; one of many errors if that fails."""
    if run.fault is not None:
        raise ValueError(run.fault)
    kind = get_kind(run.kind)
    kind.describe(run.request), kind.headline(run)
    kind.read(store, run)


def read_file(content: bytes) -> FileOfRuns:
    """The runs of a file, every value checked and every text cleaned."""
    text = _decompressed(content)
    try:
        header = decode(text, Header)
    except ValueError as error:
        raise ValueError(FOREIGN) from error
    if header.version > VERSION:
        msg = "it was written by a newer vstg"
        raise ValueError(msg)
    found: FileOfRuns = decode(text, FileOfRuns)
    for mark, packed in found.data.items():
        data = unpack_data(packed)
        if data.fingerprint != mark:
            msg = "its data have been changed"
            raise ValueError(msg)
        for name in (*data.task_names, *data.feature_names):
            if clean_text(name) != name:
                msg = f"its data have the name {name!r}, which is not valid text"
                raise ValueError(msg)
    for run in found.runs:
        check_run(run, set(found.data))
    return found


def check_run(run: FileOfRun, data: set[str]) -> None:
    """Reject values that mean nothing here; clean the texts."""
    kind = get_kind(run.kind)
    with _reading("request"):
        request = kind.here(read_request(run.kind, run.request))
        kind.check(request)
        run.request = write_request(request)
    missing = {run.data, *kind.data(request)} - data
    if missing:
        msg = f"its data {str(min(missing))[:60]!r} are not in the file"
        raise ValueError(msg)
    with _reading("source"):
        run.source = as_json(checked_source(run.source))
    if run.best is not None:
        with _reading("best result"):
            run.best = as_json(checked_best(run.best))
    for name in ("name", "note", "data_name", "message"):
        setattr(run, name, clean_text(getattr(run, name), LONGEST.get(name, SHORT)))
    if run.status in status.ACTIVE:
        run.status = "interrupted"


def checked_source(text: str) -> Source:
    """Where data come from."""
    source: Source = decode(text, Source)
    preparation = source.pop("preparation", None)
    cleaned: Source = {}
    for name, value in source.items():
        short = clean_text(value, SHORT) if isinstance(value, str) else value
        cleaned[clean_text(name, SHORT)] = short
    if preparation is not None:
        with _reading("preparation"):
            Preparation.from_json(preparation)  # type: ignore[arg-type]
        cleaned["preparation"] = preparation
    return cleaned


def checked_best(text: str) -> dict[str, Any]:
    """The headline of a result."""
    best = {}
    for name, value in decode(text, dict[str, msgspec.Raw]).items():
        if name in ("setting", "one_se"):
            best[name] = decode(value, dict[str, Any])
            check_setting(best[name])
        else:
            best[name] = decode(value, str | int | float | None)
        if isinstance(best[name], str):
            best[name] = clean_text(best[name], SHORT)
    if "one_se" in best and "setting" not in best:
        msg = "one_se without a setting"
        raise ValueError(msg)
    return best


@contextmanager
def _reading(name: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, LookupError) as error:
        msg = f"error in its {name}: {error}"
        raise ValueError(msg) from error


def add_all(store: Store, found: FileOfRuns) -> list[int]:
    with store.transaction() as connection:
        connection.executemany(
            "INSERT OR IGNORE INTO data VALUES (?, ?)", found.data.items()
        )
        return [_add(connection, run) for run in found.runs]


def _add(connection: sqlite3.Connection, run: FileOfRun) -> int:
    values = {name: getattr(run, name) for name in run.__struct_fields__}
    number = connection.execute(ADD_RUN, values).lastrowid
    assert number is not None
    for name, content in run.pieces.items():
        write_blob(connection, number, name, content)
    request = read_request(run.kind, run.request)
    scope = get_kind(run.kind).scope(request, run.data, run.code)
    if scope is not None:
        for chain in run.chains:
            written = write_chain(connection, scope, chain.key, chain.cells)
            link_chain(connection, number, written, Place(*chain.place))
    return number


def _decompressed(content: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=31)  # gzip
    limit = min(MAX_BYTES, 10_000_000 + MAX_RATIO * len(content))
    try:
        text = unpacker.decompress(content, limit)
    except zlib.error as error:
        raise ValueError(FOREIGN) from error
    if not unpacker.eof:
        msg = "it is cut short or too large"
        raise ValueError(msg)
    return text
