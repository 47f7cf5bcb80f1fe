"""Compile every kernel for the types in use, so that no user waits for it."""

import numpy as np

from vstg import kernels
from vstg.data import MultiTaskData
from vstg.kernels import MEMORY
from vstg.solvers.many_tasks import N_SPANS, descend_many
from vstg.solvers.spans import Model
from vstg.statistics import RowModel, first_moments, gram_quadratic


def compile_matrices() -> None:
    """The fast solver on Gram matrices, also with thousands of tasks."""
    kernels.compile_solver()
    for data in small_data():
        first = first_moments(data, fit_intercept=False)
        descend_small(gram_quadratic(data, first, 1.0))


def compile_observations() -> None:
    """The fast solver on observations, and the methods to compare with."""
    kernels.compile_others()
    for data in small_data():
        first = first_moments(data, fit_intercept=False)
        descend_small(RowModel.of(data, first.x_mean, first.y_mean, 1.0))


def small_data() -> tuple[MultiTaskData, MultiTaskData]:
    """One task per span, with a design per task and with a shared design."""
    X = [np.eye(3) + j for j in range(N_SPANS)]
    y = [np.arange(3.0)] * N_SPANS
    return MultiTaskData(X, y), MultiTaskData([X[0]] * N_SPANS, y)


def descend_small(model: Model) -> None:
    """A few iterations on spans, as for thousands of tasks."""
    U, Vt = np.ones((3, 2)), np.ones((N_SPANS, 2))
    past, history = np.empty((MEMORY + 1, U.size + Vt.size)), np.empty((7, 6))
    descend_many(model, U, Vt, 0.1, 0.1, 0.1, 1, 0.0, 7, past, 0, 0, history)


# Two halves that take about the same time, for two processes.
HALVES = (compile_matrices, compile_observations)


def compile_all() -> None:
    """Compile both halves; quick if they are in the cache."""
    for compile_half in HALVES:
        compile_half()
