"""Model files: exact round trips, and refusal of damaged and foreign ones."""

import io
import json
import pickle
from dataclasses import fields

import numpy as np
import pytest
from kinds import KINDS, SETTINGS, fitted
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV

from vstg import VSTGClassifier, VSTGRegressor, load_model, save_model
from vstg.estimators import ModelFileError


def by_file(model, tmp_path):
    save_model(model, tmp_path / "model.npz")
    return load_model(tmp_path / "model.npz")


def by_text(model, _):
    return type(model).from_json(model.to_json())


@pytest.mark.parametrize("copy", [by_file, by_text])
@pytest.mark.parametrize("kind", KINDS)
def test_a_model_comes_back_as_it_was(kind, copy, rng, tmp_path):
    model, table = fitted(kind, rng)
    back = copy(model, tmp_path)
    assert type(back) is type(model)
    assert back.get_params() == model.get_params()
    np.testing.assert_array_equal(back.predict(table), model.predict(table))
    for name in ("coef_", "intercept_", "U_", "V_"):
        np.testing.assert_array_equal(getattr(back, name), getattr(model, name))
    for name in ("tasks_", "feature_names_", "n_features_in_", "n_iter_", "objective_"):
        assert getattr(back, name) == getattr(model, name)
    assert hasattr(back, "feature_names_in_") == hasattr(model, "feature_names_in_")
    if hasattr(model, "classes_"):
        assert back.predict(table).dtype == model.predict(table).dtype
        np.testing.assert_array_equal(back.classes_, model.classes_)
        np.testing.assert_array_equal(
            back.predict_proba(table), model.predict_proba(table)
        )


@pytest.mark.parametrize("copy", [by_file, by_text])
def test_the_whole_result_comes_back(model, copy, tmp_path):
    before, after = model.result_, copy(model, tmp_path).result_
    assert len(before.history["objective"]) == before.n_iter
    for name in sorted({field.name for field in fields(before)} - {"inner_history"}):
        old, new = getattr(before, name), getattr(after, name)
        np.testing.assert_equal(new, old, err_msg=name)


def test_a_loaded_model_still_refuses_and_aligns_columns(rng, tmp_path):
    model, table = fitted("regressor with a task column", rng)
    back = by_file(model, tmp_path)
    turned = table[["town", "z", "y", "x", "w"]]
    np.testing.assert_array_equal(back.predict(turned), model.predict(table))
    with pytest.raises(ValueError, match="task 'q' was not seen"):
        back.predict(table.assign(town="q"))
    assert clone(back).get_params() == model.get_params()


def test_models_pass_through_streams(model):
    stream = io.BytesIO()
    model.save(stream)
    stream.seek(0)
    np.testing.assert_array_equal(VSTGClassifier.load(stream).U_, model.U_)


def test_the_file_is_plain_arrays_and_a_readable_header(path, model):
    with np.load(path, allow_pickle=False) as file:
        header = json.loads(file["header"].tobytes())
        np.testing.assert_array_equal(file["U"], model.U_)
    assert header["class"] == "VSTGClassifier"
    assert header["tasks"] == ["a", "b", "ç"]
    assert header["params"]["gamma1"] == SETTINGS["gamma1"]
    assert header["vstg"]


def test_saving_again_replaces_the_file_and_leaves_nothing_else(path, rng):
    other, _ = fitted("plain regressor", rng)
    other.save(str(path))
    np.testing.assert_array_equal(load_model(path).coef_, other.coef_)
    assert [file.name for file in path.parent.iterdir()] == ["model.npz"]


def test_numpy_parameters_and_generators_do_not_prevent_saving(rng, tmp_path):
    X = rng.normal(size=(30, 3))
    grid = {"gamma1": np.logspace(-3, -1, 2), "n_latent": np.arange(3, 5)}
    model = VSTGRegressor(random_state=np.random.default_rng(0))
    best = GridSearchCV(model, grid, cv=2).fit(X, X.sum(axis=1)).best_estimator_
    back = by_file(best, tmp_path)
    assert back.gamma1 == best.gamma1
    assert back.n_latent == best.n_latent
    assert back.random_state is None


def test_what_cannot_be_saved_is_refused(rng, tmp_path):
    with pytest.raises(NotFittedError):
        save_model(VSTGRegressor(), tmp_path / "model.npz")
    model, _ = fitted("plain regressor", rng)
    with pytest.raises(ValueError, match=r"solver=\[\] cannot be written"):
        model.set_params(solver=[]).save(tmp_path / "model.npz")
    model, _ = fitted("regressor with a task column", rng)
    with pytest.raises(ValueError, match=r"columns do not fit .* task_column='city'"):
        model.set_params(task_column="city").save(tmp_path / "model.npz")
    model, _ = fitted("two classes", rng)
    model.task_classes_ = np.array([["2020-01-01", "2021-01-01"]], dtype="M8[D]")
    with pytest.raises(ValueError, match=r"labels such as .* cannot be written"):
        model.save(tmp_path / "model.npz")
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_the_other_class_is_refused(path):
    with pytest.raises(ModelFileError, match="holds a VSTGClassifier, not a VSTGRegr"):
        VSTGRegressor.load(path)


def test_a_missing_file_is_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_model(tmp_path / "no.npz")


# --- damage --------------------------------------------------------------------------


def test_every_truncated_file_is_refused(path):
    content = path.read_bytes()
    for length in range(0, len(content), 97):
        path.write_bytes(content[:length])
        with pytest.raises(ModelFileError, match=r"model\.npz' cannot be read: "):
            load_model(path)


@pytest.mark.filterwarnings("ignore")
def test_a_flipped_byte_is_harmless_or_refused(path, model, rng):
    content = path.read_bytes()
    refused = 0
    for position in rng.choice(len(content), size=400, replace=False):
        damaged = bytearray(content)
        damaged[position] ^= 1 << rng.integers(8)
        try:
            back = load_model(io.BytesIO(damaged))
        except ModelFileError as error:
            assert "\n" not in str(error)
            refused += 1
        else:
            np.testing.assert_array_equal(back.coef_, model.coef_)
    assert refused > 200


@pytest.mark.parametrize(
    "content", [b"", b"hello, world", b"PK\x05\x06" + bytes(18), pickle.dumps([1])]
)
def test_foreign_files_are_refused(tmp_path, content):
    path = tmp_path / "foreign.npz"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=r"foreign\.npz' cannot be read: "):
        load_model(path)


def test_arrays_of_another_program_are_refused(tmp_path):
    np.savez(tmp_path / "other.npz", U=np.eye(3), V=np.eye(3))
    with pytest.raises(ModelFileError, match="it is not a vstg model"):
        load_model(tmp_path / "other.npz")
