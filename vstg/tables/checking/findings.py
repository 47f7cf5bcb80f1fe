"""Find what the user should know about a table, one sentence per finding."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy.linalg import qr

from vstg.data import Array
from vstg.tables.checking.identities import identities
from vstg.tables.checking.leaks import (
    akin_to_targets,
    columns_of,
    nearly_targets,
    same_within_tasks,
)
from vstg.tables.guessing.names import is_identifier, is_row_number, is_time
from vstg.tables.prepare import Prepared, duplicates
from vstg.tables.roles import Recipe
from vstg.tables.table import listed

MAX_ROWS_COLLINEAR, MAX_COLUMNS_COLLINEAR = 20_000, 400
ROUNDING = 1e-6  # of a sum whose parts were rounded to seven digits
TINY = 10
SMALL_COUNT = 20  # median of counts for which squared errors are a poor measure
FAR_TARGET = 8.0  # robust standard deviations from the median of the task
MANY_ROWS = 0.05  # this share dropped is a warning
ONE_EACH = 4  # columns with the same trouble that get a sentence each
TOGETHER = {
    "missing": "have missing values",
    "not numbers": "have values that are not numbers and count as missing",
    "constant": "have only one value",
    "outliers": "have values far from all others",
    "identifier": "number the rows",
}


@dataclass(frozen=True)
class Finding:
    """One sentence about the data.

    ``level`` is "error" (nothing can be fitted), "warning" (look at it) or "info";
    ``code`` names the check.
    """

    level: Literal["error", "warning", "info"]
    code: str
    words: str
    names: tuple[str, ...] = ()


def column_findings(columns: pd.DataFrame) -> list[Finding]:
    """Find problems in the columns that are used."""
    findings: list[Finding] = []
    by_code: dict[str, list[tuple[str, str]]] = {}
    noted = columns["role"] != "left out"
    noted &= (
        (columns["missing"] > 0)
        | (columns["not numbers"] > 0)
        | (columns["distinct"] == 1)
        | (columns["outliers"] > 0)
        | (columns["whole"] & (columns["distinct"] == columns["rows"]))
    )
    for row in columns[noted].to_dict("records"):
        name, role = str(row["column"]), row["role"]
        troubles = {
            "missing": f"lacks {row['missing']} values" if row["missing"] else ""
        }
        if role != "task":
            troubles |= _value_troubles(row)
        for code, words in troubles.items():
            if words:
                by_code.setdefault(code, []).append((name, words))
    for code, found in by_code.items():
        findings += _of_columns(code, found)
    return findings


def _of_columns(code: str, found: Sequence[tuple[str, str]]) -> list[Finding]:
    """Write one sentence per column, or one for all if there are many."""
    if len(found) <= ONE_EACH:
        return [
            Finding("warning", code, f"column {name!r} {words}", (name,))
            for name, words in found
        ]
    names = tuple(name for name, _ in found)
    words = f"{len(names)} columns {TOGETHER[code]}: {listed(names)}"
    return [Finding("warning", code, words, names)]


def _value_troubles(row: Mapping[Any, Any]) -> dict[str, str]:
    """Describe what is wrong with the values of a column; empty if nothing is."""
    bad, far = row["not numbers"], row["outliers"]
    return {
        "not numbers": (
            f"has {bad} values that are not numbers, such as {row['example']!r}: they "
            "count as missing"
            if bad
            else ""
        ),
        "constant": "has only one value" if row["distinct"] == 1 else "",
        "identifier": (
            "has a different number in every row, like a row number"
            if _counts_rows(row)
            else ""
        ),
        "outliers": (
            f"has {far} values far from all others (from {row['minimum']:g} to "
            f"{row['maximum']:g})"
            if far
            else ""
        ),
    }


def _counts_rows(row: Mapping[Any, Any]) -> bool:
    name = str(row["column"])
    return (
        row["role"] == "variable"
        and row["kind"] == "number"
        and row["whole"]
        and row["distinct"] == row["rows"] > TINY
        and (is_row_number(name) or is_identifier(name))
    )


def target_findings(prepared: Prepared) -> list[Finding]:
    """Whether another kind of target would suit it better."""
    if prepared.recipe.problem != "regression":
        return []
    y = np.concatenate(prepared.train.targets)
    names = prepared.recipe.targets
    whole = bool((y == np.round(y)).all()) and y.min() >= 0
    if whole and y.min() == 0 and len(np.unique(y)) > 2 and np.median(y) <= SMALL_COUNT:
        words = (
            f"the target holds whole numbers from 0 to {y.max():g}: if they count "
            "something, “counts” as the kind of target suits them better"
        )
        return [Finding("info", "counts", words, names)]
    distance = np.concatenate(
        [np.abs(t - np.median(t)) for t in prepared.train.targets]
    )
    spread = 1.4826 * float(np.median(distance))
    far = int((distance > FAR_TARGET * spread).sum()) if spread > 0 else 0
    if far and prepared.recipe.layout == "long":
        words = (
            f"{far} targets are very far from the median of their task: if they are "
            "mistakes or accidents, “numbers with outliers” as the kind of target "
            "keeps them from deciding the fit"
        )
        return [Finding("info", "outlying targets", words, names)]
    return []


def note_findings(prepared: Prepared, n_rows: int) -> list[Finding]:
    """Report what was left out and why; losing many rows is a warning."""
    few = MANY_ROWS * n_rows
    return [
        Finding(
            "info" if note.what == "rows" and note.count < few else "warning",
            note.what,
            note.words,
            note.names,
        )
        for note in prepared.notes
    ]


def split_findings(
    frame: pd.DataFrame, columns: pd.DataFrame, recipe: Recipe
) -> list[Finding]:
    """Find rows that may belong together although they are split at random."""
    if recipe.test_size == 0 or recipe.together or recipe.order:
        return []
    found = []
    other = columns[~columns["role"].isin(["task", "target"])]
    names = other["column"].astype(str)
    repeated = other["distinct"] * 2 <= other["rows"]
    years = (other["kind"] == "number") & names.map(is_time) & repeated
    timed = (other["kind"] == "date") | years
    if timed.any():
        words = (
            f"rows are split at random, but {names[timed].iloc[0]!r} says when each "
            "was: to predict what comes later, split by time"
        )
        found.append(Finding("info", "time", words, tuple(names[timed])))
    coded = names[(other["kind"] == "text") & repeated].tolist()[:ONE_EACH]
    for name in coded:
        if (
            recipe.task
            and frame.groupby(recipe.task, sort=False)[name].nunique().max() <= 1
        ):
            continue  # another name of the task, or of several
        words = (
            f"values of {name!r} repeat: if rows with the same value belong together, "
            "as those of one person do, split by groups, or the error will look too "
            "small"
        )
        found.append(Finding("info", "groups", words, (name,)))
    return found


def task_findings(tasks: pd.DataFrame, prepared: Prepared) -> list[Finding]:
    """Find tasks that are small, constant or alone."""
    findings = []
    tiny = tasks.loc[tasks["training rows"] < TINY, "task"].tolist()
    if tiny:
        have = "1 task has" if len(tiny) == 1 else f"{len(tiny)} tasks have"
        words = f"{have} fewer than {TINY} training rows: {listed(tiny)}"
        findings.append(Finding("warning", "tiny tasks", words, tuple(tiny)))
    still = tasks.loc[tasks["minimum"] == tasks["maximum"], "task"].tolist()
    if still:
        words = f"the target never changes in the training rows of {listed(still)}"
        findings.append(Finding("warning", "constant target", words, tuple(still)))
    short = int((tasks["training rows"] < prepared.train.n_features).sum())
    if short:
        words = (
            f"{short} of {len(tasks)} tasks have fewer training rows than the "
            f"{prepared.train.n_features} variables: they rely on the other tasks"
        )
        findings.append(Finding("info", "short tasks", words))
    if len(tasks) == 1:
        words = "there is only one task: nothing can be shared between tasks"
        findings.append(Finding("warning", "one task", words))
    findings.append(Finding("info", "target range", _target_range(tasks, prepared)))
    return findings


def _target_range(tasks: pd.DataFrame, prepared: Prepared) -> str:
    """Between which numbers the targets lie, or how often a label is there."""
    if prepared.labels is not None:
        share = float(np.mean(np.concatenate(prepared.train.y) > 0))
        return f"{share:.0%} of the training rows have the label {prepared.labels[1]!r}"
    low, high = tasks["minimum"].min(), tasks["maximum"].max()
    return f"the targets lie between {low:g} and {high:g}"


def design_findings(prepared: Prepared) -> list[Finding]:
    """Find variables that repeat others, exactly or as a combination."""
    train = prepared.train
    designs = {id(X): X for X in train.X}
    X = np.concatenate(list(designs.values()))
    findings = _target_findings(prepared)
    pairs = duplicates(X, train.feature_names)
    if pairs:
        words = "; ".join(f"{new!r} equals {old!r}" for new, old in pairs[:5])
        names = columns_of(prepared, [new for new, _ in pairs])
        findings.append(Finding("warning", "duplicated", words, names))
    numeric = {
        rule.column for rule in prepared.transform.rules if rule.kind == "number"
    }
    repeated = {new for new, _ in pairs}
    columns = [
        i
        for i, name in enumerate(train.feature_names)
        if name in numeric and name not in repeated
    ]
    combined = collinear(X[:, columns], [train.feature_names[i] for i in columns])
    if combined:
        words = f"{listed(combined)}: a linear combination of other variables"
        findings.append(Finding("warning", "collinear", words, tuple(combined)))
    still = columns_of(prepared, same_within_tasks(prepared))
    if still:
        words = (
            f"{listed(still)}: one value per task, so it can only shift the tasks' "
            "intercepts"
        )
        findings.append(Finding("info", "same within tasks", words, still))
    return findings


def _target_findings(prepared: Prepared) -> list[Finding]:
    """Find variables that would not be known before the target is."""
    target = listed(prepared.recipe.targets)
    findings = [
        Finding(
            "warning",
            "leak",
            f"{name!r} is nearly a function of the target ({target}): leave it out "
            "unless it is known before the target is",
            (name,),
        )
        for name in columns_of(prepared, nearly_targets(prepared))
    ]
    akin = [
        Finding(
            "warning",
            "leak",
            f"{name!r} moves with the target ({target}) and has a similar name: leave "
            "it out if both are measured at the same time",
            (name,),
        )
        for name in columns_of(prepared, akin_to_targets(prepared))
    ]
    if findings:  # with such a column every other combination is exact too
        return findings + akin
    for found in identities(prepared):
        how = "multiplied or divided" if found.multiplied else "added or subtracted"
        words = (
            f"{listed(found.columns)}: {how}, they give the target ({target}) almost "
            "exactly: leave at least one out unless all are known before the target is"
        )
        findings.append(Finding("warning", "leak", words, found.columns))
    return findings + akin


def collinear(X: Array, names: Sequence[str]) -> list[str]:
    """Return variables that others combine to, up to rounding (and a constant)."""
    if X.shape[1] < 2 or X.shape[1] > MAX_COLUMNS_COLLINEAR or len(X) <= X.shape[1]:
        return []
    sample = X[:: max(1, len(X) // MAX_ROWS_COLLINEAR)]
    centred = sample - sample.mean(axis=0)
    size = np.linalg.norm(centred, axis=0)
    centred = centred / np.where(size > 0, size, 1.0)
    R, order = qr(centred, mode="r", pivoting=True, check_finite=False)
    weak = np.abs(np.diag(R)) < ROUNDING
    return sorted(names[i] for i in order[weak])
