"""Parquet files of every writing are read; those whose figures lie are refused."""

import io

import numpy as np
import pyarrow as pa
import pytest
from file_makers import parquet_file
from pyarrow import parquet

from vstg.tables import Limits, TableError, read_table


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("compression", ["NONE", "SNAPPY", "ZSTD", "GZIP"])
@pytest.mark.parametrize("dictionary", [True, False])
def test_every_way_of_writing_gives_the_same_table(
    rng, version, compression, dictionary
):
    table = pa.table(
        {
            "a": rng.integers(0, 50, 5000),
            "b": rng.normal(size=5000),
            "c": [f"level {i % 7}" for i in range(5000)],
            "d": [None if i % 3 else float(i) for i in range(5000)],
        }
    )
    content = parquet_file(
        table,
        data_page_version=version,
        compression=compression,
        use_dictionary=dictionary,
        row_group_size=2000,
        data_page_size=2048,
    )
    frame = read_table(content, name="t.parquet").frame
    np.testing.assert_array_equal(frame["a"], table["a"])
    np.testing.assert_array_equal(frame["b"], table["b"])
    assert frame["c"].astype(str).tolist() == table["c"].to_pylist()
    assert frame["d"].isna().sum() == 5000 - 1667


def varint(value: int) -> bytes:
    """A whole number as the headers of pages have it: seven bits a byte."""
    value *= 2  # the sign is the lowest bit
    parts = []
    while value >= 0x80:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])


@pytest.mark.parametrize("false", [900_000, 1_000_000])
def test_a_page_that_says_more_than_the_footer_is_refused(false):
    table = pa.table({"a": np.zeros(30_000), "y": np.arange(30_000.0)})
    content = parquet_file(table, use_dictionary=False, compression="SNAPPY")
    small = Limits(max_expanded=600_000)
    assert read_table(content, name="t.parquet", limits=small).frame.shape[1] == 2
    chunk = parquet.ParquetFile(io.BytesIO(content)).metadata.row_group(0).column(0)
    # A page has 20,000 doubles, and the bits that say where there is none.
    sizes = (varint(size) for size in range(160_000, 160_100))
    at = min(
        place
        for honest in sizes
        if (place := content.find(honest, chunk.data_page_offset)) >= 0
    )
    assert at - chunk.data_page_offset < 8
    lying = content[:at] + varint(false) + content[at + 3 :]
    assert len(lying) == len(content)
    with pytest.raises(TableError, match=r"t\.parquet"):
        read_table(lying, name="t.parquet", limits=small)


def test_a_footer_that_would_end_the_process_ends_in_a_sentence():
    frame = pa.table({"task": ["a", "b"] * 20, "y": np.arange(40.0)})
    content = parquet_file(frame)
    # Whether a column may have gaps, written as something that is neither: with some
    # versions of the library this aborts the process that looks at the figures.
    places = [i for i in range(len(content)) if content[i : i + 2] == b"\x25\x02"]
    assert places
    for place_of_it in places[:4]:
        damaged = bytearray(content)
        damaged[place_of_it + 1] = 127
        try:
            read_table(bytes(damaged), name="t.parquet")
        except TableError as error:
            assert "t.parquet" in str(error)


@pytest.fixture
def readers_of_tests(monkeypatch, tmp_path):
    """Readers that die and hang, where the bounded process finds them."""
    from vstg.bounded import run

    (tmp_path / "tests_of_readers.py").write_text(
        "import os\n"
        "def die(*arguments): os.abort()\n"
        "def hang(*arguments):\n"
        "    while True: pass\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    run.HELPER.stop()
    yield
    run.HELPER.stop()


def test_a_reader_that_dies_or_hangs_is_a_sentence(monkeypatch, readers_of_tests):
    content = parquet_file(pa.table({"a": [1.0, 2.0], "y": [1.0, 2.0]}))
    for reader, words in {
        "vstg.bounded.child:limit": r"t\.parquet cannot be read",
        "asyncio:wait_for_ever": r"t\.parquet cannot be read",
        "tests_of_readers:die": r"t\.parquet ended the process",
        "tests_of_readers:hang": r"t\.parquet takes longer than 1 s",
    }.items():
        monkeypatch.setattr("vstg.tables.read.READER", reader)
        with pytest.raises(TableError, match=words):
            read_table(content, name="t.parquet", limits=Limits(seconds=1))
