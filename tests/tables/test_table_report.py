"""The report before the fit: what it must notice, and what it must not."""

import numpy as np
import pandas as pd
import pytest

from vstg.tables import (
    Recipe,
    Table,
    TableError,
    prepare,
    read_table,
    report,
    suggest_recipe,
)
from vstg.tables.checking.findings import collinear
from vstg.tables.checking.report import count_outliers
from vstg.tables.kinds import medians

RECIPE = Recipe(task="ward", targets=("hours",))


@pytest.fixture
def frame(rng):
    n = 200
    return pd.DataFrame(
        {
            "ward": rng.choice(["a", "b", "c"], n),
            "pulse": rng.normal(80, 9, n),
            "age": rng.integers(20, 90, n),
            "sex": rng.choice(["f", "m"], n),
            "hours": rng.normal(60, 12, n),
        },
        index=pd.RangeIndex(2, n + 2),
    )


def found(frame, recipe=RECIPE):
    return report(Table("wards.csv", frame, "CSV"), recipe)


def codes(result):
    return {finding.code for finding in result.findings}


def test_sound_data_raise_no_warning(frame):
    result = found(frame)
    assert result.ok
    assert codes(result) == {"target range"}
    assert result.tasks["training rows"].sum() == result.prepared.train.n_rows
    assert result.columns.set_index("column")["role"].to_dict() == {
        "ward": "task",
        "pulse": "variable",
        "age": "variable",
        "sex": "variable",
        "hours": "target",
    }


@pytest.mark.parametrize(
    ("code", "spoil"),
    [
        ("missing", lambda f: f.assign(pulse=f["pulse"].where(f["pulse"] > 70))),
        ("constant", lambda f: f.assign(one=1.0)),
        ("duplicated", lambda f: f.assign(pulse2=f["pulse"])),
        ("collinear", lambda f: f.assign(mix=2 * f["pulse"] - f["age"] + 5)),
        ("outliers", lambda f: f.assign(age=f["age"].where(f.index != 7, 99_999))),
        (
            "not numbers",
            lambda f: f.assign(age=f["age"].astype(object).where(f.index > 9, "old")),
        ),
        ("tiny tasks", lambda f: f.assign(ward=f["ward"].where(f.index > 8, "d"))),
        ("tasks", lambda f: f.assign(ward=f["ward"].where(f.index > 4, "d"))),
        ("constant target", lambda f: f.assign(hours=f["hours"] * (f["ward"] != "a"))),
        ("one task", lambda f: f.assign(ward="a")),
        ("columns", lambda f: f.assign(note=[f"n{i}" for i in range(len(f))])),
        ("leak", lambda f: f.assign(log=np.log(f["hours"] + 99).round(5))),
        (
            "leak",
            lambda f: f.assign(
                own=f["hours"] * f["ward"].map({"a": 1, "b": -2, "c": 9})
            ),
        ),
        ("identifier", lambda f: f.assign(id=range(200))),
        (
            "same within tasks",
            lambda f: f.assign(beds=f["ward"].map({"a": 1, "b": 7, "c": 9})),
        ),
        ("repeated rows", lambda f: pd.concat([f, f.head(3)], ignore_index=True)),
    ],
)
def test_each_trouble_is_noticed(frame, code, spoil):
    assert code not in codes(found(frame))
    assert code in codes(found(spoil(frame)))


def test_a_refusal_is_the_first_finding(frame):
    result = found(frame, Recipe(task="ward", targets=("sex",)))
    assert not result.ok
    assert result.findings[0].level == "error"
    assert "contains no numbers" in result.findings[0].words
    assert len(result.columns) == 5


def test_unknown_columns_in_a_recipe_are_a_finding(frame):
    result = found(frame, Recipe(task="ward", targets=("hours",), features=("none",)))
    assert not result.ok
    assert "no column 'none'" in result.findings[0].words


def test_outliers_are_counted_robustly(rng):
    values = rng.normal(size=500)
    assert count_outliers(values[None]) == 0
    assert count_outliers(np.r_[values, 50.0, -60.0][None]) == 2
    gaps = np.r_[values, 50.0, np.nan, np.nan]
    assert count_outliers(np.stack([gaps, gaps[::-1], 0 * gaps])).tolist() == [1, 1, 0]
    assert count_outliers(np.r_[np.zeros(100), 1.0][None]) == 0


def test_medians_are_medians(rng):
    values = rng.normal(size=(6, 9))
    values[rng.random((6, 9)) < 0.3] = np.nan
    np.testing.assert_allclose(medians(values), np.nanmedian(values, axis=1))


def test_collinear_columns_are_found_up_to_rounding(rng):
    X = rng.normal(size=(50, 3))
    assert collinear(X, ["a", "b", "c"]) == []
    near = np.column_stack([X, X @ [1.0, -2.0, 0.5] + 3 + 1e-13 * rng.normal(size=50)])
    assert len(collinear(near, ["a", "b", "c", "d"])) == 1
    apart = np.column_stack([X, X @ [1.0, -2.0, 0.5] + 1e-3 * rng.normal(size=50)])
    assert collinear(apart, ["a", "b", "c", "d"]) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "school,a,score\n" + "s1,1,2\ns2,3,5\ns1,2,7\n" * 20,
            ("long", "school", ("score",)),
        ),
        ("g,a,b\n" + "u,1.5,2.5\nv,3.1,5.2\n" * 20, ("long", "g", ())),
        ("a,y1,y2\n" + "1,2,3\n4,5,6.5\n2,2,9\n" * 9, ("wide", None, ("y1", "y2"))),
        (
            "a,b,class\n" + "1.5,2,x\n2.5,1,y\n3.5,0,z\n" * 9,
            ("classes", None, ("class",)),
        ),
    ],
)
def test_a_first_recipe_is_suggested(text, expected):
    recipe = suggest_recipe(read_table(text.encode(), name="t.csv"))
    assert (recipe.layout, recipe.task, recipe.targets) == expected


def test_reals_with_fractions_name_no_tasks_and_whole_ones_may():
    frame = pd.DataFrame(
        {"shop": [1.0, 2.0] * 8, "half": [0.5, np.nan] * 8, "y": np.arange(16) / 3}
    )
    assert suggest_recipe(Table("t", frame, "CSV")).task == "shop"
    frame["shop"] += 0.5
    assert suggest_recipe(Table("t", frame, "CSV")).task is None


def test_a_table_that_was_read_is_in_one_piece():
    rows = "\n".join(",".join(str(i + j / 7) for j in range(50)) for i in range(5))
    header = ",".join(f"x{j}" for j in range(50))
    table = read_table(f"{header}\n{rows}\n".encode(), name="t.csv")
    # Columns that are views of one array; loose ones are slow to pick from.
    first, last = table.frame["x0"].to_numpy(), table.frame["x49"].to_numpy()
    assert first.base is not None
    assert first.base is last.base


def test_a_wide_table_is_looked_at_as_a_whole_and_not_column_by_column(monkeypatch):
    rng = np.random.default_rng(0)
    reals = pd.DataFrame(rng.normal(size=(40, 500))).add_prefix("x")
    flags = pd.DataFrame(rng.normal(size=(40, 500)) > 0).add_prefix("b")
    more = {"task": ["a", "b"] * 20, "n": ["1"] * 39 + ["?"], "y": np.arange(40.0)}
    table = Table("wide.csv", pd.concat([reals, flags], axis=1).assign(**more), "CSV")
    assert table.kinds["n"].n_bad == 1
    made, make = [], pd.Series.__init__
    monkeypatch.setattr(
        pd.Series, "__init__", lambda self, *a, **k: made.append(make(self, *a, **k))
    )
    found = report(table, Recipe(task="task", targets=("y",), missing="median"))
    assert found.prepared.train.n_features == 1000  # "n" has one value
    assert len(made) < 300  # and not one or more for each of a thousand columns


def test_a_sentence_about_hundreds_of_columns_stays_short():
    frame = pd.DataFrame({f"d{i}": ["2020-01-01", "2021-01-01"] for i in range(300)})
    table = Table("dates.csv", frame.assign(task=["a", "b"], y=[1.0, 2.0]), "CSV")
    with pytest.raises(TableError, match="and 292 more") as caught:
        prepare(table, Recipe(task="task", targets=("y",)))
    assert len(str(caught.value)) < 900


IDENTITIES = {
    "a sum": lambda f: f["day"] + f["night"],
    "a difference": lambda f: f["day"] - 0.5 * f["night"] + 7,
    "a product": lambda f: f["day"] * f["night"],
    "a ratio": lambda f: 1000 * f["day"] / f["night"],
    "a sum, rounded": lambda f: (f["day"] + f["night"]).round(1),
    "a ratio, rounded": lambda f: (100 * f["day"] / f["night"]).round(1),
    "a ratio, often zero": lambda f: f["day"].where(f.index % 3 > 0, 0) / f["night"],
    "a sum with slips": lambda f: (f["day"] + f["night"]).where(f.index % 25 > 0, 40),
}


@pytest.fixture
def shifts(frame, rng):
    """Columns among which two can give a target away."""
    day, night = rng.gamma(9.0, 3.0, size=(2, len(frame)))
    return frame.assign(day=day, night=night, dose=rng.gamma(9.0, 3.0, len(frame)))


@pytest.mark.parametrize("name", IDENTITIES)
def test_columns_that_give_the_target_together_are_noticed(shifts, name):
    target = IDENTITIES[name](shifts)
    if "zero" in name:
        shifts = shifts.assign(day=shifts["day"].where(target > 0, 0))
    leaks = [f for f in found(shifts.assign(hours=target)).findings if f.code == "leak"]
    assert [leak.names for leak in leaks] == [("day", "night")]
    multiplied = any(word in name for word in ("product", "ratio"))
    assert ("multiplied or divided" in leaks[0].words) == multiplied


@pytest.mark.parametrize("name", IDENTITIES)
def test_noise_of_a_percent_is_no_identity(shifts, name, rng):
    target = IDENTITIES[name](shifts)
    noisy = target + 0.02 * target.std() * rng.normal(size=len(target))
    assert "leak" not in codes(found(shifts.assign(hours=noisy)))


def test_a_fit_without_error_by_chance_is_no_identity(rng):
    """As many variables as rows fit anything."""
    wide = pd.DataFrame(rng.normal(size=(40, 25))).rename(columns=str)
    wide = wide.assign(ward=["a", "b"] * 20, hours=rng.normal(size=40))
    assert "leak" not in codes(found(wide))


def test_labels_are_said_by_their_share(rng):
    frame = pd.DataFrame({"ward": list("ab") * 40, "x": rng.normal(size=80)})
    frame["ill"] = np.tile(["no", "no", "no", "yes"], 20)[np.argsort(frame["ward"])]
    recipe = Recipe(task="ward", targets=("ill",), problem="classification")
    words = [f.words for f in report(Table("t", frame, "CSV"), recipe).findings]
    assert any("of the training rows have the label 'yes'" in text for text in words)
    assert not any("-1" in text for text in words)
