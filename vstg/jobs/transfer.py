"""Runs as a file, to keep or to send, and back into a store."""

import base64
import binascii
import gzip
import json
import tempfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from vstg.jobs import runs as status
from vstg.jobs.chains import has_chains, scope_key, scope_of, write_chain
from vstg.jobs.content import pack_data, unpack_data
from vstg.jobs.foreign import check_imported
from vstg.jobs.looking import look_at
from vstg.jobs.pieces import read_pieces
from vstg.jobs.requests import (
    ComparisonRequest,
    Request,
    SearchRequest,
    read_request,
)
from vstg.jobs.runs import Run
from vstg.jobs.schema import ADD_RUN, StoreError
from vstg.jobs.store import Store

FORMAT, VERSION = "vstg-runs", 1
KEPT = ("kind", "name", "note", "data", "data_name", "code", "status", "message")
FOREIGN = "it was not written by vstg"
COUNTS = ("done", "total", "fitted", "created")
MAX_BYTES = 500_000_000  # unpacked: a small file may hold a large amount of nothing


def export_runs(store: Store, numbers: Iterable[int]) -> bytes:
    """Runs with their cells, results and data as one compressed file."""
    runs = [store.run(number) for number in numbers]
    needed = {mark for run in runs for mark in data_of(run.data, run.request)}
    packed = {mark: _text(pack_data(store.data(mark))) for mark in sorted(needed)}
    content = {
        "format": FORMAT,
        "version": VERSION,
        "data": packed,
        "runs": [_export(store, run) for run in runs],
    }
    return gzip.compress(json.dumps(content).encode(), compresslevel=3, mtime=0)


def data_of(own: str, request: Request) -> set[str]:
    """Fingerprints of all data that a run needs."""
    needed = {own}
    if isinstance(request, SearchRequest) and request.validation:
        needed.add(request.validation)
    if isinstance(request, ComparisonRequest):
        needed.update(mark for split in request.splits for mark in split)
    return needed


def _export(store: Store, run: Run) -> dict[str, Any]:
    chains: dict[int, dict[str, Any]] = {}
    for row in store.query(
        "SELECT run_chains.id AS mark, chains.chain, repeat, fold, number_of_round, "
        "place, setting, judged FROM run_chains "
        "JOIN chains ON chains.id = run_chains.chain "
        "JOIN cells ON cells.chain = chains.id "
        "WHERE run = ? ORDER BY mark, position",
        run.id,
    ):
        chain = chains.setdefault(
            row["mark"],
            {
                "key": [row["chain"], row["repeat"], row["fold"]],
                "place": [row["number_of_round"], row["place"]],
                "cells": [],
            },
        )
        chain["cells"].append([row["setting"], row["judged"]])
    pieces = read_pieces(store, run.id)
    return {
        **{name: getattr(run, name) for name in (*KEPT, *COUNTS)},
        "source": run.source,
        "request": run.request_text,
        "best": run.best_text,
        "seconds": run.seconds,
        "chains": list(chains.values()),
        "pieces": {name: _text(content) for name, content in pieces.items()},
    }


def import_runs(store: Store, content: bytes) -> list[int]:
    """Add the runs of a file; returns their numbers. All are added, or none."""
    try:
        found = _opened(content)
        _check(found)
        for mark, text in found["data"].items():
            data = unpack_data(base64.b64decode(text, validate=True))
            if data.fingerprint != mark:
                msg = f"the data {mark[:12]}… have been changed"
                raise ValueError(msg)
        known = set(found["data"])
        found["runs"] = [check_imported(run, known) for run in found["runs"]]
        _rehearse(found)
    except (
        ArithmeticError, AttributeError, EOFError, LookupError, RecursionError,
        TypeError, ValueError, StoreError, MemoryError, zlib.error, binascii.Error,
        gzip.BadGzipFile,
    ) as error:  # fmt: skip
        reason = str(error).replace(tempfile.gettempdir(), "…")[:300]
        msg = f"the file holds no runs that can be read: {reason}"
        raise ValueError(msg) from error
    return _add_all(store, found)


def _rehearse(found: dict[str, Any]) -> None:
    """Take the runs in elsewhere first, and look at them as the pages will."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Store(Path(folder) / "trial.sqlite") as trial,
    ):
        for number in _add_all(trial, found):
            look_at(trial, trial.run(number))


def _add_all(store: Store, found: dict[str, Any]) -> list[int]:
    numbers = []
    with store.transaction() as connection:
        for mark, text in found["data"].items():
            connection.execute(
                "INSERT OR IGNORE INTO data VALUES (?, ?)",
                (mark, base64.b64decode(text)),
            )
    scopes = [_scope(store, run) for run in found["runs"]]
    with store.transaction() as connection:
        for run, scope in zip(found["runs"], scopes, strict=True):
            numbers.append(_add(connection, run, scope))
    return numbers


def _scope(store: Store, run: dict[str, Any]) -> int:
    request = read_request(run["kind"], run["request"])
    if not has_chains(request):
        return 0
    return scope_of(store, scope_key(run["data"], request, run["code"]))


def _add(connection: Any, run: dict[str, Any], scope: int) -> int:
    ended = run["status"]
    ended = status.INTERRUPTED if ended in status.ACTIVE else ended
    number = connection.execute(ADD_RUN, run | {"status": ended}).lastrowid
    for name, text in run["pieces"].items():
        connection.execute(
            "INSERT INTO pieces (run, name, content) VALUES (?, ?, ?)",
            (number, name, base64.b64decode(text)),
        )
    for chain in run["chains"]:
        _add_chain(connection, chain, number, scope)
    return number


def _add_chain(connection: Any, chain: dict[str, Any], run: int, scope: int) -> None:
    number = write_chain(connection, scope, tuple(chain["key"]), chain["cells"])
    connection.execute(
        "INSERT INTO run_chains (run, chain, number_of_round, place) "
        "VALUES (?, ?, ?, ?)",
        (run, number, *chain["place"]),
    )


def _check(found: Any) -> None:
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError(FOREIGN)
    if found["version"] > VERSION:
        msg = "it was written by a newer vstg"
        raise ValueError(msg)


def _opened(content: bytes) -> Any:
    """What the file holds, whatever it is."""
    try:
        return json.loads(_decompressed(content))
    except (zlib.error, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(FOREIGN) from error


def _decompressed(content: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=31)  # gzip
    text = unpacker.decompress(content, MAX_BYTES)
    if not unpacker.eof:
        msg = "it is cut short or too large"
        raise ValueError(msg)
    return text


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")
