"""The Data page, through app.py: files, roles, refusals, and on to Explore."""

import io
import math
import os
from dataclasses import replace
from html import unescape

import numpy as np
import pandas as pd
import pytest
from real_files import FILES, needs_files

from pages.data import words as data_words
from pages.data.known import REAL
from pages.explore.export.share import model_file, python_code, report
from pages.explore.results.findings import find
from pages.shared.data.catalogue import SyntheticData
from pages.shared.fits import live, yardsticks
from pages.shared.state.choices import choices
from vstg import solve_vstg
from vstg.datasets import load_sample
from vstg.prediction import Predictor

WARDS = load_sample("wards").path.read_bytes()
HOSTILE = b"<b>x</b>,*y*,$z$\n" + b"".join(
    f"t{i % 3},{i},{i * i % 7}\n".encode() for i in range(40)
)


@pytest.fixture(scope="module", autouse=True)
def compiled():
    live.warm_up()


@pytest.fixture
def open_data(open_app):
    """The Data page with a file in it."""

    def opened(content=None, name="table.csv"):
        app = open_app()
        app.switch_page("pages/2_Data.py").run()
        assert not app.exception
        return app if content is None else give(app, "upload", content, name)

    return opened


def give(app, key, content, name):
    app.file_uploader(key=key).set_value((name, content, "text/csv")).run()
    assert not app.exception
    return app


def shown(app):
    return " ".join(piece.value for piece in app.get("html"))


def group(app, key):
    return next(widget for widget in app.get("button_group") if widget.key == key)


def headline(app):
    pieces = [p.value for p in app.get("html")]
    return next((p for p in pieces if p.startswith('<dl class="vstg-head">')), "")


def test_a_file_goes_through_roles_and_report_to_explore(open_data):
    app = open_data(WARDS, "wards.csv")
    assert app.selectbox(key="map_task").value == "ward"
    assert app.selectbox(key="map_target").value == "hours_to_discharge"
    assert "30 tasks, 13 variables, 1,365 training and 467 test rows" in shown(app)
    assert "109 of 1941 rows are dropped" in shown(app)
    app.button(key="use").click().run()
    assert not app.exception
    assert not app.warning
    assert app.session_state["data"] == "Yours"
    assert "of 13" in headline(app)
    assert "REE" not in headline(app)  # nobody knows the truth of own data


def test_choices_change_the_report(open_data):
    app = open_data(WARDS, "wards.csv")
    app.selectbox(key="map_missing").set_value("median").run()
    assert "rows are dropped" not in shown(app)
    app.selectbox(key="map_split").set_value("order").run()
    app.selectbox(key="map_by_order").set_value("age").run()
    assert not app.exception
    assert any("order='age'" in code.value for code in app.code)
    app.selectbox(key="map_split").set_value("random").run()
    app.selectbox(key="map_weight").set_value("age").run()
    assert not app.exception
    assert any("weight='age'" in code.value for code in app.code)
    assert "30 tasks, 12 variables" in shown(app)  # the weight is none
    app.selectbox(key="map_weight").set_value(None).run()
    app.number_input(key="map_rows").set_value(60).run()
    assert "fewer than 60 rows are left out" in shown(app)
    app.selectbox(key="map_target").set_value("sex").run()
    assert group(app, "map_problem").value == "classification"  # it has two values
    group(app, "map_problem").set_value("regression").run()
    assert "contains no numbers" in shown(app)
    assert app.button(key="use").disabled
    app.selectbox(key="map_target").set_value("ward").run()
    assert "two roles" in shown(app)


def test_the_python_of_own_data_gives_the_same_fit(open_data, tmp_path, monkeypatch):
    app = open_data(WARDS, "wards.csv")
    app.selectbox(key="map_scaling").set_value("max").run()
    app.selectbox(key="map_weight").set_value("age").run()
    app.button(key="use").click().run()
    fit = app.session_state["last_model"]
    own = app.session_state["own_data"]
    shown = replace(choices({}), data=own, settings=fit.result.settings)
    code = python_code(shown)
    (tmp_path / "wards.csv").write_bytes(WARDS)
    monkeypatch.chdir(tmp_path)
    scope = {}
    exec(code, scope)
    np.testing.assert_allclose(scope["result"].W, fit.result.W, atol=1e-10)
    assert scope["train"].fingerprint == own.dataset.train.fingerprint
    assert fit.weights.startswith("rows weighted from")


@pytest.mark.parametrize(
    ("content", "words_of_it"),
    [
        (b"", "empty"),
        (b"a\n1\n", "one column"),
        (b"\x80\x04]\x94.", "pickle"),
        (b"a,b\n1,2\n1,2,3,4\n", "row 3 has 4 cells"),
        (b"PK\x03\x04garbage", "damaged"),
    ],
)
def test_bad_files_end_in_a_sentence(open_data, content, words_of_it):
    app = open_data(content, "bad.csv")
    assert words_of_it in shown(app)
    assert not app.exception


def test_names_are_never_taken_for_html(open_data):
    app = open_data(HOSTILE, "<img src=x>.csv")
    assert "<b>x</b>" not in shown(app)
    assert "<img" not in shown(app)
    app.button(key="use").click().run()
    assert not app.exception


def test_another_file_starts_with_its_own_roles(open_data):
    app = open_data(WARDS, "wards.csv")
    app.selectbox(key="map_scaling").set_value("none").run()
    give(app, "upload", load_sample("machines").path.read_bytes(), "machines.csv")
    assert app.selectbox(key="map_task").value == "machine"
    assert app.selectbox(key="map_scaling").value == "standard"
    assert group(app, "map_problem").value == "classification"


def test_classification_shows_error_rates(open_data):
    app = open_data(load_sample("machines").path.read_bytes(), "machines.csv")
    app.button(key="use").click().run()
    if next((b for b in app.button if b.key == "run"), None) is not None:
        pytest.fail("sixteen small tasks must be fitted at once")
    assert "Test error (error rate)" in headline(app)


@pytest.mark.parametrize("name", ["shops", "wines", "syn2"])
def test_samples_are_ready_to_use(open_data, name):
    app = open_data()
    group(app, "data_from").set_value(data_words.FROM_SAMPLE).run()
    app.selectbox(key="sample").set_value(name).run()
    assert not app.button(key="use").disabled
    app.button(key="use").click().run()
    assert not app.exception
    assert "converged" in headline(app)


def test_own_data_can_be_forgotten_and_are_private(open_data, open_app):
    app = open_data(WARDS, "wards.csv")
    app.button(key="use").click().run()
    other = open_app(data="Yours")
    assert "own_data" not in other.session_state
    assert other.session_state["data"] == "Syn1"
    assert any("Yours" in warning.value for warning in other.warning)
    app.switch_page("pages/2_Data.py").run()
    assert "In use: wards.csv" in shown(app)
    app.button(key="forget").click().run()
    assert "In use" not in shown(app)
    assert "own_data" not in app.session_state
    assert "last_model" not in app.session_state


def test_nothing_of_own_data_is_kept_by_the_server(open_data):
    before = len(live.memory().items)
    app = open_data(WARDS, "wards.csv")
    used = len(live.memory().items)
    app.button(key="use").click().run()
    assert len(live.memory().items) == used >= before


PANEL = "".join(
    f"{i},s{i % 6},{1990 + i // 6},{v},{math.log(v)},{gap},{i % 5}\n"
    for i, v in enumerate(100 + 37 * j % 101 for j in range(60))
    for gap in ["" if i < 30 else i % 7]
)


def test_what_the_table_does_not_say_is_asked_and_warnings_have_a_button(open_data):
    header = ",state,year,usage,lusage,gaps,other\n"
    app = open_data((header + PANEL).encode(), "panel.csv")
    assert app.selectbox(key="map_task").value == "state"
    assert app.selectbox(key="map_target").value is None
    assert app.multiselect(key="map_leave_out").value == ["column 1"]
    assert "Choose the target" in shown(app)
    assert not [b for b in app.button if b.key == "use"]
    app.button(key="target_perhaps_0").click().run()
    assert app.selectbox(key="map_target").value == "usage"
    assert "30 of 60 rows are dropped" in shown(app)
    assert "'gaps' (30)" in unescape(shown(app))
    app.button(key="fill_0").click().run()
    assert "rows are dropped" not in shown(app)
    assert "'lusage' is nearly a function of the target" in unescape(shown(app))
    leak = next(i for i in range(9) if "lusage" in finding(app, i))
    app.button(key=f"leave_{leak}").click().run()
    assert app.multiselect(key="map_leave_out").value == ["column 1", "lusage"]
    assert "nearly a function" not in shown(app)
    assert "6 tasks, 3 variables" in shown(app)
    app.button(key="use").click().run()
    assert not app.exception
    assert app.session_state["own_data"].dataset.train.feature_names == (
        "year", "gaps", "other",
    )  # fmt: skip


def finding(app, number):
    """The sentence beside the button with this number."""
    lines = [p.value for p in app.get("html") if p.value.startswith(("⚠", "·", "<b"))]
    return lines[number] if number < len(lines) else ""


def test_excel_is_read_too(open_data):
    buffer = io.BytesIO()
    pd.read_csv(io.BytesIO(WARDS)).to_excel(buffer, index=False)
    app = open_data(buffer.getvalue(), "wards.xlsx")
    assert "30 tasks, 13 variables" in shown(app)


def test_sheets_and_arrays_are_chosen_from_lists(open_data):
    wards = pd.read_csv(io.BytesIO(WARDS))
    buffer = io.BytesIO()
    with pd.ExcelWriter(buffer) as writer:
        wards.head(40).to_excel(writer, sheet_name="First", index=False)
        wards.to_excel(writer, sheet_name="All", index=False)
    app = open_data(buffer.getvalue(), "wards.xlsx")
    assert app.selectbox(key="upload_sheet").options[1:] == ["First", "All"]
    app.selectbox(key="upload_sheet").set_value("All").run()
    assert "30 tasks, 13 variables" in shown(app)
    arrays = io.BytesIO()
    rng = np.random.default_rng(0)
    np.savez(
        arrays, A=rng.normal(size=(60, 3)), b=rng.normal(size=60), g=np.arange(60) % 4
    )
    give(app, "upload", arrays.getvalue(), "arrays.npz")
    assert "give X and Y" in shown(app)
    for role, name in {"x": "A", "y": "b", "tasks": "g"}.items():
        app.selectbox(key=f"upload_array_{role}").set_value(name).run()
    assert "4 tasks, 3 variables" in shown(app)
    assert not app.exception


def test_digits_need_no_download(open_data):
    app = open_data()
    group(app, "data_from").set_value(data_words.FROM_KNOWN).run()
    app.button(key="known_load").click().run()
    assert not app.exception
    assert app.session_state["own_data"].dataset.train.n_tasks == 10


@needs_files
@pytest.mark.parametrize(("number", "tasks"), [(1, 139), (2, 42), (3, 190)])
def test_known_data_are_read_from_a_folder(open_data, number, tasks):
    app = open_data()
    group(app, "data_from").set_value(data_words.FROM_KNOWN).run()
    app.selectbox(key="known").set_value(list(REAL)[number]).run()
    app.text_input(key="known_folder").set_value(str(FILES)).run()
    app.button(key="known_load").click().run()
    assert not app.exception
    assert app.session_state["data"] == "Yours"
    assert app.session_state["own_data"].dataset.train.n_tasks == tasks


def test_a_missing_folder_is_a_sentence(open_data, tmp_path):
    app = open_data()
    group(app, "data_from").set_value(data_words.FROM_KNOWN).run()
    app.selectbox(key="known").set_value(list(REAL)[1]).run()
    app.text_input(key="known_folder").set_value(str(tmp_path / "no")).run()
    app.button(key="known_load").click().run()
    assert not app.exception
    assert any("is not a folder" in text.value for text in app.text)


class Noted:
    """In place of the queue: what it was given."""

    def __init__(self):
        self.store = self
        self.requests, self.about = [], []

    def add_data(self, data):
        return data.fingerprint

    def submit(self, request, data, **about):
        self.requests.append(request)
        self.about.append(about)
        return len(self.requests)


@pytest.mark.parametrize(
    ("name", "loss"), [("wards", "squared"), ("machines", "logistic")]
)
def test_searches_and_comparisons_learn_how_own_data_are_fitted(
    open_data, monkeypatch, name, loss
):
    from pages.compare import page as compare
    from pages.shared.runs import visits
    from pages.tune import request as tune_request

    app = open_data(load_sample(name).path.read_bytes(), f"{name}.csv")
    app.button(key="use").click().run()
    data, queue = app.session_state["own_data"], Noted()
    monkeypatch.setattr(compare, "run_manager", lambda: queue)
    monkeypatch.setattr(tune_request, "run_manager", lambda: queue)
    monkeypatch.setattr(visits, "owner", lambda: "visitor")
    monkeypatch.setattr(compare, "act", lambda action: action())
    asked = tune_request.TuneChoice(
        ("vstg",),
        (2,),
        (1,),
        (1.0,),
        (1.0,),
        (0.0,),
        (0.0,),
        (0.5,),
        False,
        3,
        1,
        0,
        False,
        1,
        None,
    )
    tune_request.submit(queue, asked, data, data.dataset)
    compare.begin(data, ["vstg"], "coarse", 2)
    for request, about in zip(queue.requests, queue.about, strict=True):
        assert request.loss == loss
        assert request.fit_intercept
        assert about["data_name"] == f"{name}.csv"


@pytest.mark.parametrize("page", ["3_Tune", "4_Compare"])
def test_own_data_are_offered_by_the_other_pages(
    open_data, page, tmp_path, monkeypatch
):
    monkeypatch.setenv("VSTG_STORE", str(tmp_path / "store.db"))
    app = open_data(WARDS, "wards.csv")
    app.button(key="use").click().run()
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    group(app, "data").set_value("Yours").run()
    assert not app.exception


def test_a_path_on_this_computer_is_read_where_it_is_local(open_data, tmp_path):
    app = open_data()
    (tmp_path / "wards.csv").write_bytes(WARDS)
    (tmp_path / "other.doc").write_bytes(b"x")
    app.text_input(key="path").set_value(str(tmp_path)).run()
    assert "30 tasks, 13 variables" in shown(app)
    app.text_input(key="path").set_value(str(tmp_path / "none.csv")).run()
    assert "cannot be opened" in shown(app)
    assert not app.exception


def test_no_path_is_asked_for_on_a_public_server(open_data, monkeypatch):
    monkeypatch.setattr("pages.shared.app.access.LOCAL", ())
    app = open_data()
    assert "path" not in [field.key for field in app.text_input]


def test_an_empty_page_shows_what_tables_look_like_until_one_is_there(open_data):
    app = open_data()
    assert len(app.table) == 2
    assert list(app.table[0].value.columns) == ["task", "target", "x1", "x2"]
    app = give(app, "upload", WARDS, "wards.csv")
    assert not app.table


def test_known_data_say_how_large_they_are(open_data):
    app = open_data()
    group(app, "data_from").set_value(data_words.FROM_KNOWN).run()
    app.selectbox(key="known").set_value(list(REAL)[1]).run()
    said = [caption.value for caption in app.caption]
    assert any(text.startswith("139 tasks and 28 variables") for text in said)


def test_explore_says_which_data_are_yours(open_data):
    app = open_data(WARDS, "wards.csv")
    app.button(key="use").click().run()
    assert "wards.csv: 13 variables × 30 tasks" in [c.value for c in app.caption]
    said = shown(app)
    assert "ridge per task" in said and "haring" in said  # how good it is
    assert "wards (" in said and "hours_to_discharge rises with" in said  # in words


@pytest.fixture
def plain_fits(monkeypatch):
    """The plain models of this test, in the order in which they were fitted."""
    fits, fit = [], yardsticks.fitted

    def counted(data):
        fits.append(fit(data))
        return fits[-1]

    monkeypatch.setattr(yardsticks, "fitted", counted)
    return fits


def test_plain_models_are_fitted_once_for_page_report_and_file(plain_fits):
    choice = SyntheticData("Syn1", "25 × 20", 3, 50, 1.0)
    data = choice.load()
    plain = yardsticks.plain_models_of(choice, data)
    assert not plain_fits  # not before they are asked for
    result = solve_vstg(data.train, n_latent=2, k=1, gamma1=0.1, gamma2=0.1)
    assert plain() is yardsticks.plain_models_of(choice, data)()
    shown = yardsticks.against(choice, data, result)
    content = model_file(Predictor.of(result, data.train), data, plain)
    kept = Predictor.load(content).evaluation
    assert {n: kept[n] for n in shown.baselines} == pytest.approx(shown.baselines)
    assert len(plain_fits) == 1


@pytest.mark.parametrize("name", ["wards", "machines"])
def test_report_of_own_data_is_made_without_the_session(open_data, name, plain_fits):
    app = open_data(load_sample(name).path.read_bytes(), f"{name}.csv")
    app.button(key="use").click().run()
    own, fit = app.session_state["own_data"], app.session_state["last_model"]
    # A download is made when the page's run, and with it the session, is over.
    chosen = replace(choices({}), data=own)
    found = find(fit.result, own.dataset)
    code = python_code(chosen)
    (made,) = plain_fits  # for the line below the headline
    html = report(
        chosen, found, fit.result, own.dataset, code, plain=lambda: made
    ).decode()
    assert len(plain_fits) == 1
    variables, tasks = own.shape
    for heading in ("The question", "The answer", "The data", "How to repeat it"):
        assert f"<h2>{heading}</h2>" in html
    assert "ridge per task" in html and "haring" in html  # how good it is
    assert str(own.prepared.recipe.targets[0]) in html
    assert f"{name}.csv: {variables} variables, {tasks} tasks" in html
    assert "read_table(" in html
    for synthetic in ("seed", "25 × 20", "σ"):
        assert (
            synthetic
            not in html.partition("read_table(")[0].partition("<body")[2][:3000]
        )


def test_a_typo_in_the_encoding_is_no_dead_end(open_data):
    app = open_data(WARDS, "wards.csv")
    app.text_input(key="upload_encoding").set_value("utf-9").run()
    assert "cannot be read as utf-9" in shown(app)
    app.text_input(key="upload_encoding").set_value("utf-8").run()
    assert "30 tasks, 13 variables" in shown(app)
    assert not app.exception


@pytest.mark.parametrize("encoding", ["undefined", "punycode"])
def test_odd_encodings_are_a_sentence(open_data, encoding):
    app = open_data(WARDS, "wards.csv")
    app.text_input(key="upload_encoding").set_value(encoding).run()
    assert "cannot be read as" in shown(app)
    assert not app.exception


def test_the_store_a_pipe_and_a_device_are_not_opened(open_data, tmp_path, monkeypatch):
    store = tmp_path / "runs.sqlite"
    store.write_bytes(b"task,y,x\na,1,2\n")
    os.mkfifo(tmp_path / "pipe.csv")
    monkeypatch.setenv("VSTG_STORE", str(store))
    app = open_data()
    for path, told in {
        store: "belongs to the run store",
        tmp_path / "pipe.csv": "a device or a pipe",
        "/dev/zero": "a device or a pipe",
    }.items():
        app.text_input(key="path").set_value(str(path)).run()
        assert told in shown(app)
        assert not app.exception
