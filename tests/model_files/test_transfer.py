"""Tasks that are added to a model: raw rows, units, labels, files, comparisons."""

import warnings

import numpy as np
import pandas as pd
import pytest
from test_predictor import fitted

from vstg import VSTGClassifier, VSTGRegressor, load_model
from vstg.datasets import make_syn
from vstg.model_selection import compare_new_task
from vstg.model_selection.sharing import ALL, MEAN, RIDGE, SHARED, compare_transfer
from vstg.prediction import Predictor
from vstg.solvers import fit_task
from vstg.tables import TableError


@pytest.fixture(scope="module")
def shops():
    model, table = fitted("shops")
    rows = table.frame[table.frame["shop"] == "city 1"].assign(shop="harbour 1")
    return model, rows


def test_the_new_task_is_fitted_in_the_units_of_the_fit(shops):
    model, rows = shops
    made = model.transfer(rows.head(10), "units_sold")
    X = model.preparation.transform.apply(rows.head(10))
    by_hand = fit_task(model.result, X, rows["units_sold"][:10] / model.units[0])
    np.testing.assert_allclose(made.fits[0].v, by_hand.v, atol=1e-8)
    predicted = made.predictor.predict(rows)["prediction"]
    X = model.preparation.transform.apply(rows)
    expected = model.units[0] * (X @ by_hand.w + by_hand.intercept)
    np.testing.assert_allclose(predicted, expected, rtol=1e-6)
    before = model.predict(rows.assign(shop="city 2"))
    after = made.predictor.predict(rows.assign(shop="city 2"))
    pd.testing.assert_frame_equal(before, after)


def test_a_file_keeps_the_new_task_and_that_it_was_added(shops):
    model, rows = shops
    made = model.transfer(rows.head(10), "units_sold").predictor
    again = Predictor.load(made.to_bytes())
    assert again.added == {"harbour 1": 10}
    pd.testing.assert_frame_equal(again.predict(rows), made.predict(rows))
    more = again.transfer(rows.assign(shop="harbour 2"), "units_sold").predictor
    assert list(more.added) == ["harbour 1", "harbour 2"]
    w, b = again.mean_task  # of the tasks of the fit alone
    np.testing.assert_allclose(w, model.mean_task[0])
    assert b == pytest.approx(model.mean_task[1])


def test_rows_that_do_not_serve_are_named(shops):
    model, rows = shops
    mixed = rows.head(9).copy()
    mixed.iloc[0, mixed.columns.get_loc("shop")] = "city 2"
    mixed.iloc[1, mixed.columns.get_loc("units_sold")] = np.nan
    made = model.transfer(mixed, "units_sold")
    assert made.predictor.added == {"harbour 1": 7}
    assert "1 rows of known tasks" in made.rows.notes[0]
    named = model.transfer(
        mixed.drop(columns="shop"), "units_sold", task="harbour 9"
    ).predictor
    assert named.added == {"harbour 9": 8}
    with pytest.raises(TableError, match="no row of a new task"):
        model.transfer(rows.assign(shop="city 2"), "units_sold")
    with pytest.raises(TableError, match="no column 'sales'"):
        model.transfer(rows, "sales")


def test_labels_stay_those_of_the_table():
    model, table = fitted("machines")
    task, target = model.task_name, model.preparation.recipe.targets[0]
    name = table.frame[task].iloc[0]
    rows = table.frame[table.frame[task] == name].assign(**{task: "press 99"})
    made = model.transfer(rows, target)
    new = Predictor.load(made.predictor.to_bytes()).predict(rows)
    assert set(new["prediction"]) <= {"yes", "no"}
    assert (new["prediction"] == rows[target]).mean() > 0.7
    score = compare_transfer(model, made)[0]
    assert score.measure == "error rate"
    assert set(score.errors) == {SHARED, RIDGE, MEAN, ALL}
    one = rows[rows[target] == "no"]
    with pytest.raises(TableError, match="has the labels 'no': give rows of both"):
        model.transfer(one, target)


def test_a_wide_model_takes_a_new_target():
    model, table = fitted("wines")
    made = model.transfer(
        table.frame.assign(taster_99=2 * table.frame["taster_1"]), "taster_99"
    )
    new = made.predictor.predict(table.frame)
    assert made.predictor.task_names[-1] == "taster_99"
    slope = np.polyfit(new["prediction taster_1"], new["prediction taster_99"], 1)[0]
    assert slope == pytest.approx(2.0, abs=0.2)


def test_a_task_without_rows_has_the_mean_of_all_if_asked(shops):
    model, rows = shops
    both = pd.concat([rows.head(3), rows.head(3).assign(shop="city 2")])
    with pytest.raises(TableError, match="does not know"):
        model.predict(both)
    new = model.predict(both, unknown="mean")
    every = model.predict(rows.head(3), None).mean(axis=1)
    np.testing.assert_allclose(new["prediction"][:3], every)
    assert (new["fallback"] != "").tolist() == [True] * 3 + [False] * 3
    known = model.predict(both.tail(3))["prediction"]
    np.testing.assert_allclose(new["prediction"].tail(3), known)
    wide = fitted("wines")[0]
    with pytest.raises(TableError, match="different units"):
        _ = wide.mean_task


def test_sharing_helps_where_tasks_share_and_few_rows_say_so():
    syn = make_syn(1, random_state=0)
    train = syn.train.to_frame()
    known, new = train[train["task"] != "task7"], train[train["task"] == "task7"]
    model = VSTGRegressor("task", n_latent=5, k=1, gamma1=0.25, gamma2=2**-10)
    model.fit(known.drop(columns="target"), known["target"])
    data = syn.train.subset(tasks=["task7"])
    score = compare_new_task(model.result_, data.take([np.arange(15)]))
    assert score.errors[SHARED] < 0.8 * score.errors[RIDGE]
    assert "Sharing helps" in score.sentence()
    few = compare_new_task(model.result_, data.take([np.arange(3)]))
    assert few.gain is None and "too few" in few.sentence()
    grown = model.transfer(new.drop(columns="target").head(15), new["target"].head(15))
    X = syn.test.to_frame()
    X = X[X["task"] == "task7"]
    error = np.sqrt(
        np.mean((grown.predict(X.drop(columns="target")) - X["target"]) ** 2)
    )
    assert error < 1.4  # the noise is 1
    with pytest.raises(ValueError, match="were in the fit"):
        grown.transfer(new.drop(columns="target"), new["target"])


def test_estimators_keep_new_tasks_in_their_files(tmp_path, rng):
    X, W = rng.standard_normal((60, 5)), rng.standard_normal((5, 3))
    Y = X @ W + 0.1 * rng.standard_normal((60, 3))
    model = VSTGRegressor(n_latent=3, k=3, gamma1=0.01, gamma2=0.01).fit(X, Y[:, :2])
    grown = model.transfer(X[:20], (Y[:, 0] + Y[:, 1])[:20])
    assert grown.predict(X).shape == (60, 3)
    np.testing.assert_allclose(grown.predict(X)[:, :2], model.predict(X))
    np.testing.assert_allclose(grown.predict(X)[:, 2], Y[:, 0] + Y[:, 1], atol=0.6)
    grown.save(tmp_path / "model.npz")
    again = load_model(tmp_path / "model.npz")
    assert again.tasks_ == ("task0", "task1", "task2")
    np.testing.assert_allclose(again.predict(X), grown.predict(X))
    plain = VSTGRegressor(n_latent=1, k=1).fit(X, Y[:, 0])
    with pytest.raises(ValueError, match="none can be added"):
        plain.transfer(X, Y[:, 1])


def test_a_classifier_takes_a_task_with_labels_of_its_own(rng):
    X, tasks = rng.standard_normal((120, 4)), np.repeat(["a", "b", "c"], 40)
    up = X[:, 0] + 0.3 * rng.standard_normal(120) > 0
    y = np.where(up, "good", "bad")
    y[80:] = np.where(up[80:], "yes", "no")
    table = pd.DataFrame(X, columns=list("pqrs")).assign(task=tasks)
    model = VSTGClassifier("task", n_latent=2, k=1, gamma1=0.01, gamma2=0.01)
    model.fit(table[:80], y[:80])
    grown = model.transfer(table[80:], y[80:])
    assert set(grown.classes_) == {"good", "bad", "yes", "no"}
    assert (grown.predict(table[80:]) == y[80:]).mean() > 0.8
    strange = table[80:].assign(task="d")
    with pytest.warns(UserWarning, match="were not in the fit"):
        assert set(model.predict(strange, unknown="mean")) == {"good", "bad"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(table[:80], unknown="mean")
