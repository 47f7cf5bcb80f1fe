"""A discovery as a run: what it finds is kept, and can be cancelled."""

from threading import Event

import numpy as np
import pytest

from vstg.datasets import make_syn
from vstg.jobs import DiscoveryRequest, Store, get_kind
from vstg.jobs.kinds.discovery import read_found
from vstg.jobs.queue import do_run

REQUEST = DiscoveryRequest(folds=2, n_resamples=1, n_jobs=2)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "runs.sqlite") as opened:
        yield opened


def test_what_is_found_is_kept(store):
    data = make_syn(1, random_state=0).train
    run = store.claim(store.add_run(REQUEST, data))
    do_run(store, run, Event())
    run = store.run(run.id)
    found = read_found(store, run)
    assert found.result.W.shape == (25, 20)
    assert found.result.U.any(axis=1).sum() == run.best["n_variables"] == 20
    assert found.result.settings.to_mapping() == run.best["setting"]
    assert found.n_halves == 2
    assert np.all((found.variables >= 0) & (found.variables <= 1))
    assert "20 of the 25 variables" in found.summary
    assert 0 < run.done <= run.total
    kind = get_kind("discovery")
    kind.read(store, run)
    assert kind.headline(run)[1] == "20 variables, 5 groups"


def test_cancelled_at_once_it_keeps_nothing(store):
    data = make_syn(1, n_train=10, random_state=0).train
    run = store.claim(store.add_run(REQUEST, data))
    stop = Event()
    stop.set()
    do_run(store, run, stop)
    assert read_found(store, run) is None
    get_kind("discovery").read(store, run)
