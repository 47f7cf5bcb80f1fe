"""Prediction intervals: coverage, widths of their own, files, estimators."""

from dataclasses import replace
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from test_predictor import fitted

from vstg import VSTGRegressor, load_model, solve_vstg
from vstg.data import DataError, MultiTaskData
from vstg.model_selection.held_out_scores import cross_scores
from vstg.prediction import ModelFileError, Predictor, archive
from vstg.prediction.intervals import MOST, ConformalScores, quantile
from vstg.tables import TableError

SETTING = {"n_latent": 4, "k": 1, "gamma1": 0.05, "gamma2": 0.02}


def drawn(rng, n, noise, W):
    """Tasks with noise of their own, neither normal nor of one size."""
    X = [rng.standard_normal((n, len(W))) for _ in noise]
    y = [
        x @ w + s * rng.standard_t(3, n) for x, w, s in zip(X, W.T, noise, strict=True)
    ]
    return MultiTaskData(X, y)


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(5)
    W = rng.standard_normal((4, 6))
    noise = [0.2, 0.2, 0.5, 0.5, 2.0, 2.0]
    return [drawn(rng, n, noise, W) for n in (60, 80, 4000)]


def covered(scores, result, data, level):
    widths = scores.widths(level)
    inside = [
        np.abs(y - p) <= w
        for y, p, w in zip(data.y, result.decision(data), widths, strict=True)
    ]
    return np.array([part.mean() for part in inside])


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95])
def test_the_asked_share_of_new_rows_is_covered(problem, level):
    train, calibration, new = problem
    result = solve_vstg(train, fit_intercept=True, **SETTING)
    split = ConformalScores.on(result, calibration, "test rows")

    def fit(part):
        return solve_vstg(part, fit_intercept=True, **SETTING)

    cross = cross_scores(train, fit)
    for scores, n in ((split, 80), (cross, 60)):
        share = covered(scores, result, new, level)
        # Calibration rows decide coverage: Beta with this spread for one task.
        spread = np.sqrt(level * (1 - level) / n)
        assert scores.own(level).all()
        assert share.mean() == pytest.approx(level, abs=3 * spread / np.sqrt(6))
        assert np.abs(share - level).max() < 4 * spread
    widths = split.widths(level)
    assert widths[4:].min() > 2 * widths[:2].max()  # noisy tasks have wider ones


def test_the_quantile_is_that_of_conformal_prediction():
    errors = np.arange(1.0, 20.0)  # 19 of them: the 18th covers 18/20
    assert quantile(errors, 0.9) == 18.0
    assert quantile(errors, 0.95) == 19.0
    assert quantile(errors, 0.96) == np.inf
    many = ConformalScores.of([np.arange(10 * MOST)], [1.0], "")
    assert len(many.by_task[0]) == MOST
    assert many.widths(0.9)[0] == pytest.approx(9 * MOST, rel=2e-3)


def test_tasks_with_few_rows_share_a_width_in_their_own_units():
    rng = np.random.default_rng(0)
    errors = [rng.standard_normal(400), 5 * rng.standard_normal(5), np.empty(0)]
    scores = ConformalScores.of(errors, [1.0, 5.0, 5.0], "")
    assert scores.own(0.9).tolist() == [True, False, False]
    one, two, three = scores.widths(0.9)
    assert two == three == pytest.approx(5 * one, rel=0.05)
    with pytest.raises(DataError, match="level=90"):
        scores.widths(90)


def test_files_keep_the_scores_and_hostile_ones_are_refused():
    model, table = fitted("shops")
    data = model.preparation.transform.apply(table.frame)
    errors = [np.abs(data[:40, 0]) + j for j in range(len(model.task_names))]
    scores = ConformalScores.of(errors, np.ones(len(errors)), "test rows")
    model = replace(model, scores=scores)
    again = Predictor.load(model.to_bytes())
    new = again.predict(table.frame, level=0.9)
    pd.testing.assert_frame_equal(new, model.predict(table.frame, level=0.9))
    half = (new["upper"] - new["lower"]) / 2
    places = [model.task_names.index(task) for task in table.frame["shop"]]
    np.testing.assert_allclose(half, scores.widths(0.9)[places])
    grown = again.transfer(
        table.frame.head(8).assign(shop="new"), "units_sold"
    ).predictor
    assert Predictor.load(grown.to_bytes()).scores.own(0.9).tolist()[-1] is False
    header, arrays = archive.unpack(BytesIO(model.to_bytes()))
    arrays["scores_counts"][0] += 1
    with pytest.raises(ModelFileError, match="errors of held-out rows"):
        Predictor.load(archive.pack(header, arrays))
    older = replace(model, scores=None)
    with pytest.raises(TableError, match="no errors on held-out rows"):
        older.predict(table.frame, level=0.9)


def test_estimators_calibrate_on_new_rows_or_in_folds(problem, tmp_path):
    train, calibration, new = (part.to_frame() for part in problem)
    model = VSTGRegressor("task", **SETTING)
    model.fit(train.drop(columns="target"), train["target"])
    with pytest.raises(TableError, match="calibrate"):
        model.predict_interval(new.drop(columns="target"))
    model.calibrate(calibration.drop(columns="target"), calibration["target"])
    lower, upper = model.predict_interval(new.drop(columns="target"), 0.9).T
    inside = (lower <= new["target"]) & (new["target"] <= upper)
    assert inside.mean() == pytest.approx(0.9, abs=0.04)
    model.calibrate(train.drop(columns="target"), train["target"], cv=5)
    lower, upper = model.predict_interval(new.drop(columns="target"), 0.9).T
    inside = (lower <= new["target"]) & (new["target"] <= upper)
    assert inside.mean() == pytest.approx(0.9, abs=0.05)
    model.save(tmp_path / "model.npz")
    again = load_model(tmp_path / "model.npz")
    rows = new.drop(columns="target").head()
    np.testing.assert_allclose(
        again.predict_interval(rows), model.predict_interval(rows)
    )


def test_several_outputs_have_an_interval_each(rng):
    X = rng.standard_normal((200, 3))
    Y = X @ rng.standard_normal((3, 2)) + rng.standard_normal((200, 2)) * [0.1, 10.0]
    Y[3, 0] = np.nan
    model = VSTGRegressor(n_latent=2, k=2, gamma1=0.001, gamma2=0.001).fit(X, Y)
    ends = model.calibrate(X, Y, cv=4).predict_interval(X[:5])
    assert ends.shape == (5, 2, 2)
    width = ends[0, :, 1] - ends[0, :, 0]
    assert width[1] > 20 * width[0]
