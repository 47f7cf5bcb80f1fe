"""The run store: one SQLite file with requests, results and data."""

from vstg.jobs.store.files import StoreError, default_path, is_store_file
from vstg.jobs.store.run import Run
from vstg.jobs.store.store import Store

__all__ = ["Run", "Store", "StoreError", "default_path", "is_store_file"]
