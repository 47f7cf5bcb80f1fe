"""``vstg data``: list, check or fetch the data sets that vstg knows by name."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vstg.commands.shared.command import Command, add_force, add_format
from vstg.commands.shared.tables import check_output, table_bytes, write_files
from vstg.data import DataError

if TYPE_CHECKING:
    from vstg.datasets import DatasetEntry
    from vstg.datasets.cache import Places

EXAMPLES = """\
  vstg data list --data-dir ~/data
  vstg data list --data-dir ~/data --check
  vstg data fetch school parkinsons
  vstg data fetch school --data-dir ~/data --repetition 3 -o tables
  vstg fit tables/school_train.csv --task task --target target --as-is \\
      -o school.npz"""
HEAD = ("name", "tasks", "variables", "training", "validation", "test", "files")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options: what to do, with which data sets, and where their files are."""
    add = parser.add_argument
    add("action", choices=("list", "fetch"))
    add(
        "names",
        nargs="*",
        metavar="NAME",
        help="names of data sets (default: all; fetch: all that need a download)",
    )
    add(
        "--data-dir",
        metavar="FOLDER",
        help="folder with the files, instead of a download (default: $VSTG_DATA_DIR)",
    )
    add("--data-home", metavar="FOLDER", help="where downloads are kept")
    add("--check", action="store_true", help="compare the files with the known counts")
    add("--repetition", type=int, default=0, help="which rows are drawn (default 0)")
    add("-o", "--output", metavar="FOLDER", help="write the parts as tables")
    add_format(parser)
    add_force(parser)


def run(args: Namespace) -> None:
    """List, check or fetch data sets: synthetic, real, and sample tables.

    `list` shows how large the sets are and where their files are; with --check it
    compares the contents of the files with the published counts. `fetch` downloads
    what is missing, or takes it from --data-dir, and writes tables to --output.
    """
    from vstg.datasets import DATASETS, get_dataset

    entries = [get_dataset(name) for name in args.names]
    if args.action == "fetch":
        real = [entry for entry in DATASETS.values() if entry.needs_files]
        fetch(args, entries or real)
        return
    where = {"data_dir": args.data_dir, "data_home": args.data_home}
    list_sets(entries or list(DATASETS.values()), where, check=args.check)


def list_sets(
    entries: Sequence["DatasetEntry"], where: dict[str, Any], *, check: bool
) -> None:
    """Print one line per data set, and below it what --check finds."""
    from vstg.datasets.cache import Places

    places, wrong = Places.of(**where), []
    lines = [HEAD, *((e.name, *e.sizes, files_of(e, places)) for e in entries)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD) - 1)]
    for entry, line in zip((None, *entries), lines, strict=True):
        cells = [cell.ljust(n) for cell, n in zip(line[:-1], widths, strict=True)]
        print("  ".join([*cells, line[-1]]))
        if check and entry is not None and entry.where(places):
            wrong += check_set(entry, where)
    if wrong:
        msg = f"the files of {', '.join(wrong)} differ from the published ones"
        raise DataError(msg)


def files_of(entry: "DatasetEntry", places: "Places") -> str:
    """Say where the files of a data set are."""
    if not entry.needs_files:
        return "none needed"
    return entry.where(places) or "to be downloaded"


def check_set(known: "DatasetEntry", where: dict[str, Any]) -> list[str]:
    """Print what is in the files; return the name if it differs from what is known."""
    from vstg.datasets.registry import sizes_of

    sizes = sizes_of(known.load(**where, download_if_missing=False))
    contents = known.count_contents(**where, download_if_missing=False)
    if (sizes, contents) == (known.sizes, known.contents):
        print(f"    as known: {contents}")
        return []
    print(f"    counted: {', '.join(sizes)}; {contents}")
    print(f"    known:   {', '.join(known.sizes)}; {known.contents}")
    return [known.name]


def fetch(args: Namespace, entries: Sequence["DatasetEntry"]) -> None:
    """Get the files of the sets, and write their tables if a folder is given."""
    files = {
        "data_dir": args.data_dir,
        "data_home": args.data_home,
        "progress": show_progress if sys.stderr.isatty() else None,
    }
    for entry in entries:
        targets = output_paths(args, entry.name)
        data = entry.load(args.repetition, **(files if entry.needs_files else {}))
        print(data.description)
        contents = {
            path: table_bytes(getattr(data, part).to_frame(), path)
            for part, path in targets.items()
            if getattr(data, part) is not None
        }
        write_files(contents)
        for path in contents:
            print(f"    {path}")


def output_paths(args: Namespace, name: str) -> dict[str, Path]:
    """Return the paths of a set's tables, checked before anything is read."""
    if args.output is None:
        return {}
    folder = Path(args.output)
    if folder.exists() and not folder.is_dir():
        msg = f"{folder} is a file: give a folder for the tables"
        raise DataError(msg)
    folder.mkdir(parents=True, exist_ok=True)
    return {
        part: check_output(folder / f"{name}_{part}.{args.format}", force=args.force)
        for part in ("train", "validation", "test")
    }


def show_progress(name: str, done: int, total: int | None) -> None:
    """Print the progress of a download on one line."""
    share = f" of {total // 1000}" if total else ""
    print(f"\r{name}: {done // 1000}{share} kB", end="", file=sys.stderr, flush=True)
    if total and done >= total:
        print(file=sys.stderr)


COMMAND = Command("list, check or fetch data sets", run, add_arguments, EXAMPLES)
