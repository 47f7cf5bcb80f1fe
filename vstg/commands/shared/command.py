"""The class of all commands, their parser, and arguments that several share."""

import math
from argparse import (
    ArgumentParser,
    ArgumentTypeError,
    Namespace,
    RawDescriptionHelpFormatter,
)
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import fill
from typing import Any, NoReturn, Self

import pandas as pd

from vstg.commands.shared.prepared import LOSS_OF, add_preparation
from vstg.commands.shared.tables import checked_roles, parts_of, read_table
from vstg.data import DataError

INTERRUPTED = 130  # what shells give a process ended by Ctrl-C

FILES = "a table (.csv, .tsv, .xlsx, .parquet, .mat, .npz)"


def no_arguments(parser: ArgumentParser) -> None:
    """Add nothing: the command takes no arguments."""


@dataclass(frozen=True)
class Command:
    """One command: its help, its arguments and what it runs.

    ``run`` returns the exit code, or nothing for 0. It imports what it needs when it
    is called, so that ``--help`` is immediate.
    """

    help: str
    run: Callable[[Namespace], int | None]
    add_arguments: Callable[[ArgumentParser], None] = no_arguments
    examples: str = ""


class CommandParser(ArgumentParser):
    """A parser that reports errors on one line."""

    def error(self, message: str) -> NoReturn:
        """End with code 2."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def describe(command: Command) -> dict[str, object]:
    """Return the help of a command as arguments for its parser."""
    doc = (command.run.__doc__ or command.help).strip()
    paragraphs = [" ".join(part.split()) for part in doc.split("\n\n")]
    examples = f"examples:\n{command.examples}" if command.examples else None
    return {
        "help": command.help,
        "description": "\n\n".join(_wrap(part) for part in paragraphs),
        "epilog": examples,
        "formatter_class": RawDescriptionHelpFormatter,
    }


def _wrap(paragraph: str, width: int = 80) -> str:
    return fill(paragraph, width)


def strength(text: str) -> float:
    """Read a number, or a power such as 2^-5."""
    base, _, exponent = text.replace("**", "^").partition("^")
    try:
        # math.pow, because ** makes a complex number of (-2)^0.5.
        return math.pow(float(base), float(exponent)) if exponent else float(base)
    except (ValueError, OverflowError) as error:
        msg = f"{text!r} is not a number such as 0.05 or 2^-5"
        raise ArgumentTypeError(msg) from error


def add_parts(parser: ArgumentParser) -> None:
    """Add the options on what to read from a file with several tables."""
    add = parser.add_argument
    add("--sheet", metavar="NAME", help="sheet of an Excel workbook (default: first)")
    add(
        "--variables",
        metavar="NAME",
        nargs="+",
        help="names of X, Y and perhaps the tasks in a MATLAB or NPZ file",
    )


def add_table(parser: ArgumentParser) -> None:
    """Add the table to learn from and the roles of its columns."""
    add = parser.add_argument
    add("table", help=f"{FILES}, one row per observation")
    add_parts(parser)
    add("--task", metavar="COLUMN", help="column that names the task")
    add(
        "--target",
        metavar="COLUMN",
        nargs="+",
        required=True,
        help="column to predict; without --task, several columns are several tasks",
    )
    columns = parser.add_mutually_exclusive_group()
    columns.add_argument(
        "--features",
        metavar="COLUMN",
        nargs="+",
        help="columns to predict from (default: all others)",
    )
    columns.add_argument(
        "--drop", metavar="COLUMN", nargs="+", help="columns to leave out, such as ids"
    )
    add_loss(parser)
    add("--no-intercept", action="store_true", help="fit no intercepts")
    add_preparation(parser)


def add_loss(parser: ArgumentParser) -> None:
    """Add the options that say what kind of target it is."""
    add = parser.add_argument
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument(
        "--loss",
        choices=tuple(LOSS_OF),
        default="squared",
        help="squared for numbers (default), huber for numbers with outliers, poisson "
        "for counts, logistic for labels",
    )
    kind.add_argument(
        "--classify", action="store_true", help="predict labels: --loss logistic"
    )
    add(
        "--huber-threshold",
        metavar="NUMBER",
        type=strength,
        help="with --loss huber: errors beyond it count by their size, no longer by "
        "their square; in spreads of the target, or in its own unit if that is not "
        "scaled (default 1.345)",
    )


def add_output(parser: ArgumentParser, what: str, **options: Any) -> None:
    """Add the option --output."""
    parser.add_argument("-o", "--output", metavar="FILE", help=what, **options)
    add_force(parser)


def add_format(parser: ArgumentParser) -> None:
    """Add the option for the format of written tables."""
    parser.add_argument(
        "--format",
        choices=("csv", "tsv", "parquet"),
        default="csv",
        help="file format of the tables (default csv)",
    )


def add_cluster(add: Callable[..., Any], store: str) -> None:
    """Add the options for the store that keeps finished work, and for a cluster."""
    add("--store", metavar="FILE", help=store)
    add("--scheduler", metavar="ADDRESS", help="use a Dask cluster: tcp://host:8786")


def add_force(parser: ArgumentParser) -> None:
    """Add the option to replace existing files."""
    parser.add_argument("--force", action="store_true", help="replace files that exist")


@dataclass(frozen=True, eq=False)
class SupervisedTable:
    """A table in the form that the estimators take."""

    X: pd.DataFrame  # the task first, if there is one
    y: pd.Series | pd.DataFrame
    task: str | None
    features: list[str]

    @classmethod
    def of(cls, args: Namespace, path: str, features: list[str] | None = None) -> Self:
        """Read ``path`` with the roles that the arguments of add_table give."""
        frame = read_table(path, **parts_of(args))
        roles = checked_roles(args, frame, path, features)
        used = args.features or features
        if used is None:
            taken = {*roles, *(args.drop or [])}
            used = [name for name in frame.columns if name not in taken]
        if not used:
            msg = f"{path} has no column left to predict from"
            raise DataError(msg)
        X = frame[used if args.task is None else [args.task, *used]]
        y = frame[args.target if len(args.target) > 1 else args.target[0]]
        return cls(X, y, args.task, list(used))
