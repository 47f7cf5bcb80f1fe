"""The picture in the middle of the page and what stands around it."""

import streamlit as st

from pages.shared import texts
from pages.shared.choices import ViewChoice
from pages.shared.findings import Findings
from pages.shared.focus import remember_click
from pages.shared.panel import panel
from vstg.plots import SchemeData, scheme_figure

HEIGHT = 530
CONFIG = {"displayModeBar": False, "responsive": True, "doubleClick": False}


def scheme_data(
    found: Findings, view: ViewChoice, cell: tuple[str, str] | None
) -> SchemeData:
    """Put the findings into the order that the view asks for."""
    n_variables, n_tasks = found.estimate.W.shape
    tasks = found.task_order if view.by_group else range(n_tasks)
    variables = found.variable_order if view.by_size else range(n_variables)
    tasks, variables = list(tasks), list(variables)
    truth = found.truth if view.truth else None
    return SchemeData(
        estimate=found.estimate.ordered(variables, tasks),
        truth=None if truth is None else truth.ordered(variables, tasks),
        group_of_task=found.group_of_task[tasks].tolist(),
        importance=found.importance.row_max[variables].tolist(),
        status=[found.status[i] for i in variables],
        view=view.view,
        focus=cell,
    )


def alt_text(found: Findings, view: ViewChoice) -> str:
    """The picture in words."""
    with_truth = view.truth and found.truth is not None
    return texts.SCHEME_ALT.format(
        truth=texts.SCHEME_ALT_TRUTH if with_truth else "",
        kept=found.n_selected,
        total=len(found.status),
        groups=len(found.proper_groups),
    )


def stage(found: Findings, view: ViewChoice, cell: tuple[str, str]) -> None:
    """Matrices on the left, groups and variables on the right."""
    left, right = st.columns([3.5, 1], gap="medium")
    with left:
        st.plotly_chart(
            scheme_figure(scheme_data(found, view, cell), height=HEIGHT),
            key="scheme",
            on_select=remember_click,
            selection_mode="points",
            config=CONFIG,
            alt=alt_text(found, view),
        )
    with right:
        panel(found, HEIGHT)
