"""Exact zeros are told from small values, and both matrices share one scale."""

import numpy as np
import pytest

from vstg.plots import factor_frames
from vstg.plots.matrices.factors import VIEWS, colour_range, common_limit, shown_values

VALUES = np.array([[0.0, 1e-12, -2.0], [-0.0, 3.0, 0.0]])


@pytest.mark.parametrize("view", VIEWS)
def test_exact_zeros_have_no_colour_and_small_values_have_one(view):
    shown = shown_values(VALUES, view)
    assert shown.dtype == np.float32
    np.testing.assert_array_equal(np.isnan(shown), VALUES == 0)


def test_views_keep_sign_or_size_or_neither():
    np.testing.assert_allclose(shown_values(VALUES, "signed")[0, 2], -2.0)
    np.testing.assert_allclose(shown_values(VALUES, "magnitude")[0, 2], 2.0)
    assert set(shown_values(VALUES, "pattern")[VALUES != 0]) == {1.0}


def test_limit_is_common_and_never_zero():
    assert common_limit(np.array([[1.0]]), np.array([[-4.0]])) == 4.0
    assert common_limit(np.zeros((2, 2)), None) == 1.0
    assert common_limit(np.zeros((0, 0))) == 1.0


def test_signed_scale_is_centred_at_zero():
    assert colour_range(2.5, "signed") == (-2.5, 2.5)
    assert colour_range(2.5, "magnitude") == (0.0, 2.5)
    assert colour_range(2.5, "pattern") == (0.0, 1.0)


def test_frames_name_both_sides_and_multiply():
    U, V = np.arange(6.0).reshape(3, 2), np.arange(8.0).reshape(2, 4)
    frames = factor_frames(U, V, "abc", ["t1", "t2", "t3", "t4"])
    np.testing.assert_allclose(frames.W.to_numpy(), U @ V)
    assert list(frames.U.columns) == list(frames.V.index) == ["b1", "b2"]
    turned = frames.ordered(np.array([2, 0, 1]), np.array([3, 2, 1, 0]))
    assert list(turned.W.index) == ["c", "a", "b"]
    assert turned.W.loc["a", "t4"] == frames.W.loc["a", "t4"]
    np.testing.assert_allclose(
        turned.U.to_numpy() @ turned.V.to_numpy(), turned.W.to_numpy()
    )
