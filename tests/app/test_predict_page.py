"""The Predict page: models, new rows, what-if, and everything that may not fit."""

import io
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sample_fits import fit_sample
from streamlit.testing.v1 import AppTest

from pages.predict import words as predict_words
from pages.predict.page import preview
from pages.predict.typed import field
from pages.shared.fits import live
from pages.shared.runs.manager import run_manager
from pages.shared.ui.downloads import to_csv
from vstg.data import MultiTaskData
from vstg.datasets import load_sample
from vstg.prediction import Predictor
from vstg.solvers.result import VSTGResult
from vstg.tables import (
    Preparation,
    Prepared,
    Table,
    TableError,
    read_table,
)

APP = Path(__file__).parents[2] / "app.py"


@pytest.fixture(scope="module", autouse=True)
def compiled():
    live.warm_up()


@dataclass(frozen=True)
class Fit:
    """A fit on a sample table, and the model that the Predict page is given."""

    name: str
    result: VSTGResult
    prepared: Prepared

    @property
    def train(self) -> MultiTaskData:
        return self.prepared.train

    def predictor(self) -> Predictor:
        preparation = Preparation.of(self.prepared)
        return Predictor.of(
            self.result, self.train, name=self.name, preparation=preparation
        )

    def model_file(self) -> bytes:
        """Without the preparation, as older versions wrote it."""
        return Predictor.of(self.result, self.train).to_bytes()


def fitted(name: str, gamma: float = 0.05) -> tuple[Fit, Table]:
    result, data, table = fit_sample(name, gamma)
    return Fit(name, result, data), table


@pytest.fixture(scope="module")
def wards():
    return fitted("wards")


def test_predictions_are_those_of_the_fit(wards):
    fit, table = wards
    model = fit.predictor()
    frame, notes = model.predict_table(table, "ward")
    assert any("hours_to_discharge" in note for note in notes)
    decided = {
        (task, x.tobytes()): value
        for task, X, values in zip(
            fit.train.task_names,
            fit.train.X,
            fit.result.decision(fit.train),
            strict=True,
        )
        for x, value in zip(X, values, strict=True)
    }
    rows, _ = fit.prepared.transform.new_rows(table.frame, "x")
    found = 0
    for x, task, value in zip(rows, frame["ward"], frame["prediction"], strict=True):
        if (task, x.tobytes()) in decided:
            found += 1
            expected = fit.train.unit * decided[task, x.tobytes()]
            assert value == pytest.approx(expected)
    assert found >= fit.train.n_rows


def test_prediction_stands_beside_the_task_where_it_is_seen(wards):
    fit, table = wards
    frame, _ = fit.predictor().predict_table(table, "ward")
    shown = preview(frame, table.frame.shape[1], "ward")
    assert list(shown.columns)[:2] == ["ward", "prediction"]
    assert set(shown.columns) == set(frame.columns)


def test_order_and_extra_columns_do_not_matter_and_missing_ones_are_named(wards):
    fit, table = wards
    model = fit.predictor()
    expected = model.predict_table(table, "ward")[0]["prediction"]
    mixed = table.frame[table.frame.columns[::-1]].assign(remark="x")
    mixed = Table("mixed.csv", mixed, "CSV")
    np.testing.assert_allclose(
        model.predict_table(mixed, "ward")[0]["prediction"], expected
    )
    lacking = Table("new.csv", table.frame.drop(columns="age"), "CSV")
    with pytest.raises(TableError, match=r"new.csv lacks the columns 'age'"):
        model.predict_table(lacking, "ward")
    strange = table.frame.assign(ward="maternity")
    with pytest.raises(TableError, match=r"row 2: .* tasks 'maternity'; it knows"):
        model.predict_table(Table("new.csv", strange, "CSV"), "ward")
    with pytest.raises(TableError, match="no column 'station'"):
        model.predict_table(table, "station")


def test_rows_that_cannot_be_predicted_say_why_and_the_others_are(wards):
    fit, table = wards
    plain = replace(
        fit.prepared.transform,
        rules=tuple(replace(r, fill=None) for r in fit.prepared.transform.rules),
    )
    model = replace(
        fit.predictor(),
        preparation=replace(fit.predictor().preparation, transform=plain),
    )
    expected = model.predict(table.frame.dropna(subset=list(model.columns)))
    frame = table.frame.copy()
    frame["age"] = frame["age"].astype(object)
    frame.loc[2, "ward"], frame.loc[3, "ward"] = "maternity", None
    frame.loc[4, "age"], frame.loc[5, "age"] = np.nan, "old"
    found, notes = model.predict_table(Table("new.csv", frame, "CSV"), "ward")
    why = found["not predicted"]
    assert why[2] == "unknown task 'maternity'" and why[3] == "no task"
    assert why[4] == "no value for 'age'"
    assert why[5] == "no value for 'age': 'old' is not a number"
    assert found["prediction"][why != ""].isna().all()
    same = found["prediction"][why == ""]
    np.testing.assert_allclose(same, expected["prediction"].loc[same.index])
    assert any(f"{(why != '').sum()} of {len(frame)} rows" in note for note in notes)


def test_only_columns_that_the_model_uses_are_asked_for(wards):
    fit, table = wards
    U = fit.result.U.copy()
    U[fit.train.feature_names.index("age")] = 0.0
    model = replace(fit.predictor(), result=replace(fit.result, U=U))
    assert "age" not in model.columns and "age" in fit.predictor().columns
    assert "age" not in model.template().columns
    without = model.predict(table.frame.drop(columns="age"))
    pd.testing.assert_frame_equal(without, model.predict(table.frame))
    total, parts = model.contributions(model.typical_of(2), 2)
    assert "age" not in parts.index
    assert parts["contribution"].sum() == pytest.approx(total)
    nothing = replace(fit.predictor(), result=replace(fit.result, U=U * 0.0))
    assert nothing.columns == ()
    guess = nothing.predict(table.frame[["ward"]])["prediction"]
    assert guess.nunique() == len(model.task_names)
    assert list(nothing.template().index) == list(model.task_names[:3])


def test_what_if_starts_from_the_means_of_the_task_in_the_units_of_the_table(wards):
    fit, table = wards
    model = Predictor.load(fit.predictor().to_bytes())
    for j in (0, 7):
        own = table.frame[table.frame["ward"] == model.task_names[j]]
        mean = model.typical_of(j)["age"]
        assert mean == pytest.approx(own["age"].mean(), rel=0.1)
        _, parts = model.contributions(model.typical_of(j), j)
        assert parts.loc["age", "value"] == pytest.approx(mean)
        rise = model.contributions({**model.typical_of(j), "age": mean + 1.0}, j)[0]
        total = model.contributions(model.typical_of(j), j)[0]
        assert rise - total == pytest.approx(parts.loc["age", "weight"])


def test_all_tasks_are_predicted_without_a_task_column(wards):
    fit, table = wards
    frame, _ = fit.predictor().predict_table(table, None)
    names = [name for name in frame.columns if name.startswith("prediction ")]
    assert len(names) == fit.train.n_tasks == 30


def test_contributions_add_up_to_the_prediction(wards):
    fit, _ = wards
    model = fit.predictor()
    values = {**model.typical, "sex": "m", "age": 70.0}
    total, table = model.contributions(values, 3)
    assert table["contribution"].sum() == pytest.approx(total)
    row = pd.DataFrame([{**values, "ward": model.task_names[3]}], index=[1])
    frame, _ = model.predict_table(Table("one", row, "CSV"), "ward")
    assert frame["prediction"].iloc[0] == pytest.approx(total)


def test_typical_values_are_in_the_units_of_the_table(wards):
    fit, table = wards
    typical = fit.predictor().typical
    assert typical["age"] == pytest.approx(table.frame["age"].mean(), rel=0.05)
    assert typical["sex"] in ("f", "m")


def test_classes_come_with_their_names_and_probabilities():
    fit, table = fitted("machines", 0.001)
    frame, _ = fit.predictor().predict_table(table, "machine")
    assert set(frame["prediction"]) == {"yes", "no"}
    right = (frame["prediction"] == frame["fails_within_a_week"]).mean()
    assert right > 0.75
    chance = frame["probability of yes"]
    assert ((chance > 0.5) == (frame["prediction"] == "yes")).all()


@pytest.fixture
def open_predict(open_app):
    def opened():
        app = open_app(data="Syn1")
        app.switch_page("pages/5_Predict.py").run()
        assert not app.exception
        return app

    return opened


def group(app, key):
    return next(widget for widget in app.get("button_group") if widget.key == key)


def shown(app):
    return " ".join(piece.value for piece in app.get("html"))


def test_the_fit_of_explore_is_offered_and_a_row_can_be_typed(open_predict):
    app = open_predict()
    group(app, "predict_way").set_value(predict_words.ROWS_TYPED).run()
    assert not app.exception
    before = app.metric[0].value
    field = next(n for n in app.number_input if n.key.startswith("typed_"))
    field.set_value(3.0).run()
    assert not app.exception
    assert app.metric[0].value != before


def test_a_table_is_predicted_and_handed_out(open_predict):
    app = open_predict()
    content = load_sample("syn1").path.read_bytes()
    app.file_uploader(key="rows").set_value(("new.csv", content, "text/csv")).run()
    assert not app.exception
    assert app.selectbox(key="rows_task").value == "task"
    assert any("1,000 rows predicted" in text.value for text in app.markdown)
    assert app.get("download_button")
    group(app, "predict_level").set_value(0.9).run()
    assert not app.exception
    frame = next(d.value for d in app.dataframe if "lower" in d.value)
    inside = frame["target"].between(frame["lower"], frame["upper"])
    assert inside.mean() > 0.85  # most of these rows were in the fit


def test_unknown_columns_are_refused_in_words(open_predict):
    app = open_predict()
    content = b"task,x0\ntask0,1\n"
    app.file_uploader(key="rows").set_value(("new.csv", content, "text/csv")).run()
    assert "new.csv lacks the columns" in shown(app)


def test_a_model_file_predicts_without_the_session(open_predict, wards):
    fit, _ = wards
    app = open_predict()
    group(app, "predict_model").set_value(predict_words.MODEL_FILE).run()
    upload = app.file_uploader(key="model_upload")
    upload.set_value(("broken.npz", b"PK\x03\x04", "application/zip")).run()
    assert "cannot be read" in shown(app)
    content = fit.model_file()
    app.file_uploader(key="model_upload").set_value(
        ("model.npz", content, "application/zip")
    ).run()
    frame = fit.prepared.test.to_frame(task="task", target="hours")
    rows = io.BytesIO()
    frame.to_csv(rows, index=False)
    app.file_uploader(key="rows").set_value(
        ("rows.csv", rows.getvalue(), "text/csv")
    ).run()
    assert not app.exception
    assert any(f"{len(frame)} rows predicted" in t.value for t in app.markdown)


@pytest.mark.parametrize("name", ["wards", "machines"])
def test_model_file_and_preparation_together_predict_raw_rows(name):
    fit, table = fitted(name, 0.001)
    task = fit.prepared.recipe.task
    text = Preparation.of(fit.prepared).to_json()
    content = fit.model_file()
    model = Predictor.load(content, Preparation.from_json(text))
    pd.testing.assert_frame_equal(
        model.predict_table(table, task)[0],
        fit.predictor().predict_table(table, task)[0],
    )


def test_a_preparation_of_other_data_is_refused(wards):
    other, _ = fitted("machines")
    content = wards[0].model_file()
    with pytest.raises(TableError, match="do not belong together"):
        Predictor.load(content, Preparation.of(other.prepared))


@pytest.mark.parametrize(
    ("typical", "scale", "expected"),
    [
        (35.24, 12.7, (35.0, 1.0, 0)),
        (0.5, 1.0, (0.5, 0.1, 2)),
        (0.0312, 1.0, (0.031, 0.1, 3)),
        (-2e-17, 0.9, (0.0, 0.01, 2)),
        (123_456.7, 20_000.0, (123_457.0, 1_000.0, 0)),
        (1.0, 0.0, (1.0, 0.1, 1)),
    ],
)
def test_fields_move_by_a_tenth_of_a_scale_and_show_it(typical, scale, expected):
    start, step, digits = field(typical, scale)
    assert (start, step, digits) == pytest.approx(expected)


def test_template_has_the_columns_that_the_model_needs(wards):
    fit, _ = wards
    model = fit.predictor()
    rows = model.template()
    assert rows.index.name == "ward"
    assert tuple(rows.columns) == model.columns
    assert all(len(f"{value:g}") < 9 for value in rows["age"])
    content = to_csv(rows)
    frame, _ = model.predict_table(read_table(content, name="t.csv"), "ward")
    assert len(frame) == len(rows) == 3


def test_one_design_of_many_tasks_is_averaged_once(wards):
    fit, _ = wards
    train = fit.train
    shared = MultiTaskData([train.X[0]] * 2, [train.y[0]] * 2)
    result = replace(fit.result, U=fit.result.U, V=fit.result.V[:, :2])
    model = Predictor.of(result, shared)
    means = train.X[0].mean(axis=0)[model.used]
    assert list(model.typical.values()) == pytest.approx(means)


def test_contributions_have_no_dust_of_a_mean(open_predict):
    app = open_predict()
    group(app, "predict_way").set_value(predict_words.ROWS_TYPED).run()
    values = app.dataframe[0].value.to_numpy()
    assert not ((values != 0) & (np.abs(values) < 1e-12)).any()


def test_without_a_model_it_leads_to_where_one_is_made(tmp_path, monkeypatch):
    monkeypatch.setenv("VSTG_STORE", str(tmp_path / "runs.sqlite"))
    run_manager.clear()
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.switch_page("pages/5_Predict.py").run()
    labels = [link.proto.label for link in app.get("page_link")]
    run_manager.clear()
    assert {predict_words.FIT_ONE, predict_words.SEARCH_ONE} <= set(labels)
