"""Limits on the size of a file, checked before it is parsed."""

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass

from vstg.bounded import Bounds

MEGABYTE = 2**20


class TableError(ValueError):
    """A table is rejected; the message names the file, the place and a remedy."""


@dataclass(frozen=True)
class Limits:
    """How large a file may be; anything larger is rejected before it is unpacked.

    Attributes
    ----------
    max_bytes : int
        Of the file.
    max_cells, max_columns : int
        Of the table, and of the table after its categories are encoded.
    max_expanded : int
        Bytes that a packed file (Excel, NPZ, MATLAB, Parquet) may unpack to.
    max_ratio : float
        How many times its size a packed file may unpack to, once that is more than
        ``free_expanded`` bytes.
    seconds, memory : int, int or None
        Processor time, and bytes of memory, that reading may take.
    """

    max_bytes: int = 50 * MEGABYTE
    max_cells: int = 5_000_000
    max_columns: int = 25_000
    max_expanded: int = 128 * MEGABYTE
    free_expanded: int = 4 * MEGABYTE
    max_ratio: float = 60.0
    seconds: int = 60
    memory: int | None = 2**31

    @property
    def bounds(self) -> Bounds:
        """Return the limits for the process that reads the file."""
        output = 2 * self.max_expanded + 16 * self.max_cells
        return Bounds(self.seconds, 3 * self.seconds, self.memory, output)

    def check_bytes(self, n_bytes: int, name: str) -> None:
        """Reject a file that is too large."""
        if n_bytes > self.max_bytes:
            msg = (
                f"{name} is larger than the limit of {self.max_bytes / MEGABYTE:.0f} "
                "MB: split it, or use the Python library on a larger machine"
            )
            raise TableError(msg)

    def check_shape(
        self, n_rows: int, n_columns: int, name: str, *, slack: int = 1
    ) -> None:
        """Reject a table that is too large; ``slack`` multiplies the limit on cells."""
        if n_columns > self.max_columns:
            msg = (
                f"{name} has {n_columns} columns, more than the limit of "
                f"{self.max_columns}: leave out columns that no model needs"
            )
            raise TableError(msg)
        if n_rows * n_columns > slack * self.max_cells:
            msg = (
                f"{name} has {n_rows} × {n_columns} cells, more than the limit of "
                f"{self.max_cells}: leave out rows or columns"
            )
            raise TableError(msg)

    def budget(self, n_bytes: int) -> int:
        """How many bytes a packed file of this size may unpack to."""
        proportional = max(self.free_expanded, int(self.max_ratio * n_bytes))
        return min(self.max_expanded, proportional)

    def check_expanded(self, expanded: int, n_bytes: int, name: str) -> None:
        """Reject a packed file that would unpack to far more than its size."""
        if expanded > self.budget(n_bytes):
            msg = (
                f"{name} would unpack from {n_bytes} to more than {expanded} bytes, as "
                "a decompression bomb does: save the table as CSV"
            )
            raise TableError(msg)

    def check_members(
        self, members: Sequence[zipfile.ZipInfo], n_bytes: int, name: str
    ) -> None:
        """Reject a zip whose members are too many, encrypted, repeated or too large."""
        names = {member.filename for member in members}
        if len(members) > 10_000 or len(names) < len(members):
            msg = f"{name} packs {len(members)} files, some of them twice: give a table"
            raise TableError(msg)
        if any(member.flag_bits & 1 for member in members):
            msg = f"{name} is encrypted: save it without a password"
            raise TableError(msg)
        total = sum(member.file_size for member in members)
        self.check_expanded(total, n_bytes, name)


DEFAULT_LIMITS = Limits()
# For a person's own files on a machine of their own: what the memory allows.
OWN_FILES = Limits(
    max_bytes=2**34,
    max_cells=2**32,
    max_columns=100_000,
    max_expanded=2**35,
    free_expanded=2**30,
    seconds=24 * 3600,
    memory=None,
)
