"""Predict with the models of runs: what a search found, what was pinned."""

from dataclasses import replace
from threading import Event

import numpy as np
import pandas as pd
import pytest

from pages.predict import words as predict_words
from pages.predict.history import evaluation, scores
from pages.shared.fits import live
from pages.shared.fits.models import has_model, stored_model
from pages.shared.runs import visits
from pages.shared.runs.manager import run_manager
from vstg import solve_vstg
from vstg.datasets import load_sample
from vstg.jobs import (
    ComparisonRequest,
    DiscoveryRequest,
    FitRequest,
    Manager,
    SearchRequest,
)
from vstg.jobs.kinds.discovery import FOLDS
from vstg.jobs.queue import do_run
from vstg.jobs.queue.owners import new_owner
from vstg.model_selection import TaskKFold
from vstg.prediction import Predictor
from vstg.tables import Preparation, Recipe, prepare, read_table

SETTING = {"n_latent": 3, "k": 2, "gamma1": 2**-5, "gamma2": 2**-5}
GRID = {"n_latent": [3], "k": [1], "gamma1": [2**-5, 2.0], "gamma2": [2**-5]}


@pytest.fixture
def store(tmp_path, monkeypatch):
    live.warm_up()
    monkeypatch.setattr(Manager, "_serve", lambda manager: None)
    monkeypatch.setenv("VSTG_STORE", str(tmp_path / "runs.sqlite"))
    run_manager.clear()
    visits.visits.clear()
    yield run_manager().store
    run_manager().close()
    run_manager.clear()
    visits.visits.clear()


def add(store, request, prepared, **about):
    source = {"data": "Yours", "preparation": Preparation.of(prepared).to_json()}
    number = store.add_run(
        request, prepared.train, name=request.kind, source=source, **about
    )
    do_run(store, store.claim(number), Event())
    store.finish(number, "done")
    return store.run(number)


def prepared(name):
    sample = load_sample(name)
    table = read_table(sample.path)
    recipe = Recipe(
        sample.layout, sample.task, sample.targets, problem=sample.problem,
        missing="median",
    )  # fmt: skip
    return table, prepare(table, recipe)


@pytest.mark.parametrize("name", ["wards", "machines"])
def test_a_pinned_fit_predicts_rows_as_they_are_in_the_table(store, name):
    table, data = prepared(name)
    about = {"loss": data.loss, "fit_intercept": True}
    run = add(store, FitRequest(setting=SETTING, **about), data)
    model = stored_model(store, run)
    frame, _ = model.predict_table(table, data.recipe.task)
    expected = solve_vstg(data.train, **about, **SETTING)
    unit = data.train.task_units
    np.testing.assert_allclose(model.W, expected.W * unit)
    np.testing.assert_allclose(model.intercept, expected.intercept * unit)
    assert model.preparation is not None
    if name == "machines":
        assert set(frame["prediction"]) == {"yes", "no"}


def test_a_search_of_a_baseline_predicts_too(store):
    _, data = prepared("wards")
    grid = {"gamma1": [0.01, 1.0]}
    request = SearchRequest(method="ridge", grid=grid, folds=2, fit_intercept=True)
    fit = stored_model(store, add(store, request, data))
    assert fit.result.W.shape == (data.train.n_features, data.train.n_tasks)
    model = Predictor.load(fit.to_bytes())
    assert model.method == "ridge"
    np.testing.assert_array_equal(model.result.W, fit.result.W)
    np.testing.assert_allclose(model.W, fit.result.W * data.train.unit)


def test_a_run_is_compared_with_plain_models_on_rows_it_has_not_seen(store):
    """By hand: fitted without a fold, and the mean of each task beside it."""
    _, data = prepared("wards")
    options = {"loss": data.loss, "fit_intercept": True}
    run = add(store, FitRequest(setting=SETTING, **options), data)
    found = evaluation(store, run, "setting", stored_model(store, run))
    fold = TaskKFold(5, random_state=0).folds(data.train)[0]
    train, test = data.train.take(fold.train), data.train.take(fold.test)
    result = solve_vstg(train, **options, **SETTING)
    errors, means = [], []
    for j, (X, y) in enumerate(zip(test.X, test.y, strict=True)):
        off = y - X @ result.W[:, j] - result.intercept[j]
        errors.append(np.sqrt(np.mean(off**2)))
        means.append(np.sqrt(np.mean((y - train.y[j].mean()) ** 2)))
    assert found["error"] == pytest.approx(np.mean(errors) * data.train.unit)
    assert found["mean of each task"] == pytest.approx(np.mean(means) * data.train.unit)
    assert found["rows"] == predict_words.HELD_OUT
    of_rows = scores(store, run, "setting", stored_model(store, run))
    off = data.train.y[0][fold.test[0]] - train_predictions(data, fold, result)
    own = np.sort(np.abs(of_rows.by_task[0]))
    assert set(np.round(np.abs(off) * data.train.unit, 9)) <= set(np.round(own, 9))
    assert sum(map(len, of_rows.by_task)) == data.train.n_rows
    assert of_rows.rows == "5 folds"


def train_predictions(data, fold, result):
    return data.train.X[0][fold.test[0]] @ result.W[:, 0] + result.intercept[0]


def test_a_discovery_says_the_errors_of_its_folds(store):
    _, data = prepared("wards")
    part = replace(data, train=data.train.subset(tasks=data.train.task_names[:3]))
    request = DiscoveryRequest(fit_intercept=True, folds=2, n_resamples=0)
    run = add(store, request, part)
    found = evaluation(store, run, "setting", stored_model(store, run))
    assert found["error"] == run.best["error"]
    assert found["rows"] == FOLDS
    assert {"mean of each task", "ridge per task", "LASSO"} < set(found)
    assert found["error"] < found["mean of each task"]


def test_runs_without_a_model_are_not_offered(store):
    _, data = prepared("wards")
    waits = store.add_run(SearchRequest(grid=GRID), data.train)
    assert not has_model(store.run(waits))
    request = ComparisonRequest(methods=[], grids={}, splits=[])
    assert not has_model(store.run(store.add_run(request, data.train)))


def open_runs(open_app):
    app = open_app()
    app.switch_page("pages/5_Predict.py").run()
    way = next(w for w in app.get("button_group") if w.key == "predict_model")
    way.set_value(predict_words.MODEL_RUN).run()
    assert not app.exception
    return app


def test_the_page_offers_runs_and_predicts_a_file(store, open_app):
    app = open_runs(open_app)
    assert predict_words.NO_RUN in app.info[0].value
    _, data = prepared("wards")
    add(store, SearchRequest(grid=GRID, folds=2, fit_intercept=True), data)
    add(store, FitRequest(setting=SETTING), data, owner=new_owner())  # another's
    app = open_runs(open_app)
    assert app.selectbox(key="predict_run").options == ["1 · search"]
    said = next(c.value for c in app.caption if predict_words.HELD_OUT in c.value)
    assert all(name in said for name in ("RMSE", "R²", "ridge per task", "LASSO"))
    app.selectbox(key="predict_setting").set_value("one_se").run()
    content = load_sample("wards").path.read_bytes()
    app.file_uploader(key="rows").set_value(("new.csv", content, "text/csv")).run()
    assert not app.exception
    assert app.selectbox(key="rows_task").value == "ward"
    assert any("1,941 rows predicted" in text.value for text in app.markdown)
    assert isinstance(app.dataframe[0].value, pd.DataFrame)
    level = next(w for w in app.get("button_group") if w.key == "predict_level")
    level.set_value(0.9).run()
    assert {"lower", "upper"} < set(app.dataframe[0].value.columns)
