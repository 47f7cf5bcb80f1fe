"""The Data page: a table in, its columns explained, a report, and on to Explore."""

import os
from html import escape
from pathlib import Path

import streamlit as st

from pages.data import mapping, words
from pages.data.findings import show_report
from pages.data.known import known_data
from pages.data.templates import templates
from pages.shared import words as common
from pages.shared.app.access import is_local
from pages.shared.data import own
from pages.shared.data.catalogue import own_data, own_of_table
from pages.shared.data.upload import read_once, uploaded_table
from pages.shared.state import keys, links
from pages.shared.ui.display import say_cut, say_error, title
from vstg.datasets import SAMPLES, load_sample
from vstg.jobs import is_store_file
from vstg.notation import counted
from vstg.tables import (
    Recipe,
    Report,
    Table,
    TableError,
    read_table,
    report,
)

SCALED_GAMMA1 = "-4"  # the exponent to begin with, for targets of spread 1
PREVIEW_ROWS, PREVIEW_COLUMNS = 5, 200
MAX_LINES = 40


def data_page() -> None:
    """Guard, inputs, call, show."""
    title(common.DATA, words.DATA_TAGLINE)
    in_use()
    origin = st.segmented_control(
        words.FROM, [words.FROM_FILE, words.FROM_SAMPLE, words.FROM_KNOWN],
        default=words.FROM_FILE, required=True, key="data_from",
    )  # fmt: skip
    if origin == words.FROM_KNOWN:
        known_data()
        return
    table: Table | None
    recipe = None
    if origin == words.FROM_SAMPLE:
        table, recipe = sample_table()
    else:
        table = uploaded_table("upload", words.UPLOAD)
        if table is None and is_local():
            table = local_table()
        if table is None:
            templates()
    if table is not None:
        prepare_table(table, recipe, uploaded=origin == words.FROM_FILE)


def in_use() -> None:
    """What the other pages work on, and how to be rid of it."""
    record = own_data()
    if record is None:
        return
    train = record.dataset.train
    with st.container(horizontal=True, vertical_alignment="center", key="in_use"):
        st.html(
            escape(
                words.IN_USE.format(
                    name=record.name,
                    tasks=counted(train.n_tasks, "task"),
                    variables=counted(train.n_features, "variable"),
                )
            ),
            width="content",
        )
        st.page_link("app.py", label=words.TO_EXPLORE, query_params=links.yours_query())
        st.button(words.FORGET, key="forget", on_click=own.forget)


def sample_table() -> tuple[Table, Recipe]:
    """One of the tables that come with the project, with its roles."""
    titles = {name: load_title(name) for name in SAMPLES}
    name = st.selectbox(
        words.SAMPLE, SAMPLES, key="sample", format_func=titles.__getitem__
    )
    sample = load_sample(name)
    recipe = Recipe(
        sample.layout, sample.task, sample.targets, problem=sample.problem,
        missing="median", scaling="standard",
    )  # fmt: skip
    return read_table(sample.path), recipe


@st.cache_data(show_spinner=False)
def load_title(name: str) -> str:
    """What a sample table is about."""
    return load_sample(name).title


def local_table() -> Table | None:
    """A table on the visitor's computer, where that is the server's."""
    text = st.text_input(words.PATH, key="path", placeholder=words.PATH_EXAMPLE)
    if not text:
        return None
    path = Path(os.path.expanduser(text))
    try:
        if path.is_dir():
            files = [p for p in sorted(path.iterdir()) if p.suffix[1:] in common.TYPES]
            if not files:
                say_error(words.NO_TABLES.format(path=path))
                return None
            path = st.selectbox(
                words.PATH_FILE, files, key="path_file", format_func=lambda p: p.name
            )
        if is_store_file(path):
            say_error(words.IS_STORE.format(path=path))
            return None
        found = read_once("path", mark_of(path), path, path.name)
        if isinstance(found, str):
            say_error(found)
            return None
        return found
    except (ValueError, OSError) as error:  # a name may hold what no name can
        say_error(str(error))
        return None


def mark_of(path: Path) -> tuple[object, ...]:
    """What changes when the file at a path does."""
    state = path.stat() if path.exists() else None
    return (str(path), state and (state.st_mtime_ns, state.st_size, state.st_ino))


def prepare_table(table: Table, recipe: Recipe | None, *, uploaded: bool) -> None:
    """Preview, roles, report and the button."""
    mapping.start_with(table, recipe)
    facts = escape(" · ".join(table.facts[:MAX_LINES]))
    n_rows, n_columns = table.frame.shape
    read = words.READ.format(
        name=table.name, form=table.format, rows=n_rows, columns=n_columns
    )
    st.html(f"<p><b>{escape(read)}</b><br>{facts}</p>")
    with st.expander(words.PREVIEW, expanded=True):
        shown = table.frame.iloc[:PREVIEW_ROWS, :PREVIEW_COLUMNS]
        st.dataframe(shown, key="preview")
        say_cut(shown.shape[1], n_columns, words.PREVIEW_COLUMNS)
    try:
        chosen = mapping.recipe_controls(table)
    except TableError as error:
        say_error(str(error))
        return
    if chosen is None:  # a role is still to be chosen, and the page says which
        return
    with st.spinner():
        found = looked_at(table, chosen)
    show_report(found)
    if st.button(words.USE, key="use", type="primary", disabled=not found.ok):
        assert found.prepared is not None  # the report is fine
        own.put(own_of_table(table, found.prepared, uploaded=uploaded))
        query = links.yours_query()
        if found.prepared.train.units:
            # The default suits the paper's data, whose targets spread more widely.
            query = {keys.GAMMA1: SCALED_GAMMA1, **query}
        st.switch_page("app.py", query_params=query)


def looked_at(table: Table, recipe: Recipe) -> Report:
    """The report, worked out once for the same choices; kept in the session."""
    stamp = (mapping.mark_of(table), recipe)
    if st.session_state.get(keys.DATA_REPORT, (None, None))[0] != stamp:
        st.session_state[keys.DATA_REPORT] = (stamp, report(table, recipe))
    return st.session_state[keys.DATA_REPORT][1]
