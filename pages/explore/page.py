"""The landing page: controls in the sidebar, the fit in the middle, details below."""

from collections.abc import Callable
from dataclasses import replace
from html import escape

import streamlit as st

from pages.explore import discovery, words
from pages.explore.export import share
from pages.explore.picture import frames, window, zoom
from pages.explore.picture.curves import Curves
from pages.explore.picture.focus import choose_cell, focus_cell, formula_html
from pages.explore.picture.stage import stage
from pages.explore.results import details, meaning, model_quality
from pages.explore.results.findings import Findings, find
from pages.explore.results.headline import headline
from pages.shared import words as common
from pages.shared.data.catalogue import names
from pages.shared.fits import (
    background,
    certainty,
    cost,
    discoveries,
    live,
    models,
)
from pages.shared.runs.opening import lost_on_the_way, where_from
from pages.shared.state import keys
from pages.shared.state.choices import Choices, choices
from pages.shared.state.links import check_link
from pages.shared.state.parameters import TAB_KEYS
from pages.shared.ui import controls
from pages.shared.ui.markdown import plain
from vstg.data import Dataset
from vstg.prediction import Predictor
from vstg.solvers.result import VSTGResult


def link_notes() -> list[str]:
    """What was wrong with the link that opened this page; worked out once a visit."""
    if keys.EXPLORE_NOTES not in st.session_state:
        bad = check_link(st.query_params.to_dict())
        st.session_state[keys.EXPLORE_NOTES] = [
            words.BAD_LINK.format(key=b.key, value=plain(b.value[:80]), used=b.used)
            for b in bad
            if b.key != keys.DATA or b.value not in names()
        ]
    return st.session_state[keys.EXPLORE_NOTES]


def title() -> None:
    """Name and purpose in one line."""
    tagline = words.TAGLINE.replace("**W = U·V**", "<b>W = U·V</b>")
    st.html(
        f'<div class="vstg-title"><h1>{escape(common.EXPLORE)}</h1>'
        f"<p>{tagline}</p></div>"
    )


def found_once(result: VSTGResult, data: Dataset, threshold: float) -> Findings:
    """The findings, worked out anew only when the fit or the threshold is another."""
    last = st.session_state.get(keys.EXPLORE_FINDINGS)
    if last is None or last[:3] != (id(result), id(data), threshold):
        found = find(result, data, threshold)
        # Keeps fit and data alive, so that their numbers are not given to others.
        last = (id(result), id(data), threshold, found, result, data)
        st.session_state[keys.EXPLORE_FINDINGS] = last
    return last[3]


def show(chosen: Choices, result: VSTGResult, data: Dataset, model: Predictor) -> None:
    """Everything that needs a result.

    A widget takes its value from the link when it is made, so those that decide on
    the picture are made before it, wherever they stand.
    """
    head, toolbar, picture, below = (st.container() for _ in range(4))
    with toolbar:
        row = controls.view_controls(has_truth=data.truth is not None)
    with row:
        sure_button(chosen)
    found = found_once(result, data, float(controls.values()[keys.ZERO]))
    with toolbar:
        zoom.zoom_controls(found)
    found = replace(found, sure=certainty.known(chosen))
    with head:
        headline(result, data, found)
        model_quality.line(chosen.data, data, result)
        discovery.badge(discoveries.known(chosen))
    with below:
        place = choose_cell(found, window.see(found, zoom.current_view()))
    chosen = choices(controls.values())
    cell = focus_cell(found, chosen.view.variable, chosen.view.task)
    with picture:
        stage(found, chosen.view, cell, chosen.settings)
    with place:
        st.html(formula_html(found, cell))
    tabs(chosen, data, model, found)


def sure_button(chosen: Choices) -> None:
    """How sure the fit is, where that is not known yet and quickly found out."""
    if certainty.known(chosen) is None and certainty.is_quick(chosen):
        st.button(
            words.HOW_SURE, key="how_sure", type="tertiary",
            on_click=certainty.find_out, args=(chosen,), icon=":material/percent:",
            help=words.HOW_SURE_HELP.format(halves=certainty.N_HALVES // 2),
        )  # fmt: skip


def groups_tab(
    chosen: Choices, data: Dataset, result: VSTGResult, found: Findings
) -> None:
    """The groups in words, and as pictures and tables."""
    meaning.show(found, data, chosen.data)
    details.groups_tab(found, result, data, chosen.view)


def tasks_tab(
    chosen: Choices, data: Dataset, result: VSTGResult, found: Findings
) -> None:
    """The tasks, and plain models beside the fit."""
    details.tasks_tab(found, data)
    model_quality.tables(chosen.data, data, result)


def tabs(chosen: Choices, data: Dataset, model: Predictor, found: Findings) -> None:
    """The open tab; the others wait until they are opened."""
    result = model.result
    assert isinstance(result, VSTGResult)
    pages = {
        "groups": lambda: groups_tab(chosen, data, result, found),
        "variables": lambda: details.variables_tab(found),
        "convergence": lambda: details.convergence_tab(result),
        "tasks": lambda: tasks_tab(chosen, data, result, found),
        "share": lambda: share.share_tab(chosen, controls.values(), found, data, model),
    }
    labels = [words.TABS[key] for key in TAB_KEYS]
    opened = st.tabs(labels, key=keys.TAB, on_change="rerun", bind="query-params")
    for key, tab in zip(TAB_KEYS, opened, strict=True):
        if tab.open:
            with tab:
                pages[key]()


def last_findings(chosen: Choices) -> Findings | None:
    """What the page showed last, if it was of the same data."""
    last = st.session_state.get(keys.EXPLORE_FINDINGS)
    if last is None or last[3].estimate.shape != chosen.data.shape:
        return None
    return last[3] if live.load(chosen.data) is last[5] else None


def offer(chosen: Choices) -> None:
    """A fit on request; meanwhile the last picture stays, dimmed."""
    found = last_findings(chosen)
    background.offer(chosen, above_picture=found is not None)
    if found is not None:
        st.caption(words.LAST_PICTURE)
        with st.container(key="last_picture"):
            cell = focus_cell(found, chosen.view.variable, chosen.view.task)
            stage(found, chosen.view, cell, chosen.settings)


def fit_or_show_error(chosen: Choices) -> VSTGResult | None:
    """The fit, or a sentence in its place: the controls stay in reach."""
    try:
        return live.fit(chosen)
    except live.TooLongError:
        background.start(chosen)
        offer(chosen)
        return None
    except (ValueError, ArithmeticError) as error:
        with st.container(border=True, height=background.HEIGHT, key="failed"):
            st.error(common.FIT_FAILED.format(error=plain(error)))
        return None


def explore() -> Callable[[], None]:
    """Guard, inputs, call, show; what is returned is to be done last."""
    notes = link_notes()
    discovery.take_over()
    below = Curves()
    with st.sidebar:
        controls.data_controls()
        controls.model_heading()
        above = st.container()
        controls.model_controls(below.keep_place)
    chosen = choices(controls.values())
    below.begin(chosen)
    with above:
        discovery.find_button(chosen)
    with st.container(key="explore"):
        title()
        controls.preset_row()
        told = where_from(chosen.data), lost_on_the_way(controls.values())
        for note in (*notes, *told):
            if note:
                st.warning(note)
        result, job = live.remembered(chosen), background.current(chosen)
        is_live = job is None and cost.is_live(chosen)
        if result is None and not is_live:
            offer(chosen)
        else:
            result = result or fit_or_show_error(chosen)
        if result is not None:
            data = live.load(chosen.data)
            model = models.remember(chosen.data, controls.values(), result, data)
            show(chosen, result, data, model)
            frames.send_ahead(chosen)
    return lambda: below.finish(chosen)
