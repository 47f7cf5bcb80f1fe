"""Start and watch the quick version; show the commands for the full one."""

import os
from pathlib import Path

import streamlit as st

from pages.reproduce import words
from pages.reproduce.source import Shown, source_key
from pages.shared import words as common
from pages.shared.app.access import is_local
from pages.shared.runs.manager import act, run_manager
from pages.shared.runs.progress import POLL_SECONDS, ended, watched
from pages.shared.state import keys
from vstg.datasets import FetchError
from vstg.datasets.cache import Places
from vstg.datasets.registry import DATASETS
from vstg.jobs import ReproductionRequest, Store, default_threads
from vstg.jobs.kinds.reproduction import entries_of, find_run, size_of
from vstg.jobs.store.blobs import blob_names
from vstg.jobs.store.run import RESUMABLE
from vstg.reproduction import BENCHMARKS, get_effort, get_exhibit
from vstg.reproduction.exhibits import REFITTED

QUICK = "quick"


def sets_here(exhibit: str, folder: str) -> list[str]:
    """The data sets that are available without a download."""
    names = get_exhibit(exhibit).sets
    places = Places.of(data_dir=folder or None)
    return [
        n for n in names if not DATASETS[n].needs_files or DATASETS[n].where(places)
    ]


def quick_request(exhibit: str, sets: list[str], folder: str) -> ReproductionRequest:
    """The quick version of a table."""
    return ReproductionRequest(
        exhibit=exhibit,
        effort=QUICK,
        sets=sets,
        columns=list(get_exhibit(exhibit).columns),
        repetitions=get_effort(QUICK).n_repetitions,
        data_dir=folder or None,
        n_jobs=default_threads(),
    )


def begin(request: ReproductionRequest) -> None:
    """Action of the button; a run that the store already has is not repeated."""
    number = act(submit, request)
    if number is not None:
        st.session_state[source_key(request.exhibit)] = number


def submit(request: ReproductionRequest) -> int:
    """The number of the run, whether new, resumed or already in the store."""
    manager = run_manager()
    found = find_run(manager.store, request)
    if found is not None and found.status in RESUMABLE:
        manager.resume(found.id)
    elif found is not None:
        st.toast(words.RUN_KNOWN)
    if found is not None:
        return found.id
    first = entries_of(request)[0]
    where = {} if request.data_dir is None else {"data_dir": request.data_dir}
    try:
        data = first.data.load(first.repetition, where).train
    except FetchError as error:
        raise ValueError(str(error)) from error
    title = words.EXHIBITS[request.exhibit]
    return manager.submit(
        request, data, name=f"{title}, {request.effort}", data_name=request.exhibit
    )


def run_button(store: Store, exhibit: str) -> None:
    """A button for the quick version, or why it cannot be run."""
    folder = ""
    needs_files = any(DATASETS[n].needs_files for n in get_exhibit(exhibit).sets)
    if needs_files and is_local() and lacks_files(exhibit):
        folder = st.text_input(
            words.FOLDER, key=keys.REPRODUCE_FOLDER, persist_state="session"
        )
        if folder and not Path(os.path.expanduser(folder)).is_dir():
            folder = ""
    sets = sets_here(exhibit, folder)
    if not sets:
        st.info(words.DATA_NONE)
        return
    request = quick_request(exhibit, sets, folder)
    effort = get_effort(QUICK)
    fits = sum(size_of(piece, effort) for piece in entries_of(request))
    n = default_threads()
    where = common.ONE_THREAD if n == 1 else common.THREADS_WHERE.format(n=n)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            words.RUN_NOW, key="reproduce_start", on_click=begin, args=(request,),
            disabled=store.read_only, width="content", icon=":material/play_arrow:",
        )  # fmt: skip
        st.caption(
            words.RUN_NOW_SIZE.format(
                repetitions=request.repetitions, fits=f"{fits:,}", where=where
            )
        )
    missing = [name for name in get_exhibit(exhibit).sets if name not in sets]
    if missing:
        labels = [
            ", ".join(BENCHMARKS[n].label for n in part) for part in (sets, missing)
        ]
        st.caption(words.DATA_SOME.format(there=labels[0], missing=labels[1]))


def lacks_files(exhibit: str) -> bool:
    """Whether any data set is missing here."""
    return len(sets_here(exhibit, "")) < len(get_exhibit(exhibit).sets)


def commands(exhibit: str, made_by: list[str]) -> None:
    """The command for the paper's protocol, and those that made what is shown."""
    with st.expander(words.RUN_FULL, key="reproduce_commands"):
        threads = default_threads()
        more = " --coarse --data-dir FOLDER" if exhibit == "table2" else ""
        folder = f"results/{exhibit}"
        line = f"vstg reproduce {exhibit}{more} --jobs {threads} -o {folder}"
        st.code(line, language="bash")
        st.caption(words.RUN_FULL_NOTE.format(folder=folder))
        st.caption(words.RUN_REFITTED)
        line = (
            f"vstg reproduce {exhibit}{more} --columns {REFITTED} --jobs {threads} "
            f"--with {folder} -o {folder}-refitted"
        )
        st.code(line, language="bash")
        if made_by:
            st.caption(words.MADE_BY)
            st.code("\n".join(made_by), language="bash")


@st.fragment(run_every=POLL_SECONDS)
def live(number: int, n_shown: int) -> None:
    """Show progress; redraw the page when there are new results."""
    store, _ = watched(number)
    if len(blob_names(store, number)) != n_shown:
        st.rerun()


def state(shown: Shown) -> None:
    """The state of the run, with a button to cancel or resume it."""
    if shown.run is None:
        return
    if shown.run.active:
        live(shown.run.id, shown.n_pieces)
    else:
        ended(shown.run)
