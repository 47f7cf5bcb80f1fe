"""The command line: ``python -m vstg COMMAND``, or ``vstg COMMAND`` once installed."""

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version


def no_arguments(parser: ArgumentParser) -> None:
    """Add nothing: the command takes no arguments."""


@dataclass(frozen=True)
class Command:
    """One word of the command line: what it says of itself, asks for and does."""

    help: str
    run: Callable[[Namespace], None]
    add_arguments: Callable[[ArgumentParser], None] = no_arguments


# Each command imports what it needs, so that `--help` and `--version` are immediate.
def compile_kernels(args: Namespace) -> None:
    """Compile the numerical kernels into numba's cache."""
    start = time.perf_counter()
    from vstg import kernels

    kernels.compile_all()
    print(f"Kernels ready after {time.perf_counter() - start:.1f} s.")


COMMANDS: dict[str, Command] = {
    "compile": Command("compile the numerical kernels once", compile_kernels),
}


def installed_version() -> str:
    """Return the version that the package was installed as."""
    try:
        return version("vstg")
    except PackageNotFoundError:
        return "not installed"


def make_parser() -> ArgumentParser:
    """Return the parser of all commands."""
    parser = ArgumentParser(
        prog="vstg",
        description="Variable selection and task grouping for multi-task learning.",
    )
    parser.add_argument(
        "--version", action="version", version=f"vstg {installed_version()}"
    )
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        subparser = subparsers.add_parser(
            name, help=command.help, description=command.run.__doc__
        )
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run one command; return 0, or 2 when the input is at fault."""
    args = make_parser().parse_args(argv)
    try:
        args.run(args)
    except (OSError, ValueError) as error:
        # One line, however long the message of a file or a parser is.
        print("vstg:", " ".join(str(error).split()), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
