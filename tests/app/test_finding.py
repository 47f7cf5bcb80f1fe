"""Find the settings, and how sure a fit is: buttons of Explore."""

from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.compare.runs import can_be_pinned, pinned
from pages.explore import words
from pages.explore.export.share import python_code, report
from pages.explore.picture.stage import scheme_data
from pages.explore.results.findings import find
from pages.shared.data.catalogue import SyntheticData, own_of_table
from pages.shared.fits import discoveries, live
from pages.shared.fits.certainty import SelectionStability, on_halves
from pages.shared.fits.models import has_model, stored_model
from pages.shared.runs.manager import run_manager
from pages.shared.state import keys
from pages.shared.state.choices import choices, control_values
from vstg.jobs import DiscoveryRequest, FitRequest, Store, get_kind
from vstg.jobs.kinds.discovery import FoundModel, read_found
from vstg.jobs.queue import do_run
from vstg.objective import Settings
from vstg.plots import scheme_payload
from vstg.problem import Problem
from vstg.solvers import solve_problem
from vstg.tables import Recipe, prepare, read_table

APP = str(Path(__file__).parents[2] / "app.py")
DATA = SyntheticData("Syn1", "25 × 20", 0, 50, 1.0)
SETTINGS = Settings(5, 1, 0.3, 2**-5, 0.3, cut=0.2, relax=0.0)


@pytest.fixture(scope="module", autouse=True)
def compiled():
    live.warm_up()


@pytest.fixture
def store(tmp_path, monkeypatch):
    """An empty store whose runs nobody begins."""
    path = tmp_path / "runs.sqlite"
    Store(path).close()
    monkeypatch.setenv("VSTG_STORE", str(path))
    run_manager.clear()
    manager = run_manager()
    monkeypatch.setattr(manager, "_wake", lambda: None)
    monkeypatch.setattr(manager.store, "claim", lambda *_: None)
    yield manager.store
    manager.close()
    run_manager.clear()


@pytest.fixture
def finding(store, monkeypatch):
    """A finished discovery of the data that Explore opens with."""
    problem = Problem.of_dataset(DATA.load())
    result = solve_problem(problem, SETTINGS)
    found = FoundModel(
        result, np.linspace(0, 1, 25), np.ones((20, 20)), 50, "All is found.", True
    )
    monkeypatch.setattr(discoveries, "read_found", lambda *_: found)
    number = store.add_run(
        DiscoveryRequest(), DATA.load().train, source=control_values(DATA)
    )
    with Store(store.path) as other:
        other.claim(number)
        other.finish(number, "done")
    return number


def text_of(app):
    return " ".join(html.value for html in app.get("html"))


def test_button_begins_a_run_that_can_be_watched(open_app, store):
    app = open_app()
    app.button(key="find_settings").click().run()
    assert not app.exception
    (run,) = store.runs()
    assert run.kind == "discovery"
    assert run.active
    assert any(button.key == f"cancel_{run.id}" for button in app.button)


def test_what_is_found_moves_the_controls_and_is_marked(open_app, finding):
    app = open_app(K=3, starts=5)
    app.session_state[keys.EXPLORE_FIND] = finding
    app.run()
    assert not app.exception
    assert (app.session_state["K"], app.session_state["g1"]) == (5, -2)
    assert (app.session_state["cut"], app.session_state["refit"]) == (20, True)
    assert app.session_state["starts"] == 1
    said = " ".join(m.value for m in app.markdown)
    assert "Found by cross-validation" in said
    assert "All is found." in said
    assert app.session_state["exact"] == "g1=0.3"
    assert any("Exactly: γ₁ = 0.3." in caption.value for caption in app.caption)
    assert "50 random halves" in text_of(app)
    assert "<small>100%</small>" in text_of(app)
    app.slider(key="K").set_value(4).run()
    assert words.FOUND_BADGE not in " ".join(m.value for m in app.markdown)


def test_settings_of_other_data_do_not_move_the_controls(open_app, finding):
    app = open_app(K=3, seed=9)
    app.session_state[keys.EXPLORE_FIND] = finding
    app.run()
    assert app.session_state["K"] == 3
    assert any(words.FOUND_ELSEWHERE in caption.value for caption in app.caption)


def test_certainty_on_demand(open_app):
    app = open_app(seed=3, cut=20, refit="true", tab=words.TABS["variables"])
    assert "random halves" not in text_of(app)
    app.button(key="how_sure").click().run()
    assert not app.exception
    assert "50 random halves" in text_of(app)
    assert "frequency" in app.dataframe[0].value.columns
    assert not any(button.key == "how_sure" for button in app.button)


def test_true_variables_are_surer_than_others():
    chosen = choices({"cut": 20, "refit": True})
    sure = on_halves(chosen, live.fit(chosen))
    relevant = live.load(chosen.data).truth.U.any(axis=1)
    assert sure.variables[relevant].min() > 0.9
    assert sure.variables[~relevant].max() < 0.5
    assert sure.of_group((0, 1, 2, 3)) > 0.9


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A small table of two kinds of shops, as a visitor brings it."""
    rng = np.random.default_rng(0)
    lines = ["shop,price,rain,staff,size,sales"]
    for shop, w in zip("abcd", [(2, 0)] * 2 + [(0, -2)] * 2, strict=True):
        for x in rng.normal(size=(16, 4)).round(2):
            y = w[0] * x[0] + w[1] * x[2] + 0.3 * rng.normal()
            lines.append(f"{shop},{','.join(map(str, x))},{y:.2f}")
    path = tmp_path_factory.mktemp("own") / "shops.csv"
    path.write_text("\n".join(lines), "utf-8")
    table = read_table(path)
    prepared = prepare(table, Recipe("long", "shop", ("sales",)))
    return path, own_of_table(table, prepared, uploaded=False)


@pytest.fixture(scope="module")
def discovered(own, tmp_path_factory):
    """A store with what was found in the table."""
    dataset = own[1].dataset
    path = tmp_path_factory.mktemp("found") / "runs.sqlite"
    request = DiscoveryRequest(
        loss=dataset.loss, fit_intercept=dataset.fit_intercept, n_jobs=2
    )
    with Store(path) as opened:
        number = opened.add_run(request, dataset.train, source={"data": "Yours"})
        do_run(opened, opened.claim(number), Event())
        opened.finish(number, "done")
        yield opened


def test_with_own_data_there_is_nothing_of_synthetic_data(own):
    app = AppTest.from_file(APP, default_timeout=60)
    app.session_state[keys.OWN_DATA] = own[1]
    app.query_params["data"] = "Yours"
    app.query_params["seed"] = "7"
    app.run()
    assert not app.exception
    shown = {w.key for kind in ("slider", "number_input", "button", "selectbox")
             for w in app.get(kind)}  # fmt: skip
    assert not shown & {"seed", "n", "noise", "size", "draw_again", "truth"}
    assert not any(key.startswith("preset_") for key in shown if key)
    assert "find_settings" in shown
    assert "Estimation error" not in text_of(app)
    app.segmented_control(key="data").set_value("Syn2").run()
    assert not app.exception
    assert app.number_input(key="seed").value is not None


def test_python_code_of_a_found_model_finds_it_again(own, discovered, monkeypatch):
    path, record = own
    (run,) = discovered.runs()
    found = read_found(discovered, run)
    chosen = replace(choices({}), data=record)
    monkeypatch.chdir(path.parent)
    code = python_code(chosen, found=True)
    names = {}
    exec(code, names)
    np.testing.assert_allclose(names["found"].result.W, found.result.W, atol=1e-10)
    page = report(
        chosen, find(found.result, record.dataset), found.result, record.dataset,
        code, found,
    ).decode("utf-8")  # fmt: skip
    assert "discover(train" in page
    lines = found.summary.splitlines()
    assert lines[0] in page  # how sure it is
    groups = [line.strip() for line in lines if line.startswith(" ")]
    assert groups and not any(line in page for line in groups)  # told as sentences
    assert "Click a cell" not in page  # nothing happens on paper


def test_models_found_are_in_the_lists_of_models(discovered):
    (run,) = discovered.runs()
    found = read_found(discovered, run)
    assert has_model(run)
    assert can_be_pinned(run)
    model = stored_model(discovered, run)
    np.testing.assert_array_equal(model.result.W, found.result.W)
    pin = pinned(discovered, run)
    assert pin.setting == found.result.settings.to_mapping()


def test_the_picture_has_how_sure_variables_and_groups_are():
    chosen = choices({"cut": 20, "refit": True})
    sure = SelectionStability(np.linspace(0, 1, 25), np.full((20, 20), 0.9), 50)
    found = find(live.fit(chosen), live.load(chosen.data))
    plain = scheme_payload(scheme_data(found, chosen.view, None))
    assert plain["sure_variables"] is None
    view = replace(chosen.view, by_size=True)
    shown = scheme_payload(scheme_data(replace(found, sure=sure), view, None))
    order = [f"x{i}" for i in range(25)]
    expected = [sure.variables[order.index(name)] for name in shown["variables"]]
    np.testing.assert_allclose(shown["sure_variables"], expected, atol=1e-4)
    assert shown["sure_groups"] == [0.9] * 5


def test_a_pinned_fit_is_the_one_that_was_shown(store):
    chosen = choices({"data": "Syn2", "k": 2, "g1": -2, "starts": 5, "seed": 1})
    request = FitRequest(setting=chosen.settings.to_mapping(), n_init=5)
    data = live.load(chosen.data)
    number = store.add_run(request, data.train)
    with Store(store.path) as other:
        do_run(other, other.claim(number), Event())
        model = stored_model(other, other.run(number))
    np.testing.assert_array_equal(model.W, live.fit(chosen).W)
    assert "5 starts" in get_kind("fit").describe(request)
