"""Find where a table begins: below title lines and a header of one row or two."""

from collections import Counter
from collections.abc import Sequence

from vstg.bounded.text import MAX_NAME
from vstg.tables.readers.text_format import NUMBER

Rows = Sequence[Sequence[str]]
MAX_ABOVE = 12  # lines of title that are looked for
MOSTLY = 0.6  # of its cells that a header must have
SELDOM = 0.34  # of the cells that a line of title may have
NUMERIC = 0.8
NO_VALUE = {"", "na", "nan", "n/a", "n.a.", "none", "null", "-", "--", ".", "?", "*"}


def has_header(row: Sequence[str]) -> bool:
    """Whether a row contains names: anything that is neither number nor empty."""
    first = [cell for cell in row if cell.strip()]
    return not first or not all(NUMBER.fullmatch(cell) for cell in first)


def find_header(rows: Rows) -> tuple[int, int]:
    """Count the rows above the header, and those of the header: 0, 1 or 2."""
    width = Counter(len(row) for row in rows).most_common(1)[0][0]
    above = 0
    while above < min(MAX_ABOVE, len(rows) - 1) and _is_title(rows[above], width):
        above += 1
    if above and not _is_header(rows[above], width):
        above = _single_cells(rows, width)  # surely no part of the table
    elif above and _names_groups(rows[above - 1], rows[above]):
        return above - 1, 2
    if not has_header(rows[above]):
        return above, 0
    return above, 2 if _two_rows(rows[above:]) else 1


def _filled(row: Sequence[str]) -> list[int]:
    return [i for i, cell in enumerate(row) if cell.strip()]


def _is_title(row: Sequence[str], width: int) -> bool:
    """Whether a line has few cells, none of them a number in a column of its own."""
    if len(row) == 1 and width > 1:
        return '"' not in row[0] and "\n" not in row[0]
    filled = _filled(row)
    few = len(filled) <= max(1, int(SELDOM * width))
    return width > 2 and few and (not filled or not NUMBER.fullmatch(row[filled[0]]))


def _is_header(row: Sequence[str], width: int) -> bool:
    return len(_filled(row)) >= MOSTLY * width and has_header(row)


def _single_cells(rows: Rows, width: int) -> int:
    count = 0
    while width > 1 and count < len(rows) - 1 and len(rows[count]) == 1:
        if '"' in rows[count][0] or "\n" in rows[count][0]:
            return 0  # perhaps a cell of several lines
        count += 1
    return count


def _names_groups(groups: Sequence[str], names: Sequence[str]) -> bool:
    """Whether a line of few cells distinguishes columns with the same name."""
    given = [name.strip() for name in names if name.strip()]
    filled = _filled(groups)
    return len(set(given)) < len(given) and (len(filled) > 1 or filled[:1] > [0])


def _two_rows(rows: Rows) -> bool:
    """Whether the second row is text too, above columns of numbers."""
    body = rows[2:]
    if len(body) < 2:
        return False
    second = rows[1]
    places = []
    for i in range(len(rows[0])):
        cells = [row[i].strip() for row in body if i < len(row)]
        given = [cell for cell in cells if cell.lower() not in NO_VALUE]
        n_numbers = sum(NUMBER.fullmatch(cell) is not None for cell in given)
        if len(given) > 1 and n_numbers >= NUMERIC * len(given):
            places.append(i)
    if len(places) < 2 or max(places) >= len(second):
        return False
    cells = [second[i].strip() for i in places]
    texts = [c for c in cells if c.lower() not in NO_VALUE and not NUMBER.fullmatch(c)]
    numbers = [cell for cell in cells if NUMBER.fullmatch(cell)]
    return not numbers and len(texts) >= NUMERIC * len(cells)


def header_names(rows: Rows) -> list[str]:
    """Join a header of one row or two; a group's name extends to the right."""
    if len(rows) == 1:
        return [_unquoted(cell) for cell in rows[0]]
    width = max(len(row) for row in rows)
    top, bottom = ([*map(str.strip, row), *[""] * (width - len(row))] for row in rows)
    names, group = [], ""
    for above, below in zip(top, bottom, strict=True):
        group = (above or group)[:MAX_NAME]  # it is repeated, so it must be short
        whole = f"{group} {below}".strip() if below != group else below
        names.append(_unquoted(whole if below else above))
    return names


def _unquoted(name: str) -> str:
    """Remove the single quotes around a name."""
    name = name.strip()
    quoted = len(name) > 2 and name[0] == name[-1] == "'"
    return name[1:-1] if quoted else name
