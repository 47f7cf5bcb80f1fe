"""Runs on an uploaded table: their visitor's alone, and gone with the visit."""

from pathlib import Path
from threading import Event

import pytest
from streamlit.runtime.caching.cache_resource_api import clear_session_cache
from streamlit.testing.v1 import AppTest

from pages.history import words
from pages.shared.fits import live
from pages.shared.runs import visits
from pages.shared.runs.manager import run_manager
from pages.tune import words as tune_words
from vstg.jobs import Manager
from vstg.jobs.queue import do_run
from vstg.tables import Preparation

APP = str(Path(__file__).parents[2] / "app.py")
SECRET = "clinic Lindau"
TABLE = "clinic,x,w,y\n" + "".join(
    f"{SECRET if i % 3 == 0 else f'clinic {i % 3}'},{i * 7 % 11},{i * 5 % 13},"
    f"{i * 7 % 11 + i % 3}\n"
    for i in range(60)
)


@pytest.fixture(autouse=True)
def store(tmp_path, monkeypatch):
    """A store of this test; its runs are done here, not in other processes."""
    monkeypatch.setattr(Manager, "_serve", lambda manager: None)
    live.warm_up()
    monkeypatch.setenv("VSTG_STORE", str(tmp_path / "runs.sqlite"))
    run_manager.clear()
    visits.visits.clear()
    manager = run_manager()
    yield manager.store
    for timer in leave():
        timer.cancel()
    manager.close()
    run_manager.clear()
    visits.visits.clear()


def leave():
    """What Streamlit does when a connection breaks; returns who may have left."""
    clear_session_cache("test session id")
    return list(visits.visits().leaving.values())


def visitor():
    app = AppTest.from_file(APP, default_timeout=60).run()
    assert not app.exception
    return app


def go(app, page):
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    return app


def with_table():
    """A visitor who has uploaded a table and uses it."""
    app = go(visitor(), "2_Data")
    content = ("clinics.csv", TABLE.encode(), "text/csv")
    app.file_uploader(key="upload").set_value(content).run()
    app.button(key="use").click().run()
    assert not app.exception
    return app


def searched(app, keep=False):
    """Start a small search on Tune and do it."""
    go(app, "3_Tune")
    app.segmented_control(key="tune_grid").set_value("own").run()
    app.button_group(key="tune_K").set_value([2]).run()
    app.button_group(key="tune_k").set_value([1]).run()
    app.segmented_control(key="tune_step").set_value(4).run()
    app.number_input(key="tune_folds").set_value(2).run()
    if keep:
        app.toggle(key="keep_runs").set_value(True).run()
    app.button(key="tune_start").click().run()
    assert not app.exception
    store = run_manager().store
    run = store.claim()
    do_run(store, run, Event())
    store.finish(run.id, "done")
    return run.id


def on_disk(store):
    content = b"".join(
        file.read_bytes() for file in store.path.parent.glob(store.path.name + "*")
    )
    return SECRET.encode() in content or SECRET.encode("utf-32-le") in content


def page_text(app):
    return " ".join(piece.value for piece in app.get("html"))


def test_another_visitor_never_sees_the_run_and_it_ends_with_the_visit(
    store, monkeypatch
):
    mine = with_table()
    number = searched(mine)
    assert store.run(number).owner
    assert on_disk(store)
    assert words.PRIVATE in page_text(go(mine, "6_History"))
    other = visitor()
    assert words.EMPTY in go(other, "6_History").info[0].value
    other.query_params["run"] = str(number)
    assert tune_words.NO_RUNS in go(other, "3_Tune").info[0].value
    other.query_params["runs"] = str(number)
    go(other, "4_Compare")
    assert "clinic" not in page_text(other)
    monkeypatch.setattr(visits, "grace_seconds", lambda: 0.0)
    for timer in leave():
        timer.join()
    assert store.runs() == []
    assert not on_disk(store)


def test_who_comes_back_in_time_finds_everything(store):
    app = with_table()
    number = searched(app)
    (timer,) = leave()
    go(app, "1_Learn")
    assert timer.finished.is_set()  # called off
    assert not visits.visits().leaving
    assert words.PRIVATE in page_text(go(app, "6_History"))
    assert [run.id for run in store.runs()] == [number]


def test_a_server_that_ends_takes_the_runs_with_it(store):
    searched(with_table())
    visits.visits().close()
    assert store.runs() == []
    assert not on_disk(store)


def test_forgetting_the_data_forgets_their_runs(store):
    app = with_table()
    searched(app)
    go(app, "2_Data").button(key="forget").click().run()
    assert not app.exception
    assert store.runs() == []
    assert not on_disk(store)


def test_a_run_is_kept_if_the_visitor_says_so(store):
    app = with_table()
    kept = searched(app, keep=True)
    go(app, "3_Tune").toggle(key="keep_runs").set_value(False).run()
    private = searched(app)
    assert [bool(store.run(n).owner) for n in (kept, private)] == [False, True]
    go(app, "6_History").button(key=f"keep_{private}").click().run()
    assert not app.exception
    visits.visits().close()
    assert [run.id for run in store.runs()] == [private, kept]


def test_a_run_records_how_its_table_was_prepared(store):
    run = store.run(searched(with_table()))
    recipe = Preparation.from_json(run.source_values["preparation"]).recipe
    assert (recipe.task, recipe.targets) == ("clinic", ("y",))


def test_a_sample_that_everybody_has_is_not_private(store):
    app = go(visitor(), "2_Data")
    app.segmented_control(key="data_from").set_value("A sample table").run()
    app.button(key="use").click().run()
    go(app, "3_Tune")
    assert "keep_runs" not in [toggle.key for toggle in app.toggle]


def test_explore_opens_a_run_with_its_data_and_setting(store):
    app = with_table()
    best = store.run(searched(app)).best
    app.run()
    app.button(key="open_best").click().run()
    assert not app.exception
    assert app.session_state["data"] == "Yours"
    assert app.session_state["K"] == 2
    assert 2.0 ** app.session_state["g1"] == best["setting"]["gamma1"]


def test_a_run_that_is_kept_opens_for_others_with_its_data(store):
    app = with_table()
    number = searched(app, keep=True)
    other = visitor()
    other.query_params["run"] = str(number)
    go(other, "3_Tune")
    next(b for b in other.button if b.key == "open_best").click().run()
    assert not other.exception and not other.error
    assert any("clinics.csv" in caption.value for caption in other.caption)
    assert f"data of run {number} come from the store" in other.warning[0].value
