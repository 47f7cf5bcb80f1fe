"""The estimators keep scikit-learn's promises and work with its tools."""

import doctest

import numpy as np
import pytest
from schools import FEATURES, SETTINGS, by_task
from sklearn import config_context
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import vstg.estimators
from vstg import VSTGClassifier, VSTGRegressor


@parametrize_with_checks([VSTGRegressor(), VSTGClassifier()])
def test_scikit_learn_checks(estimator, check):
    if "sample_weight_equivalence" in str(check):
        # It asks for 1e-9, and scikit-learn sets a small tol for its own solvers too.
        estimator.set_params(tol=1e-8)
    check(estimator)


def test_grid_search_prefers_a_penalty_that_does_not_kill_the_model(X, y):
    grid = {"gamma1": [2**-6, 100.0], "n_latent": [2, 3]}
    model = VSTGRegressor("school", k=2)
    search = GridSearchCV(
        model, grid, cv=by_task(X), scoring="neg_root_mean_squared_error"
    ).fit(X, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_params_["gamma1"] == 2**-6
    assert search.predict(X).shape == (len(X),)


def test_grid_search_passes_weights_on(X, y):
    rng = np.random.default_rng(0)
    weights = rng.integers(0, 3, size=len(y)).astype(float)
    model = VSTGRegressor("school", k=2, n_latent=2)
    with config_context(enable_metadata_routing=True):
        routed = model.set_fit_request(sample_weight=True)
        routed = routed.set_score_request(sample_weight=True)
        search = GridSearchCV(routed, {"gamma1": [2**-6, 2**-3]}, cv=by_task(X))
        search.fit(X, y, sample_weight=weights)
    best = search.best_params_["gamma1"]
    plain = VSTGRegressor("school", k=2, n_latent=2, gamma1=best)
    by_hand = clone(plain).fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(search.best_estimator_.coef_, by_hand.coef_)
    assert not np.allclose(by_hand.coef_, plain.fit(X, y).coef_, rtol=1e-6)
    train, test = by_task(X)[0]
    part = clone(by_hand).fit(X.iloc[train], y.iloc[train], weights[train])
    score = part.score(X.iloc[test], y.iloc[test], weights[test])
    place = search.best_index_
    assert search.cv_results_["split0_test_score"][place] == pytest.approx(score)


def test_cross_val_predict_is_honest_and_good(X, y, model):
    folds = by_task(X)
    predicted = cross_val_predict(model, X, y, cv=folds)
    train, test = folds[0]
    once = clone(model).fit(X.iloc[train], y.iloc[train]).predict(X.iloc[test])
    np.testing.assert_array_equal(predicted[test], once)
    assert np.corrcoef(predicted, y)[0, 1] > 0.99


def test_permutation_importance_ranks_the_task_and_the_variables(X, y, model):
    found = permutation_importance(model, X, y, n_repeats=3, random_state=0)
    importance = dict(zip(X.columns, found.importances_mean, strict=True))
    assert importance["school"] > 0.1
    assert importance["age"] > 0.1 > abs(importance["noise"])


@pytest.mark.parametrize("output", ["default", "pandas"])
def test_pipelines_scale_the_variables_and_pass_the_task(X, y, output):
    scaler = ColumnTransformer(
        [("scale", StandardScaler(), FEATURES)],
        remainder="passthrough",
        verbose_feature_names_out=False,
    ).set_output(transform=output)
    task_column = "school" if output == "pandas" else -1
    pipeline = make_pipeline(scaler, VSTGRegressor(task_column, **SETTINGS))
    assert pipeline.fit(X, y).score(X, y) > 0.99
    by_hand = X.assign(**dict(zip(FEATURES, scaled(X).T, strict=True)))
    direct = VSTGRegressor("school", **SETTINGS).fit(by_hand, y)
    np.testing.assert_allclose(pipeline[-1].coef_, direct.coef_, rtol=1e-9)
    scores = cross_val_score(pipeline, X, y, cv=by_task(X))
    assert scores.min() > 0.98


def scaled(X):
    return StandardScaler().fit_transform(X[FEATURES])


def test_clone_and_params_round_trip(model):
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "coef_")


@pytest.mark.parametrize("name", ["regression", "classification", "files"])
def test_examples_in_docstrings_are_true(name):
    module = getattr(vstg.estimators, name)
    tested = doctest.testmod(module)
    assert tested.attempted > 0
    assert tested.failed == 0
