"""Read numbers as people write them: 1,234.5, 1.234,5, 12 %, $3.50."""

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from vstg.tables.table import listed

LONGEST = 40  # characters of a number
SHARE = 0.8  # of the values that must be numbers
SPACES = " \u00a0\u202f\u2009'’"
SIGNS = "$€£¥"


def _pattern(decimal: str) -> re.Pattern[str]:
    """Match a sign, digits (perhaps in threes), a fraction and a percent sign.

    Every text matches in one way at most, so that a long one takes no longer.
    """
    mark, group = (r"\.", ",") if decimal == "." else (",", r"\.")
    number = (
        rf"(?P<grouped>\d{{1,3}}(?:{group}\d{{3}})+|\d{{1,3}}(?:[{SPACES}]\d{{3}})+)"
        rf"|(?P<plain>\d+)"
    )
    return re.compile(
        rf"(?P<minus>[-+−]?)(?P<before>[{SIGNS}]?)\s?(?:{number})"
        rf"(?P<rest>{mark}\d+)?\s?(?P<after>[%{SIGNS}]?)"
    )


PATTERNS = {decimal: _pattern(decimal) for decimal in ".,"}


def parse_numbers(
    frame: pd.DataFrame, decimal: str = "."
) -> tuple[pd.DataFrame, list[str]]:
    """Turn columns of such texts into numbers, and say what was done.

    A column is left as it is unless most of its values are numbers in one unit.
    """
    done: dict[str, list[str]] = {}
    new = {}
    for name, kind in frame.dtypes.items():
        if not (pd.api.types.is_object_dtype(kind) or isinstance(kind, pd.StringDtype)):
            continue
        found = _column(frame[name], PATTERNS[decimal])
        if found is not None:
            new[name], what = found
            for word in what:
                done.setdefault(word, []).append(str(name))
    if new:
        frame = frame.assign(**{str(name): values for name, values in new.items()})
    return frame, [
        f"{what} of {listed(names)} were read" for what, names in done.items()
    ]


def _column(
    column: pd.Series, pattern: re.Pattern[str]
) -> tuple[pd.Series, Sequence[str]] | None:
    """Return the column as numbers, and what else was in the texts."""
    codes, levels = pd.factorize(column.to_numpy(dtype=object))
    matches = [
        pattern.fullmatch(level.strip())
        if isinstance(level, str) and len(level) <= LONGEST
        else None
        for level in levels
    ]
    numbers = [isinstance(level, int | float) for level in levels]
    signs = {_unit(match) for match in matches if match}
    signs |= {"" for plain in numbers if plain}
    grouped = any(match and match["grouped"] for match in matches)
    if len(signs) != 1 or (signs == {""} and not grouped):
        return None
    counts = np.bincount(codes[codes >= 0], minlength=len(levels))
    good = np.array([m is not None or n for m, n in zip(matches, numbers, strict=True)])
    if counts[good].sum() < SHARE * counts.sum():
        return None
    values = np.empty(len(levels) + 1, dtype=object)
    for i, (level, match) in enumerate(zip(levels, matches, strict=True)):
        values[i] = _number(match) if match else level
    values[-1] = None  # for the code -1
    unit = signs.pop()
    what = ["separators of thousands"] if grouped else []
    what += ["percent signs" if unit == "%" else "currency signs"] if unit else []
    return pd.Series(values[codes], index=column.index).infer_objects(), what


def _unit(match: re.Match[str]) -> str:
    return match["before"] or match["after"]


def _number(match: re.Match[str]) -> float:
    whole = re.sub(r"\D", "", match["grouped"] or match["plain"])
    rest = f".{match['rest'][1:]}" if match["rest"] else ""
    return float(f"{'-' if match['minus'] in ('-', '−') else ''}{whole}{rest}")
