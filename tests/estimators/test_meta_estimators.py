"""scikit-learn's own meta-estimators over ours: they work, or the error explains."""

import warnings

import numpy as np
import pytest
from schools import FEATURES, SETTINGS
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.ensemble import BaggingRegressor, StackingRegressor, VotingRegressor
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import (
    GridSearchCV,
    RandomizedSearchCV,
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
