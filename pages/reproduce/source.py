"""Where results come from: the project's own folder, or a run in the store."""

import os
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import streamlit as st

from pages.reproduce import words
from pages.shared.app.frame import ROOT
from pages.shared.runs import visits
from pages.shared.runs.manager import sentence
from pages.shared.state import keys
from pages.shared.state.links import number_in
from vstg.jobs import ReproductionRequest, Run, Store
from vstg.jobs.kinds.reproduction import results_of
from vstg.jobs.store.blobs import blob_names
from vstg.reproduction import BENCHMARKS, get_effort
from vstg.reproduction.report import pair_tests, summary
from vstg.reproduction.results import OUTCOMES, Results, read_results

FOLDER_VARIABLE = "VSTG_RESULTS"
SHIPPED, REFITTED, TODAY = "shipped", "refitted", "today"
ENDINGS = {  # of the folder of an exhibit
    SHIPPED: "",
    REFITTED: "-refitted",
    TODAY: "-today",
}
DEFAULT = "table1"
Key = str | int  # of ENDINGS, or the number of a run


@dataclass(frozen=True, eq=False)
class MeasuredTable:
    """Results with their summary and tests, computed once."""

    results: Results
    table: pd.DataFrame
    tests: pd.DataFrame

    @classmethod
    def of(cls, results: Results | None) -> "MeasuredTable | None":
        """The results with their summary; None if there are none."""
        if results is None:
            return None
        parts = results.outcomes, results.exhibit
        return cls(results, summary(*parts), pair_tests(*parts))


@dataclass(frozen=True, eq=False)
class Shown:
    """What the page shows: results, if there are any yet, and their run."""

    measured: MeasuredTable | None
    run: Run | None = None
    n_pieces: int = 0


def shipped_folder(exhibit: str, which: str = SHIPPED) -> Path:
    """Where the project keeps the results of an exhibit."""
    folder = Path(os.environ.get(FOLDER_VARIABLE) or ROOT / "results")
    return folder / f"{exhibit}{ENDINGS[which]}"


@st.cache_resource(max_entries=8, show_spinner=False)
def _read(folder: str, stamp: int) -> MeasuredTable | None:
    return MeasuredTable.of(read_results(folder))


def shipped(exhibit: str) -> dict[Key, MeasuredTable]:
    """The results that came with the project, without those that are broken."""
    found: dict[Key, MeasuredTable] = {}
    for which in ENDINGS:
        folder = shipped_folder(exhibit, which)
        try:
            stamp = (folder / OUTCOMES).stat().st_mtime_ns
            measured = _read(str(folder), stamp)
        except OSError:
            continue
        except ValueError as error:
            st.error(words.UNREADABLE.format(error=sentence(error)))
            continue
        if measured is not None:
            found[which] = measured
    return found


def label_of_shipped(which: Key, found: MeasuredTable) -> str:
    """The effort, or what the results have besides the paper's columns."""
    if which == REFITTED:
        return words.SHIPPED_REFITTED
    if which == TODAY:
        return words.SHIPPED_TODAY
    return words.SHIPPED.format(label=found.results.about.get("effort_label", ""))


@st.cache_resource(max_entries=8, show_spinner=False)
def _of_run(
    place: str, number: int, state: tuple[str, int], _store: Store
) -> MeasuredTable | None:
    return MeasuredTable.of(results_of(_store, _store.run(number)))


def request_of(run: Run) -> ReproductionRequest:
    """The request of a reproduction run."""
    request: ReproductionRequest = run.request
    return request


def runs_of(store: Store, exhibit: str) -> dict[int, Run]:
    """The runs of an exhibit, newest first."""
    found = visits.visible_runs(store, ReproductionRequest.kind)
    return {run.id: run for run in found if request_of(run).exhibit == exhibit}


def source_key(exhibit: str) -> str:
    """Key of the widget that chooses the results."""
    return f"reproduce_source_{exhibit}"


def arrive(store: Store) -> None:
    """If the link names a run, open its exhibit with that run."""
    asked = number_in(st.query_params.get("run"))
    fresh = keys.REPRODUCE_EXHIBIT not in st.session_state
    if asked is None or not (
        fresh or asked != st.session_state.get(keys.REPRODUCE_LINK)
    ):
        return
    st.session_state[keys.REPRODUCE_LINK] = asked
    for run in visits.visible_runs(store, ReproductionRequest.kind):
        if run.id == asked:
            exhibit = request_of(run).exhibit
            st.session_state[source_key(exhibit)] = run.id
            if "exhibit" not in st.query_params:
                st.session_state[keys.REPRODUCE_EXHIBIT] = exhibit


def label_of_run(run: Run) -> str:
    """Number, effort and data sets.

    The state of the run is left out: browsers send the label back, and a label that
    has changed since would reset the list to its first entry.
    """
    request = request_of(run)
    sets = ", ".join(BENCHMARKS[name].label for name in request.sets)
    label = f"{get_effort(request.effort).name}, {sets}"
    return words.RUN.format(number=run.id, label=label)


def choose(store: Store, exhibit: str) -> Shown | None:
    """The list of all results of an exhibit; None if there are none."""
    runs = runs_of(store, exhibit)
    found = shipped(exhibit)
    labels = {which: label_of_shipped(which, one) for which, one in found.items()}
    labels |= {number: label_of_run(run) for number, run in runs.items()}
    if not labels:
        return None
    key = source_key(exhibit)
    if st.session_state.get(key) not in labels:
        st.session_state[key] = next(iter(labels))
    chosen = st.selectbox(
        words.SOURCE, list(labels), key=key, format_func=labels.__getitem__,
        label_visibility="collapsed", persist_state="session",
    )  # fmt: skip
    note(chosen)
    if chosen in found:
        return Shown(found[chosen])
    return of_run(store, runs[int(chosen)])


def note(chosen: Key) -> None:
    """Write the run into the link, so that it can be shared."""
    if chosen in ENDINGS:
        st.query_params.pop("run", None)
        st.session_state.pop(keys.REPRODUCE_LINK, None)
    elif note_in_link("run", str(chosen)):
        st.session_state[keys.REPRODUCE_LINK] = chosen


def note_in_link(key: str, value: str) -> bool:
    """Write a key into the link once it names the exhibit; returns whether it did.

    On its first run Streamlit has not yet written the state of the widgets to the
    link, and anything written then would reset them.
    """
    exhibit = st.session_state.get(keys.REPRODUCE_EXHIBIT, DEFAULT)
    if exhibit != DEFAULT and "exhibit" not in st.query_params:
        return False
    if st.query_params.get(key) != value:
        st.query_params[key] = value
    return True


def of_run(store: Store, run: Run) -> Shown:
    """The results that a run has so far."""
    n_pieces = len(blob_names(store, run.id))
    state = (run.status, n_pieces)
    return Shown(_of_run(str(store.path), run.id, state, store), run, n_pieces)
