"""Missing targets: each task uses its own rows, in every form of the data."""

import numpy as np
import pandas as pd
import pytest

from vstg import VSTGClassifier, VSTGRegressor, solve_vstg
from vstg.data import DataError, MultiTaskData
from vstg.jobs.store.blobs import pack_data, unpack_data
from vstg.model_selection import TaskKFold, search_grid
from vstg.tables import Recipe, prepare, read_table

SETTING = {"n_latent": 3, "k": 2, "gamma1": 0.05, "gamma2": 0.02}


@pytest.fixture
def wide(rng):
    X = rng.standard_normal((40, 6))
    Y = X @ rng.standard_normal((6, 4)) + 0.1 * rng.standard_normal((40, 4))
    holes = rng.random(Y.shape) < 0.3
    holes[:, 1] = holes[:, 0]  # two targets measured on the same rows
    return X, np.where(holes, np.nan, Y)


def long_of(X, Y):
    """The same observations, one row each."""
    return pd.concat(
        [
            pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])])
            .assign(task=f"t{j}", target=y)
            .dropna(subset="target")
            for j, y in enumerate(Y.T)
        ]
    )


def test_a_wide_table_with_holes_is_the_long_one_without(wide):
    X, Y = wide
    names = [f"t{j}" for j in range(4)]
    holed = MultiTaskData.from_multioutput(X, Y, task_names=names)
    long = MultiTaskData.from_frame(long_of(X, Y), task="task", target="target")
    for a, b in zip((*holed.X, *holed.y), (*long.X, *long.y), strict=True):
        np.testing.assert_array_equal(a, b)
    assert holed.X[0] is holed.X[1]
    first, second = (solve_vstg(data, **SETTING) for data in (holed, long))
    np.testing.assert_allclose(first.W, second.W, atol=1e-12)


def test_without_holes_nothing_changes(wide):
    X, Y = wide
    full = MultiTaskData.from_multioutput(X, np.nan_to_num(Y))
    assert full.shared_X and full.groups == ()


def test_rows_are_held_out_in_all_tasks_at_once(wide):
    data = MultiTaskData.from_multioutput(*wide)
    for fold in TaskKFold(5, random_state=1).folds(data):
        train, test = (
            {row for g, r in zip(data.groups, part, strict=True) for row in g[r]}
            for part in (fold.train, fold.test)
        )
        assert not train & test
    found = search_grid(data, "ridge", {"gamma1": [0.01, 1.0]}, cv=4)
    assert found.best["gamma1"] == 0.01


def test_groups_travel_with_the_rows_and_into_the_store(wide):
    data = MultiTaskData.from_multioutput(*wide)
    half = data.take([np.arange(0, len(y), 2) for y in data.y])
    np.testing.assert_array_equal(half.groups[2], data.groups[2][::2])
    kept = data.subset(tasks=[2]).scaled([2.0]).columns(np.arange(3))
    np.testing.assert_array_equal(kept.groups[0], data.groups[2])
    again = unpack_data(pack_data(data))
    np.testing.assert_array_equal(again.groups[3], data.groups[3])
    assert again.fingerprint == data.fingerprint != data.with_groups(()).fingerprint
    with pytest.raises(DataError, match="one whole number per row"):
        data.with_groups([np.zeros(3)])


@pytest.mark.parametrize("form", [np.asarray, pd.DataFrame])
def test_estimators_take_them(wide, form):
    X, Y = wide
    model = VSTGRegressor(**SETTING).fit(X, form(Y))
    frame = long_of(X, Y)
    long = VSTGRegressor("task", **SETTING).fit(
        frame.drop(columns="target"), frame["target"]
    )
    np.testing.assert_allclose(model.coef_, long.coef_, atol=1e-10)
    assert model.predict(X).shape == Y.shape
    assert model.score(X, Y) > 0.9
    labels = np.where(np.isnan(Y), None, np.where(Y > 0, "up", "down"))
    found = VSTGClassifier(**SETTING).fit(X, labels)
    frame["target"] = np.where(frame["target"] > 0, "up", "down")
    same = VSTGClassifier("task", **SETTING).fit(
        frame.drop(columns="target"), frame["target"]
    )
    np.testing.assert_allclose(found.coef_, same.coef_, atol=1e-6)
    assert set(found.predict(X).ravel()) == {"up", "down"}


def test_one_target_must_still_be_whole(wide):
    X, Y = wide
    with pytest.raises(ValueError, match="NaN"):
        VSTGRegressor().fit(X, Y[:, 0])
    Y[:, 2] = np.nan
    with pytest.raises(DataError, match="no rows"):
        VSTGRegressor().fit(X, Y)


def test_a_file_with_holes_is_prepared_and_says_how_many(wide, tmp_path):
    X, Y = wide
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(
        **dict(zip("pqrs", Y.T, strict=True))
    )
    frame.to_csv(tmp_path / "wide.csv", index=False)
    recipe = Recipe("wide", targets=tuple("pqrs"), scaling="none", test_size=0.0)
    prepared = prepare(read_table(tmp_path / "wide.csv"), recipe)
    expected = MultiTaskData.from_multioutput(X, Y)
    for j in range(4):
        np.testing.assert_allclose(prepared.train.X[j], expected.X[j])
        np.testing.assert_allclose(prepared.train.targets[j], expected.y[j])
    words = " ".join(note.words for note in prepared.notes)
    n = int(np.isnan(Y[:, 0]).sum() - np.isnan(Y).all(axis=1).sum())
    assert "targets are missing" in words and f"'p' ({n})" in words
