"""The fits of the small Explore, and how a file keeps them."""

import base64

import numpy as np
import pytest

from pages.learn.small_explore import payload
from vstg.lessons.fit_grid import fit_grid
from vstg.solvers import solve_vstg


@pytest.fixture(scope="module")
def grid():
    return fit_grid((1, 3), (-3, 1))


def test_fits_are_in_the_order_of_their_places(grid):
    assert len(grid.fits) == 2 * 2 * 2 * 2
    for place, (K, g1, g2) in {1: (1, -3, 1), 6: (3, 1, -3)}.items():
        again = solve_vstg(
            grid.syn.train, n_latent=K, k=1, gamma1=2.0**g1, gamma2=2.0**g2
        )
        np.testing.assert_array_equal(grid.fits[place].U, again.U)


def test_file_keeps_every_zero_and_four_digits(grid):
    told = payload(grid)
    numbers = np.frombuffer(base64.b64decode(told["factors"]), "<i2")
    at = 0
    for fit, described in zip(grid.fits, told["fits"], strict=True):
        for matrix, unit in ((fit.U, described["u"]), (fit.V, described["v"])):
            read = numbers[at : at + matrix.size].reshape(matrix.shape) * unit
            at += matrix.size
            np.testing.assert_array_equal(read == 0, matrix == 0)
            np.testing.assert_allclose(read, matrix, atol=1e-4 * np.abs(matrix).max())
    assert at == len(numbers)


def test_groups_are_tasks_with_the_same_bases(grid):
    for fit in grid.fits:
        used = [tuple(column) for column in (fit.V != 0).T]
        for j, group in enumerate(fit.groups):
            assert (group == -1) == (not any(used[j]))
            same = [i for i, other in enumerate(fit.groups) if other == group]
            assert all((used[i] == used[j]) for i in same)
