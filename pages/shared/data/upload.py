"""Upload a table: the uploader, how its file is read, and error messages."""

from pathlib import Path
from typing import Any

import streamlit as st

from pages.shared import words
from pages.shared.state import keys
from pages.shared.ui.display import say_error
from vstg.tables import DEFAULT_LIMITS, Table, TableError, file_parts, read_table

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
    """Return the table of an uploader, or show an error; read once per upload."""
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
    content = file.getvalue()
    found = read_once(key, file.file_id, content, file.name)
    if isinstance(found, str):
        say_error(found)
        return None
    return found


def read_once(key: str, mark: object, source: bytes | Path, name: str) -> Table | str:
    """The table, or why there is none; read again when file or options change.

    ``mark`` differs for different files.
    """
    options = read_options(key, mark, source, name)
    stamp = (mark, repr(sorted(options.items())))
    if st.session_state.get(keys.read_file(key), (None, None))[0] != stamp:
        try:
            found: Table | str = read_table(source, name=name, **options)
        except TableError as error:
            found = str(error)
        st.session_state[keys.read_file(key)] = (stamp, found)
    return st.session_state[keys.read_file(key)][1]


def read_options(
    key: str, mark: object, source: bytes | Path, name: str
) -> dict[str, Any]:
    """Corrections to what is guessed about a file."""
    ending = name.lower().rpartition(".")[2]
    if ending in ("xlsx", "xlsm"):
        return sheet_option(key, parts_once(key, mark, source, name))
    if ending in ("mat", "npz"):
        return array_options(key, parts_once(key, mark, source, name))
    if ending in ("parquet", "pq"):
        return {}
    return text_options(key)


def parts_once(
    key: str, mark: object, source: bytes | Path, name: str
) -> tuple[str, ...]:
    """The sheets or arrays in a file; none if it is damaged, which reading will say."""
    kept = keys.file_parts(key)
    if st.session_state.get(kept, (None, None))[0] != mark:
        try:
            found = file_parts(source, name=name)
        except TableError:
            found = ()
        st.session_state[kept] = (mark, found)
    return st.session_state[kept][1]


def sheet_option(key: str, sheets: tuple[str, ...]) -> dict[str, Any]:
    """Which sheet of a workbook, where there are several."""
    if len(sheets) < 2:
        return {}
    first = words.FIRST_SHEET
    sheet = st.selectbox(words.SHEET, [first, *sheets], key=f"{key}_sheet")
    return {} if sheet == first else {"sheet": sheet}


def array_options(key: str, arrays: tuple[str, ...]) -> dict[str, Any]:
    """Which arrays are X, Y and the tasks; asked at once if none is called X or Y."""
    if len(arrays) < 2:
        return {}
    initials = {name.lower()[:1] for name in arrays}
    with st.expander(words.HOW_READ, expanded=not {"x", "y"} <= initials):
        places = st.columns(3)
        chosen = []
        for place, (role, label) in zip(places, words.ARRAYS.items(), strict=True):
            with place:
                chosen.append(
                    st.selectbox(
                        label, arrays, index=None, key=f"{key}_array_{role}",
                        placeholder=words.ARRAY_GUESS[role],
                    )
                )  # fmt: skip
    if chosen[0] is None or chosen[1] is None:
        return {}
    return {"variables": [name for name in chosen if name is not None]}


def text_options(key: str) -> dict[str, Any]:
    """Delimiter, decimal mark and encoding of a text table."""
    with st.expander(words.HOW_READ):
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
