"""Training and test data from a table and a recipe."""

import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recipes import recipes
from shops import LONG, make_table, with_gaps

from vstg.data import check_targets
from vstg.tables import Recipe, Table, TableError, prepare, read_table


def test_a_long_table_gives_every_task_in_both_parts():
    table = make_table()
    data = prepare(table, LONG)
    sizes = table.frame["shop"].value_counts()
    assert set(data.train.task_names) == {"north", "south", "east"}
    for name, n_train, n_test in zip(
        data.train.task_names, data.train.n_samples, data.test.n_samples, strict=True
    ):
        assert n_train == int(0.75 * sizes[name])
        assert n_train + n_test == sizes[name]
    assert data.train.feature_names == (
        "price",
        "promo",
        "season=spring",
        "season=summer",
        "season=winter",
        "size=small",
    )
    assert data.loss == "squared"
    X = np.concatenate(data.train.X)
    assert (X[:, 2:5].sum(axis=1) == 1).all()
    assert set(np.unique(X[:, 5])) == {0.0, 1.0}


def test_equal_arguments_give_equal_data_and_another_seed_others():
    table = make_table()
    prints = [
        prepare(table, Recipe(task="shop", targets=("sold",), seed=seed)).train
        for seed in (1, 1, 2)
    ]
    assert prints[0].fingerprint == prints[1].fingerprint
    assert prints[0].fingerprint != prints[2].fingerprint


@pytest.mark.parametrize("scaling", ["none", "max", "standard"])
def test_scaling_is_learnt_from_training_rows_only(scaling):
    table = make_table()
    recipe = Recipe(
        task="shop", targets=("sold",), features=("price",), scaling=scaling
    )
    first = prepare(table, recipe)
    raw = prepare(table, Recipe("long", "shop", ("sold",), ("price",), scaling="none"))
    train, test = (np.concatenate(part.X)[:, 0] for part in (raw.train, raw.test))
    shift, scale = {
        "none": (0.0, 1.0),
        "max": (0.0, np.abs(train).max()),
        "standard": (train.mean(), train.std()),
    }[scaling]
    np.testing.assert_allclose(
        np.concatenate(first.train.X)[:, 0], (train - shift) / scale
    )
    np.testing.assert_allclose(
        np.concatenate(first.test.X)[:, 0], (test - shift) / scale
    )


def test_zero_one_columns_are_never_scaled():
    recipe = Recipe("long", "shop", ("sold",), ("promo", "price"), scaling="standard")
    X = np.concatenate(prepare(make_table(), recipe).train.X)
    assert set(np.unique(X[:, 0])) == {0.0, 1.0}
    assert abs(X[:, 1].mean()) < 1e-12


def test_rows_with_gaps_are_dropped_and_counted():
    data = prepare(with_gaps(), LONG)
    assert data.train.n_rows + data.test.n_rows == 80 - 6 - 3 - 2 - 1
    words = " / ".join(note.words for note in data.notes)
    assert "9 of 80 rows are dropped: a variable is missing" in words
    assert "3 of 80 rows are dropped: task or target is missing" in words


@pytest.mark.parametrize("missing", ["mean", "median"])
def test_gaps_are_filled_from_training_rows(missing):
    recipe = Recipe("long", "shop", ("sold",), missing=missing, scaling="none")
    data = prepare(with_gaps(), recipe)
    assert data.train.n_rows + data.test.n_rows == 80 - 3
    raw = np.concatenate(data.train.X)[:, 0]
    fill = data.transform.rules[0].fill
    assert 1 <= int((raw == fill).sum()) <= 7
    # An average that is filled in leaves the average as it was.
    average = np.mean if missing == "mean" else np.median
    assert fill == pytest.approx(average(raw))
    assert fill != pytest.approx(average(with_gaps().frame["price"].dropna()))


def test_a_wide_table_shares_its_design_where_nothing_is_missing():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(40, 5)), columns=["a", "b", "y1", "y2", "y3"])
    table = Table("wide.csv", frame, "CSV")
    recipe = Recipe("wide", targets=("y1", "y2", "y3"))
    data = prepare(table, recipe)
    assert data.train.shared_X
    assert data.train.task_names == ("y1", "y2", "y3")
    assert data.train.feature_names == ("a", "b")
    frame.loc[frame.index[:10], "y2"] = np.nan
    gaps = prepare(Table("wide.csv", frame, "CSV"), recipe)
    assert gaps.train.n_samples[1] + gaps.test.n_samples[1] == 30
    # A row is in one part for all tasks, or the test would be known from training.
    train = {row.tobytes() for X in gaps.train.X for row in X}
    assert train.isdisjoint(row.tobytes() for X in gaps.test.X for row in X)


def test_classes_become_one_task_each():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.normal(size=(90, 2)), columns=["a", "b"])
    frame["kind"] = ["10", "2", "x"] * 30
    data = prepare(
        Table("c.csv", frame, "CSV"),
        Recipe("classes", targets=("kind",), problem="classification"),
    )
    assert data.train.task_names == ("2", "10", "x")  # numbers by value, then words
    np.testing.assert_array_equal(np.stack(data.train.y).sum(axis=0), -1)
    check_targets(data.train, classification=True)
    assert {int((y > 0).sum()) for y in data.train.y} <= {22, 23}
    assert data.loss == "logistic"


@pytest.mark.parametrize(("positive", "plus"), [(None, "yes"), ("no", "no")])
def test_labels_are_coded_and_remembered(positive, plus):
    table = make_table()
    frame = table.frame.assign(late=np.where(table.frame["sold"] > 50, "yes", "no"))
    recipe = Recipe(
        task="shop",
        targets=("late",),
        features=("price",),
        problem="classification",
        positive=positive,
    )
    data = prepare(Table("x", frame, "CSV"), recipe)
    assert data.labels[1] == plus
    n_plus = sum(int((y > 0).sum()) for y in (*data.train.y, *data.test.y))
    assert n_plus == int((frame["late"] == plus).sum())
    check_targets(data.train, classification=True)


def test_small_tasks_and_useless_columns_are_left_out_with_a_reason():
    table = make_table()
    frame = table.frame.assign(
        bias=1.0,
        copy=table.frame["price"],
        day=pd.date_range("2020-01-01", periods=80).astype(str),
        remark=[f"remark {i}" for i in range(80)],
        nothing=np.nan,
    )
    frame.loc[frame.index[:3], "shop"] = "tiny"
    recipe = Recipe(task="shop", targets=("sold",), drop_duplicates=True)
    data = prepare(Table("x.csv", frame, "CSV"), recipe)
    assert "tiny" not in data.train.task_names
    names = data.train.feature_names
    assert {"bias", "copy", "day", "remark", "nothing"}.isdisjoint(names)
    words = " / ".join(note.words for note in data.notes)
    for part in ("fewer than 4 rows", "'tiny'", "'day' is left out: it contains dates",
                 "'remark' is left out: it contains text",
                 "'nothing' is left out: it is",
                 "one value in training are left out: 'bias'",
                 "repeat an earlier one are left out: 'copy'"):  # fmt: skip
        assert part in words
    kept = prepare(
        Table("x.csv", frame, "CSV"),
        Recipe(task="shop", targets=("sold",), drop_constant=False),
    )
    assert {"bias", "copy"} <= set(kept.train.feature_names)


def test_no_test_part_on_demand():
    data = prepare(make_table(), Recipe(task="shop", targets=("sold",), test_size=0))
    assert data.test is None
    assert data.train.n_rows == 80


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        (Recipe(), "choose the column with the target"),
        (Recipe(targets=("sold",)), "names the task of each row"),
        (Recipe(task="shp", targets=("sold",)), "no column 'shp'; its columns are"),
        (Recipe(task="shop", targets=("shop",)), "two roles"),
        (Recipe(task="shop", targets=("season",)), "contains no numbers"),
        (Recipe(task="shop", targets=("sold",), features=()), "no column was chosen"),
        (Recipe(task="price", targets=("sold",)), "whole numbers or names"),
        (
            Recipe(task="shop", targets=("season",), problem="classification"),
            "3 labels",
        ),
        (
            Recipe(
                task="shop",
                targets=("size",),
                problem="classification",
                positive="huge",
            ),
            "not 'huge'",
        ),
        (Recipe(task="shop", targets=("sold",), min_rows=1000), "no task left"),
    ],
)
def test_impossible_choices_are_refused_in_words(recipe, words):
    with pytest.raises(TableError, match=words):
        prepare(make_table(), recipe)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b", "c", ""]),
            st.one_of(st.floats(allow_nan=True, allow_infinity=True), st.none()),
            st.one_of(st.floats(-1e6, 1e6), st.none()),
            st.sampled_from(["u", "v", "w", "", "7"]),
        ),
        min_size=1,
        max_size=40,
    ),
    recipes,
)
def test_any_table_is_prepared_or_refused_in_words(rows, recipe):
    text = "task,y,x,c\n" + "\n".join(
        ",".join("" if v is None else str(v) for v in row) for row in rows
    )
    chosen = Recipe(
        task="task",
        targets=("y",),
        missing=recipe.missing,
        scaling=recipe.scaling,
        test_size=recipe.test_size,
        seed=recipe.seed,
        drop_constant=recipe.drop_constant,
        min_rows=min(recipe.min_rows, 5),
    )
    try:
        data = prepare(read_table(io.BytesIO(text.encode()), name="any.csv"), chosen)
    except TableError as error:
        assert "\n" not in str(error)
        return
    assert np.isfinite(np.concatenate(data.train.X)).all()
    assert (data.test is None) == (chosen.test_size == 0)
    if data.test is not None:
        assert data.test.task_names == data.train.task_names
