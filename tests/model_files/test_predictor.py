"""Predictors: raw rows through a file, files of earlier versions, contributions."""

import json
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from vstg import load_model, solve_vstg
from vstg.baselines import solve_go_mtl
from vstg.datasets import load_sample, make_syn
from vstg.estimators import BaselineRegressor, VSTGClassifier, VSTGRegressor
from vstg.prediction import ModelFileError, Predictor, archive
from vstg.tables import Preparation, Recipe, TableError, prepare, read_table

OLD = Path(__file__).parent / "old"  # written by the version before predictors
SETTING = {"n_latent": 3, "k": 1, "gamma1": 2**-6, "gamma2": 2**-6}


@cache
def fitted(name):
    sample = load_sample(name)
    table = read_table(sample.path)
    options = {"problem": sample.problem, "missing": "median", "scaling": "standard"}
    recipe = Recipe(sample.layout, sample.task, sample.targets, **options)
    prepared = prepare(table, recipe)
    result = solve_vstg(
        prepared.train, loss=prepared.loss, fit_intercept=True, allow_constant=True,
        **SETTING,
    )  # fmt: skip
    preparation = Preparation.of(prepared)
    return Predictor.of(result, prepared.train, preparation=preparation), table


@pytest.mark.parametrize("name", ["shops", "machines", "wines"])
def test_raw_rows_through_a_file_are_the_arithmetic_of_the_fit(name):
    before, table = fitted(name)
    after = Predictor.load(before.to_bytes())
    new = after.predict(table.frame)
    pd.testing.assert_frame_equal(new, before.predict(table.frame))
    # By hand: encode and scale every row, and multiply, in the unit of the target.
    X = before.preparation.transform.apply(table.frame)
    unit = np.array(before.units or [1.0] * len(before.task_names))
    assert (name == "machines") == (not before.units)  # labels have no unit
    W, b = before.result.U @ before.result.V * unit, before.result.intercept * unit
    if name == "wines":
        np.testing.assert_allclose(new["prediction taster_3"], (X @ W + b)[:, 2])
        return
    tasks = [before.task_names.index(t) for t in table.frame[before.task_column]]
    margins = np.einsum("nd,dn->n", X, W[:, tasks]) + b[tasks]
    if name == "shops":
        np.testing.assert_allclose(new["prediction"], margins)
    else:
        chance = 1 / (1 + np.exp(-margins))
        np.testing.assert_allclose(new["probability of yes"], chance)
        assert ((new["prediction"] == "yes") == (margins > 0)).all()


@pytest.mark.parametrize("name", ["shops", "machines"])
def test_old_files_and_their_preparations_predict_what_they_did(name):
    text = (OLD / f"{name}_preparation.json").read_bytes()
    model = Predictor.load(OLD / f"{name}.npz", Preparation.from_json(text))
    rows = pd.read_csv(OLD / f"{name}_rows.csv")
    expected = pd.read_csv(OLD / f"{name}_predicted.csv")
    found = model.predict(rows)
    pd.testing.assert_frame_equal(found, expected[found.columns])
    assert (model.settings.cut, model.settings.relax) == (0.0, 1.0)
    again = Predictor.load(model.to_bytes())  # now in one file
    pd.testing.assert_frame_equal(again.predict(rows), found)


@pytest.mark.parametrize("name", ["shops", "machines"])
def test_old_files_are_estimators_as_before(name):
    model = load_model(OLD / f"{name}.npz")
    assert isinstance(model, VSTGRegressor if name == "shops" else VSTGClassifier)
    assert (model.cut, model.relax) == (0.0, 1.0)
    text = (OLD / f"{name}_preparation.json").read_bytes()
    rows = pd.read_csv(OLD / f"{name}_rows.csv")
    names = model.feature_names_
    X = pd.DataFrame(Preparation.from_json(text).transform.apply(rows), columns=names)
    X.insert(0, "task", rows.iloc[:, 0])
    expected = pd.read_csv(OLD / f"{name}_predicted.csv")
    if name == "shops":
        np.testing.assert_allclose(model.predict(X), expected["prediction"])
    else:
        chance = model.predict_proba(X)[:, 1]
        np.testing.assert_allclose(chance, expected["probability of yes"])


def test_an_old_file_without_its_preparation_takes_variables():
    model = Predictor.load(OLD / "shops.npz")
    assert model.preparation is None
    assert model.columns == model.feature_names
    with pytest.raises(TableError, match=r"lacks the columns .*season="):
        model.predict(pd.read_csv(OLD / "shops_rows.csv"))


def test_a_file_of_the_dashboard_is_an_estimator_in_python():
    predictor, table = fitted("machines")
    model = load_model(write(predictor))
    assert isinstance(model, VSTGClassifier)
    X = pd.DataFrame(
        predictor.transform.apply(table.frame), columns=predictor.feature_names
    )
    X.insert(0, "machine", table.frame["machine"].to_numpy())
    found = predictor.predict(table.frame)
    assert (model.predict(X) == found["prediction"].to_numpy()).all()
    # Saved again, it can still predict raw rows.
    again = Predictor.load(write(model.predictor()))
    pd.testing.assert_frame_equal(again.predict(table.frame), found)


def write(predictor):
    stream = BytesIO()
    predictor.save(stream)
    stream.seek(0)
    return stream


def test_a_file_of_an_estimator_predicts_rows():
    syn = make_syn(2, n_train=20, random_state=0)
    frame = syn.train.to_frame()
    y = frame.pop("target")
    model = VSTGRegressor("task", **SETTING).fit(frame, y)
    predictor = Predictor.load(write(model.predictor()))
    found = predictor.predict(frame.sample(frac=1.0, random_state=0))
    expected = pd.Series(model.predict(frame), name="prediction")
    pd.testing.assert_series_equal(found["prediction"].sort_index(), expected)
    typical = frame.drop(columns="task").mean()
    assert [predictor.typical[name] for name in typical.index] == pytest.approx(
        typical.tolist()
    )


def test_baselines_have_files_too():
    syn = make_syn(1, n_train=20, random_state=0)
    result = solve_go_mtl(syn.train, n_latent=3, gamma1=0.1, gamma2=0.1)
    predictor = Predictor.load(Predictor.of(result, syn.train).to_bytes())
    assert (predictor.method, predictor.U, predictor.settings) == ("go_mtl", None, None)
    np.testing.assert_array_equal(predictor.W, result.W)
    np.testing.assert_array_equal(predictor.result.factors["L"], result.factors["L"])
    frame = syn.test.to_frame()
    y = frame.pop("target")
    margins = np.concatenate(result.decision(syn.test))
    np.testing.assert_allclose(predictor.predict(frame)["prediction"], margins)
    model = BaselineRegressor("task", method="lasso", gamma1=0.1).fit(frame, y)
    back = load_model(write(model.predictor()))
    assert back.get_params() == model.get_params()
    np.testing.assert_array_equal(back.predict(frame), model.predict(frame))


def test_classes_on_one_table_are_predicted_by_the_surest_task():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["kind"] = np.array(["red", "green", "blue"])[X.argmax(axis=1)]
    table = read_table(frame.to_csv(index=False).encode(), name="kinds.csv")
    recipe = Recipe("classes", targets=("kind",), problem="classification")
    prepared = prepare(table, recipe)
    result = solve_vstg(prepared.train, loss="logistic", fit_intercept=True, **SETTING)
    predictor = Predictor.of(
        result, prepared.train, preparation=Preparation.of(prepared)
    )
    found = Predictor.load(predictor.to_bytes()).predict(frame)
    assert (found["prediction"] == frame["kind"]).mean() > 0.8
    surest = found.filter(like="probability").to_numpy().argmax(axis=1)
    assert (np.array(predictor.task_names)[surest] == found["prediction"]).all()
    model = load_model(write(predictor))
    variables = predictor.transform.apply(frame)
    X = pd.DataFrame(variables, columns=predictor.feature_names)
    assert (model.predict(X) == found["prediction"].to_numpy()).all()


def test_contributions_add_up_and_the_template_can_be_filled_in():
    predictor, _ = fitted("shops")
    rows = predictor.template()
    assert tuple(rows.columns) == predictor.columns
    frame = rows.reset_index()
    found = predictor.predict(frame)["prediction"]
    row = frame.drop(columns="shop").iloc[0].to_dict()
    total, table = predictor.contributions(row, frame["shop"].iloc[0])
    assert table["contribution"].sum() == pytest.approx(total)
    assert found.iloc[0] == pytest.approx(total)


def test_settings_of_a_cut_and_a_refit_are_in_the_file():
    predictor, _ = fitted("shops")
    header, arrays = opened(predictor)
    header["settings"] |= {"cut": 0.05, "relax": 0.5}
    changed = Predictor.load(archive.pack(header, arrays))
    assert (changed.settings.cut, changed.settings.relax) == (0.05, 0.5)
    model = load_model(write(changed))
    assert (model.cut, model.relax) == (0.05, 0.5)


def test_a_refitted_model_comes_back_whole():
    syn = make_syn(1, n_train=20, random_state=0)
    result = solve_vstg(syn.train, cut=0.05, relax=0.0, **SETTING)
    back = Predictor.load(Predictor.of(result, syn.train).to_bytes()).result
    assert result.refit_history
    np.testing.assert_equal(back.refit_history, result.refit_history)
    np.testing.assert_equal(back.history, result.history)
    assert (back.n_iter, back.settings) == (result.n_iter, result.settings)


def opened(predictor):
    stream = write(predictor)
    return archive.unpack(stream)


def test_a_preparation_of_another_table_is_refused():
    shops, _ = fitted("shops")
    machines, _ = fitted("machines")
    with pytest.raises(TableError, match="do not belong together"):
        Predictor.load(shops.to_bytes(), machines.preparation)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda h, a: h.update(preparation=[1]), "'preparation' is missing"),
        (lambda h, a: h.update(preparation={"format": "x"}), "not a preparation"),
        (lambda h, a: h["preparation"].update(recipe={}), "not a recipe"),
        (lambda h, a: h["preparation"]["transform"].update(keep=[]), "belong together"),
        (lambda h, a: h.update(task_column=[]), "'task_column' is missing"),
        (lambda h, a: h.update(method="magic"), "'magic' is unknown"),
        (lambda h, a: h.update(method="lasso"), "should not have 'cut'"),
        (lambda h, a: h.update(method=3), "'method' is missing"),
        (lambda h, a: h.update(labels={"kind": "U", "values": ["a"]}), "labels of sh"),
        (lambda h, a: a.update(means=np.zeros(3)), "means has the shape"),
        (lambda h, a: a.update(means=np.full(14, np.nan)), "means holds values"),
        (lambda h, a: a.pop("U"), "holds the arrays"),
        (lambda h, a: h.update({"class": "Popen"}), "holds a Popen, not a VSTGReg"),
        (lambda h, a: h["settings"].update(cut=2.0), "cut=2.0 must be below 1"),
    ],
)
def test_parts_of_a_file_that_do_not_fit_are_refused(edit, message):
    predictor, _ = fitted("shops")
    header, arrays = opened(predictor)
    edit(header, arrays)
    with pytest.raises(ModelFileError, match=message):
        Predictor.load(archive.pack(header, arrays))


def test_the_header_can_be_read_by_anyone():
    predictor, _ = fitted("machines")
    with np.load(write(predictor), allow_pickle=False) as file:
        header = json.loads(file["header"].tobytes())
    assert header["preparation"]["recipe"]["task"] == "machine"
    assert header["labels"]["values"][0] == ["no", "yes"]
    assert header["settings"]["gamma1"] == SETTING["gamma1"]
