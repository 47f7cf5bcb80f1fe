"""The Reproduce page without a browser, and what it says of made-up results."""

import json
from pathlib import Path

import pytest
from reproduced import made_up, write
from streamlit.testing.v1 import AppTest

from pages.reproduce import cell as reproduce_cell
from pages.reproduce import run as reproduce_run
from pages.reproduce.findings import findings, p_words
from pages.reproduce.opening import explore_values
from pages.reproduce.source import MeasuredTable, label_of_run
from pages.reproduce.table import colour, read_cell, scale_html, table_html
from pages.shared.data.catalogue import SyntheticData
from pages.shared.runs.manager import run_manager
from vstg.jobs import Manager, Store
from vstg.jobs.kinds.reproduction import entries_of
from vstg.reproduction import BENCHMARKS, EXHIBITS
from vstg.reproduction.report import summary

APP = str(Path(__file__).parents[2] / "app.py")
PAGE = "pages/7_Reproduce.py"
BEST_K3 = {("syn3", m, "vstg_k3"): -3.0 for m in ("rmse", "ree")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Results of both tables as the project ships them."""
    place = tmp_path_factory.mktemp("results")
    write(made_up(), place / "table1")
    write(made_up("table2"), place / "table2")
    everything = EXHIBITS["table1"].all_columns
    moves = {"rmse": -3.0, "ree": 3.0}
    lead = {
        (data, measure, "vstg_refitted"): sd
        for data in EXHIBITS["table1"].sets
        for measure, sd in moves.items()
    }
    write(made_up(columns=everything, shift=lead), place / "table1-refitted")
    return place


@pytest.fixture
def open_page(folder, tmp_path, monkeypatch, managers):
    """Open the page on a store of its own; nothing is worked on."""
    monkeypatch.setattr(Manager, "_ask", lambda self, process: process)

    def opened(*, results=folder, data="", store=None, state=(), **query):
        monkeypatch.setenv("VSTG_STORE", str(store or tmp_path / "runs.sqlite"))
        monkeypatch.setenv("VSTG_RESULTS", str(results))
        monkeypatch.setenv("VSTG_DATA", str(data or tmp_path / "no-data"))
        monkeypatch.delenv("VSTG_DATA_DIR", raising=False)
        run_manager.clear()
        app = AppTest.from_file(APP, default_timeout=120)
        for key, value in query.items():
            app.query_params[key] = value
        for key, value in dict(state).items():
            app.session_state[key] = value
        app.switch_page(PAGE).run()
        managers.append(run_manager())
        assert not app.exception
        return app

    return opened


def table_of(app):
    """What the table component was given."""
    (found,) = [c for c in app.get("bidi_component") if "vstg-paper" in str(c.proto)]
    return str(found.proto)


def chart(app, number=0):
    return json.loads(app.get("plotly_chart")[number].proto.spec)


def said(app):
    return " ".join(m.value for m in app.markdown)


def test_without_results_it_says_how_to_get_them(open_page, tmp_path):
    app = open_page(results=tmp_path / "nothing")
    assert "no results for Table 1 yet" in app.info[0].value
    assert not app.button(key="reproduce_start").disabled
    assert "vstg reproduce table1 --jobs" in app.code[0].value
    assert "-o results/table1-refitted" in app.code[1].value


def test_shipped_results_are_shown_with_their_repetitions(open_page):
    app = open_page()
    assert "VSTG-MTL has the lowest mean error in all 8 rows" in said(app)
    assert len(app.dataframe[1].value) == 10
    boxes = [t for t in chart(app)["data"] if t["type"] == "box"]
    assert len(boxes) == 6
    assert boxes[-1]["name"] == "VSTG-MTL<br>k=3"  # in one line it meets its neighbour


def test_refitted_column_is_shown_where_results_have_it(open_page):
    app = open_page()
    assert "refitted" not in table_of(app)
    app.selectbox(key="reproduce_source_table1").set_value("refitted").run()
    assert not app.exception
    assert "VSTG-MTL, refitted" in table_of(app)
    assert "not in the paper" in table_of(app)
    text = "lowest mean error in 4 of 8 rows, and is significantly better"
    assert text in said(app)
    app.selectbox(key="table1_method").set_value("vstg_refitted").run()
    assert not app.exception
    tests, repetitions = (frame.value for frame in app.dataframe[:2])
    assert len(tests) == 10
    assert (tests["verdict"] == "better").all()
    assert (repetitions["cut"] == 0.3).all()
    names = [t["name"] for t in chart(app)["data"] if t["type"] == "box"]
    assert names[-1] == "VSTG-MTL<br>refitted"
    assert len(chart(app)["layout"]["shapes"]) == 2 * 6  # the paper has no band for it


def test_repetition_that_these_results_lack_is_not_kept(open_page):
    app = open_page(state={"reproduce_repetition": 77})
    assert app.selectbox(key="reproduce_repetition").value == 0


def test_folder_of_the_real_data_is_asked_for_only_where_files_lack(
    open_page, monkeypatch
):
    app = open_page(exhibit="Table 2")
    assert app.text_input(key="reproduce_folder") is not None
    monkeypatch.setattr(reproduce_run, "lacks_files", lambda exhibit: False)
    app = open_page(exhibit="Table 2")
    assert "reproduce_folder" not in [field.key for field in app.text_input]


def test_lists_choose_the_cell(open_page):
    app = open_page()
    app.selectbox(key="table1_set").set_value("syn4").run()
    app.selectbox(key="table1_method").set_value("lasso").run()
    assert not app.exception
    assert "Repetitions of LASSO on Syn4" in said(app)
    assert "K" not in app.dataframe[1].value.columns  # LASSO has none
    assert not [b for b in app.button if b.key == "reproduce_open"]
    assert app.query_params["cell"] == "syn4|rmse|lasso"


def test_label_of_a_run_stays_the_same_while_it_goes_on(tmp_path):
    """A browser sends the label back; one that changed would choose something else."""
    request = reproduce_run.quick_request("table1", ["syn1"], "")
    with Store(tmp_path / "runs.sqlite") as store:
        data = BENCHMARKS["syn1"].load(0, {}).train
        number = store.add_run(request, data, name="Table 1", data_name="table1")
        labels = {label_of_run(store.run(number))}
        store.claim(number)
        labels.add(label_of_run(store.run(number)))
        store.finish(number, "cancelled")
        labels.add(label_of_run(store.run(number)))
    assert labels == {f"run {number} · quick, Syn1"}


def test_cell_that_nobody_chose_moves_to_vstg_once_it_is_there(monkeypatch):
    state = {}
    monkeypatch.setattr(reproduce_cell.st, "session_state", state)
    monkeypatch.setattr(reproduce_cell.st, "query_params", {})
    found = made_up()
    whole = summary(found.outcomes, found.exhibit)
    begun = whole[whole["column"] == "lasso"]
    assert reproduce_cell.current("table1", begun) == ("syn1", "rmse", "lasso")
    assert reproduce_cell.current("table1", whole) == ("syn1", "rmse", "vstg_k1")
    reproduce_cell.put("table1", ("syn1", "rmse", "lasso"))  # now by a press
    assert reproduce_cell.current("table1", whole) == ("syn1", "rmse", "lasso")
    assert reproduce_cell.current("table1", whole) == ("syn1", "rmse", "lasso")


def test_link_names_a_cell(open_page):
    app = open_page(cell="syn2|ree|vstg_k3")
    assert app.selectbox(key="table1_set").value == "syn2"
    assert app.selectbox(key="table1_measure").value == "ree"
    assert app.selectbox(key="table1_method").value == "vstg_k3"


def test_broken_link_is_ignored(open_page):
    app = open_page(cell="nothing|of|this", run="99")
    assert app.selectbox(key="table1_method").value == "vstg_k1"


def test_table_2_without_the_data_says_how_to_get_them(open_page):
    app = open_page(exhibit="Table 2")
    assert any("vstg data fetch" in info.value for info in app.info)
    assert not [b for b in app.button if b.key == "reproduce_start"]
    assert len(app.dataframe[1].value) == 10
    captions = " ".join(c.value for c in app.caption)
    assert "on the Data page" in captions


def test_quick_run_is_submitted_once_shown_and_opened_from_its_number(
    open_page, tmp_path
):
    app = open_page(results=tmp_path / "nothing")
    app.button(key="reproduce_start").click().run()
    assert not app.exception
    assert not [b for b in app.button if b.key == "reproduce_start"]  # it runs
    request = reproduce_run.quick_request("table1", list(EXHIBITS["table1"].sets), "")
    assert reproduce_run.submit(request) == 1  # and is not begun twice
    with Store(tmp_path / "runs.sqlite") as store:
        (run,) = store.runs(kind="reproduction")
        assert run.request.effort == "quick"
        assert len(entries_of(run.request)) == 2 * 4 * 6
        number = run.id
    assert app.selectbox(key="reproduce_source_table1").value == number
    app = open_page(run=str(number))
    assert app.selectbox(key="reproduce_source_table1").value == number
    assert "first method is running" in app.info[0].value


def test_number_of_a_run_of_table_2_opens_table_2(open_page, tmp_path):
    request = reproduce_run.quick_request("table2", ["school"], "")
    path = tmp_path / "runs.sqlite"
    with Store(path) as store:
        data = BENCHMARKS["syn1"].load(0, {}).train
        number = store.add_run(request, data, name="Table 2", data_name="table2")
        store.claim(number)
        store.finish(number, "cancelled")
    app = open_page(run=str(number))
    assert app.segmented_control(key="exhibit").value == "table2"
    assert app.selectbox(key="reproduce_source_table2").value == number
    assert [b for b in app.button if b.key == f"resume_{number}"]


def test_figure_2_has_eight_panels_and_follows_k(open_page):
    app = open_page(exhibit="Figure 2")
    panels = chart(app)["data"]
    assert len(panels) == 8
    assert [p["name"][-3:] for p in panels[4:]] == ["k=1", "k=1", "k=3", "k=3"]
    links = [link.proto for link in app.get("page_link")]
    assert [link.label for link in links if "in Explore" in link.label] == [
        f"Syn{n} in Explore" for n in (1, 2, 3, 4)
    ]
    app.segmented_control(key="fig2_k").set_value("vstg_k3").run()
    assert [p["name"][-3:] for p in chart(app)["data"][4:]] == ["k=3"] * 4


def test_figure_1_is_the_example_of_the_lesson(open_page):
    app = open_page(exhibit="Figure 1")
    assert any("learn-toy" in str(c.proto) for c in app.get("bidi_component"))
    assert "Variables 2, 6 and 7" in said(app)


def test_explore_gets_the_very_data_and_setting_of_a_repetition():
    setting = {"n_latent": 9, "k": 3, "gamma1": 0.5, "gamma2": 2.0**-10}
    values = explore_values("syn3", 7, setting)
    assert (values["K"], values["k"], values["g1"], values["g2"]) == (9, 3, -1, -10)
    choice = SyntheticData(
        values["data"], values["size"], values["seed"], values["n"], values["noise"]
    )
    experiment = BENCHMARKS["syn3"].load(7, {})
    assert choice.load().train.fingerprint == experiment.train.fingerprint


def paragraph(results):
    found = MeasuredTable.of(results)
    return findings(results.exhibit.columns, found.table, found.tests)


def test_paragraph_follows_the_numbers():
    text = paragraph(made_up(shift=BEST_K3))
    rows = "Syn3 (RMSE), Syn3 (REE), Syn4 (RMSE), Syn4 (REE)"
    assert f"better on {rows} (p = 0.002; paper: better)" in text
    lasso = {("syn1", "rmse", "lasso"): -5.0}
    text = paragraph(made_up(shift=lasso))
    assert "7 of 8 rows; the others: LASSO on Syn1 (RMSE)" in text
    assert "We disagree with the paper" in text
    assert "whatever its k, on Syn1 (RMSE)" in text
    worse = {("syn4", "rmse", "vstg_k3"): 4.0}
    text = paragraph(made_up(shift=worse))
    assert "worse on Syn4 (RMSE)" in text
    assert text.count("\n- **") == 2  # three points, each a line


def test_paragraph_of_few_repetitions_claims_nothing():
    few = made_up(repetitions=2, sets=["syn1"], columns=["lasso", "vstg_k1"])
    text = paragraph(few)
    assert "So far, 0 of 2 rows have results for every method" in text
    text = paragraph(made_up(repetitions=2))
    assert "every other column in none," in text
    assert "no difference can be significant" in text


def test_paragraph_of_a_table_without_a_row_won_says_none():
    lead = {
        (data, measure, "lasso"): -50.0
        for data in EXHIBITS["table1"].sets
        for measure in BENCHMARKS[data].measures
    }
    assert "lowest mean error in none of the 8 rows" in paragraph(made_up(shift=lead))


def test_p_values_of_several_rows_are_said_by_the_one_that_says_least():
    assert p_words([0.002, 0.002], sure=True) == "p = 0.002"
    assert p_words([0.002, 0.04], sure=True) == "p ≤ 0.04"
    assert p_words([0.9, 0.3], sure=False) == "p ≥ 0.3"


def test_colours_of_the_table_are_explained_with_their_ends():
    assert "3 sd better than the paper" in scale_html()
    assert "3 sd worse" in scale_html()


def test_cells_say_in_words_and_colours_who_is_better():
    shift = {("syn1", "rmse", "lasso"): -2.0, ("syn1", "rmse", "mmtfl"): 2.0}
    found = made_up(shift=shift)
    table = summary(found.outcomes, found.exhibit)
    html = table_html(table, found.exhibit, ("syn1", "rmse", "lasso"))
    assert html.count('aria-pressed="true"') == 1
    assert html.count("<button") == 48
    assert " sd better" in html
    assert " sd worse" in html
    assert colour(-2.0) != colour(2.0)
    assert colour(0.0).endswith(",0.00)")
    assert colour(9.0) == colour(3.0)


def test_cell_names_are_read_back():
    assert read_cell("syn1|rmse|lasso") == ("syn1", "rmse", "lasso")
    assert read_cell("x|y|z") is None
    assert read_cell(None) is None


def test_all_of_table_1_can_be_had_without_files(tmp_path, monkeypatch):
    monkeypatch.setenv("VSTG_DATA", str(tmp_path))
    monkeypatch.delenv("VSTG_DATA_DIR", raising=False)
    assert reproduce_run.sets_here("table1", "") == list(EXHIBITS["table1"].sets)
    assert reproduce_run.sets_here("table2", "") == []
