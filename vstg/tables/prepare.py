"""Turn a table and a recipe into training and test data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from vstg.data import Array, DataError, Dataset, MultiTaskData, target_spreads
from vstg.data.targets import robust_spreads
from vstg.tables.dates import date_order, dates
from vstg.tables.fit import fit_transform
from vstg.tables.grouping import row_groups, row_weights, stretches
from vstg.tables.kinds import number_matrix, numbers, texts
from vstg.tables.limits import DEFAULT_LIMITS, Limits, TableError
from vstg.tables.roles import Recipe
from vstg.tables.table import SHOWN, Note, Table, listed
from vstg.tables.tasks import (
    Tasks,
    check_roles,
    find_tasks,
    leave_out,
    part_data,
    split,
)
from vstg.tables.transform import Transform, encoded_kind

HUGE = 1e100  # squares of larger numbers leave the range of doubles


@dataclass(frozen=True, eq=False)
class Prepared:
    """Data ready to fit.

    Attributes
    ----------
    train : MultiTaskData
    test : MultiTaskData or None
        Their ``units`` say what the targets were divided by.
    transform : Transform
        Turns new rows of the same table into the variables of the model.
    recipe : Recipe
    notes : tuple of Note
        What was dropped and why.
    labels : (str, str) or None
        What -1 and +1 stand for in a classification.
    """

    train: MultiTaskData
    test: MultiTaskData | None
    transform: Transform
    recipe: Recipe
    notes: tuple[Note, ...]
    labels: tuple[str, str] | None = None

    @property
    def loss(self) -> str:
        """Return the loss that suits the targets."""
        return self.recipe.loss

    def to_dataset(self, name: str) -> Dataset:
        """Return a Dataset, with intercepts, in which targets may be constant.

        Raises
        ------
        TableError
            The recipe keeps no rows for testing.
        """
        if self.test is None:
            msg = f"{name} has no test rows: give the recipe a test_size above 0"
            raise TableError(msg)
        return Dataset(
            name,
            self.train,
            self.test,
            loss=self.loss,
            fit_intercept=True,
            allow_constant=True,
            source=name,
        )


def prepare(table: Table, recipe: Recipe, limits: Limits = DEFAULT_LIMITS) -> Prepared:
    """Return training and test data of a table; equal arguments give equal data.

    Rows without a task or a target are dropped, and rows without a variable where the
    recipe says so; small tasks are left out; the rest of each task is split; and what
    is filled in, scaled and encoded is learnt from training rows alone.

    Raises
    ------
    TableError
        The table and the recipe give no data to fit; the sentence says why.
    """
    check_roles(table, recipe)
    columns, notes = choose_columns(table, recipe)
    usable, gaps = _usable_rows(table.frame, columns, recipe)
    groups = row_groups(table, recipe)
    if recipe.order is not None and groups is not None:
        usable &= groups >= 0
    weights = row_weights(table, recipe)
    counting = usable
    if weights is not None:
        notes += _weightless_rows(recipe, usable, weights)
        counting = usable & (weights > 0)
    tasks = find_tasks(table, recipe, counting)
    notes += _dropped_rows(table.frame, tasks, usable, counting, gaps)
    tasks, small = leave_out(tasks, recipe)
    notes += small
    train, test, tasks, lost = split(tasks, recipe, groups)
    notes += lost
    if not tasks.names:
        msg = f"{table.name} has no task left: {_reasons(notes)}"
        raise TableError(msg)
    rows = np.unique(
        np.concatenate([r[i] for r, i in zip(tasks.rows, train, strict=True)])
    )
    orders = {n: date_order(texts(table.frame[n])) for n, k in columns if k == "date"}
    transform, constant = _fit(table.frame.iloc[rows], columns, recipe, orders)
    notes += constant
    if not transform.keep:
        msg = f"{table.name} has no variable left: {_reasons(notes)}"
        raise TableError(msg)
    limits.check_shape(len(table.frame), len(transform.keep), f"{table.name}, encoded,")
    X = _design(table, transform, tasks)
    if recipe.order is not None and groups is not None:
        groups = stretches(groups)
    try:
        beside = groups, weights, task_weights(recipe, tasks)
        parts = [
            None if part is None else part_data(X, tasks, part, transform.keep, *beside)
            for part in (train, test)
        ]
    except DataError as error:
        msg = f"{table.name}: {error}"
        raise TableError(msg) from error
    train_data, test_data = scale_targets(parts, recipe)
    return Prepared(
        train_data, test_data, transform, recipe, tuple(notes), labels=tasks.labels
    )


def task_weights(recipe: Recipe, tasks: Tasks) -> dict[str, float]:
    """The weights of the tasks that are left; those of others do not matter."""
    return {task: a for task, a in recipe.task_weights if task in tasks.names}


def _weightless_rows(
    recipe: Recipe, usable: npt.NDArray[np.bool_], weights: Array
) -> list[Note]:
    """Rows that do not count, though nothing else is missing."""
    n_lost = int((usable & ~(weights > 0)).sum())
    if not n_lost:
        return []
    words = (
        f"{n_lost} of {len(usable)} rows are dropped: their weight in "
        f"{recipe.weight!r} is 0 or missing"
    )
    return [Note("rows", words, count=n_lost)]


def scale_targets(
    parts: Sequence[MultiTaskData | None], recipe: Recipe
) -> tuple[MultiTaskData, MultiTaskData | None]:
    """Divide the targets of both parts by their spread in training."""
    train, test = parts
    assert train is not None
    unscaled = ("classification", "counts")
    if recipe.problem in unscaled or recipe.target_scaling == "none":
        return train, test
    spreads = robust_spreads if recipe.problem == "robust" else target_spreads
    units = spreads(train, each=recipe.layout == "wide").tolist()
    return train.scaled(units), None if test is None else test.scaled(units)


def choose_columns(
    table: Table, recipe: Recipe
) -> tuple[list[tuple[str, str]], list[Note]]:
    """Return the variables (name, kind), and why other columns are left out."""
    roles = {*recipe.targets, recipe.task, recipe.together, recipe.weight}
    names = recipe.features
    if names is None:
        names = tuple(name for name in table.frame.columns if name not in roles)
    left_out = {*recipe.leave_out, recipe.together, recipe.weight}
    names = tuple(name for name in names if name not in left_out)
    chosen, notes = [], []
    for name in names:
        kind, why = encoded_kind(table.kinds[name])
        if kind == "date" and recipe.dates:
            why = ""
        if kind == "category" and recipe.categories == "leave out":
            why = "it contains categories"
        if why:
            notes.append(
                Note("columns", f"column {name!r} is left out: {why}", (name,))
            )
        else:
            chosen.append((name, kind))
    if not chosen:
        reasons = _reasons(notes) or "no column was chosen"
        msg = f"{table.name} has no variable to use: {reasons}"
        raise TableError(msg)
    return chosen, notes


def _reasons(notes: Sequence[Note]) -> str:
    """Say what was left out; only the first few reasons if there are thousands."""
    more = f"; and {len(notes) - SHOWN} more" if len(notes) > SHOWN else ""
    return "; ".join(note.words for note in notes[:SHOWN]) + more


def _usable_rows(
    frame: pd.DataFrame, columns: Sequence[tuple[str, str]], recipe: Recipe
) -> tuple[npt.NDArray[np.bool_], dict[str, int]]:
    """Return the rows without missing variables, and each variable's gaps."""
    usable = np.ones(len(frame), dtype=bool)
    gaps: dict[str, int] = {}
    if recipe.missing == "drop":
        counted = [name for name, kind in columns if kind == "number"]
        absent = np.isnan(number_matrix(frame, counted))
        usable &= ~absent.any(axis=1)
        gaps |= dict(zip(counted, absent.sum(axis=0).tolist(), strict=True))
        for name, kind in columns:
            if kind != "number":
                none = missing_values(frame[name], kind)
                usable &= ~none
                gaps[name] = int(none.sum())
    worst = sorted((n for n in gaps if gaps[n]), key=lambda name: -gaps[name])
    return usable, {name: gaps[name] for name in worst}


def missing_values(column: pd.Series, kind: str) -> npt.NDArray[np.bool_]:
    """Where a column has no value that its kind can use."""
    if kind == "number":
        return np.isnan(numbers(column))
    if kind == "date":
        values = texts(column)
        found = dates(values, date_order(values))
        return np.array([one is None for one in found], dtype=bool)
    return np.array([text is None for text in texts(column)], dtype=bool)


def _dropped_rows(
    frame: pd.DataFrame,
    tasks: Tasks,
    usable: npt.NDArray[np.bool_],
    counting: npt.NDArray[np.bool_],
    gaps: dict[str, int],
) -> list[Note]:
    """Rows with gaps, and rows that count but have no task or target."""
    notes = []
    n_bad = int((~usable).sum())
    if n_bad:
        shown = ", ".join(f"{n[:60]!r} ({gaps[n]})" for n in list(gaps)[:SHOWN])
        more = f" and {len(gaps) - SHOWN} more" if len(gaps) > SHOWN else ""
        words = (
            f"{n_bad} of {len(frame)} rows are dropped: a variable is missing; gaps "
            f"are in {shown}{more}"
        )
        notes.append(Note("rows", words, tuple(gaps), n_bad))
    present = np.zeros(len(frame), dtype=bool)
    for rows in tasks.rows:
        present[rows] = True
    n_lost = int((counting & ~present).sum())
    if n_lost:
        words = f"{n_lost} of {len(frame)} rows are dropped: task or target is missing"
        notes.append(Note("rows", words, count=n_lost))
    return notes + _missing_targets(tasks, int(present.sum()))


def _missing_targets(tasks: Tasks, n_rows: int) -> list[Note]:
    """Count the missing targets of each task in a wide table."""
    missing = {n: n_rows - len(r) for n, r in zip(tasks.names, tasks.rows, strict=True)}
    missing = {name: n for name, n in missing.items() if n > 0}
    if not tasks.shared or not missing:
        return []
    shown = ", ".join(f"{n[:60]!r} ({missing[n]})" for n in list(missing)[:SHOWN])
    more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
    words = (
        f"{sum(missing.values())} targets are missing: each task uses the rows that "
        f"have its target; gaps are in {shown}{more}"
    )
    return [Note("values", words, tuple(missing))]


def _fit(
    train: pd.DataFrame,
    columns: Sequence[tuple[str, str]],
    recipe: Recipe,
    orders: Mapping[str, str],
) -> tuple[Transform, list[Note]]:
    """Fit the rules and leave out constant and repeated variables."""
    transform = fit_transform(
        train, columns, missing=recipe.missing, scaling=recipe.scaling,
        parts=recipe.dates, orders=orders,
    )  # fmt: skip
    X = transform.apply(train)
    notes, drop = [], set()
    if recipe.drop_constant:
        spread = np.ptp(X, axis=0) if len(X) else np.zeros(X.shape[1])
        names = [n for n, s in zip(transform.keep, spread, strict=True) if not s > 0]
        drop |= set(names)
        if names:
            words = (
                f"variables with one value in training are left out: {listed(names)}"
            )
            notes.append(Note("columns", words, tuple(names)))
    if recipe.drop_duplicates:
        names = [n for n, _ in duplicates(X, transform.keep) if n not in drop]
        drop |= set(names)
        if names:
            words = (
                f"variables that repeat an earlier one are left out: {listed(names)}"
            )
            notes.append(Note("columns", words, tuple(names)))
    keep = tuple(name for name in transform.keep if name not in drop)
    return replace(transform, keep=keep), notes


def duplicates(X: Array, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the variables that equal an earlier one, each paired with that one."""
    first: dict[bytes, str] = {}
    found = []
    for column, name in zip(X.T, names, strict=True):
        key = np.ascontiguousarray(column + 0.0).tobytes()
        if key in first:
            found.append((name, first[key]))
        first.setdefault(key, name)
    return found


def _design(table: Table, transform: Transform, tasks: Tasks) -> Array:
    X = transform.apply(table.frame)
    used = np.unique(np.concatenate(tasks.rows))
    if np.isnan(X[used]).any():
        i = int(np.argmax(np.isnan(X[used]).any(axis=0)))
        msg = f"{table.name}: {transform.keep[i]!r} has no value in any training row"
        raise TableError(msg)
    largest = max(
        float(np.abs(X[used]).max()), *(float(np.abs(y).max()) for y in tasks.y)
    )
    if not largest < HUGE:
        msg = (
            f"{table.name} has values as large as {largest:g}, with which no fit can "
            "be computed: give them in a larger unit"
        )
        raise TableError(msg)
    return X
