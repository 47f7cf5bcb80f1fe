"""Model files: a zip of plain arrays and a JSON header, never a pickle.

A file may come from anywhere, so sizes, types and shapes are compared with what is
there before anything is expanded.
"""

import json
import math
import os
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any
from uuid import uuid4

import numpy as np

from vstg.bounded import clean_tree
from vstg.data import Array

MAX_BYTES = 2**28  # of all arrays, expanded
MAX_HEADER_BYTES = 2**24
MAX_MEMBERS = 32
HEADER = "header"

Source = str | os.PathLike[str] | IO[bytes]
Header = dict[str, Any]
Arrays = dict[str, Array]


class ModelFileError(ValueError):
    """A model file is rejected; the message names the file and the problem."""


def pack(header: Mapping[str, Any], arrays: Mapping[str, Array]) -> bytes:
    """Return the content of a model file."""
    text = json.dumps(header, allow_nan=False).encode()
    members: dict[str, Any] = {HEADER: np.frombuffer(text, dtype=np.uint8)}
    for name, array in arrays.items():
        members[name] = np.ascontiguousarray(array, dtype="<f8")
    buffer = BytesIO()
    np.savez_compressed(buffer, **members)
    return buffer.getvalue()


def write(content: bytes, target: Source) -> None:
    """Write to a path, so that no reader ever sees half a file, or to a stream."""
    if not isinstance(target, str | os.PathLike):
        target.write(content)
        return
    path = Path(target)
    part = path.with_name(f".{uuid4().hex}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def opened(source: Source) -> Iterator[IO[bytes]]:
    """Open a path as a binary stream, or return the stream itself."""
    if not isinstance(source, str | os.PathLike):
        yield source
        return
    with open(source, "rb") as stream:
        yield stream


@contextmanager
def refusing(name: str) -> Iterator[None]:
    """Turn any error that a damaged or hostile file causes into one sentence."""
    try:
        yield
    except Exception as error:
        lines = str(error).splitlines() or [type(error).__name__]
        msg = f"{name} cannot be read: {lines[0]}"
        raise ModelFileError(msg) from error


def describe_source(source: Source) -> str:
    """Name a source for a message."""
    if isinstance(source, str | os.PathLike):
        return f"model file {os.fspath(source)!r}"
    name = getattr(source, "name", None)
    return f"model file {name!r}" if name else "the model file"


def unpack(stream: IO[bytes]) -> tuple[Header, Arrays]:
    """Return header and arrays of a model file."""
    with zipfile.ZipFile(stream) as archive:
        members = archive.infolist()
        _check_members(members)
        arrays = {m.filename[: -len(".npy")]: _read(archive, m) for m in members}
    if HEADER not in arrays:
        msg = "it has no header, so it is not a vstg model"
        raise ValueError(msg)
    return parse(arrays.pop(HEADER).tobytes()), arrays


def parse(text: str | bytes) -> Header:
    """Return the object in a JSON text."""

    def refuse(constant: str) -> None:
        msg = f"its header holds {constant}, which is not a number"
        raise ValueError(msg)

    header = clean_tree(json.loads(text, parse_constant=refuse))
    if not isinstance(header, dict):
        msg = "its header is not a JSON object"
        raise ValueError(msg)
    return header


def _check_members(members: list[zipfile.ZipInfo]) -> None:
    names = [member.filename for member in members]
    if len(names) > MAX_MEMBERS or len(set(names)) < len(names):
        msg = f"it holds {len(names)} members, some perhaps twice: no vstg model does"
        raise ValueError(msg)
    foreign = [name for name in names if not name.endswith(".npy")]
    if foreign:
        msg = f"it holds {foreign[0]!r}, which is not an array"
        raise ValueError(msg)
    total = sum(member.file_size for member in members)
    if total > MAX_BYTES:
        msg = f"it would expand to {total} bytes, more than the {MAX_BYTES} allowed"
        raise ValueError(msg)


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Array:
    """Read one array after comparing its declared shape with its bytes."""
    name = member.filename
    is_header = name == f"{HEADER}.npy"
    if is_header and member.file_size > MAX_HEADER_BYTES:
        msg = f"its header has {member.file_size} bytes, more than {MAX_HEADER_BYTES}"
        raise ValueError(msg)
    wanted = np.dtype("|u1" if is_header else "<f8")
    with archive.open(member) as stream:
        shape, by_columns, dtype = _declaration(stream, name)
        if dtype != wanted or by_columns:
            msg = f"{name!r} holds {dtype} and not {wanted}, row by row"
            raise ValueError(msg)
        there = member.file_size - stream.tell()
        if min(shape, default=0) < 0 or math.prod(shape) * wanted.itemsize != there:
            msg = f"{name!r} declares the shape {shape} and has {there} bytes"
            raise ValueError(msg)
        content = stream.read()
    return np.frombuffer(content, dtype=wanted).reshape(shape).copy()


def _declaration(stream: IO[bytes], name: str) -> tuple[tuple[int, ...], bool, Any]:
    """Return the shape, order and type that an array file declares."""
    try:
        if np.lib.format.read_magic(stream) == (1, 0):
            return np.lib.format.read_array_header_1_0(stream)
    except (SyntaxError, TokenError, TypeError, ValueError) as error:
        msg = f"{name!r} does not begin like an array"
        raise ValueError(msg) from error
    msg = f"{name!r} is in a format of arrays that vstg does not write"
    raise ValueError(msg)
