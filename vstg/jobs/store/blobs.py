"""Pack data and results as bytes without code, and keep those of a run by name."""

import sqlite3
import struct
import zipfile
from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array, issparse, vstack

from vstg.data import MultiTaskData

if TYPE_CHECKING:
    from vstg.jobs.store.store import Store


def pack_arrays(arrays: dict[str, Any]) -> bytes:
    """Pack arrays as one .npz."""
    buffer = BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def unpack_arrays(content: bytes) -> dict[str, Any]:
    """Read the arrays of one .npz; objects are rejected."""
    try:
        check_plain_zip(content)
        with np.load(BytesIO(content), allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except (
        ValueError, OSError, EOFError, MemoryError, OverflowError, SyntaxError,
        NotImplementedError, RuntimeError, zipfile.BadZipFile, struct.error,
    ) as error:  # fmt: skip
        msg = f"stored arrays cannot be read: {error}"
        raise ValueError(msg) from error


def check_plain_zip(content: bytes) -> None:
    """Reject compressed files: we never write any."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        total = sum(member.file_size for member in archive.infolist())
    if total > len(content):
        msg = f"{len(content)} bytes would unfold to {total}"
        raise ValueError(msg)


def pack_data(data: MultiTaskData) -> bytes:
    """The data as one .npz; a shared design is kept once, a sparse one in its parts."""
    designs = data.X[:1] if data.shared_X else data.X
    return pack_arrays(
        {
            **_pack_designs(designs),
            "y": np.concatenate(data.y),
            "n": data.n_samples,
            "shared": np.array(data.shared_X),
            "tasks": np.array(data.task_names, dtype=str),
            "features": np.array(data.feature_names, dtype=str),
            **({"units": np.array(data.units)} if data.units else {}),
            **({"groups": np.concatenate(data.groups)} if data.groups else {}),
            **({"weights": np.concatenate(data.weights)} if data.weights else {}),
            **({"a": np.array(data.task_weights)} if data.task_weights else {}),
        }
    )


def _pack_designs(designs: Sequence[Any]) -> dict[str, Any]:
    """One design below the other: dense, or the three arrays of a CSR matrix."""
    if not any(issparse(X) for X in designs):
        return {"X": np.concatenate(designs)}
    stacked = vstack([csr_array(X) for X in designs], format="csr")
    return {
        "X_data": stacked.data,
        "X_indices": stacked.indices,
        "X_indptr": stacked.indptr,
        "sparse": np.array([issparse(X) for X in designs]),
    }


def unpack_data(content: bytes) -> MultiTaskData:
    """What :func:`pack_data` wrote."""
    arrays = unpack_arrays(content)
    try:
        ends = np.cumsum(arrays["n"])[:-1]
        y = np.split(arrays["y"], ends)
        names = arrays["tasks"].tolist(), arrays["features"].tolist()
        X = _unpack_designs(arrays, ends, len(names[1]))
        units = arrays.get("units", np.zeros(0)).astype(float).tolist()
        groups = np.split(arrays["groups"], ends) if "groups" in arrays else ()
        weights = np.split(arrays["weights"], ends) if "weights" in arrays else ()
        of_tasks = arrays.get("a", np.zeros(0)).astype(float).tolist()
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        msg = f"stored data lack {error}"
        raise ValueError(msg) from error
    return MultiTaskData(X, y, *names, units, groups, weights, of_tasks)


def _unpack_designs(arrays: dict[str, Any], ends: Any, n_features: int) -> list[Any]:
    n_tasks = len(ends) + 1
    if "X" in arrays:
        whole = arrays["X"]
        return [whole] * n_tasks if arrays["shared"] else np.split(whole, ends)
    parts = [arrays[f"X_{name}"] for name in ("data", "indices", "indptr")]
    whole = csr_array(tuple(parts), shape=(len(parts[2]) - 1, n_features))
    whole.check_format(full_check=True)  # compiled code will follow these numbers
    if arrays["shared"]:
        return [whole] * n_tasks
    cuts = pairwise([0, *ends, whole.shape[0]])
    designs = [whole[low:high] for low, high in cuts]
    pairs = zip(designs, arrays["sparse"], strict=True)
    return [X if is_sparse else X.toarray() for X, is_sparse in pairs]


def write_blob(
    connection: sqlite3.Connection, run: int, name: str, content: bytes
) -> None:
    """Keep a part of a run's result, in a transaction."""
    connection.execute(
        "INSERT OR REPLACE INTO pieces (run, name, content) VALUES (?, ?, ?)",
        (run, name, content),
    )


def save_blob(store: "Store", run: int, name: str, content: bytes) -> None:
    """Keep a part of a run's result."""
    with store.transaction() as connection:
        write_blob(connection, run, name, content)


def blob_names(store: "Store", run: int) -> set[str]:
    """Names of the parts that a run has."""
    found = store.query("SELECT name FROM pieces WHERE run = ?", run)
    return {row["name"] for row in found}


def read_blobs(store: "Store", run: int) -> dict[str, bytes]:
    """The parts of a run's result by name, in the order in which they came."""
    found = store.query(
        "SELECT name, content FROM pieces WHERE run = ? ORDER BY id", run
    )
    return {row["name"]: row["content"] for row in found}
