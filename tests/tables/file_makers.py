"""Files of every format, made from scratch: whole, and made to lie."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import asdict

import numpy as np
import pandas as pd
import pyarrow as pa
from openpyxl import Workbook
from pyarrow import parquet

from vstg.bounded.messages import pack, unpack
from vstg.tables import DEFAULT_LIMITS, Table
from vstg.tables.exchange import table_of_parts
from vstg.tables.readers import read_parts


def read_here(content: bytes, name: str, **options) -> Table:
    """As ``read_table``, without the process: for hundreds of small files."""
    parts = read_parts(content, b"", name, asdict(DEFAULT_LIMITS), options)
    return table_of_parts(unpack(b"".join(pack(parts))))


GOOD = "task,y,a,b\n" + "".join(
    f"t{i % 3},{i * 0.5 + (i % 7)},{(i * 7) % 11},{(i * 3) % 5 + 0.25}\n"
    for i in range(60)
)


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def workbook(rows: list[list], *, more: dict[str, list[list]] | None = None) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    for title, content in (more or {}).items():
        page = book.create_sheet(title)
        for row in content:
            page.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def edited(content: bytes, change: Callable[[dict[str, bytes]], None]) -> bytes:
    """A zip with some members changed."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    return zipped(members)


ROWS = [row.split(",") for row in GOOD.splitlines()]
CELLS = [ROWS[0], *[[r[0], *map(float, r[1:])] for r in ROWS[1:]]]


def npz(**arrays) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def npy(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()


def lying_npy(shape: tuple, n_bytes: int) -> bytes:
    """An array file that declares another shape than it has."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"
    header = header.ljust(118 - 1 + 0) + "\n"
    head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    return head + b"\0" * n_bytes


def parquet_file(frame: pd.DataFrame | pa.Table, **options) -> bytes:
    table = frame if isinstance(frame, pa.Table) else pa.Table.from_pandas(frame)
    buffer = io.BytesIO()
    parquet.write_table(table, buffer, **options)
    return buffer.getvalue()


def mat_element(kind: int, data: bytes) -> bytes:
    return struct.pack("<II", kind, len(data)) + data + b"\0" * (-len(data) % 8)


def mat_array(
    name: str, array: np.ndarray, *, flags: int = 6, dims: tuple | None = None
) -> bytes:
    shape = array.shape if dims is None else dims
    body = (
        mat_element(6, struct.pack("<II", flags, 0))
        + mat_element(5, struct.pack(f"<{len(shape)}i", *shape))
        + mat_element(1, name.encode())
        + mat_element(9, array.astype("<f8").tobytes(order="F"))
    )
    return mat_element(14, body)


def mat_cells(
    name: str, arrays: list[np.ndarray], *, count: int | None = None
) -> bytes:
    shape = (1, len(arrays) if count is None else count)
    body = (
        mat_element(6, struct.pack("<II", 1, 0))
        + mat_element(5, struct.pack("<2i", *shape))
        + mat_element(1, name.encode())
        + b"".join(mat_array("", array) for array in arrays)
    )
    return mat_element(14, body)


def mat_file(*elements: bytes, compress: bool = False) -> bytes:
    head = b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM"
    if compress:
        elements = tuple(
            struct.pack("<II", 15, len(z := zlib.compress(e))) + z for e in elements
        )
    return head + b"".join(elements)


def mat_bomb() -> bytes:
    packed = zlib.compress(mat_array("X", np.zeros((3000, 3000))), 9)
    return mat_file() + struct.pack("<II", 15, len(packed)) + packed


def deep_cells() -> bytes:
    inner = mat_array("", np.ones((1, 1)))
    for depth in range(50):
        inner = mat_element(
            14,
            mat_element(6, struct.pack("<II", 1, 0))
            + mat_element(5, struct.pack("<2i", 1, 1))
            + mat_element(1, b"X" if depth == 49 else b"")
            + inner,
        )
    return mat_file(inner)


X3 = [np.arange(12.0).reshape(6, 2) + j for j in range(3)]
Y3 = [np.arange(6.0)[:, None] * (j + 1) for j in range(3)]


def entity_bomb(members: dict[str, bytes]) -> None:
    name = "xl/worksheets/sheet1.xml"
    members[name] = (
        b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]>' + members[name]
    )


def huge_dimension(members: dict[str, bytes]) -> None:
    name = "xl/worksheets/sheet1.xml"
    members[name] = members[name].replace(
        b'<dimension ref="A1:D61"', b'<dimension ref="A1:XFD1048576"'
    )


def far_row(members: dict[str, bytes]) -> None:
    name = "xl/worksheets/sheet1.xml"
    members[name] = members[name].replace(
        b"</sheetData>",
        b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>',
    )


def without(name: str) -> Callable[[dict[str, bytes]], None]:
    return lambda members: members.pop(name, None)
