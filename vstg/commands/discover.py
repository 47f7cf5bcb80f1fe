"""``vstg discover``: find variables that matter and tasks that belong together."""

import json
from argparse import ArgumentParser, Namespace
from typing import Any

from vstg.commands.search import progress_line
from vstg.commands.shared.command import INTERRUPTED, Command, add_output, add_table
from vstg.commands.shared.prepared import as_it_is, loss_of, prepare_table
from vstg.commands.shared.tables import check_output

EXAMPLES = """\
  vstg discover sales.csv --task shop --target units_sold
  vstg discover states.csv --task state --target gsp --drop year --json
  vstg discover machines.csv --task machine --target fails --classify
  vstg discover ratings.csv --target ann bob eve --resamples 0 -o ratings.npz"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options: the table, and how thoroughly to search."""
    add_table(parser)
    add_output(parser, "model file to write (.npz)")
    parser.add_argument(
        "--json", action="store_true", help="print JSON instead of text"
    )
    how = parser.add_argument_group("search")
    how.add_argument("--folds", type=int, default=5, help="folds (default 5)")
    how.add_argument(
        "--resamples",
        type=int,
        default=25,
        help="pairs of random halves of the rows to search (default 25)",
    )
    how.add_argument("--jobs", type=int, help="threads (default: all processors)")
    how.add_argument("--seed", type=int, default=0, help="seed (default 0)")
    how.add_argument(
        "--progress",
        action="store_true",
        help="show progress even if this is not a terminal",
    )


def run(args: Namespace) -> int | None:
    """Find the variables that matter and the tasks that belong together.

    Chooses the settings, refits the model, and searches random halves of the rows to
    see how certain the result is. The table is prepared as on the Data page of the
    dashboard; units do not matter. --output writes the model to a file. Ctrl-C ends
    the search.
    """
    from vstg.discovery import discover
    from vstg.prediction import Predictor
    from vstg.tables import Preparation

    path = args.output and check_output(args.output, force=args.force)
    prepared = None if args.as_is else prepare_table(args)
    data = as_it_is(args, args.table) if prepared is None else prepared.train
    line: Any = progress_line(args.progress)
    try:
        found = discover(
            data,
            random_state=args.seed,
            cv=args.folds,
            n_resamples=args.resamples,
            loss=loss_of(args),
            fit_intercept=False if args.no_intercept else None,
            n_jobs=args.jobs,
            callback=line,
        )
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        if line is not None:
            line.close()
    if path and not found.cancelled:
        made = None if prepared is None else Preparation.of(prepared)
        Predictor.of(found.result, data, name=args.table, preparation=made).save(path)
    if args.json:
        print(json.dumps(found.to_dict(), indent=2, ensure_ascii=False))
        return None
    tasks = "task" if data.n_tasks == 1 else "tasks"
    print(f"{args.table}: {data.n_rows} rows, {data.n_tasks} {tasks}.")
    for note in () if prepared is None else prepared.notes:
        print(f"{note.words}.")
    print(found.summary())
    if path:
        print(f"model file: {path}")
    return None


COMMAND = Command("find variables and groups of tasks", run, add_arguments, EXAMPLES)
