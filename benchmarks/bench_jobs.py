"""What long work costs: the page while it runs, the store, the cluster.

    python benchmarks/bench_jobs.py            # all three parts
    python benchmarks/bench_jobs.py --quick    # tiny sizes: a smoke test
    python benchmarks/bench_jobs.py --only latency|store|cluster

Latency: from key press to finished picture on Explore, without and with a search of the
paper's grid on all cores; the ratio must not exceed 2. Store: a search as a job (queue,
process, store) against the bare ``search_grid``, in pairs, in wall-clock and CPU time;
at most 5 % more. Cluster: a Dask scheduler with two local workers of one thread against
two local threads.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, sleep

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Page, sync_playwright

from benchmarks.bench_live import press
from benchmarks.job_overhead import grid, overhead, time_bare
from scripts.dashboard_server import (
    PICTURE,
    READY,
    browser_path,
    free_port,
    serve,
)
from vstg.datasets import make_syn
from vstg.jobs import Store
from vstg.jobs.queue.cluster import cluster_runner
from vstg.model_selection import TaskKFold, search_grid

MAX_RATIO = 2.0


# Latency


def walk(page: Page, address: str, seed: int, steps: int) -> list[float]:
    """Milliseconds of key presses on γ1, each of which asks for a new fit."""
    page.goto(f"{address}/?g1=-7&seed={seed}")
    page.wait_for_selector(PICTURE)
    page.wait_for_selector(READY)
    page.locator(".st-key-g1 input[type=range]").focus()
    return [press(page, "ArrowRight") for _ in range(steps)]


def wait_for_work(store: Store, number: int) -> None:
    """Until the search has written something."""
    while not store.run(number).done:
        sleep(0.05)


def latency(quick: bool) -> bool:
    """Presses without and with a search; true if the ratio is as required."""
    steps, rounds = (3, 1) if quick else (8, 3)
    idle: list[float] = []
    busy: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runs.sqlite"
        os.environ["VSTG_STORE"] = str(path)
        with serve() as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=browser_path(), args=["--no-sandbox"]
            )
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.set_default_timeout(120_000)
            walk(page, address, 900, 3)
            for number in range(rounds):
                idle += walk(page, address, 901 + number, steps)
                run = start_search(page, address, path)
                busy += walk(page, address, 950 + number, steps)
                with Store(path) as store:
                    assert store.run(run).status == "running"
                    store.cancel(run)
            browser.close()
    before, during = statistics.median(idle), statistics.median(busy)
    print(f"key press to picture on Explore, median of {len(idle)} presses each")
    print(f"  no search       {before:6.0f} ms  (max {max(idle):.0f})")
    print(f"  during a search {during:6.0f} ms  (max {max(busy):.0f})")
    print(
        f"  ratio           {during / before:6.2f}     (required: at most {MAX_RATIO})"
    )
    return during / before <= MAX_RATIO


def start_search(page: Page, address: str, path: Path) -> int:
    """Press the button on Tune for the paper's grid; the number of the run."""
    page.goto(f"{address}/Tune")
    page.wait_for_selector(".st-key-tune_start button:enabled")
    page.wait_for_selector(READY)
    with Store(path) as store:
        known = len(store.runs())
        page.locator(".st-key-tune_start button").click()
        while len(store.runs()) == known:
            page.wait_for_timeout(50)
        number = store.runs()[0].id
        wait_for_work(store, number)
    return number


# Cluster


@contextmanager
def local_cluster(n_workers: int) -> Iterator[str]:
    """A scheduler and workers of one thread as processes of this machine."""
    address = f"tcp://127.0.0.1:{free_port()}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    start = [sys.executable, "-m"]
    scheduler = [*start, "distributed.cli.dask_scheduler", "--host", address]
    worker = [*start, "distributed.cli.dask_worker", address, "--nthreads", "1"]
    commands = [[*scheduler, "--no-dashboard", "--no-show"]]
    commands += [[*worker, "--no-nanny", "--no-dashboard"]] * n_workers
    processes = [subprocess.Popen(command, **quiet) for command in commands]
    try:
        yield address
    finally:
        for process in processes:
            process.kill()
            process.wait()


def cluster(quick: bool) -> bool:
    """The same search on two workers and on two threads."""
    from distributed import Client

    data = make_syn(1, random_state=0).train
    values = grid(quick)
    threads, workers = [], []
    time_bare(data, grid(True), 99)
    with local_cluster(2) as address:
        with Client(address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(2)
        with cluster_runner(address) as runner:
            search_grid(data, "vstg", grid(True), 2, runner=runner)  # compiled code
            for seed in range(1 if quick else 3):
                threads.append(time_bare(data, values, seed))
                began = perf_counter()
                folds = TaskKFold(5, random_state=seed)
                search_grid(data, "vstg", values, folds, runner=runner)
                workers.append(perf_counter() - began)
    one, two = statistics.median(threads), statistics.median(workers)
    print(f"the same search, median of {len(threads)}")
    print(f"  two threads       {one:6.2f} s")
    print(f"  two Dask workers  {two:6.2f} s  ({two / one:.2f} of it)")
    return True


PARTS = {"latency": latency, "store": overhead, "cluster": cluster}


def main() -> int:
    """Run the parts; 1 if one does not reach what is required of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a smoke test")
    parser.add_argument("--only", choices=list(PARTS))
    args = parser.parse_args()
    chosen = [args.only] if args.only else list(PARTS)
    reached = [PARTS[name](args.quick) for name in chosen]
    return 0 if args.quick or all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
