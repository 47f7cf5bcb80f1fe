"""Dates as people write them become years, months, weekdays and days."""

import datetime

import numpy as np
import pandas as pd
import pytest

from vstg.prediction.rows import typical_row, typical_values
from vstg.tables import Preparation, Recipe, Table, TableError, Transform, prepare
from vstg.tables.dates import date_order, looks_like_date, read_date

START = datetime.date(2019, 11, 3)
DAYS = [START + datetime.timedelta(days=17 * i) for i in range(60)]
FORMATS = {
    "ymd": "%Y-%m-%d",
    "dmy": "%d.%m.%Y",
    "mdy": "%m/%d/%y",
    "named": "%d-%b-%Y",
}


def table(texts):
    frame = pd.DataFrame(
        {"task": ["a", "b"] * 30, "when": texts, "y": np.arange(60.0) ** 2}
    )
    return Table("dates.csv", frame, "CSV")


@pytest.mark.parametrize("order", FORMATS)
def test_every_way_of_writing_gives_the_same_variables(order):
    texts = [day.strftime(FORMATS[order]) for day in DAYS]
    assert table(texts).kinds["when"].kind == "date"
    assert date_order(texts) == order
    assert [read_date(text, order) for text in texts] == DAYS
    parts = ("year", "month", "weekday", "days")
    recipe = Recipe(
        task="task", targets=("y",), dates=parts, scaling="none", test_size=0
    )
    data = prepare(table(texts), recipe)
    X = data.transform.apply(table(texts).frame)
    found = dict(zip(data.transform.keep, X.T, strict=True))
    assert found["when year"].tolist() == [day.year for day in DAYS]
    assert np.diff(found["when days"]).tolist() == [17.0] * 59
    assert found["when month=03"].tolist() == [float(d.month == 3) for d in DAYS]
    assert found["when weekday=Mon"].tolist() == [float(d.weekday() == 0) for d in DAYS]


@pytest.mark.parametrize(
    ("texts", "order"),
    [
        (["1/2/2020", "1/3/2020"], "dmy"),  # the first of each month
        (["2/1/2020", "3/1/2020"], "mdy"),
        (["02/03/2020", "04/05/2021"], "mdy"),
        (["02.03.2020", "04.05.2021"], "dmy"),
        (["2020/03/02 12:30", "2020/04/05 00:00:00"], "ymd"),
        (["2020-03-02", "25/12/2020", "24/12/2020"], "dmy"),  # one of them exported
        (["2 May 2020", "12/25/2020", "2020-03-02"], "mdy"),
        (["25/12/2020", "24/12/2020", "12/31/2020"], "dmy"),  # one slip of the pen
        (["2 May 2020", "3 May 2020", "2020-03-02"], "named"),
    ],
)
def test_the_order_is_read_from_the_values(texts, order):
    assert date_order(texts) == order


def test_one_date_in_another_form_does_not_decide_for_the_column():
    texts = [day.strftime("%d/%m/%Y") for day in DAYS]
    for stray in (DAYS[0].isoformat(), DAYS[0].strftime("%d %B %Y")):
        mixed = [stray, *texts[1:]]
        order = date_order(mixed)
        assert [read_date(text, order) for text in mixed] == DAYS


def test_what_is_no_date_is_none():
    assert not any(map(looks_like_date, ["12", "1.5", "may", "v1.2.3.4", "x" * 99]))
    assert read_date("31.02.2020", "dmy") is None


def test_new_rows_are_read_as_the_training_rows_were():
    texts = [day.strftime("%d/%m/%Y") for day in DAYS]
    recipe = Recipe(task="task", targets=("y",), dates=("year", "month"))
    data = prepare(table(texts), recipe)
    again = Preparation.from_json(Preparation.of(data).to_json())
    assert again.transform == data.transform
    assert again.recipe == recipe
    new = pd.DataFrame({"when": ["01/02/2020"]})  # the first of February
    X, notes = again.transform.new_rows(new, "new.csv")
    named = dict(zip(again.transform.keep, X[0], strict=True))
    assert named["when month=02"] == 1.0
    assert not notes
    with pytest.raises(TableError, match=r"'soon' for 'when': give a date"):
        again.transform.new_rows(pd.DataFrame({"when": ["soon"]}), "new.csv")


def test_a_form_starts_with_a_date():
    texts = [day.isoformat() for day in DAYS]
    for parts in (("year", "month"), ("days",)):
        data = prepare(table(texts), Recipe(task="task", targets=("y",), dates=parts))
        names = data.train.feature_names
        means = dict(zip(names, typical_values(data.train), strict=True))
        typical = typical_row(data.transform, means)
        assert DAYS[0] <= datetime.date.fromisoformat(typical["when"]) <= DAYS[-1]


def test_dates_are_left_out_unless_asked_for_and_bad_parts_are_refused():
    texts = [day.isoformat() for day in DAYS]
    with pytest.raises(TableError, match="it contains dates"):
        prepare(table(texts), Recipe(task="task", targets=("y",)))
    with pytest.raises(TableError, match="must be one of year, month, weekday, days"):
        Recipe(dates=("hour",))
    with pytest.raises(TableError, match="not a transform"):
        Transform.from_json(
            '{"rules": [{"column": "d", "kind": "number", "levels": [], "fill": null, '
            '"shift": 0, "scale": 1, "part": "hour", "order": "ymd"}], "keep": []}'
        )
