"""Figures: pure functions from named frames to plotly figures."""

from vstg.plots.diagnostics import (
    convergence_figure,
    gap_figure,
    history_frame,
    importance_figure,
    residual_figure,
    restart_figure,
    task_error_figure,
)
from vstg.plots.grouping import (
    group_membership_frame,
    largest_groups,
    membership_frame,
    membership_html,
    overlap_frame,
    overlap_html,
)
from vstg.plots.matrices.encoding import data_uri, matrix_png, scheme_payload
from vstg.plots.matrices.factors import (
    VIEWS,
    FactorFrames,
    View,
    basis_names,
    factor_frames,
)
from vstg.plots.matrices.scheme import SchemeData, scheme_figure
from vstg.plots.palette import group_colour, group_letter

__all__ = [
    "VIEWS",
    "FactorFrames",
    "SchemeData",
    "View",
    "basis_names",
    "convergence_figure",
    "data_uri",
    "factor_frames",
    "gap_figure",
    "group_colour",
    "group_letter",
    "group_membership_frame",
    "history_frame",
    "importance_figure",
    "largest_groups",
    "matrix_png",
    "membership_frame",
    "membership_html",
    "overlap_frame",
    "overlap_html",
    "residual_figure",
    "restart_figure",
    "scheme_figure",
    "scheme_payload",
    "task_error_figure",
]
