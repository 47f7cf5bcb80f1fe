"""A task that was not in the fit: its rows, its fit, and how much sharing helped."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from pages.predict import words
from pages.shared.data.upload import uploaded_table
from pages.shared.state import keys
from pages.shared.ui.display import MAX_ROWS, say_cut
from pages.shared.ui.markdown import plain
from vstg.model_selection.sharing import NewTaskScores, compare_transfer
from vstg.prediction import Predictor
from vstg.prediction.new_tasks import Transfer
from vstg.solvers import VSTGResult
from vstg.tables import Table

MOST_NAMES = 8  # added tasks that are listed
MOST_SENTENCES = 5  # tasks whose comparison is put into words


def new_task(model: Predictor) -> None:
    """Guard, rows, fit, comparison, and the model to take away."""
    if not isinstance(model.result, VSTGResult):
        st.info(words.NEW_TASK_BASES)
        return
    st.caption(words.NEW_TASK_INTRO)
    table = uploaded_table("new_task_rows", words.NEW_TASK_UPLOAD)
    if table is None:
        return
    target, task = roles(model, table)
    with st.spinner(words.NEW_TASK_FITTING):
        made = model.transfer(table.frame, target, task=task, name=table.name)
        scores = compare_transfer(model, made)
    for note in made.rows.notes:
        st.html(f"<p>· {escape(note)}</p>")
    show_scores(scores)
    show_shares(made)
    hand_over(model, made)


def roles(model: Predictor, table: Table) -> tuple[str, str | None]:
    """The column of the target, and the name of the task if no column has it."""
    columns = [name for name in table.frame.columns if name != model.task_name]
    recipe = None if model.preparation is None else model.preparation.recipe
    likely = [name for name in (recipe.targets if recipe else ()) if name in columns]
    others = [name for name in columns if name not in model.columns]
    first = (likely or others or columns)[0]
    left, right = st.columns(2)
    with left:
        target = st.selectbox(
            words.NEW_TASK_TARGET, columns, index=columns.index(first),
            key="new_task_target",
        )  # fmt: skip
    if model.task_name in table.frame.columns:
        return target, None
    with right:
        name = st.text_input(
            words.NEW_TASK_NAME, words.NEW_TASK_DEFAULT, max_chars=100,
            key="new_task_name",
        )  # fmt: skip
    return target, name or words.NEW_TASK_DEFAULT


def show_scores(scores: Sequence[NewTaskScores]) -> None:
    """What sharing saves, in words and as a table."""
    for score in scores[:MOST_SENTENCES]:
        st.markdown(f"**{plain(score.task)}**: {score.sentence()}")
    rows = [{"task": s.task, "rows": s.n_rows} | dict(s.errors) for s in scores]
    shown = pd.DataFrame(rows).set_index("task").head(MAX_ROWS)
    if shown.shape[1] == 1:
        return
    st.caption(words.NEW_TASK_SCORES.format(measure=scores[0].measure))
    config = {
        name: st.column_config.NumberColumn(format="%.4g") for name in shown.columns[1:]
    }
    st.dataframe(shown, key="new_task_scores", column_config=config)
    say_cut(len(shown), len(rows))


def show_shares(made: Transfer) -> None:
    """How much of each basis the first new task has, beside the most similar task."""
    result = made.predictor.result
    assert isinstance(result, VSTGResult)
    first = len(made.predictor.task_names) - len(made.fits)
    # |v_r|‖u_r‖: what a basis adds does not depend on how U and V share its size.
    sizes = result.V * np.linalg.norm(result.U, axis=0)[:, None]
    name, new = made.predictor.task_names[first], sizes[:, first]
    lengths = np.linalg.norm(sizes[:, :first], axis=0) * np.linalg.norm(new)
    if not lengths.any():
        return
    alike = np.divide(
        new @ sizes[:, :first], lengths, out=np.zeros(first), where=lengths > 0
    )
    closest = int(alike.argmax())
    similar = made.predictor.task_names[closest]
    st.markdown(words.NEW_TASK_SIMILAR.format(task=plain(name), similar=plain(similar)))
    st.caption(words.NEW_TASK_SHARES)
    index = [f"basis {r + 1}" for r in range(len(new))]
    table = pd.DataFrame({name: new, similar: sizes[:, closest]}, index=index)
    st.bar_chart(
        table, stack=False, sort=False, x_label="", y_label=words.NEW_TASK_SHARES_AXIS
    )


def hand_over(model: Predictor, made: Transfer) -> None:
    """The model with its new tasks, as a file and for this session."""
    grown = replace(made.predictor, name=model.name)
    with st.container(horizontal=True):
        st.button(
            words.NEW_TASK_USE, key="new_task_use", type="primary",
            help=words.NEW_TASK_USE_HELP, on_click=use, args=(grown,),
        )  # fmt: skip
        st.download_button(
            words.MODEL_DOWNLOAD, grown.to_bytes, "model.npz",
            "application/octet-stream", key="new_task_file", on_click="ignore",
            icon=":material/download:",
        )  # fmt: skip


def use(model: Predictor) -> None:
    """Show the model with its new tasks, and ask for rows to predict."""
    st.session_state[keys.PREDICT_ADDED] = model
    st.session_state[keys.PREDICT_MODEL] = words.MODEL_ADDED
    st.session_state[keys.PREDICT_WAY] = words.ROWS_FILE


def added_text(model: Predictor) -> str:
    """Which tasks were added after the fit, and on how many rows each."""
    tasks = [
        words.ADDED_TASK.format(task=task[:60], rows=n)
        for task, n in list(model.added.items())[:MOST_NAMES]
    ]
    more = len(model.added) - len(tasks)
    tasks += [words.ADDED_MORE.format(count=more)] if more else []
    return plain(words.ADDED_FACTS.format(tasks=", ".join(tasks)))
