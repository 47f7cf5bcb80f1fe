"""Compiled loops (numba): proximal operators, block updates, the descent.

Kernels know arrays only; names, checks and results belong to the layers above.
"""

import numpy as np

from vstg.kernels.baselines import descend_l1_trace, descend_lasso, descend_mmtfl
from vstg.kernels.certificate import possible_gains
from vstg.kernels.descent import (
    MEMORY,
    PAUSE,
    descend,
    extrapolate,
    sweep_matrices,
)
from vstg.kernels.go_mtl import descend_go_mtl
from vstg.kernels.least_squares import cut_entries
from vstg.kernels.prox import (
    prox_rows,
    prox_squared_k_support_rows,
    squared_k_support_rows,
)
from vstg.kernels.refit import descend_free, descend_free_rows
from vstg.kernels.rows import descend_rows, sweep_rows_of_U
from vstg.kernels.shear import shear_bases, simplify_bases
from vstg.kernels.supports import compile_supports

__all__ = [
    "MEMORY",
    "PAUSE",
    "compile_others",
    "compile_solver",
    "cut_entries",
    "descend",
    "descend_free",
    "descend_free_rows",
    "descend_go_mtl",
    "descend_l1_trace",
    "descend_lasso",
    "descend_mmtfl",
    "descend_rows",
    "extrapolate",
    "possible_gains",
    "prox_rows",
    "prox_squared_k_support_rows",
    "shear_bases",
    "simplify_bases",
    "squared_k_support_rows",
    "sweep_matrices",
    "sweep_rows_of_U",
]


def compile_solver() -> None:
    """Compile what the fast solver runs on Gram matrices."""
    G, c, U, Vt, past, history = small_problem()
    descend(G, c, 1.0, U, Vt, 0.1, 0.1, 0.1, 1, 0.0, 7, past, 0, 0, history)
    scratch = np.empty((2, 3)), np.empty((3, 2))
    possible_gains(c, U, Vt, 0.1, 0.1, 0.1, 1, np.ones(4), *scratch)
    sweep_matrices(G, c, 1.0, U, Vt, 0.1, 0.1, 1)
    free = U != 0, Vt != 0
    descend_free(G, c, 1.0, U, Vt, *free, 0.1, 0.1, 0.1, 1, 0.0, 7, past, 0, history)
    cut_entries(U, Vt, 0.1)
    shear_bases(U, Vt, 0.1, 0.1, 0.1, 1)
    simplify_bases(U, 1)
    extrapolate(past, np.empty(past.shape[1]))
    prox_rows(U, 0.1, 0.1)
    prox_squared_k_support_rows(Vt, np.ones(2), 1)
    squared_k_support_rows(Vt, 1)


def compile_others() -> None:
    """Compile the descent on observations and the methods to compare with."""
    compile_supports()
    G, c, U, Vt, past, history = small_problem()
    descend_lasso(G, c, c.copy(), np.ones(3), 1, 0.1)
    moving = [c.copy() for _ in range(4)]
    descend_l1_trace(c, G, c, *moving, 1.0, 0.1, 0.1, 1)
    descend_mmtfl(G, c, c.copy(), np.ones(3), 0.1, 0.1, 1)
    descend_go_mtl(G, c, U, Vt, 0.1, 0.1, 1)
    first, ends = np.array([0, 3]), np.array([0, 3, 6])
    model = np.ones((3, 6)), first, ends, np.ones(2), 3 * c, np.ones(6), c
    penalties = 0.1, 0.1, 0.1, 1
    descend_rows(*model, U, Vt, *penalties, 0.0, 7, past, 0, 0, history)
    sweep_rows_of_U(*model, U, Vt, 0.1, 0.1, 1)
    free = U != 0, Vt != 0
    descend_free_rows(*model, U, Vt, *free, *penalties, 0.0, 7, past, 0, history)


def small_problem() -> tuple[np.ndarray, ...]:
    """G, c, U, Vt, past and history of the types in use."""
    G = np.stack([np.eye(3), 2.0 * np.eye(3)])
    U, Vt = np.ones((3, 2)), np.ones((2, 2))
    past, history = np.empty((MEMORY + 1, U.size + Vt.size)), np.empty((7, 6))
    return G, np.ones((2, 3)), U, Vt, past, history
