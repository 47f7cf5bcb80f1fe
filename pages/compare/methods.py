"""A comparison of methods: table, boxes, coefficients, tasks, time."""

from dataclasses import replace
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from pages.compare import words
from pages.compare.top_maps import difference, product, show_top
from pages.shared.fits import live
from pages.shared.runs.opening import drawn_data
from pages.shared.runs.progress import POLL_SECONDS, ended, watched
from pages.shared.ui.display import QUIET, say_cut
from pages.shared.ui.downloads import download
from pages.shared.ui.markdown import plain
from vstg import losses
from vstg.comparison import Comparison
from vstg.jobs import ComparisonRequest, Run, Store
from vstg.jobs.kinds.comparison import (
    Evaluation,
    compared,
    errors_frame,
    read_evaluations,
    tasks_frame,
)
from vstg.jobs.store.run import ACTIVE
from vstg.model_selection.methods import get_method
from vstg.notation import measure_text
from vstg.plots.matrices.excerpt import RowsOf, top
from vstg.plots.runs.comparing import box_figure, wins_figure

MAX_POINTS = 2_000  # of a chart with a point a task and method


def table_html(result: Comparison) -> str:
    """The paper's Table 1: mean ± sd, the statistically best in bold."""
    rows = [
        f"<tr><td class='{'best' if row['is_best'] else ''}'>{escape(str(label))}</td>"
        f"<td>{escape(row['text'])}</td><td>{row['n']:.0f}</td></tr>"
        for label, row in result.summary.iterrows()
    ]
    return (
        '<div class="vstg-scroll"><table class="vstg-table"><thead><tr><th>method</th>'
        f"<th>mean ± sd</th><th>n</th></tr></thead>{''.join(rows)}</table></div>"
    )


def p_values_html(result: Comparison) -> str:
    """Every pair; the corrected value in brackets."""
    labels = list(result.p_values.columns)
    head = "".join(f"<th>{escape(str(label))}</th>" for label in labels)
    rows = []
    for first in labels:
        cells = []
        for second in labels:
            if first == second:
                cells.append("<td>–</td>")
                continue
            p, holm = (
                float(table.loc[first, second])  # type: ignore[arg-type]
                for table in (result.p_values, result.p_holm)
            )
            cells.append(
                "<td>–</td>" if np.isnan(p) else f"<td>{p:.3g} ({holm:.3g})</td>"
            )
        rows.append(f"<tr><th>{escape(str(first))}</th>{''.join(cells)}</tr>")
    return (
        '<div class="vstg-scroll"><table class="vstg-table"><thead><tr><th></th>'
        f"{head}</tr></thead>{''.join(rows)}</table></div>"
    )


@st.fragment(run_every=POLL_SECONDS)
def watch(number: int) -> None:
    """The table as methods finish; the page is drawn again when all have."""
    store, run = watched(number)
    evaluations = read_evaluations(store, run)
    if evaluations:
        tables(evaluations, measure_of(run))


def measure_of(run: Run) -> str:
    """What is compared: the mean of the errors of all tasks."""
    request: ComparisonRequest = run.request
    return measure_text(losses.measure_of(request.loss))


def tables(evaluations: list[Evaluation], measure: str) -> Comparison:
    """Means with the tests beside them."""
    result = compared(evaluations)
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.markdown(f"**{words.TABLE_1.format(measure=measure)}**")
        st.html(table_html(result))
    with right:
        st.markdown(f"**{words.P_VALUES}**")
        st.html(p_values_html(result))
    return result


def show_methods(store: Store, run: Run) -> None:
    """Everything about one comparison."""
    if run.status in ACTIVE:
        watch(run.id)
        return
    ended(run)
    evaluations = read_evaluations(store, run)
    if not evaluations:
        return
    result = tables(evaluations, measure_of(run))
    if result.smallest_p > result.alpha:
        st.caption(words.FEW.format(p=result.smallest_p))
    boxes(evaluations, measure_of(run))
    coefficients(store, run, evaluations)
    by_task(store, run, evaluations)
    download(result.values.reset_index(), "comparison", "comparison_csv")


def boxes(evaluations: list[Evaluation], measure: str) -> None:
    """Errors and times of every repetition."""
    errors = errors_frame(evaluations)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**{words.BOXES}**")
        figure = box_figure(errors, y=measure)
        st.plotly_chart(figure, key="boxes", config=QUIET, alt=words.BOXES)
    with right:
        st.markdown(f"**{words.TIMES}**")
        figure = box_figure(errors, value="seconds", y="seconds", log=True)
        st.plotly_chart(figure, key="times", config=QUIET, alt=words.TIMES)


def true_W(run: Run, repetition: int) -> RowsOf | None:
    """What the data of a repetition were drawn from, where that is known."""
    data = drawn_data(run)
    if data is None:
        return None
    truth = live.load(replace(data, seed=(data.seed + repetition) % 10_000)).truth
    return None if truth is None else product(truth.U, truth.V)


def coefficients(store: Store, run: Run, evaluations: list[Evaluation]) -> None:
    """W of each method beside the truth, and the differences."""
    numbers = sorted({j.repetition for j in evaluations})
    chosen = 0
    if len(numbers) > 1:
        chosen = st.select_slider(
            words.SPLIT, numbers, format_func=lambda n: str(n + 1),
            key="compare_repetition", width=320,
        )  # fmt: skip
    data = store.data(run.data)
    names = (data.feature_names, data.task_names)
    found: dict[str, RowsOf] = {
        get_method(j.method).label: j.W.__getitem__
        for j in evaluations
        if j.repetition == chosen
    }
    truth = true_W(run, chosen)
    shown = found
    if truth is not None:
        shown = {words.TRUE_W: truth, **found}
    heading = words.COEFFICIENTS.format(number=chosen + 1)
    st.markdown(f"**{heading}**")
    show_top(shown, *names, key="compare_W", alt=heading)
    reference, title = words.TRUE_W, words.DIFFERENCES
    if truth is None:
        reference = next(iter(found))
        title = words.DIFFERENCES_TO.format(method=reference)
    differences = {
        label: difference(W, shown[reference])
        for label, W in found.items()
        if label != reference
    }
    if differences:
        st.markdown(f"**{title}**")
        show_top(differences, *names, key="compare_differences", alt=title)


def by_task(store: Store, run: Run, evaluations: list[Evaluation]) -> None:
    """Wins and losses task by task."""
    tasks = tasks_frame(evaluations, store.data(run.data).task_names)
    if tasks.shape[1] < 2:
        return
    labels = list(tasks.columns)
    reference = st.selectbox(
        words.REFERENCE, labels, len(labels) - 1, key="compare_reference", width=240
    )
    left, right = st.columns([3, 2], gap="large")
    with left:
        title = words.WINS.format(method=reference)
        st.markdown(f"**{title}**")
        st.caption(words.WINS_NOTE.format(method=plain(reference)))
        shown = most_different(tasks, reference)
        figure = wins_figure(shown, reference, measure=measure_of(run))
        st.plotly_chart(figure, key="wins", config=QUIET, alt=title)
        say_cut(len(shown), len(tasks), words.TOP_TASKS)
    with right:
        st.markdown(f"**{words.WINS_TABLE.format(method=reference)}**")
        st.dataframe(wins_table(evaluations, reference), key="wins_table")


def most_different(tasks: pd.DataFrame, reference: str) -> pd.DataFrame:
    """The tasks to draw: of very many those where methods differ most."""
    count = max(1, MAX_POINTS // max(tasks.shape[1] - 1, 1))
    spread = tasks.sub(tasks[reference], axis=0).abs().max(axis=1).to_numpy()
    return tasks.iloc[top(spread, count)]


def wins_table(evaluations: list[Evaluation], reference: str) -> pd.DataFrame:
    """How often the reference is better than each other method, task by task."""
    by_key = {
        (get_method(j.method).label, j.repetition): j.by_task for j in evaluations
    }
    labels = dict.fromkeys(label for label, _ in by_key)
    rows = []
    for label in labels:
        if label == reference:
            continue
        pairs = [
            (by_key[reference, n], errors)
            for (other, n), errors in by_key.items()
            if other == label and (reference, n) in by_key
        ]
        own, others = (np.concatenate(part) for part in zip(*pairs, strict=True))
        rows.append(
            {
                "against": label,
                "won": int((own < others).sum()),
                "drawn": int((own == others).sum()),
                "lost": int((own > others).sum()),
            }
        )
    return pd.DataFrame(rows).set_index("against")
