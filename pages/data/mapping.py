"""The widgets that turn a table into a recipe."""

from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from pages.data import words
from pages.shared.state import keys
from pages.shared.ui.markdown import plain
from vstg.losses import HUBER_DELTA
from vstg.tables import Recipe, Suggestion, Table, suggest
from vstg.tables.guessing import problem_of
from vstg.tables.kinds import as_text

PERHAPS = 5  # candidates that are one click away
SCALED = ("regression", "robust")  # kinds of targets that have a unit


def start_with(table: Table, recipe: Recipe | None = None) -> None:
    """Set the widgets to a first guess when another table comes.

    Also when they were not shown for a while, as after a file that was refused:
    Streamlit has then forgotten what they said.
    """
    known = st.session_state.get(keys.DATA_MAPPED) == mark_of(table)
    if known and keys.role("layout") in st.session_state:
        return
    for key in [
        key for key in st.session_state if str(key).startswith(keys.DATA_ROLES)
    ]:
        del st.session_state[key]
    guess = recipe or suggestion(table).recipe
    values = {
        "layout": guess.layout,
        "task": guess.task,
        "target": guess.targets[0] if guess.targets else None,
        "targets": list(guess.targets),
        "leave_out": list(guess.leave_out),
        "features": list(guess.features or ()),
        "problem": guess.problem,
        "missing": guess.missing,
        "scaling": guess.scaling,
        "dates": list(guess.dates),
        "target_scaling": guess.target_scaling == "spread",
        "weight": guess.weight,
    }
    for key, value in values.items():
        st.session_state[keys.role(key)] = value
    st.session_state[keys.DATA_MAPPED] = mark_of(table)


def mark_of(table: Table) -> tuple[str, str]:
    """What differs for different tables, such as two sheets of a workbook."""
    return table.digest, repr(table.options)


def suggestion(table: Table) -> Suggestion:
    """The first guess with its candidates, worked out once per table."""
    mark = mark_of(table)
    if st.session_state.get(keys.DATA_GUESS, (None, None))[0] != mark:
        st.session_state[keys.DATA_GUESS] = (mark, suggest(table))
    return st.session_state[keys.DATA_GUESS][1]


def recipe_controls(table: Table) -> Recipe | None:
    """Show the widgets; None where a role is still to be chosen.

    TableError if what they say cannot be.
    """
    columns = list(table.frame.columns)
    roles = _roles(table, columns)
    left, right = st.columns(2)
    with left:
        leave_out = st.multiselect(
            words.LEAVE_OUT, columns, key=keys.role("leave_out"),
            help=words.LEAVE_OUT_HELP, placeholder=words.LEAVE_OUT_NONE,
        )  # fmt: skip
    with right:
        features = st.multiselect(
            words.FEATURES, columns, key=keys.role("features"),
            help=words.FEATURES_HELP, placeholder=words.FEATURES_ALL,
        )  # fmt: skip
    roles |= {"leave_out": tuple(leave_out), "features": tuple(features) or None}
    roles |= _kind(table, roles)
    roles |= _values()
    if roles["problem"] in SCALED:
        roles["target_scaling"] = _target_scaling()
    roles |= _dates(table, roles)
    roles |= _split() | _whole(table, roles) | _weight(table, roles)
    return None if _lacking(roles) else Recipe(**roles)


def _lacking(roles: dict[str, Any]) -> tuple[str, ...]:
    """The roles that no column has yet."""
    if roles["layout"] == "wide":
        return () if roles["targets"] else ("targets",)
    task = ("task",) if roles["layout"] == "long" and roles["task"] is None else ()
    return task if roles["targets"] else (*task, "target")


def _roles(table: Table, columns: list[str]) -> dict[str, Any]:
    layout = st.segmented_control(
        words.LAYOUT, list(words.LAYOUTS), key=keys.role("layout"), required=True,
        format_func=words.LAYOUTS.__getitem__, help=words.LAYOUT_HELP,
    )  # fmt: skip
    left, right = st.columns(2)
    if layout == "wide":
        with left:
            targets = st.multiselect(words.TARGETS, columns, key=keys.role("targets"))
        roles = {"layout": layout, "task": None, "targets": tuple(targets)}
    else:
        guess = suggestion(table)
        task = None
        if layout == "long":
            with left:
                task = _role(table, "task", words.TASK, guess.tasks)
        with right if layout == "long" else left:
            target = _role(table, "target", words.TARGET, guess.targets)
        targets = [] if target is None else [target]
        roles = {"layout": layout, "task": task, "targets": tuple(targets)}
    lacking = _lacking(roles)
    if lacking:
        st.html(f'<p role="status"><b>{escape(words.ASK[lacking])}</b></p>')
    return roles


def _role(table: Table, role: str, label: str, likely: Sequence[str]) -> str | None:
    """The columns, likely ones first; the best as buttons while none is chosen."""
    first = dict.fromkeys([*likely, *table.frame.columns])
    chosen = st.selectbox(
        label, list(first), index=None, key=keys.role(role), placeholder=words.CHOOSE,
        on_change=_kind_of_target if role == "target" else None, args=(table,),
    )  # fmt: skip
    if chosen is None and likely:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(words.PERHAPS, width="content")
            for number, name in enumerate(likely[:PERHAPS]):
                st.button(
                    plain(name[:40]), key=f"{role}_perhaps_{number}",
                    on_click=_choose, args=(table, role, name),
                )  # fmt: skip
    return chosen


def _choose(table: Table, role: str, name: str) -> None:
    st.session_state[keys.role(role)] = name
    if role == "target":
        _kind_of_target(table)


def _kind_of_target(table: Table) -> None:
    """Two values, or words, are classes."""
    target = st.session_state.get(keys.role("target"))
    if target is not None:
        st.session_state[keys.role("problem")] = problem_of(table, target)


def choose_problem(problem: str) -> None:
    """Choose the kind of target, as a button beside a remark does."""
    st.session_state[keys.role("problem")] = problem


def leave_out(names: Sequence[str]) -> None:
    """Leave columns out of the variables, as a button beside a warning does."""
    key, only = keys.role("leave_out"), keys.role("features")
    st.session_state[key] = list(dict.fromkeys([*st.session_state[key], *names]))
    st.session_state[only] = [n for n in st.session_state[only] if n not in names]


def fill_gaps() -> None:
    """Keep rows with gaps."""
    st.session_state[keys.role("missing")] = "median"


def _kind(table: Table, roles: dict[str, Any]) -> dict[str, Any]:
    """Regression or classes, and which label is +1."""
    if roles["layout"] == "classes":
        return {"problem": "classification"}
    left, right = st.columns(2)
    with left:
        problem = st.segmented_control(
            words.PROBLEM, list(words.PROBLEMS), key=keys.role("problem"),
            required=True, format_func=words.PROBLEMS.__getitem__,
            help=words.PROBLEM_HELP,
        )  # fmt: skip
    if problem == "robust":
        with right:
            return {"problem": problem, "threshold": _threshold()}
    if problem != "classification" or not roles["targets"]:
        return {"problem": problem}
    labels = sorted(as_text(table.frame[roles["targets"][0]]).dropna().unique())[:200]
    with right:
        positive = st.selectbox(
            words.POSITIVE, labels, index=max(len(labels) - 1, 0),
            key=keys.role("positive"),
        )  # fmt: skip
    return {"problem": problem, "positive": positive}


def _threshold() -> float | None:
    """From which error on a row counts as an outlier; None for the usual one."""
    found = st.number_input(
        words.THRESHOLD, 0.05, 100.0, HUBER_DELTA, 0.1, key=keys.role("threshold"),
        format="%.3f", help=words.THRESHOLD_HELP,
    )  # fmt: skip
    return None if found == HUBER_DELTA else float(found)


def _values() -> dict[str, Any]:
    left, middle, right = st.columns(3)
    with left:
        missing = st.selectbox(
            words.MISSING, list(words.MISSING_LABELS), key=keys.role("missing"),
            format_func=words.MISSING_LABELS.__getitem__,
        )  # fmt: skip
    with middle:
        scaling = st.selectbox(
            words.SCALING, list(words.SCALING_LABELS), key=keys.role("scaling"),
            format_func=words.SCALING_LABELS.__getitem__, help=words.SCALING_HELP,
        )  # fmt: skip
    with right:
        categories = st.selectbox(
            words.CATEGORIES, ["one-hot", "leave out"], key=keys.role("categories")
        )
    return {"missing": missing, "scaling": scaling, "categories": categories}


def _target_scaling() -> str:
    # Streamlit forgets it while another kind of target hides it.
    st.session_state.setdefault(keys.role("target_scaling"), True)
    scaled = st.checkbox(
        words.TARGET_SCALING, key=keys.role("target_scaling"),
        help=words.TARGET_SCALING_HELP,
    )  # fmt: skip
    return "spread" if scaled else "none"


def _dates(table: Table, roles: dict[str, Any]) -> dict[str, Any]:
    """What dates become, where the table has any that could be variables."""
    taken = {roles["task"], *roles["targets"], *roles["leave_out"]}
    if not any(k.kind == "date" and n not in taken for n, k in table.kinds.items()):
        return {}
    parts = st.multiselect(
        words.DATES, list(words.DATE_PARTS), key=keys.role("dates"),
        format_func=words.DATE_PARTS.__getitem__, placeholder=words.DATES_NONE,
    )  # fmt: skip
    return {"dates": tuple(parts)}


def _whole(table: Table, roles: dict[str, Any]) -> dict[str, Any]:
    """Whether rows are split at random, by groups or by time, and by which column."""
    left, right = st.columns(2)
    with left:
        way = st.selectbox(
            words.SPLIT, list(words.SPLIT_LABELS), key=keys.role("split"),
            format_func=words.SPLIT_LABELS.__getitem__, help=words.SPLIT_HELP,
        )  # fmt: skip
    if way == "random":
        return {}
    taken = {roles["task"], *roles["targets"]}
    kinds = ("date", "number") if way == "order" else ()
    columns = [
        name for name, found in table.kinds.items()
        if name not in taken and (not kinds or found.kind in kinds)
    ]  # fmt: skip
    columns.sort(key=lambda name: way == "order" and table.kinds[name].kind != "date")
    with right:
        column = st.selectbox(words.SPLIT_COLUMN, columns, key=keys.role(f"by_{way}"))
    return {} if column is None else {way: column}


def _weight(table: Table, roles: dict[str, Any]) -> dict[str, Any]:
    """The column that says how much a row counts, where there are numbers for it."""
    taken = {roles["task"], *roles["targets"], *(roles["features"] or ())}
    columns = [
        name
        for name, found in table.kinds.items()
        if found.kind == "number" and name not in taken
    ]
    if not columns:
        return {}
    column = st.selectbox(
        words.WEIGHT, columns, index=None, key=keys.role("weight"),
        placeholder=words.WEIGHT_NONE, help=words.WEIGHT_HELP,
    )  # fmt: skip
    return {} if column is None else {"weight": column}


def _split() -> dict[str, Any]:
    left, middle, right = st.columns(3)
    with left:
        share = st.slider(words.TEST_SIZE, 5, 50, 25, 5, key=keys.role("test"))
    with middle:
        seed = st.number_input(words.SEED, 0, 9999, 0, 1, key=keys.role("seed"))
    with right:
        rows = st.number_input(words.MIN_ROWS, 2, 1000, 4, 1, key=keys.role("rows"))
    with st.container(horizontal=True):
        constant = st.checkbox(words.DROP_CONSTANT, True, key=keys.role("constant"))
        repeated = st.checkbox(words.DROP_DUPLICATES, False, key=keys.role("repeated"))
    return {
        "test_size": share / 100,
        "seed": int(seed),
        "min_rows": int(rows),
        "drop_constant": constant,
        "drop_duplicates": repeated,
    }
