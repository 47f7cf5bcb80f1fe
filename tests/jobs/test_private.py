"""Private runs: seen by their owner alone, and gone from the file with the visit."""

import os
import sqlite3
import stat
from threading import Event

import pytest
from searches import GRID

from vstg.data import MultiTaskData
from vstg.jobs import FitRequest, SearchRequest, Store, StoreError
from vstg.jobs.kinds.search import stored_cells
from vstg.jobs.queue import do_run
from vstg.jobs.queue import owners as private_runs
from vstg.jobs.queue.attempt import watched
from vstg.jobs.queue.owners import (
    PROCESS,
    forget,
    forget_lost,
    forget_process,
    new_owner,
)
from vstg.jobs.store.run import worker_name
from vstg.jobs.store.schema import TABLES
from vstg.model_selection import search_grid

SECRET = "patient Jane Roe"
SETTING = {"n_latent": 2, "k": 1, "gamma1": 0.1, "gamma2": 0.1}


@pytest.fixture
def secret(syn):
    """Data whose names can be looked for in a file."""
    names = [f"{SECRET} {j}" for j in range(syn.train.n_tasks)]
    return MultiTaskData(syn.train.X, syn.train.y, names)


def on_disk(path):
    """All that the store has written, its log included."""
    files = path.parent.glob(path.name + "*")
    text = SECRET.encode("utf-32-le")  # as NumPy writes text
    content = b"".join(file.read_bytes() for file in files)
    return text in content or SECRET.encode() in content


def finished(store, request, data, owner=""):
    number = store.add_run(request, data, owner=owner)
    do_run(store, store.claim(number), Event())
    store.finish(number, "done")
    return number


def count(store, table):
    return store.query(f"SELECT COUNT(*) AS n FROM {table}")[0]["n"]


def test_others_do_not_see_a_private_run(store, syn, secret):
    mine, other = new_owner(), new_owner()
    private = store.add_run(FitRequest(setting=SETTING), secret, owner=mine)
    common = store.add_run(FitRequest(setting=SETTING), syn.train)
    assert [run.id for run in store.runs(visible_to=other)] == [common]
    assert [run.id for run in store.runs(visible_to=mine)] == [common, private]
    assert [run.id for run in store.runs()] == [common, private]  # for the workers


def test_nothing_of_a_forgotten_run_is_left_in_the_file(store, path, syn, secret):
    mine = new_owner()
    held = store.add_data(secret)
    request = SearchRequest(grid=GRID, validation=held)
    finished(store, request, secret, mine)
    finished(store, FitRequest(setting=SETTING), secret, mine)
    assert on_disk(path)
    assert forget(store, mine) == 2
    assert not on_disk(path)
    for table in ("data", "runs", "cells", "chains", "scopes", "run_chains", "pieces"):
        assert count(store, table) == 0


def test_what_others_use_stays(store, syn, secret):
    mine, other = new_owner(), new_owner()
    request = SearchRequest(grid=GRID, folds=2)
    finished(store, request, secret, mine)
    kept = finished(store, request, secret, other)
    n_cells = count(store, "cells")
    assert forget(store, mine) == 1
    assert [run.id for run in store.runs()] == [kept]
    assert count(store, "cells") == n_cells
    assert store.data(secret.fingerprint).fingerprint == secret.fingerprint
    assert forget(store, "") == 0


def test_a_deleted_private_run_is_forgotten_too(store, path, secret):
    mine = new_owner()
    store.delete([store.add_run(FitRequest(setting=SETTING), secret, owner=mine)])
    assert forget(store, mine) == 1
    assert not on_disk(path)


def test_worker_stops_when_its_run_is_forgotten(store, path, secret):
    mine = new_owner()
    number = store.add_run(FitRequest(setting=SETTING), secret, owner=mine)
    with watched(path, number) as stop:
        assert store.wanted(number)
        forget(store, mine)
        assert stop.wait(60)


def test_worker_writes_nothing_for_a_forgotten_run(store, path, secret):
    mine = new_owner()
    number = store.add_run(SearchRequest(grid=GRID, folds=2), secret, owner=mine)
    run, data = store.claim(number), store.data(secret.fingerprint)
    forget(store, mine)
    with pytest.raises(StoreError):
        search_grid(data, "vstg", GRID, cv=2, storage=stored_cells(store, run))
    assert count(store, "chains") == count(store, "cells") == 0
    assert not on_disk(path)


def test_runs_of_servers_that_ended_are_forgotten(store, path, secret, monkeypatch):
    host = worker_name().rsplit(":", 1)[0]
    alive, restarted = new_owner(), f"{worker_name()}:0123:4567"
    dead, foreign = f"{host}:999999999:89ab:cdef", "elsewhere:12:89ab:cdef"
    for owner in (alive, restarted, dead, foreign):
        store.add_run(FitRequest(setting=SETTING), secret, owner=owner)
    assert alive.startswith(PROCESS)
    assert forget_lost(store) == 2
    assert {run.owner for run in store.runs()} == {alive, foreign}
    monkeypatch.setattr(private_runs, "FOREIGN_SECONDS", -1.0)
    assert forget_lost(store) == 1
    assert [run.owner for run in store.runs()] == [alive]
    assert forget_process(store) == 1
    assert not on_disk(path)


def test_a_store_of_the_first_version_is_brought_up_to_date(path, secret):
    old = TABLES.replace(",\n    owner TEXT NOT NULL DEFAULT ''", "")
    with sqlite3.connect(path) as connection:
        connection.executescript(old)
        connection.execute(f"PRAGMA application_id = {0x76737467}")
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    with Store(path) as store:
        number = store.add_run(FitRequest(setting=SETTING), secret)
        assert store.run(number).owner == ""
    with Store(path) as store:  # a second time there is nothing to do
        assert len(store.runs()) == 1


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX rights")
def test_a_new_store_is_readable_by_its_user_alone(store, path, secret):
    store.add_data(secret)
    for file in path.parent.glob(path.name + "*"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
