"""Parts of matrices that are too large for a picture."""

import json

import numpy as np
import pytest

from vstg.plots import SchemeData, factor_frames, scheme_figure, scheme_payload
from vstg.plots.matrices.excerpt import (
    MAX_CELLS,
    Excerpt,
    block_means,
    cell_count,
    columns_that_fit,
    fitting_shape,
    largest,
    top_matrices,
)
from vstg.plots.runs.comparing import frequency_figure, matrices_figure

TWO_MEGABYTES = 2 * 2**20


@pytest.fixture(scope="module")
def large():
    """U and V of 20,000 variables and 1,000 tasks, most rows of U zero."""
    rng = np.random.default_rng(3)
    U = rng.normal(size=(20_000, 13)) * (rng.random((20_000, 1)) < 0.15)
    V = rng.normal(size=(13, 1_000)) * (rng.random((13, 1_000)) < 0.3)
    return U, V


def names(kind, count):
    return [f"{kind}{n}" for n in range(count)]


def part_of(U, V, rows, width):
    groups = np.array_split(np.arange(V.shape[1]), width)
    return Excerpt(np.arange(rows), tuple(names("g", width)), tuple(groups))


@pytest.mark.parametrize("rows", [20, 60, 120, 200])
@pytest.mark.parametrize("copies", [1, 2])
def test_columns_that_fit_do_fit(rows, copies):
    width = columns_that_fit(rows, 13, copies)
    assert width > 1
    assert cell_count(rows, width, 13, copies) <= MAX_CELLS


def test_column_of_a_group_is_the_mean_of_its_tasks(large):
    U, V = large
    factors = factor_frames(U[:50], V, names("x", 50), names("t", 1_000))
    shown = part_of(U, V, 50, 7).of(factors)
    expected = [
        (U[:50] @ V[:, tasks]).mean(axis=1)
        for tasks in np.array_split(np.arange(1_000), 7)
    ]
    np.testing.assert_allclose(shown.W.to_numpy(), np.array(expected).T, atol=1e-12)


def test_picture_of_any_size_is_small(large):
    U, V = large
    factors = factor_frames(U, V, names("x", 20_000), names("t", 1_000))
    width = columns_that_fit(200, 13, 2)
    part = part_of(U, V, 200, width)
    data = SchemeData(
        estimate=part.of(factors),
        truth=part.of(factors),
        group_of_task=list(range(width)),
        importance=[1.0] * 200,
        status=["right"] * 200,
        sizes=[len(tasks) for tasks in part.tasks],
    )
    payload = scheme_payload(data)
    assert sum(payload["sizes"]) == 1_000
    assert len(json.dumps(payload)) < TWO_MEGABYTES
    assert len(scheme_figure(data).to_json()) < TWO_MEGABYTES
    assert "W" not in vars(factors)  # the whole product was never made


@pytest.mark.parametrize(
    "shape", [(20_000, 1_000), (1_000, 20_000), (100_000, 3), (3, 100_000), (10, 10)]
)
def test_part_has_rows_and_columns_within_the_limit(shape):
    rows, columns = fitting_shape(*shape, 5_000)
    assert 1 <= rows <= shape[0]
    assert 1 <= columns <= shape[1]
    assert rows * columns <= 5_000


def test_largest_goes_through_every_block(monkeypatch, large):
    monkeypatch.setattr("vstg.plots.matrices.excerpt.BLOCK_CELLS", 7_777)
    U, V = large
    W = U[:301] @ V
    rows, columns = largest(lambda rows: U[:301][rows] @ V, 301, 1_000)
    np.testing.assert_allclose(rows, np.abs(W).max(axis=1))
    np.testing.assert_allclose(columns, np.abs(W).max(axis=0))


def test_top_matrices_keep_the_largest_entries(large):
    U, V = large[0][:3_000], large[1]
    W = U @ V
    matrices = {"a": lambda rows: U[rows] @ V, "b": lambda rows: -2 * (U[rows] @ V)}
    found = top_matrices(matrices, names("x", 3_000), names("t", 1_000))
    assert not found.whole
    assert sum(frame.size for frame in found.frames.values()) <= MAX_CELLS
    frame = found.frames["b"]
    assert np.abs(frame.to_numpy()).max() == pytest.approx(2 * np.abs(W).max())
    rest = np.setdiff1d(np.arange(3_000), [int(name[1:]) for name in frame.index])
    assert found.rest == pytest.approx(2 * np.abs(W[rest]).max())
    assert len(matrices_figure(found.frames).to_json()) < TWO_MEGABYTES


def test_small_matrices_stay_whole():
    W = np.arange(12.0).reshape(4, 3)
    found = top_matrices({"a": W.__getitem__}, "abcd", "xyz")
    assert found.whole
    np.testing.assert_array_equal(found.frames["a"], W)
    assert list(found.frames["a"].columns) == ["x", "y", "z"]


def test_blocks_average_neighbours():
    rng = np.random.default_rng(0)
    square = rng.random((1_000, 1_000))
    order = rng.permutation(1_000)
    frame = block_means(square, names("t", 1_000), order, 100)
    inside = square[np.ix_(order[10:20], order[990:])]
    assert frame.shape == (100, 100)
    assert frame.iloc[1, 99] == pytest.approx(inside.mean())
    assert frame.columns.is_unique
    assert len(frequency_figure({"": frame}).to_json()) < TWO_MEGABYTES


def test_blocks_of_one_are_the_matrix():
    square = np.arange(9.0).reshape(3, 3)
    frame = block_means(square, "abc", np.array([2, 0, 1]), 10)
    assert list(frame.index) == ["c", "a", "b"]
    assert frame.loc["c", "a"] == square[2, 0]
