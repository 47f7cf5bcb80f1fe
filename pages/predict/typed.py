"""What-if: one row typed by hand, its prediction and the part of every variable."""

from math import floor, log10

import numpy as np
import pandas as pd
import streamlit as st
from scipy.special import expit

from pages.predict import words
from pages.shared import words as common
from pages.shared.ui.display import MAX_ROWS, say_cut
from pages.shared.ui.markdown import plain
from vstg.notation import number_text
from vstg.prediction import Predictor

MAX_BARS = 20
SHOWN = 40  # variables of the form
MAX_DIGITS = 6
NOTHING = 1e-9  # of a variable's scale: what is left of a mean that is zero


def typed_row(model: Predictor) -> None:
    """The form on the left, what comes of it on top and on the right."""
    head = st.container(key="prediction", horizontal=True)  # stays in sight
    left, right = st.columns([3, 2], gap="large")
    with left:
        task = st.selectbox(words.ONE_TASK, model.task_names, key="typed_task")
        j = model.task_names.index(task)
        asked = form_columns(model, j)
        values = {**model.typical, **form(model, asked)}
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
            st.metric(words.PREDICTION, number_text(total))
    with right:
        show_parts(table)


def form_columns(model: Predictor, task: int) -> list[str]:
    """The columns to ask for, the weightiest first, and no more than fit a form."""
    weight = dict.fromkeys(model.columns, 0.0)
    place = {name: i for i, name in enumerate(model.feature_names)}
    for rule in model.transform.rules:
        for name in rule.names:
            if name in place:
                size = abs(float(model.W[place[name], task]))
                weight[rule.column] = max(weight[rule.column], size)
    order = sorted(weight, key=lambda name: -weight[name])
    return order[:SHOWN]


def show_parts(table: pd.DataFrame) -> None:
    """The parts as bars and as a table."""
    st.caption(words.CONTRIBUTIONS)
    st.bar_chart(
        table["contribution"].head(MAX_BARS), horizontal=True, sort=False,
        x_label="", y_label=words.CONTRIBUTION,
    )  # fmt: skip
    shown = table.head(MAX_ROWS).round(12) + 0.0  # no -0, no dust of a mean
    config = {
        name: st.column_config.NumberColumn(format="%.4g", width=width)
        for name, width in (("value", 70), ("weight", 70), ("contribution", 95))
    }
    st.dataframe(shown, key="contributions", column_config=config)
    say_cut(len(shown), len(table), common.FIRST_ROWS_ONLY)


def form(model: Predictor, asked: list[str]) -> dict[str, float | str]:
    """A field a column; levels of a category to choose from."""
    rules = {rule.column: rule for rule in model.transform.rules}
    values: dict[str, float | str] = {}
    columns = st.columns(2)
    for n, name in enumerate(asked):
        typical, rule = model.typical[name], rules[name]
        with columns[n % 2]:
            label = plain(name)
            if rule.kind == "category":
                values[name] = st.selectbox(
                    label, rule.levels, index=rule.levels.index(str(typical)),
                    key=f"typed_{name}",
                )  # fmt: skip
            else:
                start, step, digits = field(float(typical), abs(rule.scale))
                values[name] = st.number_input(
                    label, value=start, step=step, format=f"%.{digits}f",
                    key=f"typed_{name}",
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
