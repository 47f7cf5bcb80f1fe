"""Fitted models for other pages: the last one of Explore, and those of runs."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.shared.data.catalogue import DataChoice, OwnData
from pages.shared.fits import live
from pages.shared.fits.yardsticks import ROWS, evaluation
from pages.shared.state import keys
from pages.shared.state.links import to_query
from vstg.data import Dataset
from vstg.jobs import FitRequest, Run, SearchRequest, Store
from vstg.jobs.kinds.discovery import read_found
from vstg.jobs.kinds.fit import fit_as_asked
from vstg.model_selection.methods import get_method
from vstg.prediction import Predictor
from vstg.prediction.intervals import ConformalScores
from vstg.problem import Problem
from vstg.solvers.result import VSTGResult
from vstg.tables import Preparation

CHOICES = {"setting": "least error", "one_se": "sparsest within one standard error"}


def remember(
    choice: DataChoice, values: Mapping[str, Any], result: VSTGResult, data: Dataset
) -> Predictor:
    """Keep the model for the Predict page and the controls for the way back."""
    st.session_state[keys.EXPLORE_STATE] = to_query(dict(values))
    last = last_model()
    if last is None or last.result is not result:
        last = replace(
            Predictor.of(
                result, data.train, name=data.name, preparation=preparation_of(choice)
            ),
            evaluation=evaluation(choice, data, result),
            scores=test_scores(result, data),
        )
        st.session_state[keys.LAST_MODEL] = last
    return last


def test_scores(result: Any, data: Dataset) -> ConformalScores | None:
    """The errors on the test rows, which prediction intervals are made of."""
    if data.is_classification:
        return None
    return ConformalScores.on(result, data.test, ROWS)


def preparation_of(choice: DataChoice) -> Preparation | None:
    """How a table of the visitor was prepared; None for other data."""
    if not isinstance(choice, OwnData) or choice.prepared is None:
        return None
    return Preparation.of(choice.prepared)


def last_model() -> Predictor | None:
    """The model that Explore showed last, if any."""
    return st.session_state.get(keys.LAST_MODEL)


def settings_of(run: Run) -> dict[str, dict[str, Any]]:
    """The settings that a run found or was given, by the name of the choice."""
    best = run.best or {}
    return {name: best[name] for name in CHOICES if isinstance(best.get(name), dict)}


def has_model(run: Run) -> bool:
    """Whether a run stands for a model: a fit, or what a search or discovery found."""
    return run.kind in ("fit", "search", "discovery") and bool(settings_of(run))


def stored_model(store: Store, run: Run, choice: str = "setting") -> Predictor:
    """Fit a setting of a run, or read what it found.

    Remembered, for private runs in the session alone.
    """
    setting = settings_of(run)[choice]
    request: Any = run.request
    asked = (method_of(run), request.loss, request.fit_intercept)
    key = ("stored", run.id, run.data, *asked, tuple(sorted(setting.items())))
    memory = live.own_memory() if run.owner else live.memory()
    found: Predictor | None = memory.get(key)
    if found is None:
        train = store.data(run.data)
        result: Any = fitted(store, run, setting)
        text = run.source_values.get("preparation")
        found = Predictor.of(
            result,
            train,
            name=run.name or str(run.id),
            preparation=None if text is None else Preparation.from_json(str(text)),
        )
        memory.put(key, found)
    return found


def fitted(store: Store, run: Run, setting: Mapping[str, Any]) -> Any:
    """What a setting of a run gives; a discovery keeps its model, which is read."""
    if run.kind == "discovery":
        found = read_found(store, run)
        if found is None:
            msg = f"run {run.id} has a setting and no model"
            raise ValueError(msg)
        return found.result
    request: Any = run.request
    problem = Problem.of(
        store.data(run.data), request.loss, fit_intercept=request.fit_intercept
    )
    return fit_again(run, problem, setting)


def fit_again(run: Run, problem: Problem, setting: Mapping[str, Any]) -> Any:
    """Fit a setting of a run as the run does, on its data or on a part of them."""
    request: Any = run.request
    if isinstance(request, FitRequest):
        return fit_as_asked(problem, request)
    return get_method(method_of(run)).fit(problem, setting, None, None)


def method_of(run: Run) -> str:
    """The method whose settings a run has."""
    return run.request.method if isinstance(run.request, SearchRequest) else "vstg"
