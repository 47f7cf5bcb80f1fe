"""The tables that are measured, and the pieces of which they consist."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

from vstg.reproduction.benchmarks import BENCHMARKS, Benchmark, get_benchmark
from vstg.reproduction.paper import (
    TABLE1,
    TABLE1_COLUMNS,
    TABLE2,
    TABLE2_COLUMNS,
    Printed,
    PrintedTable,
)
from vstg.reproduction.protocol import COLUMNS, TableColumn

REFITTED = "vstg_refitted"
OF_TODAY = ("l21", "dirty", "clustered", "pretrained")  # methods beside the paper's
NOT_PRINTED = Printed(nan, nan)


@dataclass(frozen=True)
class Exhibit:
    """A table of the paper: data sets by columns.

    ``extra_columns`` are not in the paper, and measured only if they are asked for.
    """

    name: str
    title: str
    sets: tuple[str, ...]
    columns: tuple[str, ...]
    printed: PrintedTable
    extra_columns: tuple[str, ...] = (*OF_TODAY, REFITTED)

    @property
    def all_columns(self) -> tuple[str, ...]:
        """The paper's columns, then the others."""
        return self.columns + self.extra_columns

    def paper(self, data: Benchmark, measure: str, column: str) -> Printed:
        """Return the paper's values for a data set, or for the one it is a variant of.

        Not a number for a column that the paper does not have.
        """
        row = self.printed[data.variant_of or data.name, measure]
        return row.get(column, NOT_PRINTED)


@dataclass(frozen=True)
class PieceOfTable:
    """One method on one repetition of a data set."""

    data: Benchmark
    column: TableColumn
    repetition: int

    @property
    def name(self) -> str:
        """How a store calls it."""
        return f"{self.data.name}/{self.column.name}/{self.repetition}"


EXHIBITS: dict[str, Exhibit] = {
    "table1": Exhibit(
        "table1",
        "Table 1: synthetic data",
        ("syn1", "syn2", "syn3", "syn4"),
        TABLE1_COLUMNS,
        TABLE1,
    ),
    "table2": Exhibit(
        "table2",
        "Table 2: real data",
        ("school", "parkinsons", "computer", "mnist", "usps"),
        TABLE2_COLUMNS,
        TABLE2,
    ),
}


def get_exhibit(name: str) -> Exhibit:
    """Return a table by its name."""
    if name not in EXHIBITS:
        msg = f"exhibit {name!r} is unknown; choose one of {list(EXHIBITS)}"
        raise ValueError(msg)
    return EXHIBITS[name]


def check_sets(exhibit: Exhibit, names: Sequence[str]) -> tuple[str, ...]:
    """The data sets asked for; those that belong to another table are rejected."""
    allowed = [
        s.name
        for s in BENCHMARKS.values()
        if s.name in exhibit.sets or s.variant_of in exhibit.sets
    ]
    for name in names:
        get_benchmark(name)
        if name not in allowed:
            msg = f"{exhibit.name} has no data set {name!r}; choose from {allowed}"
            raise ValueError(msg)
    return tuple(dict.fromkeys(names)) or exhibit.sets


def check_columns(exhibit: Exhibit, names: Sequence[str]) -> tuple[str, ...]:
    """The columns asked for, by default the paper's, in the order of the table."""
    unknown = [name for name in names if name not in exhibit.all_columns]
    if unknown:
        msg = (
            f"{exhibit.name} has no column {unknown[0]!r}; "
            f"choose from {list(exhibit.all_columns)}"
        )
        raise ValueError(msg)
    wanted = names or exhibit.columns
    return tuple(name for name in exhibit.all_columns if name in wanted)


def pieces(
    sets: Sequence[str], columns: Sequence[str], repetitions: int
) -> list[PieceOfTable]:
    """All pieces, repetitions outermost: every stop leaves a balanced table."""
    return [
        PieceOfTable(BENCHMARKS[data], COLUMNS[column], repetition)
        for repetition in range(repetitions)
        for data in sets
        for column in columns
    ]
