"""The sample tables: as the script draws them, small, and worth fitting."""

import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sample_fits import fit_sample

from vstg.datasets import SAMPLES, load_sample, make_syn, samples
from vstg.metrics import error_rate_pooled, rmse_pooled
from vstg.tables import suggest_recipe

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "sample_data"


@pytest.fixture(scope="module")
def drawn() -> dict[str, pd.DataFrame]:
    path = ROOT / "scripts" / "make_sample_data.py"
    spec = importlib.util.spec_from_file_location("make_sample_data", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.tables()


def test_the_files_are_what_the_script_draws(drawn):
    files = {p.relative_to(FOLDER).with_suffix("").as_posix(): p for p in _tables()}
    assert set(files) == set(drawn)
    for name, path in files.items():
        there, made = pd.read_csv(path), drawn[name].infer_objects()
        assert list(there.columns) == list(made.columns)
        for column in there.columns:
            if pd.api.types.is_numeric_dtype(there[column]):
                values = pd.to_numeric(made[column]).to_numpy(float)
                # A last digit may be rounded otherwise by another linear algebra.
                np.testing.assert_allclose(there[column], values, atol=1.01e-3)
            else:
                assert there[column].tolist() == made[column].tolist()


def _tables():
    return sorted(FOLDER.rglob("*.csv"))


@pytest.mark.parametrize("path", _tables(), ids=lambda p: p.stem)
def test_files_are_small_and_described(path):
    assert path.stat().st_size < 300_000
    readme = (FOLDER / "README.md").read_text("utf-8")
    if path.parent == FOLDER:
        shape = pd.read_csv(path).shape
        assert f"| `{path.name}` | {shape[0]} × {shape[1]} |" in readme
        for column in pd.read_csv(path, nrows=0).columns:
            assert f"`{column}`" in readme or column.startswith("taster_")


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_synthetic_tables_hold_the_problem_and_its_truth(number):
    sample, syn = load_sample(f"syn{number}"), make_syn(number, random_state=0)
    data = sample.to_data()
    assert data.task_names == syn.train.task_names
    np.testing.assert_allclose(data.X, syn.train.X, atol=5.1e-4)
    np.testing.assert_allclose(data.y, syn.train.y, atol=5.1e-4)
    np.testing.assert_allclose(sample.U, syn.U, atol=1e-6)
    np.testing.assert_allclose(sample.V, syn.V, atol=1e-6)


@pytest.mark.parametrize("name", [n for n in SAMPLES if not n.startswith("syn")])
def test_stories_are_read_guessed_and_learnt(name):
    sample = load_sample(name)
    result, data, table = fit_sample(name, 0.01, scaling="standard")
    if sample.layout == "long":
        assert suggest_recipe(table).task == sample.task
    predicted = [
        X @ w + b
        for X, w, b in zip(data.test.X, result.W.T, result.intercept, strict=True)
    ]
    if sample.problem == "classification":
        rare = np.mean(np.concatenate(data.test.y) > 0)
        assert error_rate_pooled(data.test.y, predicted) < 0.8 * min(rare, 1 - rare)
    else:
        means = [
            np.full(len(y), np.mean(t))
            for y, t in zip(data.test.y, data.train.y, strict=True)
        ]
        assert rmse_pooled(data.test.y, predicted) < 0.7 * rmse_pooled(
            data.test.y, means
        )


def test_an_unknown_sample_is_refused_and_a_missing_folder_explained(
    tmp_path, monkeypatch
):
    with pytest.raises(ValueError, match="no sample 'wands'; there are shops, wards"):
        load_sample("wands")
    monkeypatch.setattr(samples, "FOLDER", tmp_path)
    with pytest.raises(FileNotFoundError, match="make_sample_data"):
        load_sample("wards")
