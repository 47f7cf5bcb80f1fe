"""``vstg reproduce``: the paper's tables and figures, measured again."""

import shlex
import sys
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from vstg.commands.reproduce.figures import FIGURES, run_figure
from vstg.commands.reproduce.recovery import RECOVERY, run_recovery
from vstg.commands.shared.command import INTERRUPTED, Command, add_cluster
from vstg.data import DataError
from vstg.notation import duration, setting_flags

if TYPE_CHECKING:
    from vstg.jobs import ReproductionRequest, Store
    from vstg.jobs.kinds.reproduction import Notify
    from vstg.reproduction.exhibits import PieceOfTable
    from vstg.reproduction.experiment import Outcome
    from vstg.reproduction.results import Results

EXAMPLES = """\
  vstg reproduce table1 --quick -o results/quick
  vstg reproduce table1 --jobs 2 -o results/table1
  vstg reproduce table2 --data-dir data --coarse --jobs 2 -o results/table2
  vstg reproduce table1 --columns vstg_refitted --with results/table1 \\
      -o results/table1-refitted
  vstg reproduce table2 --sets school school-raw --columns vstg_opt -o school
  vstg reproduce table1 --scheduler tcp://10.0.0.1:8786 -o results/table1
  vstg reproduce fig1 -o figures
  vstg reproduce fig2 --results results/table1 -o figures
  vstg reproduce recovery --results results/table1 -o results/recovery"""

TABLES = ("table1", "table2")
EXHIBITS = (*TABLES, *FIGURES, RECOVERY)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options: which exhibit, how thoroughly, and where it runs."""
    add = parser.add_argument
    add("exhibit", choices=EXHIBITS, help="what to measure")
    add("-o", "--output", metavar="FOLDER", required=True, help="where the files go")
    add_protocol(parser)
    add_figure(parser)
    how = parser.add_argument_group("computing")
    how.add_argument("--data-dir", metavar="FOLDER", help="folder with the real data")
    how.add_argument("--jobs", type=int, default=1, help="threads (default 1)")
    add_cluster(how.add_argument, "keep finished parts in this store, and reuse them")


def add_protocol(parser: ArgumentParser) -> None:
    """Add the options on how thoroughly a table is measured, and which part of it."""
    what = parser.add_argument_group("protocol (default: the paper's)")
    effort = what.add_mutually_exclusive_group()
    effort.add_argument(
        "--quick",
        action="store_const",
        dest="effort",
        const="quick",
        default="full",
        help="two repetitions on a thin grid, in minutes",
    )
    effort.add_argument(
        "--coarse",
        action="store_const",
        dest="effort",
        const="coarse",
        help="search a coarse grid first, then move from neighbour to neighbour",
    )
    what.add_argument("--sets", nargs="+", default=[], help="data sets (default: all)")
    what.add_argument("--columns", nargs="+", default=[], help="methods (default: all)")
    what.add_argument(
        "--refitted",
        action="store_true",
        help="add the column vstg_refitted: cut and refitted, which is not in the "
        "paper",
    )
    what.add_argument(
        "--repetitions", type=int, help="number of repetitions (default 10, quick 2)"
    )
    what.add_argument(
        "--with",
        dest="earlier",
        metavar="FOLDER",
        help="complete earlier results of the same table",
    )


def add_figure(parser: ArgumentParser) -> None:
    """Add the options on which fit a figure shows."""
    figures = parser.add_argument_group("figure 2 and recovery")
    figures.add_argument(
        "--results",
        metavar="FOLDER",
        help="results of table1, whose settings are used (default: results/table1 if "
        "it exists; otherwise fig2 searches for settings quickly)",
    )
    figures.add_argument(
        "--k", type=int, choices=(1, 3), help="k of VSTG-MTL (default: the paper's)"
    )
    figures.add_argument(
        "--repetition", type=int, default=0, help="which repetition to draw (default 0)"
    )


def run(args: Namespace) -> int | None:
    """Re-run a table of the paper, or draw one of its figures.

    table1, table2: writes every repetition with its chosen setting, the table next to
    the printed one as CSV, Markdown and LaTeX, and p-values. Finished parts are kept in
    the run store: the same command continues where it stopped, and the dashboard shows
    the run.

    fig1, fig2: writes a page that opens without a network, and its matrices as CSV.

    recovery: fits with the settings that table1 chose, and writes how often each method
    finds the true variables and groups.
    """
    from vstg.jobs.store import Store
    from vstg.reproduction.results import combined

    folder = check_folder(args.output)
    if args.exhibit in FIGURES:
        check_numbers({"repetition": (args.repetition, 0), "jobs": (args.jobs, 1)})
        run_figure(args, folder)
        return None
    if args.exhibit == RECOVERY:
        run_recovery(args, folder)
        return None
    request = make_request(args)
    earlier = read_earlier(args.earlier)
    with Store(args.store) as store:
        results, complete = measure(store, request, command_line(args))
    if results is None:
        print("vstg: interrupted before the first result", file=sys.stderr)
        return INTERRUPTED
    write(results if earlier is None else combined(results, earlier), folder)
    if not complete:
        print(f"vstg: interrupted; {folder} contains what is finished", file=sys.stderr)
        return INTERRUPTED
    return None


def check_folder(path: str) -> Path:
    """Raise an error if the folder cannot be written to, before any work is done."""
    folder = Path(path)
    if folder.exists() and not folder.is_dir():
        msg = f"{folder} is a file: give the name of a folder"
        raise DataError(msg)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def read_earlier(path: str | None) -> "Results | None":
    """Read the earlier results that are to be completed."""
    from vstg.reproduction.results import read_results

    if path is None:
        return None
    found = read_results(path)
    if found is None:
        msg = (
            f"{path} contains no results: give a folder that vstg reproduce has written"
        )
        raise DataError(msg)
    return found


def make_request(args: Namespace) -> "ReproductionRequest":
    """Make the request that the arguments describe, and check it."""
    from vstg.jobs import ReproductionRequest
    from vstg.reproduction import get_effort, get_exhibit
    from vstg.reproduction.exhibits import REFITTED, check_columns, check_sets

    exhibit = get_exhibit(args.exhibit)
    columns = args.columns
    if args.refitted:
        columns = [*(columns or exhibit.columns), REFITTED]
    repetitions = args.repetitions
    if repetitions is None:
        repetitions = get_effort(args.effort).n_repetitions
    check_numbers({"repetitions": (repetitions, 1), "jobs": (args.jobs, 1)})
    return ReproductionRequest(
        exhibit=exhibit.name,
        effort=args.effort,
        sets=list(check_sets(exhibit, args.sets)),
        columns=list(check_columns(exhibit, columns)),
        repetitions=repetitions,
        data_dir=args.data_dir,
        n_jobs=args.jobs,
        scheduler=args.scheduler,
    )


def check_numbers(numbers: dict[str, tuple[int, int]]) -> None:
    """Raise an error if an option is below its smallest allowed value."""
    for name, (value, least) in numbers.items():
        if value < least:
            msg = f"--{name} {value} must be at least {least}"
            raise DataError(msg)


def command_line(args: Namespace) -> str:
    """Return the command as it is recorded, without paths of this machine."""
    words = ["vstg", "reproduce", args.exhibit]
    if args.effort != "full":
        words.append(f"--{args.effort}")
    for name in ("sets", "columns"):
        if getattr(args, name):
            words += [f"--{name}", *getattr(args, name)]
    if args.refitted:
        words.append("--refitted")
    if args.repetitions is not None:
        words += ["--repetitions", str(args.repetitions)]
    if args.data_dir is not None:
        words += ["--data-dir", "FOLDER"]
    return shlex.join([*words, "--jobs", str(args.jobs), "-o", "FOLDER"])


def measure(
    store: "Store", request: "ReproductionRequest", command: str
) -> tuple["Results | None", bool]:
    """Compute what the store lacks; return the results, and whether all are there."""
    from vstg.jobs.kinds.reproduction import ReproductionKind, begin, results_of
    from vstg.jobs.queue.attempt import attempt
    from vstg.jobs.store import run as status

    run = begin(store, request)
    if run.status != status.DONE:
        with suppress(KeyboardInterrupt), attempt(store, run) as stop:
            ReproductionKind().run(store, run, stop, printer(store, run.id))
    run = store.run(run.id)
    return results_of(store, run, command), run.status == status.DONE


def printer(store: "Store", number: int) -> "Notify":
    """Make a callback that prints every finished piece on standard error."""

    def tell(piece: "PieceOfTable", outcome: "Outcome") -> None:
        run = store.run(number)
        left = run.seconds_left
        error = next(iter(outcome.errors.values()))
        text = f"[{100 * run.share:3.0f} %] {piece.name}: {error:.4f}, "
        text += f"{setting_flags(outcome.setting)}, {outcome.seconds:.0f} s"
        if left is not None:
            text += f", {duration(left)} left"
        print(text, file=sys.stderr, flush=True)

    return tell


def write(results: "Results", folder: Path) -> None:
    """Write the folder and print the table."""
    from vstg.commands.shared.tables import write_files
    from vstg.reproduction.report import markdown, summary
    from vstg.reproduction.results import contents

    files = contents(results)
    write_files({folder / name: content for name, content in files.items()})
    print(markdown(summary(results.outcomes, results.exhibit)))
    print(f"{folder}: {', '.join(files)}")


COMMAND = Command("repeat the paper's experiments", run, add_arguments, EXAMPLES)
