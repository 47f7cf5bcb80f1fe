"""A table as it was read, with what was guessed about its file."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import pandas as pd

from vstg.bounded import clean_text
from vstg.bounded.text import MAX_NAME
from vstg.data import DataError
from vstg.data.frames import to_pandas
from vstg.tables.kinds import ColumnKind, column_kinds
from vstg.tables.limits import TableError

SHOWN = 8  # names listed in a sentence


@dataclass(frozen=True, eq=False)
class Table:
    """A user's table.

    Attributes
    ----------
    name : str
        Name of the file.
    frame : DataFrame
        Columns have distinct names; the index is the row's number in the file.
    format : str
        "CSV", "Excel", "Parquet", "MATLAB" or "NPZ".
    facts : tuple of str
        What was guessed, renamed or skipped, in words.
    options : dict
        Arguments of :func:`read_table` that give the same table without guessing.
    digest : str
        SHA-256 of the file.
    task, targets : str, tuple of str
        Roles that the file itself gives, as cells of X and Y do.
    """

    name: str
    frame: pd.DataFrame
    format: str
    facts: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    digest: str = ""
    task: str | None = None
    targets: tuple[str, ...] = ()

    @classmethod
    def of(cls, frame: Any, name: str = "the table") -> Self:
        """Make a table from a pandas, polars or Arrow table in memory."""
        try:
            values = to_pandas(frame, name)
        except DataError as error:
            raise TableError(str(error)) from error
        names, facts = distinct_names(list(values.columns))
        values = values.set_axis(names, axis=1)
        values.index = pd.RangeIndex(1, len(values) + 1)
        if values.empty:
            n_rows, n_columns = values.shape
            msg = (
                f"{name} has {n_rows} rows and {n_columns} columns: give observations "
                "with a target and variables"
            )
            raise TableError(msg)
        form = type(frame).__module__.partition(".")[0]
        return cls(name, values, form, tuple(facts))

    @cached_property
    def kinds(self) -> dict[str, ColumnKind]:
        """The kind of every column."""
        return column_kinds(self.frame)

    def __repr__(self) -> str:
        n_rows, n_columns = self.frame.shape
        return f"Table({self.name!r}, {self.format}, {n_rows} × {n_columns})"


@dataclass(frozen=True)
class Note:
    """Something that was left out, filled in or renamed, and why.

    ``what`` is a word for programs: "rows", "tasks", "columns" or "values"; ``names``
    are the tasks or columns it is about, and ``count`` says how many rows are lost.
    """

    what: str
    words: str
    names: tuple[str, ...] = ()
    count: int = 0


def listed(names: Sequence[object], limit: int = SHOWN) -> str:
    """List names for a sentence, the first ones if there are many."""
    shown = ", ".join(repr(str(name))[:60] for name in names[:limit])
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return shown + more


def distinct_names(names: Sequence[object]) -> tuple[list[str], list[str]]:
    """Return distinct, non-empty column names, and say what was changed."""
    given = [
        "" if name is None else clean_text(str(name).strip(), MAX_NAME)
        for name in names
    ]
    given = ["" if name.lower() == "nan" else name for name in given]
    taken, result, facts = set(filter(None, given)), [], []
    seen: set[str] = set()
    next_number: dict[str, int] = {}  # of each name: thousands may be equal
    for i, name in enumerate(given):
        base = name or f"column {i + 1}"
        new = base
        while new in seen or (new != name and new in taken):
            number = next_number.get(base, 2)
            new, next_number[base] = f"{base} ({number})", number + 1
        if new != name:
            was = f"another column called {name!r}" if name else "a nameless column"
            facts.append(f"{was} is now called {new!r}")
        seen.add(new)
        result.append(new)
    if len(facts) > SHOWN:
        facts = [*facts[:SHOWN], f"… and {len(facts) - SHOWN} more names were made up"]
    return result, facts
