"""The Predict page: a model, new rows, predictions and what makes them."""

from collections.abc import Callable
from html import escape

import pandas as pd
import streamlit as st

from pages.explore.share import model_file
from pages.predict.predicting import (
    Model,
    model_of_file,
    model_of_fit,
    model_of_run,
    predict_table,
    template,
)
from pages.predict.typed import typed_row
from pages.shared import data_texts as words
from pages.shared import large_texts as large
from pages.shared.data import own
from pages.shared.data.sources import Loaded
from pages.shared.data.upload import uploaded_table
from pages.shared.fits.stored import CHOICES, has_model, settings_of, stored_fit
from pages.shared.runs import visits
from pages.shared.runs.manager import open_store
from pages.shared.state.links import number_in
from pages.shared.ui.display import say_cut, say_error, title
from pages.shared.ui.downloads import to_csv
from pages.shared.ui.markdown import plain
from vstg.estimators.archive import ModelFileError
from vstg.notation import setting_text
from vstg.tables import Preparation, TableError
from vstg.tables.table import listed

MAX_MODEL_MEGABYTES = 50
PREVIEW_ROWS, PREVIEW_COLUMNS = 200, 100


def predict_page() -> None:
    """Guard, inputs, call, show."""
    title(words.PREDICT, words.PREDICT_TAGLINE)
    model = choose_model()
    if model is None:
        return
    kind = "classification" if model.logistic else "regression"
    st.caption(
        words.MODEL_FACTS.format(
            kind=kind, tasks=len(model.tasks), variables=len(model.W)
        )
    )
    if not model.prepared:
        st.caption(words.ENCODED_NOTE)
    way = st.segmented_control(
        words.ROWS, [words.ROWS_FILE, words.ROWS_TYPED], default=words.ROWS_FILE,
        required=True, key="predict_way",
    )  # fmt: skip
    try:
        rows_from_file(model) if way == words.ROWS_FILE else typed_row(model)
    except TableError as error:
        say_error(str(error))


def choose_model() -> Model | None:
    """The model of this session, of a run or of a file; a sentence if there is none."""
    fit = own.last_fit()
    ways = [] if fit is None else [words.MODEL_EXPLORE.format(name=plain(fit.name))]
    ways += [words.MODEL_RUN, words.MODEL_FILE]
    way = st.segmented_control(
        words.MODEL, ways, default=ways[0], required=True, key="predict_model"
    )
    if way == words.MODEL_FILE:
        return uploaded_model()
    if way == words.MODEL_RUN:
        return model_in_history()
    assert fit is not None
    preparation = None if fit.prepared is None else Preparation.of(fit.prepared)
    hand_out(preparation, lambda: model_file(fit.result, fit.data))
    return made_once(fit)


def made_once(fit: own.LastFit) -> Model:
    """The model of a fit, made once: every press on the page asks for it."""
    last = st.session_state.get("predict_made")
    if last is None or last[0] is not fit:
        last = (fit, model_of_fit(fit))
        st.session_state["predict_made"] = last
    return last[1]


def model_in_history() -> Model | None:
    """What a search found or what was pinned, fitted on the data of the run."""
    store = open_store()
    runs = {run.id: run for run in visits.visible_runs(store) if has_model(run)}
    if not runs:
        st.info(words.NO_RUN)
        with st.container(horizontal=True):
            st.page_link("app.py", label=words.FIT_ONE, icon=":material/tune:")
            st.page_link(
                "pages/3_Tune.py", label=words.SEARCH_ONE, icon=":material/search:"
            )
        return None
    asked = number_in(st.query_params.get("run"))
    if asked in runs:
        st.session_state.setdefault("predict_run", asked)
    if st.session_state.get("predict_run") not in runs:
        st.session_state["predict_run"] = next(iter(runs))
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    with left:
        number = st.selectbox(
            words.RUN, list(runs), key="predict_run", persist_state="session",
            format_func=lambda n: f"{n} · {runs[n].name}",
        )  # fmt: skip
    run = runs[number]
    choices = settings_of(run)
    choice = "setting"
    if len(choices) > 1:
        with right:
            choice = st.selectbox(
                words.RUN_SETTING, list(choices), key="predict_setting",
                format_func=CHOICES.get,
            )  # fmt: skip
    with st.spinner(words.FITTING):
        fit = stored_fit(store, run, choice)
    st.caption(f"{plain(run.data_name)} · {setting_text(choices[choice])}")
    data = Loaded(fit.train, fit.train, loss=fit.loss)
    result = fit.savable
    hand_out(
        fit.preparation, None if result is None else lambda: model_file(result, data)
    )
    return model_of_run(fit)


def uploaded_model() -> Model | None:
    """A model file, with its preparation beside it if there is one."""
    if own.last_fit() is None:
        st.info(words.NO_MODEL)
    file = st.file_uploader(
        words.MODEL_UPLOAD, ["npz"], key="model_upload",
        max_upload_size=MAX_MODEL_MEGABYTES,
    )  # fmt: skip
    if file is None:
        return None
    beside = st.file_uploader(
        words.PREPARATION_UPLOAD, ["json"], key="preparation_upload", max_upload_size=20
    )
    try:
        given = None
        if beside is not None:
            given = Preparation.from_json(beside.getvalue())
        return model_of_file(file.getvalue(), file.name, given)
    except (ModelFileError, TableError) as error:
        say_error(str(error))
        return None


def hand_out(
    preparation: Preparation | None, content: Callable[[], bytes] | None
) -> None:
    """The model as a file, and what it needs beside it to predict rows of its table."""
    with st.container(horizontal=True):
        if preparation is not None:
            st.download_button(
                words.PREPARATION, preparation.to_json(), "preparation.json",
                "application/json", key="preparation", on_click="ignore",
                icon=":material/download:", help=words.PREPARATION_HELP,
            )  # fmt: skip
        if content is not None:
            st.download_button(
                words.MODEL_DOWNLOAD, content, "model.npz", "application/octet-stream",
                key="predict_model_file", on_click="ignore",
                icon=":material/download:",
            )  # fmt: skip


def rows_from_file(model: Model) -> None:
    """Predict a table and hand it out."""
    st.caption(words.NEEDS.format(columns="").strip())
    st.text(listed(model.columns, 60))
    st.download_button(
        words.ROWS_TEMPLATE, lambda: to_csv(template(model)), "new_rows.csv",
        "text/csv", key="rows_template", on_click="ignore",
        icon=":material/download:", help=words.ROWS_TEMPLATE_HELP,
    )  # fmt: skip
    table = uploaded_table("rows", words.ROWS_UPLOAD)
    if table is None:
        return
    columns = list(table.frame.columns)
    options = [*columns, words.ALL_TASKS]
    guess = model.task_column if model.task_column in columns else words.ALL_TASKS
    chosen = st.selectbox(
        words.TASK_COLUMN, options, index=options.index(guess), key="rows_task"
    )
    column = None if chosen == words.ALL_TASKS else chosen
    frame, notes = predict_table(model, table, column)
    for note in notes:
        st.html(f"<p>· {escape(note)}</p>")
    st.markdown(words.PREDICTIONS.format(rows=len(frame)))
    shown = preview(frame, table.frame.shape[1], column)
    st.dataframe(shown, key="predictions")
    say_cut(len(shown), len(frame))
    say_cut(shown.shape[1], frame.shape[1], large.FIRST_COLUMNS)
    st.download_button(
        words.DOWNLOAD, lambda: to_csv(frame), "predictions.csv", "text/csv",
        key="predictions_csv", on_click="ignore", icon=":material/download:",
    )  # fmt: skip


def preview(
    frame: pd.DataFrame, n_given: int, task_column: str | None = None
) -> pd.DataFrame:
    """A part of the predictions that a page can hold: task, prediction, the rest.

    Of very many columns the first predictions and the first of the table are shown.
    """
    task = [] if task_column is None else [frame.columns.get_loc(task_column)]
    given = [place for place in range(n_given) if place not in task]
    n_new = frame.shape[1] - n_given
    if frame.shape[1] > PREVIEW_COLUMNS:
        n_new = min(n_new, PREVIEW_COLUMNS - min(n_given, PREVIEW_COLUMNS // 2))
    places = [*task, *range(n_given, n_given + n_new), *given]
    return frame.iloc[:, places[:PREVIEW_COLUMNS]].head(PREVIEW_ROWS)
