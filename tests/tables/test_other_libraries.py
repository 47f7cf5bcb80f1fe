"""Tables of polars and Arrow are taken where those of pandas are."""

import datetime

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from vstg import VSTGRegressor, solve_vstg
from vstg.data import DataError
from vstg.prediction import Predictor
from vstg.tables import (
    Preparation,
    Recipe,
    Table,
    TableError,
    prepare,
    suggest_recipe,
)

MAKE = {
    "pandas": lambda f: f.to_pandas(),
    "polars": lambda f: f,
    "Arrow": pl.DataFrame.to_arrow,
}


@pytest.fixture
def frame(rng):
    n = 60
    start = datetime.date(2020, 1, 1)
    x = rng.normal(size=n)
    return pl.DataFrame(
        {
            "shop": ["a", "b", "c"] * 20,
            "day": [start + datetime.timedelta(days=9 * i) for i in range(n)],
            "sex": ["f", "m", None, "f", "m"] * 12,
            "x": x,
            "sales": 2 * x + rng.normal(size=n),
        }
    )


def test_the_same_table_gives_the_same_data_and_predictions(frame):
    found = {}
    for name, make in MAKE.items():
        table = Table.of(make(frame), "shops")
        recipe = suggest_recipe(table)
        assert (recipe.task, recipe.targets) == ("shop", ("sales",))
        recipe = Recipe(
            task="shop", targets=("sales",), missing="median", dates=("year", "days")
        )
        data = prepare(table, recipe)
        assert "day days" in data.train.feature_names
        result = solve_vstg(
            data.train, n_latent=2, k=1, gamma1=0.1, gamma2=0.1, fit_intercept=True
        )
        model = Predictor.of(result, data.train, preparation=Preparation.of(data))
        rows = make(frame.drop("sales").drop_nulls())
        found[name] = model.predict(rows)["prediction"].to_numpy()
    np.testing.assert_allclose(found["polars"], found["pandas"])
    np.testing.assert_allclose(found["Arrow"], found["pandas"])


def test_estimators_take_them(frame):
    X, y = frame.select("shop", "x"), frame["sales"]
    model = VSTGRegressor("shop", n_latent=2, k=1, gamma1=0.1, gamma2=0.1)
    expected = model.fit(X.to_pandas(), y.to_pandas()).predict(X.to_pandas())
    for make in MAKE.values():
        model.fit(make(X), y)
        assert model.feature_names_ == ("x",)
        np.testing.assert_allclose(model.predict(make(X)), expected)


def test_what_is_no_table_is_a_sentence():
    with pytest.raises(TableError, match="t is a list: give a table of pandas, polars"):
        Table.of([[1, 2]], "t")
    with pytest.raises(TableError, match="0 rows"):
        Table.of(pa.table({"a": []}), "t")
    assert issubclass(DataError, ValueError)
