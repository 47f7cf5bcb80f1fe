"""Tune, Compare and History without a browser: every control and state."""

import gzip
import json
import re
from dataclasses import replace
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.compare.methods import table_html
from pages.shared.data.catalogue import SyntheticData, own_of_dataset
from pages.shared.runs.manager import run_manager
from pages.shared.runs.opening import data_controls_of, exactly, fitted_otherwise
from pages.shared.state.choices import SolverChoice, choices, control_values
from vstg import solve_vstg
from vstg.datasets import make_syn
from vstg.jobs import (
    ComparisonRequest,
    DiscoveryRequest,
    FitRequest,
    SearchRequest,
    Store,
)
from vstg.jobs.kinds.comparison import compared, read_evaluations
from vstg.jobs.queue import do_run
from vstg.jobs.store.run_files import export_runs
from vstg.objective import Settings

DATA = SyntheticData("Syn1", "25 × 20", 0, 50, 1.0)
GRID = {
    "n_latent": [3, 5],
    "k": [1, 3],
    "gamma1": [2**-4, 2**-2, 1.0],
    "gamma2": [2**-5, 2**-2],
}
PATIENCE = 120
APP = str(Path(__file__).parents[2] / "app.py")


def finish(store, request, data=None):
    """Add a run and do it here."""
    loaded = DATA.load()
    number = store.add_run(
        request, data or loaded.train, data_name="Syn1", name=request.kind,
        source=control_values(DATA),
    )  # fmt: skip
    run = store.claim(number)
    do_run(store, run, Event())
    store.finish(number, "done")
    return number


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A store with a finished search, two fits and a comparison, made once."""
    path = tmp_path_factory.mktemp("store") / "runs.sqlite"
    with Store(path) as store:
        finish(store, SearchRequest(grid=GRID, folds=3))
        for gamma in (0.25, 1.0):
            setting = {"n_latent": 5, "k": 1, "gamma1": gamma, "gamma2": 2**-4}
            finish(store, FitRequest(setting=setting))
        loaded = DATA.load()
        pair = [store.add_data(loaded.train), store.add_data(loaded.test)]
        strengths = {"gamma1": [0.01, 0.1]}
        grids = {"ridge": strengths, "lasso": strengths}
        request = ComparisonRequest(
            methods=["ridge", "lasso"], grids=grids, splits=[pair, pair], folds=2
        )
        finish(store, request)
    return path


@pytest.fixture
def open_page(path, tmp_path, monkeypatch, managers):
    """Open a page on a copy of the store, or on one that is empty."""

    def opened(page, *, empty=False, **query):
        own = tmp_path / "runs.sqlite"
        if not empty and not own.exists():
            own.write_bytes(path.read_bytes())
        monkeypatch.setenv("VSTG_STORE", str(own))
        run_manager.clear()
        app = AppTest.from_file(APP, default_timeout=60).run()
        for key, value in query.items():
            app.query_params[key] = value
        app.switch_page(page).run()
        assert not app.exception
        managers.append(run_manager())
        return app

    return opened


def charts(app):
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


@pytest.mark.parametrize(
    "page", ["pages/3_Tune.py", "pages/4_Compare.py", "pages/6_History.py"]
)
def test_pages_open_on_an_empty_store_and_say_what_to_do(open_page, page):
    app = open_page(page, empty=True)
    assert len(app.info) == 1
    assert not app.error


def test_size_and_time_are_shown_before_the_start(open_page):
    app = open_page("pages/3_Tune.py", empty=True)
    first = app.markdown[0].value
    assert "41,160 fits" not in first  # the coarse grid comes first ...
    app.segmented_control(key="tune_grid").set_value(
        "paper"
    ).run()  # ... one click away
    words = "4,116 settings × 10 folds = 41,160 fits"
    assert words in app.markdown[0].value
    app.toggle(key="tune_halving").set_value(True).run()
    # 2 of 10 folds for all, 4 more for a third, 4 more for a ninth.
    assert "by halving, some 15,549 fits" in app.markdown[0].value
    app.segmented_control(key="tune_judged").set_value("validation").run()
    assert "4,116 settings × 1 validation set" in app.markdown[0].value
    app.multiselect(key="tune_methods").set_value([]).run()
    assert "at least one method" in app.markdown[0].value
    assert app.button(key="tune_start").disabled


def test_comparison_that_cannot_begin_is_said_before_the_start(open_page, monkeypatch):
    monkeypatch.setenv("VSTG_MAX_FITS", "2000")
    app = open_page("pages/4_Compare.py", empty=True)
    assert "4 methods × 10 repetitions" not in app.markdown[0].value
    assert (
        "the limit here is 2,000" in app.markdown[0].value
    )  # of (5 + 5 + 150 + 600) × 50
    assert app.button(key="compare_start").disabled
    app.multiselect(key="compare_methods").set_value(["ridge", "lasso"]).run()
    assert "2 methods × 10 repetitions" in app.markdown[0].value
    assert not app.button(key="compare_start").disabled
    app.multiselect(key="compare_methods").set_value([]).run()
    assert "at least one method" in app.markdown[0].value


def test_impossible_grid_is_said_where_it_is_set(open_page):
    app = open_page("pages/3_Tune.py", empty=True)
    app.segmented_control(key="tune_grid").set_value("own").run()
    app.button_group(key="tune_k").set_value([]).run()
    assert "no value for k;" in app.markdown[0].value
    assert app.button(key="tune_start").disabled
    app.button_group(key="tune_K").set_value([]).run()
    assert "no value for K;" in app.markdown[0].value


def test_search_starts_is_cancelled_and_resumes(open_page):
    app = open_page("pages/3_Tune.py", empty=True)
    app.number_input(key="tune_folds").set_value(20).run()
    app.button(key="tune_start").click().run()
    manager = run_manager()
    (run,) = manager.store.runs()
    assert run.total == 0 or run.done < run.total
    app.button(key=f"cancel_{run.id}").click().run()
    assert manager.wait(run.id, PATIENCE)
    app.run()
    assert not app.exception
    assert app.info[0].value.startswith("Cancelled ")
    app.button(key=f"resume_{run.id}").click().run()
    assert manager.store.run(run.id).active
    manager.cancel(run.id)
    assert manager.wait(run.id, PATIENCE)


@pytest.mark.parametrize(
    ("tab", "n_charts"),
    [
        ("Error maps", 2),
        ("Each parameter", 4),
        ("All parameters", 1),
        ("What matters", 1),
        ("Error and sparsity", 1),
        ("Path", 1),
        ("Stability", 0),
        ("Table", 0),
    ],
)
def test_every_view_of_a_finished_search(open_page, tab, n_charts):
    app = open_page("pages/3_Tune.py", run="1")
    app.session_state["tune_tab"] = tab
    app.run()
    assert not app.exception
    assert len(charts(app)) == n_charts


def test_one_filter_drives_figures_and_table(open_page):
    app = open_page("pages/3_Tune.py", run="1")
    app.session_state["tune_tab"] = "Table"
    app.run()
    assert len(app.dataframe[0].value) == 4 * 6
    app.selectbox(key="filter_share").set_value(0.1).run()
    assert len(app.dataframe[0].value) == 3
    app.select_slider(key="filter_1_n_latent").set_value((3.0, 3.0)).run()
    assert set(app.dataframe[0].value["n_latent"]) == {3}
    app.session_state["tune_tab"] = "All parameters"
    app.run()
    error = charts(app)[0]["data"][0]["dimensions"][-1]["values"]
    assert not app.exception
    assert error


def test_methods_are_compared_as_in_table_1(open_page):
    app = open_page("pages/4_Compare.py")
    label = app.selectbox(key="compare_run").options[0]
    assert re.fullmatch(r"4 · comparison · \d\d \w+ \d\d:\d\d", label)
    # Boxes, times; the truth and W of two; their differences; tasks.
    assert len(charts(app)) == 2 + 3 + 2 + 1
    limits = {chart["layout"]["coloraxis"]["cmax"] for chart in charts(app)[2:5]}
    assert len(limits) == 1
    page = " ".join(html.proto.body for html in app.get("html"))
    assert "±" in page
    assert "no p-value can be below" in app.caption[0].value
    assert set(app.dataframe[0].value.columns) == {"won", "drawn", "lost"}
    won = app.dataframe[0].value.iloc[0]
    assert won["won"] + won["drawn"] + won["lost"] == 2 * 20


def test_runs_of_a_link_are_set_side_by_side(open_page):
    app = open_page("pages/4_Compare.py", runs="2-3")
    assert app.multiselect(key="compare_pins").value == [2, 3]
    assert len(charts(app)) == 2 + 1  # W of both, their difference
    page = " ".join(html.proto.body for html in app.get("html"))
    assert page.count('class="differs"') >= 2  # γ1, at least
    groups, variables = (frame.value for frame in app.dataframe)
    assert len(groups) == 20
    assert len(variables) == 25


def test_history_says_what_was_asked_and_found(open_page):
    app = open_page("pages/6_History.py")
    page = " ".join(html.proto.body for html in app.get("html"))
    assert "VSTG-MTL, 24 settings, 3 folds" in page  # of 2 × 2 × 3 × 2, all k ≤ K
    assert "<b>RMSE " in page
    assert not [b for b in app.button if b.key and b.key.startswith("cancel_")]


def test_history_renames_deletes_undoes(open_page):
    app = open_page("pages/6_History.py")
    store = run_manager().store
    app.text_input(key="name_1").set_value("the <first>")
    app.text_area(key="note_1").set_value("keep")
    save = next(b for b in app.button if b.key and "words_1" in b.key)
    save.click().run()
    assert (store.run(1).name, store.run(1).note) == ("the <first>", "keep")
    page = " ".join(html.proto.body for html in app.get("html"))
    assert "the &lt;first&gt;" in page
    app.checkbox(key="pick_1").check().run()
    app.checkbox(key="pick_2").check().run()
    app.button(key="delete_picked").click().run()
    assert [run.id for run in store.runs()] == [4, 3]
    app.button(key="undo").click().run()
    assert [run.id for run in store.runs()] == [4, 3, 2, 1]
    assert not app.exception


def test_history_imports_a_file_and_refuses_another(open_page):
    app = open_page("pages/6_History.py")
    store = run_manager().store
    content = export_runs(store, [1, 2])
    app.file_uploader(key="import").upload("runs.vstg", content, "application/gzip")
    app.run()
    assert len(store.runs()) == 6
    bad = gzip.compress(b"{}")
    app.file_uploader(key="import").upload("runs.vstg", bad, "application/gzip").run()
    assert "holds no runs" in app.error[0].value
    assert len(store.runs()) == 6


HOSTILE = {
    "a lone surrogate in its result": ("best", '{"method": "\\ud800", "error": 1}'),
    "a result of the wrong type": ("best", "[[]]"),
    "a request that is none": ("request", "{"),
    "a field of a newer version": ("request", '{"magic": 1}'),
    "a kind of a newer version": ("kind", "magic"),
    "an unknown status": ("status", "<b>"),
    "bytes that are no text": ("name", b"\xff\xfe"),
    "a source that is none": ("source", '{"data": [1]}'),
    "a time that never comes": ("created", 1e300),
    "an unknown method": ("request", '{"method": "magic"}'),
}


def add_hostile_runs(store):
    """Copies of the first run, each with one value from the list; their numbers."""
    columns = [row["name"] for row in store.query("PRAGMA table_info(runs)")]
    numbers = range(101, 101 + len(HOSTILE))
    with store.transaction() as connection:
        for number, (bad, value) in zip(numbers, HOSTILE.values(), strict=True):
            chosen = [
                ":id" if name == "id" else "CAST(:bad AS TEXT)" if name == bad else name
                for name in columns
            ]
            connection.execute(
                f"INSERT INTO runs SELECT {', '.join(chosen)} FROM runs WHERE id = 1",
                {"id": number, "bad": value},
            )
    return numbers


def test_hostile_runs_break_no_page_and_can_be_deleted(open_page):
    open_page("pages/6_History.py")
    numbers = add_hostile_runs(run_manager().store)
    for page in ("pages/3_Tune.py", "pages/4_Compare.py", "pages/5_Predict.py"):
        open_page(page)
    app = open_page("pages/6_History.py")
    assert app.button(key="open_2")  # the others are shown as ever
    shown = " ".join(warning.value for warning in app.warning)
    for number, (column, _) in zip(numbers, HOSTILE.values(), strict=True):
        assert (f"Run {number} cannot be shown" in shown) == (column != "name")
        app.button(key=f"delete_{number}").click().run()
        assert not app.exception
    assert [run.id for run in run_manager().store.runs()] == [4, 3, 2, 1]
    assert not app.warning


def test_a_store_that_is_moved_away_is_said_and_found_again(open_page, tmp_path):
    app = open_page("pages/6_History.py")
    away = tmp_path.with_name(f"{tmp_path.name}-away")
    tmp_path.rename(away)
    try:
        app.run()
        assert not app.exception
        assert "was moved, deleted or replaced" in app.error[0].value
        assert not tmp_path.exists()
    finally:
        away.rename(tmp_path)
    app.run()
    assert not app.error and app.button(key="open_1")


def test_store_that_cannot_be_opened_is_said_on_every_page(open_page, tmp_path):
    (tmp_path / "runs.sqlite").write_bytes(b"not a store " * 100)
    for page in ("pages/3_Tune.py", "pages/4_Compare.py", "pages/6_History.py"):
        app = AppTest.from_file(APP, default_timeout=60)
        run_manager.clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("VSTG_STORE", str(tmp_path / "runs.sqlite"))
            app.run()
            app.switch_page(page).run()
        assert not app.exception
        assert "is not a run store" in app.error[0].value


def test_fit_of_explore_is_pinned(open_page):
    open_page("pages/6_History.py", empty=True)
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params["tab"] = "Share and export"
    app.run()
    app.button(key="pin").click().run()
    assert not app.exception
    manager = run_manager()
    assert manager.wait(1, PATIENCE)
    assert manager.store.run(1).best["setting"]["n_latent"] == 5


def test_explore_has_the_data_of_a_run_or_says_that_it_has_not(tmp_path):
    other = DATA.load().test
    sources = {
        "right": (control_values(DATA), DATA.load().train, control_values(DATA)),
        "chosen now": ({}, DATA.load().train, control_values(DATA)),
        "command line": ({}, replace(DATA, seed=4).load().train, None),
        "wrong": (control_values(DATA), other, None),
    }
    setting = {"n_latent": 20, "k": 1, "gamma1": 0.3, "gamma2": 2**-4}
    with Store(tmp_path / "runs.sqlite") as store:
        for source, data, expected in sources.values():
            request = FitRequest(setting=setting)
            run = store.run(store.add_run(request, data, source=source))
            assert data_controls_of(run) == expected


def test_a_run_of_the_command_line_opens_exactly_with_its_own_data(open_page):
    """Data, loss, K and γ: nothing is taken from what happens to be chosen."""
    open_page("pages/6_History.py", empty=True)
    data = replace(DATA, seed=4, n_train=20).load().train
    setting = {"n_latent": 12, "k": 3, "gamma1": 0.3, "gamma2": 0.017, "mu": 0.11}
    number = finish(run_manager().store, FitRequest(
        setting=setting, loss="huber:0.5", fit_intercept=True,
    ), data)  # fmt: skip
    app = open_page("pages/6_History.py")
    app.button(key=f"open_{number}").click().run()
    assert not app.exception
    assert not app.error
    model = app.session_state["last_model"]
    assert app.session_state["own_data"].dataset.train.fingerprint == data.fingerprint
    assert model.result.settings == Settings.from_mapping(setting)
    alone = solve_vstg(data, **setting, loss="huber:0.5", fit_intercept=True)
    np.testing.assert_allclose(model.result.W, alone.W, atol=1e-12)
    assert "keeps training rows only" in app.warning[0].value
    assert len(app.warning) == 1  # everything else is shown as it was


def test_a_run_whose_data_are_gone_says_so(open_page):
    open_page("pages/6_History.py", empty=True)
    store = run_manager().store
    number = finish(store, FitRequest(setting={"n_latent": 3, "k": 1, "gamma1": 1.0,
                    "gamma2": 1.0}), replace(DATA, seed=5).load().train)  # fmt: skip
    store.write("DELETE FROM data")
    app = open_page("pages/6_History.py")
    app.button(key=f"open_{number}").click().run()
    assert not app.exception
    assert "neither this session nor the store has" in app.error[0].value


def test_tune_marks_what_was_found_and_says_where_the_grid_ends(
    open_page, path, tmp_path, monkeypatch
):
    grid = {"n_latent": [5], "k": [1], "gamma1": [2**-3, 2**-1], "gamma2": [2**-4]}
    after = {"cut": [0.0, 0.2], "relax": [0.0]}
    (tmp_path / "runs.sqlite").write_bytes(path.read_bytes())
    settings = Settings(5, 1, 0.4, 2**-4, 0.4, cut=0.2, relax=0.0)
    best = {"setting": settings.to_mapping(), "error": 1.0, "n_variables": 20}
    with Store(tmp_path / "runs.sqlite") as store:
        number = finish(
            store, SearchRequest(method="vstg_refitted", grid=grid | after, folds=2)
        )
        found = store.add_run(DiscoveryRequest(), DATA.load().train)
        store.claim(found)
        store.change(found, best=json.dumps(best | {"n_groups": 5}))
        store.finish(found, "done")
    result = SimpleNamespace(settings=settings, W=np.eye(2))
    monkeypatch.setattr(
        "pages.tune.found.read_found", lambda *_: SimpleNamespace(result=result)
    )
    app = open_page("pages/3_Tune.py", run=str(number))
    tiles = " ".join(html.value for html in app.get("html"))
    assert "◇ Find the settings" in tiles
    assert "γ₁ = 0.4" in tiles
    names = {trace.get("name") for chart in charts(app) for trace in chart["data"]}
    assert {"best", "one standard error", "found settings"} <= names
    (said,) = [c.value for c in app.caption if "edge of the grid" in c.value]
    assert "cut = 0.2 is the largest" in said
    assert "search again with" in said
    assert app.selectbox(key="maps_cut").value in (0.0, 0.2)
    app = open_page("pages/6_History.py")
    assert "VSTG-MTL, refitted" in " ".join(h.value for h in app.get("html"))


def test_the_refitted_method_is_compared_by_its_name(tmp_path):
    grid = {"n_latent": [5], "k": [1], "gamma1": [2**-3], "gamma2": [2**-4]}
    after = {"cut": [0.0, 0.2], "relax": [0.0]}
    loaded = DATA.load()
    with Store(tmp_path / "runs.sqlite") as store:
        pair = [store.add_data(loaded.train), store.add_data(loaded.test)]
        request = ComparisonRequest(
            methods=["vstg", "vstg_refitted"],
            grids={"vstg": grid, "vstg_refitted": grid | after},
            splits=[pair], folds=2,
        )  # fmt: skip
        judged = read_evaluations(store, store.run(finish(store, request)))
    plain, refitted = judged
    assert refitted.setting["cut"] == 0.2
    assert refitted.by_task.mean() < plain.by_task.mean()
    assert (refitted.W[20:] == 0).all()  # the irrelevant variables
    assert "VSTG-MTL, refitted" in table_html(compared(judged))


def test_methods_of_today_are_tuned_and_compared(open_page, tmp_path):
    grids = {
        "l21": {"gamma1": [0.1, 1.0]},
        "dirty": {"gamma1": [0.1], "gamma2": [1.0]},
        "clustered": {"n_latent": [5], "gamma1": [1.0], "gamma2": [0.1]},
        "pretrained": {"alpha": [0.0, 0.5], "gamma1": [0.1, 1.0], "gamma2": [0.1]},
    }
    loaded = DATA.load()
    with Store(tmp_path / "runs.sqlite") as store:
        pair = [store.add_data(loaded.train), store.add_data(loaded.test)]
        compared = ComparisonRequest(
            methods=list(grids), grids=grids, splits=[pair], folds=2
        )
        both = finish(store, compared)
        one = finish(
            store, SearchRequest(method="pretrained", grid=grids["pretrained"], folds=2)
        )
    app = open_page("pages/4_Compare.py", run=str(both))
    shown = " ".join(html.value for html in app.get("html"))
    for label in ("L2,1", "Dirty model", "Clustered MTL", "Pretrained LASSO"):
        assert label in shown
    app = open_page("pages/3_Tune.py", run=str(one))
    assert app.selectbox(key="maps_alpha").value in (0.0, 0.5)
    app.multiselect(key="tune_methods").set_value(list(grids)).run()
    assert not app.exception
    assert not app.button(key="tune_start").disabled


def test_a_run_opens_with_its_K_and_says_what_is_fitted_otherwise(tmp_path):
    setting = {"n_latent": 20, "k": 15, "gamma1": 0.3, "gamma2": 2**-4}
    request = FitRequest(setting=setting, fit_intercept=True)
    with Store(tmp_path / "runs.sqlite") as store:
        run = store.run(store.add_run(request, DATA.load().train))
    effort = SolverChoice("admm", 5)
    values = exactly(control_values(DATA), Settings.from_mapping(setting), effort)
    assert choices(values).settings == Settings.from_mapping(setting)
    assert choices(values).effort == effort
    lost = fitted_otherwise(run, control_values(DATA))
    assert lost == ["intercepts = True (shown: False)"]


def test_a_run_with_more_bases_than_tasks_opens_with_all_of_them(monkeypatch):
    settings = Settings(12, 2, 0.25, 0.25, 0.25)
    own = own_of_dataset(make_syn(1, n_features=10, n_tasks=5, random_state=0), "x()")
    app = AppTest.from_file(APP, default_timeout=60)
    app.session_state["own_data"] = own
    monkeypatch.setattr("pages.shared.state.choices.own_data", lambda: own)
    values = exactly({"data": "Yours"}, settings, SolverChoice())
    assert choices(values).settings == settings
    for key, value in values.items():
        app.session_state[key] = value
    app.query_params["data"] = "Yours"  # a bare address opens the story
    app.run()
    assert not app.exception
    assert any("Exactly: K = 12" in caption.value for caption in app.caption)
