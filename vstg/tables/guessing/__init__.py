"""A first guess at the roles of a table's columns."""

from vstg.tables.guessing.suggestion import (
    Suggestion,
    problem_of,
    suggest,
    suggest_recipe,
)

__all__ = ["Suggestion", "problem_of", "suggest", "suggest_recipe"]
