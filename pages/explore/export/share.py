"""Share and take away: a link, the Python, files, a report."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from math import frexp
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import pandas as pd
import streamlit as st

from pages.explore import words
from pages.explore.export.pin import pin_button
from pages.explore.export.report import report
from pages.explore.picture.stage import alt_text, scheme_data
from pages.explore.results.findings import Findings
from pages.shared.data.catalogue import OwnData
from pages.shared.fits import discoveries, live, yardsticks
from pages.shared.state import keys
from pages.shared.state.choices import Choices
from pages.shared.state.links import to_query
from pages.shared.ui.downloads import download
from vstg.data import Dataset
from vstg.plots import FactorFrames
from vstg.plots.matrices.scheme_sheet import scheme_sheet
from vstg.plots.svg.sheet import Sheet
from vstg.prediction import Predictor
from vstg.solvers.result import VSTGResult


def link(url: str | None, values: Mapping[str, Any]) -> str:
    """The address of the page with every control that is not at its default.

    A bare address stands for what the page opens with, so that it names one control
    where all are at their defaults.
    """
    parts = urlsplit(url or "")
    query = to_query(dict(values)) or {keys.CUT: "0"}
    return urlunsplit(parts._replace(query=urlencode(query), fragment=""))


def python_number(value: float) -> str:
    """``2**-5`` for 2^-5, other numbers as Python writes them."""
    mantissa, exponent = frexp(value)
    is_power = isinstance(value, float) and mantissa == 0.5
    return f"2**{exponent - 1}" if is_power else repr(value)


def python_code(choices: Choices, *, found: bool = False) -> str:
    """Lines that give the same W; a model found is found again."""
    imports, statements = choices.data.python()
    if found:
        data = live.load(choices.data)
        options = f"loss={data.loss!r}, fit_intercept={data.fit_intercept}"
        return (
            f"from vstg import discover\n{imports}\n\n{statements}\n"
            f"found = discover(train, standardize=False, {options})\n"
            f"print(found.summary())\nprint({in_units('found.result.W', choices)})\n"
        )
    arguments = [
        *(f"{n}={python_number(v)}" for n, v in choices.settings.to_mapping().items()),
        *(f"{name}={value!r}" for name, value in asdict(choices.effort).items()),
    ]
    first, rest = ", ".join(arguments[:4]), ", ".join(arguments[4:])
    return (
        f"from vstg import solve_vstg\n{imports}\n\n{statements}\n"
        f"result = solve_vstg(train, {first},\n"
        f"                    {rest}{choices.data.solver_options})\n"
        f"print({in_units('result.W', choices)})\n"
    )


def in_units(W: str, choices: Choices) -> str:
    """Coefficients in the user's units, as Python writes them."""
    own = isinstance(choices.data, OwnData) and choices.data.dataset.train.units
    return f"({W} * train.task_units).round(2)" if own else f"{W}.round(2)"


def factor_tables(found: Findings) -> dict[str, Callable[[], pd.DataFrame]]:
    """What makes U, V and W, without bases that the estimate does not have."""
    estimate, present = found.estimate, found.present

    def product() -> pd.DataFrame:
        # Not kept: a large W lives only as long as it is written.
        return FactorFrames(estimate.U, estimate.V).W.rename_axis("variable")

    return {
        "U": lambda: estimate.U.loc[:, present].rename_axis("variable"),
        "V": lambda: estimate.V.loc[present].rename_axis("basis"),
        "W": product,
    }


def model_file(model: Predictor, data: Dataset, plain: yardsticks.Plain) -> bytes:
    """The model with its errors beside those of plain models, where that is quick."""
    if yardsticks.is_quick(data):
        found = yardsticks.beside(plain(), data, model.result)
        model = replace(model, evaluation=found.to_dict(yardsticks.ROWS))
    return model.to_bytes()


def figure_buttons(found: Findings, choices: Choices) -> None:
    """The picture for a paper, in the colours of the screen or in greys."""
    st.markdown(f"**{words.FIGURE_TITLE}**")
    look = st.segmented_control(
        words.FIGURE_LOOK, words.FIGURE_LOOKS, default=words.FIGURE_LOOKS[0],
        required=True, key="figure_look", label_visibility="collapsed",
    )  # fmt: skip
    paper = look == words.FIGURE_LOOKS[1]
    alt = alt_text(found, choices.view)

    def sheet() -> Sheet:
        return scheme_sheet(scheme_data(found, choices.view, None), paper=paper)

    files: dict[str, tuple[str, Callable[[], bytes]]] = {
        "svg": ("image/svg+xml", lambda: sheet().to_svg(alt)),
        "pdf": ("application/pdf", lambda: sheet().to_pdf()),
        "png": ("image/png", lambda: sheet().to_png()),
    }
    with st.container(horizontal=True):
        for kind, (mime, content) in files.items():
            st.download_button(
                kind.upper(), content, f"vstg-picture.{kind}", mime,
                key=f"figure_{kind}", on_click="ignore", icon=":material/image:",
            )  # fmt: skip


def share_tab(
    choices: Choices,
    values: Mapping[str, Any],
    found: Findings,
    data: Dataset,
    model: Predictor,
) -> None:
    """All ways to take the result along."""
    result = model.result
    assert isinstance(result, VSTGResult)
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown(f"**{words.LINK_TITLE}**")
        own = choices.data.private
        st.caption(words.LINK_NOTE_OWN if own else words.LINK_NOTE)
        st.code(link(st.context.url, values), language=None, wrap_lines=True)
        st.markdown(f"**{words.PYTHON_TITLE}**")
        discovered = discoveries.known(choices)
        is_found = discovered is not None
        code = python_code(choices, found=is_found)
        st.code(code, language="python")
    plain = yardsticks.plain_models_of(choices.data, data)
    with right:
        if not is_found:  # History has it
            pin_button(choices)
        figure_buttons(found, choices)
        st.markdown(f"**{words.FILES_TITLE}**")
        with st.container(horizontal=True):
            for name, table in factor_tables(found).items():
                download(table, name, f"{name}_csv", words.DOWNLOADS[name])
        st.download_button(
            words.DOWNLOADS["model"], lambda: model_file(model, data, plain),
            "model.npz", "application/octet-stream", key="model_file",
            on_click="ignore",
            icon=":material/download:", help=words.MODEL_NOTE,
        )  # fmt: skip
        st.download_button(
            words.DOWNLOADS["report"],
            lambda: report(choices, found, result, data, code, discovered, plain),
            "vstg-report.html",
            "text/html", key="report_file", on_click="ignore",
            icon=":material/description:", help=words.REPORT_NOTE,
        )  # fmt: skip
