"""MATLAB files (level 5, as ``save -v7`` and ``-v6`` write them).

Only numeric arrays and cells of them are read, by a reader of our own: it is bounded
by the limits at every step, whatever sizes a file declares.
"""

import math
import struct
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vstg.tables.limits import Limits, TableError

Numbers = npt.NDArray[Any]
Value = Numbers | list[Any] | None  # None: something that is no number

COMPRESSED, MATRIX = 15, 14
CELL, FIRST_NUMERIC, LAST_NUMERIC = 1, 6, 15
MAX_DEPTH = 3
STORAGE = {
    1: "i1",
    2: "u1",
    3: "i2",
    4: "u2",
    5: "i4",
    6: "u4",
    7: "f4",
    9: "f8",
    12: "i8",
    13: "u8",
}


class _DamagedError(Exception):
    """The bytes do not fit the format."""


@dataclass
class _Reader:
    """Elements from a run of bytes."""

    content: bytes
    order: str  # "<" or ">"
    position: int = 0

    def element(self) -> tuple[int, bytes]:
        """The type and the bytes of the next element."""
        if self.position + 8 > len(self.content):
            msg = "an element is cut off"
            raise _DamagedError(msg)
        kind, size = struct.unpack_from(f"{self.order}II", self.content, self.position)
        if kind >> 16:  # a small element: its size and bytes are in these eight
            kind, size = kind & 0xFFFF, kind >> 16
            start, end = self.position + 4, self.position + 8
            if size > 4:
                msg = "a small element is too long"
                raise _DamagedError(msg)
        else:
            start = self.position + 8
            # Compressed elements are not padded to eight bytes, all others are.
            end = start + size + (-size % 8 if kind != COMPRESSED else 0)
            if start + size > len(self.content):
                msg = "an element is cut off"
                raise _DamagedError(msg)
        self.position = end
        return kind, self.content[start : start + size]

    @property
    def at_end(self) -> bool:
        return self.position >= len(self.content)


def read_matlab(content: bytes, name: str, limits: Limits) -> dict[str, Value]:
    """Return the variables of a MATLAB file."""
    marks = {b"IM": "<", b"MI": ">"}
    order = marks.get(content[126:128])
    if order is None or len(content) < 136:
        msg = (
            f"{name} is no MATLAB file of level 5: in MATLAB, "
            "save('file.mat', 'X', 'Y', '-v7')"
        )
        raise TableError(msg)
    if content[124:126] in (b"\0\2", b"\2\0"):
        raise TableError(_newer(name))
    try:
        return _variables(content, order, name, limits)
    except (_DamagedError, struct.error, zlib.error) as error:
        known = isinstance(error, _DamagedError)
        reason = str(error) if known else "its bytes do not fit the format"
        msg = f"{name} is damaged ({reason}): save it again with -v7"
        raise TableError(msg) from error


def _newer(name: str) -> str:
    return (
        f"{name} is a MATLAB file of version 7.3 (HDF5), which is not read: in MATLAB, "
        "save('file.mat', 'X', 'Y', '-v7')"
    )


def _variables(
    content: bytes, order: str, name: str, limits: Limits
) -> dict[str, Value]:
    reader = _Reader(content, order, position=128)
    left = limits.budget(len(content))
    found: dict[str, Value] = {}
    while not reader.at_end:
        kind, data = reader.element()
        if kind == COMPRESSED:
            unpacker = zlib.decompressobj()
            data = unpacker.decompress(data, left)
            if unpacker.unconsumed_tail:
                limits.check_expanded(limits.max_expanded + 1, len(content), name)
            left -= len(data)
            if left <= 0:
                limits.check_expanded(limits.max_expanded + 1, len(content), name)
            kind, data = _Reader(data, order).element()
        if kind == MATRIX:
            title, value = _matrix(data, order, depth=0)
            found[title] = value
    return found


def _matrix(data: bytes, order: str, depth: int) -> tuple[str, Value]:
    """The name and the value of one array."""
    if not data:
        return "", np.empty((0, 0))
    reader = _Reader(data, order)
    _, flags = reader.element()
    _, dims = reader.element()
    _, title = reader.element()
    (flag,) = struct.unpack_from(f"{order}I", flags.ljust(4, b"\0"))
    shape = np.frombuffer(dims[: len(dims) // 4 * 4], dtype=f"{order}i4").tolist()
    if not shape or min(shape) < 0 or len(shape) > 4:
        msg = f"an array has the shape {shape[:5]}"
        raise _DamagedError(msg)
    name = title.decode("latin-1")
    if flag & 0xFF == CELL:
        return name, _cells(reader, shape, order, depth)
    is_complex = bool(flag & 0x0800)
    if not FIRST_NUMERIC <= flag & 0xFF <= LAST_NUMERIC or is_complex:
        return name, None
    return name, _numbers(reader, shape, order)


def _cells(reader: _Reader, shape: list[int], order: str, depth: int) -> list[Any]:
    count = math.prod(shape)
    # Every cell takes a tag of eight bytes at least.
    if count > (len(reader.content) - reader.position) // 8 or depth >= MAX_DEPTH:
        msg = f"a cell array declares {count} cells and has no room for them"
        raise _DamagedError(msg)
    values = []
    for _ in range(count):
        kind, data = reader.element()
        values.append(_matrix(data, order, depth + 1)[1] if kind == MATRIX else None)
    return values


def _numbers(reader: _Reader, shape: list[int], order: str) -> Numbers:
    kind, data = reader.element()
    if kind not in STORAGE:
        msg = f"an array is stored as type {kind}"
        raise _DamagedError(msg)
    dtype = np.dtype(f"{order}{STORAGE[kind]}")
    if math.prod(shape) * dtype.itemsize != len(data):
        msg = f"an array declares the shape {shape} and has {len(data)} bytes"
        raise _DamagedError(msg)
    return np.frombuffer(data, dtype=dtype).reshape(shape, order="F")
