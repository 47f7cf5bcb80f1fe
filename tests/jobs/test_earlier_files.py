"""A store and a file of runs that an earlier vstg wrote: all is there, as it was."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from vstg.jobs import KINDS, Manager, Store, get_kind, import_runs, stored_result
from vstg.jobs.kinds.comparison import read_evaluations
from vstg.jobs.kinds.reproduction import results_of
from vstg.jobs.kinds.stability import read_frequencies
from vstg.jobs.store.blobs import read_blobs, unpack_arrays

FIXTURES = Path(__file__).with_name("fixtures")
NUMBERS = json.loads((FIXTURES / "numbers.json").read_text())
FINISHED = ("search", "search", "stability", "comparison", "fit", "reproduction")


@pytest.fixture(params=["store", "file"])
def earlier(request, path):
    """The finished runs by kind, of the store as it was and of the imported file."""
    if request.param == "store":
        path.write_bytes(gzip.decompress((FIXTURES / "store.sqlite.gz").read_bytes()))
    with Store(path) as store:
        if request.param == "file":
            import_runs(store, (FIXTURES / "runs.vstg").read_bytes())
        runs = [run for run in reversed(store.runs()) if run.status == "done"]
        assert tuple(run.kind for run in runs) == FINISHED
        yield store, runs


def test_every_run_is_read_and_labelled(earlier):
    store, runs = earlier
    for run in store.runs():
        kind = get_kind(run.kind)
        assert run.fault is None
        assert kind.label and kind.unit and kind.describe(run.request)
        assert len(kind.headline(run)) == 2
        kind.read(store, run)
    later = {"discovery"}  # kinds that came after these files
    assert {run.kind for run in runs} == set(KINDS) - later
    assert [run.best for run in runs] == list(NUMBERS["best"].values())[:6]
    assert {run.code for run in runs} == {NUMBERS["code"]}


def test_searches_have_the_same_tables_and_choices(earlier):
    store, (search, validation, *_) = earlier
    assert stored_result(store, search).frame.to_dict("list") == NUMBERS["search"]
    found = stored_result(store, validation)
    assert found.frame.to_dict("list") == NUMBERS["validation"]
    result = stored_result(store, search)
    assert result.best == NUMBERS["search_best"]
    assert result.one_se == NUMBERS["search_one_se"]
    assert search.note == "with a note"


def test_stability_has_the_same_frequencies(earlier):
    store, runs = earlier
    found = read_frequencies(store, runs[2])
    known = NUMBERS["stability"]  # later versions have more beside them
    assert {name: found[name].tolist() for name in known} == known


def test_comparison_has_the_same_results(earlier):
    store, runs = earlier
    found = [vars(one) for one in read_evaluations(store, runs[3])]
    for one, expected in zip(found, NUMBERS["comparison"], strict=True):
        assert {name: np.asarray(value).tolist() for name, value in one.items()} == (
            expected
        )


def test_fit_and_table_have_the_same_coefficients(earlier):
    store, runs = earlier
    fit = unpack_arrays(read_blobs(store, runs[4].id)["fit"])
    assert {name: array.tolist() for name, array in fit.items()} == NUMBERS["fit"]
    results = results_of(store, runs[5])
    assert results.outcomes.to_dict("list") == NUMBERS["reproduction"]
    assert [W.tolist() for W in results.coefficients.values()] == (
        NUMBERS["reproduction_W"]
    )


def test_what_is_not_finished_says_that_the_code_has_changed(path):
    path.write_bytes(gzip.decompress((FIXTURES / "store.sqlite.gz").read_bytes()))
    with Store(path) as store:
        (cancelled,) = [run for run in store.runs() if run.name == "a cancelled search"]
        (private,) = [run for run in store.runs() if run.owner]
        assert store.runs(visible_to="")[0].id == cancelled.id < private.id
        manager = Manager(store)
        try:
            manager.resume(cancelled.id)
            assert manager.wait(cancelled.id, 120)
        finally:
            manager.close()
        run = store.run(cancelled.id)
        assert run.status == "failed"
        assert "has changed since this run began" in run.message
