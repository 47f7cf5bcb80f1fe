"""A first guess at what the columns of a table mean."""

from vstg.tables.guessing.suggestion import (
    Suggestion,
    problem_of,
    suggest,
    suggest_recipe,
)

__all__ = ["Suggestion", "problem_of", "suggest", "suggest_recipe"]
