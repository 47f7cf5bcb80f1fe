"""generate, fit and predict as a user meets them."""

import json
import subprocess
import sys
from argparse import ArgumentTypeError
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from vstg import VSTGRegressor, load_model, solve_vstg
from vstg.commands.shared.command import strength
from vstg.datasets import make_syn
from vstg.inspection import task_groups
from vstg.notation import number_text
from vstg.prediction import Predictor
from vstg.tables import Preparation, Recipe, prepare, read_table

FIT = "fit syn/train.csv --task task --target target --n-latent 2 --k 1 --as-is"


def test_generated_files_are_the_problem_and_its_truth(vstg, syn):
    sizes = {"n_features": 10, "n_tasks": 4, "n_latent": 2, "n_train": 30, "n_test": 40}
    expected = make_syn(1, random_state=0, **sizes)
    train = pd.read_csv("syn/train.csv")
    pd.testing.assert_frame_equal(train, expected.train.to_frame(), check_dtype=False)
    for name, by in (("U", "variable"), ("V", "basis"), ("W", "variable")):
        truth = pd.read_csv(f"syn/{name}.csv", index_col=by)
        np.testing.assert_allclose(truth, getattr(expected, name))
    assert list(truth.columns) == list(expected.train.task_names)


def test_generating_again_needs_force_and_touches_nothing(vstg, syn):
    before = Path("syn/U.csv").read_bytes()
    Path("syn/train.csv").unlink()
    code, _, err = vstg("generate 1 -o syn --seed 1")
    assert code == 2
    assert "test.csv exists" in err
    assert not Path("syn/train.csv").exists()  # nothing is written in part
    assert vstg("generate 1 -o syn --seed 1 --force")[0] == 0
    assert Path("syn/U.csv").read_bytes() != before


def test_impossible_sizes_leave_no_folder(vstg):
    code, _, err = vstg("generate 2 -o none --n-latent 30")
    assert code == 2
    assert "too few for n_latent=30" in err
    assert not Path("none").exists()


def test_fit_writes_the_model_of_the_library_and_sums_it_up(vstg, syn):
    code, out, err = vstg(f"{FIT} --gamma1 2^-1 --gamma2 2^-1 -o model.npz")
    assert (code, err) == (0, "")
    model = load_model("model.npz")
    train = pd.read_csv("syn/train.csv")
    y = train.pop("target")
    settings = {"n_latent": 2, "k": 1, "gamma1": 2**-1, "gamma2": 2**-1}
    expected = VSTGRegressor("task", **settings).fit(train, y)
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    rmse = np.sqrt(np.mean((model.predict(train) - y) ** 2))
    assert f", {number_text(rmse)} pooled" in out
    assert "120 rows, 4 tasks, 10 variables" in out
    assert "variables selected: 8 of 10" in out  # the last two are irrelevant
    assert "dropped: x8, x9" in out
    groups = task_groups(expected.V_, names=expected.tasks_, U=expected.U_)
    assert f"groups of tasks: {len(groups)}" in out
    assert f"  {groups[0].label}: {', '.join(groups[0].task_names)}" in out


def test_predictions_are_those_of_the_model_in_the_order_of_the_rows(vstg, syn):
    vstg(f"{FIT} -o model.npz")
    test = pd.read_csv("syn/test.csv")
    mixed = test.sample(frac=1.0, random_state=0).iloc[:, ::-1]
    mixed.to_csv("mixed.csv", index=False)
    code, out, _ = vstg("predict model.npz mixed.csv --target target -o p.csv")
    assert code == 0
    written = pd.read_csv("p.csv")
    assert list(written.columns) == ["task", "prediction"]
    assert written["task"].tolist() == mixed["task"].tolist()
    expected = load_model("model.npz").predict(mixed.drop(columns="target"))
    np.testing.assert_array_equal(written["prediction"], expected)
    rmse = np.sqrt(np.mean((expected - mixed["target"]) ** 2))
    assert f", {number_text(rmse)} pooled" in out


def test_predictions_go_to_standard_output_alone(vstg, syn):
    vstg(f"{FIT} -o model.npz")
    code, out, err = vstg("predict model.npz syn/test.csv --target target --keep")
    assert code == 0
    assert out.splitlines()[0].startswith("task,target,x0")
    assert out.splitlines()[0].endswith(",prediction")
    assert len(out.splitlines()) == 161
    assert err.startswith("error: RMSE")


def test_parquet_in_and_out(vstg, syn):
    pd.read_csv("syn/train.csv").to_parquet("train.parquet")
    line = FIT.replace("syn/train.csv", "train.parquet")
    assert vstg(f"{line} -o model.npz")[0] == 0
    assert vstg("predict model.npz train.parquet -o p.parquet --name guess")[0] == 0
    assert list(pd.read_parquet("p.parquet").columns) == ["task", "guess"]


@pytest.fixture
def flowers(vstg):
    """A table of three classes."""
    from sklearn.datasets import load_iris

    frame = load_iris(as_frame=True).frame
    frame["kind"] = np.array(["setosa", "versicolor", "virginica"])[frame.pop("target")]
    frame.columns = ["a", "b", "c", "d", "kind"]
    frame.to_csv("iris.csv", index=False)


def test_classes_and_their_probabilities(vstg, flowers):
    line = "fit iris.csv --target kind --classify --n-latent 2 --gamma1 2^-8"
    code, out, _ = vstg(f"{line} --gamma2 2^-8 -o iris.npz")
    assert code == 0
    assert "3 tasks" in out
    code, out, _ = vstg("predict iris.npz iris.csv --proba --target kind -o p.csv")
    assert code == 0
    error = float(out.split("error rate ")[1].split()[0])
    assert error < 0.1
    written = pd.read_csv("p.csv")
    kinds = ["setosa", "versicolor", "virginica"]
    chances = written[[f"probability_{kind}" for kind in kinds]]
    np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    largest = np.array(kinds)[chances.to_numpy().argmax(axis=1)]
    assert (largest == written["prediction"]).all()


def test_several_targets_are_several_tasks(vstg, flowers):
    line = "fit iris.csv --target a b --drop kind -o two.npz"
    assert vstg(line)[0] == 0
    code, out, _ = vstg("predict two.npz iris.csv --target a b -o p.csv")
    assert code == 0
    assert list(pd.read_csv("p.csv").columns) == ["prediction_a", "prediction_b"]
    assert "mean over tasks" in out


def test_features_may_be_chosen(vstg, syn):
    line = f"{FIT} --features x1 x0 -o model.npz"
    assert vstg(line)[0] == 0
    assert load_model("model.npz").feature_names_ == ("x1", "x0")


def test_unfinished_fit_is_a_warning_on_one_line(vstg, syn):
    code, _, err = vstg(f"{FIT} --max-iter 1 --tol 0 -o model.npz")
    assert code == 0
    assert err.startswith("vstg: warning: VSTGRegressor stopped after max_iter=1")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            f"{FIT.replace('target target', 'target score')} -o m.npz",
            "['score'] are not",
        ),
        (f"{FIT} --features x0 target -o m.npz", "the task or a target"),
        (f"{FIT} --drop colour -o m.npz", "['colour'] are not in syn/train.csv"),
        (f"{FIT} --gamma1 -1 -o m.npz", "gamma1=-1.0 must be a finite number"),
        (f"{FIT} --gamma1 much -o m.npz", "'much' is not a number such as"),
        (f"{FIT} --n-latent 0 -o m.npz", "n_latent=0 must be at least 1"),
        (f"{FIT} --threshold 2 -o m.npz", "--threshold 2.0 must be"),
        (f"{FIT} -o no/m.npz", "the folder no does not exist"),
        (f"{FIT} --classify -o m.npz", "Unknown label type"),
        (f"{FIT} --target target x0 -o m.npz", "leave --task out"),
        (FIT, "required: -o/--output"),
        ("fit no.csv --target y -o m.npz", "no.csv cannot be opened: No such file"),
        ("predict syn/train.csv syn/test.csv -o p.csv", "cannot be read"),
        ("predict no.npz syn/test.csv -o p.csv", "No such file"),
        ("predict m.npz syn/test.csv -o p.xlsx", "must end in"),
        ("generate 5 -o five", "invalid choice: 5"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(vstg, syn, line, message):
    code, out, err = vstg(line)
    assert (code, out) == (2, "")
    assert message in err
    assert err.startswith("vstg")
    assert err.count("\n") == 1
    assert not Path("m.npz").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("-o p.csv --proba", "has no probabilities"),
        ("-o p.csv --target no", "['no'] are not in"),
        ("-o p.csv --target x0 x1", "has 2 columns and the model predicts 1"),
        ("-o p.csv --keep --name x1", "['x1'] are in the table already"),
        ("-o syn/test.csv", "test.csv exists"),
    ],
)
def test_bad_predictions_are_refused(vstg, syn, options, message):
    vstg(f"{FIT} -o model.npz")
    code, out, err = vstg(f"predict model.npz syn/test.csv {options}")
    assert (code, out) == (2, "")
    assert message in err
    assert not Path("p.csv").exists()


def test_tables_that_do_not_fit_the_model_are_refused(vstg, syn):
    vstg(f"{FIT} -o model.npz")
    test = pd.read_csv("syn/test.csv")
    test.drop(columns="x3").to_csv("short.csv", index=False)
    test.replace({"task": {"task1": "task9"}}).to_csv("other.csv", index=False)
    assert "lacks the columns 'x3'" in vstg("predict model.npz short.csv")[2]
    code, out, _ = vstg("predict model.npz other.csv -o p.csv")
    assert code == 0  # the other rows are predicted
    assert "40 of 160 rows are not predicted: unknown task 'task9' (40)" in out
    found = pd.read_csv("p.csv")
    bad = found["task"] == "task9"
    assert (found["prediction"].isna() == bad).all()
    assert (found["not predicted"].notna() == bad).all()
    test.assign(task="task9").to_csv("other.csv", index=False)
    assert "does not know the tasks 'task9'" in vstg("predict model.npz other.csv")[2]


def test_an_existing_model_is_kept_without_force(vstg, syn):
    Path("m.npz").write_text("precious")
    assert vstg(f"{FIT} -o m.npz")[0] == 2
    assert Path("m.npz").read_text() == "precious"
    assert vstg(f"{FIT} -o m.npz --force")[0] == 0
    assert load_model("m.npz").n_latent == 2


@pytest.mark.parametrize(
    ("text", "value"), [("2^-5", 2**-5), ("2**3", 8.0), ("0.05", 0.05), ("1e-3", 1e-3)]
)
def test_strengths_may_be_powers(text, value):
    assert strength(text) == value


@pytest.mark.parametrize("text", ["", "^2", "two", "-2^0.5", "2^9999", "0^-1"])
def test_other_strengths_are_refused(text):
    with pytest.raises(ArgumentTypeError, match="is not a number"):
        strength(text)


def test_the_command_as_a_process(vstg, syn):
    command = [sys.executable, "-m", "vstg", *FIT.split(), "-o", "model.npz"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "model file: model.npz" in done.stdout
    assert load_model("model.npz").tasks_ == ("task0", "task1", "task2", "task3")


OLD = Path(__file__).parents[1] / "model_files" / "old"


@pytest.mark.parametrize("name", ["shops", "machines"])
def test_a_model_of_the_dashboard_predicts_rows_as_they_are_in_the_table(vstg, name):
    rows = pd.read_csv(OLD / f"{name}_rows.csv")
    expected = pd.read_csv(OLD / f"{name}_predicted.csv")
    beside = f"--preparation {OLD / name}_preparation.json"
    code, _, _ = vstg(
        f"predict {OLD / name}.npz {OLD / name}_rows.csv {beside} -o a.csv"
    )
    assert code == 0
    # The same in one file, as the dashboard writes it now.
    text = (OLD / f"{name}_preparation.json").read_bytes()
    Predictor.load(OLD / f"{name}.npz", Preparation.from_json(text)).save("one.npz")
    code, out, _ = vstg(f"predict one.npz {OLD / name}_rows.csv -o b.csv")
    assert code == 0
    for file in ("a.csv", "b.csv"):
        found = pd.read_csv(file)
        assert list(found.columns) == [rows.columns[0], "prediction"]
        pd.testing.assert_series_equal(found["prediction"], expected["prediction"])
    if name == "machines":
        truth = expected.assign(fails=expected["prediction"])
        truth.drop(columns="prediction").to_csv("known.csv", index=False)
        _, out, _ = vstg("predict one.npz known.csv --target fails --proba -o c.csv")
        assert "error: error rate 0 as the mean over tasks" in out
        chance = pd.read_csv("c.csv")["probability_yes"]
        np.testing.assert_allclose(chance, expected["probability of yes"])


def test_unknown_levels_and_missing_columns_of_raw_rows_are_told(vstg):
    text = (OLD / "shops_preparation.json").read_bytes()
    Predictor.load(OLD / "shops.npz", Preparation.from_json(text)).save("one.npz")
    rows = pd.read_csv(OLD / "shops_rows.csv")
    rows.assign(season="monsoon").to_csv("new.csv", index=False)
    code, out, _ = vstg("predict one.npz new.csv -o p.csv")
    assert code == 0
    assert "'season' has the levels 'monsoon', which the model does not know" in out
    rows.drop(columns="season").to_csv("less.csv", index=False)
    code, _, err = vstg("predict one.npz less.csv -o q.csv")
    assert code == 2
    assert "less.csv lacks the columns 'season'" in err
    rows.drop(columns="shop").to_csv("less.csv", index=False)
    code, _, err = vstg("predict one.npz less.csv -o q.csv")
    assert code == 2
    assert "less.csv has no column 'shop' for the task" in err


def test_model_files_are_read_in_the_bounded_process(vstg, monkeypatch):
    read = []

    def here(function, *arguments, **options):
        read.append((function.__name__, arguments[1]))
        return function(*arguments)

    monkeypatch.setattr("vstg.prediction.bounded_load.run_bounded", here)
    beside = f"--preparation {OLD / 'shops_preparation.json'}"
    model = OLD / "shops.npz"
    code, _, _ = vstg(f"predict {model} {OLD / 'shops_rows.csv'} {beside} -o a.csv")
    assert code == 0
    assert read == [("rewritten", str(model))]


@pytest.fixture
def cars(vstg):
    """A table that others made: text, dates, gaps in a variable and in the target."""
    data = pytest.importorskip("vega_datasets").local_data
    frame = data.cars().drop(columns="Name")
    assert frame["Horsepower"].isna().any()
    assert frame["Miles_per_Gallon"].isna().any()
    frame.to_csv("cars.csv", index=False)
    return frame


@pytest.mark.parametrize("unit", [1.0, 1e6])
def test_a_raw_table_is_prepared_as_on_the_data_page(vstg, cars, unit):
    frame = cars.assign(Acceleration=cars["Acceleration"] * unit)
    frame["Colour"] = np.array(["red", "blue", None])[np.arange(len(frame)) % 3]
    frame.to_csv("cars.csv", index=False)
    roles = "--task Origin --target Acceleration --drop Year --missing median"
    code, _, err = vstg(f"fit cars.csv {roles} --n-latent 2 --k 1 -o cars.npz")
    assert (code, err) == (0, "")
    vstg("predict cars.npz cars.csv --target Acceleration -o p.csv")
    # The way of the Data page.
    table = read_table("cars.csv")
    taken = {"Origin", "Acceleration", "Year"}
    recipe = Recipe(
        task="Origin", targets=("Acceleration",), missing="median", scaling="standard",
        features=tuple(name for name in frame.columns if name not in taken),
        test_size=0.0,
    )  # fmt: skip
    prepared = prepare(table, recipe)
    result = solve_vstg(
        prepared.train, n_latent=2, k=1, gamma1=2**-5, gamma2=2**-5, fit_intercept=True
    )
    model = Predictor.of(result, prepared.train, preparation=Preparation.of(prepared))
    expected = model.predict_table(table)[0]["prediction"]
    found = pd.read_csv("p.csv")["prediction"]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    # Better than each origin's own mean, whatever the unit.
    y = frame["Acceleration"]
    means = y.groupby(frame["Origin"]).transform("mean")
    assert ((found - y) ** 2).mean() < 0.9 * ((means - y) ** 2).mean()


def test_raw_rows_without_a_value_or_with_an_unknown_task_are_marked(vstg, cars):
    roles = "--task Origin --target Acceleration --drop Year --missing drop"
    assert vstg(f"fit cars.csv {roles} -o cars.npz")[0] == 0
    needed = list(Predictor.load("cars.npz").columns)
    gaps = cars[needed].isna().any(axis=1)
    assert gaps.any()
    code, out, _ = vstg("predict cars.npz cars.csv -o p.csv")
    assert code == 0
    assert f"{gaps.sum()} of {len(cars)} rows are not predicted" in out
    found = pd.read_csv("p.csv")
    assert (found["prediction"].isna() == gaps.to_numpy()).all()
    polars = pytest.importorskip("polars")
    rows = cars[~gaps]
    for table in (polars.from_pandas(rows), pa.Table.from_pandas(rows)):
        same = Predictor.load("cars.npz").predict(table)["prediction"]
        np.testing.assert_allclose(same, found["prediction"][~gaps.to_numpy()])


def test_a_discovery_writes_a_model_of_raw_rows(vstg, cars):
    roles = "--task Origin --target Acceleration --drop Year --missing mean"
    quick = "--folds 2 --resamples 0 --json"
    code, out, _ = vstg(f"discover cars.csv {roles} {quick} -o found.npz")
    assert code == 0
    found = json.loads(out)
    model = Predictor.load("found.npz")
    assert set(model.columns) == set(found["variables"])
    code, out, _ = vstg("predict found.npz cars.csv --target Acceleration -o p.csv")
    assert code == 0
    assert found["error"] < found["baselines"]["mean of each task"]
    y, new = cars["Acceleration"], pd.read_csv("p.csv")["prediction"]
    by_task = ((new - y) ** 2).groupby(cars["Origin"]).mean() ** 0.5
    assert by_task.mean() < found["error"] * 1.05


def test_transfer_adds_a_task_and_compares_it_with_a_ridge(vstg, syn):
    train = pd.read_csv("syn/train.csv")
    train[train["task"] != "task3"].to_csv("known.csv", index=False)
    train[train["task"] == "task3"].head(20).to_csv("new.csv", index=False)
    known = FIT.replace("syn/train.csv", "known.csv")
    assert vstg(f"{known} -o model.npz")[0] == 0
    line = "transfer model.npz new.csv --target target -o grown.npz"
    code, out, err = vstg(line)
    assert (code, err) == (0, "")
    assert "known bases" in out and "ridge of its own" in out
    assert Predictor.load("grown.npz").added == {"task3": 20}
    assert vstg(line)[0] == 2  # the file exists
    code, out, err = vstg("predict model.npz new.csv --unknown mean")
    assert (code, err) == (0, "")
    assert out.count("unknown task: mean of all tasks") == 20
    assert vstg("predict grown.npz new.csv --target target")[0] == 0
    code, _, err = vstg("transfer model.npz known.csv --target target -o no.npz")
    assert code == 2 and "no row of a new task" in err


def test_intervals_come_with_the_model_and_are_written(vstg, syn):
    assert vstg(f"{FIT} -o model.npz")[0] == 0
    code, out, err = vstg("predict model.npz syn/test.csv --interval 90")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "task,prediction,prediction_lower,prediction_upper"
    raw = FIT.replace(" --as-is", "")
    code, out, _ = vstg(f"{raw} -o raw.npz")
    assert code == 0 and "90% prediction intervals (5 folds): prediction ±" in out
    assert vstg("predict raw.npz syn/test.csv --interval 90 -o p.csv --keep")[0] == 0
    table = pd.read_csv("p.csv")
    inside = table["target"].between(
        table["prediction_lower"], table["prediction_upper"]
    )
    assert inside.mean() == pytest.approx(0.9, abs=0.12)  # 30 rows per task
    assert vstg("predict model.npz syn/test.csv --interval 900")[0] == 2


def test_rows_that_belong_together_are_a_column_of_the_command(vstg, syn):
    train = pd.read_csv("syn/train.csv")
    train["visit"] = np.arange(len(train)) // 3
    train.to_csv("visits.csv", index=False)
    line = "fit visits.csv --task task --target target --n-latent 2 --k 1"
    code, _, err = vstg(f"{line} --together visit -o grouped.npz")
    assert (code, err) == (0, "")
    assert "visit" not in Predictor.load("grouped.npz").feature_names
    assert vstg(f"{line} --order visit -o timed.npz")[0] == 0
    code, _, err = vstg(f"{line} --order visit --as-is -o no.npz")
    assert code == 2 and "leave --as-is out" in err
    code, _, err = vstg(f"{line} --together bed -o no.npz")
    assert code == 2 and "bed" in err


def test_a_column_weighs_the_rows_and_json_the_tasks(vstg, syn):
    train = pd.read_csv("syn/train.csv")
    heavy = np.arange(len(train)) % 3  # 0, 1, 2, ...
    train.assign(count=heavy).to_csv("weighted.csv", index=False)
    train.iloc[np.repeat(np.arange(len(train)), heavy)].to_csv("more.csv", index=False)
    same = "--task task --target target --n-latent 2 --k 1 --scaling none"
    fits = {
        "weighted": ["--weight", "count"],
        "more": [],
        "tasks": ["--weight", "count", "--task-weights", '{"task1": 5}'],
    }
    for name, options in fits.items():
        table = "more.csv" if name == "more" else "weighted.csv"
        words = f"fit {table} {same} -o {name}.npz --tol 1e-9".split()
        assert vstg([*words, *options])[::2] == (0, "")
    found = {name: Predictor.load(f"{name}.npz") for name in fits}
    np.testing.assert_allclose(found["weighted"].W, found["more"].W, atol=1e-7)
    assert np.abs(found["tasks"].W - found["more"].W).max() > 1e-3
    assert found["weighted"].weights == "rows weighted from 1 to 2"
    assert found["tasks"].weights.endswith("tasks weighted from 1 to 5")
    assert found["more"].weights == ""
    assert "count" not in found["weighted"].feature_names


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--weight", "mass"], "columns ['mass'] are not in"),
        (["--weight", "target"], "two roles"),
        (["--task-weights", "[1]"], "is no JSON object of numbers"),
        (["--task-weights", '{"task1": 0}'], "task 'task1' has the weight 0"),
        (["--weight", "x1", "--as-is"], "belong to the preparation"),
    ],
)
def test_wrong_weights_end_in_a_sentence(vstg, syn, options, message):
    roles = ["--task", "task", "--target", "target"]
    code, _, err = vstg(["fit", "syn/train.csv", *roles, "-o", "model.npz", *options])
    assert code == 2
    assert message in err
    assert "Traceback" not in err
