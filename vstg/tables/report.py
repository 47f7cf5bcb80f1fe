"""What to know about a table before it is fitted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.linalg import qr

from vstg.data import Array
from vstg.tables.kinds import is_plain, medians, number_matrix
from vstg.tables.limits import DEFAULT_LIMITS, Limits, TableError
from vstg.tables.prepare import (
    Prepared,
    choose_columns,
    duplicates,
    missing_values,
    prepare,
)
from vstg.tables.roles import Recipe
from vstg.tables.table import Table, listed

FAR = 8.0  # standard deviations, estimated robustly, from the median
MAX_ROWS_COLLINEAR, MAX_COLUMNS_COLLINEAR = 20_000, 400
TINY = 10


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


@dataclass(frozen=True, eq=False)
class Report:
    """What was found.

    Attributes
    ----------
    tasks : DataFrame
        One row per task: rows for training and testing, and the targets' range.
    columns : DataFrame
        One row per column: kind, role, missing values, range, outliers.
    findings : tuple of Finding
        Errors first, then warnings.
    prepared : Prepared or None
        The data, if there are any.
    """

    tasks: pd.DataFrame
    columns: pd.DataFrame
    findings: tuple[Finding, ...]
    prepared: Prepared | None

    @property
    def ok(self) -> bool:
        """Whether there is something to fit."""
        return self.prepared is not None


def report(table: Table, recipe: Recipe, limits: Limits = DEFAULT_LIMITS) -> Report:
    """Prepare the data and tell what is remarkable; never raises TableError."""
    columns = columns_frame(table, recipe)
    findings = _column_findings(columns)
    try:
        prepared = prepare(table, recipe, limits)
    except TableError as error:
        findings.append(Finding("error", "refused", str(error)))
        return Report(pd.DataFrame(), columns, _sorted(findings), None)
    findings += [
        Finding("info" if note.what == "rows" else "warning", note.what, note.words)
        for note in prepared.notes
    ]
    tasks = tasks_frame(prepared)
    findings += _task_findings(tasks, prepared)
    findings += _design_findings(prepared)
    repeated = repeated_rows(table.frame)
    if repeated:
        words = f"{repeated} rows repeat an earlier row in every column"
        findings.append(Finding("info", "repeated rows", words))
    return Report(tasks, columns, _sorted(findings), prepared)


def _sorted(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    order = ("error", "warning", "info")
    return tuple(sorted(findings, key=lambda finding: order.index(finding.level)))


def columns_frame(table: Table, recipe: Recipe) -> pd.DataFrame:
    """Return one row per column of the table."""
    try:
        used = {name for name, _ in choose_columns(table, recipe)[0]}
    except (TableError, KeyError):
        used = set()
    roles = dict.fromkeys(table.kinds, "left out")
    roles |= dict.fromkeys(used, "variable")
    roles |= {name: "target" for name in recipe.targets if name in roles}
    if recipe.task in roles:
        roles[str(recipe.task)] = "task"
    kinds = list(table.kinds.values())
    counted = np.array([found.kind == "number" for found in kinds], dtype=bool)
    names = [name for name, found in table.kinds.items() if found.kind == "number"]
    values = np.ascontiguousarray(number_matrix(table.frame, names).T)
    n_missing, outliers = np.zeros((2, len(kinds)), dtype=int)
    low, high = np.full((2, len(kinds)), np.nan)
    n_missing[counted] = np.isnan(values).sum(axis=1)
    outliers[counted] = count_outliers(values)
    low[counted] = np.fmin.reduce(values, axis=1)
    high[counted] = np.fmax.reduce(values, axis=1)
    for i, (name, found) in enumerate(table.kinds.items()):
        if not counted[i]:
            n_missing[i] = missing_values(table.frame[name], found.kind).sum()
    return pd.DataFrame(
        {
            "column": list(table.kinds),
            "role": [roles[name] for name in table.kinds],
            "kind": [found.kind for found in kinds],
            "missing": n_missing,
            "not numbers": [found.n_bad for found in kinds],
            "example": [found.example for found in kinds],
            "distinct": [found.n_levels for found in kinds],
            "minimum": low,
            "maximum": high,
            "outliers": outliers,
        }
    )


def count_outliers(values: Array) -> npt.NDArray[np.intp]:
    """Count in each row values over eight robust standard deviations from its median.

    Missing values are nan. Rows of 0 and 1, or of few values, have no outliers.
    """
    n_present = (~np.isnan(values)).sum(axis=1)
    binary = (np.isnan(values) | (values == 0.0) | (values == 1.0)).all(axis=1)
    with np.errstate(over="ignore", invalid="ignore"):
        distance = np.abs(values - medians(values)[:, None])
        # 1.4826 times the median distance estimates a normal standard deviation.
        spread = 1.4826 * medians(distance)
        far = (distance > FAR * spread[:, None]).sum(axis=1)
    return np.where((n_present < TINY) | binary | ~(spread > 0), 0, far)


def repeated_rows(frame: pd.DataFrame) -> int:
    """How many rows equal an earlier one in every column."""
    plain = np.array([is_plain(kind) for kind in frame.dtypes], dtype=bool)
    numbers = frame.loc[:, plain].to_numpy(dtype=np.float64) + 0.0
    others = frame.loc[:, ~plain].to_numpy(dtype=object, copy=True)
    others[pd.isna(others)] = None  # which equals itself
    rows = zip(map(np.ndarray.tobytes, numbers), map(tuple, others), strict=True)
    return len(frame) - len(set(rows))


def _column_findings(columns: pd.DataFrame) -> list[Finding]:
    findings = []
    noted = columns["role"] != "left out"
    noted &= (
        (columns["missing"] > 0)
        | (columns["not numbers"] > 0)
        | (columns["distinct"] == 1)
        | (columns["outliers"] > 0)
    )
    for row in columns[noted].to_dict("records"):
        name, role = str(row["column"]), row["role"]
        troubles = {
            "missing": f"lacks {row['missing']} values" if row["missing"] else ""
        }
        if role != "task":
            troubles |= _value_troubles(row)
        findings += [
            Finding("warning", code, f"column {name!r} {words}", (name,))
            for code, words in troubles.items()
            if words
        ]
    return findings


def _value_troubles(row: Mapping[Any, Any]) -> dict[str, str]:
    """What is wrong with the values of a column, in words; empty for nothing."""
    bad, far = row["not numbers"], row["outliers"]
    return {
        "not numbers": (
            f"has {bad} values that are no numbers, such as {row['example']!r}: they "
            "count as missing"
            if bad
            else ""
        ),
        "constant": "has one value only" if row["distinct"] == 1 else "",
        "outliers": (
            f"has {far} values far from all others (from {row['minimum']:g} to "
            f"{row['maximum']:g})"
            if far
            else ""
        ),
    }


def tasks_frame(prepared: Prepared) -> pd.DataFrame:
    """Return one row per task of the prepared data."""
    train, test = prepared.train, prepared.test
    return pd.DataFrame(
        {
            "task": train.task_names,
            "training rows": train.n_samples,
            "test rows": 0 if test is None else test.n_samples,
            "minimum": [y.min() for y in train.targets],
            "mean": [y.mean() for y in train.targets],
            "maximum": [y.max() for y in train.targets],
        }
    )


def _task_findings(tasks: pd.DataFrame, prepared: Prepared) -> list[Finding]:
    findings = []
    tiny = tasks.loc[tasks["training rows"] < TINY, "task"].tolist()
    if tiny:
        words = (
            f"{len(tiny)} tasks have fewer than {TINY} training rows: {listed(tiny)}"
        )
        findings.append(Finding("warning", "tiny tasks", words, tuple(tiny)))
    still = tasks.loc[tasks["minimum"] == tasks["maximum"], "task"].tolist()
    if still:
        words = f"the target never changes in the training rows of {listed(still)}"
        findings.append(Finding("warning", "constant target", words, tuple(still)))
    short = int((tasks["training rows"] < prepared.train.n_features).sum())
    if short:
        words = (
            f"{short} of {len(tasks)} tasks have fewer training rows than the "
            f"{prepared.train.n_features} variables: they lean on the other tasks"
        )
        findings.append(Finding("info", "short tasks", words))
    if len(tasks) == 1:
        words = "there is one task only: nothing can be shared between tasks"
        findings.append(Finding("warning", "one task", words))
    low, high = tasks["minimum"].min(), tasks["maximum"].max()
    words = f"the targets lie between {low:g} and {high:g}"
    findings.append(Finding("info", "target range", words))
    return findings


def _design_findings(prepared: Prepared) -> list[Finding]:
    """Variables that repeat each other, exactly or as a combination."""
    train = prepared.train
    designs = {id(X): X for X in train.X}
    X = np.concatenate(list(designs.values()))
    findings = []
    pairs = duplicates(X, train.feature_names)
    if pairs:
        words = "; ".join(f"{new!r} equals {old!r}" for new, old in pairs[:5])
        names = tuple(new for new, _ in pairs)
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
    return findings


def collinear(X: Array, names: Sequence[str]) -> list[str]:
    """Return variables that others combine to, up to rounding (and a constant)."""
    if X.shape[1] < 2 or X.shape[1] > MAX_COLUMNS_COLLINEAR or len(X) <= X.shape[1]:
        return []
    sample = X[:: max(1, len(X) // MAX_ROWS_COLLINEAR)]
    centred = sample - sample.mean(axis=0)
    size = np.linalg.norm(centred, axis=0)
    centred = centred / np.where(size > 0, size, 1.0)
    R, order = qr(centred, mode="r", pivoting=True, check_finite=False)
    weak = np.abs(np.diag(R)) < 1e-8
    return sorted(names[i] for i in order[weak])
