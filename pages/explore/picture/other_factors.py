"""W is unique, its factors are not: the same W written in other ways."""

from dataclasses import replace
from html import escape

import numpy as np
import streamlit as st

from pages.explore import words
from pages.explore.picture.stage import scheme_data
from pages.explore.results.findings import Findings, find
from pages.shared.state.choices import ViewChoice
from pages.shared.ui.display import QUIET
from vstg.data import Dataset
from vstg.inspection import refactored
from vstg.plots import scheme_figure
from vstg.solvers.result import VSTGResult

MAX_CELLS = 200_000  # of W: beyond, the page would wait for the shears


def other_factors(
    found: Findings, result: VSTGResult, data: Dataset, view: ViewChoice
) -> None:
    """The explanation, and a choice of other forms."""
    with st.expander(words.NOT_UNIQUE):
        st.markdown(words.NOT_UNIQUE_WHY)
        if found.n_in_several and not found.shares_bases:
            st.markdown(words.OVERLAP_IN_U.format(count=found.n_in_several))
        elif found.shares_bases:
            st.markdown(words.OVERLAP_IN_V)
        D, T = found.estimate.shape
        if D * T > MAX_CELLS or not found.proper_groups:
            return
        form = st.segmented_control(
            words.FORM, list(words.FORMS), format_func=words.FORMS.__getitem__,
            default=words.AS_FITTED, required=True, key="form",
        )  # fmt: skip
        if form != words.AS_FITTED:
            show_form(form, result, data, view)


def show_form(form: str, result: VSTGResult, data: Dataset, view: ViewChoice) -> None:
    """The picture of the other factors, and what is the same."""
    U, V = refactored(result.U, result.V, form)  # type: ignore[arg-type]
    other = find(replace(result, U=U, V=V), data)
    largest = np.abs(U @ V - result.W).max() / np.abs(result.W).max()
    st.caption(f"{words.FORM_NOTES[form]} {counts(result, U, V)}")
    st.caption(words.SAME_W.format(difference=f"{largest:.0e}"))
    picture = scheme_figure(
        scheme_data(other, replace(view, truth=False), None), height=480
    )
    alt = words.FORM_ALT.format(form=escape(words.FORMS[form]))
    st.plotly_chart(picture, key="form_picture", config=QUIET, alt=alt)


def counts(result: VSTGResult, U: np.ndarray, V: np.ndarray) -> str:
    """Non-zero entries before and after."""
    before, after = (
        {"u": np.count_nonzero(u), "v": np.count_nonzero(v), "bases": n}
        for u, v, n in (
            (result.U, result.V, n_alive(result.U, result.V)),
            (U, V, n_alive(U, V)),
        )
    )
    same = words.FORM_SAME if before == after else words.FORM_COUNTS
    return same.format(**after, u0=before["u"], v0=before["v"], bases0=before["bases"])


def n_alive(U: np.ndarray, V: np.ndarray) -> int:
    """Bases in use."""
    return int((U.any(axis=0) & V.any(axis=1)).sum())
