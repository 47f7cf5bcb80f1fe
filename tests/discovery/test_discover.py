"""What discover finds where the truth is known, and what it does not depend on."""

from threading import Event

import numpy as np
import pytest

from vstg import MultiTaskData, discover, solve_vstg
from vstg.datasets import make_syn

QUICK = {
    "cv": 2,
    "n_resamples": 0,
    "n_jobs": 1,
    "grid": {"n_latent": (4,), "k": (1, 2), "strength": (2.0**-6, 2.0**-4)},
}
SMALL = {"n_features": 12, "n_tasks": 9, "n_latent": 3}


@pytest.fixture(scope="module")
def syn():
    return make_syn(1, random_state=3, **SMALL)


@pytest.fixture(scope="module")
def found(syn):
    return discover(syn, cv=3, n_resamples=4, n_jobs=2)


def kept(found):
    return set(found.kept)


def groups(found):
    return {frozenset(group.tasks) for group in found.groups}


def true_groups(syn):
    names = syn.train.task_names
    return {frozenset(names[j] for j in tasks) for tasks in syn.groups}


def true_variables(syn):
    return {syn.train.feature_names[i] for i in np.flatnonzero(syn.relevant)}


def test_variables_and_groups_are_those_of_the_truth(syn, found):
    assert kept(found) == true_variables(syn)
    assert groups(found) == true_groups(syn)
    assert found.n_bases == 3


@pytest.mark.slow
@pytest.mark.parametrize("number", [2, 3, 4])
def test_other_problems_of_the_paper_come_out_too(number):
    syn = make_syn(number, random_state=20)
    found = discover(syn, cv=2, n_resamples=0, n_jobs=2)
    assert kept(found) == true_variables(syn)
    assert groups(found) == true_groups(syn)
    if number in (2, 4):  # overlap: two bases per task, as in the truth
        assert found.n_bases == 5
        assert ((found.result.V != 0).sum(axis=0) == 2).all()


def test_error_and_certainty(syn, found):
    assert found.error < min(found.baselines.values())
    assert set(found.baselines) == {
        "mean of each task", "ridge per task", "one ridge for all", "LASSO",
    }  # fmt: skip
    assert found.test_error == pytest.approx(found.error, rel=0.15)
    assert found.certainty.n_halves == 8
    frequency = found.variables.set_index("variable")["frequency"]
    assert frequency[list(found.kept)].min() > frequency.drop(list(found.kept)).max()
    assert all(group.cohesion > 0.5 for group in found.groups)


def test_the_result_is_a_solution_with_its_settings(syn, found):
    assert found.repeatable
    settings = found.result.settings.to_mapping()
    again = solve_vstg(syn.train, init=found.result, **settings)
    np.testing.assert_array_equal(again.U != 0, found.result.U != 0)
    np.testing.assert_allclose(again.W, found.result.W, atol=1e-2)


def test_sentences_and_json_say_the_same(found):
    words = found.summary()
    assert f"{len(found.kept)} of the 12 variables matter" in words
    assert "3 groups on 3 bases" in words
    content = found.to_dict()
    assert set(content["variables"]) == kept(found)
    assert {frozenset(g["tasks"]) for g in content["groups"]} == groups(found)
    assert content["n_bases"] == 3
    assert content["error"] == found.error


def test_nothing_is_found_in_noise():
    rng = np.random.default_rng(0)
    X = [rng.normal(size=(30, 8)) for _ in range(6)]
    y = [rng.normal(size=30) for _ in range(6)]
    found = discover(MultiTaskData(X, y), **QUICK)
    assert found.n_bases == 0
    assert found.kept == ()
    assert "None of the 8 variables" in found.summary()
    assert not found.result.W.any()


def test_order_of_rows_variables_and_tasks_does_not_matter(syn):
    rng = np.random.default_rng(1)
    tasks, columns = rng.permutation(9), rng.permutation(12)
    X, y = [], []
    for j in tasks:
        rows = rng.permutation(len(syn.train.y[j]))
        X.append(syn.train.X[j][rows][:, columns])
        y.append(syn.train.y[j][rows])
    names = [syn.train.task_names[j] for j in tasks]
    features = [syn.train.feature_names[i] for i in columns]
    found = discover(MultiTaskData(X, y, names, features), **QUICK)
    assert kept(found) == true_variables(syn)
    assert groups(found) == true_groups(syn)


def test_units_do_not_matter(syn):
    unit = 10.0 ** np.arange(-6, 6)
    X = [5.0 * unit + X * unit for X in syn.train.X]
    y = [1000.0 + 60.0 * y for y in syn.train.y]
    found = discover(MultiTaskData(X, y), **QUICK)
    assert kept(found) == true_variables(syn)
    assert groups(found) == true_groups(syn)
    W = found.result.W * unit[:, None] / 60.0
    assert np.linalg.norm(W - syn.W) < 0.2 * np.linalg.norm(syn.W)
    predicted = found.result.decision(MultiTaskData(X, y))
    rest = np.concatenate(predicted) - np.concatenate(y)
    assert rest.std() < 1.2 * 60.0


def test_labels_are_classified(syn):
    rng = np.random.default_rng(2)
    W = 2.0 * syn.W
    X = [rng.normal(size=(150, 12)) for _ in range(9)]
    y = [
        np.where(rng.random(150) < 1 / (1 + np.exp(0.5 - Xj @ w)), 1.0, -1.0)
        for Xj, w in zip(X, W.T, strict=True)
    ]
    found = discover(MultiTaskData(X, y), **QUICK)
    assert found.result.loss == "logistic"
    assert kept(found) == true_variables(syn)
    assert groups(found) == true_groups(syn)
    assert found.error < min(found.baselines.values()) + 0.01


def test_the_number_of_threads_does_not_matter(syn):
    one = discover(syn, **QUICK)
    two = discover(syn, **{**QUICK, "n_jobs": 2})
    np.testing.assert_array_equal(one.result.W, two.result.W)
    assert one.error == two.error


def test_it_can_be_cancelled(syn):
    calls = []
    found = discover(syn, **QUICK, callback=lambda p: calls.append(p) or True)
    assert found.cancelled
    assert calls[0].total > 0
    assert "cancelled" in found.summary()
    stop = Event()
    stop.set()
    assert discover(syn, **QUICK, stop=stop).cancelled


def test_an_unknown_axis_of_the_grid_is_refused(syn):
    with pytest.raises(ValueError, match="gamma"):
        discover(syn, grid={"gamma1": (1.0,)})


def two_kinds_of_tasks(loss):
    """Ten tasks of two groups with three variables each, six others are noise."""
    rng = np.random.default_rng(1)
    first, second = np.zeros((2, 12))
    first[:3], second[3:6] = [0.5, -0.4, 0.4], [0.5, 0.4, -0.4]
    X = [rng.normal(size=(60, 12)) for _ in range(10)]
    found = [x @ (first if j < 5 else second) for j, x in enumerate(X)]
    if loss == "poisson":
        return MultiTaskData(
            X, [rng.poisson(np.exp(1 + m)).astype(float) for m in found]
        )
    y = [4 * m + rng.normal(size=60) for m in found]
    for target in y:
        target[rng.random(60) < 0.1] += 30.0
    return MultiTaskData(X, y)


@pytest.mark.parametrize("loss", ["poisson", "huber"])
def test_counts_and_targets_with_outliers(loss):
    """Both groups and all variables are found, which least squares misses."""
    data = two_kinds_of_tasks(loss)
    found = discover(data, loss=loss, n_resamples=0, cv=3, n_jobs=1)
    assert set(found.kept) == {f"x{i}" for i in range(6)}
    tasks = [f"task{j}" for j in range(10)]
    assert [list(group.tasks) for group in found.groups] == [tasks[:5], tasks[5:]]
    assert found.error < min(found.baselines.values())
    name = {"poisson": "mean deviance", "huber": "mean absolute error"}[loss]
    assert f"The cross-validated {name} is" in found.summary()
    squares = discover(data, loss="squared", n_resamples=0, cv=3, n_jobs=1)
    assert loss == "poisson" or set(squares.kept) != set(found.kept)
