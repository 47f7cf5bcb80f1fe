"""Tables that visitors take away, safe to open in a spreadsheet."""

from collections.abc import Callable

import pandas as pd
import streamlit as st
from pandas.api.types import is_numeric_dtype

from pages.shared import words

# What makes a spreadsheet compute a cell; the wide ones are typed in East Asia.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def to_csv(frame: pd.DataFrame) -> bytes:
    """The table as CSV; no cell is taken for a formula by a spreadsheet."""
    safe = frame.rename(index=_plain, columns=_plain)
    safe.index.names = [_plain(name) for name in safe.index.names]
    for place, kind in enumerate(frame.dtypes):
        if not is_numeric_dtype(kind):
            safe.isetitem(place, frame.iloc[:, place].map(_plain).array)
    return safe.to_csv().encode("utf-8")


def _plain(value: object) -> object:
    """A text that begins like a formula gets a quote before it; numbers never do."""
    if not isinstance(value, str) or not value.lstrip(" ").startswith(FORMULA_SIGNS):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def download(
    frame: pd.DataFrame | Callable[[], pd.DataFrame],
    name: str,
    key: str,
    label: str = words.DOWNLOAD_TABLE,
) -> None:
    """A button that hands out a table; nothing is written before it is pressed.

    A function that makes the table is called only then, too.
    """

    def content() -> bytes:
        return to_csv(frame() if callable(frame) else frame)

    st.download_button(
        label, content, f"{name}.csv", "text/csv",
        key=key, on_click="ignore", icon=":material/download:",
    )  # fmt: skip
