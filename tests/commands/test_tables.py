"""Tables in and out of the command line."""

import builtins

import numpy as np
import pandas as pd
import pytest

from vstg.commands.shared.tables import (
    check_output,
    check_suffix,
    read_table,
    table_bytes,
    write_files,
)
from vstg.data import DataError
from vstg.tables import TableError


@pytest.fixture
def frame(rng):
    return pd.DataFrame({"task": ["a", "NA", "b"], "x": rng.normal(size=3)})


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.parquet", "T.CSV"])
def test_every_format_keeps_every_bit(tmp_path, frame, name):
    path = tmp_path / name
    write_files({path: table_bytes(frame, path)})
    back = read_table(str(path))
    assert back["task"].tolist() == ["a", "NA", "b"]  # a country, not a gap
    np.testing.assert_array_equal(back["x"], frame["x"])


def test_delimiter_follows_the_name(tmp_path, frame):
    assert table_bytes(frame, "t.tsv").startswith(b"task\tx")
    assert table_bytes(frame, "t.csv").startswith(b"task,x")


def test_empty_cells_are_missing_and_a_byte_order_mark_is_none(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"\xef\xbb\xbftask,x\na,\nb,2\n")
    frame = read_table(str(path))
    assert list(frame.columns) == ["task", "x"]
    assert np.isnan(frame["x"][0])


def test_named_index_of_a_parquet_file_is_a_column(tmp_path, frame):
    path = tmp_path / "t.parquet"
    frame.set_index("task").to_parquet(path)
    assert set(read_table(str(path)).columns) == {"task", "x"}


def test_workbooks_and_other_delimiters_are_read_as_on_the_data_page(tmp_path, frame):
    book, text = tmp_path / "t.xlsx", tmp_path / "t.csv"
    frame.to_excel(book, index=False)
    frame.to_csv(text, index=False, sep=";", decimal=",")
    for path in (book, text):
        np.testing.assert_allclose(read_table(str(path))["x"], frame["x"])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.csv", b"", "t.csv is empty"),
        ("t.csv", b"a,b\n", "t.csv has no rows"),
        ("t.csv", b"a,b\n1,2\n1,2,3\n", "t.csv, row 3 has 3 cells"),
        ("t.parquet", b"PAR1garbage", "t.parquet"),
        ("t.xlsx", b"\x01\xfe\x80garbage", "t.xlsx is a damaged Excel workbook"),
    ],
)
def test_unreadable_tables_are_named(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(TableError, match=message):
        read_table(str(path))


def test_only_formats_that_are_written_are_promised():
    with pytest.raises(DataError, match=r"must end in \.csv, \.tsv, \.parquet"):
        check_suffix("t.xlsx")


def test_missing_pyarrow_is_said(tmp_path, frame, monkeypatch):
    real = builtins.__import__

    def without_pyarrow(name, *args, **kwargs):
        if name == "pyarrow":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_pyarrow)
    with pytest.raises(DataError, match="Parquet needs pyarrow: pip install"):
        table_bytes(frame, "t.parquet")


def test_output_is_refused_before_the_work(tmp_path):
    there = tmp_path / "there.csv"
    there.write_text("x")
    with pytest.raises(DataError, match=r"there.csv exists: .*--force"):
        check_output(there, force=False)
    assert check_output(there, force=True) == there
    with pytest.raises(DataError, match="is a folder"):
        check_output(tmp_path, force=True)
    with pytest.raises(DataError, match="does not exist: create it first"):
        check_output(tmp_path / "no" / "t.csv", force=True)


def test_failed_writing_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_text("old")

    def full(self, content):
        with self.open("wb") as stream:
            stream.write(content[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(path), "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        write_files({path: b"new"})
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]  # nor half of the new one
