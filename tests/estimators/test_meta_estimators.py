"""scikit-learn's own meta-estimators over ours: they work, or the error explains."""

import warnings

import numpy as np
import pytest
from schools import FEATURES, SETTINGS
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.ensemble import BaggingRegressor, StackingRegressor, VotingRegressor
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import SelectFromModel
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LinearRegression
from sklearn.metrics import r2_score
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    RandomizedSearchCV,
    cross_val_predict,
    cross_val_score,
    learning_curve,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from vstg import TaskKFold, VSTGClassifier, VSTGRegressor
from vstg.losses import HuberLoss

FOLDS = TaskKFold(3, task_column="school")


@pytest.fixture
def by_school(X, y):
    """The rows sorted by task, as most tables are."""
    order = X["school"].astype(str).argsort(kind="stable")
    return X.iloc[order], y.iloc[order]


def test_plain_folds_of_a_sorted_table_are_explained(by_school):
    X, y = by_school
    model = VSTGRegressor("school", **SETTINGS)
    with pytest.raises(ValueError, match=r"cv=vstg\.TaskKFold"):
        cross_val_score(model, X, y, cv=3, error_score="raise")
    scores = cross_val_score(model, X, y, cv=FOLDS)
    assert scores.min() > 0.9


@pytest.mark.parametrize("search", [GridSearchCV, RandomizedSearchCV])
def test_searches_with_folds_by_task(by_school, search):
    X, y = by_school
    grid = {"gamma1": [2**-6, 10.0]}
    options = {"n_iter": 2, "random_state": 0} if search is RandomizedSearchCV else {}
    found = search(VSTGRegressor("school", k=2), grid, cv=FOLDS, **options).fit(X, y)
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()
    assert found.best_params_ == {"gamma1": 2**-6}


def test_learning_curve(by_school):
    # Shuffled: the first rows of a sorted table are those of one task.
    X, y = by_school
    model = VSTGRegressor("school", **SETTINGS)
    _, _, scores = learning_curve(
        model, X, y, cv=FOLDS, train_sizes=[0.5, 1.0], shuffle=True, random_state=0
    )
    assert scores.min() > 0.8


def test_select_from_model_keeps_the_task_and_the_variables(X, y):
    model = VSTGRegressor("school", n_latent=3, k=2, gamma1=2**-4, gamma2=2**-3)
    selector = SelectFromModel(
        model, importance_getter="column_importances_", threshold=1e-9
    ).fit(X, y)
    kept = set(selector.get_feature_names_out())
    assert kept == {"school", *selector.estimator_.selected_features_}


def test_stacking_voting_and_transformed_targets(X, y):
    model = VSTGRegressor("school", **SETTINGS)
    stack = StackingRegressor([("vstg", model)], LinearRegression(), cv=list(
        FOLDS.split(X, y)
    ))  # fmt: skip
    assert stack.fit(X, y).score(X, y) > 0.9
    assert VotingRegressor([("a", model)]).fit(X, y).score(X, y) > 0.9
    scaled = TransformedTargetRegressor(model, transformer=StandardScaler())
    assert scaled.fit(X, y).score(X, y) > 0.9


def test_bagging_needs_the_position_of_the_task(X, y):
    named = BaggingRegressor(VSTGRegressor("school", **SETTINGS), n_estimators=2)
    with pytest.raises(ValueError, match="position of the task column"):
        named.fit(X, y)
    place = list(X.columns).index("school")
    placed = VSTGRegressor(place, **SETTINGS)
    codes = X.assign(school=X["school"].astype("category").cat.codes)
    bag = BaggingRegressor(placed, n_estimators=2, random_state=0).fit(codes, y)
    assert bag.score(codes, y) > 0.9


def test_the_task_is_found_behind_the_name_of_a_step(X, y):
    scaler = ColumnTransformer(
        [("scale", StandardScaler(), FEATURES)], remainder="passthrough"
    ).set_output(transform="pandas")
    pipeline = make_pipeline(scaler, VSTGRegressor("school", **SETTINGS)).fit(X, y)
    assert "remainder__school" in pipeline[-1].feature_names_in_
    assert pipeline.score(X, y) > 0.9


def test_calibration_with_folds_by_task(X, y):
    labels = np.where(y > y.groupby(X["school"]).transform("median"), "high", "low")
    model = VSTGClassifier("school", **SETTINGS)
    found = CalibratedClassifierCV(model, cv=list(FOLDS.split(X))).fit(X, labels)
    assert found.score(X, labels) > 0.8


def test_no_rows_give_no_predictions(X, y):
    model = VSTGRegressor("school", **SETTINGS).fit(X, y)
    assert model.predict(X.iloc[:0]).shape == (0,)
    plain = VSTGRegressor(**SETTINGS).fit(X[FEATURES], y)
    assert plain.predict(X[FEATURES].iloc[:0]).shape == (0,)
    labels = np.where(y > y.groupby(X["school"]).transform("median"), "high", "low")
    classes = VSTGClassifier("school", **SETTINGS).fit(X, labels)
    assert classes.predict(X.iloc[:0]).shape == (0,)


def test_groups_and_selected_features(X, y):
    model = VSTGRegressor("school", **SETTINGS).fit(X, y)
    assert sorted(sum(model.groups_, ())) == sorted(model.tasks_)
    for names in model.groups_:
        used = {tuple(model.V_[:, model.tasks_.index(name)] != 0) for name in names}
        assert len(used) == 1
    used = (model.coef_ != 0).any(axis=0)
    assert model.selected_features_ == tuple(np.array(model.feature_names_)[used])


def test_losses_of_the_regressor(X, y, tmp_path):
    spoiled = y.copy()
    spoiled.iloc[::15] += 1000.0
    exact = VSTGRegressor("school", **SETTINGS).fit(X, y).predict(X)
    errors = {
        loss: np.abs(
            VSTGRegressor("school", loss=loss, **SETTINGS).fit(X, spoiled).predict(X)
            - exact
        ).mean()
        for loss in ("squared", "huber")
    }
    assert errors["huber"] < 0.2 * errors["squared"]
    counts = np.round(np.exp((y - y.mean()) / y.std()))
    model = VSTGRegressor("school", loss="poisson", **SETTINGS).fit(X, counts)
    assert (model.predict(X) > 0).all()
    model.save(tmp_path / "counts.npz")
    again = VSTGRegressor.load(tmp_path / "counts.npz")
    np.testing.assert_allclose(again.predict(X), model.predict(X))
    own = VSTGRegressor("school", loss=HuberLoss(2.0), **SETTINGS).fit(X, y)
    own.save(tmp_path / "huber.npz")
    assert VSTGRegressor.load(tmp_path / "huber.npz").loss == "huber:2.0"
    with pytest.raises(ValueError, match="use VSTGClassifier"):
        VSTGRegressor("school", loss="logistic").fit(X, y)
    with pytest.raises(ValueError, match="loss='absolute' is unknown"):
        VSTGRegressor("school", loss="absolute").fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        VSTGRegressor("school", loss="huber", **SETTINGS).fit(X, y)


def test_a_search_with_plain_folds_says_what_to_do(by_school):
    """Folds of whole schools: scikit-learn scores NaN, and the warning explains."""
    X, y = by_school
    model, grid = VSTGRegressor("school", k=2), {"gamma1": [2**-6, 10.0]}
    search = GridSearchCV(model, grid, cv=X["school"].nunique(), refit=False)
    with pytest.warns(UserWarning, match=r"vstg\.TaskKFold"):
        search.fit(X, y)
    assert np.isnan(search.cv_results_["mean_test_score"]).any()
    search.set_params(error_score="raise")
    with pytest.raises(ValueError, match=r"cv=vstg\.TaskKFold"):
        search.fit(X, y)


def test_halving_drops_the_worse_setting(by_school):
    X, y = by_school
    grid = {"gamma1": [2**-6, 2**-5, 10.0]}
    found = HalvingGridSearchCV(
        VSTGRegressor("school", k=2), grid, cv=list(FOLDS.split(X, y)),
        resource="max_iter", max_resources=200, min_resources=20,
    ).fit(X, y)  # fmt: skip
    assert found.best_params_["gamma1"] < 1
    assert found.best_score_ > 0.9


def test_every_row_is_predicted_once_by_cross_validation(by_school):
    X, y = by_school
    model = VSTGRegressor("school", **SETTINGS)
    found = cross_val_predict(model, X, y, cv=FOLDS)
    assert r2_score(y, found) > 0.9
    for train, test in list(FOLDS.split(X, y))[:1]:
        alone = clone(model).fit(X.iloc[train], y.iloc[train]).predict(X.iloc[test])
        np.testing.assert_allclose(found[test], alone)


def test_permuted_columns_tell_the_variables_and_the_task(X, y):
    model = VSTGRegressor("school", **SETTINGS).fit(X, y)
    found = permutation_importance(model, X, y, n_repeats=3, random_state=0)
    importance = dict(zip(X.columns, found.importances_mean, strict=True))
    assert importance["school"] > 0.01  # schools differ
    unused = set(FEATURES) - set(model.selected_features_)
    assert all(importance[name] == 0 for name in unused)
    assert max(importance[name] for name in model.selected_features_) > 0.1


def test_output_as_pandas_passes_through_a_pipeline(X, y):
    """A regressor transforms nothing; the steps before it may give data frames."""
    scaler = ColumnTransformer(
        [("scale", StandardScaler(), FEATURES)],
        remainder="passthrough", verbose_feature_names_out=False,
    )  # fmt: skip
    pipeline = make_pipeline(scaler, VSTGRegressor("school", **SETTINGS))
    pipeline.set_output(transform="pandas").fit(X, y)
    assert set(pipeline[-1].feature_names_in_) == set(X.columns)
    same = clone(pipeline).fit(X, y)
    np.testing.assert_array_equal(same.predict(X), pipeline.predict(X))
