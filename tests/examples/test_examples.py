"""The scripts of examples/ run as they are, with small settings, and tell the truth."""

import re
import runpy
import sys
from pathlib import Path

import pytest

from vstg import load_model
from vstg.datasets import load_sample
from vstg.prediction import Predictor

FOLDER = Path(__file__).parents[2] / "examples"


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run a script in an empty folder; gives what it prints."""
    monkeypatch.chdir(tmp_path)

    def ran(name, *arguments):
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
        return capsys.readouterr().out

    return ran


def number(pattern, text):
    return float(re.search(pattern + r"\D*([\d.]+)", text).group(1))


def test_every_example_is_run_here():
    tests = Path(__file__).read_text("utf-8")
    names = [path.stem for path in FOLDER.glob("*.py")]
    assert len(names) == 4
    assert [name for name in names if f'run("{name}"' not in tests] == []


def test_a_fit_of_known_truth(run):
    printed = run("fit_synthetic", "1", "--rows", "40")
    assert "tolerance" in printed
    assert 1.0 < number("test RMSE", printed) < 1.2
    listed = re.search(r"Groups of tasks:\n(.*)", printed, re.S).group(1)
    assert sorted(set(re.findall(r"task\d+", listed))) == sorted(
        f"task{j}" for j in range(20)
    )


def test_tuning_on_a_table(run, tmp_path):
    printed = run("tune_own_table")
    held_back = number("on the test rows", printed)
    assert held_back < 0.6 * number("mean of each task", printed)
    dropped = re.search(r"variables dropped: (.*)", printed).group(1)
    assert {"radio_spots", "rain_days"} <= set(dropped.split(", "))
    assert load_model(tmp_path / "model.npz").tasks_
    predictor = Predictor.load(tmp_path / "model.npz")
    first = predictor.predict(load_sample("shops").frame.head(1))["prediction"]
    assert number("first row", printed) == pytest.approx(first.iloc[0], abs=0.1)


def test_comparison_of_methods(run):
    printed = run("compare_methods", "--repetitions", "6", "--rows", "30")
    rows = {name: number(name, printed) for name in ("VSTG-MTL", "LASSO", "Ridge")}
    assert rows["VSTG-MTL"] < rows["LASSO"] < rows["Ridge"]
    assert "every other: VSTG-MTL" in printed


def test_random_search(run):
    printed = run("random_search", "--trials", "6")
    assert 1.0 < number("RMSE on new rows", printed) < 1.2
    assert "of 25" in printed
