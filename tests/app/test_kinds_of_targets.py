"""Counts and numbers with outliers through Data, Explore, Compare and Predict."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from test_compare_own import finish, store  # noqa: F401

from pages.explore.export.share import python_code, report
from pages.explore.results.findings import find
from pages.predict import words as predict_words
from pages.shared.fits import live
from pages.shared.state.choices import choices
from vstg.jobs.kinds.comparison import read_evaluations


@pytest.fixture(scope="module")
def visits():
    """Six wards of two kinds: counts, and costs of which every twelfth is a mistake."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6 * 40, 4))
    m = np.where(np.arange(240) < 120, 0.8 * X[:, 0] - 0.5 * X[:, 1], 0.7 * X[:, 2])
    table = pd.DataFrame(X, columns=["beds", "age", "stairs", "noise"])
    table.insert(0, "ward", np.repeat([f"ward {j}" for j in range(6)], 40))
    table["visits"] = rng.poisson(np.exp(1 + m))
    table["cost"] = 100 * m + 20 * rng.normal(size=len(m))
    table.loc[::12, "cost"] += 5000.0
    return table


@pytest.fixture
def open_table(open_app, visits):
    """The Data page with the table and one of its targets."""
    live.warm_up()

    def opened(target, other, table=visits):
        app = open_app()
        app.switch_page("pages/2_Data.py").run()
        content = table.drop(columns=other).to_csv(index=False).encode()
        app.file_uploader(key="upload").set_value(("t.csv", content, "text/csv")).run()
        app.selectbox(key="map_task").set_value("ward")
        app.selectbox(key="map_target").set_value(target).run()
        assert not app.exception
        return app

    return opened


def shown(app):
    return " ".join(piece.value for piece in app.get("html"))


def group(app, key):
    return next(widget for widget in app.get("button_group") if widget.key == key)


def run_code(app, visits, other, tmp_path, monkeypatch):
    """What Copy as Python gives, and the report of the same fit."""
    own, model = app.session_state["own_data"], app.session_state["last_model"]
    picked = replace(choices({}), data=own, settings=model.result.settings)
    code = python_code(picked)
    visits.drop(columns=other).to_csv(tmp_path / "t.csv", index=False)
    monkeypatch.chdir(tmp_path)
    scope = {}
    exec(code, scope)
    np.testing.assert_allclose(scope["result"].W, model.result.W, atol=1e-9)
    found = find(model.result, own.dataset, 0.1)
    return report(picked, found, model.result, own.dataset, code).decode()


def test_counts_from_the_remark_to_the_prediction(
    open_table, visits, tmp_path, monkeypatch
):
    app = open_table("visits", "cost")
    assert group(app, "map_problem").value == "regression"
    assert "the target holds whole numbers from 0" in shown(app)
    next(b for b in app.button if b.label == "Treat it as counts").click().run()
    assert group(app, "map_problem").value == "counts"
    assert any("problem='counts'" in code.value for code in app.code)
    app.button(key="use").click().run()
    assert not app.exception
    assert "mean deviance" in shown(app)
    assert app.session_state["last_model"].loss == "poisson"
    assert app.session_state["own_data"].dataset.train.units == ()
    page = run_code(app, visits, "cost", tmp_path, monkeypatch)
    assert "mean deviance, mean over tasks" in page
    assert "the logarithm of the expected count" in page
    app.switch_page("pages/5_Predict.py").run()
    assert any(c.value == predict_words.COUNTS_NOTE for c in app.caption)
    group(app, "predict_way").set_value(predict_words.ROWS_TYPED).run()
    assert not app.exception
    found = next(m for m in app.metric if m.label == predict_words.EXPECTED_COUNT)
    total = app.session_state["last_model"].predict(visits.head(40))["expected count"]
    assert 0.3 * total.min() < float(found.value) < total.max()


@pytest.mark.parametrize("value", [-2, 0.5])
def test_what_is_no_count_is_refused_before_the_fit(open_table, visits, value):
    table = visits.assign(visits=visits["visits"].astype(float))
    table.loc[3, "visits"] = value
    app = open_table("visits", "cost", table)
    group(app, "map_problem").set_value("counts").run()
    assert "counts are 0, 1, 2 and so on; choose numbers instead" in shown(app)
    assert app.button(key="use").disabled


def test_outliers_and_their_threshold(open_table, visits, tmp_path, monkeypatch):
    app = open_table("cost", "visits")
    assert "are very far from the median of their task" in shown(app)
    group(app, "map_problem").set_value("counts").run()  # which hides a switch
    group(app, "map_problem").set_value("regression").run()
    next(b for b in app.button if b.label == "Expect outliers").click().run()
    assert app.checkbox(key="map_target_scaling").value
    app.number_input(key="map_threshold").set_value(0.5).run()
    assert any("threshold=0.5" in code.value for code in app.code)
    app.button(key="use").click().run()
    assert not app.exception
    assert "mean absolute error" in shown(app)
    own, model = app.session_state["own_data"], app.session_state["last_model"]
    assert own.dataset.loss == model.loss == "huber:0.5"
    assert 30 < own.dataset.train.unit < 200  # the spread of what is no mistake
    page = run_code(app, visits, "visits", tmp_path, monkeypatch)
    assert "mean absolute error, mean over tasks" in page
    assert "Huber&#x27;s loss" in page or "Huber's loss" in page


def test_all_methods_are_compared_by_the_deviance(open_table, store):  # noqa: F811
    app = open_table("visits", "cost")
    group(app, "map_problem").set_value("counts").run()
    app.button(key="use").click().run()
    app.switch_page("pages/4_Compare.py").run()
    app.segmented_control(key="data").set_value("Yours")
    app.multiselect(key="compare_methods").set_value(["ridge", "pooled"])
    app.slider(key="compare_count").set_value(2).run()
    app.button(key="compare_start").click().run()
    assert not app.exception
    run = store.runs()[0]
    assert run.request.loss == "poisson"
    finish(store, run.id)
    app.run()
    assert not app.exception
    assert "mean deviance" in " ".join(m.value for m in app.markdown)
    found = {e.method: e.error for e in read_evaluations(store, store.run(run.id))}
    assert found["ridge"] < 0.8 * found["pooled"]  # two kinds of wards
