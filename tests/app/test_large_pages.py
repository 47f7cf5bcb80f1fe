"""What the other pages draw of 20,000 variables and 1,000 tasks."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from pages.compare import top_maps
from pages.compare.methods import MAX_POINTS, most_different
from pages.compare.runs import same_pairs
from pages.predict.page import PREVIEW_COLUMNS, preview
from pages.predict.typed import form_columns
from pages.tune import words as tune_words
from pages.tune.path import part_of, steps_of
from pages.tune.stability import frequency_frames
from vstg.baselines import BaselineResult
from vstg.plots.matrices.excerpt import MAX_CELLS, top_matrices
from vstg.plots.runs.comparing import frequency_figure, matrices_figure, wins_figure
from vstg.plots.runs.paths import path_figure
from vstg.prediction import Predictor

D, T, K = 20_000, 1_000, 13
TWO_MEGABYTES = 2 * 2**20


def names(kind, count):
    return tuple(f"{kind}{n}" for n in range(count))


def factors(seed):
    rng = np.random.default_rng(seed)
    U = rng.normal(size=(D, K)) * (rng.random((D, 1)) < 0.05)
    return U, rng.normal(size=(K, T)) * (rng.random((K, T)) < 0.3)


def test_differences_of_large_matrices_are_summarised():
    U, V = factors(0)
    W = top_maps.product(U[:2_000], V)
    other = top_maps.product(U[:2_000] * 1.5, V)
    minus = top_maps.difference(other, W)
    found = top_matrices({"a": minus, "b": minus}, names("x", 2_000), names("t", T))
    expected = 0.5 * (U[:2_000] @ V)
    rows = [int(name[1:]) for name in found.frames["a"].index]
    columns = [int(name[1:]) for name in found.frames["a"].columns]
    part = expected[np.ix_(rows, columns)]
    np.testing.assert_allclose(found.frames["a"], part, atol=1e-12)
    assert "of 2,000 variables" in top_maps.in_words(found)
    assert len(matrices_figure(found.frames).to_json()) < TWO_MEGABYTES


@pytest.mark.parametrize("count", [1, 2, 7, 60])
def test_pairs_are_counted_as_one_by_one(count):
    rng = np.random.default_rng(count)
    a, b = (pd.Series(rng.choice(list("ABC–"), count)) for _ in range(2))
    pairs = [(i, j) for i in range(count) for j in range(i)]
    alike = [(a[i] == a[j]) == (b[i] == b[j]) for i, j in pairs]
    assert same_pairs(a, b) == pytest.approx(np.mean(alike) if alike else 1.0)


def test_tasks_that_differ_most_are_drawn():
    rng = np.random.default_rng(1)
    tasks = pd.DataFrame(rng.random((5_000, 5)), names("t", 5_000), list("abcde"))
    tasks.loc["t4321", "b"] = 99.0
    shown = most_different(tasks, "a")
    assert "t4321" in shown.index
    assert shown.shape[0] * 4 <= MAX_POINTS
    assert len(wins_figure(shown, "a").to_json()) < TWO_MEGABYTES


class Along(SimpleNamespace):
    """A path with three positions."""

    def at(self, value):
        return self.results[self.values.index(value)]


@pytest.mark.parametrize("shape", [(D, T), (D, 8), (6, D), (25, 20)])
def test_path_of_any_size_moves(shape):
    rng = np.random.default_rng(2)
    results = [
        SimpleNamespace(U=scale * rng.normal(size=(shape[0], K)), V=None)
        for scale in (0.0, 1.0, 2.0)
    ]
    V = rng.normal(size=(K, shape[1])) * (
        np.arange(shape[1]) % K == np.arange(K)[:, None]
    )
    for result in results:
        result.V = V
    path = Along(parameter="gamma1", values=[4.0, 2.0, 1.0], results=results)
    rows, order = part_of(path, 2.0)
    steps = steps_of(path, rows, order)
    np.testing.assert_allclose(steps[1].W, results[1].U[rows] @ V[:, order])
    if shape == (25, 20):
        assert (len(rows), len(order)) == shape
    figure = path_figure(
        steps * 5, [f"x{i}" for i in rows], [f"t{j}" for j in order]
    )  # 14 positions and one more
    assert len(figure.to_json()) < TWO_MEGABYTES


@pytest.mark.parametrize("shape", [(D, T), (25, 20)])
def test_stability_is_summarised(shape):
    rng = np.random.default_rng(4)
    n_variables, n_tasks = shape
    arrays = {
        "U": rng.random((n_variables, K)),
        "V": rng.random((K, n_tasks)),
        "variables": rng.random(n_variables),
        "co_membership": rng.random((n_tasks, n_tasks)),
    }
    data = SimpleNamespace(
        n_features=n_variables,
        n_tasks=n_tasks,
        feature_names=names("x", n_variables),
        task_names=names("t", n_tasks),
    )
    pictures, words = frequency_frames(arrays, data)
    assert sum(frame.size for frame in pictures.values()) <= MAX_CELLS
    for title, frame in pictures.items():
        assert len(frequency_figure({title: frame}).to_json()) < TWO_MEGABYTES
    if shape == (25, 20):
        assert not words
        whole = pictures[tune_words.STABILITY_TASKS]
        np.testing.assert_allclose(whole, arrays["co_membership"])
    else:
        surest = f"x{arrays['variables'].argmax()}"
        assert surest in pictures[tune_words.STABILITY_U].index
        assert "of 20,000 variables" in words


@pytest.fixture
def wide_model():
    columns = names("x", 4_000)
    rng = np.random.default_rng(6)
    result = BaselineResult(
        method="ridge", W=rng.normal(size=(4_000, T)),
        intercept=np.arange(T, dtype=float), factors={}, parameters={"gamma1": 1.0},
        loss="squared", objective=0.0, history={}, n_iter=0, converged=True,
        stop_reason="", seconds=0.0,
    )  # fmt: skip
    return Predictor(result, tuple(names("t", T)), tuple(columns))


def test_rows_are_predicted_for_all_tasks_at_once(wide_model):
    X = np.random.default_rng(7).normal(size=(3, 4_000))
    rows = pd.DataFrame(X, columns=list(wide_model.columns), index=[1, 2, 3])
    table = SimpleNamespace(frame=rows, name="rows.csv")
    frame, _ = wide_model.predict_table(table, None)
    expected = X @ wide_model.W + wide_model.intercept
    np.testing.assert_allclose(frame["prediction t999"], expected[:, 999])
    assert frame.shape == (3, 5_000)
    shown = preview(frame, 4_000)
    assert shown.shape == (3, PREVIEW_COLUMNS)
    assert {"x0", "prediction t0"} <= set(shown.columns)


def test_form_asks_for_the_weightiest(wide_model):
    order = np.argsort(-np.abs(wide_model.W[:, 5]))
    assert form_columns(wide_model, 5)[:3] == [f"x{i}" for i in order[:3]]
