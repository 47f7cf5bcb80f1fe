"""Choosing settings: folds, grid search, paths, stability."""

from vstg.model_selection.certainty import (
    ConsensusGroup,
    StabilityIndex,
    consensus_groups,
    stability_index,
)
from vstg.model_selection.folds import Fold, ForwardFolds, TaskKFold
from vstg.model_selection.grid import (
    PAPER_K,
    PAPER_N_LATENT,
    PAPER_STRENGTHS,
    paper_grid,
)
from vstg.model_selection.methods import METHODS, Method, get_method
from vstg.model_selection.path import Path, regularisation_path
from vstg.model_selection.result import SearchProgress, SearchResult
from vstg.model_selection.search import search_grid
from vstg.model_selection.sharing import NewTaskScores, compare_new_task
from vstg.model_selection.stability import Stability, stability
from vstg.model_selection.yardsticks import Yardsticks, compare_with_plain

__all__ = [
    "METHODS",
    "PAPER_K",
    "PAPER_N_LATENT",
    "PAPER_STRENGTHS",
    "ConsensusGroup",
    "Fold",
    "ForwardFolds",
    "Method",
    "NewTaskScores",
    "Path",
    "SearchProgress",
    "SearchResult",
    "Stability",
    "StabilityIndex",
    "TaskKFold",
    "Yardsticks",
    "compare_new_task",
    "compare_with_plain",
    "consensus_groups",
    "get_method",
    "paper_grid",
    "regularisation_path",
    "search_grid",
    "stability",
    "stability_index",
]
