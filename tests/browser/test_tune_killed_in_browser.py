"""A server that is killed in the middle of a search, as a visitor meets it."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pytest
from visiting import PATIENCE, rest

from scripts.dashboard_server import free_port, wait_until_healthy
from vstg.datasets import make_syn
from vstg.jobs import Store, stored_result
from vstg.jobs.store.run import process_lives
from vstg.model_selection import TaskKFold, search_grid

ROOT = Path(__file__).parents[2]
FOLDS = 2


@contextmanager
def dashboard(path):
    """A Streamlit server of its own; gives the process and its address."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    server = subprocess.Popen(
        [*command, "--server.port", str(port)], cwd=ROOT,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=os.environ | {"VSTG_STORE": str(path), "VSTG_NICE": "0"},
    )  # fmt: skip
    try:
        address = f"http://127.0.0.1:{port}"
        wait_until_healthy(f"{address}/_stcore/health", server)
        yield server, address
    finally:
        server.kill()
        server.wait()


def wait_for(condition):
    """Until it holds; what is waited for sets the time."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def start_small_search(page, address):
    """The grid that the page offers first under "custom", on few folds."""
    page.goto(f"{address}/Tune")
    rest(page)
    page.locator(".st-key-tune_grid").get_by_text("custom").click()
    page.wait_for_selector(".st-key-tune_step")
    page.locator(".st-key-tune_folds input").fill(str(FOLDS))
    page.keyboard.press("Enter")
    page.get_by_text(f"× {FOLDS} folds").wait_for()
    rest(page)
    page.locator(".st-key-tune_start button").click()


def cells(store):
    """Every judged cell by the row that holds it, as it was written."""
    found = store.query("SELECT chain, position, judged FROM cells")
    return {(row["chain"], row["position"]): row["judged"] for row in found}


def kill(server, worker):
    """Both at once, as when a machine goes down."""
    os.kill(worker, signal.SIGKILL)
    server.send_signal(signal.SIGKILL)
    server.wait()
    wait_for(lambda: not process_lives(worker))


@pytest.mark.slow  # two servers, two workers and a browser start one after another
def test_killed_server_is_started_again_and_the_search_resumed(chromium, tmp_path):
    path = tmp_path / "runs.sqlite"
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(PATIENCE)
    with dashboard(path) as (server, address):
        start_small_search(page, address)
        with Store(path) as store:
            wait_for(lambda: any(run.done >= 20 for run in store.runs()))
            kill(server, int(store.runs()[0].worker.rpartition(":")[2]))
    with Store(path) as store:
        before = store.run(1)
        kept = cells(store)
        assert before.is_lost
        assert 20 <= len(kept) == before.done < before.total
        assert store.query("PRAGMA integrity_check")[0][0] == "ok"
    with dashboard(path) as (_, address):
        page.goto(f"{address}/Tune?run=1")
        resume = page.get_by_role("button", name="Resume")
        resume.wait_for()
        assert f"Interrupted after {before.done}" in page.inner_text(".st-key-tune")
        resume.click()
        page.locator(".vstg-head").get_by_text(f"{before.total}").wait_for()
    page.close()
    with Store(path) as store:
        run = store.run(1)
        assert run.status == "done"
        assert (run.done, run.fitted) == (run.total, run.total - len(kept))
        after = cells(store)
        # Nothing was lost, nothing was judged a second time.
        assert len(after) == run.total
        assert {place: after[place] for place in kept} == kept
        assert_same_as_uninterrupted(stored_result(store, run), run.request)


def assert_same_as_uninterrupted(found, request):
    data = make_syn(1, n_train=50, n_test=100, random_state=0).train
    bare = search_grid(
        data, "vstg", request.grid, TaskKFold(FOLDS, random_state=0), n_jobs=2
    )
    # Times differ, and a last digit may between two processes.
    loose = ["seconds", "n_iter"]
    pd.testing.assert_frame_equal(
        found.frame.drop(columns=loose), bare.frame.drop(columns=loose), rtol=1e-6
    )
    assert (found.best, found.one_se) == (bare.best, bare.one_se)
