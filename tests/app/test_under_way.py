"""Searches under way, and one without folds, on Tune and in History."""

import json
from pathlib import Path
from threading import Event

import pandas as pd
import pytest
from stopping import StopAfter
from streamlit.testing.v1 import AppTest

from pages.shared.data.catalogue import SyntheticData
from pages.shared.runs.manager import run_manager
from pages.tune.live import newest
from vstg.jobs import SearchRequest, Store
from vstg.jobs.queue import do_run

APP = str(Path(__file__).parents[2] / "app.py")
TUNE, HISTORY = "pages/3_Tune.py", "pages/6_History.py"
DATA = SyntheticData("Syn1", "25 × 20", 0, 50, 1.0)
PATIENCE = 120
GRID = {"n_latent": [3, 5], "k": [1], "gamma1": [2**-4, 1.0], "gamma2": [0.25, 1.0]}


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Of the store that the pages open."""
    path = tmp_path / "runs.sqlite"
    monkeypatch.setenv("VSTG_STORE", str(path))
    run_manager.clear()
    yield path
    run_manager().close()
    run_manager.clear()


def opened(page):
    app = AppTest.from_file(APP, default_timeout=60).run()
    app.switch_page(page).run()
    assert not app.exception
    return app


def words(app):
    return " ".join(element.value for element in [*app.markdown, *app.caption])


def test_map_follows_the_search_until_a_combination_is_picked(path):
    loaded = DATA.load()
    with Store(path) as store:
        store.add_run(SearchRequest(grid=GRID, folds=2), loaded.train, name="search")
        do_run(store, store.claim(1), StopAfter(6))  # its process, this one, lives on
        app = opened(TUNE)
        followed = json.loads(app.get("plotly_chart")[0].proto.spec)
        assert followed["layout"]["xaxis"]["title"]["text"] == "γ₁"
        assert "K = 3, k = 1" in words(app) or "K = 5, k = 1" in words(app)
        assert "RMSE " in words(app)
        app.toggle(key="follow").set_value(False).run()
        assert app.selectbox(key="live_n_latent").value in (3, 5)
        assert not app.exception
        store.finish(1, "cancelled")


def test_newest_is_of_the_row_that_came_last():
    arrival = pd.DataFrame({"n_latent": [3.0, 5.0, 9.0], "k": [1, 3, 1]})
    assert newest(["n_latent", "k"], arrival) == {"n_latent": 9, "k": 1}


def test_one_validation_set_has_no_standard_error(path):
    loaded = DATA.load()
    with Store(path) as store:
        request = SearchRequest(grid=GRID, validation=store.add_data(loaded.test))
        store.add_run(request, loaded.train, name="search")
        do_run(store, store.claim(1), Event())
        store.finish(1, "done")
    page = " ".join(html.proto.body for html in opened(TUNE).get("html"))
    assert "Lowest RMSE" in page
    assert "nan" not in page


def test_history_stops_a_run_and_lets_it_go_on(path):
    app = opened(HISTORY)
    manager = run_manager()
    number = manager.submit(SearchRequest(), DATA.load().train)  # the paper's grid
    app.run()
    app.button(key=f"cancel_{number}").click().run()
    assert manager.wait(number, PATIENCE)
    app.run()
    app.button(key=f"resume_{number}").click().run()
    assert not app.exception
    assert manager.store.run(number).active
    manager.cancel(number)
    assert manager.wait(number, PATIENCE)


def test_what_ended_before_its_first_fit_names_no_number_of_fits(path):
    with Store(path) as store:
        number = store.add_run(SearchRequest(grid=GRID), DATA.load().train)
        store.claim(number)
        store.finish(number, "failed", "no scheduler answers")
    (error,) = opened(TUNE).error
    assert error.value == "Could not start: No scheduler answers."
