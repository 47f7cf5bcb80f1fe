"""A column that says how much the rows of a table count."""

import numpy as np
import pandas as pd
import pytest

from vstg.tables import Recipe, Table, TableError, prepare
from vstg.tables.checking.report import report


def table(**columns):
    rng = np.random.default_rng(0)
    n = 40
    frame = pd.DataFrame(
        {
            "shop": ["a", "b"] * (n // 2),
            "x": rng.normal(size=n),
            "z": rng.normal(size=n),
            "sold": rng.normal(size=n),
            "w": rng.integers(1, 4, size=n).astype(float),
        }
    )
    return Table.of(frame.assign(**columns), "shops")


def recipe(**options):
    given = {"task": "shop", "targets": ("sold",), "weight": "w", "scaling": "none"}
    return Recipe(**(given | options))


def test_weights_reach_both_parts_and_are_no_variable():
    found = prepare(table(), recipe(task_weights=(("b", 2.0), ("gone", 3.0))))
    assert found.train.feature_names == ("x", "z")
    assert found.test is not None
    assert sum(len(w) for w in found.train.weights) == found.train.n_rows
    assert sum(len(w) for w in found.test.weights) == found.test.n_rows
    assert found.train.task_weights == (1.0, 2.0)
    frame = table().frame
    rows = found.train.to_frame(task="shop", target="sold", weight="w")
    merged = rows.merge(frame, on=["shop", "x", "z"], suffixes=("", "_table"))
    assert len(merged) == len(rows)
    np.testing.assert_array_equal(merged["w"], merged["w_table"])


def test_rows_that_do_not_count_are_dropped_and_said():
    weights = np.ones(40)
    weights[:3], weights[3] = 0.0, np.nan
    weights[4] = 2.0
    found = prepare(table(w=weights), recipe(test_size=0.0))
    assert found.train.n_rows == 36
    assert any("4 of 40 rows are dropped: their weight in 'w'" in n.words
               for n in found.notes)  # fmt: skip
    less = Table.of(table(w=weights).frame.iloc[4:], "shops")
    assert prepare(less, recipe(test_size=0.0)).train.fingerprint == (
        found.train.fingerprint
    )


def test_the_report_names_the_role():
    found = report(table(), recipe())
    roles = found.columns.set_index("column")["role"]
    assert roles["w"] == "weight"
    assert found.tasks["sum of weights"].sum() > found.tasks["training rows"].sum()


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ({"w": -1.0}, {}, "has -1 in row 1: a weight is 0 or more"),
        ({"w": "heavy"}, {}, "weight column 'w' holds no numbers"),
        ({}, {"weight": "x", "features": ("x",)}, "'x' has two roles"),
        ({}, {"weight": "y"}, "has no column 'y'"),
    ],
)
def test_wrong_weights_end_in_a_sentence(columns, options, message):
    with pytest.raises(TableError, match=message):
        prepare(table(**columns), recipe(**options))


def test_a_recipe_with_weights_comes_back_from_its_text():
    one = recipe(task_weights=(("b", 2.0),))
    assert Recipe.from_json(one.to_json()) == one
    assert "weight='w'" in one.python()
    for wrong in ('[["b", "x"]]', '"b"', '[["b", 1, 2]]', "[3]"):
        text = one.to_json().replace('[["b", 2.0]]', wrong)
        with pytest.raises(TableError, match="cannot have task_weights"):
            Recipe.from_json(text)
