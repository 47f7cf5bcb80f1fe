"""How stable the selection is on random halves of the data."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from pages.shared.runs import visits
from pages.shared.runs.manager import act, run_manager
from pages.shared.runs.progress import POLL_SECONDS, ended, watched
from pages.shared.ui.display import QUIET
from pages.shared.ui.downloads import download
from pages.tune import words
from pages.tune.path import choose_setting
from vstg.data import Array, MultiTaskData
from vstg.inspection import order_tasks
from vstg.jobs import Run, StabilityRequest, Store, default_threads, get_kind
from vstg.jobs.kinds.stability import read_frequencies
from vstg.jobs.store.run import ACTIVE
from vstg.model_selection import SearchResult
from vstg.model_selection.stability import expected_false
from vstg.plots import basis_names
from vstg.plots.matrices.excerpt import MAX_CELLS, block_means, top
from vstg.plots.runs.comparing import frequency_figure, sureness_figure, wilson_interval


def begin(run: Run, request: StabilityRequest) -> None:
    """Action of the button."""
    manager = run_manager()
    act(
        manager.submit,
        request,
        manager.store.data(run.data),
        data_name=run.data_name,
        name=f"{get_kind('stability').label}, {run.data_name}",
        source=run.source_values,
        owner=run.owner,
    )


def matching(store: Store, run: Run, request: StabilityRequest) -> Run | None:
    """The newest run that answers this very question, on however many threads."""
    for other in visits.visible_runs(store, "stability"):
        asked: StabilityRequest = other.request
        if other.data == run.data and replace(asked, n_jobs=request.n_jobs) == request:
            return other
    return None


def stability_view(
    store: Store, run: Run, result: SearchResult, kept: pd.DataFrame
) -> None:
    """Ask for resamples, wait for them, show them."""
    st.caption(words.STABILITY_NOTE)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        setting = choose_setting(result, kept, "stability_setting")
        count = st.select_slider(
            words.STABILITY_COUNT, [20, 50, 100, 200, 500], 100,
            key="stability_count", width=220,
        )  # fmt: skip
    asked = run.request
    request = StabilityRequest(
        setting=setting,
        n_resamples=count,
        loss=asked.loss,
        fit_intercept=asked.fit_intercept,
        n_jobs=default_threads(),
    )
    found = matching(store, run, request)
    if found is None:
        st.button(
            words.STABILITY_RUN.format(count=count), key="stability_run",
            type="primary", on_click=begin, args=(run, request),
            disabled=store.read_only,
        )  # fmt: skip
    else:
        show_stability(store, found)


def show_stability(store: Store, run: Run) -> None:
    """A stability run in whatever state it is."""
    if run.status in ACTIVE:
        watch(run.id)
        return
    ended(run)
    show(store, run)


@st.fragment(run_every=POLL_SECONDS)
def watch(number: int) -> None:
    """Progress of the resamples, and what those finished say."""
    store, run = watched(number)
    show(store, run)


def variables_frame(
    arrays: dict[str, Array], data: MultiTaskData, n: int
) -> pd.DataFrame:
    """Variables with their frequency and its interval, surest first."""
    low, high = wilson_interval(arrays["variables"].tolist(), n)
    table = pd.DataFrame(
        {
            "variable": data.feature_names,
            "frequency": arrays["variables"],
            "low": low,
            "high": high,
            "selected": arrays["kept"].astype(bool),
        }
    )
    return table.sort_values("frequency", ascending=False, kind="stable")


def frequency_frames(
    arrays: dict[str, Array], data: MultiTaskData
) -> tuple[dict[str, pd.DataFrame], str]:
    """The frequencies to draw, and of large ones a sentence on what is shown.

    U has the surest variables, V the tasks with most, and of the square of tasks
    neighbours in the order of V are averaged.
    """
    n_bases = arrays["U"].shape[1]
    bases, limit = basis_names(n_bases), MAX_CELLS // 3
    rows = top(arrays["variables"], max(1, limit // n_bases))
    columns = top(arrays["V"].max(axis=0), max(1, limit // n_bases))
    n_blocks = min(data.n_tasks, int(limit**0.5))
    order = np.arange(data.n_tasks)
    whole = (len(rows), n_blocks) == (data.n_features, data.n_tasks)
    if n_blocks < data.n_tasks:
        order = order_tasks(arrays["V"])
    square = block_means(arrays["co_membership"], data.task_names, order, n_blocks)
    pictures = {
        words.STABILITY_U: pd.DataFrame(
            arrays["U"][rows], [data.feature_names[i] for i in rows], bases
        ),
        words.STABILITY_V: pd.DataFrame(
            arrays["V"][:, columns], bases, [data.task_names[j] for j in columns]
        ),
        words.STABILITY_TASKS: square,
    }
    if whole:
        return pictures, ""
    return pictures, words.STABILITY_PART.format(
        rows=len(rows),
        all_rows=data.n_features,
        columns=len(columns),
        all_columns=data.n_tasks,
        blocks=n_blocks,
    )


def show(store: Store, run: Run) -> None:
    """Frequencies over the matrices, tasks that belong together, sure variables."""
    request: StabilityRequest = run.request
    arrays = read_frequencies(store, run)
    if arrays is None:
        return
    data = store.data(run.data)
    pictures, part = frequency_frames(arrays, data)
    # A figure each, so that they stand below one another where there is no room.
    places = st.columns([4, 4, 5])  # the last has the scale
    for number, (title, frame) in enumerate(pictures.items()):
        figure = frequency_figure({title: frame})
        figure.update_layout(coloraxis_showscale=number == len(pictures) - 1)
        places[number].plotly_chart(
            figure, key=f"frequencies_{number}", config=QUIET,
            alt=words.STABILITY_ALT,
        )  # fmt: skip
    if part:
        st.caption(part)
    threshold = st.slider(
        words.STABILITY_THRESHOLD, 0.55, 1.0, 0.9, 0.05, key="stability_threshold",
        format="percent",
    )  # fmt: skip
    table = variables_frame(arrays, data, len(arrays["n_selected"]))
    false = expected_false(
        arrays["n_selected"], data.n_features, request.scheme, threshold
    )
    count = int((table["frequency"] >= threshold).sum())
    # A bound that is not below the number itself says nothing.
    tells = np.isfinite(false) and false < count
    text = words.STABILITY_SURE if tells else words.STABILITY_SURE_PLAIN
    st.markdown(text.format(count=count, threshold=threshold, false=f"{false:.1f}"))
    st.markdown(f"**{words.STABILITY_VARIABLES}**")
    st.caption(words.STABILITY_COLOURS)
    st.plotly_chart(
        sureness_figure(table, threshold), key="sureness", config=QUIET,
        alt=words.STABILITY_VARIABLES,
    )  # fmt: skip
    download(table, "stability", "stability_csv")
