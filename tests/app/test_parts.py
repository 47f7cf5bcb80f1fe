"""The parts of the page that need no Streamlit."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from pages.explore.export.share import (
    factor_tables,
    link,
    python_code,
    python_number,
    report,
)
from pages.explore.panel import panel_html
from pages.explore.picture.focus import focus_cell, formula_html
from pages.explore.picture.stage import alt_text, chosen_cell, scheme_data
from pages.explore.results import tables
from pages.explore.results.findings import find
from pages.explore.results.headline import headline_html
from pages.shared.fits import cost
from pages.shared.state.choices import choices
from pages.shared.state.parameters import SIZES
from pages.shared.ui.downloads import to_csv
from vstg import solve_vstg
from vstg.data import Dataset
from vstg.estimators import load_model
from vstg.notation import number_text, rough_duration
from vstg.prediction import Predictor


def fitted(**values):
    chosen = choices(values)
    data = chosen.data.load()
    result = solve_vstg(
        data.train, **chosen.settings.to_mapping(), **asdict(chosen.effort)
    )
    return chosen, data, result


ODD = {
    "default": {},
    "one basis": {"K": 1},
    "many bases": {"K": 13, "k": 1},
    "nothing left": {"g1": 3, "g2": 3},
    "few rows": {"n": 5},
    "no noise": {"noise": 0.0},
}


@pytest.fixture(params=ODD)
def fit(request):
    return fitted(**ODD[request.param])


def test_page_can_show_any_fit(fit):
    chosen, data, result = fit
    found = find(result, data)
    np.testing.assert_allclose(found.estimate.W, result.W, atol=1e-12)
    assert sorted(found.task_order) == list(range(data.train.n_tasks))
    assert sorted(found.variable_order) == list(range(data.train.n_features))
    assert f"of {data.train.n_features}" in headline_html(result, data, found)
    assert panel_html(found).count("<li>") == len(found.groups)
    cell = focus_cell(found, None, None)
    assert cell[0] in formula_html(found, cell)
    scheme = scheme_data(found, chosen.view, cell)
    assert scheme.focus_position is not None
    assert str(found.n_selected) in alt_text(found, chosen.view)
    for table in (
        tables.groups_table(found),
        tables.variables_table(found),
        tables.tasks_table(found, data),
    ):
        assert len(to_csv(table).splitlines()) == len(table) + 1


def test_page_can_do_without_a_truth():
    chosen, data, result = fitted()
    plain = Dataset("plain", data.train, data.test)
    found = find(result, plain)
    assert found.truth is None
    assert set(found.status) <= {"selected", "dropped"}
    assert "REE" not in headline_html(result, plain, found)  # nothing to compare with
    assert scheme_data(found, chosen.view, None).truth is None
    assert "true value" not in formula_html(found, focus_cell(found, None, None))


def test_status_compares_with_the_truth():
    _, data, result = fitted()
    found = find(result, data)
    relevant = np.any(data.truth.U != 0, axis=1)
    kept = np.any(result.U != 0, axis=1)
    assert found.count("right") == (kept & relevant).sum()
    assert found.count("missed") == (~kept & relevant).sum()
    assert found.count("right") > 0


def test_threshold_merges_groups():
    _, data, result = fitted()
    exact, rough = find(result, data), find(result, data, 0.3)
    assert len(rough.proper_groups) < len(exact.proper_groups)


def test_formula_adds_up():
    _, data, result = fitted(k=2, g1=-5, g2=-5)
    found = find(result, data)
    html = formula_html(found, ("x3", "task2"))
    assert number_text(float(found.estimate.W.loc["x3", "task2"])) in html
    assert html.count('class="term"') == int(
        (found.estimate.U.loc["x3"] * found.estimate.V["task2"] != 0).sum()
    )


def test_focus_keeps_what_was_chosen():
    _, data, result = fitted()
    found = find(result, data)
    assert focus_cell(found, "x3", "task7") == ("x3", "task7")
    assert focus_cell(found, "x3", None)[0] == "x3"
    assert focus_cell(found, "nobody", "task7")[1] == "task7"


@pytest.mark.parametrize("value", [None, [], ["x1"], ["x1", 3], "x1", {"a": 1}])
def test_anything_but_a_cell_is_no_cell(value):
    assert chosen_cell(value) is None
    assert chosen_cell(["x1", "task2"]) == ("x1", "task2")


@pytest.mark.parametrize(
    "values",
    [{}, {"data": "Syn3", "K": 3, "k": 9, "tie": False, "mu": -6, "starts": 2}],
    ids=["default", "all changed"],
)
def test_python_snippet_gives_the_same_W(values, capsys):
    chosen, _, result = fitted(**values)
    names = {}
    exec(python_code(chosen), names)
    np.testing.assert_array_equal(names["result"].W, result.W)
    assert capsys.readouterr().out


@pytest.mark.parametrize("exponent", range(-10, 4))
def test_powers_of_two_are_written_as_such(exponent):
    assert python_number(2.0**exponent) == f"2**{exponent}"


def test_link_keeps_the_address():
    url = link("http://host:80/app/?old=1#x", {"K": 7, "seed": 0})
    assert url == "http://host:80/app/?K=7"


def test_factors_as_tables_multiply_to_W():
    _, data, result = fitted(K=2)
    made = factor_tables(find(result, data))
    frames = {name: table() for name, table in made.items()}
    assert frames["U"].shape == (25, 2)  # the truth's other bases are left out
    np.testing.assert_allclose(frames["U"] @ frames["V"], frames["W"], atol=1e-12)


def test_model_file_predicts_like_the_fit(tmp_path):
    _, data, result = fitted()
    path = tmp_path / "model.npz"
    path.write_bytes(Predictor.of(result, data.train).to_bytes())
    frame = data.test.to_frame()
    predicted = load_model(path).predict(frame.drop(columns="target"))
    np.testing.assert_allclose(predicted, np.concatenate(result.decision(data.test)))


def test_report_names_settings_and_findings():
    chosen, data, result = fitted()
    code = python_code(chosen)
    html = report(chosen, find(result, data), result, data, code).decode()
    for words in ("Syn1", "make_syn(1", "x24", "task19", f"{result.objective:.6g}"):
        assert words in html


def test_csv_is_no_spreadsheet_formula():
    _, data, result = fitted()
    frame = factor_tables(find(result, data))["W"]().rename(index={"x0": "=1+1"})
    assert b"'=1+1" in to_csv(frame)


def test_cost_of_wide_data_is_that_of_the_form_the_solver_takes(monkeypatch):
    wide = choices({})
    sizes = dict(SIZES, **{wide.data.size: (20_000, 20, 5)})
    monkeypatch.setattr("pages.shared.data.catalogue.SIZES", sizes)
    entries = 20_000 * 20 * wide.data.n_train
    assert cost.wide_seconds(wide.data) == cost.WIDE_UNIT * entries
    assert cost.estimate_seconds(wide) < 60  # T·D² says 100 minutes
    slow = choices({"solver": "admm"})
    assert cost.estimate_seconds(slow) > 1000  # has one form only


def test_few_rows_of_many_variables_do_not_follow_a_slider():
    few = choices({"size": "500 × 200", "n": 20})  # took minutes, thought 0.4 s
    assert not cost.is_live(few)
    middle = choices({"size": "100 × 60"})
    assert cost.is_live(middle)


def test_large_numbers_are_written_in_threes():
    _, data, result = fitted()
    found = replace(find(result, data), status=("right",) * 12_345)
    assert "12,345 right" in headline_html(result, data, found)


def test_names_too_long_for_the_panel_can_be_read_when_pointed_at():
    _, data, result = fitted()
    assert 'title="x0: ' in panel_html(find(result, data))


def test_bases_of_a_group_have_the_names_of_the_picture():
    _, data, result = fitted()
    found = find(result, data)
    names = {f"b{r + 1}" for group in found.proper_groups for r in group.bases}
    assert names <= set(found.estimate.V.index)
    assert all(f"{name}" in panel_html(found) for name in names)


def test_cost_grows_and_decides():
    small, slow, large = (
        choices(values) for values in ({}, {"solver": "admm"}, {"size": "500 × 200"})
    )
    assert cost.is_live(small)
    assert not cost.is_live(slow)
    assert not cost.is_live(large)
    many = choices({"starts": 50})
    assert cost.estimate_seconds(many) == pytest.approx(
        50 * cost.estimate_seconds(small)
    )
    assert cost.wide_seconds(small.data) == 0
    assert [rough_duration(s) for s in (0.2, 4.4, 42, 600, 9000)] == [
        "1 s", "4 s", "40 s", "10 min", "2 h",
    ]  # fmt: skip


def test_tasks_with_few_rows_are_marked():
    _, whole, result = fitted()
    rows = [np.arange(4 if j == 2 else 20) for j in range(whole.train.n_tasks)]
    small = replace(whole, train=whole.train.take(rows))
    table = tables.tasks_table(find(result, small), small)
    assert table.index[table["few"] == "few rows"].tolist() == ["task2"]
    assert "few" not in tables.tasks_table(find(result, whole), whole)
