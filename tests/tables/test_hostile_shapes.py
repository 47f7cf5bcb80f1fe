"""Twice as much of anything is about twice the work, and no shape is a dead end."""

import gc
import os
import time
from pathlib import Path

import numpy as np
import pytest
from file_makers import CELLS, GOOD, npz, read_here, workbook
from shapes import ROWS, SHAPES

from vstg.tables import TableError, prepare, read_table, report, suggest_recipe
from vstg.tables.limits import Limits
from vstg.tables.readers import read_bytes
from vstg.tables.table import distinct_names


def work(content: bytes) -> float:
    """Processor time to read a table and to say what is in it; the least of two.

    Without collecting garbage, whose cost grows with what other tests have left.
    """
    taken = []
    gc.collect()
    gc.disable()
    for _ in range(2):
        start = time.process_time()
        try:
            table = read_here(content, "x")
            report(table, suggest_recipe(table))
        except TableError:
            pass
        taken.append(time.process_time() - start)
    gc.enable()
    return min(taken)


@pytest.mark.parametrize("name", SHAPES)
def test_twice_the_size_is_no_more_than_three_times_the_work(name):
    size, shape = SHAPES[name]
    # A quarter of a second more: what is quadratic takes many times that.
    # Measured again where another process disturbed it.
    assert any(work(shape(2 * size)) < 3 * work(shape(size)) + 0.25 for _ in range(3))


@pytest.mark.parametrize("name", ["digits then a letter", "far-away empty cells"])
def test_what_froze_the_server_is_read_at_once(name):
    size, shape = SHAPES[name]
    assert work(shape(size)) < 2


def test_twelve_thousand_equal_names_become_distinct():
    names, facts = distinct_names(["x"] * 12_000)
    assert names[:3] == ["x", "x (2)", "x (3)"]
    assert names[-1] == "x (12000)"
    assert len(set(names)) == 12_000
    assert len(facts) < 12


def test_a_table_with_a_far_away_cell_is_refused_before_it_is_built():
    _, shape = SHAPES["one far-away cell"]
    with pytest.raises(TableError, match="274 × 18278 cells, more than"):
        read_table(shape(3000), name="far.xlsx")


@pytest.mark.parametrize(
    "encoding",
    ["utf-9", "undefined", "punycode", "idna", "unicode_escape", "rot13", "zlib", "\0"],
)
def test_encodings_that_are_none_are_a_sentence(encoding):
    with pytest.raises(TableError, match=r"x\.csv cannot be read as"):
        read_table(GOOD.encode(), name="x.csv", encoding=encoding)


def test_text_with_half_a_pair_is_made_whole():
    content = "a\ud800b,y\n\ud800,1\nu,2\n".encode("utf-7", "surrogatepass")
    table = read_table(content, name="x.csv", encoding="utf-7")
    assert table.frame.columns[0] == "a\ufffdb"
    assert table.frame.iloc[0, 0] == "\ufffd"


@pytest.mark.parametrize("place", ["first", "last"])
def test_a_very_long_cell_is_cut_and_that_is_told(place):
    long = f"{'x' * 300_000},1,2\n"
    rows = long + ROWS if place == "first" else ROWS + long
    table = read_table(("task,y,a\n" + rows).encode(), name="x.csv")
    assert table.frame["task"].str.len().max() == 10_000
    assert any("shortened to 10000 characters" in fact for fact in table.facts)


def test_arrays_whose_names_have_thousands_of_digits_are_a_sentence():
    content = npz(**{f"X{'9' * 5000}": np.eye(3), "Y": np.ones(3)})
    with pytest.raises(TableError, match="give X and Y") as caught:
        read_table(content, name="x.npz")
    assert len(str(caught.value)) < 900


def test_pipes_devices_and_folders_are_a_sentence(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    for path, words in {
        tmp_path / "pipe.csv": "a device or a pipe",
        Path("/dev/zero"): "a device or a pipe",
        tmp_path: "a folder",
        tmp_path / "no\0name": "zero character",
    }.items():
        with pytest.raises(TableError, match=f"cannot be opened: .*{words}"):
            read_table(path)


def test_a_pipe_that_takes_the_place_of_a_file_is_not_waited_for(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe.csv")
    monkeypatch.setattr("vstg.tables.readers.S_ISREG", lambda mode: True)
    assert read_bytes(str(tmp_path / "pipe.csv"), "pipe.csv", Limits()) == b""


def test_what_is_cut_and_renamed_can_be_fitted():
    rows = [[f"{'v' * 600}", *CELLS[0][1:]], *CELLS[1:]]
    table = read_table(workbook(rows), name="x.xlsx")
    assert len(table.frame.columns[0]) == 500
    assert prepare(table, suggest_recipe(table)).train.n_features == 2
