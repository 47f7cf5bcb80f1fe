"""The estimators: scikit-learn's own checks, and several tasks in one table."""

import doctest
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning, NotFittedError
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import vstg.estimators
from vstg import MultiTaskData, VSTGClassifier, VSTGRegressor, solve_vstg
from vstg.data import DataError

SETTINGS = dict(n_latent=3, k=2, gamma1=2**-6, gamma2=2**-6)
FEATURES = ["age", "height", "noise", "weight"]


@parametrize_with_checks([VSTGRegressor(), VSTGClassifier()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture
def table(rng):
    """Rows of three schools, mixed; 'noise' has no influence. Target 'score' last."""
    schools = np.repeat(["north", "south", "west"], [30, 22, 41])
    X = rng.normal(size=(len(schools), 4)) + 1.0
    W = {"north": [2, 1, 0, 0], "south": [2, 1, 0, 0.5], "west": [-1, 0.5, 0, 2]}
    w = np.array([W[school] for school in schools])
    mean = pd.Series(schools).map({"north": 5.0, "south": -3.0, "west": 0.0})
    score = (X * w).sum(axis=1) + mean.to_numpy() + 0.1 * rng.normal(size=len(w))
    frame = pd.DataFrame(X, columns=FEATURES)
    frame.insert(1, "school", schools)
    frame["score"] = score
    order = rng.permutation(len(frame))
    return frame.iloc[order].set_axis(100 + np.arange(len(frame)), axis=0)


@pytest.fixture
def X(table):
    return table.drop(columns="score")


@pytest.fixture
def y(table):
    return table["score"]


@pytest.fixture
def model(X, y):
    return VSTGRegressor("school", **SETTINGS).fit(X, y)


def by_task(X, n_splits=3):
    """Folds with every task in every part."""
    folds = StratifiedKFold(n_splits, shuffle=True, random_state=0)
    return list(folds.split(X, X["school"]))


# --- one row, one task ---------------------------------------------------------------


def test_fit_is_solve_vstg_on_the_tasks_of_the_column(table, model):
    data = MultiTaskData.from_frame(table, task="school", target="score")
    result = solve_vstg(data, **SETTINGS, fit_intercept=True)
    np.testing.assert_array_equal(model.coef_, result.W.T)
    np.testing.assert_array_equal(model.intercept_, result.intercept)
    np.testing.assert_array_equal(model.U_ @ model.V_, model.coef_.T)
    assert model.tasks_ == data.task_names
    assert model.feature_names_ == data.feature_names == tuple(FEATURES)
    assert (model.objective_, model.n_iter_) == (result.objective, result.n_iter)
    assert model.result_.converged


def test_prediction_uses_the_coefficients_of_each_rows_own_task(X, y, model):
    predicted = model.predict(X)
    for value, (_, row) in zip(predicted, X.iterrows(), strict=True):
        j = model.tasks_.index(row["school"])
        by_hand = model.coef_[j] @ row[FEATURES].astype(float) + model.intercept_[j]
        assert value == pytest.approx(by_hand)
    assert model.score(X, y) > 0.99
    assert not np.allclose(model.coef_[0], model.coef_[2], atol=0.5)


def test_rows_may_come_in_any_order_and_from_some_tasks_only(X, model):
    whole = pd.Series(model.predict(X), index=X.index)
    some = X[X["school"] != "south"].sample(frac=0.5, random_state=1)
    np.testing.assert_allclose(model.predict(some), whole[some.index], rtol=1e-12)


def test_reordered_columns_are_found_by_name(X, model):
    turned = X[["weight", "school", "age", "noise", "height"]]
    np.testing.assert_array_equal(model.predict(turned), model.predict(X))


def test_an_unknown_task_is_refused_by_name(X, model):
    X = X.replace({"school": {"south": "sout"}})
    known = ", ".join(repr(task) for task in model.tasks_)
    with pytest.raises(DataError, match=rf"task 'sout' was not seen.*\[{known}\]"):
        model.predict(X)


def test_several_unknown_tasks_are_listed_and_long_lists_cut(rng):
    X = pd.DataFrame({"school": np.repeat(np.arange(30), 2), "x": rng.normal(size=60)})
    model = VSTGRegressor("school").fit(X, rng.normal(size=60))
    with pytest.raises(DataError, match=r"tasks \['98', '99'\].*'19', … and 10 more"):
        model.predict(pd.DataFrame({"school": [98, 1, 99], "x": 0.0}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda X: X.drop(columns=["age"]), r"lacks the columns \['age'\]"),
        (lambda X: X.drop(columns=["school"]), r"lacks the columns \['school'\]"),
        (lambda X: X.assign(score=1.0), r"unknown columns \['score'\]"),
        (
            lambda X: X.rename(columns={"age": "Age"}),
            r"lacks the columns \['age'\] and has the unknown columns \['Age'\]",
        ),
        (lambda X: X.assign(age=np.nan), "column 'age', row 100 is nan"),
        (lambda X: X.assign(age="old"), "column 'age' is not numeric"),
        (lambda X: X.assign(school=None), "column 'school', row 100 has no task"),
        (lambda X: X.to_numpy(), "'school' is a name and X an array without names"),
        (lambda X: X.set_axis(["age"] * 5, axis=1), "occur more than once"),
    ],
)
def test_prediction_refuses_other_tables_by_name(X, model, change, message):
    with pytest.raises(DataError, match=message):
        model.predict(change(X))


@pytest.mark.parametrize(
    ("task_column", "change", "message"),
    [
        ("scool", lambda X: X, r"'scool' is not in X.*'school'"),
        (7, lambda X: X.to_numpy(), "task_column=7 is not in X, which has 5 columns"),
        ("school", lambda X: X[["school"]], "only the task column 'school'"),
        ("school", lambda X: X.assign(age=np.inf), "column 'age', row 0 is inf"),
        ("school", lambda X: X.iloc[:-1], "inconsistent numbers of samples"),
        (0, lambda X: X.to_numpy()[0], r"X has shape \(5,\)"),
    ],
)
def test_fit_refuses_by_name(X, y, task_column, change, message):
    with pytest.raises(ValueError, match=message):
        VSTGRegressor(task_column).fit(change(X), y)


def test_a_scaled_task_column_is_refused(X, y):
    codes = X["school"].map({"north": 0, "south": 1, "west": 2})
    scaled = X.assign(school=(codes - codes.mean()) / codes.std())
    with pytest.raises(DataError, match="was a scaler run over the task column"):
        VSTGRegressor("school").fit(scaled, y)


def test_whole_numbers_are_one_task_however_they_are_written(X, y):
    codes = X["school"].map({"north": 0, "south": 1, "west": 2})
    model = VSTGRegressor("school", **SETTINGS).fit(X.assign(school=codes), y)
    expected = model.predict(X.assign(school=codes))
    assert set(model.tasks_) == {"0", "1", "2"}
    for kind in (float, str, "category"):
        same = X.assign(school=codes.astype(kind))
        np.testing.assert_array_equal(model.predict(same), expected)


@pytest.mark.parametrize("position", [1, -4])
def test_the_task_may_be_a_column_of_an_array(X, y, model, position):
    array = X.to_numpy()
    assert array.dtype == object
    other = VSTGRegressor(position, **SETTINGS).fit(array, y)
    np.testing.assert_array_equal(other.coef_, model.coef_)
    np.testing.assert_array_equal(other.predict(array), model.predict(X))
    np.testing.assert_array_equal(other.predict(array.tolist()), model.predict(X))
    for labels in (X.columns, [2, 0, 1, 4, 3]):
        labelled = X.set_axis(labels, axis=1)
        np.testing.assert_array_equal(other.predict(labelled), model.predict(X))
    assert other.n_features_in_ == 5
    assert not hasattr(other, "feature_names_in_")
    with pytest.raises(
        DataError, match="X has 4 columns and the model was fitted on 5"
    ):
        other.predict(array[:, :4])


def test_labels_of_a_table_without_text_are_matched_too(X, y):
    numbered = X.set_axis([30, 10, 20, 40, 50], axis=1)
    model = VSTGRegressor(10, **SETTINGS).fit(numbered, y)
    turned = numbered[[50, 40, 10, 30, 20]]
    np.testing.assert_array_equal(model.predict(turned), model.predict(numbered))


def test_fitting_again_on_an_array_forgets_the_names(X, y, model):
    assert list(model.feature_names_in_) == list(X.columns)
    model.set_params(task_column=1).fit(X.to_numpy(), y)
    assert not hasattr(model, "feature_names_in_")


def test_prediction_before_fit_is_refused(X):
    with pytest.raises(NotFittedError):
        VSTGRegressor("school").predict(X)


# --- targets -------------------------------------------------------------------------


def test_without_a_column_a_plain_y_is_one_task(X, y):
    numbers = X[FEATURES]
    model = VSTGRegressor(n_latent=9, k=9, gamma1=1e-7, gamma2=1e-7, tol=1e-8)
    model.fit(numbers, y)
    plain = LinearRegression().fit(numbers, y)
    np.testing.assert_allclose(model.coef_, plain.coef_, atol=1e-3)
    assert model.intercept_ == pytest.approx(plain.intercept_, abs=1e-2)
    assert model.U_.shape == (4, 9)
    assert len(model.tasks_) == 1


def test_without_a_column_a_wide_y_has_one_task_a_column(rng):
    X = rng.normal(size=(40, 5))
    W = rng.normal(size=(5, 2)) @ rng.normal(size=(2, 3))
    Y = pd.DataFrame(X @ W + 2.0, columns=["maths", "music", "art"])
    model = VSTGRegressor(**SETTINGS).fit(X, Y)
    data = MultiTaskData.from_multioutput(X, Y)
    result = solve_vstg(data, **SETTINGS, fit_intercept=True)
    np.testing.assert_array_equal(model.coef_, result.W.T)
    np.testing.assert_allclose(
        model.predict(X), np.column_stack(result.decision(data)), rtol=1e-12
    )
    assert model.tasks_ == ("maths", "music", "art")
    assert model.score(X, Y) > 0.9
    assert model.fit(X, Y[["art"]]).predict(X).shape == (40, 1)


def test_a_column_vector_beside_a_task_column_is_flattened_with_a_warning(X, y, model):
    with pytest.warns(DataConversionWarning):
        other = VSTGRegressor("school", **SETTINGS).fit(X, y.to_numpy()[:, None])
    np.testing.assert_array_equal(other.coef_, model.coef_)
    with pytest.raises(ValueError, match="should be a 1d array"):
        VSTGRegressor("school").fit(X, np.column_stack([y, y]))


def test_a_target_that_never_changes_is_predicted_by_the_intercept(X, y):
    is_south = X["school"] == "south"
    model = VSTGRegressor("school", **SETTINGS).fit(X, y.where(~is_south, 7.0))
    predicted = model.predict(X)
    np.testing.assert_allclose(predicted[is_south], 7.0, rtol=1e-12)
    assert np.ptp(predicted[~is_south]) > 1.0
    assert not model.coef_[model.tasks_.index("south")].any()


def test_a_table_of_constant_targets_fits_without_a_warning(X):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = VSTGRegressor("school").fit(X, np.full(len(X), 3.0))
    np.testing.assert_allclose(model.predict(X), 3.0, rtol=1e-12)


def test_intercepts_are_zero_unless_fitted(X, y):
    model = VSTGRegressor("school", **SETTINGS, fit_intercept=False).fit(X, y)
    assert not model.intercept_.any()


# --- solving -------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["fast", "admm"])
def test_one_warning_names_the_parameter_to_raise(X, y, solver):
    model = VSTGRegressor("school", **SETTINGS, solver=solver, max_iter=1)
    with pytest.warns(ConvergenceWarning, match="raise max_iter") as caught:
        model.fit(X, y)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert "max_iter=1 iterations" in str(caught[0].message)
    assert np.isfinite(model.predict(X)).all()


def test_solver_options_reach_the_solver(X, y, model):
    other = clone(model).set_params(solver="admm", n_init=3, mu=0.5).fit(X, y)
    assert other.result_.solver == "admm"
    assert len(other.result_.restart_objectives) == 3
    assert other.result_.settings.mu == 0.5
    assert model.result_.settings.mu == SETTINGS["gamma1"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"k": 4}, "k=4 must lie between 1 and n_latent=3"),
        ({"gamma1": -1.0}, "gamma1=-1.0 must be a finite number"),
        ({"solver": "slow"}, "solver='slow' is unknown"),
        ({"n_init": 0}, "n_init == 0, must be >= 1"),
        ({"max_iter": 0}, "max_iter == 0, must be >= 1"),
        ({"tol": -1e-3}, "tol == -0.001, must be >= 0"),
    ],
)
def test_wrong_parameters_are_refused_at_fit(X, y, wrong, message):
    model = VSTGRegressor("school", **(SETTINGS | wrong))
    with pytest.raises(ValueError, match=message):
        model.fit(X, y)


# --- the tools of scikit-learn -------------------------------------------------------


def test_grid_search_prefers_a_penalty_that_does_not_kill_the_model(X, y):
    grid = {"gamma1": [2**-6, 100.0], "n_latent": [2, 3]}
    model = VSTGRegressor("school", k=2)
    search = GridSearchCV(
        model, grid, cv=by_task(X), scoring="neg_root_mean_squared_error"
    ).fit(X, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_params_["gamma1"] == 2**-6
    assert search.predict(X).shape == (len(X),)


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


# --- classification ------------------------------------------------------------------


@pytest.fixture
def answers(X, y):
    """'yes' or 'no': above the median of the school or not."""
    middle = y.groupby(X["school"]).transform("median")
    return pd.Series(np.where(y > middle, "yes", "no"), index=y.index)


@pytest.fixture
def classifier(X, answers):
    return VSTGClassifier("school", **SETTINGS).fit(X, answers)


def test_two_labels_are_minus_and_plus_one(X, answers, classifier):
    target = np.where(answers == "yes", 1.0, -1.0)
    data = MultiTaskData.from_arrays(X[FEATURES], target, X["school"])
    result = solve_vstg(data, loss="logistic", **SETTINGS, fit_intercept=True)
    np.testing.assert_array_equal(classifier.coef_, result.W.T)
    assert classifier.classes_.tolist() == ["no", "yes"]
    assert classifier.score(X, answers) > 0.9


def test_decisions_probabilities_and_labels_agree(X, classifier):
    decisions = classifier.decision_function(X)
    proba = classifier.predict_proba(X)
    assert decisions.shape == (len(X),)
    np.testing.assert_allclose(proba[:, 1], 1 / (1 + np.exp(-decisions)))
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    labels = np.where(decisions > 0, "yes", "no")
    np.testing.assert_array_equal(classifier.predict(X), labels)
    assert len(set(labels)) == 2


def test_each_task_may_have_labels_of_its_own(X, answers, classifier):
    renamed = answers.where(
        X["school"] != "south", answers.map({"yes": "up", "no": "do"})
    )
    model = VSTGClassifier("school", **SETTINGS).fit(X, renamed)
    np.testing.assert_array_equal(model.coef_, classifier.coef_)
    assert model.classes_.tolist() == ["do", "no", "up", "yes"]
    assert model.task_classes_[model.tasks_.index("south")].tolist() == ["do", "up"]
    predicted = model.predict(X)
    south = X["school"] == "south"
    assert set(predicted[south]) == {"do", "up"}
    assert set(predicted[~south]) == {"no", "yes"}
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    assert not proba[south][:, [1, 3]].any()
    decisions = model.decision_function(X)
    assert np.isneginf(decisions[south][:, [1, 3]]).all()
    assert np.isfinite(decisions).sum(axis=1).tolist() == [2] * len(X)
    for values in (proba, decisions):
        np.testing.assert_array_equal(model.classes_[values.argmax(axis=1)], predicted)


def test_more_classes_on_one_table_become_one_task_a_class(rng):
    centres = np.array([[4.0, 0.0], [0.0, 4.0], [-4.0, -4.0]])
    labels = rng.integers(0, 3, size=90)
    X = centres[labels] + rng.normal(size=(90, 2))
    names = np.array(["ash", "oak", "yew"])[labels]
    model = VSTGClassifier(**SETTINGS).fit(X, names)
    data = MultiTaskData.one_vs_rest(X, names)
    result = solve_vstg(data, loss="logistic", **SETTINGS, fit_intercept=True)
    np.testing.assert_array_equal(model.coef_, result.W.T)
    assert model.tasks_ == ("ash", "oak", "yew")
    decisions = model.decision_function(X)
    np.testing.assert_array_equal(
        model.predict(X), model.classes_[decisions.argmax(axis=1)]
    )
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    assert model.score(X, names) > 0.95


def test_probabilities_survive_when_each_of_them_is_nearly_zero(rng):
    X = rng.normal(size=(30, 3))
    model = VSTGClassifier(**SETTINGS).fit(X, X.argmax(axis=1))
    expected = model.predict(X)
    model.intercept_ = model.intercept_ - 1e4
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    np.testing.assert_array_equal(proba.argmax(axis=1), expected)


def test_a_wide_y_of_labels_is_one_task_a_column(rng):
    X = rng.normal(size=(60, 4))
    Y = np.where(X[:, :3] + X[:, 1:] > 0.3, "in", "out")
    model = VSTGClassifier(**SETTINGS).fit(X, Y)
    assert model.predict(X).shape == model.predict_proba(X).shape == (60, 3)
    assert (model.predict(X) == Y).mean() > 0.9
    np.testing.assert_array_equal(
        model.decision_function(X) > 0, model.predict(X) == "out"
    )
    assert model.task_classes_.tolist() == [["in", "out"]] * 3
    assert model.classes_.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a, south: a.where(~south, "no"), "task 'south' has one class only, no"),
        (
            lambda a, south: a.where(~south | (a == "no"), "may").where(
                a.index % 7 != 0, "be"
            ),
            r"the 3 classes .*, not two",
        ),
    ],
)
def test_a_task_needs_exactly_two_labels(X, answers, change, message):
    with pytest.raises(DataError, match=message):
        VSTGClassifier("school").fit(X, change(answers, X["school"] == "south"))


def test_one_class_and_numbers_are_refused_on_one_table(X, y):
    with pytest.raises(DataError, match="y has one class only"):
        VSTGClassifier().fit(X[FEATURES], np.ones(len(X)))
    with pytest.raises(ValueError, match="Unknown label type"):
        VSTGClassifier("school").fit(X, y)


@pytest.mark.parametrize("scoring", ["roc_auc", "neg_log_loss", "balanced_accuracy"])
def test_named_scorers_of_classification(X, answers, classifier, scoring):
    scores = cross_val_score(classifier, X, answers, cv=by_task(X), scoring=scoring)
    assert np.isfinite(scores).all()
    if scoring == "roc_auc":
        assert scores.min() > 0.9


def test_cross_validated_probabilities_have_a_column_a_class(X, answers, classifier):
    proba = cross_val_predict(
        classifier, X, answers, cv=by_task(X), method="predict_proba"
    )
    assert proba.shape == (len(X), 2)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)


# --- from a result -------------------------------------------------------------------


def test_a_result_becomes_a_regressor(table, X, y, model):
    data = MultiTaskData.from_frame(table, task="school", target="score")
    result = solve_vstg(data, **SETTINGS, fit_intercept=True)
    made = VSTGRegressor.from_result(result, data, task_column="school")
    np.testing.assert_array_equal(made.predict(X), model.predict(X))
    refitted = clone(made).fit(X, y)
    np.testing.assert_array_equal(refitted.coef_, model.coef_)
    wide = VSTGRegressor.from_result(result, data, task_column=None)
    every = wide.predict(X[FEATURES])
    assert every.shape == (len(X), 3)
    j = [made.tasks_.index(school) for school in X["school"]]
    np.testing.assert_allclose(every[np.arange(len(X)), j], model.predict(X))
    by_position = VSTGRegressor.from_result(result, data, task_column=1)
    np.testing.assert_array_equal(by_position.predict(X.to_numpy()), model.predict(X))


def test_a_result_becomes_a_classifier(X, answers, classifier):
    data = MultiTaskData.from_arrays(
        X[FEATURES], np.where(answers == "yes", 1, -1), X["school"]
    )
    result = classifier.result_
    made = VSTGClassifier.from_result(result, data, task_column="school")
    np.testing.assert_array_equal(
        made.predict(X), np.where(classifier.predict(X) == "yes", 1, -1)
    )
    named = VSTGClassifier.from_result(
        result, data, task_column="school", classes=["no", "yes"]
    )
    np.testing.assert_array_equal(named.predict(X), classifier.predict(X))
    rest = VSTGClassifier.from_result(
        result, data, task_column=None, classes=data.task_names
    )
    best = result.W.T @ X[FEATURES].to_numpy().T + result.intercept[:, None]
    np.testing.assert_array_equal(
        rest.predict(X[FEATURES]), np.array(data.task_names)[best.argmax(axis=0)]
    )


def test_a_result_of_the_wrong_kind_is_refused(table, model, classifier):
    data = MultiTaskData.from_frame(table, task="school", target="score")
    with pytest.raises(ValueError, match="has the loss 'squared', and the result"):
        VSTGRegressor.from_result(classifier.result_, data)
    with pytest.raises(ValueError, match="W of shape"):
        VSTGRegressor.from_result(model.result_, data.subset(features=["age"]))
    with pytest.raises(ValueError, match="task_column='age' is the name of a variable"):
        VSTGRegressor.from_result(model.result_, data, task_column="age")
    with pytest.raises(ValueError, match="labels of shape"):
        VSTGClassifier.from_result(classifier.result_, data, classes=["a"])


@pytest.mark.parametrize("name", ["regressor", "classifier", "files"])
def test_examples_in_docstrings_are_true(name):
    module = getattr(vstg.estimators, name)
    tested = doctest.testmod(module)
    assert tested.attempted > 0
    assert tested.failed == 0
