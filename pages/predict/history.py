"""Models of runs in History, and how good they are."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.predict import words
from pages.shared.fits import live, yardsticks
from pages.shared.fits.models import (
    CHOICES,
    fit_again,
    has_model,
    settings_of,
    stored_model,
    test_scores,
)
from pages.shared.runs import visits
from pages.shared.runs.manager import open_store
from pages.shared.runs.opening import data_controls_of, where_from
from pages.shared.state import keys
from pages.shared.state.choices import data_choice
from pages.shared.state.links import number_in
from pages.shared.ui.markdown import plain
from vstg.data import MultiTaskData
from vstg.jobs import Run, Store
from vstg.jobs.kinds.discovery import read_found
from vstg.losses import get_loss
from vstg.model_selection.held_out_scores import FOLDS, cross_scores
from vstg.model_selection.yardsticks import are_quick, compare_held_out
from vstg.notation import setting_text
from vstg.prediction import Predictor
from vstg.prediction.intervals import ConformalScores
from vstg.problem import Problem


def model_in_history() -> Predictor | None:
    """What a search found or what was pinned, fitted on the data of the run."""
    store = open_store()
    runs = {run.id: run for run in visits.visible_runs(store) if has_model(run)}
    if not runs:
        st.info(words.NO_RUN)
        with st.container(horizontal=True):
            st.page_link("app.py", label=words.FIT_ONE, icon=":material/tune:")
            st.page_link(
                "pages/3_Tune.py", label=words.SEARCH_ONE, icon=":material/search:"
            )
        return None
    asked = number_in(st.query_params.get("run"))
    if asked in runs:
        st.session_state.setdefault(keys.PREDICT_RUN, asked)
    if st.session_state.get(keys.PREDICT_RUN) not in runs:
        st.session_state[keys.PREDICT_RUN] = next(iter(runs))
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    with left:
        number = st.selectbox(
            words.RUN, list(runs), key=keys.PREDICT_RUN, persist_state="session",
            format_func=lambda n: f"{n} · {runs[n].name}",
        )  # fmt: skip
    run = runs[number]
    choices = settings_of(run)
    choice = "setting"
    if len(choices) > 1:
        with right:
            choice = st.selectbox(
                words.RUN_SETTING, list(choices), key="predict_setting",
                format_func=CHOICES.__getitem__,
            )  # fmt: skip
    with st.spinner(words.FITTING):
        model = stored_model(store, run, choice)
        model = replace(
            model,
            evaluation=evaluation(store, run, choice, model),
            scores=scores(store, run, choice, model),
        )
    st.caption(f"{plain(run.data_name)} · {setting_text(choices[choice])}")
    return model


def evaluation(store: Store, run: Run, choice: str, model: Predictor) -> dict[str, Any]:
    """The errors of a run's model beside those of plain models, as far as is quick.

    On the test rows, if the data are open in this session. The store has no test rows:
    else the setting is fitted again without a fifth of the rows; a discovery has kept
    the errors of its own folds.
    """
    controls = data_controls_of(run)
    return _remembered(
        "evaluated", run, choice, controls,
        lambda: _evaluation(store, run, choice, model, controls),
    )  # fmt: skip


def scores(
    store: Store, run: Run, choice: str, model: Predictor
) -> ConformalScores | None:
    """Errors of rows that were not in the fit, for intervals, as far as is quick.

    Of the test rows, if the data are open in this session; else of all rows, held out
    in folds. None for labels, and for a discovery whose test rows are not here.
    """
    controls = data_controls_of(run)
    return _remembered(
        "scores", run, choice, controls,
        lambda: _scores(store, run, choice, model, controls),
    )  # fmt: skip


def _remembered(
    what: str,
    run: Run,
    choice: str,
    controls: dict[str, Any] | None,
    make: Callable[[], Any],
) -> Any:
    """What was worked out for a run before, for private runs in the session alone."""
    memory = live.own_memory() if run.owner else live.memory()
    setting = tuple(settings_of(run)[choice].items())
    key = (what, run.id, run.kind, run.data, setting, controls is None)
    found: tuple[Any] | None = memory.get(key)
    if found is None:
        found = (make(),)
        memory.put(key, found)
    return found[0]


def _scores(
    store: Store,
    run: Run,
    choice: str,
    model: Predictor,
    controls: dict[str, Any] | None,
) -> ConformalScores | None:
    request: Any = run.request
    if get_loss(request.loss).name != "squared":
        return None
    if controls is not None:
        return test_scores(model.result, live.load(data_choice(controls)))
    data = store.data(run.data)
    if run.kind == "discovery" or not are_quick(data) or data.n_samples.max() < FOLDS:
        return None
    setting = settings_of(run)[choice]

    def fit(part: MultiTaskData) -> Any:
        options = {"fit_intercept": request.fit_intercept}
        return fit_again(run, Problem.of(part, request.loss, **options), setting)

    return cross_scores(data, fit)


def _evaluation(
    store: Store,
    run: Run,
    choice: str,
    model: Predictor,
    controls: dict[str, Any] | None,
) -> dict[str, Any]:
    of_run = None if controls is None else data_choice(controls)
    if of_run is not None and not where_from(of_run):
        return yardsticks.evaluation(of_run, live.load(of_run), model.result)
    if run.kind == "discovery":
        found = read_found(store, run)
        return {} if found is None else dict(found.evaluation)
    data, request = store.data(run.data), run.request
    if not are_quick(data):
        return {}
    setting = settings_of(run)[choice]
    against = compare_held_out(
        lambda problem: fit_again(run, problem, setting), data,
        loss=request.loss, fit_intercept=request.fit_intercept,
    )  # fmt: skip
    return {} if against is None else against.to_dict(words.HELD_OUT)
