"""The landing page: controls in the sidebar, the fit in the middle, details below."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from html import escape
from time import sleep

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.explore import discovery, story, words
from pages.explore.export import share
from pages.explore.picture import frames, window, zoom
from pages.explore.picture.curves import Curves
from pages.explore.picture.focus import choose_cell, focus_cell, formula_html
from pages.explore.picture.stage import scheme_data, stage
from pages.explore.results import details, meaning, model_quality
from pages.explore.results.findings import Findings, find, has_names, shown_names
from pages.explore.results.headline import headline
from pages.shared import words as common
from pages.shared.data.catalogue import SharedTable, names
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
from pages.shared.state.choices import Choices, ViewChoice, choices
from pages.shared.state.links import check_link
from pages.shared.state.parameters import TAB_KEYS
from pages.shared.ui import controls
from pages.shared.ui.display import table_html
from pages.shared.ui.markdown import plain
from vstg.data import Dataset
from vstg.prediction import Predictor
from vstg.solvers.result import VSTGResult

# Seconds in which the picture goes out before the rest of the page is made. Streamlit
# sends every 10 ms, and hardly while a script computes.
PAUSE = 0.02


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


def found_once(result: VSTGResult, data: Dataset, view: ViewChoice) -> Findings:
    """The findings, worked out anew only when the fit or the view of it is another."""
    how = (view.zero, view.paper)
    last = st.session_state.get(keys.EXPLORE_FINDINGS)
    if last is None or last[:3] != (id(result), id(data), how):
        found = find(result, data, view.zero, paper=view.paper)
        # Keeps fit and data alive, so that their numbers are not given to others.
        last = (id(result), id(data), how, found, result, data)
        st.session_state[keys.EXPLORE_FINDINGS] = last
    return last[3]


@dataclass(frozen=True)
class Places:
    """The parts of the page from top to bottom; they are not filled in this order."""

    top: DeltaGenerator
    head: DeltaGenerator
    toolbar: DeltaGenerator
    picture: DeltaGenerator
    below: DeltaGenerator

    @classmethod
    def make(cls) -> "Places":
        """Make room for all of them."""
        return cls(*(st.container() for _ in fields(cls)))


def is_under_way() -> bool:
    """Whether the controls have values before they are drawn, as on a second run."""
    first_and_last = (keys.DATA, keys.GAMMA1, keys.VIEW, keys.VARIABLE)
    late = st.session_state.pop(keys.EXPLORE_LATE, False)
    return not late and all(key in st.session_state for key in first_and_last)


def picture_first(places: Places) -> Choices | None:
    """What a slider changes is drawn before the controls, of which there are many.

    Returns what was drawn. The address may still move the controls, as a step back
    does: then ``explore`` begins again, in the usual order.
    """
    chosen = choices(controls.values()) if is_under_way() else None
    if chosen is None or background.current(chosen) is not None:
        return None
    result = live.remembered(chosen)
    if result is None:
        if not cost.is_live(chosen):
            return None
        try:
            result = live.fit(chosen)
        except (live.TooLongError, ValueError, ArithmeticError):
            return None  # said where it can be
    draw(places, chosen, result, live.load(chosen.data))
    sleep(PAUSE)
    return chosen


def draw(
    places: Places, chosen: Choices, result: VSTGResult, data: Dataset
) -> Findings:
    """The numbers and the picture."""
    found = found_once(result, data, chosen.view)
    found = replace(found, sure=certainty.known(chosen))
    with places.picture:
        cell = focus_cell(found, chosen.view.variable, chosen.view.task)
        stage(found, chosen.view, cell, chosen.settings)
    with places.head:
        brief = isinstance(chosen.data, SharedTable)
        headline(result, data, found, brief=brief)
        if not brief:
            model_quality.line(chosen.data, data, result)
        discovery.badge(discoveries.known(chosen))
    return found


def show(
    places: Places,
    result: VSTGResult,
    data: Dataset,
    model: Predictor,
    drawn: Choices | None,
) -> None:
    """Everything that needs a result.

    A widget takes its value from the link when it is made, so those that decide on
    the picture are made before it, unless the picture is there already.
    """
    chosen = choices(controls.values())
    with places.toolbar:
        row = controls.view_controls(
            has_truth=data.truth is not None,
            on_names=rename if has_names(data) else None,
        )
    with row:
        sure_button(chosen)
    found = found_once(result, data, choices(controls.values()).view)
    with places.toolbar:
        zoom.zoom_controls(found)
    with places.below:
        formula = choose_cell(found, window.see(found, zoom.current_view()))
    chosen = choices(controls.values())
    if drawn is None:
        found = draw(places, chosen, result, data)
    elif drawn != chosen:
        st.session_state[keys.EXPLORE_LATE] = True
        st.rerun()
    found = replace(found, sure=certainty.known(chosen))
    with formula:
        cell = focus_cell(found, chosen.view.variable, chosen.view.task)
        st.html(formula_html(found, cell))
    with places.below:
        matrix_tables(found, chosen.view)
        tabs(chosen, data, model, found)


def matrix_tables(found: Findings, view: ViewChoice) -> None:
    """U, V and W as tables to walk through; written when they are opened."""
    opened = st.expander(words.AS_TABLES, key="as_tables", on_change="rerun")
    if opened.open:
        factors = scheme_data(found, view, None).estimate
        with opened:
            for name, caption in words.MATRIX_NAMES.items():
                st.markdown(f"**{caption}**")
                st.html(table_html(getattr(factors, name), caption))


def rename() -> None:
    """Callback of the switch: the chosen variable and task get their other names."""
    chosen = choices(controls.values())
    data = live.load(chosen.data)
    now = shown_names(data, paper=chosen.view.paper)
    before = shown_names(data, paper=not chosen.view.paper)
    for key, old, new in zip((keys.VARIABLE, keys.TASK), before, now, strict=True):
        if st.session_state.get(key) in old:
            st.session_state[key] = new[list(old).index(st.session_state[key])]


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
    with st.container(key="explore"):
        places = Places.make()
    drawn = picture_first(places)
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
    with places.top:
        title()
        story.begin_with(chosen.data)
        told = where_from(chosen.data), lost_on_the_way(controls.values())
        for note in (*notes, *told):
            if note:
                st.warning(note)
    result, job = live.remembered(chosen), background.current(chosen)
    is_live = job is None and cost.is_live(chosen)
    with places.below:
        if result is None and not is_live:
            offer(chosen)
        else:
            result = result or fit_or_show_error(chosen)
    if result is not None:
        data = live.load(chosen.data)
        model = models.remember(chosen.data, controls.values(), result, data)
        show(places, result, data, model, drawn)
        with places.below:
            frames.send_ahead(chosen)
    return lambda: below.finish(chosen)
