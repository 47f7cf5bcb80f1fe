"""The data as the inner loops of the solvers need them: sums over rows, or the rows."""

from vstg.statistics.local_model import LocalModel, local_model
from vstg.statistics.moments import (
    Moments,
    Quadratic,
    first_moments,
    gram_quadratic,
    matrices_times,
)
from vstg.statistics.row_model import RowModel
from vstg.statistics.zero_gradient import ZeroGradient

__all__ = [
    "LocalModel",
    "Moments",
    "Quadratic",
    "RowModel",
    "ZeroGradient",
    "first_moments",
    "gram_quadratic",
    "local_model",
    "matrices_times",
]
