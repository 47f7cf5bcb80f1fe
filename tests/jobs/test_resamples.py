"""Stability runs keep every finished resample, and repeat none of them."""

import os
import signal
import time
from threading import Event

import numpy as np
import pytest
from stopping import StopAfter

from vstg.jobs import StabilityRequest, Store
from vstg.jobs.kinds.stability import read_frequencies, read_selected, write_selected
from vstg.jobs.queue import do_run
from vstg.jobs.store.run_files import export_runs, import_runs
from vstg.model_selection import stability
from vstg.model_selection.stability import Selected

SETTING = {"n_latent": 3, "k": 1, "gamma1": 2**-3, "gamma2": 2**-2}
NAMES = ("variables", "U", "V", "co_membership", "sharing", "n_selected")
PATIENCE = 120


def ask(n_resamples=10, **changes):
    return StabilityRequest(setting=SETTING, n_resamples=n_resamples, **changes)


def work_on(store, number, stop=None, ended="done"):
    """Do a run here, without a process."""
    run = store.claim(number)
    do_run(store, run, stop or Event())
    store.finish(number, ended)
    return store.run(number)


def assert_same(stored, found):
    for name in NAMES:
        np.testing.assert_array_equal(stored[name], getattr(found, name))
    np.testing.assert_array_equal(stored["kept"], found.reference.U.any(axis=1))


def test_stored_frequencies_are_those_of_the_bare_call(store, syn):
    run = work_on(store, store.add_run(ask(scheme="bootstrap", seed=3), syn.train))
    assert (run.done, run.total, run.fitted) == (10, 10, 10)
    bare = stability(
        syn.train, n_resamples=10, scheme="bootstrap", random_state=3, **SETTING
    )
    assert_same(read_frequencies(store, run), bare)
    assert run.best["n_sure"] == int((bare.variables >= 0.9).sum())


def test_cancelled_run_keeps_its_resamples_and_goes_on(store, syn):
    number = store.add_run(ask(), syn.train)
    run = work_on(store, number, StopAfter(3), "cancelled")
    kept = run.done
    assert 3 <= kept < 10
    part = read_frequencies(store, run)
    assert len(part["n_selected"]) == kept
    store.resume(number)
    run = work_on(store, number)
    assert (run.done, run.fitted) == (10, 10 - kept)
    found = stability(syn.train, n_resamples=10, **SETTING)
    assert_same(read_frequencies(store, run), found)


def test_more_resamples_take_over_those_that_are_there(store, syn):
    work_on(store, store.add_run(ask(6), syn.train))
    more = work_on(store, store.add_run(ask(10, n_jobs=2), syn.train))
    assert (more.done, more.fitted) == (10, 4)
    assert_same(
        read_frequencies(store, more), stability(syn.train, n_resamples=10, **SETTING)
    )


@pytest.mark.parametrize(
    "change",
    [{"seed": 1}, {"scheme": "bootstrap"}, {"fit_intercept": True}],
)
def test_another_question_shares_no_resample(store, syn, change):
    work_on(store, store.add_run(ask(2), syn.train))
    other = work_on(store, store.add_run(ask(2, **change), syn.train))
    assert other.fitted == 2


def test_killed_worker_loses_no_resample(store, manager, syn):
    number = manager.submit(ask(4000), syn.train)
    deadline = time.monotonic() + PATIENCE
    while store.run(number).done < 20:
        assert store.run(number).active, store.run(number)
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(int(store.run(number).worker.rpartition(":")[2]), signal.SIGKILL)
    assert manager.wait(number, PATIENCE)
    run = store.run(number)
    kept = run.done
    assert run.status == "interrupted"
    assert 20 <= kept < 4000
    assert len(read_frequencies(store, run)["n_selected"]) == kept
    manager.close()
    # A new run that wants little more is served from what was kept.
    run = work_on(store, store.add_run(ask(kept + 5), syn.train))
    assert (run.done, run.fitted) == (kept + 5, 5)


def test_exported_resamples_are_not_fitted_again_elsewhere(store, syn, tmp_path):
    run = work_on(store, store.add_run(ask(4), syn.train))
    with Store(tmp_path / "other.sqlite") as other:
        (number,) = import_runs(other, export_runs(store, [run.id]))
        first, second = (
            read_frequencies(store, run),
            read_frequencies(other, other.run(number)),
        )
        for name in first:
            np.testing.assert_array_equal(first[name], second[name])
        again = work_on(other, other.add_run(ask(4), syn.train))
        assert again.fitted == 0


def test_patterns_come_back_equal():
    rng = np.random.default_rng(0)
    U, V = rng.random((7, 3)) > 0.5, rng.random((3, 5)) > 0.5
    back = read_selected(write_selected(Selected(U, V)))
    np.testing.assert_array_equal(back.U, U)
    np.testing.assert_array_equal(back.V, V)
