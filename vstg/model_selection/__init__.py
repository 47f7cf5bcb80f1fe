"""Choosing settings: folds, grid search, paths, stability."""

from vstg.model_selection.folds import Fold, TaskKFold
from vstg.model_selection.grid import (
    PAPER_K,
    PAPER_N_LATENT,
    PAPER_STRENGTHS,
    paper_grid,
)
from vstg.model_selection.methods import METHODS, Method, get_method
from vstg.model_selection.result import SearchProgress, SearchResult
from vstg.model_selection.search import search_grid

__all__ = [
    "METHODS",
    "PAPER_K",
    "PAPER_N_LATENT",
    "PAPER_STRENGTHS",
    "Fold",
    "Method",
    "SearchProgress",
    "SearchResult",
    "TaskKFold",
    "get_method",
    "paper_grid",
    "search_grid",
]
