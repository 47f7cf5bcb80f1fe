"""The tabs below the picture; only the open one is worked out."""

import numpy as np
import streamlit as st

from pages.shared import tables, texts
from pages.shared.findings import Findings
from pages.shared.sources import Loaded
from vstg.plots import (
    basis_names,
    convergence_figure,
    gap_figure,
    history_frame,
    importance_figure,
    membership_frame,
    membership_html,
    overlap_frame,
    overlap_html,
    residual_figure,
    restart_figure,
    task_error_figure,
)
from vstg.solvers.result import VSTGResult

CONFIG = {"displaylogo": False, "responsive": True}
QUIET = {"displayModeBar": False, "responsive": True}


def download(frame, name: str, key: str, label: str = texts.DOWNLOAD_TABLE) -> None:
    """A button that hands out a table; nothing is written before it is pressed."""
    st.download_button(
        label, lambda: tables.to_csv(frame), f"{name}.csv", "text/csv",
        key=key, on_click="ignore", icon=":material/download:",
    )  # fmt: skip


def groups_tab(found: Findings, data: Loaded) -> None:
    """Groups as a table, as a picture of membership, and by what they share."""
    bases, names = basis_names(len(found.present)), data.train.task_names
    estimated = (found.groups, texts.MEMBERSHIP, texts.OVERLAPS)
    true = (found.true_groups, texts.TRUE_MEMBERSHIP, texts.TRUE_OVERLAPS)
    st.caption(texts.MEMBERSHIP_NOTE)
    if found.agreement is not None:
        st.caption(
            texts.AGREEMENT_NOTE.format(
                groups=f"{found.agreement.groups:.2f}",
                overlaps=f"{found.agreement.overlaps:.2f}",
            )
        )
    left, right = st.columns([3, 2], gap="large")
    for groups, members, shared in (estimated, true):
        if groups is None:
            continue
        proper = [group for group in groups if not group.empty]
        with left:
            st.markdown(f"**{members}**")
            membership = membership_frame(groups, names, bases)
            st.html(membership_html(membership, texts.MEMBERSHIP_ALT))
        with right:
            st.markdown(f"**{shared}**")
            st.html(overlap_html(overlap_frame(proper), texts.OVERLAPS_ALT))
    table = tables.groups_table(found)
    st.dataframe(table, column_config=texts.GROUP_COLUMNS, key="groups_table")
    download(table, "groups", "groups_csv")


def variables_tab(found: Findings) -> None:
    """Importance, status, use."""
    table = tables.variables_table(found)
    st.plotly_chart(
        importance_figure(table),
        key="importance",
        config=QUIET,
        alt=texts.IMPORTANCE_ALT,
    )
    shown = table.assign(status=[texts.STATUS[s][1] for s in table["status"]])
    st.dataframe(shown, column_config=texts.VARIABLE_COLUMNS, key="variables_table")
    download(table, "variables", "variables_csv")


def convergence_tab(result: VSTGResult) -> None:
    """How the run went and why it stopped."""
    st.markdown(texts.STOP_REASONS[result.stop_reason])
    history = history_frame(result.history)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**{texts.TERMS_TITLE}**")
        st.plotly_chart(
            convergence_figure(history), key="terms", config=CONFIG,
            alt=texts.CONVERGENCE_ALT,
        )  # fmt: skip
    with right:
        st.markdown(f"**{texts.GAP_TITLE}**")
        st.plotly_chart(
            gap_figure(history), key="gap", config=CONFIG, alt=texts.CONVERGENCE_ALT
        )
    if result.inner_history and len(result.inner_history["primal_residual"]):
        st.markdown(f"**{texts.RESIDUALS_TITLE}**")
        st.plotly_chart(
            residual_figure(result.inner_history), key="residuals", config=CONFIG,
            alt=texts.RESIDUALS_TITLE,
        )  # fmt: skip
    restarts(result)


def restarts(result: VSTGResult) -> None:
    """The spread over starts, or how to get one."""
    ends = result.restart_objectives
    if len(ends) < 2:
        st.caption(texts.ONE_START)
        return
    st.markdown(f"**{texts.RESTARTS_TITLE}**")
    st.caption(
        texts.SPREAD.format(
            count=len(ends), best=f"{min(ends):.7g}", worst=f"{max(ends):.7g}"
        )
    )
    st.plotly_chart(
        restart_figure(ends, height=260), key="restarts", config=QUIET,
        alt=texts.RESTARTS_TITLE,
    )  # fmt: skip


def tasks_tab(found: Findings, data: Loaded) -> None:
    """Errors and sizes of every task."""
    table = tables.tasks_table(found, data)
    drawn = table
    if data.truth is not None:
        drawn = table.assign(floor=np.full(len(table), data.truth.noise))
        st.caption(texts.NOISE_FLOOR_NOTE)
    st.plotly_chart(
        task_error_figure(drawn), key="task_errors", config=QUIET, alt=texts.TASKS_ALT
    )
    columns = {
        key: label.format(measure=found.errors.measure)
        for key, label in texts.TASK_COLUMNS.items()
    }
    st.dataframe(table, column_config=columns, key="tasks_table")
    download(table, "tasks", "tasks_csv")
