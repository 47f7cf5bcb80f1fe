"""What is kept of the data for the inner loops: sums over rows, or few variables."""

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
    "Moments",
    "Quadratic",
    "RowModel",
    "ZeroGradient",
    "first_moments",
    "gram_quadratic",
    "matrices_times",
]
