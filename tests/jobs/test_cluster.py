"""A search on a real Dask scheduler with worker processes, one of which is killed."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest

from vstg.jobs import SearchRequest, stored_result
from vstg.jobs.queue import do_run
from vstg.model_selection import search_grid

pytest.importorskip("distributed")
GRID = {
    "n_latent": [3, 5, 7],
    "k": [1],
    "gamma1": [2.0**e for e in range(-8, 3)],
    "gamma2": [2**-5, 2**-3, 2.0],
}
PATIENCE = 120


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def start(*words):
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment,
    )  # fmt: skip


@pytest.fixture(scope="module")
def cluster():
    """A scheduler and a function that starts its workers."""
    address = f"tcp://127.0.0.1:{free_port()}"
    processes = [
        start("scheduler", "--host", address, "--no-dashboard", "--no-show"),
        *(
            start("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
            for _ in range(2)
        ),
    ]
    try:
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


@contextmanager
def connected(address):
    from distributed import Client

    with Client(address, timeout=60, set_as_default=False) as client:
        yield client


def same_frame(found, expected):
    """Equal to the last bit, but for the time it took."""
    pd.testing.assert_frame_equal(
        found.drop(columns="seconds"),
        expected.drop(columns="seconds"),
        check_exact=True,
    )


def test_cluster_gives_the_frame_of_a_local_search(cluster, store, syn):
    from threading import Event, Thread

    address, processes = cluster
    with connected(address) as client:
        client.wait_for_workers(2, timeout=PATIENCE)
    request = SearchRequest(grid=GRID, folds=6, scheduler=address)
    number = store.add_run(request, syn.train)
    run = store.claim(number)
    working = Thread(target=do_run, args=(store, run, Event()))
    working.start()
    deadline = time.monotonic() + PATIENCE
    while store.run(number).done < 30:  # mid-run: some cells are in the store
        assert working.is_alive()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    processes[1].send_signal(signal.SIGKILL)
    seen = store.run(number).done
    working.join()
    store.finish(number, "done")
    run = store.run(number)
    assert seen < run.total  # it was killed while there was work left
    assert (run.done, run.fitted) == (run.total, run.total)
    local = search_grid(syn.train, "vstg", GRID, cv=6)
    found = stored_result(store, run)
    assert found.best == local.best
    assert found.one_se == local.one_se
    same_frame(found.frame, local.frame)


def test_baselines_and_halving_run_there_too(cluster, store, syn):
    from threading import Event

    address, _ = cluster
    grid = {"gamma1": [2.0**e for e in range(-6, 2)]}
    request = SearchRequest(
        method="lasso", grid=grid, folds=4, halving=True, scheduler=address
    )
    run = store.claim(store.add_run(request, syn.train))
    do_run(store, run, Event())
    local = search_grid(syn.train, "lasso", grid, cv=4, halving=True)
    same_frame(stored_result(store, run).frame, local.frame)


def test_weights_travel_with_the_data(cluster, store, syn):
    from threading import Event

    address, _ = cluster
    with connected(address) as client:
        client.wait_for_workers(1, timeout=PATIENCE)
    rng = np.random.default_rng(0)
    heavy = [rng.integers(0, 4, size=len(y)).astype(float) for y in syn.train.y]
    names = syn.train.task_names
    data = syn.train.with_weights(heavy, {names[0]: 3.0})
    grid = {"gamma1": [2**-6, 2**-2]}
    frames = []
    for one in (data, syn.train):  # of the same store: no cell may be shared
        request = SearchRequest(method="ridge", grid=grid, folds=4, scheduler=address)
        run = store.claim(store.add_run(request, one))
        do_run(store, run, Event())
        local = search_grid(one, "ridge", grid, cv=4)
        frames.append(stored_result(store, run).frame)
        same_frame(frames[-1], local.frame)
    measure = "rmse_mean_over_tasks"
    assert (frames[0][measure] != frames[1][measure]).all()


def test_scheduler_that_does_not_answer_is_said(store, syn, monkeypatch):
    from threading import Event

    from vstg.jobs.queue import cluster as module

    monkeypatch.setattr(module, "CONNECT_SECONDS", 1)
    address = f"tcp://127.0.0.1:{free_port()}"
    run = store.claim(
        store.add_run(SearchRequest(grid=GRID, scheduler=address), syn.train)
    )
    with pytest.raises(ValueError, match=f"no Dask scheduler answers at {address}"):
        do_run(store, run, Event())
