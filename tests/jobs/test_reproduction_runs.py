"""A table of the paper as a run: stopped, killed, resumed, read."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Event

import pytest
from stopping import StopAfter

from vstg.__main__ import main
from vstg.jobs import ComparisonRequest, ReproductionRequest, do_run
from vstg.jobs.kinds.reproduction import (
    ReproductionKind,
    begin,
    entries_of,
    find_run,
    results_of,
)
from vstg.jobs.store import Store
from vstg.jobs.store.blobs import blob_names
from vstg.jobs.store.cells import PassingCells
from vstg.reproduction import get_effort, run_piece

ROOT, PATIENCE = Path(__file__).parents[2], 120
REQUEST = ReproductionRequest(
    exhibit="table1",
    effort="quick",
    sets=["syn1"],
    columns=["lasso", "mmtfl"],
    repetitions=2,
)

run_table = ReproductionKind().run


def test_a_stopped_table_goes_on_where_it_was(tmp_path):
    with Store(tmp_path / "runs.sqlite") as store:
        run, stop, seen = begin(store, REQUEST), Event(), []

        def note(piece, outcome):
            seen.append(piece.name)
            if len(seen) == 3:
                stop.set()

        run_table(store, run, stop, note)
        partly = results_of(store, store.run(run.id))
        assert partly is not None
        assert len(partly.outcomes) == 3
        store.finish(run.id, "cancelled")

        again = begin(store, REQUEST)
        assert again.id == run.id
        run_table(store, again, Event(), note)
        assert seen[3:] == ["syn1/mmtfl/1"]
        store.finish(run.id, "done")
        whole = results_of(store, store.run(run.id))
        assert whole is not None
        assert len(whole.outcomes) == 4
        assert store.run(run.id).share == 1.0
        assert whole.coefficients["syn1", "lasso", 0].shape == (25, 20)


def test_a_finished_table_is_found_whoever_computes_it(tmp_path):
    with Store(tmp_path / "runs.sqlite") as store:
        run = begin(store, REQUEST)
        store.finish(run.id, "done")
        elsewhere = ReproductionRequest(**{**vars(REQUEST), "n_jobs": 4})
        found = find_run(store, elsewhere)
        assert found is not None and found.id == run.id
        other = ReproductionRequest(**{**vars(REQUEST), "repetitions": 3})
        assert find_run(store, other) is None


def test_a_larger_table_takes_over_what_a_smaller_one_has(tmp_path):
    small = ReproductionRequest(**{**vars(REQUEST), "columns": ["lasso"]})
    with Store(tmp_path / "runs.sqlite") as store:
        run = begin(store, small)
        run_table(store, run, Event())
        store.finish(run.id, "done")
        seen = []
        larger = begin(store, REQUEST)
        assert larger.id != run.id
        run_table(store, larger, Event(), lambda piece, _: seen.append(piece))
        assert {entry.column.name for entry in seen} == {"mmtfl"}
        whole = results_of(store, store.run(larger.id))
        assert whole is not None
        assert len(whole.outcomes) == 4


KILLED = (
    "reproduce table1 --quick --sets syn1 --columns vstg_k1 --repetitions 1 "
    "--store runs.sqlite -o results"
)


def n_cells(store):
    return store.query("SELECT COUNT(*) AS n FROM cells")[0]["n"]


def test_a_killed_table_keeps_every_finished_chain(tmp_path, monkeypatch, capsys):
    """One entry of the table is killed half-way: what it had is not fitted again."""
    monkeypatch.chdir(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-m", "vstg", *KILLED.split()],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    with Store("runs.sqlite") as store:
        deadline = time.monotonic() + PATIENCE
        while n_cells(store) < 30:
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        kept, (run,) = n_cells(store), store.runs()
        assert run.is_lost and run.done == kept < run.total
        assert main(KILLED.split()) == 0
        (run,) = store.runs()
        assert (run.status, run.done, run.fitted) == (
            "done", run.total, run.total - kept,
        )  # fmt: skip
        assert n_cells(store) == 0  # the result has taken their place
        (found,) = results_of(store, run).outcomes.to_dict("records")
    entry = entries_of(run.request)[0]
    bare = run_piece(entry.data, entry.column, 0, get_effort("quick"), n_jobs=2)
    assert found["n_fits"] == bare.n_fits == run.total
    assert {name: found[name] for name in bare.setting} == bare.setting
    assert found["ree"] == pytest.approx(bare.errors["ree"], rel=1e-6)


def test_a_table_that_is_being_measured_is_not_measured_twice(tmp_path):
    with Store(tmp_path / "runs.sqlite") as store:
        begin(store, REQUEST)
        with pytest.raises(ValueError, match="measures this already"):
            begin(store, REQUEST)


def test_a_comparison_keeps_the_chains_of_a_method_half_way(store, syn, monkeypatch):
    grid = {"gamma1": [2.0**e for e in range(-8, 3)]}
    pair = [store.add_data(syn.train), store.add_data(syn.test)]
    request = ComparisonRequest(
        methods=["ridge", "lasso"], grids={"ridge": grid, "lasso": grid}, splits=[pair]
    )
    number = store.add_run(request, syn.train)
    run = store.claim(number)
    do_run(store, run, StopAfter(26))  # fits: more than two chains, less than three
    kept = n_cells(store)
    assert kept == 22 and not blob_names(store, number)
    saved, save = [], PassingCells.save

    def counted(cells, piece, rows):
        saved.append(len(rows))
        save(cells, piece, rows)

    monkeypatch.setattr(PassingCells, "save", counted)
    do_run(store, run, Event())
    assert sum(saved) == 2 * 5 * 11 - kept
    assert blob_names(store, number) == {"0/ridge", "0/lasso"}
    assert n_cells(store) == 0
