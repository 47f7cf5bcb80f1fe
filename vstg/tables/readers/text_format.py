"""Guess the format of a text table: encoding, delimiter and decimal mark."""

import codecs
import csv
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice

from vstg.bounded import clean_name
from vstg.tables.limits import TableError

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
SAMPLE_ROWS = 60
LONGEST = 40  # characters of a number
SAMPLE_CHARACTERS = 1 << 18
WHOLE_LINES, MOST_CHARACTERS = 4, 1 << 23  # of tables with very long rows
LINE_END = re.compile(r"\r\n|\n|\r")
NO_TEXT = {"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"}
POINT = re.compile(r"\s*[-+]?\d*\.\d+([eE][-+]?\d+)?\s*")
COMMA = re.compile(r"\s*[-+]?\d*,\d+([eE][-+]?\d+)?\s*")
GROUPED = re.compile(r"\s*[-+]?[1-9]\d{0,2}(,\d{3})+\s*")  # perhaps thousands
ENGLISH = re.compile(r"\s*[-+$£€]?\d{1,3}(,\d{3})+\.\d+\s*%?\s*")
EUROPEAN = re.compile(r"\s*[-+]?\d{1,3}(\.\d{3})+,\d+\s*[%€]?\s*")
# At most one way to match each text: two runs of digits beside each other would be
# tried in all their lengths.
NUMBER = re.compile(r"\s*[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?\s*")
CONTROL = re.compile(rb"[\x01-\x08\x0e-\x19\x1b-\x1f\x7f]")  # not Ctrl-Z: an old end
GIVE = "give CSV, TSV, Excel, Parquet, NPZ or a MATLAB file saved with -v7"
csv.field_size_limit(1 << 30)  # the sample is short; its cells may be long
BOMS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def decode(content: bytes, name: str, encoding: str | None) -> tuple[str, str]:
    """Return the text and its encoding, which is guessed if not given."""
    if encoding is not None:
        return _decode_as(content, name, encoding), encoding
    for bom, found in BOMS.items():
        if content.startswith(bom):
            return _decode_as(content, name, found), found
    if b"\0" in content:
        msg = f"{name} contains zero bytes, so it is not a text table: {GIVE}"
        raise TableError(msg)
    with suppress(UnicodeDecodeError):
        return content.decode("utf-8"), "utf-8"
    if CONTROL.search(content):
        msg = f"{name} contains bytes that no text has, so it is not a table: {GIVE}"
        raise TableError(msg)
    with suppress(UnicodeDecodeError):
        return content.decode("cp1252"), "cp1252"
    return content.decode("latin-1"), "latin-1"


def _decode_as(content: bytes, name: str, encoding: str) -> str:
    try:
        # Some codecs are for host names or for source code, and take forever.
        if codecs.lookup(encoding).name.replace("-", "_") in NO_TEXT:
            msg = f"unknown encoding: {encoding}"
            raise LookupError(msg)
        return content.decode(encoding)
    except (LookupError, ValueError) as error:
        reason = (str(error).splitlines() or ["it does not fit"])[0][:200]
        msg = (
            f"{name} cannot be read as {clean_name(encoding)[:40]} ({reason}): save it "
            "as UTF-8"
        )
        raise TableError(msg) from error


def first_rows(text: str, delimiter: str, n_rows: int = SAMPLE_ROWS) -> list[list[str]]:
    """Return the first records, as a tolerant reader sees them."""
    return rows_and_lines(text, delimiter, n_rows)[0]


def rows_and_lines(
    text: str, delimiter: str, n_rows: int = SAMPLE_ROWS
) -> tuple[list[list[str]], list[int]]:
    """Return the first records, and the position at which each begins."""
    lines = _sample(text)
    rows: list[list[str]] = []
    starts: list[int] = []
    n_lines = place = 0
    try:
        reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
        for row in islice(reader, n_rows):
            if row:
                rows.append(row)
                starts.append(place)
            place += sum(len(line) for line in lines[n_lines : reader.line_num])
            n_lines = reader.line_num
    except csv.Error:
        return [], []
    return rows, starts


def _sample(text: str) -> list[str]:
    """Return the first lines, whole ones: at least four, however long they are."""
    ends = LINE_END.finditer(text, 0, MOST_CHARACTERS)
    end = max((m.end() for m in islice(ends, WHOLE_LINES)), default=0)
    end = max(end, SAMPLE_CHARACTERS)
    lines = text[:end].splitlines(keepends=True)
    if len(text) > end and len(lines) > 1 and LINE_END.search(lines[-1]) is None:
        lines.pop()  # cut in the middle
    return lines


def first_longer_row(text: str, delimiter: str, width: int) -> tuple[int, int]:
    """Return the line and length of the first row with more cells."""
    lines = _sample(text)[:SAMPLE_ROWS]
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    with suppress(csv.Error):  # the parser will say what is wrong
        return next(
            ((reader.line_num, len(row)) for row in reader if len(row) > width), (0, 0)
        )
    return 0, 0


def guess_delimiter(text: str, name: str) -> str:
    """Return the delimiter that gives the most rows of one length."""
    best, best_score = "", (0.0, 0)
    for delimiter in DELIMITERS:
        rows = first_rows(text, delimiter)
        if not rows:
            continue
        width, count = Counter(len(row) for row in rows).most_common(1)[0]
        score = (count / len(rows), width)
        if width > 1 and score > best_score:
            best, best_score = delimiter, score
    if not best:
        msg = (
            f"{name} seems to have one column only: no comma, semicolon, tab or bar "
            "separates its first rows alike; a table needs a target and a variable"
        )
        raise TableError(msg)
    return best


def guess_decimal(rows: Sequence[Sequence[str]], delimiter: str) -> str:
    """Return the decimal mark of the first rows; a comma only if it clearly leads."""
    cells = [cell for row in rows for cell in row if len(cell) <= LONGEST]
    points = sum(POINT.fullmatch(cell) is not None for cell in cells)
    points += 2 * sum(ENGLISH.fullmatch(cell) is not None for cell in cells)
    with_comma = [cell for cell in cells if COMMA.fullmatch(cell)]
    commas = len(with_comma)
    # Only where a comma is the decimal mark do semicolons separate cells.
    if delimiter != ";" and all(GROUPED.fullmatch(cell) for cell in with_comma):
        commas = 0
    commas += sum(EUROPEAN.fullmatch(cell) is not None for cell in cells)
    quoted = delimiter == ","
    return "," if commas > points * 4 and not (quoted and commas < 2) else "."
