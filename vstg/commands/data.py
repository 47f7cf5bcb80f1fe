"""``vstg data``: the paper's real data sets, listed, checked, or written as tables."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from vstg.commands.arguments import add_force
from vstg.commands.command import Command
from vstg.commands.tables import check_output, table_bytes, write_files
from vstg.data import DataError

EXAMPLES = """\
  vstg data list --data-dir ~/data
  vstg data list --data-dir ~/data --check
  vstg data fetch school parkinsons
  vstg data fetch school --data-dir ~/data --repetition 3 -o tables
  vstg fit tables/school_train.csv --task task --target target -o school.npz"""
HEAD = ("name", "tasks", "variables", "training", "validation", "test", "files")


def add_arguments(parser: ArgumentParser) -> None:
    """What to do, with which sets, and where their files are."""
    parser.add_argument("action", choices=("list", "fetch"))
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    parser.add_argument(
        "--data-dir",
        metavar="FOLDER",
        help="folder with the files, instead of a download (default: $VSTG_DATA_DIR)",
    )
    parser.add_argument(
        "--data-home", metavar="FOLDER", help="where downloads are kept"
    )
    parser.add_argument(
        "--check", action="store_true", help="count the files that are there"
    )
    parser.add_argument(
        "--repetition", type=int, default=0, help="which rows are drawn (default 0)"
    )
    parser.add_argument(
        "-o", "--output", metavar="FOLDER", help="write the parts as tables"
    )
    parser.add_argument(
        "--format", choices=("csv", "tsv", "parquet"), default="csv", help="of them"
    )
    add_force(parser)


def run(args: Namespace) -> None:
    """List, check or fetch the real data sets of the paper.

    `list` says what the sets are and whether their files are at hand; with --check the
    files are counted and compared with what their publishers say. `fetch` downloads
    what is missing, or takes it from --data-dir, and writes tables if told where to.
    """
    from vstg.datasets.known import KNOWN

    unknown = [name for name in args.names if name not in KNOWN]
    if unknown:
        msg = f"there is no data set {unknown[0]!r}; there are {', '.join(KNOWN)}"
        raise DataError(msg)
    names = args.names or list(KNOWN)
    if args.action == "fetch":
        fetch(args, names)
        return
    where = {"data_dir": args.data_dir, "data_home": args.data_home}
    list_sets(names, where, check=args.check)


def list_sets(names: list[str], where: dict[str, Any], *, check: bool) -> None:
    """A line a set; what --check finds below it."""
    from vstg.datasets.cache import Places
    from vstg.datasets.known import KNOWN

    places, wrong = Places.of(**where), []
    lines: list[tuple[str, ...]] = [HEAD]
    for name in names:
        known = KNOWN[name]
        lines.append((name, *known.sizes, known.where(places) or "to be downloaded"))
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD) - 1)]
    for line in lines:
        cells = [cell.ljust(n) for cell, n in zip(line[:-1], widths, strict=True)]
        print("  ".join([*cells, line[-1]]))
        if check and line is not HEAD and line[-1] != "to be downloaded":
            wrong += check_set(line[0], where)
    if wrong:
        msg = f"the files of {', '.join(wrong)} are not those that are known"
        raise DataError(msg)


def check_set(name: str, where: dict[str, Any]) -> list[str]:
    """Print what the files hold; the name again if that is not what is known."""
    from vstg.datasets.known import KNOWN, sizes_of

    known = KNOWN[name]
    sizes = sizes_of(known.fetch(**where, download_if_missing=False))
    source = known.count_source(**where, download_if_missing=False)
    if (sizes, source) == (known.sizes, known.source):
        print(f"    as known: {source}")
        return []
    print(f"    counted: {', '.join(sizes)}; {source}")
    print(f"    known:   {', '.join(known.sizes)}; {known.source}")
    return [name]


def fetch(args: Namespace, names: list[str]) -> None:
    """Get the files of the sets, and write their tables if a folder is given."""
    from vstg.datasets.known import KNOWN

    for name in names:
        targets = output_paths(args, name)
        progress = show_progress if sys.stderr.isatty() else None
        real = KNOWN[name].fetch(
            random_state=args.repetition,
            data_dir=args.data_dir,
            data_home=args.data_home,
            progress=progress,
        )
        print(f"{real!r}"[len("RealDataset(") : -1])
        contents = {
            path: table_bytes(getattr(real, part).to_frame(), path)
            for part, path in targets.items()
            if getattr(real, part) is not None
        }
        write_files(contents)
        for path in contents:
            print(f"    {path}")


def output_paths(args: Namespace, name: str) -> dict[str, Path]:
    """Where the parts of a set go, refused before anything is read."""
    if args.output is None:
        return {}
    folder = Path(args.output)
    if not folder.is_dir():
        msg = f"{folder} is no folder: create it first"
        raise DataError(msg)
    return {
        part: check_output(folder / f"{name}_{part}.{args.format}", force=args.force)
        for part in ("train", "validation", "test")
    }


def show_progress(name: str, done: int, total: int | None) -> None:
    """One line that is written again and again."""
    share = f" of {total // 1000}" if total else ""
    print(f"\r{name}: {done // 1000}{share} kB", end="", file=sys.stderr, flush=True)
    if total and done >= total:
        print(file=sys.stderr)


COMMAND = Command(
    "list, check or fetch the real data sets", run, add_arguments, EXAMPLES
)
