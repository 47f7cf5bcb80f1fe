"""The regressor: several tasks in one table."""

import warnings

import numpy as np
import pandas as pd
import pytest
from schools import FEATURES, SETTINGS
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning, NotFittedError
from sklearn.linear_model import LinearRegression

from vstg import MultiTaskData, VSTGRegressor, solve_vstg
from vstg.data import DataError
from vstg.datasets import make_syn


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


def test_cut_and_relax_reach_the_solver():
    syn = make_syn(1, n_train=30, random_state=0)
    frame = syn.train.to_frame()
    y = frame.pop("target")
    setting = {"n_latent": 5, "k": 1, "gamma1": 2**-3, "gamma2": 2**-4}
    refit = {"cut": 0.05, "relax": 0.0}
    model = VSTGRegressor("task", fit_intercept=False, **setting, **refit)
    expected = solve_vstg(syn.train, **setting, **refit)
    np.testing.assert_array_equal(model.fit(frame, y).coef_, expected.W.T)
    plain = solve_vstg(syn.train, **setting)
    assert np.abs(expected.W).sum() > np.abs(plain.W).sum()  # less shrinkage
