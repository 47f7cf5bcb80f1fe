"""Compare on data that are not drawn: a visitor's table, regression and labels."""

from pathlib import Path
from threading import Event

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.compare import words as compare_words
from pages.compare.page import splits_of
from pages.shared.data.catalogue import own_of_dataset
from pages.shared.fits import live
from pages.shared.runs import visits
from pages.shared.runs.manager import run_manager
from vstg.datasets import load_digits_tasks, load_sample
from vstg.jobs.kinds.comparison import read_evaluations
from vstg.jobs.queue import do_run
from vstg.jobs.queue.limits import WorkLimits

APP = str(Path(__file__).parents[2] / "app.py")


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A store of this test; its runs are done here, not in other processes."""
    monkeypatch.setattr(
        "pages.shared.runs.manager.server_limits", lambda: WorkLimits(jobs=0)
    )
    monkeypatch.setenv("VSTG_STORE", str(tmp_path / "runs.sqlite"))
    live.warm_up()
    run_manager.clear()
    visits.visits.clear()
    manager = run_manager()
    yield manager.store
    manager.close()
    run_manager.clear()
    visits.visits.clear()


def compare_with(content, name, least_rows=None):
    """A visitor who has uploaded a table and stands on Compare."""
    app = AppTest.from_file(APP, default_timeout=60).run()
    app.switch_page("pages/2_Data.py").run()
    app.file_uploader(key="upload").set_value((name, content, "text/csv")).run()
    if least_rows is not None:
        app.number_input(key="map_rows").set_value(least_rows).run()
    app.button(key="use").click().run()
    app.switch_page("pages/4_Compare.py").run()
    app.segmented_control(key="data").set_value("Yours")
    app.multiselect(key="compare_methods").set_value(["ridge", "lasso"])
    app.slider(key="compare_count").set_value(2).run()
    assert not app.exception
    return app


def finish(store, number):
    run = store.claim(number)
    do_run(store, run, Event())
    store.finish(number, "done")
    return store.run(number)


@pytest.mark.parametrize(
    ("name", "loss", "worst"),
    [("wards", "squared", np.inf), ("machines", "logistic", 0.5)],
)
def test_own_table_is_split_and_compared(store, name, loss, worst):
    app = compare_with(load_sample(name).path.read_bytes(), f"{name}.csv")
    assert compare_words.SPLITS_OF_TABLE in " ".join(m.value for m in app.markdown)
    app.button(key="compare_start").click().run()
    assert not app.exception
    run = finish(store, 1)
    assert (run.request.loss, run.request.fit_intercept) == (loss, True)
    # The rows of a repetition are the training rows, each once.
    for train, test in run.request.splits:
        parts = store.data(train), store.data(test)
        rows = sum(part.n_rows for part in parts)
        assert rows == app.session_state["own_data"].dataset.train.n_rows
        assert parts[0].task_names == parts[1].task_names
    judged = read_evaluations(store, run)
    assert len(judged) == 4
    assert all(0 <= one.error < worst for one in judged)
    app.run()
    assert not app.exception
    # Boxes, times, W of two, the second less the first, tasks.
    assert len(app.get("plotly_chart")) == 2 + 2 + 1 + 1
    titles = " ".join(m.value for m in app.markdown)
    assert ("Test RMSE" if loss == "squared" else "Test error rate") in titles
    assert compare_words.DIFFERENCES_TO.format(method="Ridge") in titles


def test_labels_keep_their_shares_in_every_split():
    digits = own_of_dataset(load_digits_tasks(random_state=0), "load_digits_tasks()")
    whole = digits.dataset.train
    first, second = splits_of(digits, 2)
    assert first[0].fingerprint != second[0].fingerprint
    for train, test in (first, second):
        assert train.shared_X
        assert train.n_rows + test.n_rows == whole.n_rows
        for y, part in zip(whole.y, train.y, strict=True):
            assert np.mean(part > 0) == pytest.approx(np.mean(y > 0), abs=0.005)


def test_table_that_cannot_be_split_is_refused_in_words(store):
    rows = [f"t{i % 3},{i * 7 % 11},{i * 5 % 13},{i * i % 7}" for i in range(30)]
    rows += ["lonely,1,2,3", "lonely,2,1,3"]
    table = "\n".join(["task,x,w,y", *rows]).encode()
    app = compare_with(table, "few.csv", least_rows=2)
    app.button(key="compare_start").click().run()
    assert not app.exception
    assert "Task 'lonely' has 1 row" in app.error[0].value
    assert store.runs() == []
