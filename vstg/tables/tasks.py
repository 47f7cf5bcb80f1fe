"""The tasks of a table: which are kept, their rows, and which rows are for training."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from vstg.data import Array, DataError, Index, MultiTaskData, read_task_ids
from vstg.data.selection import label_strata, split_rows
from vstg.data.tables import group_rows
from vstg.data.values import seal
from vstg.tables.grouping import held_out_rows
from vstg.tables.kinds import as_text, column_kind, is_missing, numbers
from vstg.tables.limits import TableError
from vstg.tables.roles import Recipe
from vstg.tables.table import Note, Table, listed

MAX_CLASSES = 100
MAX_TASKS = 2000


@dataclass(frozen=True, eq=False)
class Tasks:
    """Rows (positions in the table) and targets of each task.

    ``shared`` tells that the tasks have the rows in common, so that a row must not
    be in the training part of one task and in the test part of another.
    ``labels`` are the names of -1 and +1, where there are names.
    """

    names: tuple[str, ...]
    rows: tuple[Index, ...]
    y: tuple[Array, ...]
    shared: bool
    labels: tuple[str, str] | None = None


def check_roles(table: Table, recipe: Recipe) -> None:
    """Reject roles that the table's columns cannot have."""
    needed = [*recipe.targets, *([recipe.task] if recipe.task else [])]
    given = [*needed, *(recipe.features or ())]
    known = set(table.frame.columns)
    others = (recipe.together, recipe.order, recipe.weight)
    beside = [name for name in others if name is not None]
    unknown = [n for n in [*given, *recipe.leave_out, *beside] if n not in known]
    if unknown:
        columns = listed(list(table.frame.columns), 40)
        msg = f"{table.name} has no column {listed(unknown)}; its columns are {columns}"
        raise TableError(msg)
    if not recipe.targets:
        msg = f"{table.name}: choose the column with the target"
        raise TableError(msg)
    if recipe.layout == "long" and recipe.task is None:
        msg = f"{table.name}: choose the column that names the task of each row"
        raise TableError(msg)
    weight = [] if recipe.weight is None else [recipe.weight]
    twice = sorted(name for name, n in Counter([*given, *weight]).items() if n > 1)
    if twice:
        msg = f"{table.name}: {listed(twice)} has two roles: give every column one"
        raise TableError(msg)


def find_tasks(table: Table, recipe: Recipe, usable: npt.NDArray[np.bool_]) -> Tasks:
    """Return the tasks, with the usable rows that have a target."""
    if recipe.layout == "long":
        return _long(table, recipe, usable)
    if recipe.layout == "wide":
        return _wide(table, recipe, usable)
    return _classes(table, recipe, usable)


def _long(table: Table, recipe: Recipe, usable: npt.NDArray[np.bool_]) -> Tasks:
    target = table.frame[recipe.targets[0]]
    ids = table.frame[recipe.task]
    y, labels = _target(table, target, recipe)
    keep = usable & ~np.isnan(y) & ~is_missing(ids)
    positions = np.flatnonzero(keep)
    if not len(positions):
        msg = f"{table.name} has no row with a task, a target and all variables"
        raise TableError(msg)
    kept = ids.iloc[positions]
    if not pd.api.types.is_float_dtype(kept.dtype):
        kept = as_text(kept)
    try:
        tasks = read_task_ids(kept, name=f"{table.name}, column {recipe.task!r}")
    except DataError as error:
        raise TableError(str(error)) from error
    names, groups = group_rows(tasks)
    _check_count(len(names), MAX_TASKS, "tasks", table, str(recipe.task))
    rows = tuple(positions[group] for group in groups)
    return Tasks(names, rows, tuple(y[r] for r in rows), shared=False, labels=labels)


def _wide(table: Table, recipe: Recipe, usable: npt.NDArray[np.bool_]) -> Tasks:
    _check_count(len(recipe.targets), MAX_TASKS, "tasks", table, "target")
    rows, targets = [], []
    labels = None
    for name in recipe.targets:
        y, labels = _target(table, table.frame[name], recipe)
        index = np.flatnonzero(usable & ~np.isnan(y))
        rows.append(index)
        targets.append(y[index])
    return Tasks(recipe.targets, tuple(rows), tuple(targets), True, labels)


def _classes(table: Table, recipe: Recipe, usable: npt.NDArray[np.bool_]) -> Tasks:
    column = as_text(table.frame[recipe.targets[0]])
    index = np.flatnonzero(usable & column.notna().to_numpy(dtype=bool))
    given = column.iloc[index].to_numpy(dtype=object)
    names = tuple(sorted(set(given), key=_natural))
    _check_count(len(names), MAX_CLASSES, "classes", table, recipe.targets[0])
    if len(names) < 2:
        msg = f"{table.name}, column {recipe.targets[0]!r} has one class: give two"
        raise TableError(msg)
    y = tuple(np.where(given == name, 1.0, -1.0) for name in names)
    return Tasks(names, (index,) * len(names), y, True, ("other", "this class"))


def _natural(label: str) -> tuple[bool, float, str]:
    """Sort numbers by value, and before words."""
    try:
        return False, float(label), label
    except ValueError:
        return True, 0.0, label


def _check_count(count: int, limit: int, what: str, table: Table, column: str) -> None:
    if count > limit:
        msg = (
            f"{table.name}, column {column!r} has {count} {what}, more than the "
            f"limit of {limit}: is it the right column?"
        )
        raise TableError(msg)


def _target(
    table: Table, column: pd.Series, recipe: Recipe
) -> tuple[Array, tuple[str, str] | None]:
    """Return the target of every row, nan where missing, and names of -1 and +1."""
    if recipe.problem == "classification":
        return _binary(table, column, recipe.positive)
    found = column_kind(column)
    if found.kind != "number":
        example = as_text(column).dropna()
        shown = f" ({str(example.iloc[0])[:40]!r})" if len(example) else ""
        msg = (
            f"{table.name}, target {column.name!r} contains no numbers{shown}: choose "
            "another target, or classification"
        )
        raise TableError(msg)
    values = numbers(column)
    if recipe.problem == "counts":
        check_counts(values, column, table.name)
    return values, None


def check_counts(values: Array, column: pd.Series, name: str) -> None:
    """Refuse a target that does not count anything."""
    with np.errstate(invalid="ignore"):
        odd = (values < 0) | (values != np.round(values))
    odd &= ~np.isnan(values)
    if odd.any():
        row = int(np.argmax(odd))
        what = "is negative" if values[row] < 0 else "is no whole number"
        msg = (
            f"{name}, target {column.name!r} has {values[row]:g} in row "
            f"{column.index[row]}, which {what} ({int(odd.sum())} such rows): counts "
            "are 0, 1, 2 and so on; choose numbers instead"
        )
        raise TableError(msg)


def _binary(
    table: Table, column: pd.Series, positive: str | None
) -> tuple[Array, tuple[str, str]]:
    texts = as_text(column)
    labels: Sequence[str] = sorted(texts.dropna().unique(), key=_natural)
    where = f"{table.name}, target {column.name!r}"
    if positive is None and len(labels) != 2:
        msg = (
            f"{where} has {len(labels)} labels ({listed(labels)}): choose the one that "
            "counts as +1, or one task per class"
        )
        raise TableError(msg)
    plus = labels[1] if positive is None else positive
    if plus not in labels or len(labels) < 2:
        msg = f"{where} has the labels {listed(labels)}, not {plus!r} and another"
        raise TableError(msg)
    rest = [label for label in labels if label != plus]
    y = np.where(texts == plus, 1.0, -1.0)
    y[texts.isna().to_numpy(dtype=bool)] = np.nan
    return y, (rest[0] if len(rest) == 1 else "other", plus)


def leave_out(tasks: Tasks, recipe: Recipe) -> tuple[Tasks, list[Note]]:
    """Leave out tasks with too few rows, or too few rows of a class."""
    small, unbalanced = [], []
    for name, y in zip(tasks.names, tasks.y, strict=True):
        rare = min(int((y > 0).sum()), int((y <= 0).sum()))
        if len(y) < recipe.min_rows:
            small.append(name)
        elif recipe.problem == "classification" and rare < 2:
            unbalanced.append(name)
    notes = []
    reasons = {
        f"fewer than {recipe.min_rows} rows": small,
        "fewer than two rows of a class": unbalanced,
    }
    for why, names in reasons.items():
        if names:
            gone = set(names)
            pairs = zip(tasks.names, tasks.rows, strict=True)
            lost = sum(len(rows) for name, rows in pairs if name in gone)
            words = (
                f"{len(names)} of {len(tasks.names)} tasks ({lost} rows) with {why} "
                f"are left out: {listed(names)}"
            )
            notes.append(Note("tasks", words, tuple(names), lost))
    return _without(tasks, {*small, *unbalanced}), notes


def _without(tasks: Tasks, names: set[str]) -> Tasks:
    keep = [j for j, name in enumerate(tasks.names) if name not in names]
    return replace(
        tasks,
        names=tuple(tasks.names[j] for j in keep),
        rows=tuple(tasks.rows[j] for j in keep),
        y=tuple(tasks.y[j] for j in keep),
    )


def split(
    tasks: Tasks, recipe: Recipe, groups: Index | None = None
) -> tuple[list[Index], list[Index] | None, Tasks, list[Note]]:
    """Return training and test rows of each task, as positions among its rows.

    ``groups`` are those of :func:`vstg.tables.grouping.row_groups`.
    """
    if recipe.test_size == 0:
        return [np.arange(len(y)) for y in tasks.y], None, tasks, []
    rng = np.random.default_rng(recipe.seed)
    if groups is not None:
        rows = (
            np.unique(np.concatenate(tasks.rows)) if tasks.rows else np.array([], int)
        )
        held = held_out_rows(groups, rows, recipe)
        pairs = [
            (np.flatnonzero(~held[r]), np.flatnonzero(held[r])) for r in tasks.rows
        ]
    elif tasks.shared:
        marks = _shared_split(tasks, recipe, rng)
        pairs = [
            (np.flatnonzero(marks[r]), np.flatnonzero(~marks[r])) for r in tasks.rows
        ]
    else:
        pairs = [
            split_rows(
                len(y),
                recipe.test_size,
                rng,
                label_strata([y]) if recipe.problem == "classification" else None,
            )
            for y in tasks.y
        ]
    bad = {
        name
        for name, y, (train, test) in zip(tasks.names, tasks.y, pairs, strict=True)
        if not len(train)
        or not len(test)
        or (recipe.problem == "classification" and len(np.unique(y[train])) < 2)
    }
    kept = [pair for pair, n in zip(pairs, tasks.names, strict=True) if n not in bad]
    words = f"tasks that cannot be in both parts are left out: {listed(sorted(bad))}"
    notes = [Note("tasks", words, tuple(sorted(bad)))] if bad else []
    train = [pair[0] for pair in kept]
    return train, [pair[1] for pair in kept], _without(tasks, bad), notes


def _shared_split(
    tasks: Tasks, recipe: Recipe, rng: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """Choose which rows are for training, the same in all tasks."""
    rows = np.unique(np.concatenate(tasks.rows)) if tasks.rows else np.array([], int)
    marks = np.zeros(int(rows.max()) + 1 if len(rows) else 0, dtype=bool)
    if len(rows) > 1:
        strata = label_strata(tasks.y) if recipe.layout == "classes" else None
        train, _ = split_rows(len(rows), recipe.test_size, rng, strata)
        marks[rows[train]] = True
    return marks


def part_data(
    X: Array,
    tasks: Tasks,
    parts: Sequence[Index],
    names: Sequence[str],
    groups: Index | None = None,
    weights: Array | None = None,
    task_weights: Mapping[str, float] | None = None,
) -> MultiTaskData:
    """Return the data of one part; tasks with the same rows share their design.

    ``groups`` and ``weights`` have an entry for every row of the table.
    """
    designs: dict[bytes, Array] = {}
    taken, targets, indices = [], [], []
    for rows, y, part in zip(tasks.rows, tasks.y, parts, strict=True):
        index = rows[part]
        key = index.tobytes()
        if key not in designs:
            designs[key] = seal(X[index])
        taken.append(designs[key])
        targets.append(y[part])
        indices.append(index)
    # Tasks on the same rows are held out together anyway.
    kept = indices if tasks.shared and len(designs) > 1 else ()
    if groups is not None:
        kept = [groups[index] for index in indices]
    of_rows = () if weights is None else [weights[index] for index in indices]
    return MultiTaskData(
        taken, targets, tasks.names, names, (), kept, of_rows, task_weights or ()
    )
