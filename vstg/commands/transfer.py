"""``vstg transfer``: add new tasks to a model file from a few rows of each."""

from argparse import ArgumentParser, Namespace

import pandas as pd

from vstg.commands.predict import read_model
from vstg.commands.shared.command import FILES, Command, add_output, add_parts, strength
from vstg.commands.shared.tables import (
    check_output,
    parts_of,
    read_table,
    write_files,
)
from vstg.notation import number_text

EXAMPLES = """\
  vstg transfer model.npz new_shop.csv --target units_sold -o model2.npz
  vstg transfer model.npz rows.csv --target score --task "school 7" -o model2.npz"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options: the model, the rows and the file of the new model."""
    add = parser.add_argument
    add("model", help="model file of vstg fit or of the dashboard")
    add("table", help=f"{FILES} with rows of tasks that the model does not know")
    add_parts(parser)
    add("--target", metavar="COLUMN", required=True, help="column with known targets")
    add(
        "--task",
        metavar="NAME",
        help="what to call the new task, if no column of the table names it",
    )
    add("--mu", type=strength, help="strength of the penalty on v (default: the fit's)")
    add_output(parser, "model file to write", required=True)


def run(args: Namespace) -> None:
    """Add tasks to a model, each from a few rows of its own.

    The variables and bases of the model stay as they are; only how much of each basis
    the new task uses, and its intercept, are fitted. Prints the error on these rows,
    held out in turn, next to that of a ridge regression on the task alone.
    """
    from vstg.model_selection.sharing import compare_transfer

    path = check_output(args.output, force=args.force)
    predictor = read_model(args.model, None)
    frame = read_table(args.table, **parts_of(args))
    made = predictor.transfer(
        frame, args.target, task=args.task, mu=args.mu, name=args.table
    )
    for note in made.rows.notes:
        print(note)
    scores = compare_transfer(predictor, made, mu=args.mu)
    rows = [
        {"task": s.task, "rows": s.n_rows}
        | {name: number_text(error) for name, error in s.errors.items()}
        for s in scores
    ]
    print(f"\n{scores[0].measure} on rows held out in turn")
    print(pd.DataFrame(rows).fillna("–").to_string(index=False))
    for score in scores:
        print(f"{score.task}: {score.sentence()}")
    write_files({path: made.predictor.to_bytes()})
    added = "1 new task" if len(scores) == 1 else f"{len(scores)} new tasks"
    print(f"\nmodel with {added}: {path}")


COMMAND = Command("add new tasks to a model", run, add_arguments, EXAMPLES)
