"""Read dates as people write them, and extract the parts that a model can use."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Literal

import numpy as np

from vstg.data import Array

Order = Literal["ymd", "dmy", "mdy", "named"]
PARTS = ("year", "month", "weekday", "days")
COUNTED = ("year", "days")  # numbers; the others are categories
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = (
    "jan", "feb", "mar", "apr", "may", "jun",
    "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip
EPOCH = date(1970, 1, 1).toordinal()
LONGEST = 40  # characters of a date with its time
TIME = r"(?:[T ,]\s*[\d:.+\-Z APMapm]*)?"
YEAR_FIRST = re.compile(rf"(\d{{4}})[-/.](\d{{1,2}})[-/.](\d{{1,2}}){TIME}")
YEAR_LAST = re.compile(rf"(\d{{1,2}})([-/.])(\d{{1,2}})[-/.](\d{{4}}|\d{{2}}){TIME}")
DAY_NAMED = re.compile(
    rf"(\d{{1,2}})[-/. ]+([A-Za-z]{{3,9}})[-/., ]+(\d{{4}}|\d\d){TIME}"
)
NAME_FIRST = re.compile(rf"([A-Za-z]{{3,9}})[-/. ]+(\d{{1,2}})[-/., ]+(\d{{4}}){TIME}")
WORDS = {
    "ymd": "year-month-day",
    "dmy": "day/month/year",
    "mdy": "month/day/year",
    "named": "with the month's name",
}


def looks_like_date(text: str) -> bool:
    """Whether a text has the form of a date."""
    return len(text) <= LONGEST and (
        YEAR_FIRST.fullmatch(text) is not None
        or YEAR_LAST.fullmatch(text) is not None
        or _named(text) is not None
    )


def date_order(texts: Iterable[str | None]) -> Order:
    """Find the order of day, month and year in a column of dates.

    A number over 12 is a day, and the texts outvote each other. Where none is, a place
    that never changes is the day (the first of each month); failing that, slashes are
    American and points European. Texts with the year first, or with the name of the
    month, say their order themselves and leave the vote to the others.
    """
    matches, n_named, n_year_first = [], 0, 0
    for text in dict.fromkeys(texts):
        if text is None or len(text) > LONGEST:
            continue
        if found := YEAR_LAST.fullmatch(text):
            matches.append((int(found[1]), found[2], int(found[3])))
        elif YEAR_FIRST.fullmatch(text):
            n_year_first += 1
        elif _named(text) is not None:
            n_named += 1
    if not matches:
        return "named" if n_named > n_year_first else "ymd"
    day_first = sum(one > 12 for one, _, _ in matches)
    day_second = sum(two > 12 for _, _, two in matches)
    if day_first != day_second:
        return "dmy" if day_first > day_second else "mdy"
    first, second = {one for one, _, _ in matches}, {two for _, _, two in matches}
    if (len(first) == 1) != (len(second) == 1):
        return "dmy" if len(first) == 1 else "mdy"
    return "mdy" if any(sign == "/" for _, sign, _ in matches) else "dmy"


def read_date(text: str | None, order: str) -> date | None:
    """Return the date in a text, or None."""
    if text is None or len(text) > LONGEST:
        return None
    if found := YEAR_FIRST.fullmatch(text):
        return _date(*found.groups())
    found = YEAR_LAST.fullmatch(text)
    if found is None or order == "named":
        return _named(text)
    one, _, two, year = found.groups()
    day, month = (one, two) if order == "dmy" else (two, one)
    return _date(year, month, day)


def _named(text: str) -> date | None:
    if found := DAY_NAMED.fullmatch(text):
        day, name, year = found.groups()
    elif found := NAME_FIRST.fullmatch(text):
        name, day, year = found.groups()
    else:
        return None
    month = name[:3].lower()
    return _date(year, str(MONTHS.index(month) + 1), day) if month in MONTHS else None


def _date(year: str, month: str, day: str) -> date | None:
    number = int(year)
    if len(year) == 2:
        number += 2000 if number < 69 else 1900
    try:
        return date(number, int(month), int(day))
    except ValueError:
        return None


def typical_date(parts: Mapping[str, float | str]) -> str:
    """Return a date with about these parts, for a form."""
    try:
        if "days" in parts:
            return date.fromordinal(EPOCH + round(float(parts["days"]))).isoformat()
        year, month = round(float(parts.get("year", 2000))), int(parts.get("month", 7))
        return date(year, month, 15).isoformat()
    except (ValueError, OverflowError):  # a year that no calendar has
        return "2000-07-15"


def dates(texts: Sequence[str | None], order: str) -> list[date | None]:
    """Return the dates of a column; each distinct text is read once."""
    known = {text: read_date(text, order) for text in set(texts)}
    return [known[text] for text in texts]


def part_numbers(texts: Sequence[str | None], order: str, part: str) -> Array:
    """Return the year or the days since 1970, nan where there is no date."""
    found = dates(texts, order)
    if part == "year":
        return np.array([np.nan if d is None else d.year for d in found], dtype=float)
    return np.array(
        [np.nan if d is None else d.toordinal() - EPOCH for d in found], dtype=float
    )


def part_texts(texts: Sequence[str | None], order: str, part: str) -> list[str | None]:
    """Return the month (01 to 12) or the weekday, None where there is no date."""
    found = dates(texts, order)
    if part == "month":
        return [None if d is None else f"{d.month:02d}" for d in found]
    return [None if d is None else DAYS[d.weekday()] for d in found]
