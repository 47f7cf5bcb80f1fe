"""Parquet files of plain columns, read by Arrow."""

from io import BytesIO
from typing import Any

import pandas as pd

from vstg.tables.exchange import MAX_TEXT
from vstg.tables.limits import Limits, TableError
from vstg.tables.table import Table, distinct_names, listed


def read_parquet(content: bytes, name: str, limits: Limits) -> Table:
    """Read a Parquet file after comparing its declared sizes with the limits."""
    from pyarrow import parquet

    try:
        metadata = parquet.read_metadata(BytesIO(content))
        schema = metadata.schema.to_arrow_schema()
        limits.check_shape(metadata.num_rows, len(schema.names), name)
        if metadata.num_rows == 0:
            msg = f"{name} has no rows: give at least one observation"
            raise TableError(msg)
        _check_types(schema, name)
        _check_groups(metadata, content, name, limits)
        frame = _to_pandas(_read(content, schema), name)
    except (TableError, MemoryError):
        raise
    except Exception as error:  # what a damaged file provokes is not documented
        msg = f"{name} cannot be read as a Parquet file: write it again or as CSV"
        raise TableError(msg) from error
    names, facts = distinct_names(schema.names)
    frame.columns = pd.Index(names, dtype=object)
    frame.index = pd.RangeIndex(1, len(frame) + 1)
    return Table(name, frame, "Parquet", tuple(facts))


def _read(content: bytes, schema: Any) -> Any:
    """Return the Arrow table; text stays a list of distinct values with positions.

    One long value repeated a million times is otherwise unfolded a million times.
    """
    from pyarrow import parquet
    from pyarrow import types as kinds

    text = [
        field.name
        for field in schema
        if kinds.is_string(field.type) or kinds.is_large_string(field.type)
    ]
    file = parquet.ParquetFile(BytesIO(content), read_dictionary=text, pre_buffer=False)
    table = file.read(use_threads=False)
    table.validate(full=True)  # damaged codes would point anywhere
    return table


def _check_types(schema: Any, name: str) -> None:
    from pyarrow import types as kinds

    nested = [field.name for field in schema if kinds.is_nested(field.type)]
    if nested:
        msg = f"{name} has lists or records in the columns {listed(nested)}: flatten it"
        raise TableError(msg)
    if not schema.names:
        msg = f"{name} has no columns: give a target and variables"
        raise TableError(msg)


def _check_groups(metadata: Any, content: bytes, name: str, limits: Limits) -> None:
    """Check the unpacked size that the file declares."""
    total = 0
    for g in range(metadata.num_row_groups):
        total += max(metadata.row_group(g).total_byte_size, 0)
    limits.check_expanded(total, len(content), name)


def _to_pandas(table: Any, name: str) -> pd.DataFrame:
    """Convert to pandas: numbers as they are, text as categories, dates as text."""
    import pyarrow as pa
    from pyarrow import types as kinds

    columns = []
    for column in table.columns:
        if kinds.is_dictionary(column.type):
            column = column.unify_dictionaries()
            _check_text(column, name)
        elif kinds.is_decimal(column.type):
            column = column.cast(pa.float64())
        elif kinds.is_temporal(column.type):
            text = column.to_pandas(use_threads=False).astype(str).astype("category")
            column = pa.chunked_array([pa.Array.from_pandas(text)])
        columns.append(column)
    # Arrow wants the names that pandas wrote to be there: give it none.
    plain = pa.table(columns, names=[str(i) for i in range(len(columns))])
    return plain.to_pandas(use_threads=False, ignore_metadata=True)


def _check_text(column: Any, name: str) -> None:
    """Reject a text that is too long, before it is copied into every row."""
    for chunk in column.chunks[:1]:
        values = chunk.dictionary.to_pylist()
        longest = max((len(str(value)) for value in values), default=0)
        if longest > MAX_TEXT:
            msg = f"{name} has a text of {longest} characters in a cell: shorten it"
            raise TableError(msg)
