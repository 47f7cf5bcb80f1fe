"""The command line with a store: the same cells, not fitted twice."""

import pandas as pd
import pytest

from vstg.__main__ import main
from vstg.jobs import Store, stored_result

LINE = (
    "search train.csv --task task --target target --n-latent 3 --k 1 "
    "--gamma1 2^-4 2^-2 --gamma2 2^-4 1 --folds 3 --store runs.sqlite"
)


@pytest.fixture
def folder(tmp_path, monkeypatch, syn):
    monkeypatch.chdir(tmp_path)
    syn.train.to_frame().to_csv("train.csv", index=False)
    return tmp_path


def test_search_keeps_its_fits_in_the_store(folder, capsys):
    assert main([*LINE.split(), "-o", "first.csv"]) == 0
    assert main([*LINE.split(), "-o", "second.csv"]) == 0
    with Store("runs.sqlite") as store:
        second, first = store.runs()
        assert (first.status, first.fitted) == ("done", 12)
        assert (second.status, second.fitted, second.done) == ("done", 0, 12)
        assert second.best == first.best
        table = stored_result(store, first).frame
    written = pd.read_csv("first.csv")
    pd.testing.assert_frame_equal(written, table, check_dtype=False)
    pd.testing.assert_frame_equal(written, pd.read_csv("second.csv"))


def test_failure_is_in_the_history(folder, capsys):
    assert main([*LINE.split(), "--measure", "luck", "-o", "x.csv"]) == 2
    with Store("runs.sqlite") as store:
        (run,) = store.runs()
    assert run.status == "failed"
    assert "measure='luck' is unknown" in run.message


def test_validation_data_are_kept_too(folder, syn, capsys):
    syn.test.to_frame().to_csv("valid.csv", index=False)
    line = [*LINE.split(), "--validation", "valid.csv", "-o", "x.csv"]
    assert main(line) == 0
    with Store("runs.sqlite") as store:
        (run,) = store.runs()
        assert store.data(run.request.validation).n_rows == syn.test.n_rows


def test_cluster_that_is_not_there_is_said(folder, capsys, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("vstg.jobs.queue.cluster.CONNECT_SECONDS", 1)
    line = [*LINE.split(), "--scheduler", "tcp://127.0.0.1:9", "-o", "x.csv"]
    assert main(line) == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in capsys.readouterr().err
