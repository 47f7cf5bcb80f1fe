"""Which tasks are kept, and which of their rows are for training."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vstg.data import Array, MultiTaskData
from vstg.data.splits import label_strata, split_rows
from vstg.data.values import seal
from vstg.tables.observations import Index, Tasks
from vstg.tables.recipe import Recipe
from vstg.tables.table import Note, listed


def leave_out(tasks: Tasks, recipe: Recipe) -> tuple[Tasks, list[Note]]:
    """Leave out tasks with too few rows, or too few of a class."""
    small, unbalanced = [], []
    for name, y in zip(tasks.names, tasks.y, strict=True):
        rare = min(int((y > 0).sum()), int((y <= 0).sum()))
        if len(y) < recipe.min_rows:
            small.append(name)
        elif recipe.problem == "classification" and rare < 2:
            unbalanced.append(name)
    notes = []
    if small:
        words = f"tasks with fewer than {recipe.min_rows} rows are left out"
        notes.append(Note("tasks", f"{words}: {listed(small)}", tuple(small)))
    if unbalanced:
        words = "tasks with fewer than two rows of a class are left out"
        notes.append(Note("tasks", f"{words}: {listed(unbalanced)}", tuple(unbalanced)))
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
    tasks: Tasks, recipe: Recipe
) -> tuple[list[Index], list[Index] | None, Tasks, list[Note]]:
    """Training and test rows of each task, as positions among its rows."""
    if recipe.test_size == 0:
        return [np.arange(len(y)) for y in tasks.y], None, tasks, []
    rng = np.random.default_rng(recipe.seed)
    if tasks.shared:
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
    """Which rows of the table are for training, in all tasks alike."""
    rows = np.unique(np.concatenate(tasks.rows)) if tasks.rows else np.array([], int)
    marks = np.zeros(int(rows.max()) + 1 if len(rows) else 0, dtype=bool)
    if len(rows) > 1:
        strata = label_strata(tasks.y) if recipe.layout == "classes" else None
        train, _ = split_rows(len(rows), recipe.test_size, rng, strata)
        marks[rows[train]] = True
    return marks


def part_data(
    X: Array, tasks: Tasks, parts: Sequence[Index], names: Sequence[str]
) -> MultiTaskData:
    """The data of one part; tasks with the same rows share their design."""
    designs: dict[bytes, Array] = {}
    taken, targets = [], []
    for rows, y, part in zip(tasks.rows, tasks.y, parts, strict=True):
        index = rows[part]
        key = index.tobytes()
        if key not in designs:
            designs[key] = seal(X[index])
        taken.append(designs[key])
        targets.append(y[part])
    return MultiTaskData(taken, targets, tasks.names, names)
