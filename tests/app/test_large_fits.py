"""Explore with 20,000 variables and 1,000 tasks: a part is shown, and said to be."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.explore.panel import panel_html
from pages.explore.picture import window
from pages.explore.picture.focus import focus_cell, formula_html, options
from pages.explore.picture.stage import scheme_data
from pages.explore.results import tables
from pages.explore.results.findings import find
from pages.explore.results.headline import headline_html
from pages.shared.data.catalogue import OwnData
from pages.shared.fits import live
from pages.shared.state import keys
from pages.shared.state.choices import choices
from vstg import solve_vstg
from vstg.data import Dataset, MultiTaskData, Truth
from vstg.datasets import make_syn
from vstg.plots import scheme_payload
from vstg.plots.matrices.excerpt import MAX_CELLS

APP = Path(__file__).parents[2] / "app.py"
D, T, K = 20_000, 1_000, 6


def groups_of_tasks(rng):
    """V with 20 patterns of bases, and a few tasks without any."""
    patterns = rng.random((K, 20)) < 0.4
    patterns[0] |= ~patterns.any(axis=0)
    V = rng.normal(size=(K, T)) * patterns[:, rng.integers(20, size=T)]
    V[:, :3] = 0
    return V


@pytest.fixture(scope="module")
def large():
    """Data and a result of full size, made without a fit."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(4, D))  # one design for all tasks, as in multi-output data
    U = rng.normal(size=(D, K)) * (rng.random((D, 1)) < 0.1)
    V = groups_of_tasks(rng)
    y = list((X @ U @ V).T + 0.1)
    rows = MultiTaskData([X] * T, y)
    data = Dataset("large", rows, rows, truth=Truth(U, V, 0.1))
    small = make_syn(1, n_train=5, n_test=1, random_state=0)
    fit = solve_vstg(small.train, n_latent=2, k=1, gamma1=1.0, gamma2=1.0)
    noisy = U * rng.uniform(0.5, 1.5, size=U.shape)
    return data, replace(fit, U=noisy, V=V, intercept=np.zeros(T))


@pytest.fixture(scope="module")
def found(large):
    data, result = large
    return find(result, data)


def view_of(**values):
    return choices(values).view


def test_small_fit_is_seen_whole():
    data = make_syn(1, n_train=5, n_test=1, random_state=0)
    fit = solve_vstg(data.train, n_latent=2, k=1, gamma1=1.0, gamma2=1.0)
    found = find(fit, Dataset("plain", data.train, data.test))
    assert window.see(found, view_of()) is None


@pytest.mark.parametrize(
    "values",
    [
        {}, {"top": 200}, {"truth": False, "top": 20}, {"by_group": False},
        {"group": "B"}, {"vpage": 99_999, "tpage": 99_999}, {"find": "x1234"},
        {"find": "nobody"}, {"by_size": True, "view": "pattern"},
    ],
)  # fmt: skip
def test_payload_is_bounded_whatever_is_asked(found, values):
    view = view_of(**values)
    payload = scheme_payload(scheme_data(found, view, focus_cell(found, None, None)))
    cells = [
        np.prod(payload[which][name]["shape"])
        for which in ("estimate", "truth")
        for name in "UVW"
        if payload[which]
    ]
    assert sum(cells) <= MAX_CELLS
    assert len(json.dumps(payload)) < 2 * 2**20
    assert "W" not in vars(found.estimate)
    assert "W" not in vars(found.truth)


def test_first_page_has_the_most_important_variables(found):
    seen = window.see(found, view_of(by_size=True))
    importance = found.importance.row_max
    assert list(seen.variables) == list(found.variable_order[:60])
    words = window.in_words(found, view_of(), seen)
    rest = np.delete(importance, seen.variables)
    assert f"{D - 60:,} further variables: {(rest > 0).sum():,} non-zero" in words
    assert "mean over its tasks" in words


def test_pages_and_names_lead_to_every_variable(found):
    second = window.see(found, view_of(vpage=2, by_size=True))
    assert list(second.variables) == list(found.variable_order[60:120])
    named = window.see(found, view_of(find="X1999"))
    assert {found.estimate.U.index[i] for i in named.variables} == {
        "x1999", *(f"x1999{n}" for n in range(10))
    }  # fmt: skip


def test_groups_have_a_column_each_and_open(found):
    seen = window.see(found, view_of())
    assert seen.grouped
    assert sum(len(column.tasks) for column in seen.columns) == T
    sizes = [len(column.tasks) for column in seen.columns if column.group >= 0]
    assert sizes == sorted(sizes, reverse=True)
    name, letter = next(iter(seen.letters().items()))
    opened = window.see(found, view_of(group=letter))
    number = seen.columns[0].group
    tasks = {int(column.tasks[0]) for column in opened.columns}
    assert name.startswith(f"{letter} · ")
    assert tasks <= set(found.proper_groups[number].tasks)
    assert not opened.grouped


def test_few_tasks_are_not_merged(found):
    """Where only the variables are many, tasks stay as they are."""
    wide = replace(
        found,
        estimate=found.estimate.ordered(np.arange(D), np.arange(8)),
        truth=None,
        groups=(),
        task_order=np.arange(8),
    )
    seen = window.see(wide, view_of())
    assert [len(column.tasks) for column in seen.columns] == [1] * 8


def test_findings_of_a_large_fit_agree_with_the_definitions(large, found):
    data, result = large
    W, truth = result.W, data.truth.W
    error = np.linalg.norm(W - truth) / np.linalg.norm(truth)
    assert found.errors.ree == pytest.approx(error)
    residual = data.train.X[0] @ W - np.array(data.train.y).T
    by_task = np.sqrt(np.mean(residual**2, axis=0))
    assert found.errors.train == pytest.approx(by_task.mean())
    residual = data.test.X[0] @ W - np.array(data.test.y).T
    pooled = np.sqrt(np.mean(residual**2))
    assert found.errors.test_pooled == pytest.approx(pooled)
    cell = focus_cell(found, None, "task7")
    at = np.abs(W[:, 7]).argmax()
    assert cell == (f"x{at}", "task7")
    assert "true value" in formula_html(found, cell)


def test_html_and_tables_are_bounded(large, found):
    data, result = large
    assert len(headline_html(result, data, found)) < 10_000
    assert len(panel_html(found)) < 50_000
    groups = tables.groups_table(found, 100)
    assert groups["variables"].str.len().max() < 2_000
    assert groups["n_tasks"].sum() == T
    shown = tables.variables_table(found, 1_000, 12)
    assert len(shown) == 1_000
    assert len(tables.variables_table(found)) == D


def test_list_of_names_has_the_one_of_the_link(found):
    names = found.estimate.U.index
    assert options(names, ["x1", "x2"], "x19999") == ["x19999", "x1", "x2"]
    assert options(names, ["x1", "x2"], "nobody") == ["x1", "x2"]


@pytest.fixture
def explore_large(large, monkeypatch):
    """The page with the large data as the visitor's own, and its fit remembered."""
    data, result = large
    monkeypatch.setattr(live, "remembered", lambda chosen: result)
    own = OwnData(data, "", "")

    def opened(**query):
        app = AppTest.from_file(str(APP), default_timeout=180)
        app.session_state[keys.OWN_DATA] = own
        for key, value in {"data": "Yours", **query}.items():
            app.query_params[key] = str(value)
        app.run()
        assert not app.exception
        return app

    return opened


def test_explore_shows_a_summary(explore_large):
    app = explore_large(var="x19999")
    said = " ".join(html.value for html in app.get("html"))
    assert "A summary: 20,000 variables × 1,000 tasks" in said
    assert app.selectbox(key="var").value == "x19999"
    assert len(app.selectbox(key="var").options) < 200
    app = explore_large(group="A")
    assert app.selectbox(key="group").value == "A"
    said = " ".join(html.value for html in app.get("html"))
    assert "Columns: tasks 1 to" in said
    app.text_input(key="find").input("x77").run()
    assert not app.exception


@pytest.mark.parametrize("tab", ["Variables", "Per task", "Share and export"])
def test_tabs_of_a_large_fit_are_bounded(explore_large, tab):
    app = explore_large(tab=tab)
    for frame in app.dataframe:
        assert len(frame.value) <= 1_000
    for chart in app.get("plotly_chart"):
        assert len(chart.proto.spec) < 2 * 2**20
