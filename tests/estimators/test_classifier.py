"""The classifier: labels, decisions and probabilities of several tasks."""

import numpy as np
import pandas as pd
import pytest
from schools import FEATURES, SETTINGS, by_task
from sklearn.model_selection import cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier

from vstg import MultiTaskData, VSTGClassifier, solve_vstg
from vstg.data import DataError


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


def test_several_classes_in_every_task(rng):
    n = 240
    frame = pd.DataFrame(rng.normal(size=(n, 3)), columns=["a", "b", "c"])
    frame.insert(0, "school", np.array(["north", "south"])[np.arange(n) % 2])
    turn = np.where(frame["school"] == "north", 1.0, -1.0)
    scores = np.column_stack([frame["a"], turn * frame["b"], frame["c"]])
    y = np.array(["red", "green", "blue"])[scores.argmax(axis=1)]
    settings = {"n_latent": 3, "k": 2, "gamma1": 2**-8, "gamma2": 2**-8}
    with pytest.raises(DataError, match="not two: scikit-learn's OneVsRestClassifier"):
        VSTGClassifier("school", **settings).fit(frame, y)
    model = OneVsRestClassifier(VSTGClassifier("school", **settings))
    model.fit(frame[:160], y[:160])
    assert model.score(frame[160:], y[160:]) > 0.85
    np.testing.assert_allclose(model.predict_proba(frame[160:]).sum(axis=1), 1.0)
