"""A user's file, whatever it is, into a table or into one sentence."""

import hashlib
import os
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from vstg.tables.arrays import read_npz, table_of_arrays
from vstg.tables.excel import read_excel
from vstg.tables.limits import DEFAULT_LIMITS, Limits, TableError
from vstg.tables.matlab import read_matlab
from vstg.tables.parquet import read_parquet
from vstg.tables.table import Table
from vstg.tables.text import read_text

Source = str | os.PathLike[str] | bytes | IO[bytes]

REFUSED = {
    b"\x89HDF\r\n": (
        "is an HDF5 file, as MATLAB 7.3 writes them, which is not read: in MATLAB, "
        "save('file.mat', 'X', 'Y', '-v7')"
    ),
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
    **{bytes([0x80, protocol]): "" for protocol in range(2, 6)},
}
BINARY = {  # ends of names that promise a format, and what it is called
    ".xlsx": "Excel workbook",
    ".xlsm": "Excel workbook",
    ".parquet": "Parquet file",
    ".pq": "Parquet file",
    ".npz": "NPZ file",
    ".mat": "MATLAB file",
}
PICKLE = "is a Python pickle, which is never read: save CSV, Parquet or numpy.savez"


def read_table(
    source: Source,
    *,
    name: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    sheet: str | None = None,
    missing: Sequence[str] | None = None,
) -> Table:
    """Read CSV, TSV, Excel, Parquet, or X and Y from a MATLAB or NPZ file.

    Parameters
    ----------
    source : path, bytes or binary stream
    name : str, optional
        How to call the file in messages; its own name by default.
    limits : Limits
        What is refused before it is parsed.
    delimiter, encoding, decimal : str, optional
        Of a text table; guessed by default, and :attr:`Table.facts` says how.
    sheet : str, optional
        Of an Excel workbook; the first that holds anything by default.
    missing : sequence of str, optional
        What stands for no value in a text table; by default empty cells, NA, nan,
        null, ?, and their relatives.

    Raises
    ------
    TableError
        One sentence: the file, the place and what would do. Nothing in a file is
        ever run, and packed files are measured before they are unfolded.
    """
    content, found = _content(source, limits, name)
    label = name or found
    if not content.strip():
        msg = f"{label} is empty: give a table with a header and rows"
        raise TableError(msg)
    try:
        table = _dispatch(
            content, label, limits, sheet,
            delimiter=delimiter, encoding=encoding, decimal=decimal, missing=missing,
        )  # fmt: skip
    except TableError:
        raise
    except (MemoryError, RecursionError) as error:
        msg = f"{label} asks for more memory than there is: give a smaller table"
        raise TableError(msg) from error
    except ImportError as error:
        msg = f"{label} needs a package that is not installed: pip install vstg[tables]"
        raise TableError(msg) from error
    n_rows, n_columns = table.frame.shape
    limits.check_shape(n_rows, n_columns, label)
    if n_rows == 0 or n_columns < 2:
        what = "no rows with values" if n_rows == 0 else f"{n_columns} columns"
        msg = f"{label} has {what}: a table needs rows, a target and a variable"
        raise TableError(msg)
    # A copy keeps columns of a kind in one piece; picking some of thousands of loose
    # ones takes seconds.
    frame = table.frame.copy()
    return replace(table, frame=frame, digest=hashlib.sha256(content).hexdigest())


def _content(source: Source, limits: Limits, name: str | None) -> tuple[bytes, str]:
    """The bytes of a source, never more than the limit, and its name."""
    if isinstance(source, bytes):
        content, found = source, "the table"
    elif isinstance(source, str | os.PathLike):
        path = Path(source)
        found = path.name
        try:
            limits.check_bytes(path.stat().st_size, name or found)
            with path.open("rb") as stream:
                content = stream.read(limits.max_bytes + 1)
        except OSError as error:
            msg = f"{name or found} cannot be opened: {error.strerror or error}"
            raise TableError(msg) from error
    else:
        content = source.read(limits.max_bytes + 1)
        found = str(getattr(source, "name", "the table"))
    limits.check_bytes(len(content), name or found)
    return content, found


def _dispatch(
    content: bytes,
    name: str,
    limits: Limits,
    sheet: str | None,
    **of_text: Any,
) -> Table:
    """Choose the reader by what the file is, not by what it is called."""
    for magic, words in REFUSED.items():
        if content.startswith(magic):
            msg = f"{name} {words or PICKLE}"
            raise TableError(msg)
    if content.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _read_zip(content, name, limits, sheet)
    if content.startswith(b"PAR1"):
        return read_parquet(content, name, limits)
    if content.startswith(b"MATLAB 7.3"):
        msg = f"{name} {REFUSED[bytes([0x89]) + b'HDF' + bytes([13, 10])]}"
        raise TableError(msg)
    if content.startswith(b"MATLAB 5.0") or name.lower().endswith(".mat"):
        variables = read_matlab(content, name, limits)
        return table_of_arrays(variables, name, "MATLAB", limits)
    promised = BINARY.get(Path(name).suffix.lower())
    if promised is None:
        return read_text(content, name, limits, **of_text)
    try:  # a text table that was renamed
        return read_text(content, name, limits, **of_text)
    except TableError as error:
        msg = f"{name} is a broken {promised}, or none at all: save it again, or as CSV"
        raise TableError(msg) from error


def _read_zip(content: bytes, name: str, limits: Limits, sheet: str | None) -> Table:
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            members = archive.infolist()
    except Exception as error:  # zipfile has no one error for what may be wrong
        msg = f"{name} is cut off or damaged: save it again"
        raise TableError(msg) from error
    limits.check_members(members, len(content), name)
    names = [member.filename for member in members]
    if any(member == "xl/workbook.xml" for member in names):
        return read_excel(content, name, limits, sheet=sheet)
    if names and any(member.endswith(".npy") for member in names):
        variables = read_npz(content, name)
        return table_of_arrays(variables, name, "NPZ", limits)
    msg = f"{name} is a zip without a table that is read: unpack it, give one table"
    raise TableError(msg)
