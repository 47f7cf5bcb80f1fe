"""Tiny pictures of matrices."""

import base64
import io

import numpy as np
from PIL import Image

from vstg.plots import data_uri, matrix_png


def pixels(png):
    return np.asarray(Image.open(io.BytesIO(png)))


def test_zeros_are_transparent_and_all_else_is_not():
    W = np.array([[0.0, 1.0, 1e-9], [-2.0, 0.0, 0.5]])
    picture = pixels(matrix_png(W))
    assert picture.shape == (2, 3, 4)
    np.testing.assert_array_equal(picture[..., 3] == 0, W == 0)
    assert picture[1, 0, 3] == 255


def test_zero_matrix_is_a_picture_too():
    assert not pixels(matrix_png(np.zeros((3, 2))))[..., 3].any()


def test_data_uri_holds_the_bytes():
    png = matrix_png(np.eye(2))
    assert base64.b64decode(data_uri(png).partition(",")[2]) == png
