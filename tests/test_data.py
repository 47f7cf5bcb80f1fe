"""Multi-task data: what is accepted, what is refused, what stays the same."""

import pickle
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vstg.data import (
    DataError,
    MultiTaskData,
    check_classification,
    check_targets,
    constant_tasks,
    read_task_ids,
)

FINITE = st.floats(-1e6, 1e6)


@st.composite
def multi_task_data(draw):
    """Draw one to four tasks of one to five rows on one to three variables."""
    n_features = draw(st.integers(1, 3))
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    names = st.text(st.characters(codec="utf-8"), max_size=6)
    tasks = draw(st.lists(names, min_size=len(sizes), max_size=len(sizes), unique=True))
    return MultiTaskData(
        X=[draw(arrays(float, (n, n_features), elements=FINITE)) for n in sizes],
        y=[draw(arrays(float, n, elements=FINITE)) for n in sizes],
        task_names=tasks,
    )


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def data(rng):
    sizes = (4, 7, 5)
    return MultiTaskData(
        X=[rng.normal(size=(n, 3)) for n in sizes],
        y=[rng.normal(size=n) for n in sizes],
        task_names=["north", "south", "west"],
        feature_names=["age", "income", "size"],
    )


@pytest.fixture
def shared(rng):
    return MultiTaskData.from_multioutput(
        rng.normal(size=(20, 3)), rng.normal(size=(20, 4))
    )


@pytest.fixture
def classes(rng):
    labels = np.repeat(["a", "b", "c"], [4, 8, 12])
    return MultiTaskData.one_vs_rest(rng.normal(size=(24, 3)), labels)


# Construction


def test_sizes_and_default_names_are_reported(rng):
    data = MultiTaskData(
        X=[rng.normal(size=(n, 2)) for n in (3, 5)], y=[[1, 2, 3], range(5)]
    )
    assert (data.n_tasks, data.n_features, data.n_rows) == (2, 2, 8)
    assert data.n_samples.tolist() == [3, 5]
    assert data.task_names == ("task0", "task1")
    assert data.feature_names == ("x0", "x1")
    assert repr(data) == "MultiTaskData(n_tasks=2, n_features=2, n_rows=8)"


def test_arrays_are_float_contiguous_and_read_only():
    data = MultiTaskData(
        X=[np.asfortranarray([[1, 2], [3, 4]], dtype="uint8")], y=[[1, 2]]
    )
    assert data.X[0].dtype == data.y[0].dtype == np.float64
    assert data.X[0].flags.c_contiguous
    with pytest.raises(ValueError, match="read-only"):
        data.X[0][0, 0] = 9.0
    with pytest.raises(ValueError, match="read-only"):
        data.y[0][0] = 9.0


def test_the_callers_arrays_stay_writeable_and_apart(rng):
    X, y = rng.normal(size=(3, 2)), rng.normal(size=3)
    data = MultiTaskData(X=[X], y=[y])
    before = data.X[0].copy()
    X[0, 0] = 99.0
    np.testing.assert_array_equal(data.X[0], before)
    assert y.flags.writeable


def test_tasks_of_a_three_dimensional_array_stay_apart(rng):
    X = rng.normal(size=(3, 4, 2))
    data = MultiTaskData(X=X, y=np.zeros((3, 4)))
    np.testing.assert_array_equal(np.stack(data.X), X)


def test_tables_lend_their_column_names():
    table = pd.DataFrame({"age": [1, 2], "member": [True, False]})
    data = MultiTaskData(X=[table, table.copy()], y=[[0, 1], [1, 0]])
    assert data.feature_names == ("age", "member")
    np.testing.assert_array_equal(data.X[1], [[1, 1], [2, 0]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": [], "y": []}, "X has 0 tasks and y has 0"),
        ({"X": [[[1.0]]], "y": [[1.0], [2.0]]}, "X has 1 tasks and y has 2"),
        ({"X": [[[1.0]]], "y": [[1.0, 2.0]]}, "task 'task0', X has 1 rows and y has 2"),
        ({"X": [np.ones((0, 2))], "y": [[]]}, "task 'task0', there are no rows"),
        ({"X": [np.ones((2, 0))], "y": [[1, 2]]}, "task 'task0', X has 0 columns"),
        (
            {"X": [np.ones((1, 2)), np.ones((1, 3))], "y": [[1], [1]]},
            "task 'task1', X has 3 columns and the first task 2",
        ),
        ({"X": [[[1, 2], [3]]], "y": [[1, 2]]}, "X has rows of different lengths"),
        ({"X": [[1, 2]], "y": [[1, 2]]}, "task 'task0', X has shape (2,)"),
        ({"X": [[[1], [2]]], "y": [[[1], [2]]]}, "task 'task0', y has shape (2, 1)"),
        (
            {"X": [[[1.0]]] * 2, "y": [[1], [2]], "task_names": ["a", "a"]},
            "task names ['a'] occur more than once",
        ),
        (
            {"X": [[[1.0, 2.0]]], "y": [[1]], "feature_names": ["b", "b"]},
            "feature names ['b'] occur more than once",
        ),
        (
            {"X": [[[1.0]]], "y": [[1]], "feature_names": ["b", "c"]},
            "there are 2 feature names for 1 features",
        ),
        (
            {"X": [[[1.0]]], "y": [[1]], "task_names": "a"},
            "task names must be a list of names, not the text 'a'",
        ),
        (
            {"X": [[["1.5"]]], "y": [[1]]},
            "task 'task0', column '0' is not numeric, it holds '1.5'",
        ),
        ({"X": [[[1j]]], "y": [[1]]}, "column '0' is not numeric"),
        ({"X": [[[1.0]]], "y": [["yes"]]}, "target is not numeric, it holds 'yes'"),
        (
            {
                "X": [
                    pd.DataFrame({"a": [1], "b": [2]}),
                    pd.DataFrame({"b": [1], "a": [2]}),
                ],
                "y": [[1], [1]],
            },
            "task 'task1', X has the columns ['b', 'a'] and the first table ['a', 'b']",
        ),
    ],
)
def test_malformed_data_are_refused(arguments, message):
    with pytest.raises(DataError, match=re.escape(message)):
        MultiTaskData(**arguments)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_bad_value_is_named_by_task_column_and_row(data, value):
    X = [np.array(design) for design in data.X]
    X[0][3, 0] = value
    message = (
        f"task 'north', column 'age', row 3 is {value}: "
        "drop the row or fill the value before building the data"
    )
    with pytest.raises(DataError, match=re.escape(message)):
        MultiTaskData(X, data.y, data.task_names, data.feature_names)


def test_a_bad_target_is_named_by_task_and_row(data):
    y = [np.array(target) for target in data.y]
    y[2][1] = np.nan
    with pytest.raises(DataError, match="task 'west', target, row 1 is nan"):
        MultiTaskData(data.X, y, data.task_names)


def test_a_missing_object_is_a_missing_value():
    X = np.array([[1, None], [2, 3]], dtype=object)
    with pytest.raises(DataError, match="task 'task0', column 'x1', row 0 is nan"):
        MultiTaskData([X], [[1, 2]])


def test_sparse_targets_are_refused_with_the_remedy():
    scipy_sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(DataError, match=r"pass Y\.toarray\(\)"):
        MultiTaskData.from_multioutput(np.eye(3), scipy_sparse.eye(3))


# Tables


def test_from_frame_keeps_tasks_in_order_of_appearance():
    frame = pd.DataFrame(
        {"school": [7, 2, 7, 2], "score": [1.0, 2, 3, 4], "a": [1, 2, 3, 4]}
    )
    data = MultiTaskData.from_frame(frame, task="school", target="score")
    assert data.task_names == ("7", "2")
    assert data.feature_names == ("a",)
    np.testing.assert_array_equal(data.y[0], [1, 3])
    np.testing.assert_array_equal(data.X[1][:, 0], [2, 4])


def test_from_frame_takes_only_the_features_asked_for(data):
    frame = data.to_frame().assign(comment="text")
    again = MultiTaskData.from_frame(
        frame, task="task", target="target", features=["size", "age"]
    )
    assert again.feature_names == ("size", "age")
    np.testing.assert_array_equal(again.X[1], data.X[1][:, [2, 0]])


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({}, {"task": "scool"}, "columns ['scool'] are not in the table; its columns"),
        (
            {},
            {"target": "task"},
            "column 'task' cannot be both the task and the target",
        ),
        ({}, {"features": ["age", "target"]}, "features ['target'] are the task or"),
        ({"sex": "male"}, {}, "column 'sex' is not numeric, it holds 'male'"),
        ({"age": np.nan}, {}, "task 'north', column 'age', row 100 is nan"),
        (
            {"target": np.inf},
            {},
            "task 'north', target column 'target', row 100 is inf",
        ),
        ({"task": 0.5}, {}, "column 'task' holds 0.5: task ids must be whole numbers"),
        ({"task": None}, {}, "column 'task', row 100 has no task"),
    ],
)
def test_malformed_tables_are_refused(data, change, options, message):
    frame = data.to_frame().assign(**change)
    frame.index += 100
    columns = {"task": "task", "target": "target", **options}
    with pytest.raises(DataError, match=re.escape(message)):
        MultiTaskData.from_frame(frame, **columns)


def test_repeated_columns_of_a_table_are_refused(data):
    frame = data.to_frame()
    frame.columns = ["task", "target", "age", "age", "size"]
    with pytest.raises(DataError, match=r"column names \['age'\] occur more than once"):
        MultiTaskData.from_frame(frame, task="task", target="target")


@pytest.mark.parametrize(
    ("ids", "names"),
    [
        ([3, 1], ("3", "1")),
        ([3.0, 1.0], ("3", "1")),
        (["b", "a"], ("b", "a")),
        (pd.Categorical(["b", "a"], categories=["a", "b", "c"]), ("b", "a")),
        (pd.array([3, 1], dtype="Int64"), ("3", "1")),
        (np.array([3, "a"], dtype=object), ("3", "a")),
    ],
    ids=["int", "whole float", "text", "category", "nullable", "mixed"],
)
def test_task_ids_become_names(ids, names):
    assert read_task_ids(ids) == names


def test_ids_that_read_the_same_are_refused():
    with pytest.raises(DataError, match="several ids that read '1'"):
        read_task_ids(np.array([1, "1"], dtype=object))


def test_standardised_task_ids_are_refused():
    ids = np.array([1, 1, 2, 3])
    with pytest.raises(DataError, match="was a scaler run over the task column"):
        read_task_ids((ids - ids.mean()) / ids.std())


def test_from_arrays_agrees_with_from_frame(data):
    frame = data.to_frame()
    stacked = MultiTaskData.from_arrays(
        frame[["age", "income", "size"]], frame["target"], frame["task"]
    )
    assert stacked.fingerprint == data.fingerprint


@pytest.mark.parametrize(
    ("X", "y", "tasks", "message"),
    [
        ([[1.0], [2.0]], [1, 2], ["a"], "X has 2 rows, y has 2 and tasks has 1"),
        ([[1.0], [np.nan]], [1, 2], ["a", "b"], "task 'b', column 'x0', row 1 is nan"),
        ([[1.0], [2.0]], [1, np.nan], ["a", "b"], "task 'b', target, row 1 is nan"),
    ],
)
def test_malformed_stacks_are_refused(X, y, tasks, message):
    with pytest.raises(DataError, match=message):
        MultiTaskData.from_arrays(X, y, tasks)


@given(data=multi_task_data())
def test_to_frame_and_back_changes_nothing(data):
    frame = data.to_frame()
    again = MultiTaskData.from_frame(frame, task="task", target="target")
    assert again.fingerprint == data.fingerprint
    assert len(frame) == data.n_rows


def test_to_frame_refuses_a_name_that_is_taken(data):
    with pytest.raises(DataError, match="choose other names"):
        data.to_frame(task="age")


# Shared designs


def test_multioutput_keeps_the_design_once(shared):
    assert shared.shared_X
    assert shared.n_samples.tolist() == [20] * 4


def test_separate_designs_are_not_shared(data):
    assert not data.shared_X


def test_multioutput_takes_names_from_tables():
    X = pd.DataFrame({"a": [1.0, 2.0]})
    Y = pd.DataFrame({"first": [1, 2], "second": [3, 4]})
    data = MultiTaskData.from_multioutput(X, Y)
    assert data.task_names == ("first", "second")
    assert data.feature_names == ("a",)
    np.testing.assert_array_equal(data.y[1], [3, 4])


@pytest.mark.parametrize(
    "derive",
    [
        lambda data: data.split(random_state=0)[0],
        lambda data: data.split(random_state=0)[1],
        lambda data: data.subset(tasks=["task0", "task2"]),
        lambda data: data.subset(features=["x2"]),
        lambda data: data.take([np.arange(5)] * 4),
        lambda data: data.take([np.arange(5) for _ in range(4)]),
        lambda data: pickle.loads(pickle.dumps(data)),
    ],
    ids=["train", "test", "tasks", "features", "same rows", "equal rows", "pickle"],
)
def test_derived_data_go_on_sharing(shared, derive):
    assert derive(shared).shared_X


def test_different_rows_end_the_sharing(shared):
    rows = [np.array([0, 5 + j]) for j in range(4)]
    taken = shared.take(rows)
    assert not taken.shared_X
    np.testing.assert_array_equal(taken.X[2], shared.X[0][[0, 7]])
    np.testing.assert_array_equal(taken.y[2], shared.y[2][[0, 7]])


def test_one_vs_rest_marks_each_class(classes):
    assert classes.task_names == ("a", "b", "c")
    assert classes.shared_X
    np.testing.assert_array_equal(np.sum(classes.y, axis=0), -1)
    assert [(y > 0).sum() for y in classes.y] == [4, 8, 12]


def test_one_vs_rest_keeps_the_classes_of_the_training_data():
    data = MultiTaskData.one_vs_rest([[1.0], [2.0]], [3, 1], classes=[1, 2, 3])
    assert data.task_names == ("1", "2", "3")
    np.testing.assert_array_equal(data.y[1], [-1, -1])


def test_one_vs_rest_refuses_an_unknown_class():
    with pytest.raises(DataError, match=r"labels \[4\] are not among the classes"):
        MultiTaskData.one_vs_rest([[1.0], [2.0]], [4, 1], classes=[1, 2, 3])


# Parts


@pytest.mark.parametrize(
    ("n_samples", "n_train"), [(2, 1), (3, 2), (22, 16), (251, 188)]
)
def test_split_gives_three_quarters_rounded_down(n_samples, n_train):
    data = MultiTaskData([np.ones((n_samples, 1))], [np.arange(n_samples)])
    train, test = data.split(random_state=0)
    assert train.n_rows == n_train
    assert sorted([*train.y[0], *test.y[0]]) == list(range(n_samples))


@pytest.mark.parametrize("test_size", [0.01, 0.5, 0.9, 0.99])
def test_split_keeps_every_task_in_both_parts(data, test_size):
    train, test = data.split(test_size, random_state=0)
    assert train.task_names == test.task_names == data.task_names
    assert train.n_samples.min() >= 1
    np.testing.assert_array_equal(train.n_samples + test.n_samples, data.n_samples)


def test_split_depends_on_the_seed_only(data):
    first = data.split(random_state=1)[0].fingerprint
    assert first == data.split(random_state=1)[0].fingerprint
    assert first != data.split(random_state=2)[0].fingerprint


def test_split_keeps_rows_and_targets_together(shared):
    train, _ = shared.split(random_state=0)
    rows = [np.flatnonzero((shared.X[0] == x).all(axis=1))[0] for x in train.X[0]]
    np.testing.assert_array_equal(train.y[3], shared.y[3][rows])


def test_stratified_split_keeps_the_shares_of_shared_classes(classes):
    train, test = classes.split(random_state=0, stratify=True)
    assert [(y > 0).sum() for y in train.y] == [3, 6, 9]
    assert [(y > 0).sum() for y in test.y] == [1, 2, 3]


@pytest.mark.parametrize("seed", range(5))
def test_stratified_split_trains_on_a_rare_label(rng, seed):
    y = np.r_[np.ones(2), -np.ones(40)]
    data = MultiTaskData([rng.normal(size=(42, 2)), rng.normal(size=(42, 2))], [y, -y])
    train, _ = data.split(0.75, random_state=seed, stratify=True)
    assert train.n_samples.tolist() == [10, 10]
    check_classification(train)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test_size": 0.0}, "test_size=0.0 must lie between 0 and 1"),
        ({"test_size": 1.0}, "test_size=1.0 must lie between 0 and 1"),
        ({"stratify": True}, "stratify needs labels -1 and .1"),
    ],
)
def test_impossible_splits_are_refused(data, options, message):
    with pytest.raises(DataError, match=message):
        data.split(**options, random_state=0)


def test_a_task_of_one_row_cannot_be_split():
    data = MultiTaskData([[[1.0]]], [[1.0]], ["north"])
    with pytest.raises(DataError, match="task 'north' has 1 row and cannot be in both"):
        data.split(random_state=0)


def test_subset_takes_names_or_numbers_in_the_order_given(data):
    part = data.subset(tasks=["west", 0], features=[2, "age"])
    assert part.task_names == ("west", "north")
    assert part.feature_names == ("size", "age")
    np.testing.assert_array_equal(part.X[1], data.X[0][:, [2, 0]])
    np.testing.assert_array_equal(part.y[0], data.y[2])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tasks": ["nord"]}, r"tasks \['nord'\] are not in the data; there are"),
        ({"tasks": [3]}, r"tasks \[3\] are not in the data"),
        ({"features": ["height"]}, r"features \['height'\] are not in the data"),
        ({"tasks": []}, "at least one task"),
    ],
)
def test_unknown_parts_are_refused(data, options, message):
    with pytest.raises(DataError, match=message):
        data.subset(**options)


def test_take_accepts_positions_and_masks(data):
    masks = [np.arange(n) < 2 for n in data.n_samples]
    by_mask, by_position = data.take(masks), data.take([[0, 1]] * 3)
    assert by_mask.fingerprint == by_position.fingerprint
    np.testing.assert_array_equal(by_mask.y[1], data.y[1][:2])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[0], [0]], "rows has 2 entries and there are 3 tasks"),
        ([[0], [], [0]], "task 'south', there are no rows"),
        ([np.ones(9, dtype=bool)] * 3, "a mask of 9 rows does not fit a task of 4"),
    ],
)
def test_impossible_rows_are_refused(data, rows, message):
    with pytest.raises(DataError, match=message):
        data.take(rows)


# Fingerprint


@given(data=multi_task_data())
def test_fingerprint_depends_on_content_only(data):
    copies = MultiTaskData(
        [X.tolist() for X in data.X],
        [list(y) for y in data.y],
        list(data.task_names),
        data.feature_names,
    )
    assert copies.fingerprint == data.fingerprint
    assert pickle.loads(pickle.dumps(data)).fingerprint == data.fingerprint


def test_fingerprint_does_not_see_sharing_or_the_sign_of_zero():
    X = np.array([[0.0], [1.0]])
    shared = MultiTaskData([X, X], [[1, 2], [3, 4]])
    apart = MultiTaskData([X, [[-0.0], [1.0]]], [[1, 2], [3, 4]])
    assert shared.shared_X
    assert not apart.shared_X
    assert shared.fingerprint == apart.fingerprint


@pytest.mark.parametrize(
    "change",
    [
        lambda d: {"y": [d.y[0] + 1e-12, *d.y[1:]]},
        lambda d: {"X": [*d.X[:2], np.array(d.X[2])[::-1]]},
        lambda d: {"task_names": ["north", "south", "east"]},
        lambda d: {"feature_names": ["age", "size", "income"]},
    ],
    ids=["target", "design", "task name", "feature order"],
)
def test_fingerprint_sees_every_change(data, change):
    content = {
        "X": data.X,
        "y": data.y,
        "task_names": data.task_names,
        "feature_names": data.feature_names,
    }
    changed = MultiTaskData(**{**content, **change(data)})
    assert changed.fingerprint != data.fingerprint


def test_unpickled_data_are_read_only(data):
    again = pickle.loads(pickle.dumps(data))
    assert not again.X[0].flags.writeable
    assert not again.y[0].flags.writeable


# Targets


@pytest.fixture
def constant():
    return MultiTaskData(
        [np.ones((3, 1)), np.ones((3, 1)), np.ones((1, 1))],
        [[1, 2, 3], [7, 7, 7], [5]],
        ["north", "south", "single"],
    )


def test_a_constant_target_is_named(constant):
    assert constant_tasks(constant) == ("south",)
    with pytest.raises(
        DataError, match="task 'south' has the target 7 in all its 3 rows"
    ):
        check_targets(constant)


def test_a_constant_target_can_be_allowed(constant):
    check_targets(constant, allow_constant=True)


def test_varied_targets_pass(data, classes):
    check_targets(data)
    check_targets(classes, classification=True)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, 1, 1], r"task 'north' has the labels \[0, 1\]: .* exactly -1 and \+1"),
        ([1, 2, 3], r"task 'north' has the labels \[1, 2, 3\]"),
        ([0.5, -1, 1], r"task 'north' has the labels \[-1, 0.5, 1\]"),
        ([1, 1, 1], r"task 'north' has only the label \+1 in its 3 rows"),
        ([-1, -1, -1], "task 'north' has only the label -1 in its 3 rows"),
    ],
)
def test_labels_other_than_both_signs_are_refused(labels, message):
    data = MultiTaskData([np.ones((3, 1))], [labels], ["north"])
    with pytest.raises(DataError, match=message):
        check_targets(data, classification=True)


def test_many_labels_are_shortened():
    data = MultiTaskData([np.ones((9, 1))], [range(9)])
    with pytest.raises(DataError, match=r"labels \[0, 1, 2, 3, 4, \.\.\.\]"):
        check_classification(data)
