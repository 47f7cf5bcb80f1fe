"""A first guess at what the columns of a table mean, and none where it is unsure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from vstg.tables import names as named
from vstg.tables.kinds import is_plain, texts
from vstg.tables.roles import ProblemKind, Recipe
from vstg.tables.table import Table
from vstg.tables.tasks import MAX_TASKS

SURE = 4.0  # points that a task column needs to be chosen
MARGIN = 0.75  # by which it must lead
LOOKED_AT = 12  # columns whose values are compared
FEW_CLASSES = 20
Codes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Suggestion:
    """A first guess, and what else it might be.

    Attributes
    ----------
    recipe : Recipe
        Without a task, or without targets, where the guess is unsure.
    tasks, targets : tuple of str
        Columns that could have this role, the best first.
    """

    recipe: Recipe
    tasks: tuple[str, ...]
    targets: tuple[str, ...]


def suggest_recipe(table: Table) -> Recipe:
    """Guess layout, roles and kind of problem from names and values.

    A wrong guess is worse than none: where several columns would do, or none stands
    out, the recipe has no task (``task=None`` in the long layout) or no target
    (``targets=()``), and :func:`prepare` says what to choose. :func:`suggest` also
    lists the candidates. Row numbers and codes are left out of the variables.

    Variables are standardised: where a mean is large beside the spread, dividing by
    the maximum leaves columns that are nearly constant and hard to tell apart.
    """
    return suggest(table).recipe


def suggest(table: Table) -> Suggestion:
    """The guess of :func:`suggest_recipe` with the candidates for task and target."""
    columns = _Columns(table)
    ranked = _rank_tasks(columns)
    task = table.task or _sure_task(columns, ranked)
    several = table.targets if table.task is None else ()
    if not several and (task is None or named.entity_points(task) <= 0):
        several = _numbered(columns)
    candidates = _rank_targets(columns, task)
    if several:
        recipe = Recipe("wide", targets=several, problem=problem_of(table, several[0]))
        task = None
    else:
        target = _sure_target(candidates, task)
        target = table.targets[0] if table.targets else target
        recipe = _recipe(table, task, target)
    kinds = table.kinds.values()
    recipe = replace(
        recipe,
        scaling="standard",
        leave_out=_no_variables(columns, recipe),
        dates=("year", "month") if any(k.kind == "date" for k in kinds) else (),
    )
    tasks = [name for name, _ in ranked]
    return Suggestion(recipe, tuple(tasks), tuple(name for name, _ in candidates))


def _recipe(table: Table, task: str | None, target: str | None) -> Recipe:
    if target is None:
        return Recipe(task=task)
    problem = problem_of(table, target)
    if task is None and _are_classes(table, target):
        return Recipe("classes", targets=(target,), problem="classification")
    return Recipe(task=task, targets=(target,), problem=problem)


def problem_of(table: Table, target: str) -> ProblemKind:
    """Classification for words and for two values, regression else."""
    found = table.kinds[target]
    two = found.n_levels == 2
    return "classification" if found.kind == "category" or two else "regression"


def _are_classes(table: Table, target: str) -> bool:
    """Whether a target without a task column holds labels, one task each."""
    found = table.kinds[target]
    if found.kind == "category":
        return True
    few = 2 < found.n_levels <= FEW_CLASSES
    return few and named.CLASSES.fullmatch(named.words_of(target)) is not None


def _numbered(columns: "_Columns") -> tuple[str, ...]:
    """Columns like y1, y2, …: one target per task; y98 and y99 are years."""
    for pattern in (named.TARGETS, named.RATERS):
        matches = {name: pattern.fullmatch(name) for name in columns.names}
        found = {name: int(m.group("number")) for name, m in matches.items() if m}
        numbers = sorted(found.values())
        if len(found) > 1 and numbers[0] <= 1 and numbers[-1] <= len(found):
            return tuple(found)
    return ()


class _Columns:
    """What the guess asks about the columns, found for all at once where it can be."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.frame = table.frame
        self.n_rows = len(table.frame)
        self.names = list(table.frame.columns)
        self.fractions = _with_fractions(table.frame)
        self.flags = _zero_one(table)
        self.times = [n for n in self.names if self._is_time(n)]
        self._codes: dict[str, Codes] = {}

    def _is_time(self, name: str) -> bool:
        return named.is_time(name) or self.table.kinds[name].kind == "date"

    def n_levels(self, name: str) -> int:
        return self.table.kinds[name].n_levels

    def is_text(self, name: str) -> bool:
        return self.table.kinds[name].kind in ("category", "text")

    def codes(self, name: str) -> Codes:
        """The values of a column as numbers from 0, -1 where there is none."""
        if name not in self._codes:
            column = self.frame[name]
            values = column.to_numpy()
            if not is_plain(column.dtype):
                values = np.array([*texts(column), None], dtype=object)[:-1]
            self._codes[name] = pd.factorize(values)[0].astype(np.int64)
        return self._codes[name]

    def pairs(self, first: Codes, second: Codes) -> Codes:
        """Codes of pairs of values."""
        return pd.factorize(first * (second.max(initial=0) + 2) + second)[0]


def _with_fractions(frame: pd.DataFrame) -> set[str]:
    """The columns of reals with fractions, found at once: there may be thousands."""
    kinds = zip(frame.columns, frame.dtypes, strict=True)
    names = [name for name, kind in kinds if is_plain(kind) and kind.kind == "f"]
    values = frame[names].to_numpy()
    with np.errstate(invalid="ignore"):
        broken = ((values != np.round(values)) & ~np.isnan(values)).any(axis=0)
    return {name for name, one in zip(names, broken, strict=True) if one}


def _zero_one(table: Table) -> set[str]:
    """The columns of 0 and 1, and of true and false."""
    kinds = zip(table.frame.columns, table.frame.dtypes, strict=True)
    two = [n for n, kind in kinds if is_plain(kind) and table.kinds[n].n_levels == 2]
    values = table.frame[two].to_numpy(dtype=np.float64)
    plain = ((values == 0) | (values == 1) | np.isnan(values)).all(axis=0)
    return {name for name, one in zip(two, plain, strict=True) if one}


def _rank_tasks(columns: _Columns) -> list[tuple[str, float]]:
    """Columns that could name tasks, with points, the best first."""
    likely = []
    for i, name in enumerate(columns.names):
        found = columns.table.kinds[name]
        if (
            name in columns.fractions
            or name in columns.flags
            or name in columns.times
            or not 2 <= found.n_levels <= min(MAX_TASKS, columns.n_rows / 2)
            or found.kind in ("date", "empty")
        ):
            continue
        points = named.entity_points(name) + 1.5 * columns.is_text(name)
        points += (1.0 if points <= 1.5 else 0.5) * (i == 0)
        points -= 0.5 * (found.n_levels == 2 and not columns.is_text(name))
        likely.append((name, points))
    likely.sort(key=lambda pair: -pair[1])
    texts_there = [n for n in columns.names if columns.is_text(n)]
    ranked = []
    for name, points in likely[:LOOKED_AT]:
        only = texts_there == [name]
        ranked.append((name, points + only + _structure(columns, name)))
    ranked.sort(key=lambda pair: -pair[1])
    return [*ranked, *likely[LOOKED_AT:]]


def _structure(columns: _Columns, name: str) -> float:
    """Points for values that are laid out as those of a panel.

    With the time they name each row once; rows of a level are side by side; levels
    have as many rows as each other.
    """
    codes = columns.codes(name)
    counts = np.bincount(codes[codes >= 0])
    points = 1.0 if np.ptp(counts) <= 1 else 0.0
    runs = 1 + int((codes[1:] != codes[:-1]).sum())
    points += 1.0 if runs == len(counts) else 0.0
    times = columns.times[:3]
    if times:
        when = columns.codes(times[0])
        for other in times[1:]:
            when = columns.pairs(when, columns.codes(other))
        if when.max(initial=0) < columns.n_rows / 2:  # a time says which row by itself
            both = columns.pairs(codes, when)
            points += 3.0 if both.max(initial=0) >= 0.98 * columns.n_rows - 1 else 0.0
    return points


def _sure_task(columns: _Columns, ranked: Sequence[tuple[str, float]]) -> str | None:
    """The best candidate, if it leads clearly and its levels have rows enough."""
    usable = [pair for pair in ranked[:LOOKED_AT] if _has_rows(columns, pair[0])]
    if not usable or usable[0] != ranked[0] or usable[0][1] < SURE:
        return None
    best, points = usable[0]
    for name, others in usable[1:]:
        if others > points - MARGIN and not same_levels(columns, best, name):
            return None
    return best


def _has_rows(columns: _Columns, name: str) -> bool:
    """Whether most rows are in levels of at least four, as the recipe wants them."""
    codes = columns.codes(name)
    counts = np.bincount(codes[codes >= 0])
    enough = counts[counts >= Recipe().min_rows]
    return len(enough) >= 2 and enough.sum() >= 0.5 * columns.n_rows


def same_levels(columns: _Columns, first: str, second: str) -> bool:
    """Whether two columns tell the same rows apart, as a state and its abbreviation."""
    if columns.n_levels(first) != columns.n_levels(second):
        return False
    both = columns.pairs(columns.codes(first), columns.codes(second))
    return int(both.max(initial=0)) + 1 == columns.n_levels(first)


def _rank_targets(columns: _Columns, task: str | None) -> list[tuple[str, float]]:
    """Columns that could be the target, with points, the best first."""
    known = set(columns.names)
    plain = []
    for name in columns.names:
        found = columns.table.kinds[name]
        if name == task or found.kind not in ("number", "category"):
            continue
        if found.n_levels < 2 or (found.kind == "category" and found.n_levels > 30):
            continue
        points = named.target_points(name)
        points -= 4.0 * (name in columns.times or named.is_identifier(name))
        points -= 2.0 * (
            named.entity_points(name) > 2 and name not in columns.fractions
        )
        points -= 4.0 * (named.is_row_number(name) and found.n_levels > FEW_CLASSES)
        points -= 2.0 * any(base in known for base in named.base_names(name))
        points -= 1.0 * (name in columns.flags)
        points -= 1.0 * (found.n_levels < 5 or found.kind == "category")
        points += 0.5 * any(f"{p}{name}" in known for p in ("l", "log", "ln", "log_"))
        plain.append((name, points))
    own = [pair[0] for pair in plain if pair[1] > -2]
    ends = {own[0], own[-1]} if own else set()
    ranked = [(name, points + (name in ends)) for name, points in plain]
    ranked.sort(key=lambda pair: -pair[1])
    if task is not None:  # what never changes within a task is no target of it
        first = [
            (n, p - 3.0 * _same_within(columns, task, n)) for n, p in ranked[:LOOKED_AT]
        ]
        ranked = sorted([*first, *ranked[LOOKED_AT:]], key=lambda pair: -pair[1])
    return ranked


def _same_within(columns: _Columns, task: str, name: str) -> bool:
    """Whether a column has one value per task."""
    tasks = columns.codes(task)
    both = columns.pairs(tasks, columns.codes(name))
    return bool(both.max(initial=0) <= tasks.max(initial=0))


def _sure_target(ranked: Sequence[tuple[str, float]], task: str | None) -> str | None:
    """The best candidate, if its name says so, no other name does, and one more sign.

    That is its place, the first or the last, or a table whose tasks are clear.
    """
    if not ranked or ranked[0][1] < (2.0 if task else 3.0):
        return None
    best, points = ranked[0]
    said = named.TARGET.fullmatch(named.words_of(best)) is not None
    lead = MARGIN if said else 2 * MARGIN  # one of two likely names may be a variable
    rivals = [p for n, p in ranked[1:] if named.target_points(n) and points - p < lead]
    return None if rivals else best


def _no_variables(columns: _Columns, recipe: Recipe) -> tuple[str, ...]:
    """Columns that number the rows or repeat the task: no model should use them."""
    taken = {recipe.task, *recipe.targets}
    found = []
    for name in columns.names:
        if name in taken or columns.table.kinds[name].kind == "empty":
            continue
        n_levels = columns.n_levels(name)
        whole = name not in columns.fractions and name not in columns.flags
        distinct = n_levels > 0.9 * columns.n_rows and columns.n_rows > 2
        if (
            (named.is_row_number(name) and distinct and _is_row_number(columns, name))
            or (named.is_identifier(name) and whole and n_levels > 2)
            or (
                recipe.task is not None
                and whole
                and named.entity_points(name) > 0
                and same_levels(columns, recipe.task, name)
            )
        ):
            found.append(name)
    return tuple(found)


def _is_row_number(columns: _Columns, name: str) -> bool:
    """Whether a column counts the rows, whatever their order is now."""
    column = columns.frame[name]
    if not is_plain(column.dtype):
        return columns.is_text(name)
    values = np.sort(column.to_numpy(dtype=np.float64))
    steps = np.diff(values)
    return bool(len(steps)) and bool((steps >= 1).all())
