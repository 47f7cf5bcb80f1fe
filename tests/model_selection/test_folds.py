import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.model_selection import cross_val_score

from vstg import MultiTaskData, VSTGRegressor
from vstg.baselines import solve_ridge
from vstg.metrics import errors_on
from vstg.model_selection import ForwardFolds, TaskKFold, search_grid
from vstg.model_selection.folds import deal


def rows_of(data, folds):
    """Held-out rows of each task, all folds of one repetition together."""
    return [
        np.sort(np.concatenate([f.test[j] for f in folds])) for j in range(data.n_tasks)
    ]


def test_folds_hold_out_every_row_once_and_never_leak(regression):
    folds = TaskKFold(4).folds(regression)
    assert len(folds) == 4
    for rows, n in zip(rows_of(regression, folds), regression.n_samples, strict=True):
        np.testing.assert_array_equal(rows, np.arange(n))
    for fold in folds:
        for train, test, n in zip(
            fold.train, fold.test, regression.n_samples, strict=True
        ):
            assert not set(train) & set(test)
            assert len(train) + len(test) == n


@given(
    sizes=st.lists(st.integers(1, 30), min_size=1, max_size=6),
    n_splits=st.integers(2, 10),
    seed=st.integers(0, 100),
)
def test_every_task_is_in_every_training_part_and_folds_are_even(sizes, n_splits, seed):
    data = MultiTaskData(
        [np.ones((n, 1)) for n in sizes], [np.arange(n) for n in sizes]
    )
    for fold in TaskKFold(n_splits, random_state=seed).folds(data):
        for train, test, n in zip(fold.train, fold.test, sizes, strict=True):
            assert len(train) >= 1
            assert n == 1 or n // n_splits <= len(test) <= -(-n // n_splits)


def test_classes_are_spread_over_the_folds(classification):
    for fold in TaskKFold(5).folds(classification, stratify=True):
        for y, test in zip(classification.y, fold.test, strict=True):
            expected = (y > 0).mean() * len(test)
            assert abs((y[test] > 0).sum() - expected) <= 1.5


def test_the_order_of_tasks_does_not_change_their_folds(rng):
    sizes = rng.integers(5, 20, size=12)
    data = MultiTaskData(
        [np.ones((n, 1)) for n in sizes], [np.arange(n) for n in sizes]
    )
    order = rng.permutation(12)
    turned = data.subset(tasks=list(order))
    for fold, other in zip(
        TaskKFold(3).folds(data), TaskKFold(3).folds(turned), strict=True
    ):
        for place, task in enumerate(order):
            np.testing.assert_array_equal(other.test[place], fold.test[task])


def test_default_names_are_drawn_in_their_order():
    """Stored results of the paper's protocol rest on folds drawn from task 0 on."""
    data = MultiTaskData(
        [np.ones((9, 1))] * 1 + [np.ones((7, 1))] * 11,
        [np.arange(9)] + [np.arange(7)] * 11,
    )
    rng = np.random.default_rng(0)
    drawn = [deal(n, 3, rng) for n in data.n_samples]
    for fold in TaskKFold(3, random_state=0).folds(data):
        for numbers, test in zip(drawn, fold.test, strict=True):
            np.testing.assert_array_equal(test, np.flatnonzero(numbers == fold.number))


def test_a_shared_design_is_held_out_at_the_same_rows(rng):
    data = MultiTaskData.one_vs_rest(rng.normal(size=(30, 2)), rng.integers(3, size=30))
    for fold in TaskKFold(3).folds(data, stratify=True):
        assert all(
            rows is fold.test[0] or (rows == fold.test[0]).all() for rows in fold.test
        )
        assert data.take(fold.train).shared_X


def test_repetitions_differ_and_seeds_repeat(regression):
    first = TaskKFold(3, n_repeats=2, random_state=5).folds(regression)
    again = TaskKFold(3, n_repeats=2, random_state=5).folds(regression)
    assert [f.repeat for f in first] == [0, 0, 0, 1, 1, 1]
    for one, other in zip(first, again, strict=True):
        for a, b in zip(one.test, other.test, strict=True):
            np.testing.assert_array_equal(a, b)
    assert any(
        len(a) != len(b) or (a != b).any()
        for a, b in zip(first[0].test, first[3].test, strict=True)
    )


def test_scikit_learn_can_use_it_with_the_task_as_a_column(regression):
    frame = regression.to_frame()
    X, y = frame.drop(columns="target"), frame["target"]
    cv = TaskKFold(3, task_column="task")
    scores = cross_val_score(VSTGRegressor("task", n_latent=2, k=1), X, y, cv=cv)
    assert cv.get_n_splits() == 3
    assert np.isfinite(scores).all()
    for train, _ in cv.split(X, y):
        assert set(X["task"].iloc[train]) == set(regression.task_names)


def test_tasks_may_come_as_groups():
    tasks = np.repeat(["a", "b"], [4, 6])
    for train, test in TaskKFold(2).split(np.zeros((10, 1)), groups=tasks):
        assert sorted(np.unique(tasks[test])) == ["a", "b"]
        assert len(train) == len(test) == 5


def test_a_missing_task_column_is_named():
    cv = TaskKFold(2, task_column="scool")
    with pytest.raises(ValueError, match=r"'scool' is not in the table.*school"):
        next(cv.split(pd.DataFrame({"school": [1, 2], "x": [0, 1]})))


@pytest.mark.parametrize("options", [{"n_splits": 1}, {"n_repeats": 0}])
def test_too_few_folds_are_refused(options):
    with pytest.raises(ValueError, match="at least 2 folds and 1 repetition"):
        TaskKFold(**options)


def test_rows_of_a_sparse_table_are_dealt_like_those_of_a_dense_one(rng):
    X = np.where(rng.random((23, 4)) < 0.3, 1.0, 0.0)
    dense, thin = (list(TaskKFold(3).split(table)) for table in (X, csr_array(X)))
    for one, other in zip(dense, thin, strict=True):
        np.testing.assert_array_equal(one[1], other[1])


def timed(rng, loss="squared", n=60):
    X = [rng.normal(size=(n, 4)) for _ in range(3)]
    y = [x @ rng.normal(size=4) + rng.normal(size=n) for x in X]
    if loss == "logistic":
        y = [np.where(one > 0, 1.0, -1.0) for one in y]
    return MultiTaskData(X, y, groups=[rng.integers(0, 20, size=n) for _ in X])


def test_forward_folds_never_learn_from_later_rows(rng):
    data = timed(rng)
    folds = ForwardFolds(4).folds(data)
    assert len(folds) == 4
    for fold in folds:
        train, test = (
            [codes[rows] for codes, rows in zip(data.groups, part, strict=True)]
            for part in (fold.train, fold.test)
        )
        assert max(t.max() for t in train) < min(t.min() for t in test if len(t))
    tested = [np.concatenate([fold.test[0] for fold in folds])]
    assert len(np.unique(tested)) == len(tested[0])


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_a_search_forward_in_time_learns_from_the_training_rows_alone(rng, loss):
    data = timed(rng, loss)
    grid = {"gamma1": [0.1]}
    found = search_grid(data, "ridge", grid, cv=ForwardFolds(3), loss=loss)
    for fold, row in zip(ForwardFolds(3).folds(data), found.frame.iloc, strict=True):
        train, test = data.take(fold.train), data.take(fold.test)
        fit = solve_ridge(train, gamma1=0.1, loss=loss, tol=1e-3)
        predicted = [x @ w for x, w in zip(test.X, fit.W.T, strict=True)]
        by_hand = errors_on(test, predicted, loss=loss).mean
        assert row[found.measure] == pytest.approx(by_hand, abs=1e-6)


def test_forward_folds_say_what_they_lack(rng):
    data = timed(rng)
    with pytest.raises(ValueError, match="do not say when"):
        ForwardFolds(3).folds(data.with_groups(()))
    with pytest.raises(ValueError, match="20 stretches of time are too few"):
        ForwardFolds(20).folds(data)
    late = [*data.groups[:2], np.full(60, 19)]
    with pytest.raises(ValueError, match="task 'task2' has no row before"):
        ForwardFolds(3).folds(data.with_groups(late))


def test_forward_folds_of_a_table_in_its_order():
    parts = list(ForwardFolds(3).split(np.zeros((40, 2))))
    assert [len(test) for _, test in parts] == [10, 10, 10]
    assert all(train.max() < test.min() for train, test in parts)
