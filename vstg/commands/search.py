"""``vstg search``: find the settings with the lowest cross-validated error."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from vstg.commands.shared.command import (
    INTERRUPTED,
    Command,
    add_cluster,
    add_output,
    add_table,
    strength,
)
from vstg.commands.shared.prepared import (
    as_it_is,
    loss_of,
    prepare_table,
    prepared_like,
)
from vstg.commands.shared.tables import (
    check_columns,
    check_output,
    check_suffix,
    read_table,
    table_bytes,
    write_files,
)
from vstg.data import DataError, MultiTaskData
from vstg.notation import number_text, setting_flags

if TYPE_CHECKING:
    from vstg.jobs import SearchRequest
    from vstg.model_selection import SearchResult
import shutil
from time import perf_counter
from typing import TYPE_CHECKING, TextIO

from vstg.notation import duration

if TYPE_CHECKING:
    from vstg.model_selection import SearchProgress


EXAMPLES = """\
  vstg search train.csv --task task --target target --k 1 -o search.csv
  vstg search train.csv --task task --target target --n-latent 3 5 7 --k 1 3 \\
      --gamma1 2^-6 2^-4 2^-2 --gamma2 2^-6 2^-4 2^-2 --folds 5 --jobs 2 -o search.csv
  vstg search train.csv --task task --target target -o search.csv --resume
  vstg search train.csv --task task --target target --method go_mtl \\
      --validation valid.csv -o go_mtl.parquet
  vstg search train.csv --task task --target target -o search.csv \\
      --store runs.sqlite --scheduler tcp://10.0.0.1:8786"""

GRID: dict[str, Callable[[str], Any]] = {
    "n_latent": int,
    "k": int,
    "gamma1": strength,
    "gamma2": strength,
    "mu": strength,
    "alpha": strength,
}
BEST_SHOWN = 5  # settings printed at the end
WIDTH = 20  # of the bar of progress
PAUSE = 0.1  # seconds between two drawings


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options: the table, the grid, the folds and where it runs."""
    add_table(parser)
    add_output(parser, "table to write, one row per setting and fold", required=True)
    grid = parser.add_argument_group("grid (default: the paper's)")
    grid.add_argument(
        "--method",
        default="vstg",
        help="vstg, vstg_refitted (cut and refitted) or a baseline",
    )
    for name, kind in GRID.items():
        flag = "--" + name.replace("_", "-")
        grid.add_argument(flag, type=kind, nargs="+", metavar="VALUE")
    how = parser.add_argument_group("search")
    how.add_argument(
        "--folds", type=int, default=10, help="number of folds (default 10)"
    )
    how.add_argument(
        "--repeats", type=int, default=1, help="repetitions of the folds (default 1)"
    )
    how.add_argument(
        "--validation", metavar="TABLE", help="evaluate on these rows, not on folds"
    )
    how.add_argument("--measure", help="column of the table to minimise")
    how.add_argument("--halving", action="store_true", help="drop bad settings early")
    how.add_argument("--jobs", type=int, default=1, help="threads (default 1)")
    how.add_argument(
        "--seed", type=int, default=0, help="seed of the folds (default 0)"
    )
    how.add_argument(
        "--resume",
        action="store_true",
        help="continue with the table of an earlier run",
    )
    how.add_argument(
        "--progress",
        action="store_true",
        help="show progress even if this is not a terminal",
    )
    add_cluster(how.add_argument, "keep all fits in this store, and reuse those it has")


def run(args: Namespace) -> int | None:
    """Cross-validate a grid of settings.

    Writes one row per setting and fold, and prints two choices: the setting with the
    lowest mean error, and the sparsest within one standard error of it. Ctrl-C ends the
    search and writes what is finished; --resume continues from there with the same data
    and options, which are recorded next to the table (its name plus .options.json).
    """
    from vstg.jobs.kinds.search import recorded
    from vstg.jobs.queue.limits import own_limits
    from vstg.model_selection import TaskKFold, search_grid

    check_suffix(args.output)
    path = check_output(args.output, force=args.force or args.resume)
    grid = make_grid(args)
    resumed = args.resume and path.exists()
    done = read_done(path, grid) if resumed else None
    data, validation = read_data(args)
    folds = TaskKFold(args.folds, n_repeats=args.repeats, random_state=args.seed)
    request = make_request(args, grid, validation)
    own_limits().check(request, data)
    record = search_record(request, data)
    if resumed and not args.force:
        check_record(path, record)
    line = progress_line(args.progress)
    try:
        with recorded(
            args.store, request, data, validation, Path(args.table).name
        ) as options:
            result = search_grid(
                data,
                args.method,
                grid,
                folds if validation is None else validation,
                loss=request.loss,
                fit_intercept=request.fit_intercept,
                measure=args.measure,
                halving=args.halving,
                n_jobs=args.jobs,
                callback=line,
                done=done,
                **options,
            )
    finally:
        if line is not None:
            line.close()
    return report(result, path, record)


def make_request(
    args: Namespace, grid: Mapping[str, Any], validation: MultiTaskData | None
) -> "SearchRequest":
    """Make the request that the store keeps."""
    from vstg.jobs import SearchRequest

    return SearchRequest(
        method=args.method,
        grid={name: list(values) for name, values in grid.items()},
        folds=args.folds,
        repeats=args.repeats,
        seed=args.seed,
        validation=None if validation is None else validation.fingerprint,
        loss=loss_of(args),
        fit_intercept=not args.no_intercept,
        measure=args.measure,
        halving=args.halving,
        n_jobs=args.jobs,
        scheduler=args.scheduler,
    )


def read_done(path: Path, grid: Mapping[str, Any]) -> pd.DataFrame:
    """Read the table of an earlier search over the same parameters."""
    done = read_table(str(path))
    check_columns(done, [*grid, "repeat", "fold", "n_variables"], str(path))
    return done


def search_record(request: "SearchRequest", data: MultiTaskData) -> dict[str, Any]:
    """Record everything that the rows of a search depend on besides their setting."""
    return {
        "data": data.fingerprint,
        "validation set": request.validation,
        "method": request.method,
        "loss": request.loss,
        "intercept": request.fit_intercept,
        "folds": request.folds if request.validation is None else None,
        "repeats": request.repeats if request.validation is None else None,
        "seed": request.seed if request.validation is None else None,
        "halving": request.halving,
    }


def record_path(path: Path) -> Path:
    """Return the path of a search's record, next to its table."""
    return path.with_name(f"{path.name}.options.json")


def check_record(path: Path, now: Mapping[str, Any]) -> None:
    """Raise an error if an earlier search had other data or other options."""
    place = record_path(path)
    try:
        before = json.loads(place.read_text(encoding="utf-8"))
        differing = [name for name in now if before.get(name) != now[name]]
    except (OSError, ValueError, AttributeError) as error:
        msg = (
            f"{place} is missing or damaged, so that nothing says with which data and "
            f"options {path} was made: --force continues all the same"
        )
        raise DataError(msg) from error
    if differing:
        told = ", ".join(
            "the data are others"
            if name == "data"
            else f"{name} was {before.get(name)!r} and is {now[name]!r}"
            for name in differing
        )
        msg = (
            f"{path} is of another search: {told}. Repeat it with the same data and "
            "options, or give another --output"
        )
        raise DataError(msg)


def report(result: "SearchResult", path: Path, record: Mapping[str, Any]) -> int | None:
    """Write the table and print what it says."""
    if result.frame.empty:
        print("vstg: interrupted before the first fit", file=sys.stderr)
        return INTERRUPTED
    text = json.dumps(record, indent=1) + "\n"
    write_files(
        {
            path: table_bytes(result.frame, path),
            record_path(path): text.encode(),
        }
    )
    columns = [*result.parameters, "error", "se", "n_variables", "n_nonzero"]
    print(f"mean {result.measure} of the best settings:")
    print(result.summary()[columns].head(BEST_SHOWN).to_string(index=False))
    print(f"best:                      {setting_flags(result.best)}")
    print(f"sparsest within one s. e.: {setting_flags(result.one_se)}")
    print(f"{len(result.frame)} fits in {result.seconds:.1f} s: {path}")
    if result.cancelled:
        print(f"vstg: interrupted; {path} contains what is finished", file=sys.stderr)
        return INTERRUPTED
    return None


def make_grid(args: Namespace) -> dict[str, Any]:
    """Return the paper's grid of the method, with the given values in place."""
    from vstg.model_selection import get_method, paper_grid

    method = get_method(args.method)
    given = {name: getattr(args, name) for name in GRID}
    given = {name: values for name, values in given.items() if values is not None}
    grid: dict[str, Any] = {**paper_grid(method), **given}
    if "n_latent" in given and "k" in grid and "k" not in given:
        # The values of the paper that fit; a k of the user's own is never left out.
        grid["k"] = [k for k in grid["k"] if k <= max(given["n_latent"])]
    return grid


def read_data(args: Namespace) -> tuple[MultiTaskData, MultiTaskData | None]:
    """Read training data and, if given, validation data with the same tasks."""
    held = args.validation
    if args.as_is:
        train = as_it_is(args, args.table)
        return train, None if held is None else as_it_is(args, held, like=train)
    prepared = prepare_table(args)
    return prepared.train, None if held is None else prepared_like(prepared, held)


class ProgressLine:
    """A callback for :func:`vstg.model_selection.search_grid` that shows progress."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.drawn = -PAUSE
        self.length = 0

    def __call__(self, progress: "SearchProgress") -> None:
        """Draw, unless it was drawn a moment ago."""
        now = perf_counter()
        if now - self.drawn < PAUSE and progress.done < progress.total:
            return
        self.drawn = now
        columns = shutil.get_terminal_size().columns - 1
        line = progress_text(progress)[:columns]
        # Blanks wipe what a longer line has left.
        self.stream.write("\r" + line.ljust(self.length))
        self.stream.flush()
        self.length = len(line)

    def close(self) -> None:
        """End the line."""
        if self.length:
            self.stream.write("\n")
            self.stream.flush()


def progress_line(force: bool) -> ProgressLine | None:
    """Show progress on standard error if it is a terminal or the user asks for it."""
    return ProgressLine(sys.stderr) if force or sys.stderr.isatty() else None


def progress_text(progress: "SearchProgress") -> str:
    """Format the progress: a bar, fits done, best so far and time left."""
    share = progress.done / progress.total if progress.total else 1.0
    bar = "#" * int(WIDTH * share)
    text = f"[{bar:.<{WIDTH}}] {progress.done}/{progress.total} fits"
    text += f", {duration(progress.seconds_left)} left"
    if progress.best is not None:
        error = number_text(progress.best_error)
        text += f", best {error}: {setting_flags(progress.best)}"
    return text


COMMAND = Command("search settings by cross-validation", run, add_arguments, EXAMPLES)
