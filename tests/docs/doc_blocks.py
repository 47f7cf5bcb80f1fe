"""The fenced blocks of a page, run in order as a reader would."""

import re
import shlex
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from vstg.__main__ import main

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
REST = "…"  # stands for anything in what a page prints


def matches(printed: str, shown: str) -> bool:
    """Whether the output is the one shown, "…" being anything, even lines."""
    pattern = ".*".join(re.escape(part) for part in shown.strip().split(REST))
    return re.fullmatch(pattern, printed.strip(), re.S) is not None


def captured(function, *arguments) -> str:
    """What a call prints."""
    output = StringIO()
    with redirect_stdout(output):
        function(*arguments)
    return output.getvalue()


def command(line: str) -> str:
    """What ``vstg …`` prints; it must succeed."""
    name, *arguments = shlex.split(line)
    assert name == "vstg", f"the page runs {name}"
    return captured(lambda: _succeed(line, arguments))


def _succeed(line: str, arguments: list[str]) -> None:
    assert main(arguments) == 0, f"{line} failed"


def run_page(path: Path) -> int:
    """Run every block of a page; return how many outputs were compared."""
    names: dict = {}
    printed, compared = "", 0
    for language, text in FENCE.findall(path.read_text("utf-8")):
        if language == "python":
            printed = captured(exec, compile(text, path.name, "exec"), names)
        elif language == "text":
            assert matches(printed, text), f"{path.name} shows\n{text}not\n{printed}"
            compared += 1
        elif language == "console":
            for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
                line, _, shown = part.partition("\n")
                printed = command(line)
                assert matches(printed, shown), f"{line} shows\n{shown}not\n{printed}"
                compared += 1
    return compared
