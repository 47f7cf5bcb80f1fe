"""U, V and W prepared for drawing: named frames, an order, colour ranges."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from vstg.data import Array, Index

View = Literal["signed", "magnitude", "pattern"]
VIEWS: tuple[View, ...] = ("signed", "magnitude", "pattern")


@dataclass(frozen=True, eq=False)
class FactorFrames:
    """A factorisation W = U V with named rows and columns.

    W is computed on first use: of a large one only an excerpt ever is.
    """

    U: pd.DataFrame
    V: pd.DataFrame

    @cached_property
    def W(self) -> pd.DataFrame:
        """The product."""
        return pd.DataFrame(
            self.U.to_numpy() @ self.V.to_numpy(), self.U.index, self.V.columns
        )

    @property
    def shape(self) -> tuple[int, int]:
        """Of W: variables and tasks."""
        return len(self.U), self.V.shape[1]

    def ordered(self, variables: Index, tasks: Index) -> "FactorFrames":
        """The same with variables and tasks in the given orders."""
        return FactorFrames(self.U.iloc[variables], self.V.iloc[:, tasks])


def basis_names(count: int) -> list[str]:
    """Names of the latent bases, counted from one as in the paper."""
    return [f"b{r + 1}" for r in range(count)]


def factor_frames(
    U: Array, V: Array, variables: Sequence[str], tasks: Sequence[str]
) -> FactorFrames:
    """Name the rows and columns of U, V and W = U V."""
    names = [str(name) for name in variables]
    columns = [str(name) for name in tasks]
    bases = basis_names(U.shape[1])
    return FactorFrames(
        pd.DataFrame(U, index=names, columns=bases),
        pd.DataFrame(V, index=bases, columns=columns),
    )


def shown_values(values: npt.ArrayLike, view: View) -> npt.NDArray[np.float32]:
    """The values of a heat map, with exact zeros as NaN, which stay uncoloured.

    A value of 1e-12 is not zero and gets the faintest colour of the scale.
    """
    matrix = np.asarray(values, dtype=np.float64)
    if view == "pattern":
        shown = np.ones_like(matrix)
    else:
        shown = np.abs(matrix) if view == "magnitude" else matrix
    return np.where(matrix != 0, shown, np.nan).astype(np.float32)


def common_limit(*matrices: npt.ArrayLike | None) -> float:
    """The largest magnitude in all matrices, 1 if all are zero."""
    sizes = [np.abs(np.asarray(A)).max(initial=0.0) for A in matrices if A is not None]
    limit = float(max(sizes, default=0.0))
    return limit if limit > 0 else 1.0


def colour_range(limit: float, view: View) -> tuple[float, float]:
    """The ends of the colour scale: centred at zero where signs are shown."""
    if view == "signed":
        return -limit, limit
    return 0.0, limit if view == "magnitude" else 1.0
