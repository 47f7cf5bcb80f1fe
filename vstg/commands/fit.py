"""``vstg fit``: fit a model to a table and write it to a file."""

import warnings
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vstg.commands.shared.command import (
    Command,
    SupervisedTable,
    add_output,
    add_table,
    strength,
)
from vstg.commands.shared.prepared import classifies, loss_of, prepare_table
from vstg.commands.shared.summary import (
    describe_model,
    error_line,
    errors_text,
    interval_text,
    plain_text,
)
from vstg.commands.shared.tables import check_output
from vstg.data import DataError

if TYPE_CHECKING:
    from vstg.data import MultiTaskData
    from vstg.estimators.base import BaseVSTG
    from vstg.model_selection import Yardsticks
    from vstg.prediction.intervals import ConformalScores

QUICK = 2**18  # numbers in a table whose fits in folds are not waited for
HELD_OUT = "a held-out quarter of the rows"
EXAMPLES = """\
  vstg fit train.csv --task school --target score -o model.npz
  vstg fit train.csv --task task --target target --n-latent 5 --k 1 \\
      --gamma1 2^-4 --gamma2 2^-4 -o model.npz
  vstg fit digits.parquet --target label --classify --n-latent 9 -o digits.npz
  vstg fit visits.csv --task ward --target visits --loss poisson -o visits.npz
  vstg fit prices.csv --task town --target price --loss huber -o prices.npz
  vstg fit ratings.csv --target ann bob eve --drop date -o ratings.npz"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options: the table, the settings of the model, the output file."""
    add_table(parser)
    add_output(parser, "model file to write (.npz)", required=True)
    model = parser.add_argument_group("model")
    model.add_argument(
        "--n-latent", type=int, default=5, help="number of bases K (default 5)"
    )
    model.add_argument(
        "--k", type=int, help="k of the k-support norm (default min(3, K))"
    )
    for name, what in (("gamma1", "entries of U"), ("gamma2", "rows of U")):
        model.add_argument(
            f"--{name}",
            type=strength,
            default=2**-5,
            help=f"sparsity of {what} (default 2^-5)",
        )
    model.add_argument("--mu", type=strength, help="penalty on V (default gamma1)")
    model.add_argument(
        "--cut",
        type=strength,
        default=0.0,
        help="set entries below this share of the largest to zero (default 0)",
    )
    model.add_argument(
        "--relax",
        type=strength,
        default=1.0,
        help="share of the penalties kept in a refit (default 1: no refit)",
    )
    parser.add_argument(
        "--threshold",
        type=float,
        default=0.0,
        help="in printed groups, ignore weights below this share of a task's largest",
    )
    solver = parser.add_argument_group("solver")
    solver.add_argument("--solver", choices=("fast", "admm"), default="fast")
    solver.add_argument(
        "--tol", type=strength, help="tolerance to stop at (default: the solver's)"
    )
    solver.add_argument(
        "--max-iter", type=int, help="most iterations (default: the solver's)"
    )
    solver.add_argument(
        "--n-init", type=int, default=1, help="number of starts (default 1)"
    )
    solver.add_argument(
        "--seed", type=int, default=0, help="seed of further starts (default 0)"
    )


def run(args: Namespace) -> None:
    """Fit VSTG-MTL to a table and write the model to a file.

    The table is prepared as on the Data page of the dashboard: categories are encoded,
    rows with gaps dropped or filled, variables and target scaled. The model file
    records this, so that it can predict raw rows. Prints the error on the table, the
    selected variables and the groups of tasks.
    """
    path = check_output(args.output, force=args.force)
    if not 0.0 <= args.threshold < 1.0:
        msg = f"--threshold {args.threshold} must be at least 0 and below 1"
        raise DataError(msg)
    if args.as_is:
        fit_as_it_is(args, path)
        return
    from vstg.metrics import errors_on
    from vstg.prediction import Predictor
    from vstg.tables import Preparation

    prepared = prepare_table(args)
    train = prepared.train
    result = estimator(args)._solve(train)
    against = held_out(args, train, prepared.loss)
    predictor = replace(
        Predictor.of(
            result, train, name=args.table, preparation=Preparation.of(prepared)
        ),
        evaluation={} if against is None else against.to_dict(HELD_OUT),
        scores=held_out_errors(args, train),
    )
    predictor.save(path)
    n_rows = len(train.y[0]) if train.shared_X else train.n_rows
    print(sizes(args.table, n_rows, train.n_tasks, train.n_features))
    for note in prepared.notes:
        print(f"  {note.words}")
    for line in describe_model(predictor, args.threshold):
        print(line)
    errors = errors_on(train, result.decision(train), loss=prepared.loss)
    print(errors_text("training error", errors))
    if against is not None:
        print(errors_text(f"error on {HELD_OUT}", against.model.errors))
        print(plain_text(against))
    if predictor.scores is not None:
        print(interval_text(predictor.scores))
    print(f"model file: {path}")


def held_out(args: Namespace, train: "MultiTaskData", loss: str) -> "Yardsticks | None":
    """Fit three quarters of the rows, and compare with plain models on the rest.

    None for large data, where the plain models would take longer than the fit.
    """
    from vstg.model_selection import compare_with_plain
    from vstg.model_selection.yardsticks import are_quick

    if not are_quick(train):
        return None
    try:
        part, rest = train.split(0.25, random_state=0, stratify=classifies(args))
        result = estimator(args)._solve(part)
        intercept = not args.no_intercept
        return compare_with_plain(
            result, part, rest, loss=loss, fit_intercept=intercept
        )
    except DataError:  # tasks of one row, or of one row of a class
        return None


def held_out_errors(
    args: Namespace, train: "MultiTaskData"
) -> "ConformalScores | None":
    """Errors on held-out rows, for prediction intervals; None for large data."""
    from sklearn.exceptions import ConvergenceWarning

    from vstg.model_selection.held_out_scores import FOLDS, cross_scores
    from vstg.model_selection.yardsticks import are_quick

    if classifies(args) or not are_quick(train) or train.n_samples.max() < FOLDS:
        return None
    with warnings.catch_warnings():  # the fit of all rows has said it
        warnings.simplefilter("ignore", ConvergenceWarning)
        return cross_scores(train, estimator(args)._solve)


def fit_as_it_is(args: Namespace, path: Path) -> None:
    """Fit the columns as they are."""
    from vstg.estimators import VSTGRegressor
    from vstg.model_selection.held_out_scores import FOLDS

    table = SupervisedTable.of(args, args.table)
    model: Any = estimator(args)
    model.fit(table.X, table.y)
    few = len(table.X) >= 2 * FOLDS and table.X.size <= QUICK
    if few and isinstance(model, VSTGRegressor):
        model.calibrate(table.X, table.y, FOLDS)
    model.save(path)
    print(sizes(args.table, len(table.X), len(model.tasks_), len(table.features)))
    for line in describe_model(model.predictor(), args.threshold):
        print(line)
    print(error_line("training error", table, model.predict(table.X), loss_of(args)))
    print(f"model file: {path}")


def sizes(name: str, n_rows: int, n_tasks: int, n_variables: int) -> str:
    """Describe the size of the data."""
    tasks = "task" if n_tasks == 1 else "tasks"
    return f"{name}: {n_rows} rows, {n_tasks} {tasks}, {n_variables} variables"


def estimator(args: Namespace) -> "BaseVSTG":
    """Make the estimator that the arguments describe."""
    from vstg.estimators import VSTGClassifier, VSTGRegressor

    labels = classifies(args)
    kind: Any = VSTGClassifier if labels else VSTGRegressor
    loss = {} if labels else {"loss": loss_of(args)}
    return kind(
        args.task,
        n_latent=args.n_latent,
        k=min(3, args.n_latent) if args.k is None else args.k,
        gamma1=args.gamma1,
        gamma2=args.gamma2,
        mu=args.mu,
        cut=args.cut,
        relax=args.relax,
        fit_intercept=not args.no_intercept,
        solver=args.solver,
        tol=args.tol,
        max_iter=args.max_iter,
        n_init=args.n_init,
        random_state=args.seed,
        **loss,
    )


COMMAND = Command("fit a model to a table", run, add_arguments, EXAMPLES)
