"""``vstg discover``: the variables that matter and the tasks that belong together."""

import json
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from vstg.commands.command import INTERRUPTED, Command, add_table
from vstg.commands.search import progress_line
from vstg.commands.tables import check_columns
from vstg.data import DataError, MultiTaskData

if TYPE_CHECKING:
    from vstg.tables import Table

EXAMPLES = """\
  vstg discover sales.csv --task shop --target units_sold
  vstg discover states.csv --task state --target gsp --drop year --json
  vstg discover machines.csv --task machine --target fails --classify
  vstg discover ratings.csv --target ann bob eve --resamples 0"""


def add_arguments(parser: ArgumentParser) -> None:
    """The table, and how hard to look."""
    add_table(parser)
    parser.add_argument("--json", action="store_true", help="print JSON, not sentences")
    how = parser.add_argument_group("search")
    how.add_argument("--folds", type=int, default=5, help="default 5")
    how.add_argument(
        "--resamples", type=int, default=25, help="pairs of halves (default 25)"
    )
    how.add_argument("--jobs", type=int, help="threads (default: all processors)")
    how.add_argument("--seed", type=int, default=0, help="default 0")
    how.add_argument("--progress", action="store_true", help="show it, terminal or not")


def run(args: Namespace) -> int | None:
    """Find the variables that matter and the tasks that belong together.

    Chooses the settings by itself, refits, and searches halves of the rows to see how
    sure the finding is. Categories are encoded and gaps filled with means; units do not
    matter. Ctrl-C ends the search.
    """
    from vstg.discovery import discover

    data = read_data(args)
    line: Any = progress_line(args.progress)
    try:
        found = discover(
            data,
            random_state=args.seed,
            cv=args.folds,
            n_resamples=args.resamples,
            loss="logistic" if args.classify else "squared",
            fit_intercept=False if args.no_intercept else None,
            n_jobs=args.jobs,
            callback=line,
        )
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        if line is not None:
            line.close()
    if args.json:
        print(json.dumps(found.to_dict(), indent=2, ensure_ascii=False))
        return None
    tasks = "task" if data.n_tasks == 1 else "tasks"
    print(f"{args.table}: {data.n_rows} rows, {data.n_tasks} {tasks}.")
    print(found.summary())
    return None


def read_data(args: Namespace) -> MultiTaskData:
    """The rows of the table, with categories encoded and gaps filled."""
    from vstg.tables import Recipe, TableError, prepare, read_table
    from vstg.tables.limits import OWN_FILES

    missing = ("", "nan", "NaN")
    table = read_table(args.table, name=args.table, limits=OWN_FILES, missing=missing)
    check_roles(args, table)
    try:
        recipe = Recipe(
            layout="wide" if args.task is None else "long",
            task=args.task,
            targets=tuple(args.target),
            features=features(args, table),
            problem="classification" if args.classify else "regression",
            missing="mean",
            scaling="none",
            test_size=0.0,
        )
        return prepare(table, recipe, OWN_FILES).train
    except TableError as error:
        raise DataError(str(error)) from error


def check_roles(args: Namespace, table: "Table") -> None:
    """Refuse columns that are not there, and several targets of one task column."""
    roles = [*args.target] if args.task is None else [args.task, *args.target]
    named = [*roles, *(args.features or []), *(args.drop or [])]
    check_columns(table.frame, named, args.table)
    if args.task is not None and len(args.target) > 1:
        msg = "several targets are several tasks: leave --task out"
        raise DataError(msg)


def features(args: Namespace, table: "Table") -> tuple[str, ...]:
    """The columns to predict from."""
    if args.features:
        return tuple(args.features)
    taken = {args.task, *args.target, *(args.drop or [])}
    return tuple(name for name in table.frame.columns if name not in taken)


COMMAND = Command("find variables and groups of tasks", run, add_arguments, EXAMPLES)
