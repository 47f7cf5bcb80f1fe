"""How good the fit is compared with plain models, and whether sharing pays."""

from html import escape
from math import isnan
from typing import Any

import pandas as pd
import streamlit as st

from pages.explore import words
from pages.shared.data.catalogue import DataChoice
from pages.shared.fits import yardsticks
from pages.shared.ui.downloads import download
from vstg.data import Dataset
from vstg.model_selection.yardsticks import Yardsticks
from vstg.notation import number_text


def line_html(found: Yardsticks) -> str:
    """One line: the share explained, the plain models, and the sentence."""
    explained = found.model.explained  # none where no test target varies
    share = f"{found.explained_name} " + (
        "–" if isnan(explained) else f"{explained:.2f}"
    )
    others = " · ".join(f"{n} {number_text(e)}" for n, e in found.baselines.items())
    return (
        f'<p class="vstg-legend"><b>{share}</b> · {escape(words.PLAIN_MODELS)}: '
        f"{escape(others)}. {escape(found.sentence())}</p>"
    )


def line(choice: DataChoice, data: Dataset, result: Any) -> None:
    """Below the headline, for data of unknown noise."""
    if data.truth is None and yardsticks.is_quick(data):
        st.html(line_html(yardsticks.against(choice, data, result)))


def by_task(found: Yardsticks, data: Dataset) -> pd.DataFrame:
    """One row per task: the share explained, and the error of every model."""
    columns = {found.explained_name: found.model.explained_by_task}
    columns["this model"] = found.model.errors.by_task
    columns |= {name: scores.errors.by_task for name, scores in found.plain.items()}
    return pd.DataFrame(columns, index=pd.Index(data.train.task_names, name="task"))


def tables(choice: DataChoice, data: Dataset, result: Any) -> None:
    """All models, and all of them task by task."""
    if not yardsticks.is_quick(data):
        return
    found = yardsticks.against(choice, data, result)
    st.markdown(f"**{words.HOW_GOOD}**")
    st.caption(found.sentence())
    st.dataframe(found.frame(), key="plain_models")
    download(lambda: by_task(found, data), "models_by_task", "models_csv")
