"""Files that grow in one way each: digits, separators, quotes, names, cells, nesting.

Each is a function of a size. Twice the size must be about twice the work.
"""

from collections.abc import Callable

import numpy as np
import pyarrow as pa
from file_makers import CELLS, edited, npz, parquet_file, workbook

ROWS = "t,1,2\nu,2,3\n" * 10
SHEET = "xl/worksheets/sheet1.xml"


def sheet(rows: str) -> bytes:
    """A workbook whose first sheet has these rows of XML."""

    def change(members: dict[str, bytes]) -> None:
        before, _, rest = members[SHEET].partition(b"<sheetData>")
        after = rest.partition(b"</sheetData>")[2]
        body = f"<sheetData>{rows}</sheetData>".encode()
        members[SHEET] = before + body + after

    return edited(workbook(CELLS), change)


def cell(place: str, value: str = "") -> str:
    return f'<c r="{place}"><v>{value}</v></c>' if value else f'<c r="{place}"/>'


def line(number: int, *cells: str) -> str:
    return f'<row r="{number}">{"".join(cells)}</row>'


def header_rows(names: str) -> bytes:
    return (names + "\n" + "1," * names.count(",") + "1\n").encode()


SHAPES: dict[str, tuple[int, Callable[[int], bytes]]] = {
    "digits then a letter": (
        20_000, lambda n: ("9" * n + "x,y\n" + "1,2\n" * 5).encode()
    ),
    "digits in a header without names": (
        20_000, lambda n: ("9" * n + ",1\n" + "1,2\n" * 5).encode()
    ),
    "digits, signs and points": (
        20_000, lambda n: (f"a,y\n{'1' * n}.{'1' * n}e{'1' * n}-,2\n" + ROWS).encode()
    ),
    "digits like a date": (
        20_000, lambda n: ("a,y\n" + f"2020-01-01{'1' * n},2\n" * 9).encode()
    ),
    "blanks around a number": (
        20_000, lambda n: ("a,y\n" + f"{' ' * n}1{' ' * n}x,2\n" * 3).encode()
    ),
    "separators": (8_000, lambda n: (b"," * (n // 10) + b"\n") * 10),
    "quotes": (60_000, lambda n: b"a,b\n" + b'"' * n + b",1\n"),
    "quotes that open and close": (60_000, lambda n: b"a,b\n" + b'"x" ' * n + b",1\n"),
    "line ends": (60_000, lambda n: b"a,b\n1,2\n" + b"\n" * n + b"3,4\n"),
    "equal names": (3_000, lambda n: header_rows(",".join(["x"] * n))),
    "names that count already": (
        1_500,
        lambda n: header_rows(",".join(["x"] * n + [f"x ({i})" for i in range(n)])),
    ),
    "no names": (2_000, lambda n: header_rows("a" + "," * n)),
    "a long name": (100_000, lambda n: header_rows("x" * n + ",y")),
    "a long cell": (100_000, lambda n: (f"a,y\n{'x' * n},2\n" + ROWS).encode()),
    "columns of text": (
        200,
        lambda n: "\n".join(
            ",".join(f"{start}{i}" for i in range(n)) for start in ("c", "t", "u")
        ).encode(),
    ),
    "rows": (20_000, lambda n: b"task,y,a\n" + b"t,1,2\n" * n),
    "different texts": (
        10_000,
        lambda n: ("task,y\n" + "".join(f"t{i},{i}\n" for i in range(n))).encode(),
    ),
    "far-away empty cells": (
        20,
        lambda n: sheet(
            line(1, cell("A1", "1"), cell("B1", "2"))
            + "".join(
                line(i, cell(f"A{i}", "1"), cell(f"XFD{i}")) for i in range(2, n + 2)
            )
        ),
    ),
    "one far-away cell": (
        300,
        lambda n: sheet(
            line(1, cell("A1", "1"), cell("ZZZ1", "2"))
            + "".join(line(i, cell(f"A{i}", "1")) for i in range(2, n + 2))
        ),
    ),
    "a far-away row": (
        4_000,
        lambda n: sheet(line(1, cell("A1", "1"), cell("B1", "2")) + line(n)),
    ),
    "equal names in a workbook": (
        1_000, lambda n: workbook([["x"] * n, list(range(n))])
    ),
    "columns of a Parquet file": (
        1_000,
        lambda n: parquet_file(pa.table([[1.0, 2.0]] * n, list(map(str, range(n))))),
    ),
    "members of an archive": (
        200,
        lambda n: npz(
            **{f"X{i}": np.eye(2) for i in range(n)},
            **{f"Y{i}": np.ones(2) for i in range(n)},
        ),
    ),
    "a number in an archive": (
        3_000, lambda n: npz(**{f"X{'1' * (n // 20)}": np.eye(2), "Y": np.ones(2)})
    ),
}  # fmt: skip
