"""Values survive the way between processes, and false messages are refused."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vstg.bounded import MessageError, clean_name, clean_text
from vstg.bounded.messages import pack, unpack


def sent(value):
    return unpack(b"".join(pack(value)))


@pytest.mark.parametrize(
    "value",
    [
        None, True, 3, -(10**30), 1.5, "", "é", "x" * 5000, b"\0\xff",
        [], [1, [2, ["a"]]], {}, {"array": 3, "": [{}]}, ["a"] * 100, ["ä", ""] * 50,
    ],
)  # fmt: skip
def test_plain_values_come_back(value):
    assert sent(value) == value


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "?", ">f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_come_back(dtype, order, rng):
    array = np.asarray(rng.integers(0, 2, size=(3, 4)), dtype=dtype, order=order)
    found = sent({"a": [array, array[::2, 1:], array[:0]]})["a"]
    for new, old in zip(found, (array, array[::2, 1:], array[:0]), strict=True):
        np.testing.assert_array_equal(new, old)
        assert new.dtype == old.dtype
        assert new.flags.writeable


@pytest.mark.parametrize(
    "value", [object(), np.array(["a"]), np.array([None]), {1, 2}, ["a\0b"] * 50]
)
def test_what_cannot_be_sent_is_said(value):
    with pytest.raises(MessageError):
        pack(value)


def made(tree, blocks=b""):
    header = tree if isinstance(tree, bytes) else json.dumps(tree).encode()
    return len(header).to_bytes(8, "big") + header + blocks


@pytest.mark.parametrize(
    "message",
    [
        b"",
        made(b"{"),
        made(b"[" * 100_000),
        made([1], b"left over"),
        made({"bytes": 5}, b"four"),
        made({"bytes": -1}),
        made({"bytes": True}, b"1"),
        made({"texts": 2}, b"\xff\xfe"),
        made({"text": 3}, "\ud800".encode("utf-8", "surrogatepass")),
        made("\ud800"),
        made({"dict": [["a"]]}),
        made({"dict": 3}),
        made({"pickle": 3}, b"123"),
        made({"array": 8, "dtype": "O", "shape": [1], "order": "C"}, b"8" * 8),
        made({"array": 8, "dtype": "f8,f8", "shape": [1], "order": "C"}, b"8" * 8),
        made({"array": 8, "dtype": "f8", "shape": [2], "order": "C"}, b"8" * 8),
        made({"array": 8, "dtype": "f8", "shape": [-1, -1], "order": "C"}, b"8" * 8),
        made({"array": 8, "dtype": "f8", "shape": [1], "order": []}, b"8" * 8),
        made({"array": 8, "dtype": "f8", "shape": [1] * 99, "order": "C"}, b"8" * 8),
        made(b"9" * 5000),
        (2**40).to_bytes(8, "big"),
    ],
)
def test_false_messages_are_refused(message):
    with pytest.raises(MessageError):
        unpack(message)


@given(st.text(st.characters(), max_size=20))
@settings(max_examples=200, deadline=None, derandomize=True, database=None)
def test_clean_text_can_be_written_and_is_stable(text):
    clean = clean_text(text, 10)
    clean.encode("utf-8")
    assert "\0" not in clean
    assert len(clean) <= 10
    assert clean_text(clean, 10) == clean
    clean_name(text).encode("utf-8")


def test_text_that_is_fine_stays_and_pairs_are_joined():
    assert clean_text("Straße, 日本, \U0001f600") == "Straße, 日本, \U0001f600"
    assert clean_text("\ud83d\ude00") == "\U0001f600"
    assert clean_text("a\ud800\0") == "a\ufffd\ufffd"
    assert clean_name(" a\n b\t") == "a b"
    assert clean_name("x" * 10_000) == "x" * 499 + "…"
