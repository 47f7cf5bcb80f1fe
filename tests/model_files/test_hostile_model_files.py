"""Model files made to do harm are refused before they can."""

import io
import json
import pickle
import tracemalloc
import zipfile

import numpy as np
import pytest

from vstg import VSTGClassifier, load_model
from vstg.prediction import ModelFileError, archive
from vstg.prediction.bounded_load import load_bounded


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
        (put("version", value=4), "version 4 and this vstg reads 3; upgrade"),
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
        (put("restart_objectives", value=["x"]), "not a finite number"),
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
    with pytest.raises(
        ModelFileError, match=f"the model file cannot be read: .*{message}"
    ):
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
    with pytest.raises(
        ModelFileError, match=f"the model text cannot be read: .*{message}"
    ):
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


def test_the_bounded_process_reads_and_refuses_alike(path, model):
    back = load_bounded(path.read_bytes(), "model.npz")
    np.testing.assert_array_equal(back.W.T, model.coef_)
    with pytest.raises(ModelFileError, match=r"model\.npz' cannot be read: .*zip"):
        load_bounded(path.read_bytes()[:-30], "model.npz")
    with pytest.raises(ModelFileError, match="preparation"):
        load_bounded(path.read_bytes(), "model.npz", b"{}")


def test_half_a_surrogate_pair_in_a_name_is_made_whole(path):
    file = rewritten(path, put("tasks", value=["a\ud800", "b", "c"]))
    back = load_bounded(file.getvalue(), "model.npz")
    assert back.task_names[0] == "a\ufffd"
