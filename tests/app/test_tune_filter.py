"""One filter drives every tab of Tune; what stays outside of it is said."""

import json
from pathlib import Path
from threading import Event

import pytest
from stopping import StopAfter
from streamlit.testing.v1 import AppTest

from pages.shared.data.catalogue import SyntheticData
from pages.shared.runs.manager import run_manager
from vstg.jobs import SearchRequest, StabilityRequest, Store
from vstg.jobs.queue import do_run

APP = str(Path(__file__).parents[2] / "app.py")
DATA = SyntheticData("Syn1", "25 × 20", 0, 50, 1.0)
GRID = {"n_latent": [3, 5], "k": [1, 3], "gamma1": [2**-4, 1.0], "gamma2": [0.3, 1.0]}
SETTING = {"n_latent": 3, "k": 1, "gamma1": 2**-2, "gamma2": 2**-2}


def add(store, request, stop=None, ended="done", **about):
    number = store.add_run(request, DATA.load().train, name=request.kind, **about)
    do_run(store, store.claim(number), stop or Event())
    store.finish(number, ended)
    return number


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A search as the command line leaves it, without a source, and two stabilities."""
    path = tmp_path_factory.mktemp("store") / "runs.sqlite"
    with Store(path) as store:
        add(store, SearchRequest(grid=GRID, folds=2))
        add(store, StabilityRequest(setting=SETTING, n_resamples=5))
        asked = StabilityRequest(setting=SETTING, n_resamples=40, seed=1)
        add(store, asked, StopAfter(4), "cancelled")
        strengths = {"gamma1": [2**-6, 2**-4, 1.0]}
        add(store, SearchRequest(method="lasso", grid=strengths, folds=2))
    return path


@pytest.fixture
def open_tune(path, monkeypatch):
    monkeypatch.setenv("VSTG_STORE", str(path))
    run_manager.clear()

    def opened(tab="Error maps", **query):
        app = AppTest.from_file(APP, default_timeout=60).run()
        for key, value in query.items():
            app.query_params[key] = value
        app.switch_page("pages/3_Tune.py")
        app.session_state["tune_tab"] = tab
        app.run()
        assert not app.exception
        return app

    yield opened
    run_manager().close()
    run_manager.clear()


def only_k_3(app):
    app.select_slider(key="filter_1_n_latent").set_value((3.0, 3.0)).run()
    assert not app.exception
    return app


def captions(app):
    # The warning above the tabs is about the choices of the whole search.
    said = (caption.value for caption in app.caption)
    return " ".join(text for text in said if "edge of the grid" not in text)


def test_what_the_filter_leaves_alone_is_said(open_tune):
    app = open_tune(run="1")
    assert "16 settings" in captions(app)
    assert "the whole search" in captions(only_k_3(app))


def test_maps_are_of_the_settings_shown(open_tune):
    app = open_tune(run="1")
    assert titles(app) == ["K = 3", "K = 5"]
    scales = [figure(app, n)["layout"]["coloraxis"] for n in (0, 1)]
    assert scales[0]["cmin"] == scales[1]["cmin"]
    assert scales[0]["cmax"] == scales[1]["cmax"]
    assert titles(only_k_3(app)) == ["K = 3"]


def test_one_parameter_alone_has_a_curve(open_tune):
    app = open_tune(run="4")
    curve, *marks = figure(app)["data"]
    assert curve["mode"] == "lines+markers"
    assert [mark["name"] for mark in marks] == ["best", "one standard error"]
    assert app.selectbox(key="tune_run").value == 4


def test_search_is_shown_before_the_stability_runs_of_it(open_tune):
    assert open_tune().selectbox(key="tune_run").value == 4


def figure(app, number=0):
    return json.loads(app.get("plotly_chart")[number].proto.spec)


def titles(app):
    count = len(app.get("plotly_chart"))
    return [figure(app, n)["layout"]["title"]["text"] for n in range(count)]


@pytest.mark.parametrize("tab", ["Path", "Stability"])
def test_path_and_stability_begin_from_a_setting_that_is_shown(open_tune, tab):
    app = only_k_3(open_tune(tab, run="1"))
    assert "K = 3" in captions(app)
    assert "K = 5" not in captions(app)
    key = f"{tab.lower()}_setting"
    app.segmented_control(key=key).set_value("another one").run()
    assert not app.exception
    options = app.selectbox(key=f"{key}_any").options
    assert len(options) == 8
    assert all(option.startswith("K = 3") for option in options)


def test_table_marks_the_choices(open_tune):
    app = open_tune("Table", run="1")
    signs = "".join(app.dataframe[0].value["choice"])
    assert sorted(signs) == sorted("★○")
    best = app.dataframe[0].value["n_latent"].iloc[0]
    other = 8.0 - best
    app.select_slider(key="filter_1_n_latent").set_value((other, other)).run()
    assert "★" not in "".join(app.dataframe[0].value["choice"])


def test_stability_runs_open_by_their_number(open_tune):
    app = open_tune(run="2")
    assert "Stability of K = 3" in captions(app)
    assert len(app.get("plotly_chart")) == 4
    # One that was cancelled shows what it has, and can go on.
    app = open_tune(run="3")
    assert "Cancelled after" in app.info[0].value
    assert len(app.get("plotly_chart")) == 4
    assert app.button(key="resume_3")


def test_ranges_of_a_run_are_not_those_of_another(open_tune):
    app = only_k_3(open_tune(run="1"))
    app.selectbox(key="tune_run").set_value(4).run()
    assert "3 settings" in captions(app)
    assert "in Explore" not in captions(app)  # which shows VSTG-MTL alone
    app.selectbox(key="tune_run").set_value(1).run()
    assert "16 settings" in captions(app)
    assert "in Explore" in captions(app)
