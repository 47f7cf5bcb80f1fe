"""The report before the fit: findings, each with what can be done about it."""

from html import escape

import pandas as pd
import streamlit as st

from pages.data import mapping, words
from pages.shared import words as common
from pages.shared.ui.display import MAX_ROWS, say_cut
from vstg.notation import counted
from vstg.tables import Finding, Report

MAX_LINES, MAX_BUTTONS = 40, 12
INTERNAL = ["whole", "rows"]  # of the table of columns: for the checks alone
CAN_GO = {  # findings about columns that can be left out
    "rows", "leak", "duplicated", "collinear", "constant", "identifier", "missing",
    "same within tasks", "not numbers",
}  # fmt: skip
OTHER_KIND = {  # findings that another kind of target answers
    "counts": (words.USE_COUNTS, "counts"),
    "outlying targets": (words.USE_ROBUST, "robust"),
}


def show_report(found: Report) -> None:
    """Size, findings, tasks, columns, Python."""
    st.subheader(words.REPORT)
    if found.prepared is not None and found.prepared.test is not None:
        train, test = found.prepared.train, found.prepared.test
        size = words.SUMMARY.format(
            tasks=counted(train.n_tasks, "task"),
            variables=counted(train.n_features, "variable"),
            train=train.n_rows,
            test=test.n_rows,
        )
        st.html(f"<p>{size}</p>")
    show_findings(found)
    left, right = st.columns(2)
    with left.expander(words.TASKS_TABLE):
        show_rows(found.tasks, "report_tasks")
    with right.expander(words.COLUMNS_TABLE):
        show_rows(found.columns.drop(columns=INTERNAL), "report_columns")
    if found.prepared is not None:
        with st.expander(words.PYTHON):
            st.code(found.prepared.recipe.python(), language="python")


def show_findings(found: Report) -> None:
    """Findings that a click can fix get a button; the others are listed below."""
    roles = found.columns.set_index("column")["role"]
    variables = set(roles[roles == "variable"].index)
    lines, n_buttons = [], 0
    offered: set[str] = set()  # a second button for the same columns would puzzle
    for finding in found.findings[:MAX_LINES]:
        names = [name for name in finding.names if name in variables]
        can_go = finding.level != "error" and finding.code in CAN_GO and names
        useful = finding.code in OTHER_KIND or (
            can_go and not offered.issuperset(names)
        )
        if useful and n_buttons < MAX_BUTTONS:
            _with_button(finding, names, n_buttons)
            offered |= set(names)
            n_buttons += 1
        else:
            lines.append(f"<li>{_line(finding)}</li>")
    if lines:
        listed = "".join(lines)
        st.html(f'<ul class="vstg-findings" style="list-style:none">{listed}</ul>')


def _line(finding: Finding) -> str:
    """A sentence; what loses rows or gives the target away stands out."""
    text = f"{common.LEVELS[finding.level]} {escape(finding.words)}"
    loud = finding.level == "warning" and finding.code in ("rows", "leak", "tasks")
    return f'<b role="alert">{text}</b>' if loud else text


def _with_button(finding: Finding, names: list[str], number: int) -> None:
    """A sentence and the button that fixes it."""
    with st.container(
        horizontal=True, vertical_alignment="center", key=f"finding_{number}"
    ):
        st.html(_line(finding))
        if finding.code in OTHER_KIND:
            label, problem = OTHER_KIND[finding.code]
            st.button(
                label, key=f"kind_{number}", on_click=mapping.choose_problem,
                args=(problem,),
            )  # fmt: skip
            return
        if finding.code == "rows":
            st.button(words.FILL, key=f"fill_{number}", on_click=mapping.fill_gaps)
        one = len(names) == 1
        st.button(
            words.LEAVE_ONE if one else words.LEAVE_ALL.format(count=len(names)),
            key=f"leave_{number}", on_click=mapping.leave_out, args=(names,),
        )  # fmt: skip


def show_rows(table: pd.DataFrame, key: str) -> None:
    """The first rows of a table."""
    shown = table.head(MAX_ROWS)
    st.dataframe(shown, key=key, hide_index=True)
    say_cut(len(shown), len(table), common.FIRST_ROWS_ONLY)
