"""The widgets that turn a table into a recipe."""

from typing import Any

import streamlit as st

from pages.data import words
from pages.shared.state import keys
from vstg.tables import Recipe, Table, TableError, suggest_recipe
from vstg.tables.kinds import as_text


def start_with(table: Table, recipe: Recipe | None = None) -> None:
    """Set the widgets to a first guess when another table comes.

    Also when they were not shown for a while, as after a file that was refused:
    Streamlit has then forgotten what they said.
    """
    known = st.session_state.get(keys.DATA_MAPPED) == table.digest
    if known and keys.role("layout") in st.session_state:
        return
    for key in [
        key for key in st.session_state if str(key).startswith(keys.DATA_ROLES)
    ]:
        del st.session_state[key]
    try:
        guess = recipe or suggest_recipe(table)
    except TableError:
        guess = Recipe()
    columns = list(table.frame.columns)
    values = {
        "layout": guess.layout,
        "task": guess.task if guess.task in columns else columns[0],
        "target": guess.targets[0] if guess.targets else columns[-1],
        "targets": [name for name in guess.targets if name in columns],
        "features": list(guess.features or ()),
        "problem": guess.problem,
        "missing": guess.missing,
        "scaling": guess.scaling,
        "target_scaling": guess.target_scaling == "spread",
    }
    for key, value in values.items():
        st.session_state[keys.role(key)] = value
    st.session_state[keys.DATA_MAPPED] = table.digest


def recipe_controls(table: Table) -> Recipe:
    """Show the widgets; TableError if what they say cannot be."""
    columns = list(table.frame.columns)
    roles = _roles(columns)
    roles["features"] = tuple(
        st.multiselect(
            words.FEATURES, columns, key=keys.role("features"),
            help=words.FEATURES_HELP, placeholder=words.FEATURES_ALL,
        )
    ) or None  # fmt: skip
    roles |= _kind(table, roles)
    roles |= _values()
    if roles["problem"] == "regression":
        roles["target_scaling"] = _target_scaling()
    roles |= _split()
    return Recipe(**roles)


def _roles(columns: list[str]) -> dict[str, Any]:
    layout = st.segmented_control(
        words.LAYOUT, list(words.LAYOUTS), key=keys.role("layout"), required=True,
        format_func=words.LAYOUTS.__getitem__, help=words.LAYOUT_HELP,
    )  # fmt: skip
    left, right = st.columns(2)
    if layout == "wide":
        with left:
            targets = st.multiselect(words.TARGETS, columns, key=keys.role("targets"))
        return {"layout": layout, "task": None, "targets": tuple(targets)}
    with right if layout == "long" else left:
        target = st.selectbox(words.TARGET, columns, key=keys.role("target"))
    task = None
    if layout == "long":
        with left:
            task = st.selectbox(words.TASK, columns, key=keys.role("task"))
    return {"layout": layout, "task": task, "targets": (target,)}


def _kind(table: Table, roles: dict[str, Any]) -> dict[str, Any]:
    """Regression or classes, and which label is +1."""
    if roles["layout"] == "classes":
        return {"problem": "classification"}
    left, right = st.columns(2)
    with left:
        problem = st.segmented_control(
            words.PROBLEM, ["regression", "classification"], key=keys.role("problem"),
            required=True,
        )  # fmt: skip
    if problem == "regression" or not roles["targets"]:
        return {"problem": problem}
    labels = sorted(as_text(table.frame[roles["targets"][0]]).dropna().unique())[:200]
    with right:
        positive = st.selectbox(
            words.POSITIVE, labels, index=max(len(labels) - 1, 0),
            key=keys.role("positive"),
        )  # fmt: skip
    return {"problem": problem, "positive": positive}


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
    scaled = st.checkbox(
        words.TARGET_SCALING, key=keys.role("target_scaling"),
        help=words.TARGET_SCALING_HELP,
    )  # fmt: skip
    return "spread" if scaled else "none"


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
