"""The tabs below the picture; only the open one is worked out."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from pages.explore import words
from pages.explore.picture.other_factors import other_factors
from pages.explore.results import tables
from pages.explore.results.findings import Findings
from pages.shared.state.choices import ViewChoice
from pages.shared.ui.display import (
    CONFIG,
    MAX_ROWS,
    QUIET,
    aligned,
    say_cut,
    table_html,
)
from pages.shared.ui.downloads import download
from vstg.data import Dataset
from vstg.inspection import TaskGroup
from vstg.plots import (
    basis_names,
    convergence_figure,
    gap_figure,
    group_membership_frame,
    history_frame,
    importance_figure,
    largest_groups,
    membership_frame,
    membership_html,
    overlap_frame,
    overlap_html,
    residual_figure,
    restart_figure,
    task_error_figure,
)
from vstg.plots.diagnostics import MAX_BARS
from vstg.solvers.result import VSTGResult

MAX_LISTED = 100  # groups in a table, and names in one of its cells
MAX_USERS = 12  # groups that a variable is used by
MAX_MEMBERS, MAX_GROUPS, MAX_SQUARE = 200, 100, 30  # columns of pictures of groups


def groups_tab(
    found: Findings, result: VSTGResult, data: Dataset, view: ViewChoice
) -> None:
    """Groups as a table, as a picture of membership, and by what they share."""
    names, bases = list(found.estimate.V.columns), basis_names(len(found.present))
    # Padded to the bases of the fit, which the truth does not have.
    n_true = 0 if data.truth is None else len(data.truth.V)
    estimated = (found.groups, bases, words.MEMBERSHIP, words.OVERLAPS)
    true = (
        found.true_groups, bases[:n_true], words.TRUE_MEMBERSHIP, words.TRUE_OVERLAPS,
    )  # fmt: skip
    st.caption(words.MEMBERSHIP_NOTE)
    if found.agreement is not None:
        st.caption(
            words.AGREEMENT_NOTE.format(
                groups=f"{found.agreement.groups:.2f}",
                overlaps=f"{found.agreement.overlaps:.2f}",
            )
        )
    other_factors(found, result, data, view)
    left, right = st.columns([3, 2], gap="large")
    for groups, rows, members, shared in (estimated, true):
        if groups is None:
            continue
        proper = [group for group in groups if not group.empty]
        with left:
            st.markdown(f"**{members}**")
            show_members(groups, names, rows)
        with right:
            st.markdown(f"**{shared}**")
            show_overlaps(proper)
    table = tables.groups_table(found, MAX_LISTED)
    if found.sure is not None:
        table = table.assign(cohesion=[f"{share:.0%}" for share in table["cohesion"]])
    st.html(table_html(table, words.TABS["groups"], words.GROUP_COLUMNS))
    say_cut(len(table), len(found.groups))
    download(lambda: tables.groups_table(found), "groups", "groups_csv")


def show_members(
    groups: Sequence[TaskGroup], names: Sequence[str], bases: Sequence[str]
) -> None:
    """A column a task; where there are too many, a column a group."""
    if len(names) <= MAX_MEMBERS:
        membership = membership_frame(groups, names, bases)
        st.html(membership_html(membership, words.MEMBERSHIP_ALT))
        return
    shown = largest_groups(groups, MAX_GROUPS)
    text = words.ONE_A_GROUP if len(shown) == len(groups) else words.LARGEST_GROUPS
    st.caption(text.format(shown=len(shown), total=len(groups)))
    membership = group_membership_frame(shown, bases)
    st.html(membership_html(membership, words.MEMBERSHIP_ALT))


def show_overlaps(groups: Sequence[TaskGroup]) -> None:
    """A square of the largest groups, or that there is none."""
    if not groups:
        st.caption(words.NO_OVERLAPS)
        return
    overlaps = overlap_frame(largest_groups(groups, MAX_SQUARE))
    st.html(overlap_html(overlaps, words.OVERLAPS_ALT))
    if len(groups) > MAX_SQUARE:
        st.caption(words.LARGEST_SQUARE.format(shown=MAX_SQUARE, total=len(groups)))


def variables_tab(found: Findings) -> None:
    """Importance, status, use."""
    total = len(found.status)
    table = tables.variables_table(found, MAX_ROWS, MAX_USERS)
    say_cut(min(MAX_BARS, total), total, words.FIRST_BARS)
    st.plotly_chart(
        importance_figure(table),
        key="importance",
        config=QUIET,
        alt=words.IMPORTANCE_ALT,
    )
    shown = table.assign(status=[words.STATUS[s][1] for s in table["status"]])
    columns = aligned(words.VARIABLE_COLUMNS, "max", "l1")
    st.dataframe(shown, column_config=columns, key="variables_table")
    say_cut(len(table), total)
    download(lambda: tables.variables_table(found), "variables", "variables_csv")


def convergence_tab(result: VSTGResult) -> None:
    """How the run went and why it stopped."""
    st.markdown(words.STOP_REASONS[result.stop_reason])
    if result.form:
        st.caption(words.SOLVED_ON.format(form=result.form))
    if result.refit_history:
        rounds = len(result.refit_history["loss"]) - 1
        st.caption(words.REFITTED.format(rounds=rounds))
    history = history_frame(result.history)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**{words.TERMS_TITLE}**")
        st.plotly_chart(
            convergence_figure(history), key="terms", config=CONFIG,
            alt=words.CONVERGENCE_ALT,
        )  # fmt: skip
    with right:
        st.markdown(f"**{words.GAP_TITLE}**")
        st.plotly_chart(
            gap_figure(history), key="gap", config=CONFIG, alt=words.CONVERGENCE_ALT
        )
    if result.inner_history and len(result.inner_history["primal_residual"]):
        st.markdown(f"**{words.RESIDUALS_TITLE}**")
        st.plotly_chart(
            residual_figure(result.inner_history), key="residuals", config=CONFIG,
            alt=words.RESIDUALS_TITLE,
        )  # fmt: skip
    restarts(result)


def restarts(result: VSTGResult) -> None:
    """The spread over starts, or how to get one."""
    ends = result.restart_objectives
    if len(ends) < 2:
        st.caption(words.ONE_START)
        return
    st.markdown(f"**{words.RESTARTS_TITLE}**")
    st.caption(
        words.SPREAD.format(
            count=len(ends), best=f"{min(ends):.7g}", worst=f"{max(ends):.7g}"
        )
    )
    st.plotly_chart(
        restart_figure(ends, height=260), key="restarts", config=QUIET,
        alt=words.RESTARTS_TITLE,
    )  # fmt: skip


def tasks_tab(found: Findings, data: Dataset) -> None:
    """Errors and sizes of every task."""
    table = tables.tasks_table(found, data)
    drawn = table
    if data.truth is not None:
        drawn = table.assign(floor=np.full(len(table), data.truth.noise))
        st.caption(words.NOISE_FLOOR_NOTE)
    say_cut(min(MAX_BARS, len(table)), len(table), words.FIRST_BARS)
    st.plotly_chart(
        task_error_figure(drawn, found.errors.measure), key="task_errors",
        config=QUIET, alt=words.TASKS_ALT,
    )  # fmt: skip
    columns = {
        key: label.format(measure=found.errors.measure)
        for key, label in words.TASK_COLUMNS.items()
    }
    columns = aligned(columns, "train", "test")
    st.dataframe(table.head(MAX_ROWS), column_config=columns, key="tasks_table")
    say_cut(min(MAX_ROWS, len(table)), len(table))
    download(table, "tasks", "tasks_csv")
