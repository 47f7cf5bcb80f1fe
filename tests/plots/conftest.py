"""Factorisations at the edges of what a fit can give."""

import numpy as np
import pytest

from vstg.inspection import task_groups, variable_importance
from vstg.plots import SchemeData, factor_frames


def scheme(U, V, *, truth=None, view="signed", focus=None):
    """A scheme of plain arrays, as the page makes it."""
    variables = [f"x{i}" for i in range(len(U))]
    tasks = [f"task{j}" for j in range(V.shape[1])]
    groups = [group for group in task_groups(V, U=U) if not group.empty]
    numbers = np.full(V.shape[1], -1)
    for number, group in enumerate(groups):
        numbers[list(group.tasks)] = number
    importance = variable_importance(U)
    return SchemeData(
        estimate=factor_frames(U, V, variables, tasks),
        truth=None if truth is None else factor_frames(*truth, variables, tasks),
        group_of_task=numbers.tolist(),
        importance=importance.row_max.tolist(),
        status=["selected" if kept else "dropped" for kept in importance.selected],
        view=view,
        focus=focus,
    )


def sparse(rng, *shape):
    """Normal entries, about half of them exactly zero."""
    return rng.normal(size=shape) * (rng.random(shape) < 0.5)


SHAPES = {
    "paper": (25, 20, 5),
    "one task": (6, 1, 2),
    "one basis": (6, 4, 1),
    "one variable": (1, 4, 2),
    "200 tasks": (30, 200, 8),
    "500 x 200": (500, 200, 13),
}


@pytest.fixture(params=[*SHAPES, "zero"])
def factors(request):
    """(U, V), whose product may have any shape or be zero."""
    rng = np.random.default_rng(7)
    if request.param == "zero":
        return np.zeros((25, 5)), np.zeros((5, 20))
    D, T, K = SHAPES[request.param]
    return sparse(rng, D, K), sparse(rng, K, T)


@pytest.fixture
def make_scheme():
    """The function itself, so that tests need not import a conftest."""
    return scheme
