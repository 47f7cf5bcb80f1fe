import numpy as np
import pandas as pd
import pytest

from vstg.notation import measure_text, setting_text
from vstg.plots.runs.comparing import (
    box_figure,
    frequency_figure,
    log_ticks,
    matrices_figure,
    sureness_figure,
    wilson_interval,
    wins_figure,
)
from vstg.plots.runs.paths import PathStep, path_figure
from vstg.plots.runs.tuning import (
    best_curve,
    error_curve,
    error_map,
    error_range,
    parallel_figure,
    pareto_figure,
    shares_figure,
)
from vstg.plots.runs.tuning_frames import (
    best_so_far,
    error_by,
    error_grid,
    keep_best,
    keep_between,
    parameter_importance,
    pareto_front,
)

STRENGTHS = (2**-4, 2**-2, 1.0)


@pytest.fixture
def summary():
    """Errors that depend on K strongly, on γ1 a little and on γ2 not at all."""
    rows = [
        {"n_latent": K, "k": 1, "gamma1": g1, "gamma2": g2,
         "error": 10.0 * (K == 3) + np.log2(g1) ** 2 / 10, "se": 0.1,
         "n_variables": 20.0 - K - g1, "n_nonzero": 100.0}
        for K in (3, 5) for g1 in STRENGTHS for g2 in STRENGTHS
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_filters_keep_the_best_and_the_ranges(summary):
    assert len(keep_best(summary, 0.1)) == 2
    assert len(keep_best(summary, 1e-9)) == 1
    kept = keep_between(summary, {"n_latent": (5, 5), "gamma1": (0.2, 1.0)})
    assert set(kept["n_latent"]) == {5}
    assert len(kept) == 6


def test_importance_finds_what_matters(summary):
    table = parameter_importance(summary, ["n_latent", "k", "gamma1", "gamma2"])
    shares = dict(zip(table["parameter"], table["share"], strict=True))
    assert table["parameter"].iloc[0] == "n_latent"
    assert shares["n_latent"] > shares["gamma1"] > shares["gamma2"] + 0.01
    assert shares["k"] == pytest.approx(0.0, abs=1e-12)
    assert sum(shares.values()) <= 1 + 1e-12


def test_front_is_beaten_by_nobody(summary):
    front = pareto_front(summary)
    for _, row in front.iterrows():
        better = (summary["error"] <= row["error"]) & (
            summary["n_variables"] < row["n_variables"]
        )
        assert not better.any()
    assert len(front) < len(summary)


def test_best_so_far_waits_for_all_folds():
    frame = pd.DataFrame(
        {"k": [1, 2, 1, 2, 3], "error": [4.0, 1.0, 2.0, 1.0, 0.1], "fold": 0}
    )
    curve = best_so_far(frame, ["k"], "error", 2)
    np.testing.assert_allclose(curve["error"], [np.nan, np.nan, 3.0, 1.0, 1.0])
    figure = best_curve(curve, measure_text("rmse_pooled"))
    assert figure.data[0].y.min() == 1.0
    assert figure.layout.yaxis.title.text == "lowest RMSE"
    assert measure_text("multiclass_error_rate") == "error rate"


def test_map_fills_its_axes_and_marks_the_best(summary):
    grid = error_grid(summary, {"n_latent": 5, "k": 1}, "gamma2", "gamma1")
    marks = {"best": (1.0, 2**-4)}
    figure = error_map(grid, marks, (0.0, 2.0), title="K = 5", measure="RMSE")
    colours = figure.layout.coloraxis
    assert (colours.cmin, colours.cmax) == (0.0, 2.0)
    assert colours.colorbar.title.text == "RMSE"
    # Squares and marks would widen the axes beyond the cells.
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        assert tuple(axis.range) == (-0.5, 2.5)
    star = figure.data[-1]
    assert (star.x[0], star.y[0]) == ("2⁰", "2⁻⁴")
    clicks = [trace for trace in figure.data if trace.customdata is not None]
    assert list(clicks[0].customdata[0]) == ["K = 5", 2**-4, 2**-4]
    assert list(star.customdata[0]) == ["K = 5", 1.0, 2**-4]  # it can be clicked, too


def test_map_names_only_as_many_values_as_are_legible():
    values = [2.0**e for e in range(-10, 4)]
    index = pd.Index(values, name="gamma2")
    grid = pd.DataFrame(1.0, index, pd.Index(values, name="gamma1"))
    axis = error_map(grid, {}, (0.0, 1.0)).layout.xaxis
    assert len(axis.tickvals) == 7
    assert axis.tickvals[0] == "2⁻¹⁰"
    assert axis.title.text == "γ₁"


def test_curves_lines_and_bars_hold_what_they_are_given(summary):
    table = error_by(summary, "n_latent")
    curve = error_curve("n_latent", table, limits=error_range([table]))
    assert list(curve.data[0].x) == ["3", "5"]
    assert curve.data[0].error_y.array[0] == 0.1
    low, high = curve.layout.yaxis.range  # with the bars, and no more than some air
    assert table["error"].min() - 1 < low < table["error"].min() - 0.1
    assert table["error"].max() + 0.1 < high < table["error"].max() + 1
    lines = parallel_figure(summary, ["n_latent", "k", "gamma1", "gamma2"])
    assert list(lines.data[0].dimensions[2].tickvals) == [-4.0, -2.0, 0.0]
    assert lines.data[0].dimensions[-1].label == "error"
    # Lines of the greatest colour are drawn last, on top.
    best = int(np.argmin(summary["error"]))
    assert lines.data[0].line.color[best] == max(lines.data[0].line.color)
    shares = parameter_importance(summary, ["n_latent", "gamma1"])
    assert shares_figure(shares).data[0].y[-1] == "K"
    marks = {"best": summary.iloc[0], "one_se": summary.iloc[1]}
    figure = pareto_figure(summary, pareto_front(summary), marks, measure="RMSE")
    assert [len(trace.x) for trace in figure.data[2:]] == [1, 1]
    assert figure.data[3].customdata[0] == 1  # the row that a click opens
    assert figure.data[0].text[0] == "K = 3, k = 1, γ₁ = 2⁻⁴, γ₂ = 2⁻⁴"
    assert figure.layout.yaxis.title.text == "RMSE"
    curve = error_curve("n_latent", table, marks)
    assert [trace.name for trace in curve.data[1:]] == ["best", "one standard error"]


def test_setting_is_written_in_the_order_of_the_paper():
    setting = {"gamma2": 0.25, "gamma1": 3.0, "k": 1, "n_latent": 5, "mu": None}
    assert setting_text(setting) == "K = 5, k = 1, γ₁ = 3, γ₂ = 2⁻²"


def test_path_has_a_frame_a_step_and_empties_zeros(rng):
    steps = []
    for number in range(3):
        U, V = rng.normal(size=(4, 2)), rng.normal(size=(2, 5))
        U[number:] = 0
        steps.append(PathStep(f"{number}", "words", U, V, U @ V, np.zeros(5)))
    figure = path_figure(steps, list("abcd"), list("vwxyz"), start=1)
    assert [frame.name for frame in figure.frames] == ["0", "1", "2"]
    assert np.isnan(figure.data[3].z[1:]).all()
    assert np.isfinite(figure.data[3].z[0]).all()
    assert figure.layout.sliders[0].active == 1


def test_comparison_figures(rng):
    errors = pd.DataFrame(
        {"method": ["a", "b"] * 3, "repetition": [0, 0, 1, 1, 2, 2],
         "value": rng.random(6)}
    )  # fmt: skip
    assert [len(trace.y) for trace in box_figure(errors).data] == [3, 3]
    W = pd.DataFrame([[0.0, 2.0], [-1.0, 0.0]])
    figure = matrices_figure({"a": W, "b": 0 * W})
    assert np.isnan(figure.data[0].z[0][0])
    assert figure.layout.coloraxis.cmax == 2.0
    tasks = pd.DataFrame({"a": [1.0, 2.0], "b": [1.5, 1.0]}, index=["s", "t"])
    wins = wins_figure(tasks, "a", measure="RMSE")
    np.testing.assert_allclose(wins.data[0].y, [0.5, -1.0])
    assert wins.layout.yaxis.title.text == "RMSE above a's"
    # A method has the same colour in every figure.
    boxes = box_figure(errors, y="RMSE", log=True)
    assert wins.data[0].marker.color == boxes.data[1].marker.color
    assert boxes.layout.yaxis.type == "log"
    part = matrices_figure({"": W}, limit=4.0, scale=False)
    assert part.layout.coloraxis.cmax == 4.0
    assert part.layout.coloraxis.showscale is False
    assert matrices_figure({"": 0 * W}).layout.coloraxis.cmax == 1.0


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0.03, 0.2], [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0]),
        ([0.3, 0.4], [0.1, 0.2, 0.5, 1.0, 2.0, 5.0]),
        ([0.002, 50.0], [0.001, 0.01, 0.1, 1.0, 10.0, 100.0]),
        ([0.0, np.nan], [1.0]),
    ],
)
def test_ticks_of_a_log_axis_name_some_numbers_in_every_span(values, ticks):
    assert log_ticks(np.array(values)) == pytest.approx(ticks)


def test_sureness_has_an_interval_within_zero_and_one():
    low, high = wilson_interval([0.0, 0.5, 1.0], 100)
    assert low[0] == pytest.approx(0.0, abs=1e-12)
    assert high[2] == pytest.approx(1.0)
    assert (low < high).all()
    # The textbook's value for 50 of 100.
    assert (low[1], high[1]) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    table = pd.DataFrame(
        {"variable": list("abc"), "frequency": [1.0, 0.5, 0.0], "low": low[::-1],
         "high": high[::-1], "selected": [True, True, False]}
    )  # fmt: skip
    assert len(sureness_figure(table, 0.9).data[0].x) == 3
    assert len(frequency_figure({"U": pd.DataFrame(np.eye(2))}).data) == 1
