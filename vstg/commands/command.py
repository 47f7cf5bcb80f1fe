"""A word of the command line, and the parser it gets."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import fill
from typing import NoReturn

INTERRUPTED = 130  # what shells give a process ended by Ctrl-C


def no_arguments(parser: ArgumentParser) -> None:
    """Add nothing: the command takes no arguments."""


@dataclass(frozen=True)
class Command:
    """One word of the command line: what it says of itself, asks for and does.

    ``run`` returns the exit code, or nothing for 0. It imports what it needs when it
    is called, so that ``--help`` is immediate.
    """

    help: str
    run: Callable[[Namespace], int | None]
    add_arguments: Callable[[ArgumentParser], None] = no_arguments
    examples: str = ""


class CommandParser(ArgumentParser):
    """A parser whose errors take one line."""

    def error(self, message: str) -> NoReturn:
        """End with code 2."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def describe(command: Command) -> dict[str, object]:
    """Arguments for the parser of a command."""
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
