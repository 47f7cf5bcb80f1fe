"""Curves and bars: what is drawn is what was measured, at any length."""

import numpy as np
import pandas as pd
import pytest

from vstg.plots import (
    convergence_figure,
    gap_figure,
    history_frame,
    importance_figure,
    residual_figure,
    restart_figure,
    task_error_figure,
)
from vstg.plots.diagnostics import MAX_POINTS


def history(n_iter):
    terms = {
        name: np.linspace(2.0, 1.0, n_iter)
        for name in ("loss", "l1", "l1_inf", "k_support")
    }
    return {**terms, "objective": sum(terms.values())}


@pytest.mark.parametrize("n_iter", [1, 2, 50, 5000])
def test_convergence_has_four_terms_and_their_sum(n_iter):
    frame = history_frame(history(n_iter))
    assert frame.index[0] == 1
    assert frame.index[-1] == n_iter
    assert len(frame) <= MAX_POINTS
    figure = convergence_figure(frame)
    drawn = np.array([trace.y for trace in figure.data])
    np.testing.assert_allclose(drawn[:4].sum(axis=0), drawn[4], rtol=1e-6)
    assert gap_figure(frame).layout.yaxis.type == "log"


def test_gap_leaves_out_what_has_no_logarithm():
    gap = gap_figure(history_frame(history(5))).data[0].y
    assert np.isnan(gap[-1])
    assert (gap[:-1] > 0).all()


def test_residuals_have_both_curves():
    inner = {"primal_residual": np.array([1.0, 0.0]), "dual_residual": np.ones(2)}
    figure = residual_figure(inner)
    assert [trace.name for trace in figure.data] == ["primal residual", "dual residual"]
    assert np.isnan(figure.data[0].y[1])


def test_best_restart_stands_out():
    figure = restart_figure([3.0, 1.0, 2.0])
    colours = figure.data[0].marker.color
    assert colours[1] != colours[0] == colours[2]


@pytest.mark.parametrize("count", [1, 200, 500])
def test_importance_has_a_bar_a_variable_up_to_a_limit(count):
    frame = pd.DataFrame(
        {"max": np.arange(count), "l1": np.arange(count), "status": ["right"] * count},
        index=[f"x{i}" for i in range(count)],
    )
    assert len(importance_figure(frame).data[0].x) == min(count, 200)


def test_task_errors_show_the_floor_only_where_it_is_known():
    frame = pd.DataFrame({"train": [1.0], "test": [2.0]}, index=["a"])
    assert len(task_error_figure(frame).data) == 2
    assert len(task_error_figure(frame.assign(floor=1.0)).data) == 3
