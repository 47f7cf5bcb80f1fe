"""Read a user's file, whatever it is, as a table or raise a one-sentence error."""

import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import IO, Any

from vstg.bounded import clean_name, clean_text, run_bounded
from vstg.tables.exchange import table_of_parts
from vstg.tables.limits import DEFAULT_LIMITS, Limits, TableError
from vstg.tables.table import Table

Source = str | os.PathLike[str] | bytes | IO[bytes]
PARTS = "vstg.tables.readers:read_names"
READER = "vstg.tables.readers:read_parts"  # by name: this process needs no reader


def read_table(
    source: Source,
    *,
    name: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    sheet: str | None = None,
    variables: Sequence[str] | None = None,
    missing: Sequence[str] | None = None,
) -> Table:
    """Read CSV, TSV, Excel, Parquet, or X and Y from a MATLAB or NPZ file.

    The file is read in a process of its own with bounded time and memory
    (:func:`vstg.bounded.run_bounded`), so that a hostile or a damaged one can neither
    freeze nor end the caller.

    Parameters
    ----------
    source : path, bytes or binary stream
    name : str, optional
        How to call the file in messages; its own name by default.
    limits : Limits
        What is refused before it is parsed, and how long and in how much memory it is.
    delimiter, encoding, decimal : str, optional
        Of a text table; guessed by default, and :attr:`Table.facts` says how.
    sheet : str, optional
        Of an Excel workbook; the first that holds anything by default.
    variables : sequence of str, optional
        Of a MATLAB or NPZ file: the names of X and Y, and perhaps of a vector with the
        task of each row; X and Y by default. :func:`file_parts` lists what there is.
    missing : sequence of str, optional
        What stands for no value in a text table; by default empty cells, NA, nan,
        null, ?, and their relatives.

    Raises
    ------
    TableError
        One sentence: the file, the place and what would do. Nothing in a file is
        ever run, and packed files are measured before they are unfolded.
    """
    content, path, label = _content(source, name, limits)
    options: dict[str, Any] = {
        "delimiter": delimiter,
        "encoding": encoding,
        "decimal": decimal,
        "missing": None if missing is None else list(missing),
        "sheet": sheet,
        "variables": None if variables is None else list(map(str, variables)),
    }
    options = {
        key: clean_text(value) if isinstance(value, str) else value
        for key, value in options.items()
    }
    parts = run_bounded(
        READER, content, os.fsencode(path), label, asdict(limits), options,
        name=label, bounds=limits.bounds, error=TableError,
    )  # fmt: skip
    return table_of_parts(parts)


def file_parts(
    source: Source, *, name: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> tuple[str, ...]:
    """Return the sheets of a workbook, or the arrays of a MATLAB or NPZ file.

    Other files have no parts. The file is read in a bounded process; TableError if it
    is damaged or too large.
    """
    content, path, label = _content(source, name, limits)
    found = run_bounded(
        PARTS, content, os.fsencode(path), label, asdict(limits),
        name=label, bounds=limits.bounds, error=TableError,
    )  # fmt: skip
    return tuple(map(str, found))


def _content(
    source: Source, name: str | None, limits: Limits
) -> tuple[bytes | None, str, str]:
    """Return the bytes of a source or its path, and a name for messages."""
    content, path, found = None, "", "the table"
    if isinstance(source, bytes):
        content = source
    elif isinstance(source, str | os.PathLike):
        path = os.path.abspath(source)
        found = os.path.basename(path)
    else:
        content = source.read(limits.max_bytes + 1)
        found = str(getattr(source, "name", found))
    label = clean_name(name or found)
    if content is not None:
        limits.check_bytes(len(content), label)
    return content, path, label
