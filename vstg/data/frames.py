"""Convert tables of other libraries to pandas."""

from typing import Any

import pandas as pd

from vstg.data.values import DataError


def is_foreign_table(value: Any) -> bool:
    """Whether a value is a table of polars, Arrow or the like."""
    if isinstance(value, pd.DataFrame | pd.Series):
        return False
    return hasattr(value, "__arrow_c_stream__") and hasattr(value, "schema")


def to_pandas(value: Any, name: str = "the table") -> pd.DataFrame:
    """Convert a table of pandas, polars, Arrow or anything that Arrow can read.

    Columns go through Arrow's C stream, so that none of those libraries is needed here.
    """
    if isinstance(value, pd.DataFrame):
        return value
    if not hasattr(value, "__arrow_c_stream__"):
        kind = type(value).__name__
        msg = f"{name} is a {kind}: give a table of pandas, polars or Arrow"
        raise DataError(msg)
    try:
        import pyarrow as pa
    except ImportError as error:
        msg = f"{name} needs pyarrow: pip install pyarrow, or give a table of pandas"
        raise DataError(msg) from error
    return pa.table(value).to_pandas()
