"""``vstg predict``: predict the rows of a table with a model file."""

import sys
import warnings
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from vstg.commands.shared.command import (
    FILES,
    Command,
    SupervisedTable,
    add_output,
    add_parts,
    strength,
)
from vstg.commands.shared.summary import error_line
from vstg.commands.shared.tables import (
    check_columns,
    check_output,
    check_suffix,
    parts_of,
    read_table,
    table_bytes,
    write_files,
)
from vstg.data import DataError
from vstg.prediction.rows import (
    FALLBACK,
    MEAN_OF_TASKS,
    NOT_PREDICTED,
    known_positions,
    left_out,
    task_positions,
)

if TYPE_CHECKING:
    from vstg.estimators.multitask import MultiTaskEstimator
    from vstg.prediction import Predictor
    from vstg.prediction.predictor import Unknown

EXAMPLES = """\
  vstg predict model.npz new.csv -o predictions.csv
  vstg predict model.npz test.csv --target score --keep -o scored.parquet
  vstg predict model.npz new.csv --interval 90 -o predictions.csv
  vstg predict digits.npz new.parquet --proba | head"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options: the model, the table and what to write."""
    add = parser.add_argument
    add("model", help="model file of vstg fit or of the dashboard")
    add("table", help=f"{FILES} with the columns of the fit, in any order")
    add_parts(parser)
    add(
        "--preparation",
        metavar="FILE",
        help="JSON file that an older vstg saved next to the model",
    )
    add_output(parser, "table to write (default, or -: CSV to standard output)")
    add(
        "--interval",
        type=percentage,
        metavar="PERCENT",
        help="write the ends of intervals that cover this percentage, such as 90",
    )
    add("--proba", action="store_true", help="write probabilities of the classes, too")
    add("--keep", action="store_true", help="write all columns of the table, too")
    add(
        "--unknown",
        choices=("error", "mean"),
        default="error",
        help="tasks that the model does not know: no prediction (default), or the mean "
        "of all tasks, marked as such; vstg transfer fits them to rows of their own",
    )
    add(
        "--name",
        default="prediction",
        help="name of the new column (default: prediction)",
    )
    add(
        "--target",
        metavar="COLUMN",
        nargs="+",
        help="columns with the true values, to print the error",
    )


def percentage(text: str) -> float:
    """Read a percentage as a share."""
    value = strength(text) / 100
    if not 0 < value < 1:
        msg = f"{text!r} is not a percentage between 0 and 100"
        raise ArgumentTypeError(msg)
    return value


def run(args: Namespace) -> None:
    """Predict every row of a table with a model file.

    Writes the task (if the model has a task column) and the prediction of every row,
    in the order of the table. New rows are encoded and scaled as the table of the fit
    was. Columns that the model does not use are ignored. If a row cannot be predicted,
    a column says why.
    """
    from vstg.estimators.files import estimator_of

    path = None
    if args.output not in (None, "-"):
        check_suffix(args.output)
        path = check_output(args.output, force=args.force)
    # Messages must not mix with a table on standard output.
    messages = sys.stderr if path is None else sys.stdout
    predictor = read_model(args.model, args.preparation)
    model = estimator_of(predictor)
    frame = read_table(args.table, **parts_of(args))
    if args.target:
        check_columns(frame, args.target, args.table)
    X, notes, doubts = variables(predictor, frame, args.table, args.unknown)
    for note in notes:
        print(note, file=messages)
    good = (doubts == "").to_numpy()
    # Rows of unknown tasks are marked in the table: no warning is needed beside it.
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "tasks .* were not in the fit")
        predictions = model.predict(X, args.unknown)
        new = prediction_columns(model, X, predictions, args)
    if args.unknown == "mean" and predictor.task_name is not None:
        fitted = X[predictor.task_name].isin(predictor.task_names).to_numpy()
        if not fitted.all():
            new[FALLBACK] = np.where(fitted, "", MEAN_OF_TASKS)
    if not good.all():
        new = new.set_axis(np.flatnonzero(good)).reindex(range(len(frame)))
        new[NOT_PREDICTED] = doubts.to_numpy()
    kept = frame if args.keep else task_column(predictor, frame)
    clash = [name for name in new.columns if name in kept.columns]
    if clash:
        msg = f"columns {clash} are in the table already: choose another --name"
        raise DataError(msg)
    table = pd.concat([kept, new.set_axis(kept.index, axis=0)], axis=1)
    if args.target:
        prepared = predictor.preparation is not None
        known = frame[good].reset_index(drop=True)
        print(
            evaluate(model, known, predictions, args.target, prepared=prepared),
            file=messages,
        )
    if path is None:
        sys.stdout.write(table.to_csv(index=False))
    else:
        write_files({path: table_bytes(table, path)})
        print(f"{int(good.sum())} predictions: {path}")


def read_model(path: str, preparation: str | None) -> "Predictor":
    """Read a model file, and the JSON file of an older vstg if one is given.

    Neither file is trusted: both are read in the bounded process.
    """
    from vstg.prediction.bounded_load import load_bounded

    beside = None if preparation is None else Path(preparation).read_bytes()
    return load_bounded(Path(path).read_bytes(), path, beside)


def variables(
    predictor: "Predictor", frame: pd.DataFrame, name: str, unknown: "Unknown"
) -> tuple[pd.DataFrame, tuple[str, ...], pd.Series]:
    """Return the columns of the fit for the rows that can be predicted.

    Also returns remarks, and the reasons why the other rows cannot be predicted.
    Variables that the model does not use need not be in the table: they are zero.
    """
    from vstg.tables.kinds import as_text

    record = predictor.estimator
    if record is not None and record.columns is None:  # fitted on an array
        return frame, (), pd.Series("", index=frame.index)
    doubts = predictor.doubts(frame, name, unknown=unknown)
    rows = frame[doubts == ""] if (doubts == "").any() else frame
    made = pd.DataFrame(0.0, rows.index, list(predictor.feature_names))
    made[list(predictor.reader.keep)], notes = predictor.reader.new_rows(rows, name)
    task = predictor.task_name
    if task is not None:
        check = task_positions if unknown == "error" else known_positions
        check(rows, task, predictor.task_names, name)
        place = record.columns.index(task) if record and record.columns else 0
        made.insert(place, task, as_text(rows[task]).to_numpy())
    if len(rows) < len(frame):
        notes = (*notes, left_out(doubts))
    return made, notes, doubts


def task_column(predictor: "Predictor", frame: pd.DataFrame) -> pd.DataFrame:
    """Return the tasks of the rows, as a table with one column or none."""
    name = predictor.task_name
    return frame[[name] if name in frame.columns else []]


def prediction_columns(
    model: "MultiTaskEstimator", X: pd.DataFrame, predictions: Any, args: Namespace
) -> pd.DataFrame:
    """Predict, in one column or one per task, with probabilities if asked for."""
    several = predictions.ndim == 2
    names = [f"{args.name}_{task}" for task in model.tasks_] if several else [args.name]
    table = pd.DataFrame(predictions.reshape(len(X), -1), columns=names)
    if args.interval is not None:
        if not hasattr(model, "predict_interval"):
            msg = f"{args.model} predicts labels: --proba gives their probabilities"
            raise DataError(msg)
        ends = model.predict_interval(X, args.interval, args.unknown)
        for place, end in enumerate(("lower", "upper")):
            titles = [
                name.replace(args.name, f"{args.name}_{end}", 1) for name in names
            ]
            table[titles] = ends[..., place].reshape(len(X), -1)
    if not args.proba:
        return table
    if not hasattr(model, "predict_proba"):
        msg = f"{args.model} is a regression, which has no probabilities"
        raise DataError(msg)
    labels = model.tasks_ if several else model.classes_
    names = [f"probability_{label}" for label in labels]
    chances = pd.DataFrame(model.predict_proba(X, args.unknown), columns=names)
    return pd.concat([table, chances], axis=1)


def evaluate(
    model: "MultiTaskEstimator",
    frame: pd.DataFrame,
    predictions: Any,
    target: list[str],
    *,
    prepared: bool,
) -> str:
    """Print the error on the true values of the table."""
    from vstg.tables.kinds import as_text

    n_outputs = predictions.shape[1] if predictions.ndim == 2 else 1
    if len(target) != n_outputs:
        msg = f"--target has {len(target)} columns and the model predicts {n_outputs}"
        raise DataError(msg)
    task = model.task_column if model.task_column in frame.columns else None
    given = frame[target]
    name = None if task is None else str(task)
    classify = hasattr(model, "predict_proba")
    if not classify:
        given = given.astype(float)
    elif prepared:  # the labels of a prepared table are text
        given = given.apply(as_text)
    table = SupervisedTable(
        frame, given if len(target) > 1 else given[target[0]], name, []
    )
    return error_line("error", table, predictions, model._loss)


COMMAND = Command("predict with a model file", run, add_arguments, EXAMPLES)
