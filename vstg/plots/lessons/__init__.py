"""Figures of the lessons; their words come from the caller."""

from vstg.plots.lessons.algorithm import rescaling_figure, steps_figure
from vstg.plots.lessons.bound import bound_figure
from vstg.plots.lessons.choosing import choosing_figure
from vstg.plots.lessons.failures import failure_figure
from vstg.plots.lessons.norms import ball_figure, contact_figure, twins_figure
from vstg.plots.lessons.player import Told, enlarged, told, told_by
from vstg.plots.lessons.predicted import (
    arrival_figure,
    forms_figure,
    resampling_figure,
    two_jobs_figure,
)
from vstg.plots.lessons.prox import curve_figure, field_figure, field_payload
from vstg.plots.lessons.restarts import landscape_figure
from vstg.plots.lessons.sharing import sharing_figure
from vstg.plots.lessons.toy import toy_html

__all__ = [
    "Told",
    "arrival_figure",
    "ball_figure",
    "bound_figure",
    "choosing_figure",
    "contact_figure",
    "curve_figure",
    "enlarged",
    "failure_figure",
    "field_figure",
    "field_payload",
    "forms_figure",
    "landscape_figure",
    "resampling_figure",
    "rescaling_figure",
    "sharing_figure",
    "steps_figure",
    "told",
    "told_by",
    "toy_html",
    "twins_figure",
    "two_jobs_figure",
]
