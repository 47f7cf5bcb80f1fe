"""Users' tables: read a file, choose roles, check the report, prepare the data."""

from vstg.tables.checking import Finding, Report, report
from vstg.tables.guessing import Suggestion, suggest, suggest_recipe
from vstg.tables.limits import DEFAULT_LIMITS, Limits, TableError
from vstg.tables.preparation import Preparation
from vstg.tables.prepare import Prepared, prepare
from vstg.tables.read import file_parts, read_table
from vstg.tables.roles import Recipe
from vstg.tables.table import Note, Table
from vstg.tables.transform import Rule, Transform

__all__ = [
    "DEFAULT_LIMITS",
    "Finding",
    "Limits",
    "Note",
    "Preparation",
    "Prepared",
    "Recipe",
    "Report",
    "Rule",
    "Suggestion",
    "Table",
    "TableError",
    "Transform",
    "file_parts",
    "prepare",
    "read_table",
    "report",
    "suggest",
    "suggest_recipe",
]
