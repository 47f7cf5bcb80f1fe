"""Figures of the paper's exhibits: what is drawn is what was given."""

import numpy as np
import pandas as pd
import pytest

from vstg.plots.runs.reproduction import (
    coefficients_figure,
    pattern_figure,
    repetitions_figure,
)

PAPER = pd.DataFrame({"column": ["A", "B"], "mean": [1.0, 3.0], "sd": [0.5, 0.25]})


def repetitions(n):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "column": ["A"] * n + ["B"] * n,
            "repetition": [*range(n), *range(n)],
            "value": rng.normal(2.0, 0.1, 2 * n),
        }
    )


@pytest.mark.parametrize("n", [1, 10])
def test_bands_are_mean_plus_minus_sd_and_every_repetition_is_a_point(n):
    values = repetitions(n)
    figure = repetitions_figure(values, PAPER, "B", "RMSE")
    bands = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert [(b.y0, b.y1) for b in bands] == [(0.5, 1.5), (2.75, 3.25)]
    boxes = [trace for trace in figure.data if trace.type == "box"]
    drawn = np.concatenate([box.y for box in boxes])
    np.testing.assert_array_equal(drawn, values["value"])
    assert all(box.boxpoints == "all" for box in boxes)


def test_axis_holds_points_and_bands():
    figure = repetitions_figure(repetitions(5), PAPER, "A", "RMSE")
    low, high = figure.layout.yaxis.range
    assert low < 0.5
    assert high > 3.25


def test_chosen_column_stands_out_by_size_too():
    figure = repetitions_figure(repetitions(3), PAPER, "A", "RMSE")
    chosen, other = (t for t in figure.data if t.type == "box")
    assert chosen.marker.size > other.marker.size
    assert chosen.marker.color != other.marker.color


def frames(*matrices):
    return {f"M{n}": pd.DataFrame(m) for n, m in enumerate(matrices)}


def test_panels_show_magnitudes_on_one_scale_with_white_for_zero():
    rng = np.random.default_rng(1)
    true = [rng.normal(size=(5, 4)) * (rng.random((5, 4)) < 0.5) for _ in range(4)]
    found = [matrix + 0.1 for matrix in true]
    below = {f"E{n}": pd.DataFrame(m) for n, m in enumerate(found)}
    figure = coefficients_figure(frames(*true), below)
    assert len(figure.data) == 8
    for trace, matrix in zip(figure.data, [*true, *found], strict=True):
        np.testing.assert_allclose(trace.z, np.abs(matrix), rtol=1e-6)
        assert trace.coloraxis == "coloraxis"
    colours = figure.layout.coloraxis
    assert colours.cmin == 0
    assert colours.cmax == pytest.approx(max(np.abs(m).max() for m in found + true))
    assert colours.colorscale[0] == (0.0, "#ffffff")
    assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "#ffffff"


def test_truth_stands_above_its_estimate():
    figure = coefficients_figure(frames(np.eye(2), np.eye(3)), frames(np.ones((2, 2))))
    tops = [figure.layout[f"yaxis{n or ''}"].domain[0] for n in ("", 2, 3)]
    assert tops[0] == tops[1] > tops[2]


def test_zero_matrices_have_a_scale():
    figure = coefficients_figure(frames(np.zeros((2, 2))), frames(np.zeros((2, 2))))
    assert figure.layout.coloraxis.cmax == 1.0


def test_pattern_is_grey_exactly_where_an_entry_is_not_zero():
    U = np.array([[1.0, 0.0], [0.0, 0.0], [-1.0, 1.0]])
    figure = pattern_figure(frames(U, U.T))
    np.testing.assert_array_equal(figure.data[0].z, U != 0)
    assert figure.data[0].text[2][0] == "-1"
