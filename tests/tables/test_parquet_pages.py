"""The sizes that pages declare, against files that pyarrow writes."""

import io

import numpy as np
import pyarrow as pa
import pytest
from file_makers import parquet_file
from pyarrow import parquet

from vstg.tables import Limits, TableError, read_table
from vstg.tables.parquet import _check_groups
from vstg.tables.parquet_pages import page_sizes


def chunks(content):
    metadata = parquet.ParquetFile(io.BytesIO(content)).metadata
    for g in range(metadata.num_row_groups):
        for i in range(metadata.row_group(g).num_columns):
            chunk = metadata.row_group(g).column(i)
            start = chunk.data_page_offset
            if chunk.dictionary_page_offset is not None:
                start = min(start, chunk.dictionary_page_offset)
            yield chunk, start


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("compression", ["NONE", "SNAPPY", "ZSTD", "GZIP"])
@pytest.mark.parametrize("dictionary", [True, False])
def test_pages_add_up_to_what_an_honest_footer_says(
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
    n_pages = 0
    for chunk, start in chunks(content):
        sizes = list(page_sizes(content, start, chunk.total_compressed_size))
        n_pages += len(sizes)
        # The footer also counts the headers, some dozens of bytes a page.
        headers = chunk.total_uncompressed_size - sum(sizes)
        assert 0 < headers < 200 * len(sizes)
    assert n_pages > 12
    assert read_table(content, name="t.parquet").frame.shape == (5000, 4)


def varint(value: int) -> bytes:
    value *= 2  # the sign is the lowest bit
    parts = []
    while value >= 0x80:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])


def test_a_page_that_says_more_than_the_footer_is_refused():
    table = pa.table({"a": np.zeros(30_000), "y": np.arange(30_000.0)})
    content = parquet_file(table, use_dictionary=False, compression="SNAPPY")
    small = Limits(max_expanded=600_000)
    assert read_table(content, name="t.parquet", limits=small).frame.shape[1] == 2
    honest = varint(next(page_sizes(content, *place(content))))
    false = varint(900_000)
    assert len(honest) == len(false) == 3
    start = place(content)[0]
    at = content.index(honest, start)
    assert at - start < 8
    lying = content[:at] + false + content[at + 3 :]
    with pytest.raises(TableError, match=r"t\.parquet"):
        read_table(lying, name="t.parquet", limits=small)
    footer = parquet.ParquetFile(io.BytesIO(lying)).metadata
    with pytest.raises(TableError, match="bomb"):
        _check_groups(footer, lying, "t.parquet", small)


def place(content):
    chunk, start = next(chunks(content))
    return start, chunk.total_compressed_size


@pytest.mark.parametrize(
    "content", [b"", b"\xff" * 40, b"\x15\x00\x15\x10", b"\x00" * 10, b"\x1c" * 40]
)
def test_bytes_that_are_no_pages_are_refused(content):
    with pytest.raises(ValueError):
        list(page_sizes(content, 0, max(len(content), 1)))


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


@pytest.mark.parametrize(
    "script",
    ["import os; os.abort()", "import sys; sys.exit(1)", "bytearray(2**40)"],
)
def test_a_reader_that_dies_is_a_sentence(monkeypatch, tmp_path, script):
    from vstg.tables import parquet as reader

    (tmp_path / "rehearsal.py").write_text(script)
    monkeypatch.setattr(reader, "__file__", str(tmp_path / "parquet.py"))
    content = parquet_file(pa.table({"a": [1.0, 2.0], "y": [1.0, 2.0]}))
    with pytest.raises(TableError, match=r"t\.parquet cannot be read"):
        read_table(content, name="t.parquet")


def test_a_reader_that_hangs_is_a_sentence(monkeypatch, tmp_path):
    from vstg.tables import parquet as reader

    (tmp_path / "rehearsal.py").write_text("import time; time.sleep(60)")
    monkeypatch.setattr(reader, "__file__", str(tmp_path / "parquet.py"))
    monkeypatch.setattr(reader, "SECONDS", 0.5)
    content = parquet_file(pa.table({"a": [1.0, 2.0], "y": [1.0, 2.0]}))
    with pytest.raises(TableError, match="takes longer"):
        read_table(content, name="t.parquet")
