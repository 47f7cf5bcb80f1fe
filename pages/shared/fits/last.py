"""The model that Explore showed last, for the Predict page and for the way back."""

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import streamlit as st

from pages.shared.data.catalogue import DataChoice, OwnData
from pages.shared.state import keys
from pages.shared.state.parameters import to_query
from vstg.data import Dataset, MultiTaskData
from vstg.estimators import VSTGClassifier, VSTGRegressor, save_model
from vstg.solvers.result import VSTGResult
from vstg.tables import Prepared


@dataclass(frozen=True, eq=False)
class LastFit:
    """What the Explore page showed last."""

    name: str
    result: VSTGResult
    train: MultiTaskData
    loss: str
    prepared: Prepared | None


def remember_fit(
    choice: DataChoice, values: Mapping[str, Any], result: VSTGResult, data: Dataset
) -> None:
    """Keep the fit for the Predict page and the controls for the way back."""
    own = choice if isinstance(choice, OwnData) else None
    name = values[keys.DATA] if own is None else own.name
    prepared = None if own is None else own.prepared
    st.session_state[keys.LAST_FIT] = LastFit(
        name, result, data.train, data.loss, prepared
    )
    st.session_state[keys.EXPLORE_STATE] = to_query(dict(values))


def last_fit() -> LastFit | None:
    """What was fitted last, if anything."""
    return st.session_state.get(keys.LAST_FIT)


def model_file(result: VSTGResult, train: MultiTaskData, loss: str) -> bytes:
    """The fitted model; :func:`vstg.estimators.load_model` reads it."""
    file = BytesIO()
    kind = VSTGRegressor if loss == "squared" else VSTGClassifier
    column = "task"
    while column in train.feature_names:
        column += "_"
    save_model(kind.from_result(result, train, task_column=column), file)
    return file.getvalue()
