"""The data of the paper's two figures: the example W = U V, and W of Syn1–4."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from vstg.data import Array
from vstg.lessons.toy import FIGURE_1_U, FIGURE_1_V, Toy, read_toy
from vstg.reproduction.benchmarks import BENCHMARKS
from vstg.reproduction.experiment import refit, run_piece
from vstg.reproduction.protocol import COLUMNS, Effort, get_effort, neighbours
from vstg.reproduction.results import Results

# The paper draws k=1 where features are independent and k=3 where they are correlated.
FIGURE_2 = {"syn1": "vstg_k1", "syn2": "vstg_k1", "syn3": "vstg_k3", "syn4": "vstg_k3"}
UNSEARCHED = {"n_latent": 5, "gamma1": 2.0**-1, "gamma2": 2.0**-4}


@dataclass(frozen=True, eq=False)
class Panel:
    """The truth and an estimate of one synthetic data set.

    ``searched`` is false where no search chose the setting.
    """

    data: str
    column: str
    repetition: int
    true: Array
    estimated: Array
    setting: dict[str, Any]
    searched: bool = True

    @property
    def k(self) -> int:
        """The k of the k-support norm."""
        return int(self.setting["k"])

    @property
    def relative_error(self) -> float:
        """The paper's REE."""
        gap = np.linalg.norm(self.true - self.estimated)
        return float(gap / np.linalg.norm(self.true))


def figure_1() -> Toy:
    """The paper's example."""
    return read_toy(FIGURE_1_U, FIGURE_1_V)


def has_piece(results: Results | None, data: str, column: str, repetition: int) -> bool:
    """Whether results know what a method chose on a repetition."""
    if results is None:
        return False
    table = results.outcomes
    same = (table["data"] == data) & (table["column"] == column)
    return bool((same & (table["repetition"] == repetition)).any())


def panel(results: Results | None, data: str, column: str, repetition: int) -> Panel:
    """W as the results have it, or fitted again with the setting that they chose.

    Without such a setting the fit has one that nobody searched for.
    """
    searched = has_piece(results, data, column, repetition)
    if results is not None and searched:
        setting = results.setting(data, column, repetition)
        effort = results.effort(data, column, repetition)
        kept = results.coefficients.get((data, column, repetition))
    else:
        setting = {**UNSEARCHED, "k": COLUMNS[column].k[0]}
        effort, kept = get_effort("full"), None
    true, estimated = fitted(data, column, repetition, setting, effort, kept)
    return Panel(data, column, repetition, true, estimated, setting, searched)


def fitted(
    data: str,
    column: str,
    repetition: int,
    setting: Mapping[str, Any],
    effort: Effort,
    kept: Array | None = None,
) -> tuple[Array, Array]:
    """True W and the fit, reached as the experiment reaches it."""
    dataset = BENCHMARKS[data].load(repetition, {})
    assert dataset.truth is not None
    if kept is not None:
        return dataset.truth.W, kept
    chosen = COLUMNS[column]
    grid = neighbours(chosen, setting) if effort.refine else effort.grid(chosen)
    fit = refit(dataset, chosen, setting, grid)
    return dataset.truth.W, fit.W


def searched_panel(
    data: str, column: str, repetition: int, effort: Effort, n_jobs: int = 1
) -> Panel:
    """Search for a setting now, and fit W with it."""
    found = run_piece(
        BENCHMARKS[data], COLUMNS[column], repetition, effort, n_jobs=n_jobs
    )
    assert found is not None
    truth = BENCHMARKS[data].load(repetition, {}).truth
    assert truth is not None
    return Panel(data, column, repetition, truth.W, found.W, found.setting)


def named(W: Array) -> pd.DataFrame:
    """Variables and tasks counted from one, as in the paper."""
    rows = [f"x{i + 1}" for i in range(W.shape[0])]
    return pd.DataFrame(W, rows, [f"task {j + 1}" for j in range(W.shape[1])])


def matrices_frame(matrices: Mapping[str, Array]) -> pd.DataFrame:
    """One row per entry: which matrix, row and column from one, value."""
    parts = []
    for name, matrix in matrices.items():
        i, j = np.indices(matrix.shape)
        parts.append(
            pd.DataFrame(
                {
                    "matrix": name,
                    "row": i.ravel() + 1,
                    "column": j.ravel() + 1,
                    "value": matrix.ravel(),
                }
            )
        )
    return pd.concat(parts, ignore_index=True)
