"""A result of the solver becomes an estimator."""

import numpy as np
import pytest
from schools import FEATURES, SETTINGS
from sklearn.base import clone

from vstg import MultiTaskData, VSTGClassifier, VSTGRegressor, solve_vstg


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
