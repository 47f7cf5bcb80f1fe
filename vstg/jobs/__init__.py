"""Long work outside the dashboard: a queue, worker processes, a store that survives."""

from vstg.jobs.budget import default_threads
from vstg.jobs.cells import search_result, stored_result
from vstg.jobs.manager import Manager
from vstg.jobs.requests import (
    ComparisonRequest,
    FitRequest,
    SearchRequest,
    StabilityRequest,
)
from vstg.jobs.runs import Run
from vstg.jobs.schema import StoreError, default_path
from vstg.jobs.store import Store

__all__ = [
    "ComparisonRequest",
    "FitRequest",
    "Manager",
    "Run",
    "SearchRequest",
    "StabilityRequest",
    "Store",
    "StoreError",
    "default_path",
    "default_threads",
    "search_result",
    "stored_result",
]
