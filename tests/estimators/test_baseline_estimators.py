"""The baselines as estimators: scikit-learn's checks, and the functions beneath."""

import doctest

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.utils.estimator_checks import parametrize_with_checks

import vstg.estimators.baseline
from vstg import MultiTaskData, VSTGRegressor
from vstg.baselines import BASELINES
from vstg.data import DataError
from vstg.estimators import BaselineClassifier, BaselineRegressor
from vstg.metrics import rmse_pooled

SETTINGS = {"gamma1": 2**-4, "gamma2": 2**-5, "n_latent": 2, "alpha": 0.5}
ESTIMATORS = (BaselineRegressor, BaselineClassifier)
QUICK = ("lasso", "go_mtl")


def estimators(methods):
    return [cls(method=name) for cls in ESTIMATORS for name in methods]


def beyond_reach(estimator):
    """One set of coefficients for all tasks cannot tell each class from the rest."""
    reason = "three classes, one against the rest, need coefficients of their own"
    return {"check_classifiers_train": reason} if estimator.method == "pooled" else {}


@parametrize_with_checks(estimators(QUICK))
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    estimators(sorted(set(BASELINES) - set(QUICK))), expected_failed_checks=beyond_reach
)
def test_scikit_learn_checks_of_the_other_methods(estimator, check):
    check(estimator)


@pytest.fixture
def table(regression):
    """A long table with rows mixed and columns in an unusual order."""
    frame = regression.to_frame(task="school", target="score")
    columns = ["x3", "school", "x0", "x1", "score", "x2", "x4"]
    return frame[columns].sample(frac=1.0, random_state=0)


@pytest.mark.parametrize("method", BASELINES)
def test_fit_is_the_function_beneath(table, method):
    X, y = table.drop(columns="score"), table["score"]
    model = BaselineRegressor("school", method=method, **SETTINGS).fit(X, y)
    data = MultiTaskData.from_frame(table, task="school", target="score")
    baseline = BASELINES[method]
    options = {name: SETTINGS[name] for name in baseline.parameters}
    result = baseline.solve(data, fit_intercept=True, **options)
    np.testing.assert_array_equal(model.coef_, result.W.T)
    np.testing.assert_array_equal(model.intercept_, result.intercept)
    assert model.tasks_ == data.task_names
    assert set(model.result_.factors) == set(result.factors)
    assert dict(model.result_.parameters) == options
    predicted = dict(zip(X.index, model.predict(X), strict=True))
    by_task = result.decision(data)
    rows = [table.index[table["school"] == name] for name in data.task_names]
    for index, expected in zip(rows, by_task, strict=True):
        np.testing.assert_allclose([predicted[i] for i in index], expected)


@pytest.mark.parametrize("method", BASELINES)
def test_classes_of_every_task_are_learnt(classification, method):
    frame = classification.to_frame()
    labels = np.where(frame.pop("target") > 0, "yes", "no")
    settings = {"gamma1": 2**-7, "gamma2": 2**-7, "n_latent": 2}
    model = BaselineClassifier("task", method=method, **settings)
    model.fit(frame, labels)
    assert list(model.classes_) == ["no", "yes"]
    assert model.score(frame, labels) > 0.75 > np.mean(labels == "no")
    chance = model.predict_proba(frame)
    np.testing.assert_allclose(chance.sum(axis=1), 1.0)
    np.testing.assert_array_equal(chance[:, 1] > 0.5, model.predict(frame) == "yes")


def test_one_task_is_scikit_learns_lasso(rng):
    X = rng.normal(size=(40, 6)) + 1.0
    y = X @ [2.0, 0.0, -1.0, 0.0, 0.0, 0.5] + 0.3 * rng.normal(size=40) + 4.0
    model = BaselineRegressor(gamma1=0.2, tol=1e-12).fit(X, y)
    expected = Lasso(alpha=0.2, tol=1e-10).fit(X, y)
    np.testing.assert_allclose(model.coef_, expected.coef_, atol=1e-6)
    assert model.intercept_ == pytest.approx(expected.intercept_, abs=1e-6)
    assert 0 < np.sum(model.coef_ == 0) < 6


def test_columns_of_y_are_tasks(rng):
    X, Y = rng.normal(size=(30, 4)), rng.normal(size=(30, 3))
    model = BaselineRegressor(method="l1_trace", **SETTINGS).fit(X, Y)
    assert model.predict(X).shape == (30, 3)
    assert model.coef_.shape == (3, 4)


def test_a_search_may_go_over_methods(table):
    X, y = table.drop(columns="score"), table["score"]
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    grid = {"method": list(BASELINES), "gamma1": [2**-6, 2**3]}
    search = GridSearchCV(
        BaselineRegressor("school", **SETTINGS),
        grid,
        cv=list(folds.split(X, X["school"])),
        scoring="neg_root_mean_squared_error",
        error_score="raise",
    ).fit(X, y)
    assert search.best_params_["gamma1"] == 2**-6
    assert len(search.cv_results_["params"]) == 2 * len(BASELINES)


def test_same_interface_as_vstg(table):
    X, y = table.drop(columns="score"), table["score"]
    models = [
        cls("school", gamma1=2**-6, gamma2=2**-6, n_latent=3).fit(X, y)
        for cls in (BaselineRegressor, VSTGRegressor)
    ]
    shared = ("coef_", "intercept_", "tasks_", "feature_names_", "n_features_in_")
    for name in shared:
        one, other = (getattr(model, name) for model in models)
        assert np.shape(one) == np.shape(other)
    errors = [rmse_pooled([y], [model.predict(X)]) for model in models]
    assert max(errors) < 0.5 * np.std(y)


def test_unfinished_work_is_said(table):
    X, y = table.drop(columns="score"), table["score"]
    model = BaselineRegressor("school", method="mmtfl", max_iter=1, tol=0.0, **SETTINGS)
    with pytest.warns(
        ConvergenceWarning, match=r"'mmtfl'.*max_iter=1 .*raise max_iter"
    ):
        model.fit(X, y)
    assert not model.result_.converged


def test_clone_keeps_the_method():
    model = clone(BaselineClassifier("school", method="ridge", gamma1=3.0))
    assert (model.method, model.gamma1, model.task_column) == ("ridge", 3.0, "school")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"method": "lars"}, "baseline 'lars' is unknown; choose one of"),
        ({"gamma1": -1.0}, "gamma1=-1.0 must be a finite number"),
        ({"max_iter": 0}, "max_iter=0 must be a whole number"),
        ({"task_column": "town"}, "task_column='town' is not in X"),
    ],
)
def test_refusals(table, change, message):
    model = BaselineRegressor("school", **SETTINGS).set_params(**change)
    with pytest.raises(ValueError, match=message):
        model.fit(table.drop(columns="score"), table["score"])


def test_unknown_tasks_are_refused_in_prediction(table):
    X, y = table.drop(columns="score"), table["score"]
    model = BaselineRegressor("school", **SETTINGS).fit(X, y)
    with pytest.raises(DataError, match="task 'nowhere' was not seen at fit"):
        model.predict(X.assign(school="nowhere"))


def test_examples_in_the_documentation_run():
    outcome = doctest.testmod(vstg.estimators.baseline)
    assert outcome.attempted > 0
    assert outcome.failed == 0
