"""Parquet files of plain columns."""

import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd

from vstg.tables.limits import Limits, TableError
from vstg.tables.parquet_pages import page_sizes
from vstg.tables.rehearsal import read_columns
from vstg.tables.table import Table, distinct_names, listed

MAX_TEXT = 10_000  # characters of one cell
MAX_MEMORY = 2**30  # bytes of the process that reads a file first
SECONDS = 60


def read_parquet(content: bytes, name: str, limits: Limits) -> Table:
    """Read a Parquet file after its own figures have been compared with the limits."""
    from pyarrow import parquet

    _rehearse(content, name, limits)
    try:
        file = parquet.ParquetFile(BytesIO(content))
        schema = file.schema_arrow
        limits.check_shape(file.metadata.num_rows, len(schema.names), name)
        if file.metadata.num_rows == 0:
            msg = f"{name} has no rows: give at least one observation"
            raise TableError(msg)
        _check_types(schema, name)
        _check_groups(file.metadata, content, name, limits)
        table = read_columns(content, schema)
        frame = pd.concat(
            [_column(table.column(i), name) for i in range(table.num_columns)], axis=1
        )
    except TableError:
        raise
    except Exception as error:  # what a damaged file provokes is not documented
        msg = f"{name} cannot be read as a Parquet file: write it again or as CSV"
        raise TableError(msg) from error
    names, facts = distinct_names(schema.names)
    frame.columns = names
    frame.index = pd.RangeIndex(1, len(frame) + 1)
    return Table(name, frame, "Parquet", tuple(facts))


def _rehearse(content: bytes, name: str, limits: Limits) -> None:
    """Refuse a file that ends, or blocks, the process that reads it."""
    script = Path(__file__).with_name("rehearsal.py")
    numbers = (limits.max_cells, limits.budget(len(content)), MAX_MEMORY)
    command = [sys.executable, "-I", str(script), *(str(number) for number in numbers)]
    try:
        done = subprocess.run(
            command, input=content, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        msg = f"{name} takes longer than {SECONDS} s to read: write it as CSV"
        raise TableError(msg) from error
    if done.returncode != 0:
        msg = f"{name} cannot be read as a Parquet file: write it again or as CSV"
        raise TableError(msg)


def _check_types(schema: Any, name: str) -> None:
    import pyarrow as pa

    nested = [field.name for field in schema if pa.types.is_nested(field.type)]
    if nested:
        msg = f"{name} has lists or records in the columns {listed(nested)}: flatten it"
        raise TableError(msg)
    if not schema.names:
        msg = f"{name} has no columns: give a target and variables"
        raise TableError(msg)


def _check_groups(metadata: Any, content: bytes, name: str, limits: Limits) -> None:
    """Add up what the footer says, and then what the pages themselves say."""
    chunks = [
        metadata.row_group(g).column(i)
        for g in range(metadata.num_row_groups)
        for i in range(metadata.row_group(g).num_columns)
    ]
    total = sum(max(chunk.total_uncompressed_size, 0) for chunk in chunks)
    limits.check_expanded(total, len(content), name)
    total = 0
    for chunk in chunks:
        start = chunk.data_page_offset
        if chunk.dictionary_page_offset is not None:
            start = min(start, chunk.dictionary_page_offset)
        for size in page_sizes(content, start, chunk.total_compressed_size):
            total += size
            limits.check_expanded(total, len(content), name)


def _column(column: Any, name: str) -> pd.Series:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries().combine_chunks()
        chunks = getattr(column, "chunks", [column])
        values = chunks[0].dictionary.to_pylist() if chunks else []
        longest = max((len(str(value)) for value in values), default=0)
        if longest > MAX_TEXT:
            msg = f"{name} has a text of {longest} characters in a cell: shorten it"
            raise TableError(msg)
        return column.to_pandas(use_threads=False).astype("category")
    if pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    series = column.to_pandas(use_threads=False)
    if pa.types.is_temporal(column.type):
        series = series.astype(str).astype("category")
    return series
