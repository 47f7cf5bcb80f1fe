"""Reads files in the bounded process of a test, and tells how much memory that took.

The system tells how much a process has held at most, so that is asked before, when the
libraries are there, and after.
"""

import resource
from typing import Any


def most() -> int:
    """Bytes that this process has held at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def grown_by(content: bytes, name: str, limits: dict[str, Any]) -> list[Any]:
    """The sentence that a file ends in, if any, and the bytes that reading took."""
    import openpyxl  # noqa: F401
    import pyarrow.parquet  # noqa: F401
    import scipy.io  # noqa: F401

    from vstg.bounded.messages import pack
    from vstg.tables import TableError
    from vstg.tables.readers import read_parts

    before, words = most(), ""
    try:
        pack(read_parts(content, b"", name, limits, {}))
    except TableError as error:
        words = str(error)
    return [words, most() - before]


def waste(size: int) -> int:
    """What the measure says of so many bytes."""
    before = most()
    held = bytearray(b"x") * size
    return most() - before + 0 * len(held)
