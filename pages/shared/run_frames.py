"""The table of a run as it grows: only what is new is read from the store."""

from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import pandas as pd
import streamlit as st

from vstg.jobs import Run, Store, search_result
from vstg.jobs.cells import new_rows
from vstg.model_selection import SearchResult

MAX_RUNS = 16


@dataclass
class Growing:
    """Rows of one run by their place, in the order in which they came."""

    rows: dict[tuple[int, int, int], dict[str, Any]] = field(default_factory=dict)
    mark: int = 0
    lock: Lock = field(default_factory=Lock)
    frame: pd.DataFrame = field(default_factory=pd.DataFrame)
    arrival: pd.DataFrame = field(default_factory=pd.DataFrame)

    def update(self, store: Store, number: int) -> None:
        """Read what was written since the last time."""
        with self.lock:
            found, self.mark = new_rows(store, number, self.mark)
            if not found:
                return
            self.rows.update(found)
            self.arrival = pd.DataFrame(list(self.rows.values()))
            ordered = sorted(self.rows)
            self.frame = pd.DataFrame([self.rows[place] for place in ordered])


@st.cache_resource(max_entries=MAX_RUNS, show_spinner=False)
def growing(path: str, number: int) -> Growing:
    """The rows of a run that this server has read so far."""
    return Growing()


def result_of(store: Store, run: Run) -> SearchResult:
    """The search as far as it is."""
    rows = growing(str(store.path), run.id)
    rows.update(store, run.id)
    return search_result(run, rows.frame)


def arrival_of(store: Store, run: Run) -> pd.DataFrame:
    """The rows in the order in which they were finished."""
    return growing(str(store.path), run.id).arrival
