"""Guess the roles of a table's columns, and leave open what is not clear."""

from dataclasses import dataclass, replace

from vstg.tables.guessing import names as named
from vstg.tables.guessing.columns import Columns, counts_rows, same_levels
from vstg.tables.guessing.ranking import (
    FEW_CLASSES,
    rank_targets,
    rank_tasks,
    sure_target,
    sure_task,
)
from vstg.tables.roles import ProblemKind, Recipe
from vstg.tables.table import Table


@dataclass(frozen=True)
class Suggestion:
    """A first guess, and the other candidates.

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
    """Return the guess of :func:`suggest_recipe` and candidates for task and target."""
    columns = Columns(table)
    ranked = rank_tasks(columns)
    task = table.task or sure_task(columns, ranked)
    several = table.targets if table.task is None else ()
    if not several and (task is None or named.entity_points(task) <= 0):
        several = _numbered(columns)
    candidates = rank_targets(columns, task)
    if several:
        recipe = Recipe("wide", targets=several, problem=problem_of(table, several[0]))
        task = None
    else:
        target = sure_target(candidates, task)
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
    """Choose classification for words and for two values, otherwise regression."""
    found = table.kinds[target]
    two = found.n_levels == 2
    return "classification" if found.kind == "category" or two else "regression"


def _are_classes(table: Table, target: str) -> bool:
    """Whether a target without a task column contains labels, one task each."""
    found = table.kinds[target]
    if found.kind == "category":
        return True
    few = 2 < found.n_levels <= FEW_CLASSES
    return few and named.CLASSES.fullmatch(named.words_of(target)) is not None


def _numbered(columns: Columns) -> tuple[str, ...]:
    """Return columns like y1, y2, …: one target per task; y98 and y99 are years."""
    for pattern in (named.TARGETS, named.RATERS):
        matches = {name: pattern.fullmatch(name) for name in columns.names}
        found = {name: int(m.group("number")) for name, m in matches.items() if m}
        numbers = sorted(found.values())
        if len(found) > 1 and numbers[0] <= 1 and numbers[-1] <= len(found):
            return tuple(found)
    return ()


def _no_variables(columns: Columns, recipe: Recipe) -> tuple[str, ...]:
    """Return columns that number the rows or repeat the task."""
    taken = {recipe.task, *recipe.targets}
    found = []
    for name in columns.names:
        if name in taken or columns.table.kinds[name].kind == "empty":
            continue
        n_levels = columns.n_levels(name)
        whole = name not in columns.fractions and name not in columns.flags
        distinct = n_levels > 0.9 * columns.n_rows and columns.n_rows > 2
        if (
            (named.is_row_number(name) and distinct and counts_rows(columns, name))
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
