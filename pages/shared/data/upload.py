"""A table that a visitor brings: the uploader, how its file is read, and refusals."""

from typing import Any

import streamlit as st

from pages.shared import words
from pages.shared.state import keys
from pages.shared.ui.display import say_error
from vstg.tables import DEFAULT_LIMITS, Table, TableError, read_table

MEGABYTE = 2**20
DELIMITERS = {
    words.GUESS: None,
    "comma": ",",
    "semicolon": ";",
    "tab": "\t",
    "bar": "|",
}
DECIMALS = {words.GUESS: None, "point": ".", "comma": ","}


def uploaded_table(key: str, label: str) -> Table | None:
    """The table of an uploader, or a sentence; read once an upload."""
    limits = DEFAULT_LIMITS
    file = st.file_uploader(
        label, words.TYPES, key=key,
        max_upload_size=limits.max_bytes // MEGABYTE,
    )  # fmt: skip
    st.caption(
        words.LIMITS.format(
            megabytes=limits.max_bytes / MEGABYTE,
            cells=limits.max_cells,
            columns=limits.max_columns,
        )
    )
    if file is None:
        st.session_state.pop(keys.read_file(key), None)
        return None
    options = read_options(key, file.name)
    stamp = (file.file_id, tuple(sorted(options.items())))
    if st.session_state.get(keys.read_file(key), (None, None))[0] != stamp:
        try:
            found: Table | str = read_table(file.getvalue(), name=file.name, **options)
        except TableError as error:
            found = str(error)
        st.session_state[keys.read_file(key)] = (stamp, found)
    found = st.session_state[keys.read_file(key)][1]
    if isinstance(found, str):
        say_error(found)
        return None
    return found


def read_options(key: str, name: str) -> dict[str, Any]:
    """Corrections to what is guessed about a file."""
    with st.expander(words.HOW_READ):
        if name.lower().endswith((".xlsx", ".xlsm")):
            sheet = st.text_input(words.SHEET, key=f"{key}_sheet")
            return {"sheet": sheet} if sheet else {}
        left, middle, right = st.columns(3)
        with left:
            mark = st.selectbox(words.DELIMITER, DELIMITERS, key=f"{key}_delimiter")
        with middle:
            decimal = st.selectbox(words.DECIMAL, DECIMALS, key=f"{key}_decimal")
        with right:
            encoding = st.text_input(words.ENCODING, key=f"{key}_encoding")
    given = {
        "delimiter": DELIMITERS[mark],
        "decimal": DECIMALS[decimal],
        "encoding": encoding or None,
    }
    return {name: value for name, value in given.items() if value is not None}
