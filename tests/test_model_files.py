"""Model files: exact round trips, and refusal of everything else."""

import io
import json
import pickle
import tracemalloc
import zipfile
from dataclasses import fields

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV

from vstg import VSTGClassifier, VSTGRegressor, load_model, save_model
from vstg.estimators import ModelFileError, archive

SETTINGS = dict(n_latent=3, k=2, gamma1=2**-5, gamma2=2**-6)
KINDS = [
    "plain regressor",
    "wide regressor",
    "regressor with a task column",
    "regressor with a task position",
    "two classes",
    "three classes",
    "wide classifier",
    "classifier with a task column",
    "tasks with labels of their own",
]


def fitted(kind, rng):
    """A model of every kind, and a table that it can predict."""
    X = rng.normal(size=(60, 4))
    Y = X @ rng.normal(size=(4, 3)) + 1.0
    tasks = np.array(["a", "b", "ç"])[np.arange(60) % 3]
    frame = pd.DataFrame(X, columns=list("wxyz")).assign(town=tasks)
    mixed = frame[["w", "town", "x", "y", "z"]].to_numpy()
    y = Y[np.arange(60), np.arange(60) % 3]
    labels = np.where(y > 1, "high", "low")
    own = np.where(tasks == "b", np.where(y > 1, "up", "down"), labels)
    model, table, target = {
        "plain regressor": (VSTGRegressor(), X, Y[:, 0]),
        "wide regressor": (VSTGRegressor(mu=0.25), X, Y),
        "regressor with a task column": (VSTGRegressor("town"), frame, y),
        "regressor with a task position": (VSTGRegressor(1, n_init=2), mixed, y),
        "two classes": (VSTGClassifier(), frame[["w", "z"]], y > 1),
        "three classes": (VSTGClassifier(), X, Y.argmax(axis=1)),
        "wide classifier": (VSTGClassifier(), X, np.where(Y > 1, 1.0, 0.0)),
        "classifier with a task column": (VSTGClassifier("town"), frame, labels),
        "tasks with labels of their own": (
            VSTGClassifier("town"),
            frame,
            pd.Series(own, dtype=object),
        ),
    }[kind]
    return model.set_params(**SETTINGS).fit(table, target), table


@pytest.fixture
def model(rng):
    return fitted("classifier with a task column", rng)[0]


@pytest.fixture
def path(tmp_path, model):
    path = tmp_path / "model.npz"
    save_model(model, path)
    return path


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
        with pytest.raises(ModelFileError, match=r"model\.npz' is refused: "):
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
    with pytest.raises(ModelFileError, match=r"foreign\.npz' is refused: "):
        load_model(path)


def test_arrays_of_another_program_are_refused(tmp_path):
    np.savez(tmp_path / "other.npz", U=np.eye(3), V=np.eye(3))
    with pytest.raises(ModelFileError, match="it is not a vstg model"):
        load_model(tmp_path / "other.npz")


# --- hostile content -----------------------------------------------------------------


def rewritten(path, edit):
    """The file with its header and arrays changed by ``edit(header, arrays)``."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    header = json.loads(arrays.pop("header").tobytes())
    edit(header, arrays)
    return io.BytesIO(archive.pack(header, arrays))


def put(*keys, value):
    def edit(header, arrays):
        place = header
        for key in keys[:-1]:
            place = place[key]
        place[keys[-1]] = value

    return edit


def put_array(name, value):
    return lambda header, arrays: arrays.update({name: value})


def test_rewriting_alone_does_no_harm(path, model):
    back = load_model(rewritten(path, lambda header, arrays: None))
    np.testing.assert_array_equal(back.coef_, model.coef_)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (put("format", value="pickle"), "not a vstg model"),
        (put("version", value=2), "version 2 and this vstg reads 1; upgrade"),
        (put("version", value=True), "'version' is missing"),
        (put("class", value="Popen"), "holds a Popen, not a VSTGRegressor or"),
        (put("class", value="VSTGRegressor"), "a regressor has no labels"),
        (put("params", "n_latent", value="3"), "'n_latent' is missing"),
        (put("params", "shell", value="rm"), "should not have 'shell'"),
        (put("params", "task_column", value="city"), "columns do not fit"),
        (put("params", "task_column", value=None), "columns do not fit"),
        (put("params", "gamma1", value=10**400), "too large"),
        (put("params", "task_column", value=5), "columns do not fit"),
        (put("columns", value=None), "columns do not fit"),
        (put("columns", value=["town", "w", "x"]), "columns do not fit"),
        (put("tasks", value=["a", "a", "b"]), "'tasks' .* distinct names"),
        (put("tasks", value=["a", "b", 3]), "'tasks' .* distinct names"),
        (put("tasks", value=["a", "b"]), r"V has the shape \(3, 3\) and not \(3, 2\)"),
        (put("features", value=["w"]), r"U has the shape \(4, 3\) and not \(1, 3\)"),
        (put("features", value=[]), "'features' .* distinct names"),
        (put("settings", "n_latent", value=4), "U has the shape"),
        (put("settings", "k", value=9), "k=9 must lie between"),
        (put("settings", "extra", value=9), "extra"),
        (put("result", "objective", value="low"), "'objective' is missing"),
        (put("result", "n_iter", value=3), "history_.* has the shape"),
        (put("restart_objectives", value=["x"]), "no finite number"),
        (put("multioutput", value=True), "one output"),
        (put("labels", value=None), "labels of shape None"),
        (put("labels", "kind", value="M"), "unknown kind"),
        (put("labels", "values", value=[["a", "b"]]), r"labels of shape \(1, 2\)"),
        (put("labels", "values", value=[["a", "a"]] * 3), "cannot be told apart"),
        (put("labels", "values", value=[["a", {}]] * 3), "neither text nor a number"),
        (put("labels", "values", value=[[1, 2]] * 3), "not of the kind 'U'"),
        (put("labels", "values", value=["a", "b", "c"]), "three classes or more"),
        (put_array("U", np.full((4, 3), np.nan)), "U holds values that are not finite"),
        (put_array("V", np.full((3, 3), np.inf)), "V holds values that are not finite"),
        (put_array("intercept", np.zeros(4)), r"intercept has the shape \(4,\)"),
        (put_array("extra", np.zeros(4)), "holds the arrays"),
        (lambda header, arrays: arrays.pop("V"), "holds the arrays"),
        (lambda header, arrays: arrays.pop("history_objective"), "holds the arrays"),
    ],
)
def test_parts_that_do_not_fit_are_refused(path, edit, message):
    with pytest.raises(ModelFileError, match=f"the model file is refused: .*{message}"):
        load_model(rewritten(path, edit))


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda text: text[:-5], "delimiter"),
        (lambda text: "[" * 100_000, "recursion depth"),
        (lambda text: "[]", "not a JSON object"),
        (lambda text: text.replace('"U": [[', '"U": [[NaN, '), "holds NaN"),
        (lambda text: text.replace('"U": [[', '"U": [[1.0, '), "U is not a table of n"),
        (lambda text: text.replace('"U": [[', '"U": [["x", '), "U is not a table of n"),
        (lambda text: text.replace('"objective": ', '"objective": 1e999, "x": '), "x"),
        (lambda text: json.dumps({**json.loads(text), "arrays": 3}), "'arrays' is"),
    ],
)
def test_texts_that_are_no_model_are_refused(model, edit, message):
    text = model.to_json()
    assert edit(text) != text
    with pytest.raises(ModelFileError, match=f"the model text is refused: .*{message}"):
        VSTGClassifier.from_json(edit(text))


class Trap:
    """Unpickling it would leave a trace."""

    sprung = False

    def __reduce__(self):
        return setattr, (Trap, "sprung", True)


def with_member(path, name, content):
    """The file with one member replaced."""
    stream = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(stream, "w") as new:
        for member in old.namelist():
            if member != name:
                new.writestr(member, old.read(member))
        new.writestr(name, content, compress_type=zipfile.ZIP_DEFLATED)
    return stream


def npy(header, content=b""):
    """A .npy file with a header of our choice."""
    text = header.encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + content


def test_objects_are_refused_and_never_unpickled(path):
    stream = io.BytesIO()
    np.save(stream, np.array([Trap()], dtype=object), allow_pickle=True)
    pickle.loads(pickle.dumps(Trap()))
    assert Trap.sprung
    Trap.sprung = False
    with pytest.raises(ModelFileError, match=r"'U\.npy' holds object"):
        load_model(with_member(path, "U.npy", stream.getvalue()))
    assert not Trap.sprung


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ("(4, 3000000000000)", "declares the shape"),
        ("(-4, -3)", "declares the shape"),
        ("(4,)", "declares the shape"),
        ("(4.0, 3)", "does not begin like an array"),
        ("(2**60, 4)", "does not begin like an array"),
    ],
)
def test_declared_shapes_must_fit_the_bytes_that_are_there(path, shape, message):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}"
    with pytest.raises(ModelFileError, match=message):
        load_model(with_member(path, "U.npy", npy(header, bytes(96))))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("U.npy", b"", "does not begin like an array"),
        ("U.npy", npy("{'descr': '<f4', 'fortran_order': 0, 'shape': ()}"), "begin"),
        ("U.npy", npy("(" * 9000), "does not begin like an array"),
        ("U.npy", b"\x93NUMPY\x02\x00" + bytes(99), "does not write"),
        ("run.py", b"print()", "'run.py', which is not an array"),
    ],
)
def test_members_that_are_no_arrays_of_ours_are_refused(path, name, content, message):
    with pytest.raises(ModelFileError, match=message):
        load_model(with_member(path, name, content))


def test_a_bomb_is_refused_before_it_expands(path):
    bomb = with_member(path, "U.npy", bytes(archive.MAX_BYTES + 1))
    assert len(bomb.getvalue()) < 10**6
    tracemalloc.start()
    with pytest.raises(ModelFileError, match=r"would expand to .* bytes"):
        load_model(bomb)
    assert tracemalloc.get_traced_memory()[1] < 10**6
    tracemalloc.stop()


def test_a_bomb_that_lies_about_its_size_is_refused(path):
    size = 50_000_000
    bomb = with_member(path, "U.npy", bytes(size)).getvalue()
    assert bomb.count(size.to_bytes(4, "little")) == 2
    lying = bomb.replace(size.to_bytes(4, "little"), (1000).to_bytes(4, "little"))
    tracemalloc.start()
    with pytest.raises(ModelFileError):
        load_model(io.BytesIO(lying))
    assert tracemalloc.get_traced_memory()[1] < size / 5
    tracemalloc.stop()


def test_large_headers_members_and_labels_are_refused(path, monkeypatch):
    many = io.BytesIO()
    with zipfile.ZipFile(many, "w") as new:
        for number in range(archive.MAX_MEMBERS + 1):
            new.writestr(f"{number}.npy", b"")
    with pytest.raises(ModelFileError, match="33 members"):
        load_model(many)
    wide = [["a", "b" * 10**7]] + [["a", "b"]] * 10
    with pytest.raises(ModelFileError, match="10000000 characters, which is too long"):
        load_model(rewritten(path, put("labels", "values", value=wide)))
    monkeypatch.setattr(archive, "MAX_HEADER_BYTES", 100)
    with pytest.raises(ModelFileError, match=r"its header has .* bytes"):
        load_model(path)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_given_twice_is_refused(path):
    with zipfile.ZipFile(path, "a") as file:
        file.writestr("U.npy", b"")
    with pytest.raises(ModelFileError, match="perhaps twice"):
        load_model(path)
