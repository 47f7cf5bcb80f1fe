"""The page Compare: methods on the same splits, or runs beside each other."""

from dataclasses import replace

import streamlit as st

from pages.compare import words
from pages.compare.methods import show_methods
from pages.compare.runs import runs_part
from pages.shared import words as common
from pages.shared.data.catalogue import DataChoice, SyntheticData
from pages.shared.fits import live
from pages.shared.runs import visits
from pages.shared.runs.grids import grid_seconds, ready_grid, threads_words
from pages.shared.runs.manager import act, open_store, run_manager, say_errors, sentence
from pages.shared.runs.opening import choose_run
from pages.shared.state import keys, links
from pages.shared.state.choices import basis_limit, data_choice
from pages.shared.ui import controls
from pages.shared.ui.display import side_heading, title
from vstg.data import MultiTaskData
from vstg.jobs import ComparisonRequest, Run, Store, default_threads
from vstg.losses import get_loss
from vstg.model_selection import METHODS
from vstg.model_selection.grid import count_settings
from vstg.notation import rough_duration

FOLDS = 5
TEST_SHARE = 0.3
DEFAULT_METHODS = ["ridge", "lasso", "vstg", "vstg_refitted"]


def grids_for(methods: list[str], name: str, limit: int) -> dict[str, dict[str, list]]:
    """The grid of each method."""
    values = ready_grid(name, limit)
    found = {}
    for method in methods:
        grid = {p: list(values[p]) for p in METHODS[method].parameters}
        if "k" in grid:
            grid["k"] = [k for k in grid["k"] if k <= max(grid["n_latent"])]
        found[method] = grid
    return found


def expected_seconds(
    data: DataChoice, grids: dict[str, dict[str, list]], n_splits: int
) -> float:
    """Expected time of all repetitions."""
    total = sum(grid_seconds(data.shape, *one) for one in grids.items())
    return data.effort * total * FOLDS * n_splits / default_threads()


def splits_of(
    data: DataChoice, count: int
) -> list[tuple[MultiTaskData, MultiTaskData]]:
    """Training and test data of each repetition: drawn anew, or split anew."""
    if isinstance(data, SyntheticData):
        drawn = [
            live.load(replace(data, seed=(data.seed + i) % 10_000))
            for i in range(count)
        ]
        return [(one.train, one.test) for one in drawn]
    loaded = live.load(data)
    labels = get_loss(loaded.loss).is_classification
    return [
        loaded.train.split(TEST_SHARE, random_state=i, stratify=labels)
        for i in range(count)
    ]


def begin(data: DataChoice, methods: list[str], grid: str, count: int) -> None:
    """Action of the start button."""
    loaded = live.load(data)
    manager = run_manager()

    def submit() -> int:
        splits = splits_of(data, count)
        request = ComparisonRequest(
            methods=methods,
            grids=grids_for(methods, grid, basis_limit(data)),
            splits=[[manager.store.add_data(part) for part in pair] for pair in splits],
            folds=FOLDS,
            loss=loaded.loss,
            fit_intercept=loaded.fit_intercept,
            n_jobs=default_threads(),
        )
        return manager.submit(
            request,
            splits[0][0],
            name=f"{len(methods)} methods, {data.name}",
            **visits.about(data),
        )

    number = act(submit)
    if number is not None:
        st.session_state[keys.COMPARE_RUN] = number


def methods_controls(data: DataChoice) -> tuple[list[str], str, int]:
    """Which methods, how tuned, how often."""
    help_text = (
        words.SPLITS[1] if isinstance(data, SyntheticData) else words.SPLITS_OF_TABLE
    )
    side_heading(common.COMPARE)
    methods = st.multiselect(
        common.METHODS[0], list(METHODS), DEFAULT_METHODS, key="compare_methods",
        format_func=lambda name: METHODS[name].label, persist_state="session",
    )  # fmt: skip
    grid = st.segmented_control(
        words.COMPARE_GRID[0], ["coarse", "paper"], default="coarse", required=True,
        format_func=common.GRIDS.__getitem__, key="compare_grid",
        help=words.COMPARE_GRID[1], persist_state="session", width="stretch",
    )  # fmt: skip
    count = st.slider(
        words.SPLITS[0], 2, 30, 10, key="compare_count", help=help_text,
        persist_state="session",
    )  # fmt: skip
    return methods, grid, count


def size_words(data: DataChoice, methods: list[str], grid: str, count: int) -> str:
    """How large the comparison is; ValueError in words if it cannot be begun."""
    if not methods:
        raise ValueError(common.NO_METHOD)
    grids = grids_for(methods, grid, basis_limit(data))
    n_settings = sum(count_settings(METHODS[name], grids[name]) for name in methods)
    run_manager().limits.check_fits(n_settings * FOLDS * count)
    text = words.COMPARE_SIZE.format(
        methods=len(methods),
        n=count,
        time=rough_duration(expected_seconds(data, grids, count)),
        where=threads_words(default_threads()),
    )
    return (
        text if isinstance(data, SyntheticData) else f"{text} {words.SPLITS_OF_TABLE}"
    )


def start_row(
    store: Store, data: DataChoice, methods: list[str], grid: str, count: int
) -> None:
    """The size of the comparison beside the button that starts it."""
    possible = not store.read_only
    try:
        text = size_words(data, methods, grid, count)
    except ValueError as error:
        possible = False
        text = f":orange[{sentence(error)}]"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            words.COMPARE_START, key="compare_start", type="primary",
            on_click=begin, args=(data, methods, grid, count), width="content",
            disabled=not possible,
        )  # fmt: skip
        st.markdown(text)
        visits.keep_toggle(data)


def shown_run(store: Store) -> Run | None:
    """The comparison to look at: chosen, of the link, or the newest."""
    runs = {run.id: run for run in visits.visible_runs(store, "comparison")}
    if not runs:
        return None
    return choose_run(keys.COMPARE_RUN, runs, next(iter(runs)))


def methods_part(store: Store, data: DataChoice) -> None:
    """Start a comparison, or look at one."""
    with st.sidebar:
        methods, grid, count = methods_controls(data)
    start_row(store, data, methods, grid, count)
    run = shown_run(store)
    if run is None:
        st.info(words.COMPARE_EMPTY)
        return
    show_methods(store, run)


def follow_part() -> None:
    """Before the choice is drawn: the part that a new link asks for."""
    if links.is_new("runs", keys.COMPARE_PINS):
        st.session_state[keys.COMPARE_PART] = "runs"
    elif links.is_new("run", keys.COMPARE_RUN):
        st.session_state[keys.COMPARE_PART] = "methods"
    st.session_state.setdefault(keys.COMPARE_PART, "methods")


def compare() -> None:
    """Guard, inputs, call, show."""
    with st.sidebar:
        controls.data_controls()
    with st.container(key="compare"):
        title(common.COMPARE, words.COMPARE_TAGLINE)
        store = open_store()
        say_errors()
        follow_part()
        part = st.segmented_control(
            common.COMPARE, list(words.COMPARE_TABS), required=True,
            format_func=words.COMPARE_TABS.__getitem__, key=keys.COMPARE_PART,
            label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
        if part == "runs":
            links.drop("run", keys.COMPARE_RUN)
            runs_part(store)
        else:
            links.drop("runs", keys.COMPARE_PINS)
            methods_part(store, data_choice(controls.values()))
