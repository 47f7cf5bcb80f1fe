"""Read a Parquet file in a process of its own, to see whether that ends well.

``python rehearsal.py MAX_CELLS MAX_EXPANDED MAX_MEMORY < file``. Damaged figures in a
footer can end the whole process within the C++ library, beyond any ``except``. What
ends well here ends well again in the process that asked. Run as a script, it imports
nothing of this package, so that it starts quickly.
"""

import os
import sys
from io import BytesIO
from typing import Any


def rehearse(content: bytes, max_cells: int, max_expanded: int) -> None:
    """Do all that :mod:`vstg.tables.parquet` does; large tables are not unfolded."""
    from pyarrow import parquet

    file = parquet.ParquetFile(BytesIO(content))
    schema, metadata = file.schema_arrow, file.metadata
    total = 0
    for g in range(metadata.num_row_groups):
        group = metadata.row_group(g)
        for i in range(group.num_columns):
            chunk = group.column(i)
            total += chunk.total_uncompressed_size + 0 * chunk.total_compressed_size
            _ = (chunk.data_page_offset, chunk.dictionary_page_offset)
    if metadata.num_rows * len(schema.names) > max_cells or total > max_expanded:
        return  # will be refused for its size
    read_columns(content, schema).validate(full=True)


def read_columns(content: bytes, schema: Any) -> Any:
    """Return the Arrow table of a file; text stays a list of distinct values.

    One long value repeated a million times is otherwise unfolded a million times.
    """
    import pyarrow as pa
    from pyarrow import parquet

    text = [
        field.name
        for field in schema
        if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
    ]
    # No threads: the library may abort when it takes them down at the very end.
    file = parquet.ParquetFile(BytesIO(content), read_dictionary=text, pre_buffer=False)
    return file.read(use_threads=False)


def limit_memory(max_memory: int) -> None:
    """Let the system refuse more memory, where it can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_DATA, (max_memory, max_memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    cells, expanded, memory = (int(argument) for argument in sys.argv[1:])
    limit_memory(memory)
    rehearse(sys.stdin.buffer.read(), cells, expanded)
    # At once: taking the library's threads down can itself end in an abort.
    os._exit(0)
