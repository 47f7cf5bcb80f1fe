"""The command line: ``python -m vstg COMMAND``, or ``vstg COMMAND`` once installed."""

import os
import sys
import warnings
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from vstg.commands import (
    app,
    compile,
    data,
    discover,
    fit,
    generate,
    lessons,
    predict,
    reproduce,
    search,
    store,
    transfer,
)
from vstg.commands.shared.command import INTERRUPTED, Command, CommandParser, describe

EXIT_CODES = """\
exit codes:
  0    done
  1    an error in vstg itself, shown with its traceback, or the output was not read
  2    an error in the arguments, a table or a file: standard error says what is wrong
  130  ended by Ctrl-C; a search has written what was finished"""

COMMANDS: dict[str, Command] = {
    "app": app.COMMAND,
    "data": data.COMMAND,
    "generate": generate.COMMAND,
    "discover": discover.COMMAND,
    "fit": fit.COMMAND,
    "predict": predict.COMMAND,
    "transfer": transfer.COMMAND,
    "search": search.COMMAND,
    "reproduce": reproduce.COMMAND,
    "lessons": lessons.COMMAND,
    "store": store.COMMAND,
    "compile": compile.COMMAND,
}


def installed_version() -> str:
    """Return the installed version of the package."""
    try:
        return version("vstg")
    except PackageNotFoundError:
        return "not installed"


def make_parser() -> ArgumentParser:
    """Return the parser of all commands."""
    parser = ArgumentParser(
        prog="vstg",
        description="Variable selection and task grouping for multi-task learning.",
        epilog=f"vstg COMMAND --help shows examples.\n\n{EXIT_CODES}",
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version", action="version", version=f"vstg {installed_version()}"
    )
    subparsers = parser.add_subparsers(
        metavar="COMMAND", required=True, parser_class=CommandParser
    )
    for name, command in COMMANDS.items():
        options: dict[str, Any] = describe(command)
        subparser = subparsers.add_parser(name, **options)
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def complain(message: object) -> None:
    """Print one line on standard error, however long the message is."""
    print("vstg:", " ".join(str(message).split()), file=sys.stderr)


def show_warning(message: Warning | str, *place: Any, **more: Any) -> None:
    """Print a warning without its place in the code, which would not help the user."""
    complain(f"warning: {message}")


def main(argv: list[str] | None = None) -> int:
    """Run one command; return its exit code, see ``EXIT_CODES``."""
    args = make_parser().parse_args(argv)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = show_warning
            return args.run(args) or 0
    except BrokenPipeError:
        # Whoever read our output has left; Python would complain again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (OSError, ValueError) as error:
        complain(error)
        return 2
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
