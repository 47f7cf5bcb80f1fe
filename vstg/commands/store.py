"""``vstg store``: check, copy, shrink or empty the file that contains the runs."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from vstg.commands.shared.command import Command
from vstg.data import DataError

if TYPE_CHECKING:
    from vstg.jobs import Store

EXAMPLES = """\
  vstg store check
  vstg store backup -o runs-monday.sqlite
  vstg store compact --store /srv/vstg/runs.sqlite
  vstg store purge --older-than 90
  vstg store purge --to-size 500"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options: what to do, and with which store."""
    add = parser.add_argument
    add("action", choices=tuple(ACTIONS), help="see above")
    add("--store", metavar="FILE", help="the store (default: VSTG_STORE, or your own)")
    add("-o", "--output", metavar="FILE", help="for backup: the copy to write")
    add("--older-than", metavar="DAYS", type=float, help="for purge: runs begun before")
    add(
        "--to-size",
        metavar="MB",
        type=float,
        help="for purge: the oldest runs, until the store is no larger",
    )


def run(args: Namespace) -> None:
    """Check, copy, shrink or empty the store of runs.

    check reads every run and all data and reports what is damaged. backup copies the
    store, even while a server uses it. compact returns unused space to the disk.
    purge removes runs for good, with the data that no other run needs: those deleted
    in History, and the oldest ones by age or until the store is small enough. Waiting
    and running runs are never removed.
    """
    from vstg.jobs import Store

    with Store(args.store, create=False) as store:
        ACTIONS[args.action](store, args)


def check(store: "Store", args: Namespace) -> None:
    """Report damage."""
    from vstg.jobs.store.maintenance import find_faults

    faults = find_faults(store)
    for fault in faults:
        print(fault)
    if faults:
        msg = f"{store.path} has {len(faults)} faults, listed above"
        raise DataError(msg)
    size = megabytes(store.path.stat().st_size)
    print(f"{store.path}: {len(store.runs())} runs, {size}, no faults")


def backup(store: "Store", args: Namespace) -> None:
    """Copy the store."""
    from vstg.jobs.store.maintenance import backup

    if args.output is None:
        msg = "name the copy: vstg store backup -o FILE"
        raise DataError(msg)
    backup(store, Path(args.output))
    print(f"{args.output}: {len(store.runs())} runs")


def compact(store: "Store", args: Namespace) -> None:
    """Return unused space to the disk."""
    from vstg.jobs.store.maintenance import compact

    before, after = compact(store)
    print(f"{store.path}: {megabytes(before)} before, {megabytes(after)} now")


def purge(store: "Store", args: Namespace) -> None:
    """Remove old runs."""
    from vstg.jobs.store.maintenance import purge_old

    for name in ("older_than", "to_size"):
        value = getattr(args, name)
        if value is not None and not value >= 0:
            msg = f"--{name.replace('_', '-')} {value} must be at least 0"
            raise DataError(msg)
    gone = purge_old(store, days=args.older_than, megabytes=args.to_size)
    size = megabytes(store.path.stat().st_size)
    print(f"{store.path}: {len(gone)} runs removed, {len(store.runs())} left, {size}")


def megabytes(n_bytes: int) -> str:
    """Format a number of bytes in megabytes."""
    return f"{n_bytes / 1e6:,.1f} MB"


ACTIONS = {"check": check, "backup": backup, "compact": compact, "purge": purge}
COMMAND = Command("look after the store of runs", run, add_arguments, EXAMPLES)
