"""Read Excel workbooks: the values of one sheet, row by row."""

import datetime
import zipfile
from io import BytesIO
from typing import Any

import pandas as pd

from vstg.bounded import clean_name
from vstg.tables.limits import Limits, TableError
from vstg.tables.readers.header import find_header, header_names
from vstg.tables.readers.number_formats import parse_numbers
from vstg.tables.readers.text_format import NUMBER, SAMPLE_ROWS
from vstg.tables.table import Table, distinct_names, listed

MAX_EMPTY_ROWS = 10_000  # in a row; what comes after a longer gap is not looked for
EMPTY_PER_CELL = 4  # empty cells that are passed over for each that may be read
XML_HEAD = 4096


def read_excel(
    content: bytes, name: str, limits: Limits, *, sheet: str | None = None
) -> Table:
    """Read one sheet, by default the first that is not empty."""
    book = _open(content, name)
    try:
        return _read_book(book, name, limits, sheet)
    except TableError:
        raise
    except Exception as error:
        msg = f"{name} has a damaged sheet: save it again or as CSV"
        raise TableError(msg) from error
    finally:
        book.close()


def sheet_names(content: bytes, name: str) -> list[str]:
    """Return the names of a workbook's sheets."""
    book = _open(content, name)
    try:
        return [str(page.title) for page in book.worksheets]
    finally:
        book.close()


def _open(content: bytes, name: str) -> Any:
    from openpyxl import load_workbook

    _check_xml(content, name)
    try:
        return load_workbook(
            BytesIO(content), read_only=True, data_only=True, keep_links=False
        )
    except Exception as error:
        msg = f"{name} cannot be read as an Excel workbook: save it again or as CSV"
        raise TableError(msg) from error


def _read_book(book: Any, name: str, limits: Limits, sheet: str | None) -> Table:
    titles = [page.title for page in book.worksheets]
    if sheet is not None and sheet not in titles:
        msg = f"{name} has no sheet {sheet!r}; its sheets are {listed(titles)}"
        raise TableError(msg)
    for page in book.worksheets:
        if sheet is not None and page.title != sheet:
            continue
        rows = _rows(page, name, limits)
        if rows:
            return _table(rows, name, page.title, titles)
    msg = f"{name} has no cells with values: give a sheet with a header and rows"
    raise TableError(msg)


def _check_xml(content: bytes, name: str) -> None:
    """Reject XML that declares entities: they can expand without end."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            for member in archive.infolist():
                if member.filename.endswith((".xml", ".rels")):
                    with archive.open(member) as stream:
                        head = stream.read(XML_HEAD).replace(b"\0", b"")
                    if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
                        msg = f"{name} declares XML entities, which no workbook needs"
                        raise TableError(msg)
    except TableError:
        raise
    except Exception as error:  # zipfile has no one error for what may be wrong
        msg = f"{name} is damaged inside: save it again or as CSV"
        raise TableError(msg) from error


def _rows(page: Any, name: str, limits: Limits) -> list[tuple[int, tuple[Any, ...]]]:
    """Return the rows that are not empty, with their numbers."""
    page.reset_dimensions()  # the declared ones may be of a million empty rows
    rows, width, n_passed, n_empty = [], 0, 0, 0
    for number, row in enumerate(page.iter_rows(values_only=True), start=1):
        # A far-away cell brings all the empty ones before it along.
        n_passed += len(row)
        limits.check_shape(n_passed, 1, name, slack=EMPTY_PER_CELL)
        length = next((i for i in range(len(row), 0, -1) if row[i - 1] is not None), 0)
        if length == 0:
            n_empty += 1
            if n_empty > MAX_EMPTY_ROWS:
                break
            continue
        n_empty = 0
        width = max(width, length)
        rows.append((number, row[:length]))
        limits.check_shape(len(rows), width, name)
    return rows


def _table(
    rows: list[tuple[int, tuple[Any, ...]]], name: str, title: str, titles: list[str]
) -> Table:
    sample = [[_text(cell) for cell in row] for _, row in rows[:SAMPLE_ROWS]]
    widest = max(len(row) for row in sample)
    sample = [[*row, *[""] * (widest - len(row))] for row in sample]
    above, depth = find_header(sample)
    body = rows[above + depth :]
    facts = [f"this is the sheet {clean_name(title)!r}"]
    if len(titles) > 1:
        facts.append(f"the workbook has the sheets {listed(titles)}")
    if above:
        facts.append(f"{above} lines above the table were skipped")
    if depth == 2:
        facts.append("the header has two rows, which were joined")
    width = max(len(row) for _, row in rows[above:])
    if depth == 0:
        facts.append("the first row contains numbers, so the columns were numbered")
        names = [f"column {i + 1}" for i in range(width)]
    else:
        header = header_names([sample[above + i] for i in range(depth)])
        names, renamed = distinct_names([*header, *[""] * width][:width])
        facts += renamed
    if not body:
        msg = f"{name} has a header and no rows: give at least one observation"
        raise TableError(msg)
    padded = [
        [_value(cell) for cell in row] + [None] * (width - len(row)) for _, row in body
    ]
    frame = pd.DataFrame(padded, columns=names, dtype=object).infer_objects()
    frame.index = pd.Index([number for number, _ in body])
    frame, read = parse_numbers(frame)
    options = {"sheet": clean_name(title)}
    return Table(name, frame, "Excel", (*facts, *read), options)


def _text(cell: Any) -> str:
    """Return a cell as text that reads as a number only if the cell is a number."""
    if cell is None:
        return ""
    text = str(cell)
    is_number = isinstance(cell, int | float) and not isinstance(cell, bool)
    return f"'{text}'" if not is_number and NUMBER.fullmatch(text) else text


def _value(value: Any) -> Any:
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
        return str(value)
    if isinstance(value, str):
        # "#N/A", "#DIV/0!" and the like are errors of a formula: no value.
        is_error = value.startswith("#") and value.endswith(("!", "A", "?"))
        return None if is_error else (value.strip() or None)
    return value
