"""What-if: type one row, and see its prediction and what each variable adds."""

from collections.abc import Mapping
from math import floor, log10

import numpy as np
import pandas as pd
import streamlit as st
from scipy.special import expit

from pages.predict import words
from pages.shared import words as common
from pages.shared.ui.display import MAX_ROWS, say_cut
from pages.shared.ui.markdown import plain
from vstg.data import Array
from vstg.losses import interval_ends, response
from vstg.notation import number_text
from vstg.prediction import Predictor
from vstg.tables.kinds import as_text

MAX_BARS = 20
LEVEL = 0.9  # of the interval that is shown
MAX_STARTS = 500  # rows to start from
SHOWN = 40  # variables of the form
MAX_DIGITS = 6
NOTHING = 1e-9  # of a variable's scale: what is left of a mean that is zero


def typed_row(model: Predictor, table: pd.DataFrame | None) -> None:
    """The form on the left, what comes of it on top and on the right.

    ``table`` has the rows that the model was fitted on, where the visitor has them.
    """
    head = st.container(key="prediction", horizontal=True)  # stays in sight
    left, right = st.columns([3, 2], gap="large")
    with left:
        task = st.selectbox(words.ONE_TASK, model.task_names, key="typed_task")
        j = model.task_names.index(task)
        start, origin = starting_row(model, j, table)
        asked = form_columns(model, j)
        values = {**start, **form(model, asked, start, origin)}
        rest = len(model.columns) - len(asked)
        if rest:
            st.caption(words.OTHERS_FIXED.format(count=rest))
    total, table = model.contributions(values, j)
    with head:
        if model.is_classification:
            minus, plus = model.label_pairs[j]
            st.metric(words.PREDICTION, plus if total > 0 else minus)
            label = words.PROBABILITY.format(label=plain(plus))
            st.metric(label, f"{float(expit(total)):.1%}")
        else:
            counts = model.loss == "poisson"
            name = words.EXPECTED_COUNT if counts else words.PREDICTION
            predicted = response(model.loss, np.array([total]))
            st.metric(name, number_text(float(predicted[0])))
            if model.scores is not None:
                width = model.interval_widths(LEVEL)[[j]]
                show_interval(*interval_ends(model.loss, np.array([total]), width))
    with right:
        show_parts(table)


def show_interval(lower: Array, upper: Array) -> None:
    """The ends of the prediction interval beside the prediction."""
    ends = f"{number_text(float(lower[0]))} – {number_text(float(upper[0]))}"
    label = words.INTERVAL_ENDS.format(level=LEVEL)
    known = np.isfinite(upper[0])
    st.metric(label, ends if known else words.TOO_FEW_ROWS, help=words.INTERVAL_HELP)


def starting_row(
    model: Predictor, task: int, table: pd.DataFrame | None
) -> tuple[dict[str, float | str], str]:
    """Where the form starts, the task's means or a row of its own, and its name."""
    means = model.typical_of(task)
    name = model.task_names[task]
    if table is None:
        return means, name
    rows = task_rows(model, task, table)
    chosen = st.selectbox(
        words.START, [None, *rows.index[:MAX_STARTS]], key=f"typed_start_{task}",
        format_func=lambda i: words.START_MEANS if i is None
        else words.START_ROW.format(row=i), disabled=rows.empty,
    )  # fmt: skip
    if chosen is None:
        return means, name
    row = rows.loc[chosen]
    rules = model.transform.rules
    levels = {r.column: r.levels for r in rules if r.kind == "category" and not r.part}
    present = {
        column: row[column]
        for column in means
        if not pd.isna(row[column])
        and (column not in levels or str(row[column]) in levels[column])
    }
    return {**means, **present}, f"{name}, {chosen}"


def task_rows(model: Predictor, task: int, table: pd.DataFrame) -> pd.DataFrame:
    """The rows of a task that can be predicted."""
    if model.task_name is not None:
        same = as_text(table[model.task_name]) == model.task_names[task]
        table = table[same.fillna(False).to_numpy(dtype=bool)]
    return table[model.doubts(table, "the table") == ""]


def form_columns(model: Predictor, task: int) -> list[str]:
    """The columns to ask for, the weightiest first, and no more than fit a form."""
    weight = dict.fromkeys(model.columns, 0.0)
    place = dict(zip(model.reader.keep, model.used.tolist(), strict=True))
    for rule in model.transform.rules:
        for name in rule.names:
            if name in place:
                size = abs(float(model.W[place[name], task]))
                weight[rule.column] = max(weight[rule.column], size)
    order = sorted(weight, key=lambda name: -weight[name])
    return order[:SHOWN]


def show_parts(table: pd.DataFrame) -> None:
    """Show the contributions as bars and as a table."""
    st.caption(words.CONTRIBUTIONS)
    st.bar_chart(
        table["contribution"].head(MAX_BARS), horizontal=True, sort=False,
        x_label="", y_label=words.CONTRIBUTION,
    )  # fmt: skip
    shown = table.head(MAX_ROWS).round(12) + 0.0  # no -0, no dust of a mean
    config = {
        name: st.column_config.NumberColumn(format="%.4g", width=width)
        for name, width in (
            ("value", 70),
            ("from", 70),
            ("weight", 70),
            ("contribution", 95),
        )
    }
    st.dataframe(shown, key="contributions", column_config=config)
    say_cut(len(shown), len(table), common.FIRST_ROWS_ONLY)


def form(
    model: Predictor, asked: list[str], start: Mapping[str, float | str], origin: str
) -> dict[str, float | str]:
    """One field per column, set to ``start``; levels of a category to choose from.

    Fields of another ``origin`` are new ones, so that they show where they start.
    """
    rules = {rule.column: rule for rule in model.transform.rules}
    values: dict[str, float | str] = {}
    columns = st.columns(2)
    for n, name in enumerate(asked):
        typical, rule = start[name], rules[name]
        key = f"typed_{name}, {origin}"
        with columns[n % 2]:
            label = plain(name)
            if rule.part:  # of a date
                values[name] = st.text_input(label, str(typical), key=key)
            elif rule.kind == "category":
                values[name] = st.selectbox(
                    label, rule.levels, index=rule.levels.index(str(typical)),
                    key=key,
                )  # fmt: skip
            else:
                value, step, digits = field(float(typical), abs(rule.scale))
                values[name] = st.number_input(
                    label, value=value, step=step, format=f"%.{digits}f", key=key,
                )  # fmt: skip
    return values


def field(typical: float, scale: float) -> tuple[float, float, int]:
    """Where a field starts, how far a press moves it, and its decimals.

    A press moves by about a tenth of the variable's scale, whatever its unit.
    """
    scale = scale if np.isfinite(scale) and scale > 0 else 1.0
    if abs(typical) <= NOTHING * scale:
        typical = 0.0
    magnitude = floor(log10(scale))
    digits = 1 - magnitude
    if typical and abs(typical) < scale:
        digits = max(digits, 1 - floor(log10(abs(typical))))
    digits = min(max(digits, 0), MAX_DIGITS)
    return round(typical, digits), max(10.0 ** (magnitude - 1), 10.0**-digits), digits
