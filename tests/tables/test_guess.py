"""The first guess: roles that names and values give away, and questions elsewhere."""

import numpy as np
import pandas as pd
import pytest

from vstg.tables import Recipe, Table, TableError, prepare, suggest, suggest_recipe
from vstg.tables.checking.leaks import akin_to_targets, nearly_targets
from vstg.tables.guessing.names import is_identifier, is_row_number, is_time, words_of

N_UNITS, N_YEARS = 12, 8


@pytest.fixture
def panel(rng):
    """Twelve firms in eight years, sorted by firm, with a number for each row."""
    n = N_UNITS * N_YEARS
    return pd.DataFrame(
        {
            "column 1": np.arange(1, n + 1),
            "firm": np.repeat(np.arange(1, N_UNITS + 1) * 10, N_YEARS),
            "year": np.tile(np.arange(2000, 2000 + N_YEARS), N_UNITS),
            "value": rng.normal(5, 1, n),
            "capital": rng.normal(3, 1, n),
        }
    )


def guess(frame):
    return suggest(Table("t", frame, "CSV"))


def test_a_panel_has_its_tasks_and_asks_for_the_target(panel):
    found = guess(panel)
    assert (found.recipe.task, found.recipe.targets) == ("firm", ())
    assert found.recipe.leave_out == ("column 1",)
    assert found.tasks[0] == "firm"
    assert set(found.targets[:2]) == {"value", "capital"}
    with pytest.raises(TableError, match="choose the column with the target"):
        prepare(Table("t", panel, "CSV"), found.recipe)


def test_structure_speaks_where_a_name_does_not(panel):
    found = guess(panel.rename(columns={"firm": "nr"}))
    assert found.recipe.task == "nr"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda f: f.assign(firm=f["firm"] + 0.5),  # reals name nothing
        lambda f: f.assign(firm=f["firm"] > 50),  # two groups of a flag
        lambda f: f[f["year"] < 2003],  # three rows each are too few
    ],
)
def test_what_is_not_clear_is_asked(panel, spoil):
    assert guess(spoil(panel)).recipe.task is None


def test_two_crossed_columns_are_asked_about(rng):
    pairs = [(site, variety) for site in "abcdef" for variety in "uvwxy"] * 2
    frame = pd.DataFrame(pairs, columns=["site", "variety"])
    found = guess(frame.assign(yield_=rng.normal(size=60), rain=rng.normal(size=60)))
    assert found.recipe.task is None
    assert set(found.tasks[:2]) == {"site", "variety"}


def test_a_second_name_of_the_task_is_no_variable_and_no_rival(panel):
    codes = panel["firm"].map(lambda f: f"F{f}")
    found = guess(panel.assign(company=codes))
    assert {found.recipe.task, *found.recipe.leave_out} == {
        "firm", "company", "column 1",
    }  # fmt: skip


def test_a_target_needs_a_name_and_a_second_sign(panel, rng):
    price = rng.normal(size=len(panel))
    assert guess(panel.assign(price=price)).recipe.targets == ("price",)
    both = panel.assign(price=price, sales=price**2)
    assert guess(both).recipe.targets == ()
    no_task = panel.drop(columns=["firm", "column 1"])
    no_task.insert(2, "price", price)
    assert guess(no_task).recipe.targets == ()


def test_a_likely_name_in_the_middle_is_asked_about(panel, rng):
    """In a cost function output is a variable: only its place or its log decides."""
    output = np.exp(rng.normal(size=len(panel)))
    panel.insert(4, "output", output)
    assert guess(panel).recipe.targets == ()
    assert guess(panel).targets[0] == "output"
    assert guess(panel.assign(loutput=np.log(output))).recipe.targets == ("output",)


def test_a_class_of_many_levels_is_one_of_pupils(rng):
    frame = pd.DataFrame({"IQ": rng.normal(size=300), "lang": rng.normal(size=300)})
    pupils = frame.assign(**{"class": np.repeat(np.arange(30), 10) + 180})
    found = guess(pupils)
    assert found.recipe.targets == ()
    assert found.tasks[0] == "class"
    labels = frame.assign(**{"class": rng.choice(["a", "b", "c"], size=300)})
    assert guess(labels).recipe.targets == ("class",)
    numbers = frame.assign(target=rng.normal(size=300))
    assert guess(numbers).recipe.targets == ("target",)


def test_labels_in_the_first_column_say_what_a_row_belongs_to(rng):
    species = rng.choice(["a", "b", "c"], size=60)
    frame = pd.DataFrame(rng.normal(size=(60, 2)), columns=["length", "width"])
    assert guess(frame.assign(species=species)).recipe.targets == ("species",)
    frame.insert(0, "species", species)
    assert guess(frame).recipe.targets == ()


def test_y_between_x_and_z_is_a_length(rng):
    frame = pd.DataFrame(rng.normal(size=(60, 4)), columns=["x", "y", "z", "weight"])
    assert guess(frame).recipe.targets == ()
    assert guess(frame.drop(columns="z")).recipe.targets == ("y",)


def test_hours_count_among_the_parts_of_a_time(rng):
    """Stations by the hour: year, month and day alone name no row."""
    when = pd.date_range("2020-02-27", periods=72, freq="h")
    parts = {part: getattr(when, part) for part in ("year", "month", "day", "hour")}
    one = pd.DataFrame(parts)
    both = pd.concat([one.assign(origin=name) for name in ("EWR", "JFK")])
    both.insert(0, "from", both.pop("origin"))
    found = guess(both.assign(rain=rng.normal(size=len(both))).reset_index(drop=True))
    assert found.recipe.task == "from"


def test_what_is_the_same_in_all_rows_of_a_task_is_no_target(panel):
    founded = panel["firm"] ** 2
    panel.insert(2, "founded", founded)
    assert "founded" not in guess(panel).targets[:2]


def test_logs_and_years_are_no_targets(panel):
    years = {f"y{y}": panel["year"] == 1900 + y for y in (98, 99, 100)}
    found = guess(panel.assign(lvalue=np.log(panel["value"].abs()), **years))
    assert found.recipe.targets == ()
    assert found.targets[0] == "value"
    assert "lvalue" not in found.targets[:2]


def test_row_order_matters_only_as_a_sign(panel, rng):
    mixed = panel.iloc[rng.permutation(len(panel))]
    assert guess(mixed).recipe == guess(panel).recipe


@pytest.mark.parametrize("name", ["ShopNo", "shop_no", "shop no", "SHOP-NO"])
def test_names_are_read_word_by_word(name):
    assert words_of(name) == "shop no"


def test_names_of_codes_times_and_rows():
    assert all(map(is_identifier, ["id", "distid", "fcode", "statefips", "ZipCode"]))
    assert not any(map(is_identifier, ["paid", "acid", "grid", "state", "width"]))
    assert all(map(is_time, ["year", "YR", "Date", "t", "test_time", "quarter"]))
    assert all(map(is_row_number, ["", "column 1", "Unnamed: 0", "Obs", "rownames"]))


def test_a_monotone_copy_of_the_target_is_found_and_a_good_predictor_is_not(rng):
    n = 300
    y = rng.normal(size=n)
    frame = pd.DataFrame(
        {
            "task": rng.choice(["a", "b"], n),
            "y": y,
            "exact": np.exp(y),
            "falling": -(y**3),
            "good": y + 0.2 * rng.normal(size=n),
            "noise": rng.normal(size=n),
        }
    )
    prepared = prepare(Table("t", frame, "CSV"), Recipe(task="task", targets=("y",)))
    assert nearly_targets(prepared) == ("exact", "falling")
    assert akin_to_targets(prepared) == ()
    names = {"y": "motor_score", "good": "Total_SCORE", "noise": "pain_score"}
    renamed = Table("t", frame.rename(columns=names), "CSV")
    prepared = prepare(renamed, Recipe(task="task", targets=("motor_score",)))
    assert akin_to_targets(prepared) == ("Total_SCORE",)


def test_a_variable_that_parts_the_classes_is_found(rng):
    n = 200
    y = rng.choice(["no", "yes"], n)
    frame = pd.DataFrame(
        {
            "task": rng.choice(["a", "b"], n),
            "y": y,
            "days": np.where(y == "yes", rng.integers(1, 9, n), 0),
            "noise": rng.normal(size=n),
        }
    )
    recipe = Recipe(task="task", targets=("y",), problem="classification")
    assert nearly_targets(prepare(Table("t", frame, "CSV"), recipe)) == ("days",)


def test_a_copy_among_the_variables_of_many_targets_is_found(rng):
    X = rng.normal(size=(80, 3))
    frame = pd.DataFrame(X, columns=["a", "b", "copy"])
    frame = frame.assign(y1=rng.normal(size=80), y2=2 * X[:, 2] + 1)
    recipe = suggest_recipe(Table("t", frame, "CSV"))
    assert recipe.targets == ("y1", "y2")
    assert nearly_targets(prepare(Table("t", frame, "CSV"), recipe)) == ("copy",)


def test_a_recipe_keeps_what_is_left_out(panel):
    recipe = Recipe(task="firm", targets=("value",), leave_out=("column 1", "year"))
    assert Recipe.from_json(recipe.to_json()) == recipe
    prepared = prepare(Table("t", panel, "CSV"), recipe)
    assert prepared.train.feature_names == ("capital",)
    with pytest.raises(TableError, match="no column 'none'"):
        unknown = Recipe(task="firm", targets=("value",), leave_out=("none",))
        prepare(Table("t", panel, "CSV"), unknown)


def test_scores_come_before_a_family_of_measurements(rng):
    """Named as in the telemonitoring of Parkinson's disease."""
    n = 120
    frame = pd.DataFrame({"subject#": np.repeat(np.arange(1, 11), n // 10)})
    frame["age"] = 50 + frame["subject#"]
    frame["sex"] = frame["subject#"] % 2
    names = ["test_time", "motor_UPDRS", "total_UPDRS"]
    names += [f"Jitter{end}" for end in ("(%)", "(Abs)", ":RAP", ":PPQ5", ":DDP")]
    for name in [*names, "NHR", "PPE"]:
        frame[name] = rng.normal(size=n)
    found = guess(frame)
    assert (found.recipe.task, found.recipe.targets) == ("subject#", ())
    assert set(found.targets[:2]) == {"motor_UPDRS", "total_UPDRS"}
    family = [i for i, name in enumerate(found.targets) if name.startswith("Jitter")]
    assert min(family) > found.targets.index("NHR")


def test_an_outcome_of_two_values_is_a_likely_target(panel, rng):
    flags = {name: rng.integers(2, size=len(panel)) for name in ("choice", "urban")}
    assert guess(panel.assign(**flags)).targets[0] == "choice"
    died = guess(panel.assign(**flags, died=flags["urban"]))
    assert died.recipe.targets == ("died",)
