"""Share and take away: a link, the Python, files, a report."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from math import frexp
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import pandas as pd
import streamlit as st

from pages.explore import tables, words
from pages.explore.details import MAX_LISTED, MAX_USERS
from pages.explore.findings import Findings
from pages.explore.pin import pin_button
from pages.explore.stage import scheme_data
from pages.explore.window import in_words, see
from pages.shared.data.catalogue import DataChoice, SyntheticData
from pages.shared.fits import discoveries, live
from pages.shared.state import keys
from pages.shared.state.choices import Choices
from pages.shared.state.parameters import to_query
from pages.shared.ui.downloads import download
from vstg.data import Dataset
from vstg.notation import SYMBOLS
from vstg.plots import (
    Factors,
    convergence_figure,
    history_frame,
    importance_figure,
    scheme_figure,
)
from vstg.plots.report import Section, report_html
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
            "print(found.summary())\nprint(found.result.W.round(2))\n"
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
        "print(result.W.round(2))\n"
    )


def factor_tables(found: Findings) -> dict[str, Callable[[], pd.DataFrame]]:
    """What makes U, V and W, without bases that the estimate does not have."""
    estimate, present = found.estimate, found.present

    def product() -> pd.DataFrame:
        # Not kept: a large W lives only as long as it is written.
        return Factors(estimate.U, estimate.V).W.rename_axis("variable")

    return {
        "U": lambda: estimate.U.loc[:, present].rename_axis("variable"),
        "V": lambda: estimate.V.loc[present].rename_axis("basis"),
        "W": product,
    }


def data_rows(data: DataChoice) -> dict[str, str]:
    """What the report says of the data; only synthetic data have a seed and noise."""
    if isinstance(data, SyntheticData):
        return {"data": data.name, "N, σ": f"{data.n_train}, {data.noise:g}"}
    variables, tasks = data.shape
    return {"data": f"{data.name}: {variables:,} variables, {tasks:,} tasks"}


def summary(choices: Choices, found: Findings, result: VSTGResult) -> pd.DataFrame:
    """Settings and results, one per row."""
    settings = choices.settings
    rows = {
        **data_rows(choices.data),
        **{symbol: f"{getattr(settings, n):g}" for n, symbol in SYMBOLS.items()},
        "solver, starts": f"{choices.effort.solver}, {choices.effort.n_init}",
        f"test {found.errors.measure}": f"{found.errors.test:.4f}",
        f"train {found.errors.measure}": f"{found.errors.train:.4f}",
        "variables kept": f"{found.n_selected} of {len(found.status)}",
        "groups": str(len(found.proper_groups)),
        "objective": f"{result.objective:.6g}",
        "iterations": f"{result.n_iter} ({result.stop_reason})",
    }
    if found.errors.ree is not None:
        rows["REE"] = f"{found.errors.ree:.4f}"
    return pd.DataFrame({"": list(rows.values())}, index=list(rows))


def report(
    choices: Choices,
    found: Findings,
    result: VSTGResult,
    data: Dataset,
    *,
    is_found: bool = False,
) -> bytes:
    """The page as one file; a download asks for it outside the page's own run.

    So nothing here, nor in what it calls, may look at the session's state.
    """
    variables = tables.variables_table(found, limit=MAX_USERS)
    picture = scheme_figure(scheme_data(found, choices.view, None), height=560)
    legend, seen = words.LEGENDS[choices.view.view], see(found, choices.view)
    if seen is not None:
        legend = f"{in_words(found, choices.view, seen)} {legend}"
    sections = [
        Section(words.REPORT_SETTINGS, table=summary(choices, found, result)),
        Section("U, V, W", figures={legend: picture}),
        Section(words.PANEL_GROUPS, table=tables.groups_table(found, MAX_LISTED)),
        Section(
            words.PANEL_VARIABLES,
            figures={"": importance_figure(variables)},
            table=variables,
        ),
        Section(
            words.TABS["convergence"],
            words.STOP_REASONS[result.stop_reason],
            figures={"": convergence_figure(history_frame(result.history))},
        ),
        Section(words.TABS["tasks"], table=tables.tasks_table(found, data)),
        Section(words.PYTHON_TITLE, listing=python_code(choices, found=is_found)),
    ]
    return report_html(words.REPORT_TITLE, sections).encode("utf-8")


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
        st.caption(words.LINK_NOTE)
        st.code(link(st.context.url, values), language=None, wrap_lines=True)
        st.markdown(f"**{words.PYTHON_TITLE}**")
        is_found = discoveries.known(choices) is not None
        st.code(python_code(choices, found=is_found), language="python")
    with right:
        if not is_found:  # History has it
            pin_button(choices)
        st.markdown(f"**{words.FILES_TITLE}**")
        with st.container(horizontal=True):
            for name, table in factor_tables(found).items():
                download(table, name, f"{name}_csv", words.DOWNLOADS[name])
        st.download_button(
            words.DOWNLOADS["model"], model.to_bytes, "model.npz",
            "application/octet-stream", key="model_file", on_click="ignore",
            icon=":material/download:", help=words.MODEL_NOTE,
        )  # fmt: skip
        st.download_button(
            words.DOWNLOADS["report"],
            lambda: report(choices, found, result, data, is_found=is_found),
            "vstg-report.html",
            "text/html", key="report_file", on_click="ignore",
            icon=":material/description:", help=words.REPORT_NOTE,
        )  # fmt: skip
