"""Readers of every format: turn the bytes of a file into a table.

They run in a bounded process (:mod:`vstg.bounded`), so that each can leave the parsing
to the library of its format, whatever a hostile file makes that library do.
"""

import hashlib
import os
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from stat import S_ISREG
from typing import Any

from vstg.bounded import clean_text
from vstg.bounded.messages import pack
from vstg.bounded.text import MAX_NAME
from vstg.tables.exchange import table_parts
from vstg.tables.limits import Limits, TableError
from vstg.tables.readers.arrays import read_npz, table_of_arrays
from vstg.tables.readers.excel import read_excel, sheet_names
from vstg.tables.readers.matlab import NOT_HDF5, read_matlab
from vstg.tables.readers.parquet import read_parquet
from vstg.tables.readers.text import read_text
from vstg.tables.table import Table

MAX_PARTS = 1000  # sheets or arrays that can be chosen from
REFUSED = {
    b"\x89HDF\r\n": f"is an HDF5 file, as MATLAB 7.3 writes them: {NOT_HDF5}",
    b"MATLAB 7.3": f"is an HDF5 file, as MATLAB 7.3 writes them: {NOT_HDF5}",
    b"\xd0\xcf\x11\xe0": "is an old or encrypted Office file: save it as .xlsx or CSV",
    b"\x1f\x8b": "is packed by gzip: unpack it first",
    b"BZh": "is packed by bzip2: unpack it first",
    b"\xfd7zXZ": "is packed by xz: unpack it first",
    b"7z\xbc\xaf": "is packed by 7-zip: unpack it first",
    b"Rar!": "is packed by RAR: unpack it first",
    b"%PDF": "is a PDF: save the table as CSV or Excel",
    b"\x93NUMPY": "is a single array: save X and Y together with numpy.savez",
    b"\x89PNG": "is a picture: give a table",
    b"\xff\xd8\xff": "is a picture: give a table",
    b"SQLite format 3": "is a database: export a table as CSV",
    b"ARROW1": "is an Arrow file: write it as Parquet or CSV",
    b"\x7fELF": "is a program: give a table",
    b"RDX": "is an R workspace: write the table as CSV",
    **{
        bytes([0x80, protocol]): (
            "is a Python pickle, which is never read: save CSV, Parquet or numpy.savez"
        )
        for protocol in range(2, 6)
    },
}
BINARY = {  # ends of names that promise a format, and what it is called
    ".xlsx": "Excel workbook",
    ".xlsm": "Excel workbook",
    ".parquet": "Parquet file",
    ".pq": "Parquet file",
    ".npz": "NPZ file",
    ".mat": "MATLAB file",
}


def read_parts(
    content: bytes | None,
    path: bytes,
    name: str,
    limits: dict[str, Any],
    options: dict[str, Any],
) -> dict[str, Any]:
    """Read a table in this process, and return its parts for the one that asked.

    Without ``content`` the file at ``path`` is opened here: a server that closed a
    second handle on its own database would lose its locks on it.
    """
    bounds = Limits(**limits)
    if content is None:
        content = read_bytes(os.fsdecode(path), name, bounds)
    return table_parts(read_content(content, name, bounds, **options))


def read_names(
    content: bytes | None, path: bytes, name: str, limits: dict[str, Any]
) -> list[str]:
    """Return the sheets of a workbook or the arrays of a MATLAB or NPZ file."""
    bounds = Limits(**limits)
    if content is None:
        content = read_bytes(os.fsdecode(path), name, bounds)
    try:
        found = _names(content, name, bounds)
    except ImportError:  # reading the table will say what is missing
        found = []
    return [clean_text(one, MAX_NAME) for one in found[:MAX_PARTS]]


def _names(content: bytes, name: str, limits: Limits) -> list[str]:
    if content.startswith(b"MATLAB 5.0"):
        return list(_arrays(read_matlab(content, name, limits)))
    if not content.startswith(b"PK\x03\x04"):
        return []
    members = _members(content, name, limits)
    if "xl/workbook.xml" in members:
        return sheet_names(content, name)
    if any(member.endswith(".npy") for member in members):
        return list(_arrays(read_npz(content, name)))
    return []


def _arrays(variables: dict[str, Any]) -> dict[str, Any]:
    """Return the names of arrays of numbers, or of cells of numbers."""
    return {key: value for key, value in variables.items() if value is not None}


def rehearse() -> None:
    """Read a small table, so that the process is ready for the first real one."""
    limits, options = Limits(), dict.fromkeys(("delimiter", "encoding", "decimal"))
    table = read_content(b"task,y,x\na,1,0.5\nb,2,1.5\n", "it", limits, **options)
    pack(table_parts(table))


def read_bytes(path: str, name: str, limits: Limits) -> bytes:
    """Return the content of a regular file, never more than the limit."""
    if "\0" in path:
        msg = f"{name} cannot be opened: its name contains a zero character"
        raise TableError(msg)
    try:
        if not S_ISREG(os.stat(path).st_mode):  # a pipe would be waited for
            what = "a folder" if os.path.isdir(path) else "a device or a pipe"
            msg = f"{name} cannot be opened: it is {what}, not a file"
            raise TableError(msg)
        # Some files of /proc would be waited for too, and a pipe that came since.
        with open(path, "rb", opener=_at_once) as stream:
            limits.check_bytes(os.fstat(stream.fileno()).st_size, name)
            content = stream.read(limits.max_bytes + 1) or b""
    except OSError as error:
        msg = f"{name} cannot be opened: {error.strerror or error}"
        raise TableError(msg) from error
    limits.check_bytes(len(content), name)
    return content


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_content(content: bytes, name: str, limits: Limits, **options: Any) -> Table:
    """Read the bytes of a file, and check the size of the table."""
    if not content.strip():
        msg = f"{name} is empty: give a table with a header and rows"
        raise TableError(msg)
    try:
        table = _dispatch(content, name, limits, **options)
    except ImportError as error:
        msg = f"{name} needs a package that is not installed: pip install vstg[tables]"
        raise TableError(msg) from error
    n_rows, n_columns = table.frame.shape
    limits.check_shape(n_rows, n_columns, name)
    if n_rows == 0 or n_columns < 2:
        what = "no rows with values" if n_rows == 0 else f"{n_columns} columns"
        msg = f"{name} has {what}: a table needs rows, a target and a variable"
        raise TableError(msg)
    # A copy keeps columns of a kind in one piece; picking some of thousands of loose
    # ones takes seconds.
    frame = table.frame.copy()
    return replace(table, frame=frame, digest=hashlib.sha256(content).hexdigest())


def _dispatch(
    content: bytes,
    name: str,
    limits: Limits,
    sheet: str | None = None,
    variables: list[str] | None = None,
    **of_text: Any,
) -> Table:
    """Choose the reader by the content of the file, not by its name."""
    for magic, words in REFUSED.items():
        if content.startswith(magic):
            msg = f"{name} {words}"
            raise TableError(msg)
    if content.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _read_zip(content, name, limits, sheet, variables)
    if content.startswith(b"PAR1"):
        return read_parquet(content, name, limits)
    if content.startswith(b"MATLAB 5.0") or name.lower().endswith(".mat"):
        arrays = read_matlab(content, name, limits)
        return table_of_arrays(arrays, name, "MATLAB", limits, variables)
    promised = BINARY.get(Path(name).suffix.lower())
    if promised is None:
        return read_text(content, name, limits, **of_text)
    try:  # a text table that was renamed
        return read_text(content, name, limits, **of_text)
    except TableError as error:
        msg = f"{name} is a damaged {promised} or not one: save it again, or as CSV"
        raise TableError(msg) from error


def _members(content: bytes, name: str, limits: Limits) -> list[str]:
    """Return the names of the files in a zip, after checking its size."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            members = archive.infolist()
    except Exception as error:  # zipfile has no one error for what may be wrong
        msg = f"{name} is cut off or damaged: save it again"
        raise TableError(msg) from error
    limits.check_members(members, len(content), name)
    return [member.filename for member in members]


def _read_zip(
    content: bytes,
    name: str,
    limits: Limits,
    sheet: str | None,
    variables: list[str] | None,
) -> Table:
    names = _members(content, name, limits)
    if "xl/workbook.xml" in names:
        return read_excel(content, name, limits, sheet=sheet)
    if any(member.endswith(".npy") for member in names):
        arrays = read_npz(content, name)
        return table_of_arrays(arrays, name, "NPZ", limits, variables)
    msg = f"{name} is a zip file without a table to read: unpack it, give one table"
    raise TableError(msg)
