"""Data sets: the paper's synthetic problems."""

from vstg.datasets.synthetic import Synthetic, make_syn

__all__ = ["Synthetic", "make_syn"]
