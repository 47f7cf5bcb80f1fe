"""Read CSV, TSV and similar text tables."""

import re
import warnings
from collections import Counter
from collections.abc import Sequence
from io import StringIO

import pandas as pd
from pandas.errors import EmptyDataError, ParserError

from vstg.bounded import clean_text
from vstg.tables.limits import Limits, TableError
from vstg.tables.readers.header import find_header, header_names
from vstg.tables.readers.number_formats import parse_numbers
from vstg.tables.readers.text_format import (
    DELIMITERS,
    decode,
    first_longer_row,
    guess_decimal,
    guess_delimiter,
    rows_and_lines,
)
from vstg.tables.table import Table, distinct_names

MISSING = ("?", "-", "--", ".", "*", "na", "nan", "none", "null", "missing", "N.A.")
SEP_LINE = re.compile(r'"?sep=(.)"?\r?\n')  # how Excel names its delimiter


def read_text(
    content: bytes,
    name: str,
    limits: Limits,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    missing: Sequence[str] | None = None,
) -> Table:
    """Read a text table, guessing what is not given."""
    text, encoding = decode(content, name, encoding)
    text, delimiter, skipped = _begin(text, name, delimiter)
    delimiter = delimiter or guess_delimiter(text, name)
    rows, starts = rows_and_lines(text, delimiter)
    if not rows:
        msg = (
            f"{name} has a first row that cannot be split into cells: check its quotes"
        )
        raise TableError(msg)
    n_above, depth = find_header(rows)
    skipped += text[: starts[n_above]].count("\n")
    text, rows = text[starts[n_above] :], rows[n_above:]
    _check_size(text, rows, name, limits)
    _check_lengths(text, rows, name, delimiter, skipped)
    decimal = decimal or guess_decimal(rows[depth:] or rows, delimiter)
    frame = _parse(text, name, delimiter, decimal, rows, depth, missing)
    frame, facts = _name_columns(frame, rows, depth)
    first = 1 + skipped + depth
    frame.index = pd.RangeIndex(first, first + len(frame))
    frame, read = parse_numbers(frame.dropna(how="all"), decimal)
    told = (
        f"columns are separated by a {DELIMITERS.get(delimiter, repr(delimiter))}",
        f"the text is {encoding}",
        f"numbers have a decimal {'comma' if decimal == ',' else 'point'}",
        *([f"{n_above} lines above the table were skipped"] if n_above else []),
        *(["the header has two rows, which were joined"] if depth == 2 else []),
        *facts,
        *read,
    )
    options = {"delimiter": delimiter, "encoding": encoding, "decimal": decimal}
    return Table(name, frame, "CSV", told, options)


def _begin(text: str, name: str, delimiter: str | None) -> tuple[str, str | None, int]:
    """Return the text after any blank lines, the delimiter it names, lines skipped."""
    if "\0" in text:
        msg = f"{name} contains zero characters: save it again as text"
        raise TableError(msg)
    text = clean_text(text)
    skipped = 0
    if declared := SEP_LINE.match(text):
        delimiter, skipped = delimiter or declared.group(1), 1
        text = text[declared.end() :]
    stripped = text.lstrip("\r\n \t\ufeff" if delimiter != "\t" else "\r\n \ufeff")
    if not stripped:
        msg = f"{name} is empty: give a table with a header and rows"
        raise TableError(msg)
    skipped += text[: len(text) - len(stripped)].count("\n")
    return stripped, delimiter, skipped


def _width(rows: list[list[str]]) -> int:
    """Count the cells of a row: as the header, or as most rows if they have more."""
    usual = Counter(len(row) for row in rows).most_common(1)[0][0]
    return max(usual, len(rows[0]))


def _check_lengths(
    text: str, rows: list[list[str]], name: str, delimiter: str, skipped: int
) -> None:
    """Reject a longer row among the first; the parser notices later ones."""
    width = _width(rows)
    number, saw = first_longer_row(text, delimiter, width)
    if saw > width:
        words = f"Expected {width} fields in line {number + skipped}, saw {saw}"
        raise TableError(_explain(words, name))


def _check_size(text: str, rows: list[list[str]], name: str, limits: Limits) -> None:
    n_lines = max(text.count("\n"), text.count("\r")) + 1
    limits.check_shape(n_lines, max(len(row) for row in rows), name)


def _parse(
    text: str,
    name: str,
    delimiter: str,
    decimal: str,
    rows: list[list[str]],
    depth: int,
    missing: Sequence[str] | None,
) -> pd.DataFrame:
    width = _width(rows)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            return pd.read_csv(
                StringIO(text),
                sep=delimiter,
                decimal=decimal,
                header=None,
                names=list(range(width)),
                index_col=False,
                skiprows=depth,
                skip_blank_lines=False,
                skipinitialspace=True,
                keep_default_na=missing is None,
                na_values=list(MISSING if missing is None else missing),
                low_memory=False,
            )
    except EmptyDataError:
        return pd.DataFrame(columns=list(range(width)))
    except (ParserError, pd.errors.ParserWarning, ValueError, OverflowError) as error:
        raise TableError(_explain(str(error), name)) from error


def _explain(words: str, name: str) -> str:
    """Turn a parser's complaint into a sentence that names the row."""
    if found := re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", words):
        wanted, row, saw = found.groups()
        return (
            f"{name}, row {row} has {saw} cells and the rows above have {wanted}: "
            "put quotes around cells that contain the delimiter"
        )
    if found := re.search(r"EOF inside string starting at row (\d+)", words):
        return (
            f"{name} has a quotation mark at or before row {int(found.group(1)) + 1} "
            "that is never closed: close it or double it"
        )
    if "does not match length of data" in words:
        return f"{name} has rows with more cells than its first ones: give all as many"
    return f"{name} cannot be read as a text table: {words.splitlines()[0][:200]}"


def _name_columns(
    frame: pd.DataFrame, rows: list[list[str]], depth: int
) -> tuple[pd.DataFrame, list[str]]:
    """Name the columns after the header, or number them."""
    width = frame.shape[1]
    if not depth:
        frame.columns = [f"column {i + 1}" for i in range(width)]
        return frame, ["the first row contains numbers, so the columns were numbered"]
    names = header_names(rows[:depth])
    facts = []
    if len(names) == width - 1 and frame.iloc[:, -1].isna().all():
        frame = frame.iloc[:, :-1]  # every row ends with a delimiter
    elif len(names) == width - 1 and len(rows) > depth:
        names = ["row name", *names]  # as R writes tables
        facts.append("the header has one name fewer, so the first column is row names")
    names = [*names, *[""] * (frame.shape[1] - len(names))]
    distinct, renamed = distinct_names(names[: frame.shape[1]])
    frame.columns = distinct
    nameless = [
        column
        for column, name in zip(distinct, names, strict=False)
        if not name.strip() and frame[column].isna().all()
    ]
    return frame.drop(columns=nameless), [*facts, *([] if nameless else renamed)]
