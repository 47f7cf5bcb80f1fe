"""Compare a measured table with the paper's claims, in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from vstg.reproduction.exhibits import REFITTED

ALPHA = 0.05
PLAIN_K, MIXED_K = "vstg_k1", "vstg_k3"


@dataclass(frozen=True)
class Winner:
    """The column with the lowest mean error in a row, here and in the paper.

    ``significant`` is whether it is better than every other column by the test, here,
    and whether it was printed in bold, in the paper; ``p_rival`` is the largest p-value
    of ours against another column. ``complete`` is false while columns are missing;
    ``has_refitted`` is whether the refitted method was measured too.
    """

    data: str
    measure: str
    column: str
    significant: bool
    p_rival: float
    paper_column: str
    paper_significant: bool
    n: int
    complete: bool = True
    has_refitted: bool = False

    @property
    def agrees(self) -> bool:
        """Whether the same column wins; the sizes of VSTG's k count as one method."""
        return family(self.column) == family(self.paper_column)


@dataclass(frozen=True)
class KTest:
    """k=3 against k=1 on one data set by one measure."""

    data: str
    measure: str
    difference: float
    p_value: float
    n: int
    paper_difference: float

    @property
    def significant(self) -> bool:
        """Whether the test is significant at 5 %."""
        return bool(self.p_value < ALPHA)


@dataclass(frozen=True)
class Nearness:
    """How many means lie within one sd of the paper's, below, and above."""

    within: int
    better: int
    worse: int

    @property
    def total(self) -> int:
        """All cells."""
        return self.within + self.better + self.worse


def family(column: str) -> str:
    """The method of a column: VSTG-MTL with any k is one."""
    return "vstg" if column.startswith("vstg") else column


def winners(table: pd.DataFrame, columns: Sequence[str]) -> list[Winner]:
    """One entry per row of :func:`vstg.reproduction.report.summary`."""
    found: list[Winner] = []
    if table.empty:
        return found
    for names, part in table.groupby(["data", "measure"], sort=False):
        best: Any = part.sort_values("mean").iloc[0]
        printed: Any = part.sort_values("paper_mean").iloc[0]
        found.append(
            Winner(
                data=str(names[0]),
                measure=str(names[1]),
                column=str(best["column"]),
                significant=bool(best["is_best"]),
                p_rival=float(best["p_rival"]),
                paper_column=str(printed["column"]),
                paper_significant=bool(printed["paper_is_best"]),
                n=int(best["n"]),
                complete=set(part["column"]) >= set(columns),
                has_refitted=REFITTED in set(part["column"]),
            )
        )
    return found


def k_tests(tests: pd.DataFrame, table: pd.DataFrame) -> list[KTest]:
    """k=3 minus k=1 wherever both are there.

    ``tests`` as :func:`vstg.reproduction.report.pair_tests` has them.
    """
    found: list[KTest] = []
    if tests.empty:
        return found
    both = tests[(tests["first"] == PLAIN_K) & (tests["second"] == MIXED_K)]
    printed = table.set_index(["data", "measure", "column"])["paper_mean"]
    for row in both.to_dict("records"):
        key = (row["data"], row["measure"])
        paper = printed[(*key, MIXED_K)] - printed[(*key, PLAIN_K)]
        difference = -float(row["mean_difference"])
        found.append(
            KTest(*key, difference, float(row["p_value"]), int(row["n"]), float(paper))
        )
    return found


def nearness(table: pd.DataFrame) -> Nearness:
    """Cells counted by their distance from the paper in its standard deviations."""
    apart = table["apart"]
    return Nearness(
        within=int((apart.abs() <= 1).sum()),
        better=int((apart < -1).sum()),
        worse=int((apart > 1).sum()),
    )
