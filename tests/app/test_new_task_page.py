"""Predict: a new task by a few rows, and tasks without any."""

import io

import pytest
from sample_fits import fit_sample

from pages.predict import words
from vstg.prediction import Predictor
from vstg.tables import Preparation


@pytest.fixture(scope="module")
def shops():
    """A model of the shops, as a file, and rows of a shop that it does not know."""
    result, prepared, table = fit_sample("shops", 0.05)
    model = Predictor.of(
        result, prepared.train, name="shops", preparation=Preparation.of(prepared)
    )
    rows = table.frame[table.frame["shop"] == "city 1"].assign(shop="harbour 1")
    return model.to_bytes(), to_csv(rows.head(12)), to_csv(rows)


def to_csv(frame):
    text = io.StringIO()
    frame.to_csv(text, index=False)
    return text.getvalue().encode()


def group(app, key):
    return next(widget for widget in app.get("button_group") if widget.key == key)


def test_a_new_task_is_fitted_compared_and_used(open_app, shops):
    content, few, rows = shops
    app = open_app()
    app.switch_page("pages/5_Predict.py").run()
    group(app, "predict_model").set_value(words.MODEL_FILE).run()
    app.file_uploader(key="model_upload").set_value(
        ("model.npz", content, "application/zip")
    ).run()
    # Without rows of its own the task has the mean of all, if asked, and says so.
    app.file_uploader(key="rows").set_value(("new.csv", rows, "text/csv")).run()
    app.toggle(key="rows_unknown").set_value(True).run()
    assert not app.exception
    frame = next(d.value for d in app.dataframe if "fallback" in d.value)
    assert (frame["fallback"] == "unknown task: mean of all tasks").all()
    # With a few it has a fit of its own, compared with a ridge on the same rows.
    group(app, "predict_way").set_value(words.ROWS_NEW_TASK).run()
    app.file_uploader(key="new_task_rows").set_value(("few.csv", few, "text/csv")).run()
    assert not app.exception
    assert app.selectbox(key="new_task_target").value == "units_sold"
    scores = next(d.value for d in app.dataframe if "known bases" in d.value)
    assert scores.loc["harbour 1", "rows"] == 12
    assert any("ridge of its own" in text.value for text in app.markdown)
    # The rows are those of a shop in the city under another name, and that is seen.
    assert any("similar to city" in text.value for text in app.markdown)
    app.button(key="new_task_use").click().run()
    assert not app.exception
    assert any("harbour 1 (12 rows)" in text.value for text in app.caption)
    app.file_uploader(key="rows").set_value(("new.csv", rows, "text/csv")).run()
    assert any("rows predicted" in text.value for text in app.markdown)
    assert not [t for t in app.toggle if t.key == "rows_unknown"]
