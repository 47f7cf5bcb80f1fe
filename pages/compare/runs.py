"""Runs beside each other: settings, coefficients, groups, variables."""

from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.compare import words
from pages.compare.top_maps import (
    difference,
    in_words,
    product,
    show_matrices,
    show_top,
)
from pages.shared import words as common
from pages.shared.fits.models import stored_model
from pages.shared.runs import visits
from pages.shared.state import keys, links
from pages.shared.ui.display import MAX_ROWS, say_cut
from pages.shared.ui.markdown import plain
from vstg.data import Array
from vstg.inspection import task_groups
from vstg.jobs import Run, Store, get_kind
from vstg.metrics import errors_on
from vstg.notation import SYMBOLS, number_text, value_text
from vstg.plots import group_letter
from vstg.plots.matrices.excerpt import MAX_CELLS, RowsOf, top_matrices
from vstg.solvers import VSTGResult

MAX_PINNED = 6


@dataclass(frozen=True, eq=False)
class Pinned:
    """A run reduced to one fit."""

    run: Run
    setting: dict[str, Any]
    U: Array
    V: Array
    train_error: float
    features: tuple[str, ...]
    tasks: tuple[str, ...]

    @property
    def name(self) -> str:
        """The run's name with its number, so that no two are equal."""
        return f"{self.run.id} · {self.run.name or get_kind(self.run.kind).label}"

    @property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Of variables and tasks."""
        return self.features, self.tasks

    @property
    def W(self) -> RowsOf:
        """Coefficients, row by row."""
        return product(self.U, self.V)


def can_be_pinned(run: Run) -> bool:
    """Fits and discoveries of VSTG-MTL, and searches that found a setting for it."""
    if run.best is None or "setting" not in run.best:
        return False
    return (
        run.kind in ("fit", "stability", "discovery")
        or run.request_text.find('"vstg') >= 0
    )


def pinned(store: Store, run: Run) -> Pinned:
    """Fit the setting that a run stands for; remembered."""
    assert run.best is not None
    model, data = stored_model(store, run), store.data(run.data)
    result = model.result
    assert isinstance(result, VSTGResult)  # only fits of VSTG-MTL are pinned
    error = errors_on(data, result.decision(data), loss=result.loss).mean
    V = result.V * data.task_units
    names = data.feature_names, data.task_names
    return Pinned(run, run.best["setting"], result.U, V, error, *names)


def settings_html(pins: list[Pinned]) -> str:
    """A row a run; values that are not the same everywhere are marked."""
    rows: list[dict[str, str]] = []
    same_data = len({pin.run.data_name for pin in pins}) == 1
    for pin in pins:
        row = {"run": pin.name}
        if not same_data:
            row["data"] = pin.run.data_name
        for name, symbol in SYMBOLS.items():
            if pin.setting.get(name) is not None:
                row[symbol] = value_text(name, pin.setting[name])
        row["train error"] = number_text(pin.train_error)
        row["variables"] = str(int(np.any(pin.U != 0, axis=1).sum()))
        rows.append(row)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = ""
    for row in rows:
        cells = ""
        for column in columns:
            differs = len({other.get(column) for other in rows}) > 1 and column != "run"
            mark = ' class="differs"' if differs else ""
            cells += f"<td{mark}>{escape(row.get(column, '–'))}</td>"
        body += f"<tr>{cells}</tr>"
    return (
        f'<div class="vstg-scroll"><table class="vstg-table"><thead><tr>{head}</tr>'
        f"</thead>{body}</table></div>"
    )


def groups_table(pins: list[Pinned]) -> pd.DataFrame:
    """The group of each task in each run."""
    columns = {}
    for pin in pins:
        letters = dict.fromkeys(range(len(pin.tasks)), "–")
        groups = [g for g in task_groups(pin.V, U=pin.U) if not g.empty]
        for number, group in enumerate(groups):
            letters.update(dict.fromkeys(group.tasks, group_letter(number)))
        columns[pin.name] = pd.Series(list(letters.values()), index=pin.tasks)
    return pd.DataFrame(columns).rename_axis("task")


def same_pairs(first: pd.Series, second: pd.Series) -> float:
    """Share of pairs of tasks that both put together or both keep apart.

    Counted by groups: with T tasks there are T² / 2 pairs.
    """

    def pairs(*labels: pd.Series) -> int:
        sizes = pd.DataFrame(dict(enumerate(labels))).value_counts().to_numpy()
        return int((sizes * (sizes - 1) // 2).sum())

    first, second = (s.reset_index(drop=True) for s in (first, second))
    total = len(first) * (len(first) - 1) // 2
    if total == 0:
        return 1.0
    apart = total - pairs(first) - pairs(second) + pairs(first, second)
    return (pairs(first, second) + apart) / total


def variables_table(pins: list[Pinned]) -> pd.DataFrame:
    """Which variables each run keeps; those that all treat alike come last."""
    kept = pd.DataFrame(
        {
            pin.name: pd.Series(np.any(pin.U != 0, axis=1), index=pin.features)
            for pin in pins
        }
    ).rename_axis("variable")
    differs = kept.nunique(axis=1) > 1
    return kept.assign(differs=differs).sort_values(
        "differs", ascending=False, kind="stable"
    )


def pick_runs(store: Store) -> list[Run]:
    """Which runs; those of the link to begin with."""
    found = visits.visible_runs(store)
    runs = {run.id: run for run in found if can_be_pinned(run)}
    if links.is_new("runs", keys.COMPARE_PINS):
        wanted = links.numbers("runs")
        st.session_state[keys.COMPARE_PINS] = wanted[:MAX_PINNED]
        left_out = [str(one) for one in wanted if one not in runs]
        st.session_state[keys.COMPARE_LEFT_OUT] = ", ".join(left_out)
    elif keys.COMPARE_PINS not in st.session_state:
        st.session_state[keys.COMPARE_PINS] = list(runs)[:2]
    st.session_state[keys.COMPARE_PINS] = [
        one for one in st.session_state[keys.COMPARE_PINS] if one in runs
    ]
    chosen = st.multiselect(
        words.PICK_RUNS, list(runs), key=keys.COMPARE_PINS, max_selections=MAX_PINNED,
        format_func=lambda n: f"{n} · {runs[n].name}", help=words.PICK_NOTE,
        persist_state="session",
    )  # fmt: skip
    links.write("runs", keys.COMPARE_PINS, "-".join(map(str, chosen)))
    if numbers := st.session_state.get(keys.COMPARE_LEFT_OUT):
        st.warning(words.PICK_LEFT_OUT.format(numbers=numbers))
    return [runs[one] for one in chosen]


def runs_part(store: Store) -> None:
    """Guard, inputs, call, show."""
    chosen = pick_runs(store)
    st.caption(words.PICK_NOTE)
    if len(chosen) < 2:
        st.info(words.PICK_TWO)
        return
    pins = [pinned(store, run) for run in chosen]
    st.markdown(f"**{words.SETTINGS_DIFFER}**")
    st.html(settings_html(pins))
    first = pins[0]
    st.markdown(f"**{words.W_DIFFER}**")
    show_pins(pins)
    alike = [pin for pin in pins if pin.names == first.names]
    if len(alike) < len(pins):
        st.caption(words.OTHER_SHAPE)
    if len(alike) > 1:
        title = words.W_MINUS.format(name=plain(first.name))
        st.markdown(f"**{title}**")
        differences = {pin.name: difference(pin.W, first.W) for pin in alike[1:]}
        show_top(differences, *first.names, key="pins_minus", alt=title)
        tables(alike)


def show_pins(pins: list[Pinned]) -> None:
    """W of each run; of large ones a part, the same in runs with the same names."""
    groups: list[list[Pinned]] = []
    for pin in pins:
        kin = next((group for group in groups if group[0].names == pin.names), None)
        groups.append([pin]) if kin is None else kin.append(pin)
    frames: dict[str, pd.DataFrame] = {}
    said: list[str] = []
    for group in groups:
        found = top_matrices(
            {pin.name: pin.W for pin in group},
            *group[0].names,
            limit=MAX_CELLS * len(group) // len(pins),
        )
        frames |= found.frames
        said += [] if found.whole else [in_words(found)]
    ordered = {pin.name: frames[pin.name] for pin in pins}
    show_matrices(ordered, key="pins_W", alt=words.W_DIFFER)
    for sentence in said:
        st.caption(sentence)


def tables(pins: list[Pinned]) -> None:
    """Groups and variables side by side."""
    left, right = st.columns(2, gap="large")
    # The whole name of a run would push the others out of sight.
    short = {pin.name: words.RUN_NUMBER.format(number=pin.run.id) for pin in pins}
    with left:
        st.markdown(f"**{words.GROUPS_DIFFER}**")
        groups = groups_table(pins)
        for pin in pins[1:]:
            share = same_pairs(groups[pins[0].name], groups[pin.name])
            st.caption(f"{plain(pin.name)}: {words.AGREE.format(share=share)}")
        st.dataframe(groups.head(MAX_ROWS), key="pins_groups", column_config=short)
        say_cut(min(MAX_ROWS, len(groups)), len(groups), common.FIRST_ROWS_ONLY)
    with right:
        st.markdown(f"**{words.VARIABLES_DIFFER}**")
        variables = variables_table(pins)
        st.dataframe(
            variables.head(MAX_ROWS), key="pins_variables", column_config=short
        )
        say_cut(min(MAX_ROWS, len(variables)), len(variables), common.FIRST_ROWS_ONLY)
