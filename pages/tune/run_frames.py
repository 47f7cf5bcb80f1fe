"""The table of a running search: only new rows are read from the store."""

from dataclasses import dataclass, field
from threading import Lock

import pandas as pd
import streamlit as st

from vstg.jobs import Run, Store, search_result
from vstg.jobs.store.cells import new_rows
from vstg.model_selection import SearchResult

MAX_RUNS = 16


PLACE = ["_round", "_place", "_position"]  # where a row stands in the whole table


@dataclass
class Growing:
    """The rows of one run, in the order in which they came and in that of the grid."""

    mark: int = 0
    lock: Lock = field(default_factory=Lock)
    arrival: pd.DataFrame = field(default_factory=pd.DataFrame)
    frame: pd.DataFrame = field(default_factory=pd.DataFrame)

    def update(self, store: Store, number: int) -> None:
        """Read what was written since the last time."""
        with self.lock:
            found, self.mark = new_rows(store, number, self.mark)
            if not found:
                return
            places = pd.DataFrame([place for place, _ in found], columns=PLACE)
            new = pd.concat([pd.DataFrame([row for _, row in found]), places], axis=1)
            rows = pd.concat([self.arrival, new], ignore_index=True)
            # A resumed run writes again that it has the chains it had.
            self.arrival = rows.drop_duplicates(PLACE, ignore_index=True)
            ordered = self.arrival.sort_values(PLACE, ignore_index=True)
            self.frame = ordered.drop(columns=PLACE)


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
