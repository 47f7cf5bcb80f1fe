"""A link to a run is followed even where the page shows another one already."""

from pathlib import Path
from threading import Event

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.data.catalogue import SyntheticData
from pages.shared.runs.manager import run_manager
from pages.shared.state.choices import control_values
from vstg.jobs import ComparisonRequest, FitRequest, SearchRequest, Store
from vstg.jobs.queue import do_run

APP = str(Path(__file__).parents[2] / "app.py")
DATA = SyntheticData("Syn1", "25 × 20", 0, 50, 1.0)
SETTING = {"n_latent": 2, "k": 1, "gamma1": 1.0, "gamma2": 1.0}
ONE = {name: [value] for name, value in SETTING.items()}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Two searches, two fits and a comparison."""
    path = tmp_path_factory.mktemp("links") / "runs.sqlite"
    loaded = DATA.load()
    with Store(path) as store:
        pair = [store.add_data(loaded.train), store.add_data(loaded.test)]
        grids = {"ridge": {"gamma1": [0.1]}}
        for request in (
            SearchRequest(grid=ONE, folds=2),
            SearchRequest(grid=ONE, folds=3),
            FitRequest(setting=SETTING),
            FitRequest(setting=SETTING | {"k": 2}),
            ComparisonRequest(methods=["ridge"], grids=grids, splits=[pair], folds=2),
        ):
            source = control_values(DATA)
            number = store.add_run(request, loaded.train, source=source)
            do_run(store, store.claim(number), Event())
            store.finish(number, "done")
    return path


@pytest.fixture
def app(path, monkeypatch):
    monkeypatch.setenv("VSTG_STORE", str(path))
    run_manager.clear()
    yield AppTest.from_file(APP, default_timeout=60).run()
    run_manager().close()
    run_manager.clear()


def follow(app, page, **query):
    """Go to a page as a link of another page does."""
    app.query_params.clear()
    for key, value in query.items():
        app.query_params[key] = value
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    return app


def test_new_link_wins_and_then_the_visitor_does(app):
    follow(app, "3_Tune", run="1")
    assert app.selectbox(key="tune_run").value == 1
    follow(app, "6_History")
    follow(app, "3_Tune", run="2")
    assert app.selectbox(key="tune_run").value == 2
    app.selectbox(key="tune_run").set_value(1).run()
    assert app.selectbox(key="tune_run").value == 1
    assert app.query_params["run"] in (["1"], "1")
    app.run()
    assert app.selectbox(key="tune_run").value == 1


def test_runs_of_a_new_link_are_compared_and_others_named(app):
    follow(app, "4_Compare", run="5")
    assert app.segmented_control(key="compare_part").value == "methods"
    follow(app, "4_Compare", runs="1-3")
    assert app.segmented_control(key="compare_part").value == "runs"
    assert app.multiselect(key="compare_pins").value == [1, 3]
    assert not app.warning
    follow(app, "6_History")
    follow(app, "4_Compare", runs="3-4-5")
    assert app.multiselect(key="compare_pins").value == [3, 4]
    assert "Left out: 5" in app.warning[0].value
    follow(app, "4_Compare", run="5")
    assert app.segmented_control(key="compare_part").value == "methods"
