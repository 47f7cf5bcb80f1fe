"""The computations of the lessons, cached by their settings."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.shared.lessons.content import content
from vstg.lessons import algorithm, failures, norms, restarts
from vstg.lessons import arrival as arrivals
from vstg.lessons import bound as bounds
from vstg.lessons import choosing as choices
from vstg.lessons import fit_grid as grids
from vstg.lessons import forms as written
from vstg.lessons import resampling as halves
from vstg.lessons import sharing as shared
from vstg.lessons import two_jobs as jobs

CENTRE = (1.6, 0.5)  # minimum of the loss in lesson 3
TWIN_MU = 0.3


def remember(function: Callable[..., Any]) -> Callable[..., Any]:
    """Cache for all visitors: a result depends only on its settings."""
    return st.cache_resource(max_entries=64, show_spinner=content().page["working"])(
        function
    )


def syn(name: str) -> int:
    """1 for Syn1."""
    return int(name.removeprefix("Syn"))


@remember
def sharing(data: str, noise: float, seed: int) -> shared.Sharing:
    """Lesson 1."""
    return shared.sharing(syn(data), noise, seed)


@remember
def twins(k: int) -> norms.Twins:
    """Lesson 3."""
    return norms.twins(k, TWIN_MU)


@remember
def steps(seed: int) -> algorithm.Steps:
    """Lesson 5."""
    return algorithm.algorithm_steps(seed)


@remember
def rescaling(seed: int) -> algorithm.Rescaling:
    """Lesson 5, after the first whole iteration."""
    found = steps(seed)
    first = [f for f in found.frames if f.iteration == 1][-1]
    return algorithm.rescaling(first, seed)


@remember
def landscape(data: str, n: int, starts: int) -> restarts.Landscape:
    """Lesson 6."""
    return restarts.landscape(syn(data), n, 0.5, starts, 0)


@remember
def choosing(parameter: str, data: str, n: int) -> choices.Choosing:
    """Lesson 7."""
    return choices.choosing(parameter, syn(data), n, 0)


@remember
def measure(setting: bounds.Setting) -> bounds.MeasuredBound:
    """Lesson 8."""
    return bounds.measure(setting)


@remember
def bound_curve(setting: bounds.Setting, axis: str) -> bounds.BoundCurve:
    """Lesson 8."""
    return bounds.bound_curve(setting, axis)


@remember
def failure(case: str, seed: int) -> failures.Case:
    """Lesson 9."""
    return failures.failure(case, seed)


@remember
def forms() -> dict[str, written.WrittenForm]:
    """Lesson 10."""
    return written.forms(2, 0)


@remember
def two_jobs(data: str, n: int) -> jobs.TwoJobs:
    """Lesson 11."""
    return jobs.two_jobs(syn(data), n, 0)


@remember
def resampling(n: int, seed: int) -> halves.Resampling:
    """Lesson 12."""
    return halves.resampling(1, n, seed)


@remember
def arrival(data: str, seed: int) -> arrivals.Arrival:
    """Lesson 13."""
    return arrivals.arrival(syn(data), seed)


@remember
def grid() -> grids.FitGrid:
    """The fits of the small Explore."""
    return grids.fit_grid()
