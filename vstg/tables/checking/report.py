"""The report on a table before it is fitted: tasks, columns and findings."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from vstg.data import Array
from vstg.tables.checking.findings import (
    TINY,
    Finding,
    column_findings,
    design_findings,
    note_findings,
    split_findings,
    target_findings,
    task_findings,
)
from vstg.tables.kinds import is_plain, medians, number_matrix
from vstg.tables.limits import DEFAULT_LIMITS, Limits, TableError
from vstg.tables.prepare import (
    Prepared,
    choose_columns,
    missing_values,
    prepare,
)
from vstg.tables.roles import Recipe
from vstg.tables.table import Table

FAR = 8.0  # standard deviations, estimated robustly, from the median


@dataclass(frozen=True, eq=False)
class Report:
    """The tasks, columns and findings of a table.

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
    findings = column_findings(columns)
    try:
        prepared = prepare(table, recipe, limits)
    except TableError as error:
        findings.append(Finding("error", "refused", str(error)))
        return Report(pd.DataFrame(), columns, _sorted(findings), None)
    findings += note_findings(prepared, len(table.frame))
    tasks = tasks_frame(prepared)
    findings += task_findings(tasks, prepared)
    findings += design_findings(prepared)
    findings += split_findings(table.frame, columns, recipe)
    findings += target_findings(prepared)
    repeated = repeated_rows(table.frame)
    if repeated:
        words = f"{repeated} rows repeat an earlier row in every column"
        findings.append(Finding("info", "repeated rows", words))
    return Report(tasks, columns, _sorted(findings), prepared)


def _sorted(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Sort errors before warnings, and the most important findings first."""
    levels, codes = ("error", "warning", "info"), ("rows", "leak", "tasks")

    def place(finding: Finding) -> tuple[int, int]:
        first = codes.index(finding.code) if finding.code in codes else len(codes)
        return levels.index(finding.level), first

    return tuple(sorted(findings, key=place))


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
    if recipe.weight in roles:
        roles[str(recipe.weight)] = "weight"
    kinds = list(table.kinds.values())
    counted = np.array([found.kind == "number" for found in kinds], dtype=bool)
    names = [name for name, found in table.kinds.items() if found.kind == "number"]
    values = np.ascontiguousarray(number_matrix(table.frame, names).T)
    n_missing, outliers = np.zeros((2, len(kinds)), dtype=int)
    low, high = np.full((2, len(kinds)), np.nan)
    whole = np.zeros(len(kinds), dtype=bool)
    with np.errstate(invalid="ignore"):
        whole[counted] = ((values == np.round(values)) | np.isnan(values)).all(axis=1)
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
            "whole": whole,
            "rows": len(table.frame),
        }
    )


def count_outliers(values: Array) -> npt.NDArray[np.intp]:
    """Count values over eight robust standard deviations from each row's median.

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
    """Count the rows that equal an earlier one in every column."""
    plain = np.array([is_plain(kind) for kind in frame.dtypes], dtype=bool)
    numbers = frame.loc[:, plain].to_numpy(dtype=np.float64) + 0.0
    others = frame.loc[:, ~plain].to_numpy(dtype=object, copy=True)
    others[pd.isna(others)] = None  # which equals itself
    rows = zip(map(np.ndarray.tobytes, numbers), map(tuple, others), strict=True)
    return len(frame) - len(set(rows))


def tasks_frame(prepared: Prepared) -> pd.DataFrame:
    """Return one row per task of the prepared data."""
    train, test = prepared.train, prepared.test
    return pd.DataFrame(
        {
            "task": train.task_names,
            "training rows": train.n_samples,
            "test rows": 0 if test is None else test.n_samples,
            **({"sum of weights": train.weight_sums} if train.weights else {}),
            "minimum": [y.min() for y in train.targets],
            "mean": [y.mean() for y in train.targets],
            "maximum": [y.max() for y in train.targets],
        }
    )
