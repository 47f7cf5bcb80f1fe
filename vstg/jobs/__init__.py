"""Runs in the background: a queue, worker processes, and a store on disk."""

from vstg.jobs.kind import KINDS, get_kind
from vstg.jobs.kinds.comparison import ComparisonRequest
from vstg.jobs.kinds.discovery import DiscoveryRequest
from vstg.jobs.kinds.fit import FitRequest
from vstg.jobs.kinds.reproduction import ReproductionRequest
from vstg.jobs.kinds.search import SearchRequest, search_result, stored_result
from vstg.jobs.kinds.stability import StabilityRequest
from vstg.jobs.queue import Manager, do_run
from vstg.jobs.queue.attempt import default_threads
from vstg.jobs.store import Run, Store, StoreError, default_path, is_store_file
from vstg.jobs.store.run_files import export_runs, import_runs

__all__ = [
    "KINDS",
    "ComparisonRequest",
    "DiscoveryRequest",
    "FitRequest",
    "Manager",
    "ReproductionRequest",
    "Run",
    "SearchRequest",
    "StabilityRequest",
    "Store",
    "StoreError",
    "default_path",
    "default_threads",
    "do_run",
    "export_runs",
    "get_kind",
    "import_runs",
    "is_store_file",
    "search_result",
    "stored_result",
]
