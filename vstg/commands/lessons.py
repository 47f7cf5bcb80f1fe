"""``vstg lessons``: write the lessons as files that need no server."""

import logging
import sys
from argparse import ArgumentParser, Namespace
from importlib import import_module
from pathlib import Path

from vstg.commands.app import check_installed, dashboard
from vstg.commands.shared.command import Command, add_force
from vstg.commands.shared.tables import check_output, write_files

EXAMPLES = """\
  vstg lessons export -o lessons
  vstg lessons export why-share factors explore -o lessons"""

NOISY = "streamlit.runtime.scriptrunner_utils.script_run_context"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options: which lessons, and the folder."""
    add = parser.add_argument
    add("action", choices=("export",), help="write the files")
    add(
        "names",
        nargs="*",
        metavar="NAME",
        help="a lesson by its name in links, such as why-share, or explore "
        "(default: all)",
    )
    add("-o", "--output", metavar="FOLDER", required=True, help="folder to write to")
    add_force(parser)


def run(args: Namespace) -> None:
    """Write lessons as HTML files that work from disk, without a network.

    Each lesson is one file with its pictures, a slider, the text, the questions and the
    answers. "explore" is a small Explore with fits that are computed beforehand.
    index.html lists the files.
    """
    root = str(dashboard())
    check_installed("the lessons", ("streamlit", "plotly", "segno"), "app")
    if root not in sys.path:
        sys.path.insert(0, root)
    export = import_module("pages.learn.export")
    # Streamlit's caches work without its server, but say so for every result.
    logging.getLogger(NOISY).setLevel(logging.ERROR)
    folder = Path(args.output)
    if folder.exists() and not folder.is_dir():
        msg = f"{folder} is a file: give the name of a folder with -o"
        raise ValueError(msg)
    if folder.is_dir():
        for name in export.file_names(args.names):
            check_output(folder / name, force=args.force)
    files = export.exported(args.names)
    folder.mkdir(parents=True, exist_ok=True)
    write_files({folder / name: text for name, text in files.items()})
    size = sum(len(text) for text in files.values()) / 1e6
    print(f"Written to {folder}: {', '.join(files)} ({size:.1f} MB).")


COMMAND = Command(
    "write the lessons as files for a class", run, add_arguments, EXAMPLES
)
