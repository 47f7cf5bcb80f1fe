"""The picture in the middle of the page and what stands around it."""

from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from pages.explore import words
from pages.explore.panel import panel
from pages.explore.picture import window
from pages.explore.picture.focus import position
from pages.explore.results.findings import Findings
from pages.shared.state import exact, keys
from pages.shared.state.choices import ViewChoice
from pages.shared.state.parameters import Interval
from vstg.data import Index
from vstg.model_selection.curves import CURVE_PARAMETERS
from vstg.objective import Settings
from vstg.plots import SchemeData, scheme_payload

FOLDER = Path(__file__).with_name("scheme")
SCRIPTS = ("scheme.js", "names.js", "scrub.js", "reader.js")  # one module
FIELDS = {exact.CONTROLS[field].key: field for field in CURVE_PARAMETERS}

# Streamlit sends the script of a component with every new picture. What draws is a part
# of its own, which never changes, so that it is sent once.
give_code = st.components.v2.component(
    "vstg_scheme_code",
    html="<span></span>",
    js="\n".join((FOLDER / name).read_text("utf-8") for name in SCRIPTS),
    isolate_styles=False,
)
draw_scheme = st.components.v2.component(
    "vstg_scheme",
    html='<div class="scheme"></div>',
    css=(FOLDER / "scheme.css").read_text("utf-8"),
    js=(FOLDER / "picture.js").read_text("utf-8"),
    isolate_styles=False,
)


def scheme_data(
    found: Findings, view: ViewChoice, cell: tuple[str, str] | None
) -> SchemeData:
    """Put the findings into the order that the view asks for, or a part of them."""
    seen = window.see(found, view)
    if seen is not None:
        return summary_data(found, view, cell, seen)
    n_variables, n_tasks = found.estimate.shape
    tasks = found.task_order if view.by_group else np.arange(n_tasks)
    variables = found.variable_order if view.by_size else np.arange(n_variables)
    truth = found.truth if view.truth else None
    return SchemeData(
        estimate=found.estimate.ordered(variables, tasks),
        truth=None if truth is None else truth.ordered(variables, tasks),
        group_of_task=found.group_of_task[tasks].tolist(),
        importance=found.importance.row_max[variables].tolist(),
        status=[found.status[i] for i in variables],
        view=view.view,
        focus=cell,
        **sureness(found, variables),
    )


def sureness(found: Findings, variables: Index) -> dict[str, Any]:
    """How sure the variables shown and the groups are, where that is known."""
    if found.sure is None:
        return {}
    return {
        "sure_variables": found.sure.variables[variables].tolist(),
        "sure_groups": [found.sure.of_group(g.tasks) for g in found.proper_groups],
    }


def summary_data(
    found: Findings, view: ViewChoice, cell: tuple[str, str] | None, seen: window.Seen
) -> SchemeData:
    """The part of a large fit that is seen."""
    truth = found.truth if view.truth else None
    if cell is not None:
        cell = (cell[0], seen.column_of(position(found, cell)[1]) or "")
    return SchemeData(
        estimate=seen.part.of(found.estimate),
        truth=None if truth is None else seen.part.of(truth),
        group_of_task=[column.group for column in seen.columns],
        importance=found.importance.row_max[seen.variables].tolist(),
        status=[found.status[i] for i in seen.variables],
        view=view.view,
        focus=cell,
        sizes=[len(column.tasks) for column in seen.columns],
        **sureness(found, seen.variables),
    )


def alt_text(found: Findings, view: ViewChoice) -> str:
    """The picture in words."""
    with_truth = view.truth and found.truth is not None
    return words.SCHEME_ALT.format(
        truth=words.SCHEME_ALT_TRUTH if with_truth else "",
        kept=found.n_selected,
        total=len(found.status),
        groups=len(found.proper_groups),
    )


def chosen_cell(value: object) -> tuple[str, str] | None:
    """The (variable, task) that the picture reports; None for anything else."""
    match value:
        case [str(variable), str(task)]:
            return variable, task
    return None


def remember_cell() -> None:
    """Callback of the picture: the cell goes to the two lists, and so into the link.

    A column that stands for the tasks of a group opens that group.
    """
    cell = chosen_cell(st.session_state[keys.EXPLORE_PICTURE].get("cell"))
    if cell is None:
        return
    letter = st.session_state.get(keys.EXPLORE_LETTERS, {}).get(cell[1])
    if letter is None:
        st.session_state[keys.VARIABLE], st.session_state[keys.TASK] = cell
    elif letter:
        st.session_state[keys.VARIABLE], st.session_state[keys.GROUP] = cell[0], letter
        st.session_state[keys.TASK], st.session_state[keys.TASK_PAGE] = None, 1


def set_slider() -> None:
    """Callback of a curve that was let go; μ is then no longer tied to γ1."""
    match st.session_state[keys.EXPLORE_PICTURE].get("go"):
        case [str(key), int() | float() as position] if key in FIELDS:
            positions = slider_of(FIELDS[key]).positions()
            if position in positions:
                st.session_state[key] = positions[positions.index(position)]
                if key == keys.MU:
                    st.session_state[keys.TIE] = False


def slider_of(field: str) -> Interval:
    """The span of a setting's slider."""
    allowed = exact.CONTROLS[field].allowed
    assert isinstance(allowed, Interval)
    return allowed


def picture_data(
    found: Findings, view: ViewChoice, cell: tuple[str, str], settings: Settings
) -> dict[str, Any]:
    """What the browser draws, and the positions of the sliders it belongs to."""
    return {
        **scheme_payload(scheme_data(found, view, cell)),
        "alt": alt_text(found, view),
        "words": words.SCHEME_WORDS,
        "at": {
            key: round(slider_of(field).place(getattr(settings, field)), 6)
            for key, field in FIELDS.items()
        },
    }


def stage(
    found: Findings, view: ViewChoice, cell: tuple[str, str], settings: Settings
) -> None:
    """Matrices on the left, groups and variables on the right."""
    with st.container(key="stage"):
        left, right = st.columns([3.5, 1], gap="medium")
    seen = window.see(found, view)
    st.session_state[keys.EXPLORE_LETTERS] = {} if seen is None else seen.letters()
    with left:
        with st.container(key="picture_code"):
            give_code(key="scheme_code")
        draw_scheme(
            data=picture_data(found, view, cell, settings),
            key=keys.EXPLORE_PICTURE,
            on_cell_change=remember_cell,
            on_go_change=set_slider,
        )
        legend = f"{words.LEGENDS[view.view]} {words.CLICK}"
        if found.sure is not None:
            legend = f"{words.SURE_BARS.format(count=found.sure.n_halves)} {legend}"
        if seen is not None:
            legend = f"{window.in_words(found, view, seen)} {legend}"
        said = escape(alt_text(found, view))
        st.html(
            f'<p class="vstg-legend">{escape(legend)}</p>'
            f'<p class="vstg-unseen" role="status">{said}</p>'
        )
    with right:
        panel(found)
