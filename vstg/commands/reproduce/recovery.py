"""``vstg reproduce recovery``: how often methods find the true variables and groups."""

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vstg.commands.reproduce.figures import USUAL_RESULTS, find_results
from vstg.data import DataError

if TYPE_CHECKING:
    from vstg.reproduction.results import Key

RECOVERY = "recovery"


def run_recovery(args: Namespace, folder: Path) -> None:
    """Fit with the settings that the results chose, compare, write and print."""
    from vstg.commands.shared.tables import write_files
    from vstg.reproduction.recovery import (
        markdown,
        measure_recovery,
        recovery_files,
        summarise,
    )

    results = find_results(args.results)
    if results is None:
        msg = (
            f"{USUAL_RESULTS} contains no results of table1: "
            "give a folder that has them with --results"
        )
        raise DataError(msg)
    repetitions = measure_recovery(results, tell)
    command = "vstg reproduce recovery --results FOLDER -o FOLDER"
    files = recovery_files(repetitions, results, command)
    write_files({folder / name: content for name, content in files.items()})
    print(markdown(summarise(repetitions)))
    print(f"{folder}: {', '.join(files)}")


def tell(key: "Key", found: dict[str, Any]) -> None:
    """Print one line per fit on standard error."""
    text = f"{'/'.join(map(str, key))}: {found['n_variables']} variables, "
    text += f"{found['n_groups']} groups"
    print(text, file=sys.stderr, flush=True)
