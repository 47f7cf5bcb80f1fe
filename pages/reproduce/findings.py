"""What a measured table says, in a few points computed from its numbers."""

from collections.abc import Sequence
from math import isnan

import pandas as pd

from pages.reproduce import words
from vstg.reproduction import BENCHMARKS
from vstg.reproduction.claims import (
    KTest,
    Winner,
    family,
    k_tests,
    nearness,
    winners,
)
from vstg.reproduction.exhibits import REFITTED
from vstg.reproduction.protocol import COLUMNS
from vstg.reproduction.report import MEASURE_LABELS

SIX = 6  # repetitions, below which nothing can be significant at 5 %
CORRELATED = ("syn3", "syn4")  # where the paper says that a larger k helps


def row_label(data: str, measure: str) -> str:
    """A row of the table by its name."""
    measures = BENCHMARKS[data].measures
    label = BENCHMARKS[data].label
    return f"{label} ({MEASURE_LABELS[measure]})" if len(measures) > 1 else label


def findings(columns: Sequence[str], table: pd.DataFrame, tests: pd.DataFrame) -> str:
    """The points, as a list in Markdown."""
    found = winners(table, columns)
    whole = [winner for winner in found if winner.complete]
    parts = [who(whole)] if whole else []
    if len(whole) < len(found):
        parts.append(words.PARTIAL.format(done=len(whole), total=len(found)))
    points = {"who": " ".join(parts), "near": near(table)}
    points["k"] = about_k(k_tests(tests, table))
    points["refitted"] = about_refitted(whole)
    return "\n".join(
        f"- **{words.POINTS[name]}:** {text}" for name, text in points.items() if text
    )


def near(table: pd.DataFrame) -> str:
    """How many means are close to the paper's."""
    if table.empty:
        return ""
    counts = nearness(table)
    return words.NEAR.format(
        within=counts.within,
        total=counts.total,
        better=counts.better,
        worse=counts.worse,
    )


def who(found: list[Winner]) -> str:
    """Say which method has the lowest error, and whether it could be chance."""
    ours = [winner for winner in found if family(winner.column) == "vstg"]
    some = words.WHO_SOME if ours else words.WHO_NONE
    text = (words.WHO_ALL if len(ours) == len(found) else some).format(
        count=len(ours), total=len(found)
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
        ours=sum(w.significant for w in ours) or words.NONE,
        paper=sum(w.paper_significant for w in found) or words.NONE,
    )
    n = min(w.n for w in found)
    if n < SIX:
        text += words.TOO_FEW.format(n=n)
    apart = [row_label(w.data, w.measure) for w in found if not w.agrees]
    return text + words.AGREE[not apart].format(rows=", ".join(apart))


def about_refitted(found: list[Winner]) -> str:
    """How often the refitted method is the best, if it was measured."""
    if not any(winner.has_refitted for winner in found):
        return ""
    ours = [winner for winner in found if winner.column == REFITTED]
    return words.REFITTED.format(
        count=len(ours),
        total=len(found),
        significant=sum(w.significant for w in ours) or words.NONE,
    )


def about_k(tests: list[KTest]) -> str:
    """Whether mixing bases helps where features are correlated."""
    alike: dict[tuple[str, bool], list[KTest]] = {}
    for test in tests:
        if test.data in CORRELATED and not isnan(test.p_value):
            kind = (verdict(test), test.paper_difference < 0)
            alike.setdefault(kind, []).append(test)
    parts = [
        text.format(
            rows=", ".join(row_label(test.data, test.measure) for test in same),
            p=p_words([test.p_value for test in same], sure=same[0].significant),
            paper=words.K_PAPER[paper],
        )
        for (text, paper), same in alike.items()
    ]
    return "; ".join(parts) + "." if parts else ""


def verdict(test: KTest) -> str:
    """The words for one test."""
    if not test.significant:
        return words.K_SAME
    return words.K_BETTER if test.difference < 0 else words.K_WORSE


def p_words(values: Sequence[float], *, sure: bool) -> str:
    """Several p-values at once: their weakest common statement."""
    if min(values) == max(values):
        return words.P_ONE.format(p=values[0])
    if sure:
        return words.P_MOST.format(p=max(values))
    return words.P_LEAST.format(p=min(values))
