"""A first recipe for a table, which the user then corrects."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd

from vstg.tables.kinds import column_kind, is_plain
from vstg.tables.limits import TableError
from vstg.tables.recipe import ProblemKind, Recipe
from vstg.tables.table import Table

TASK_NAMES = re.compile(
    r"(task|group|school|shop|store|ward|hospital|subject|patient|person|site|station|"
    r"plant|machine|region|country|city|customer|user|unit|team)s?([ _]?(id|nr|no|name|"
    r"number|#))?#?",
    re.IGNORECASE,
)
TARGET_NAMES = re.compile(
    r"y|target|score|label|class|outcome|response|output|result|rating|price|sales",
    re.IGNORECASE,
)
TARGETS = re.compile(r"(y|target|task|output|out)[ _]?\d+", re.IGNORECASE)


def suggest_recipe(table: Table) -> Recipe:
    """Guess layout, roles and kind of problem from names and values.

    Variables are standardised: where a mean is large beside the spread, dividing by
    the maximum leaves columns that are nearly constant and hard to tell apart.
    """
    return replace(_suggest(table), scaling="standard")


def _suggest(table: Table) -> Recipe:
    frame = table.frame
    numbered = tuple(name for name in frame.columns if TARGETS.fullmatch(name))
    if table.targets and table.task is None:
        return _wide(table, table.targets)
    task = table.task or _task_column(frame)
    if len(numbered) > 1 and table.task is None and not _named_task(task):
        return _wide(table, numbered)
    target = table.targets[0] if table.targets else _target_column(frame, task)
    problem = target_problem(frame[target])
    if task is not None:
        return Recipe(task=task, targets=(target,), problem=problem)
    if problem == "classification":
        return Recipe(layout="classes", targets=(target,), problem=problem)
    return Recipe(layout="wide", targets=(target,), problem=problem)


def _wide(table: Table, targets: tuple[str, ...]) -> Recipe:
    problem = target_problem(table.frame[targets[0]])
    return Recipe(layout="wide", targets=targets, problem=problem)


def _named_task(name: str | None) -> bool:
    return name is not None and TASK_NAMES.fullmatch(name) is not None


def target_problem(column: pd.Series) -> ProblemKind:
    """Classification for words and for two values, regression else."""
    found = column_kind(column)
    two = found.n_levels == 2
    return "classification" if found.kind == "category" or two else "regression"


def _task_column(frame: pd.DataFrame) -> str | None:
    """The column that names tasks, or the first category with enough rows a level."""
    fractions = _with_fractions(frame)
    candidates = [
        name
        for name in frame.columns
        if name not in fractions and _could_be_task(frame[name])
    ]
    named = [name for name in candidates if TASK_NAMES.fullmatch(name)]
    if named:
        return named[0]
    words = [name for name in candidates if column_kind(frame[name]).kind != "number"]
    return words[0] if words else None


def _with_fractions(frame: pd.DataFrame) -> set[str]:
    """The columns of reals with fractions, found at once: there may be thousands."""
    kinds = zip(frame.columns, frame.dtypes, strict=True)
    names = [name for name, kind in kinds if is_plain(kind) and kind.kind == "f"]
    values = frame[names].to_numpy()
    with np.errstate(invalid="ignore"):
        broken = ((values != np.round(values)) & ~np.isnan(values)).any(axis=0)
    return {name for name, one in zip(names, broken, strict=True) if one}


def _could_be_task(column: pd.Series) -> bool:
    """Whether rows come in groups: at least two, with four rows or more on average."""
    if pd.api.types.is_float_dtype(column.dtype):
        values = column.dropna()
        if not (values == values.round()).all():
            return False
    n_levels = int(column.nunique())
    return 2 <= n_levels <= len(column) / 4


def _target_column(frame: pd.DataFrame, task: str | None) -> str:
    names = [name for name in frame.columns if name != task]
    usable = [n for n in names if column_kind(frame[n]).kind in ("number", "category")]
    if not usable:
        msg = "the table has no column that could be a target: give numbers or classes"
        raise TableError(msg)
    named = [name for name in usable if TARGET_NAMES.fullmatch(name)]
    return named[0] if named else usable[-1]
