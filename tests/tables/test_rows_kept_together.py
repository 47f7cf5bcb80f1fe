"""Splits by groups and by time: nothing of one group is on both sides."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from vstg.data import MultiTaskData
from vstg.model_selection import TaskKFold, search_grid
from vstg.tables import Recipe, Table, TableError, prepare, report

BASE = {"task": "ward", "targets": ("y",), "scaling": "none", "target_scaling": "none"}


@pytest.fixture
def table(rng):
    n = 240
    patient = np.repeat(np.arange(60), 4)
    frame = pd.DataFrame(
        {
            "ward": np.array(["a", "b", "c"])[patient % 3],
            "patient": [f"patient number {p}" for p in patient],
            "day": pd.date_range("2023-01-01", periods=n)
            .strftime("%Y-%m-%d")
            .to_numpy()[rng.permutation(n)],
            "row": np.arange(n, dtype=float),
            "x": rng.standard_normal(n),
            "y": rng.standard_normal(n),
        }
    )
    return Table("wards.csv", frame, "CSV")


def rows_of(data):
    """The rows of the table in some data, by the variable that numbers them."""
    at = data.feature_names.index("row")
    return np.concatenate([X[:, at] for X in data.X]).astype(int)


def test_patients_are_in_one_part_and_in_one_fold(table):
    recipe = Recipe(**BASE, together="patient")
    data = prepare(table, recipe)
    assert data.train.feature_names == ("row", "x")  # the patient is no variable
    patients = table.frame["patient"].to_numpy()
    train, test = (set(patients[rows_of(p)]) for p in (data.train, data.test))
    assert not train & test
    assert len(rows_of(data.test)) == pytest.approx(60, abs=4)
    again = prepare(table, recipe)
    assert again.train.fingerprint == data.train.fingerprint
    for fold in TaskKFold(4).folds(data.train):
        parts = [data.train.take(rows) for rows in (fold.train, fold.test)]
        seen, held = (set(patients[rows_of(part)]) for part in parts)
        assert not seen & held
    half, other = data.train.split(0.5, random_state=0)
    assert not set(patients[rows_of(half)]) & set(patients[rows_of(other)])
    assert len(search_grid(data.train, "ridge", {"gamma1": [1.0]}, cv=4).frame) == 4


def test_the_latest_rows_are_tested_and_folds_are_stretches(table):
    data = prepare(table, Recipe(**BASE, order="day", test_size=0.2))
    days = pd.to_datetime(table.frame["day"]).to_numpy()
    assert days[rows_of(data.train)].max() < days[rows_of(data.test)].min()
    assert len(rows_of(data.test)) == pytest.approx(48, abs=2)
    for fold in TaskKFold(5).folds(data.train):
        held = np.sort(days[rows_of(data.train.take(fold.test))])
        seen = days[rows_of(data.train.take(fold.train))]
        between = [((seen > a) & (seen < b)).any() for a, b in pairwise(held)]
        assert sum(between) <= 4  # five folds of twenty stretches have four each
    by_number = prepare(table, Recipe(**BASE, order="row"))
    assert rows_of(by_number.train).max() < rows_of(by_number.test).min()


def test_rows_without_a_time_are_left_out_and_other_columns_refused(table):
    frame = table.frame.copy()
    frame.loc[:9, "day"] = None
    data = prepare(Table("t.csv", frame, "CSV"), Recipe(**BASE, order="day"))
    assert data.train.n_rows + data.test.n_rows == 230
    with pytest.raises(TableError, match="neither dates nor numbers"):
        prepare(table, Recipe(**BASE, order="patient"))
    with pytest.raises(TableError, match="no column 'bed'"):
        prepare(table, Recipe(**BASE, together="bed"))
    with pytest.raises(TableError, match="not by both"):
        Recipe(**BASE, order="day", together="patient")


def test_recipes_keep_it_and_older_ones_still_open(table):
    recipe = Recipe(**BASE, together="patient")
    assert Recipe.from_json(recipe.to_json()) == recipe
    assert "together='patient'" in recipe.python()
    older = Recipe(**BASE).to_json().replace(', "together": null, "order": null', "")
    assert "together" not in older and Recipe.from_json(older) == Recipe(**BASE)


def test_random_splits_of_such_tables_are_warned_of(table):
    words = " ".join(f.words for f in report(table, Recipe(**BASE)).findings)
    assert "'day' says when" in words and "values of 'patient' repeat" in words
    settled = report(table, Recipe(**BASE, together="patient")).findings
    assert not {"time", "groups"} & {finding.code for finding in settled}


def test_the_task_itself_is_no_group_to_keep_together(table):
    """Nor is its second name; a panel's year is a time although it is a number."""
    names = table.frame["ward"].map("the ward called {}".format)
    frame = table.frame.assign(ward=names + " indeed", code=names)
    frame = frame.assign(day=np.tile(np.arange(1990, 2010), 12))
    found = report(Table("wards.csv", frame, "CSV"), Recipe(**BASE)).findings
    named = {f.code: f.names for f in found if f.code in ("groups", "time")}
    assert named == {"groups": ("patient",), "time": ("day",)}


def test_more_folds_than_groups_are_refused(rng):
    X, y = rng.standard_normal((9, 2)), rng.standard_normal(9)
    data = MultiTaskData([X], [y], groups=[np.repeat([5, 6, 9], 3)])
    with pytest.raises(ValueError, match="3 groups for 4 folds"):
        TaskKFold(4).folds(data)
