"""What a measured table says, in a paragraph: nothing here is known beforehand."""

from collections.abc import Sequence
from math import isnan

import pandas as pd

from pages.shared import reproduce_texts as words
from vstg.reproduction import DATA_SETS
from vstg.reproduction.claims import (
    KTest,
    Winner,
    family,
    k_tests,
    nearness,
    winners,
)
from vstg.reproduction.protocol import COLUMNS
from vstg.reproduction.report import MEASURE_LABELS

SIX = 6  # repetitions, below which nothing can be significant at 5 %
CORRELATED = ("syn3", "syn4")  # where the paper says that a larger k helps


def row_label(data: str, measure: str) -> str:
    """A row of the table by its name."""
    measures = DATA_SETS[data].measures
    label = DATA_SETS[data].label
    return f"{label} ({MEASURE_LABELS[measure]})" if len(measures) > 1 else label


def findings(columns: Sequence[str], table: pd.DataFrame, tests: pd.DataFrame) -> str:
    """The paragraph, in Markdown."""
    found = winners(table, columns)
    whole = [winner for winner in found if winner.complete]
    text = "" if not whole else who(whole)
    if len(whole) < len(found):
        text += words.PARTIAL.format(done=len(whole), total=len(found))
    if not table.empty:
        near = nearness(table)
        text += words.NEAR.format(
            within=near.within, total=near.total, better=near.better, worse=near.worse
        )
    return text.strip() + about_k(k_tests(tests, table))


def who(found: list[Winner]) -> str:
    """Who has the least error, and whether that is more than chance."""
    ours = [winner for winner in found if family(winner.column) == "vstg"]
    counts = {"count": len(ours), "total": len(found)}
    text = (words.WHO_ALL if len(ours) == len(found) else words.WHO_SOME).format(
        **counts
    )
    others = [winner for winner in found if winner not in ours]
    if others:
        text += words.WHO_REST.format(
            others=", ".join(
                words.WHO_OTHER.format(
                    method=COLUMNS[w.column].label, row=row_label(w.data, w.measure)
                )
                for w in others
            )
        )
    text += words.WHO_SIGNIFICANT.format(
        ours=sum(w.significant for w in ours),
        paper=sum(w.paper_significant for w in found),
    )
    n = min(w.n for w in found)
    if n < SIX:
        text += words.TOO_FEW.format(n=n)
    apart = [row_label(w.data, w.measure) for w in found if not w.agrees]
    return text + words.AGREE[not apart].format(rows=", ".join(apart))


def about_k(tests: list[KTest]) -> str:
    """Whether mixing bases helps where features are correlated."""
    parts = [
        k_words(test)
        for test in tests
        if test.data in CORRELATED and not isnan(test.p_value)
    ]
    return words.K_INTRO + "; ".join(parts) + "." if parts else ""


def k_words(test: KTest) -> str:
    """One test in words."""
    text = words.K_SAME
    if test.significant:
        text = words.K_BETTER if test.difference < 0 else words.K_WORSE
    return text.format(
        row=row_label(test.data, test.measure),
        p=test.p_value,
        paper=words.K_PAPER[test.paper_difference < 0],
    )
