"""The Predict page: a model, new rows, predictions and contributions."""

from collections.abc import Mapping
from dataclasses import replace
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from pages.predict import words
from pages.predict.history import model_in_history
from pages.predict.new_task import added_text, new_task
from pages.predict.typed import typed_row
from pages.shared import words as common
from pages.shared.data.catalogue import own_data
from pages.shared.data.upload import uploaded_table
from pages.shared.fits.models import last_model
from pages.shared.state import keys
from pages.shared.ui.display import say_cut, say_error, title
from pages.shared.ui.downloads import to_csv
from pages.shared.ui.markdown import plain
from vstg.losses import measure_of
from vstg.notation import number_text
from vstg.prediction import ModelFileError, Predictor
from vstg.prediction.bounded_load import load_bounded
from vstg.prediction.predictor import Unknown
from vstg.prediction.rows import NOT_PREDICTED
from vstg.tables import Table, TableError
from vstg.tables.kinds import as_text
from vstg.tables.table import listed

MAX_MODEL_MEGABYTES = 50
LEVELS = (0.8, 0.9, 0.95)
PREVIEW_ROWS, PREVIEW_COLUMNS = 200, 100


def predict_page() -> None:
    """Guard, inputs, call, show."""
    title(common.PREDICT, words.PREDICT_TAGLINE)
    model = choose_model()
    if model is None:
        return
    st.caption(
        words.MODEL_FACTS.format(
            kind=words.KINDS[measure_of(model.loss)],
            tasks=len(model.task_names),
            variables=len(model.W),
            used=len(model.used),
        )
    )
    if isinstance(model.evaluation.get("error"), float):  # a file may hold anything
        st.caption(evaluation_text(model.evaluation))
    if model.weights:
        st.caption(plain(words.WEIGHTS.format(weights=model.weights)))
    if model.added:
        st.caption(added_text(model))
    if model.preparation is None:
        st.caption(words.ENCODED_NOTE)
    if model.loss == "poisson":
        st.caption(words.COUNTS_NOTE)
    way = st.segmented_control(
        words.ROWS, [words.ROWS_FILE, words.ROWS_TYPED, words.ROWS_NEW_TASK],
        default=words.ROWS_FILE, required=True, key=keys.PREDICT_WAY,
    )  # fmt: skip
    try:
        if way == words.ROWS_FILE:
            rows_from_file(model)
        elif way == words.ROWS_NEW_TASK:
            new_task(model)
        else:
            typed_row(model, own_rows(model))
    except TableError as error:
        say_error(str(error))


def evaluation_text(found: Mapping[str, float | str]) -> str:
    """How good the model was on its test rows, and plain models beside it."""
    text = words.MODEL_ERROR.format(
        measure=found.get("measure", ""), rows=found.get("rows", ""),
        error=number_text(float(found["error"])),
    )  # fmt: skip
    numbers = {name: v for name, v in found.items() if not isinstance(v, str)}
    shares = [n for n in ("R²", "D²") if n in numbers]
    others = [n for n in numbers if n not in ("error", "pooled", *shares)]
    said = (
        [", ".join(f"{n} {number_text(numbers[n])}" for n in shares)] if shares else []
    )
    if others:
        models = ", ".join(f"{name} {number_text(numbers[name])}" for name in others)
        said.append(words.PLAIN_MODELS.format(models=models))
    return plain(" · ".join([text, *said]))


def own_rows(model: Predictor) -> pd.DataFrame | None:
    """The visitor's table, if it has the columns and tasks of the model."""
    own = own_data()
    if own is None or own.table is None or own.prepared is None:
        return None
    if own.prepared.train.task_names != model.task_names:
        return None
    needed = {*model.columns, *([model.task_name] if model.task_name else [])}
    return own.table.frame if needed <= set(own.table.frame.columns) else None


def choose_model() -> Predictor | None:
    """The model of this session, of a run or of a file; a sentence if there is none."""
    model = last_model()
    ways = [] if model is None else [words.MODEL_EXPLORE.format(name=plain(model.name))]
    added = st.session_state.get(keys.PREDICT_ADDED)
    ways += [words.MODEL_ADDED] if added is not None else []
    ways += [words.MODEL_RUN, words.MODEL_FILE]
    way = st.segmented_control(
        words.MODEL, ways, default=ways[0], required=True, key=keys.PREDICT_MODEL
    )
    if way == words.MODEL_FILE:
        return uploaded_model()
    if way == words.MODEL_RUN:
        model = model_in_history()
    elif way == words.MODEL_ADDED:
        model = added
    if model is not None:
        hand_out(model)
    return model


def uploaded_model() -> Predictor | None:
    """A model file, with its preparation beside it if there is one."""
    if last_model() is None:
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
        given = None if beside is None else beside.getvalue()
        return replace(load_once(file, given), name=file.name)
    except (ModelFileError, TableError) as error:
        say_error(str(error))
        return None


def load_once(file: Any, preparation: bytes | None) -> Predictor:
    """The model of an upload, read once: every press on the page asks for it."""
    stamp = (file.file_id, preparation)
    if st.session_state.get(keys.PREDICT_READ, (None, None))[0] != stamp:
        model = load_bounded(file.getvalue(), file.name, preparation)
        st.session_state[keys.PREDICT_READ] = (stamp, model)
    return st.session_state[keys.PREDICT_READ][1]


def hand_out(model: Predictor) -> None:
    """Offer the model as a file, with what it needs to predict rows of its table."""
    st.download_button(
        words.MODEL_DOWNLOAD, model.to_bytes, "model.npz", "application/octet-stream",
        key="predict_model_file", on_click="ignore", icon=":material/download:",
        help=words.MODEL_DOWNLOAD_HELP,
    )  # fmt: skip


def rows_from_file(model: Predictor) -> None:
    """Predict a table and offer the result."""
    if model.columns:
        st.caption(words.NEEDS.format(columns="").strip())
        st.text(listed(model.columns, 60))
    else:
        st.caption(words.NOTHING_NEEDED)
    st.download_button(
        words.ROWS_TEMPLATE, lambda: to_csv(model.template()), "new_rows.csv",
        "text/csv", key="rows_template", on_click="ignore",
        icon=":material/download:", help=words.ROWS_TEMPLATE_HELP,
    )  # fmt: skip
    table = uploaded_table("rows", words.ROWS_UPLOAD)
    if table is None:
        return
    columns = list(table.frame.columns)
    options = [*columns, words.ALL_TASKS]
    guess = model.task_name if model.task_name in columns else words.ALL_TASKS
    chosen = st.selectbox(
        words.TASK_COLUMN, options, index=options.index(guess), key="rows_task"
    )
    column = None if chosen == words.ALL_TASKS else chosen
    unknown = unknown_tasks(model, table, column)
    level = interval_level(model)
    frame, notes = model.predict_table(table, column, unknown=unknown, level=level)
    for note in notes:
        st.html(f"<p>· {escape(note)}</p>")
    n_left = int((frame[NOT_PREDICTED] != "").sum()) if NOT_PREDICTED in frame else 0
    st.markdown(words.PREDICTIONS.format(rows=len(frame) - n_left))
    shown = preview(frame, table.frame.shape[1], column)
    st.dataframe(shown, key="predictions")
    say_cut(len(shown), len(frame))
    say_cut(shown.shape[1], frame.shape[1], words.FIRST_COLUMNS)
    st.download_button(
        words.DOWNLOAD, lambda: to_csv(frame), "predictions.csv", "text/csv",
        key="predictions_csv", on_click="ignore", icon=":material/download:",
    )  # fmt: skip


def interval_level(model: Predictor) -> float | None:
    """How many rows an interval is to cover; None without intervals."""
    if model.scores is None or model.is_classification:
        return None
    chosen: Any = st.segmented_control(
        words.INTERVAL, [words.INTERVAL_NONE, *LEVELS], default=words.INTERVAL_NONE,
        required=True, key="predict_level", help=words.INTERVAL_HELP,
        format_func=lambda v: v if isinstance(v, str) else f"{v:.0%}",
    )  # fmt: skip
    if isinstance(chosen, str):
        return None
    facts = words.INTERVAL_FACTS.format(
        level=chosen, rows=model.scores.rows, tasks=len(model.task_names),
        own=int(model.scores.own(chosen).sum()),
    )  # fmt: skip
    st.caption(plain(facts))
    return float(chosen)


def unknown_tasks(model: Predictor, table: Table, column: str | None) -> Unknown:
    """Whether tasks that the model does not know get the mean, if there are any."""
    if column is None or as_text(table.frame[column]).isin(model.task_names).all():
        return "error"
    wanted = st.toggle(
        words.UNKNOWN_MEAN, key="rows_unknown", help=words.UNKNOWN_MEAN_HELP
    )
    return "mean" if wanted else "error"


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
