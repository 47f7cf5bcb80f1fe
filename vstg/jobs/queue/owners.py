"""Runs that belong to one visitor of a server and are removed with the visit.

The owner of a run is a mark that names the process and the visit; runs without one
belong to everybody who uses the store.
"""

from secrets import token_hex
from time import time

from vstg.jobs.store.run import Run, process_lives, worker_name
from vstg.jobs.store.store import Store

FOREIGN_SECONDS = 7 * 24 * 3600.0  # nobody here can tell whether another host lives
# A restarted container has the host and the number of the process before it.
PROCESS = f"{worker_name()}:{token_hex(8)}"


def new_owner() -> str:
    """Return a mark that nobody can guess."""
    return f"{PROCESS}:{token_hex(16)}"


def forget(store: Store, owner: str) -> int:
    """Remove the runs of an owner with all they left; returns how many there were."""
    if not owner or store.read_only:
        return 0
    mine = [run for run in all_runs(store) if run.owner == owner]
    store.remove(mine)
    return len(mine)


def all_runs(store: Store) -> list[Run]:
    """Return all runs of an owner, deleted or not."""
    return [*store.runs(), *store.runs(deleted=True)]


def forget_process(store: Store) -> int:
    """Remove the private runs of all visitors of this process."""
    mine = {run.owner for run in all_runs(store) if run.owner.startswith(f"{PROCESS}:")}
    return sum(forget(store, owner) for owner in mine)


def forget_lost(store: Store) -> int:
    """Remove the runs whose owner's server has ended without doing so."""
    lost = {run.owner for run in all_runs(store) if run.owner and is_lost(run)}
    return sum(forget(store, owner) for owner in lost)


def is_lost(run: Run) -> bool:
    """Whether the server of the owner is gone."""
    process, _, _ = run.owner.rpartition(":")
    if process == PROCESS:
        return False
    host, number = process.rsplit(":", 2)[:2]
    own_host, own_number = worker_name().rsplit(":", 1)
    if host != own_host:
        return time() - run.created > FOREIGN_SECONDS
    return number == own_number or not process_lives(int(number))
