"""What may go wrong while long work runs; nothing finished is lost, and we count."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
from searches import GRID, N_CELLS

from vstg.jobs import ComparisonRequest, Manager, SearchRequest, Store, stored_result
from vstg.jobs.store.blobs import blob_names
from vstg.model_selection import search_grid

ROOT = Path(__file__).parents[2]
# Strong enough to be well-posed on 12 rows, where a last digit that differs between
# two processes does not grow.
STRENGTHS = [2.0 ** (e / 2) for e in range(-6, 8)]
LONG_GRID = {**GRID, "gamma1": STRENGTHS, "n_latent": [3, 5, 7]}
PATIENCE = 120

# A server that starts one search and then only waits, as Streamlit's does.
SERVER = """
import sys
from vstg.jobs import Manager, Store
store = Store(sys.argv[1])
manager = Manager(store)
sys.stdin.read()
"""


def start_server(path):
    return subprocess.Popen(
        [sys.executable, "-c", SERVER, str(path)], stdin=subprocess.PIPE, cwd=ROOT
    )


def wait_for_cells(store, number, at_least):
    """Return when so many cells are stored; the run's own pace sets the time."""
    deadline = time.monotonic() + PATIENCE
    while store.run(number).done < at_least:
        assert time.monotonic() < deadline, store.run(number)
        time.sleep(0.02)


def n_cells(store):
    return store.query("SELECT COUNT(*) AS n FROM cells")[0]["n"]


def test_killed_server_loses_nothing_and_nothing_is_repeated(store, syn, path):
    request = SearchRequest(grid=LONG_GRID, folds=8)
    number = store.add_run(request, syn.train)
    server = start_server(path)
    wait_for_cells(store, number, 60)
    worker = int(store.run(number).worker.rpartition(":")[2])
    server.send_signal(signal.SIGKILL)
    server.wait()
    server.stdin.close()
    wait_until_gone(worker)
    before = store.run(number)
    kept = n_cells(store)
    assert before.is_lost
    assert 60 <= kept == before.done < before.total
    assert store.query("PRAGMA integrity_check")[0][0] == "ok"
    # The next server finds it interrupted; it goes on when told to.
    manager = Manager(store)
    try:
        manager.store.mark_lost("gone")
        assert store.run(number).status == "interrupted"
        manager.resume(number)
        assert manager.wait(number, PATIENCE)
    finally:
        manager.close()
    run = store.run(number)
    assert run.status == "done", run
    assert (run.done, run.fitted) == (run.total, run.total - kept)
    bare = search_grid(syn.train, "vstg", LONG_GRID, cv=8)
    loose = ["seconds", "n_iter"]
    pd.testing.assert_frame_equal(
        stored_result(store, run).frame.drop(columns=loose),
        bare.frame.drop(columns=loose),
        rtol=0.02,
    )


def wait_until_gone(number):
    """The worker ends with its server, whose pipe closes."""
    deadline = time.monotonic() + PATIENCE
    while Path(f"/proc/{number}").exists() or is_alive(number):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_alive(number):
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


def test_killed_worker_is_noticed_and_replaced(store, manager, syn):
    number = manager.submit(SearchRequest(grid=LONG_GRID, folds=8), syn.train)
    wait_for_cells(store, number, 30)
    os.kill(int(store.run(number).worker.rpartition(":")[2]), signal.SIGKILL)
    assert manager.wait(number, PATIENCE)
    run = store.run(number)
    assert run.status == "interrupted"
    assert "What was finished is kept" in run.message
    kept = n_cells(store)
    manager.resume(number)
    assert manager.wait(number, PATIENCE)
    run = store.run(number)
    assert (run.status, run.fitted) == ("done", run.total - kept)


def test_cancel_under_load_keeps_what_is_finished(store, manager, syn, request_of):
    load = SearchRequest(grid=LONG_GRID, folds=8, n_jobs=4)
    first = manager.submit(load, syn.train)
    second = manager.submit(request_of(), syn.train)
    waiting = manager.submit(request_of(seed=3), syn.train)
    wait_for_cells(store, first, 30)
    manager.cancel(waiting)
    assert store.run(waiting).status == "cancelled"
    manager.cancel(first)
    assert manager.wait(first, PATIENCE)
    run = store.run(first)
    assert run.status == "cancelled"
    assert 30 <= run.done < run.total
    # The next in the queue has its turn, and the first can go on afterwards.
    assert manager.wait(second, PATIENCE)
    assert store.run(second).fitted == N_CELLS
    kept = run.done
    manager.resume(first)
    assert manager.wait(first, PATIENCE)
    assert store.run(first).fitted == run.total - kept


def test_job_that_raises_says_why_and_the_next_one_runs(
    store, manager, syn, request_of
):
    # Straight into the queue: the manager would refuse it.
    bad = store.add_run(request_of(grid={**GRID, "gamma1": [-1.0]}), syn.train)
    good = manager.submit(request_of(), syn.train)
    assert manager.wait(bad, PATIENCE)
    run = store.run(bad)
    assert run.status == "failed"
    assert run.message.startswith("gamma1=-1.0")
    assert manager.wait(good, PATIENCE)
    assert store.run(good).status == "done"


def test_full_disk_ends_the_run_in_words_and_it_can_be_resumed(
    store, path, syn, monkeypatch
):
    number = store.add_run(SearchRequest(grid=LONG_GRID, folds=8), syn.train)
    store.query("PRAGMA wal_checkpoint(TRUNCATE)")
    # A limit on the size of files stands for a disk without room.
    limit = path.stat().st_size + 60_000
    monkeypatch.setenv("VSTG_TEST_LIMIT", str(limit))
    code = (
        "import os, resource, sys\n"
        "limit = int(os.environ['VSTG_TEST_LIMIT'])\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))\n"
        "from pathlib import Path\n"
        "from vstg.jobs.queue.worker import main\n"
        "sys.exit(main(Path(sys.argv[1])))\n"
    )
    ended = run_worker(code, path)
    assert "cannot" in ended
    kept = n_cells(store)
    assert store.query("PRAGMA integrity_check")[0][0] == "ok"
    assert 0 < kept < store.run(number).total
    store.mark_lost("full")
    manager = Manager(store)
    try:
        manager.resume(number)
        assert manager.wait(number, PATIENCE)
    finally:
        manager.close()
    run = store.run(number)
    assert (run.status, run.fitted) == ("done", run.total - kept)


def run_worker(code, path):
    """Ask a worker for one run; its answer."""
    worker = subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    worker.stdin.write("next\n")
    worker.stdin.flush()
    answer = worker.stdout.readline()
    worker.stdin.close()
    worker.wait()
    worker.stdout.close()
    return answer


def test_two_processes_share_one_store(path, store, syn, request_of):
    numbers = [
        store.add_run(request_of(seed=seed, folds=3), syn.train) for seed in range(6)
    ]
    with Store(path) as other:
        managers = [Manager(store), Manager(other)]
        try:
            for number in numbers:
                for manager in managers:
                    assert manager.wait(number, PATIENCE)
        finally:
            for manager in managers:
                manager.close()
    runs = [store.run(number) for number in numbers]
    assert {run.status for run in runs} == {"done"}
    # Each was claimed once: every cell was fitted by exactly one of them.
    assert sum(run.fitted for run in runs) == n_cells(store) == 6 * N_CELLS * 3 // 4
    assert store.query("PRAGMA integrity_check")[0][0] == "ok"


def test_comparison_goes_on_where_it_was_cancelled(store, manager, syn):
    grid = {"gamma1": [2.0**e for e in range(-8, 3)]}
    pairs = [[store.add_data(syn.train), store.add_data(syn.test)]] * 30
    request = ComparisonRequest(
        methods=["ridge", "lasso"], grids={"ridge": grid, "lasso": grid}, splits=pairs
    )
    number = manager.submit(request, syn.train)
    wait_for_cells(store, number, 3)
    manager.cancel(number)
    assert manager.wait(number, PATIENCE)
    kept = len(blob_names(store, number))
    assert 3 <= kept < 60
    manager.resume(number)
    assert manager.wait(number, PATIENCE)
    run = store.run(number)
    assert (run.status, run.done, run.fitted) == ("done", 60, 60 - kept)
    assert run.best["method"] in ("Ridge", "LASSO")


def test_progress_has_a_pace_and_a_time_left(store, manager, syn):
    number = manager.submit(SearchRequest(grid=LONG_GRID, folds=8), syn.train)
    wait_for_cells(store, number, 30)
    run = store.run(number)
    assert run.seconds_left > 0
    assert 0 < run.share < 1
    manager.cancel(number)
    assert manager.wait(number, PATIENCE)


def test_nobody_may_start_on_a_read_only_store(path, store, syn, request_of):
    number = store.add_run(request_of(), syn.train)
    store.read_only = True
    manager = Manager(store)
    with pytest.raises(OSError, match="is read-only"):
        manager.cancel(number)
    manager.close()
