"""Prepare a raw table as the Data page does, for the commands that fit models."""

import json
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

import numpy as np

from vstg.commands.shared.tables import checked_roles, open_table, parts_of
from vstg.data import DataError, MultiTaskData

if TYPE_CHECKING:
    from vstg.tables import Prepared, Table
    from vstg.tables.roles import Layout, ProblemKind

LOSS_OF: dict[str, "ProblemKind"] = {
    "squared": "regression",
    "huber": "robust",
    "poisson": "counts",
    "logistic": "classification",
}


def add_preparation(parser: ArgumentParser) -> None:
    """Add the options on how columns become variables."""
    how = parser.add_argument_group("preparation")
    how.add_argument(
        "--as-is",
        action="store_true",
        help="fit the columns as they are: all numbers, no gaps, no scaling",
    )
    how.add_argument(
        "--missing",
        choices=("drop", "mean", "median"),
        default="drop",
        help="rows with gaps: drop them (default), or fill in what is missing",
    )
    how.add_argument(
        "--scaling",
        choices=("standard", "max", "none"),
        default="standard",
        help="how to scale the variables (default standard: mean 0, spread 1)",
    )
    whole = how.add_mutually_exclusive_group()
    whole.add_argument(
        "--together",
        metavar="COLUMN",
        help="rows with the same value in this column stay in one part and fold",
    )
    whole.add_argument(
        "--order",
        metavar="COLUMN",
        help="column with the time: test on the latest rows, hold out periods in folds",
    )
    how.add_argument(
        "--weight",
        metavar="COLUMN",
        help="how much a row counts within its task; no variable",
    )
    how.add_argument(
        "--task-weights",
        metavar="JSON",
        help="""how much tasks count, such as '{"north": 2}'; others count as 1""",
    )
    how.add_argument(
        "--target-scaling",
        choices=("spread", "none"),
        default="spread",
        help="divide the target by its spread, so that its unit does not matter",
    )


def problem_of(args: Namespace) -> "ProblemKind":
    """What kind of target the arguments say."""
    problem: ProblemKind = LOSS_OF["logistic" if args.classify else args.loss]
    if args.huber_threshold is not None and problem != "robust":
        msg = f"--huber-threshold {args.huber_threshold:g} needs --loss huber"
        raise DataError(msg)
    return problem


def loss_of(args: Namespace) -> str:
    """The loss that the arguments ask for, by its name."""
    from vstg.tables import Recipe, TableError

    try:
        return Recipe(problem=problem_of(args), threshold=args.huber_threshold).loss
    except TableError as error:
        raise DataError(str(error)) from error


def classifies(args: Namespace) -> bool:
    """Whether labels are predicted."""
    return problem_of(args) == "classification"


def prepare_table(args: Namespace, *, test_size: float = 0.0) -> "Prepared":
    """Read the table and prepare it: encode categories, drop or fill gaps, scale."""
    from vstg.tables import Recipe, TableError, prepare
    from vstg.tables.limits import OWN_FILES

    table = open_table(args.table, **parts_of(args))
    checked_roles(args, table.frame, args.table)
    try:
        recipe = Recipe(
            layout=layout(args, table),
            task=args.task,
            targets=tuple(args.target),
            features=features(args, table),
            problem=problem_of(args),
            threshold=args.huber_threshold,
            missing=args.missing,
            scaling=args.scaling,
            target_scaling=args.target_scaling,
            test_size=test_size,
            dates=("year", "month"),
            together=args.together,
            order=args.order,
            weight=args.weight,
            task_weights=task_weights(args),
        )
        return prepare(table, recipe, OWN_FILES)
    except TableError as error:
        raise DataError(str(error)) from error


def task_weights(args: Namespace) -> tuple[tuple[str, float], ...]:
    """The weights of ``--task-weights``, by the names of tasks."""
    if args.task_weights is None:
        return ()
    try:
        given = json.loads(args.task_weights)
        return tuple((str(task), float(weight)) for task, weight in given.items())
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        msg = (
            f"--task-weights {args.task_weights[:60]!r} is no JSON object of numbers: "
            """write '{"name of a task": 2}'"""
        )
        raise DataError(msg) from error


def as_it_is(
    args: Namespace, path: str, like: MultiTaskData | None = None
) -> MultiTaskData:
    """Read the columns of a table as they are; variables and tasks as in ``like``."""
    from vstg.commands.shared.command import SupervisedTable
    from vstg.estimators import VSTGClassifier, VSTGRegressor

    features = None if like is None else list(like.feature_names)
    table = SupervisedTable.of(args, path, features)
    if classifies(args):
        data = VSTGClassifier(args.task)._read(table.X, table.y)
    else:
        data = VSTGRegressor(args.task)._read(table.X, table.y)
    return data if like is None else with_tasks_of(like, data, path)


def with_tasks_of(
    first: MultiTaskData, data: MultiTaskData, path: str
) -> MultiTaskData:
    """Put the tasks of another table in the order of the first."""
    odd = sorted(set(data.task_names) ^ set(first.task_names))
    if odd:
        msg = f"task {odd[0]!r} is only in one table: {path} needs the same tasks"
        raise DataError(msg)
    return data.subset(tasks=first.task_names)


def layout(args: Namespace, table: "Table") -> "Layout":
    """Choose the layout: long with a task column, classes for three labels or more."""
    if args.task is not None:
        return "long"
    target = table.kinds[args.target[0]]
    several = len(args.target) == 1 and target.n_levels > 2
    return "classes" if classifies(args) and several else "wide"


def features(args: Namespace, table: "Table") -> tuple[str, ...]:
    """Return the columns to predict from."""
    if args.features:
        return tuple(args.features)
    others = args.task, args.together, args.weight
    taken = {*others, *args.target, *(args.drop or [])}
    used = tuple(name for name in table.frame.columns if name not in taken)
    if not used:
        msg = f"{args.table} has no column left to predict from"
        raise DataError(msg)
    return used


def prepared_like(prepared: "Prepared", path: str) -> MultiTaskData:
    """Prepare another table as the first was, with the same tasks."""
    from vstg.tables import TableError
    from vstg.tables.grouping import row_weights
    from vstg.tables.tasks import check_roles, find_tasks, part_data

    table, recipe = open_table(path), prepared.recipe
    try:
        check_roles(table, recipe)
        X, _ = prepared.transform.new_rows(table.frame, path)
        weights = row_weights(table, recipe)
        counting = np.ones(len(X), dtype=bool) if weights is None else weights > 0
        tasks = find_tasks(table, recipe, counting)
    except TableError as error:
        raise DataError(str(error)) from error
    train = prepared.train
    rows = [np.arange(len(y)) for y in tasks.y]
    beside = None, weights, dict(zip(train.task_names, train.task_factors, strict=True))
    data = part_data(X, tasks, rows, train.feature_names, *beside)
    data = with_tasks_of(train, data, path)
    return data.scaled(train.units) if train.units else data
