import base64
import gzip
import json
import os
import sqlite3
import tempfile
from pathlib import Path
from threading import Event

import numpy as np
import pandas as pd
import pytest
from searches import GRID, N_CELLS

from vstg.data import MultiTaskData
from vstg.jobs import FitRequest, Store, StoreError, stored_result
from vstg.jobs.kinds.search import stored_cells
from vstg.jobs.queue import do_run
from vstg.jobs.store import default_path
from vstg.jobs.store.blobs import (
    pack_data,
)
from vstg.jobs.store.run_files import export_runs, import_runs
from vstg.jobs.store.schema import CHANGES
from vstg.model_selection import search_grid


def work_on(store, number):
    """Do a run here, without a process."""
    run = store.claim(number)
    do_run(store, run, Event())
    store.finish(run.id, "done")
    return store.run(number)


@pytest.fixture
def searched(store, syn, request_of):
    number = store.add_run(request_of(), syn.train, data_name="Syn2")
    return work_on(store, number)


def count(store, table):
    return store.query(f"SELECT COUNT(*) AS n FROM {table}")[0]["n"]


def test_stored_table_is_that_of_the_bare_search(store, syn, searched):
    stored = stored_result(store, searched)
    bare = search_grid(syn.train, "vstg", GRID, cv=4)
    pd.testing.assert_frame_equal(
        stored.frame.drop(columns="seconds"), bare.frame.drop(columns="seconds")
    )
    assert stored.best == bare.best == searched.best["setting"]
    assert stored.one_se == bare.one_se
    assert (searched.done, searched.total, searched.fitted) == (N_CELLS,) * 3


def test_second_run_of_the_same_kind_fits_nothing(store, syn, searched, request_of):
    again = work_on(store, store.add_run(request_of(), syn.train))
    assert (again.done, again.fitted) == (N_CELLS, 0)
    assert count(store, "cells") == N_CELLS
    pd.testing.assert_frame_equal(
        stored_result(store, again).frame, stored_result(store, searched).frame
    )


@pytest.mark.parametrize("change", [{"seed": 1}, {"tol": 1e-2}, {"folds": 3}])
def test_other_folds_seed_or_tolerance_are_other_cells(
    store, syn, searched, request_of, change
):
    other = work_on(store, store.add_run(request_of(**change), syn.train))
    assert other.fitted == other.total > 0


def test_halving_is_stored_with_its_rounds(store, syn, request_of):
    request = request_of(halving=True)
    run = work_on(store, store.add_run(request, syn.train))
    bare = search_grid(syn.train, "vstg", GRID, cv=4, halving=True)
    stored = stored_result(store, run).frame
    assert set(stored["round"]) == {0, 1}
    pd.testing.assert_frame_equal(
        stored.drop(columns="seconds"), bare.frame.drop(columns="seconds")
    )


def test_changed_code_refuses_to_mix_its_cells(store, syn, request_of):
    number = store.add_run(request_of(), syn.train)
    with store.transaction() as connection:
        connection.execute("UPDATE runs SET code = 'older'")
    with pytest.raises(ValueError, match="has changed since"):
        do_run(store, store.run(number), Event())


def test_name_note_delete_and_undo(store, searched):
    store.change(searched.id, name="first", note="γ too small")
    assert (store.run(searched.id).name, store.run(searched.id).note) == (
        "first",
        "γ too small",
    )
    store.delete([searched.id])
    assert store.runs() == []
    assert [run.id for run in store.runs(deleted=True)] == [searched.id]
    store.restore([searched.id])
    assert [run.id for run in store.runs()] == [searched.id]
    with pytest.raises(ValueError, match=r"no \['kind'\] to change"):
        store.change(searched.id, kind="fit")


def test_every_column_that_may_change_does(store, searched):
    new = {"name": "a", "note": "b", "message": "c", "status": "failed", "total": 7,
           "best": "{}", "cancel": True, "owner": "d"}  # fmt: skip
    assert set(new) == set(CHANGES)
    store.change(searched.id, **new)
    (row,) = store.query("SELECT * FROM runs")
    assert {column: row[column] for column in new} == new
    with pytest.raises(StoreError):  # all of it, or nothing
        store.change(searched.id, name="other", total={})
    assert store.run(searched.id).name == "a"


def test_purge_keeps_cells_and_data_that_another_run_needs(
    store, syn, searched, request_of
):
    again = work_on(store, store.add_run(request_of(), syn.train))
    store.delete([searched.id])
    assert store.purge() == 0
    assert store.purge(older_than=-1) == 1
    assert count(store, "cells") == N_CELLS
    store.delete([again.id])
    store.purge(older_than=-1)
    tables = ("cells", "chains", "scopes", "data", "run_chains")
    assert {count(store, table) for table in tables} == {0}


def test_export_and_import_give_the_same_run(store, searched, tmp_path):
    content = export_runs(store, [searched.id])
    with Store(tmp_path / "other.sqlite") as other:
        (number,) = import_runs(other, content)
        run = other.run(number)
        pd.testing.assert_frame_equal(
            stored_result(other, run).frame, stored_result(store, searched).frame
        )
        assert other.data(run.data).fingerprint == searched.data
        assert run.best == searched.best
        # Its cells are as good as if they had been judged there.
        again = work_on(other, other.add_run(run.request, other.data(run.data)))
        assert again.fitted == 0
    import_runs(store, content)
    assert count(store, "cells") == N_CELLS


@pytest.mark.parametrize(
    "content", [b"", b"no runs", b"\x1f\x8b\x08\x00", "cut", "changed"]
)
def test_import_refuses_what_it_cannot_trust(store, searched, content):
    whole = export_runs(store, [searched.id])
    if content == "cut":
        content = whole[:-40]
    if content == "changed":
        content = export_runs_with_other_data(store, searched)
    with pytest.raises(ValueError, match="holds no runs that can be read") as refusal:
        import_runs(store, content)
    assert "decompress" not in str(refusal.value)  # the words of a library
    assert len(store.runs()) == 1


def export_runs_with_other_data(store, run):
    found = json.loads(gzip.decompress(export_runs(store, [run.id])))
    other = MultiTaskData([np.eye(3)], [np.arange(3.0)])
    found["data"][run.data] = base64.b64encode(pack_data(other)).decode()
    return gzip.compress(json.dumps(found).encode())


def test_path_comes_from_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("VSTG_STORE", str(tmp_path / "named.sqlite"))
    assert default_path() == tmp_path / "named.sqlite"
    monkeypatch.delenv("VSTG_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "vstg" / "runs.sqlite"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    earlier = tmp_path / ".local" / "share" / "vstg" / "runs.sqlite"
    earlier.parent.mkdir(parents=True)
    earlier.touch()  # where every system once had it
    assert default_path() == earlier


# Faults


def test_newer_format_is_refused_in_words(store, path):
    store.connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match=r"newer vstg .*update vstg"):
        Store(path)


def test_other_files_are_refused_and_left_alone(tmp_path):
    text, database = tmp_path / "notes.txt", tmp_path / "other.sqlite"
    text.write_bytes(b"These are notes. " * 100)
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE mine (x)")
    before = text.read_bytes()
    for path in (text, database):
        with pytest.raises(StoreError, match="is not a run store"):
            Store(path)
    assert text.read_bytes() == before


def test_truncated_store_is_refused_in_words(store, path, searched):
    store.close()
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(StoreError, match=r"is damaged.*Restore a copy"):
        Store(path).runs()


def test_full_disk_is_said_and_corrupts_nothing(store, syn, request_of, path):
    number = store.add_run(request_of(), syn.train)
    pages = store.query("PRAGMA page_count")[0][0]
    store.connection.execute(f"PRAGMA max_page_count = {pages + 6}")
    with pytest.raises(StoreError, match=r"the disk is full.*resume"):
        do_run(store, store.claim(number), Event())
    kept = count(store, "cells")
    assert 0 < kept < N_CELLS
    assert kept == store.run(number).fitted
    store.finish(number, "failed", "full")
    # There is room again: the rest is fitted, and only the rest.
    store.connection.execute("PRAGMA max_page_count = 100000")
    store.resume(number)
    run = work_on(store, number)
    assert (run.done, run.fitted) == (N_CELLS, N_CELLS - kept)
    assert store.query("PRAGMA integrity_check")[0][0] == "ok"


def said_by_another_user(path):
    """Open the store as somebody whom file modes bind; root is not."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setuid(65534)
            with Store(path) as opened:
                assert opened.read_only
                assert len(opened.runs()) == 1
                opened.delete([1])
        except BaseException as error:
            os.write(writing, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, encoding="utf-8") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


def test_read_only_store_can_be_read_and_says_why_it_cannot_be_written(
    store, path, searched
):
    store.close()
    before = path.read_bytes()
    path.chmod(0o444)
    folder = path.parent
    folder.chmod(0o555)
    for parent in folder.parents:  # pytest closes its folders to others
        if Path(tempfile.gettempdir()) in parent.parents:
            parent.chmod(parent.stat().st_mode | 0o055)
    try:
        said = said_by_another_user(path)
    finally:
        folder.chmod(0o755)
    assert said.startswith("StoreError: the run store")
    assert "is read-only: runs can be looked at" in said
    assert path.read_bytes() == before


def test_folder_that_cannot_be_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path / "file" / "runs.sqlite")


def test_failed_transaction_leaves_nothing(store, syn, request_of):
    cells = stored_cells(store, store.run(store.add_run(request_of(), syn.train)))
    with pytest.raises(ZeroDivisionError), store.transaction() as connection:
        connection.execute("DELETE FROM runs")
        raise ZeroDivisionError
    assert len(store.runs()) == 1
    assert cells.chains.known == {}


def test_fit_is_kept_as_arrays(store, syn):
    setting = {"n_latent": 5, "k": 1, "gamma1": 0.25, "gamma2": 0.25}
    run = work_on(store, store.add_run(FitRequest(setting=setting), syn.train))
    assert run.best["setting"] == setting
