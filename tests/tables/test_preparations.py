"""New rows are prepared as the training rows were."""

import numpy as np
import pytest
from shops import LONG, make_table

from vstg.tables import Preparation, TableError, Transform, prepare


def test_new_rows_are_transformed_as_the_training_rows_were():
    table = make_table()
    data = prepare(table, LONG)
    transform = Transform.from_json(data.transform.to_json())
    assert transform == data.transform
    X, notes = transform.new_rows(table.frame, "new.csv")
    assert not notes
    both = np.concatenate([*data.train.X, *data.test.X])
    assert {r.tobytes() for r in X} == {r.tobytes() for r in both}
    shuffled = table.frame[table.frame.columns[::-1]].assign(extra=1)
    np.testing.assert_array_equal(transform.new_rows(shuffled, "new.csv")[0], X)


def test_new_rows_that_do_not_fit_are_refused_or_remarked():
    table = make_table()
    transform = prepare(table, LONG).transform
    with pytest.raises(TableError, match=r"new.csv lacks the columns 'price', 'size'"):
        transform.new_rows(table.frame.drop(columns=["price", "size"]), "new.csv")
    gap = table.frame.copy()
    gap.loc[gap.index[4], "price"] = np.nan
    with pytest.raises(TableError, match=r"new.csv, row 6 has no value for 'price'"):
        transform.new_rows(gap, "new.csv")
    words = table.frame.assign(price=["ten", *["1"] * 79])
    with pytest.raises(TableError, match=r"row 2 has 'ten' for 'price'"):
        transform.new_rows(words, "new.csv")
    odd = table.frame.assign(season="monsoon")
    X, notes = transform.new_rows(odd, "new.csv")
    assert "'monsoon'" in notes[0]
    assert (X[:, 2:5] == 0).all()
    with pytest.raises(TableError, match="not a transform"):
        Transform.from_json("{}")


def test_a_preparation_survives_its_file():
    data = prepare(make_table(), LONG)
    there = Preparation.from_json(Preparation.of(data).to_json())
    assert there == Preparation(LONG, data.transform, None)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "",
        lambda text: "[]",
        lambda text: text.replace("vstg preparation", "other"),
        lambda text: text.replace('"scale": 1.0', '"scale": 0'),
        lambda text: text.replace('"kind": "number"', '"kind": "pickle"'),
        lambda text: text.replace('"labels": null', '"labels": [1]'),
        lambda text: text.replace('"keep": [', '"keep": ["unknown",'),
        lambda text: text.replace('"version": 1', '"version": 9'),
    ],
)
def test_damaged_preparations_are_refused(change):
    text = Preparation.of(prepare(make_table(), LONG)).to_json()
    assert change(text) != text
    with pytest.raises(TableError):
        Preparation.from_json(change(text))
