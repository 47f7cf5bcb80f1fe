"""What the store and the job layer add to a search; a part of bench_jobs.py."""

import math
import os
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time, thread_time

from vstg.data import MultiTaskData
from vstg.datasets import make_syn
from vstg.jobs import Manager, SearchRequest, Store
from vstg.jobs.kinds.search import stored_cells
from vstg.jobs.queue.attempt import usable_cores
from vstg.model_selection import TaskKFold, search_grid
from vstg.model_selection.runners import Piece, Rows, Storage

MAX_OVERHEAD = 0.05
QUIET_LOAD = 0.25  # of each core; above it the clock measures the others too


def grid(quick: bool) -> dict[str, list]:
    """Enough chains to keep all cores busy for a while."""
    exponents = range(-6, 3, 4) if quick else range(-10, 4)
    values = [2.0**e for e in exponents]
    latent = [3] if quick else [3, 5, 7]
    return {"n_latent": latent, "k": [1], "gamma1": values, "gamma2": values}


@dataclass(frozen=True)
class Spent:
    """Seconds by the clock, and of all cores in the processes that took part."""

    wall: float
    cpu: float

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(self.wall + other.wall, self.cpu + other.cpu)


def worker_seconds(process: subprocess.Popen) -> float:
    """CPU time of a process that runs, where the system tells (Linux)."""
    try:
        text = Path(f"/proc/{process.pid}/stat").read_text("utf-8")
    except OSError:
        return math.nan
    user, system = text.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def spend(action: Callable[[], object], workers: Sequence[subprocess.Popen]) -> Spent:
    """What an action takes here and in worker processes."""

    def cpu() -> float:
        return process_time() + sum(worker_seconds(process) for process in workers)

    began, used = perf_counter(), cpu()
    action()
    return Spent(perf_counter() - began, cpu() - used)


def time_bare(data: MultiTaskData, values: dict[str, list], seed: int) -> float:
    """Seconds of the bare search."""
    return spend(lambda: bare_search(data, values, seed), []).wall


def bare_search(data: MultiTaskData, values: dict[str, list], seed: int) -> None:
    """The search without a store, on two threads."""
    search_grid(data, "vstg", values, TaskKFold(5, random_state=seed), n_jobs=2)


def job_search(
    manager: Manager, data: MultiTaskData, values: dict[str, list], seed: int
) -> int:
    """The same search as a job; the number of its fits."""
    request = SearchRequest(grid=values, folds=5, seed=seed, n_jobs=2)
    number = manager.submit(request, data)
    manager.wait(number)
    run = manager.store.run(number)
    assert run.status == "done", run.message
    return run.fitted


def block(
    manager: Manager, data: MultiTaskData, values: dict[str, list], seed: int
) -> tuple[Spent, Spent]:
    """Bare, job, job, bare: a steady drift affects both equally.

    Every job has folds of its own, since known cells would come from the store.
    """
    bare, job = [], []

    def take_bare(own: int) -> None:
        bare.append(spend(lambda: bare_search(data, values, own), []))

    def take_job(own: int) -> None:
        workers = manager.processes
        job.append(spend(lambda: job_search(manager, data, values, own), workers))

    for take, own in (
        (take_bare, seed),
        (take_job, seed),
        (take_job, seed + 1),
        (take_bare, seed + 1),
    ):
        take(own)
    return bare[0] + bare[1], job[0] + job[1]


class Timed:
    """A storage that adds up the CPU time spent in it."""

    def __init__(self, storage: Storage) -> None:
        self.storage, self.seconds = storage, 0.0

    def _add(self, action: Callable[[], Rows | None]) -> Rows | None:
        began = thread_time()
        found = action()
        self.seconds += thread_time() - began
        return found

    def begin(self, total: int) -> None:
        """A round begins."""
        self._add(lambda: self.storage.begin(total))

    def load(self, piece: Piece) -> Rows | None:
        """Look for a finished chain."""
        return self._add(lambda: self.storage.load(piece))

    def save(self, piece: Piece, rows: Rows) -> None:
        """Keep a finished chain."""
        self._add(lambda: self.storage.save(piece, rows))


def store_share(store: Store, data: MultiTaskData, values: dict[str, list]) -> float:
    """CPU time in the store divided by that of the whole search, in one run.

    Other work on the machine slows both alike, so that this holds on a busy one too.
    """
    request = SearchRequest(grid=values, folds=5, seed=77)
    run = store.run(store.add_run(request, data, run_status="running"))
    timed = Timed(stored_cells(store, run))
    began = process_time()
    folds = TaskKFold(5, random_state=77)
    search_grid(data, "vstg", values, folds, storage=timed)
    return timed.seconds / (process_time() - began - timed.seconds)


def overhead(quick: bool) -> bool:
    """Bare and as a job in blocks; true if the overhead is as required."""
    data, values = make_syn(1, random_state=0).train, grid(quick)
    load = os.getloadavg()[0] / usable_cores()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["VSTG_NICE"] = "0"  # both with the same priority
        with Store(Path(folder) / "runs.sqlite") as store:
            manager = Manager(store)
            bare_search(data, grid(True), 99)
            first = spend(lambda: job_search(manager, data, grid(True), 99), [])
            pairs = [
                block(manager, data, values, 2 * number)
                for number in range(1 if quick else 4)
            ]
            n_fits = store.runs()[0].fitted
            manager.close()
            inside = store_share(store, data, values)
    print(f"a search of {n_fits} fits, 2 threads, {len(pairs)} blocks of A B B A")
    print(f"  the first job starts its process: {first.wall:.1f} s with a tiny search")
    return say_overhead(pairs, inside, load)


def say_overhead(pairs: list[tuple[Spent, Spent]], inside: float, load: float) -> bool:
    """Print the medians; compared by the clock or, on a busy machine, by the store."""
    shares = {"store": inside}
    for name in ("wall", "cpu"):
        bare = [getattr(pair[0], name) / 2 for pair in pairs]
        job = [getattr(pair[1], name) / 2 for pair in pairs]
        ratios = sorted(j / b - 1 for j, b in zip(job, bare, strict=True))
        shares[name] = statistics.median(ratios)
        print(
            f"  {name:5}  bare {statistics.median(bare):6.2f} s  "
            f"as a job {statistics.median(job):6.2f} s  overhead {shares[name]:+6.1%}  "
            f"(from {ratios[0]:+.1%} to {ratios[-1]:+.1%})"
        )
    print(f"  store  {inside:6.1%} of the CPU time of the search it was called from")
    compared = "store" if load > QUIET_LOAD else "wall"
    print(
        f"  required: at most {MAX_OVERHEAD:.0%}; compared by {compared}",
        end=", since ",
    )
    print(f"other work kept {load:.0%} of a core busy at the start")
    return shares[compared] <= MAX_OVERHEAD
